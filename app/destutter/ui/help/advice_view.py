# SPDX-License-Identifier: GPL-3.0-or-later
"""A few paragraphs of advice, with commands that can be copied."""

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QSize, Qt, QTimer, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from destutter.analysis.changes.helper_origin import Fit, Origin, fit_of, origin_of
from destutter.core.sandbox import is_sandboxed
from destutter.core.statement import Statement
from destutter.resource_folder import source_folder
from destutter.ui.controls.plain_label import plain_label
from destutter.ui.look.fonts import mono_font
from destutter.ui.look.theme import Theme
from destutter.ui.words.words import said_sentence
from destutter_helper.api.names import HELPER_VERSION

translate = QCoreApplication.translate

_MAY_BREAK = "\N{ZERO WIDTH SPACE}"
_COPIED_MS = 1500  # so long a check mark says that it is in the clipboard


@dataclass(frozen=True, slots=True)
class Advice:
    """A title and parts; a part that begins with "$ " is a command or a line of a file."""

    title: str
    parts: tuple[str, ...]


def pressure_advice() -> Advice:
    """How a kernel comes to report pressure."""
    return Advice(
        translate("Advice", "Turn on pressure (PSI)"),
        (
            translate(
                "Advice",
                "The kernel can count how long programs wait for memory, disk and processor. "
                "This kernel was started without it.",
            ),
            translate(
                "Advice", "Add this to the kernel's command line in the boot loader, then restart:"
            ),
            "$ psi=1",
            translate("Advice", "Everything else is measured without it."),
        ),
    )


def helper_advice(reason: Statement | None, *, is_bundled: bool = False) -> Advice:
    """What the helper is for, and that nothing is missing for measuring.

    ``is_bundled``: a button below sets it up, so that no other way is needed. Nothing leads out of
    a Flatpak, so that it has words to copy.
    """
    parts = [
        translate("Advice", "Destutter measures and explains without the helper."),
        translate(
            "Advice",
            "The helper is a small system service that changes kernel settings on trial and takes "
            "them back.",
        ),
    ]
    if reason is not None and reason.id == "bridge.helper.no_bus":
        neither = translate(
            "Advice",
            "Installing it would not help: ordinary desktops have that bus; a container, or a "
            "system without systemd or D-Bus, may not. Every cause has commands to copy instead.",
        )
        return Advice(translate("Advice", "The helper"), (*parts, said_sentence(reason), neither))
    if is_bundled:
        parts.append(
            translate(
                "Advice",
                "It is part of this AppImage. It is put into /opt/destutter and /etc (where "
                "polkit is older, its list of actions into /usr/share), after the password of an "
                "administrator. Once it is there, a button of Settings takes it away again.",
            )
        )
    elif is_sandboxed():
        parts += [
            translate(
                "Advice",
                "Through it the game and other programs are seen, too, which the Flatpak's "
                "sandbox hides.",
            ),
            translate(
                "Advice",
                "The Flatpak uses the helper of this computer, which it cannot install by itself. "
                "In a terminal, on Debian and Ubuntu, install its package:",
            ),
            "$ sudo apt install ./destutter-helper_*.deb",
            translate("Advice", "Elsewhere, the AppImage of Destutter sets it up:"),
            "$ ./Destutter-*.AppImage install-helper",
        ]
    else:
        parts += _own_ways()
    return Advice(
        translate("Advice", "The helper"),
        tuple(parts) if reason is None else (*parts, said_sentence(reason)),
    )


def _own_ways() -> tuple[str, ...]:
    """How it is installed from here, neither out of an AppImage nor a Flatpak."""
    if (checkout := source_folder()) is not None:
        return (
            translate("Advice", "Run this in a terminal; it asks for your password:"),
            f"$ make -C {shlex.quote(str(checkout))} install-helper",
        )
    return (
        translate("Advice", "On Debian and Ubuntu, install its package:"),
        "$ sudo apt install ./destutter-helper_*.deb",
        translate("Advice", "Elsewhere, run this in the folder of Destutter's source code:"),
        "$ make install-helper",
    )


def present_helper_advice(version: str, place: str) -> Advice:
    """Which helper there is, whose it is, and what to do when it does not fit this program."""
    origin, fit = origin_of(place), fit_of(version)
    whose = {
        Origin.SYSTEM: translate(
            "Advice", "It was put there by a package or 'make install-helper':"
        ),
        Origin.BUNDLE: translate("Advice", "The AppImage has set it up:"),
        Origin.TREE: translate("Advice", "It is started from a development tree:"),
        Origin.UNTOLD: translate("Advice", "It does not say from where it runs."),
    }[origin]
    fits = {
        Fit.SAME: translate("Advice", "Version {version}. It fits this program."),
        Fit.OLDER: translate(
            "Advice",
            "Version {version}. It is older than this program, which knows {own}: it works, and "
            "refuses what it does not know yet.",
        ),
        Fit.NEWER: translate(
            "Advice",
            "Version {version}. It is newer than this program, which knows {own}: it works, and "
            "what is new in it is not shown. Bring this program up to date.",
        ),
    }[fit]
    parts = [
        translate(
            "Advice",
            "The helper is a small system service that changes kernel settings on trial and takes "
            "them back.",
        ),
        fits.format(version=version, own=HELPER_VERSION),
        whose,
    ]
    if place:
        parts.append(f"$ {place}")
    if fit is Fit.OLDER:
        parts.append(_way_up(origin))
    return Advice(translate("Advice", "The helper"), tuple(part for part in parts if part))


def _way_up(origin: Origin) -> str:
    """How a helper comes to be as new as this program."""
    return {
        Origin.SYSTEM: translate(
            "Advice", "Bring its package up to date, or run 'make install-helper' again."
        ),
        Origin.BUNDLE: translate(
            "Advice", "The newer AppImage brings it up to date: 'destutter update-helper'."
        ),
        Origin.UNTOLD: translate(
            "Advice",
            "Bring its package up to date, or run 'destutter update-helper' of the AppImage.",
        ),
        Origin.TREE: "",
    }[origin]


def missing_advice(missing: Sequence[tuple[str, Statement]]) -> Advice:
    """What is not measured here, and why."""
    return Advice(
        translate("Advice", "Not measured"),
        tuple(
            translate("Advice", "{what}: {why}").format(what=what, why=said_sentence(why))
            for what, why in missing
        ),
    )


class AdviceView(QWidget):
    """Shows an ``Advice``; with a margin where what is around it has none."""

    def __init__(
        self,
        theme: Theme,
        advice: Advice,
        parent: QWidget | None = None,
        *,
        has_margin: bool = True,
    ) -> None:
        super().__init__(parent)
        layout = QVBoxLayout(self)
        margin = theme.sizes.px(14) if has_margin else 0
        layout.setContentsMargins(margin, 4, margin, margin)
        layout.setSpacing(theme.sizes.px(9))
        for part in advice.parts:
            if part.startswith("$ "):
                layout.addWidget(CommandRow(theme, part.removeprefix("$ "), self))
                continue
            layout.addWidget(plain_label(part, "muted", self, wraps=True))
        layout.addStretch(1)


class CommandRow(QWidget):
    """A line to be used elsewhere, and the button that copies it."""

    def __init__(self, theme: Theme, line: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.line = line
        # Qt finds nowhere to break "a=b,c=d", and the panel is as narrow as it is. Copied by hand
        # the marks would come along, unseen: so the button alone copies.
        label = QLabel(re.sub("(?<=[/,=])", _MAY_BREAK, line), self)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        label.setMinimumWidth(1)
        label.setFont(mono_font(theme.sizes.small))
        label.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        label.setProperty("role", "command")
        label.setAccessibleName(line)
        self.copy_button = QPushButton(self)
        self.copy_button.setProperty("role", "flat")
        self.copy_button.setAccessibleName(self.tr("Copy: {line}").format(line=line))
        self.copy_button.setToolTip(self.tr("Copy this line"))
        self.copy_button.setFixedWidth(theme.sizes.px(28))
        self.copy_button.setIconSize(QSize(theme.sizes.px(16), theme.sizes.px(16)))
        self.copy_button.clicked.connect(self._copy)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.sizes.px(4))
        layout.addWidget(label, 1)
        layout.addWidget(self.copy_button, 0, Qt.AlignmentFlag.AlignTop)
        theme.changed.connect(self._show_sign)
        self._show_sign()

    @Slot()
    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.line)
        self._show_sign("check")
        QTimer.singleShot(_COPIED_MS, self, self._show_sign)

    @Slot()
    def _show_sign(self, name: str = "copy") -> None:
        icon = self._theme.icons.icon(name, self._theme.tokens.muted, self._theme.sizes.px(16))
        self.copy_button.setIcon(icon)
