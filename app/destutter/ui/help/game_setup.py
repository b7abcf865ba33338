# SPDX-License-Identifier: GPL-3.0-or-later
"""What is to be done for one game: get MangoHud, and paste a line into the launcher."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from destutter.sampling.installed.game import GameLauncher, InstalledGame, Package
from destutter.sampling.installed.library import GameLibrary
from destutter.ui.controls.plain_label import plain_label
from destutter.ui.help.advice_view import CommandRow
from destutter.ui.help.launcher_lines import LauncherLine, launcher_line, line_for
from destutter.ui.look.theme import Theme


class GameSetup(QWidget):
    """Replaces its content at each ``show``; empty at first."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._inside: QWidget | None = None
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(0, 0, 0, 0)

    def show_game(self, game: InstalledGame, library: GameLibrary) -> None:
        line = launcher_line(game)
        lines = self._begin()
        if line is None:
            text = self.tr("{game} tells its frame times by itself: nothing is to be done.")
            self._say(lines, text.format(game=game.name))
            return
        self._show_missing(lines, game.package, library)
        self._show_line(lines, line)

    def show_launchers(self, launchers: Sequence[GameLauncher], library: GameLibrary) -> None:
        """The lines of these launchers, where it is not known which game is meant."""
        lines = self._begin()
        self._show_missing(lines, Package.NATIVE, library)
        for launcher in launchers:
            self._show_line(lines, line_for(launcher))

    def _begin(self) -> QVBoxLayout:
        if self._inside is not None:
            self._inside.hide()
            self._inside.deleteLater()
        self._inside = QWidget(self)
        lines = QVBoxLayout(self._inside)
        lines.setContentsMargins(0, 0, 0, 0)
        lines.setSpacing(self._theme.sizes.px(9))
        self._box.addWidget(self._inside)
        return lines

    def _say(self, lines: QVBoxLayout, text: str, role: str = "muted") -> None:
        lines.addWidget(plain_label(text, role, self, wraps=True))

    def _show_missing(self, lines: QVBoxLayout, package: Package, library: GameLibrary) -> None:
        if library.is_hidden or package is Package.SNAP:
            # Whether it is there cannot be seen from here, and is not guessed.
            self._say(lines, self.tr("This needs MangoHud; whether it is there is hidden."))
            return
        command = library.lacking.get(package)
        if command is None:
            return
        if not command:
            text = self.tr(
                "If nothing arrives: MangoHud is missing. Install it in your distribution's own "
                "way."
            )
            self._say(lines, text, "cardTitle")
            return
        link = library.stores.get(package)
        if link is None:
            self._say(
                lines,
                self.tr("If nothing arrives: MangoHud is missing. In a terminal:"),
                "cardTitle",
            )
        else:
            self._say(lines, self.tr("If nothing arrives: MangoHud is missing."), "cardTitle")
            store = QPushButton(self.tr("Open it in the software store"), self)
            store.clicked.connect(partial(QDesktopServices.openUrl, QUrl(link)))
            lines.addWidget(store, 0, Qt.AlignmentFlag.AlignLeading)
            self._say(lines, self.tr("If the store does not have it, in a terminal:"))
        lines.addWidget(CommandRow(self._theme, command, self))

    def _show_line(self, lines: QVBoxLayout, line: LauncherLine) -> None:
        self._say(lines, line.where)
        row = CommandRow(self._theme, line.line, self)
        lines.addWidget(row)
        copy = QPushButton(line.copy, self)
        copy.clicked.connect(row.copy_button.click)
        lines.addWidget(copy, 0, Qt.AlignmentFlag.AlignLeading)
