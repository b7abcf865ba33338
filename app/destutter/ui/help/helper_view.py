# SPDX-License-Identifier: GPL-3.0-or-later
"""What the helper is for and how to get it; the AppImage sets its own up by a button."""

from dataclasses import replace

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from destutter.analysis.changes.helper_origin import Fit, Origin, fit_of, origin_of
from destutter.bridge.helper_client import Availability, HelperStatus
from destutter.bridge.helper_installation import HelperInstallation
from destutter.core.statement import Statement, told
from destutter.helper_setup import HelperSetup, HelperSetupError, bundled_helper
from destutter.resource_folder import ResourceError, resource_folder
from destutter.ui.controls.elided import WrappedLabel
from destutter.ui.help.advice_view import AdviceView, helper_advice, present_helper_advice
from destutter.ui.look.fonts import mono_font
from destutter.ui.look.theme import Theme
from destutter.ui.words.words import said


class HelperView(QWidget):
    """``installed()`` when the helper of this AppImage is there.

    ``status``: what is known of a helper; None for nothing yet. ``setup``: what to set up; None
    in a package or a checkout, where the words are enough.
    """

    installed = Signal()

    def __init__(
        self,
        theme: Theme,
        status: HelperStatus | None,
        setup: HelperSetup | None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._status = status
        self._installs = False
        is_there = status is not None and status.availability is Availability.READY
        if status is not None and is_there:
            advice = present_helper_advice(status.version, status.place)
            if (
                origin_of(status.place) is not Origin.BUNDLE
                or fit_of(status.version) is not Fit.OLDER
            ):
                setup = None
        else:
            reason = None if status is None else status.reason
            if status is not None and status.availability is Availability.NO_BUS:
                setup = None  # whatever is installed, nobody could call it
            advice = helper_advice(reason, is_bundled=setup is not None)
        words = (
            self.tr("Bring the helper up to date") if is_there else self.tr("Set up the helper")
        )
        self.title = advice.title
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        self._advice = AdviceView(theme, advice, self)
        layout.addWidget(self._advice)
        if setup is not None:
            self._add_setup(theme, setup, layout, words)
        layout.addStretch(1)

    def _add_setup(
        self, theme: Theme, setup: HelperSetup, layout: QVBoxLayout, words: str
    ) -> None:
        self._installation = HelperInstallation(setup, self)
        self._installation.finished.connect(self._end)
        box = QVBoxLayout()
        margin = theme.sizes.px(14)
        box.setContentsMargins(margin, 0, margin, margin)
        box.setSpacing(theme.sizes.px(9))
        self.button = QPushButton(words, self)
        self.button.clicked.connect(self._start)
        self.outcome = WrappedLabel("small", self)
        self.outcome.hide()
        name = QLabel(self.tr("SHA-256 of what is installed:"), self)
        name.setProperty("role", "muted")
        self.sum = QLabel(" ".join(_in_pieces(setup.sha256)), self)
        self.sum.setFont(mono_font(theme.sizes.small))
        self.sum.setWordWrap(True)
        for widget in (self.button, self.outcome, name, self.sum):
            box.addWidget(widget)
        layout.addLayout(box)

    def is_outdated(self, status: HelperStatus) -> bool:
        """Whether another view has to tell this; not of what this one itself installs."""
        if self._installs or self._status is None:
            return not self._installs
        return replace(status, is_busy=self._status.is_busy) != self._status

    @Slot()
    def _start(self) -> None:
        self._installs = True
        self.button.setEnabled(False)
        self.outcome.set_full_text(self.tr("Waiting for the password, then installing…"))
        self.outcome.show()
        self._installation.start()

    @Slot(object)
    def _end(self, reason: Statement | None) -> None:
        self._installs = reason is None
        self.button.setEnabled(reason is not None)
        if reason is not None:
            text = self.tr("Not set up: {reason}").format(reason=said(reason))
        else:
            text = self.tr("The helper is set up.")
        self.outcome.set_full_text(text)
        if reason is None:
            # What was said of a computer without it.
            self._advice.hide()
            self.button.hide()
            self.installed.emit()


def make_helper_view(
    theme: Theme, status: HelperStatus | None, parent: QWidget | None = None
) -> HelperView:
    """The view for this program, wherever it runs from."""
    try:
        setup = bundled_helper(resource_folder())
    except HelperSetupError as error:
        broken = HelperStatus(Availability.BROKEN, error.statement)
        return HelperView(theme, broken, None, parent)
    except ResourceError as error:
        return HelperView(theme, HelperStatus(Availability.BROKEN, told(str(error))), None, parent)
    return HelperView(theme, status, setup, parent)


def _in_pieces(text: str) -> list[str]:
    """A sum in pieces of eight: without places to break, the panel would be as wide as it."""
    return [text[at : at + 8] for at in range(0, len(text), 8)]
