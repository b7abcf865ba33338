# SPDX-License-Identifier: GPL-3.0-or-later
"""The side of the page: what is looked for, the list, and how many are compared."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from destutter.session.store import StoredSession
from destutter.ui.controls.elided import WrappedLabel
from destutter.ui.controls.own_keys import named_shortcut
from destutter.ui.look.theme import Theme
from destutter.ui.look.tokens import NO_LIMIT_PX
from destutter.ui.sessions.session_list import SessionList
from destutter.ui.sessions.session_rows import RowTexts
from destutter.ui.words.quantities import Quantities

_HEIGHT_ABOVE_PX = 190  # two recordings, and that there are more


class SessionColumn(QWidget):
    """The list of those recordings that have every word that is typed above it."""

    def __init__(
        self, theme: Theme, quantities: Quantities, texts: RowTexts, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._texts = texts
        self._quantities = quantities
        self._sessions: Sequence[StoredSession] = ()
        self._recording: Path | None = None
        self.search = QLineEdit(self)
        self.search.setPlaceholderText(self.tr("Search"))
        self.search.setToolTip(self.tr("By game, name, date, comment or what came out"))
        self.search.setAccessibleName(self.tr("Search recordings"))
        self.search.setClearButtonEnabled(True)
        self.none_fits = WrappedLabel("muted", self)
        self.list = SessionList(theme, self)
        self.hint = WrappedLabel("small", self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.sizes.px(8))
        layout.addWidget(self.search)
        layout.addWidget(self.none_fits)
        layout.addWidget(self.list, 1)
        layout.addWidget(self.hint)
        self.search.textChanged.connect(self._show)
        self.list.chosen.connect(self._show_hint)
        find = QKeySequence.StandardKey.Find
        named_shortcut(self, find, self.tr("Search recordings"), self._find)
        self._show_hint()
        self.none_fits.hide()

    def set_width(self, width: int | None) -> None:
        """Beside what is chosen: as wide as this, as high as the page; None: above it."""
        is_above = width is None
        self.setMinimumWidth(width or 0)
        self.setMaximumWidth(NO_LIMIT_PX if width is None else width)
        height = self._theme.sizes.px(_HEIGHT_ABOVE_PX)
        self.list.setMinimumHeight(height if is_above else 0)
        self.list.setMaximumHeight(height if is_above else NO_LIMIT_PX)

    def show_sessions(self, sessions: Sequence[StoredSession], recording: Path | None) -> None:
        """List these; ``recording`` is the one that is being made."""
        self._sessions, self._recording = sessions, recording
        self._show()

    @Slot()
    def _show(self) -> None:
        order = {each.path: each.start_wall_time or 0.0 for each in self._sessions}
        words = self.search.text().casefold().split()
        chosen = self.list.chosen_paths  # what is shown beside the list stays in it
        fitting = [each for each in self._sessions if self._texts.has_words(each, words)]
        found = {each.path for each in fitting}.union(chosen)
        shown = [each for each in self._sessions if each.path in found]
        self.list.show_rows(self._texts.rows(shown, self._recording), order)
        other = self.tr("No other recording has these words")
        self.none_fits.set_full_text(other if shown else self.tr("No recording has these words"))
        self.none_fits.setVisible(bool(words) and not fitting)

    @Slot()
    def _show_hint(self) -> None:
        a, b = self.list.sides
        text = self.tr("{before} before, {after} after. The keys A and B move one.")
        number = self._quantities.number
        self.hint.set_full_text(text.format(before=number(len(a)), after=number(len(b))))
        self.hint.setVisible(len(a) + len(b) > 2)

    @Slot()
    def _find(self) -> None:
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()
