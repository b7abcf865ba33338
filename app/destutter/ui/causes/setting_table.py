# SPDX-License-Identifier: GPL-3.0-or-later
"""What to change against a cause, as a table: one row per setting, chosen by check boxes."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QVBoxLayout, QWidget

from destutter.ui.causes.setting_row_view import SettingRowView
from destutter.ui.causes.setting_rows import SettingRow, partners
from destutter.ui.controls.leading import lead
from destutter.ui.look.theme import Theme
from destutter.ui.words.change_words import ChangeWords
from destutter_helper.api.payload import Change

COLUMNS = 7
_LEAST_NAME_PX = 120
_EFFECT = 5  # its column
"""Room that the names of settings are given at least."""


class SettingTable(QWidget):
    """Shows rows. What was ticked and opened is remembered for as long as a row is there.

    ``selection_changed()``, ``undo_requested(str)`` with a key, ``changes_requested()`` for the
    page of changes, where values that somebody else changed are decided.
    """

    selection_changed = Signal()
    undo_requested = Signal(str)
    changes_requested = Signal()

    def __init__(self, theme: Theme, words: ChangeWords, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._words = words
        self._rows: tuple[SettingRow, ...] = ()
        self._views: dict[str, SettingRowView] = {}
        self._ticked: dict[str, bool] = {}
        self._opened: set[str] = set()
        self._is_enabled = True
        self._can_choose = True
        self._is_narrow = False
        self._holder: QWidget | None = None
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(0, 0, 0, 0)

    @property
    def views(self) -> dict[str, SettingRowView]:
        """The rows by their keys, in order."""
        return self._views

    @property
    def rows(self) -> tuple[SettingRow, ...]:
        return self._rows

    @property
    def chosen(self) -> tuple[Change, ...]:
        """The changes that are ticked."""
        return tuple(
            row.change for row in self._rows if row.change is not None and self._is_ticked(row)
        )

    @property
    def offered(self) -> tuple[Change, ...]:
        """All changes that could be ticked."""
        return tuple(row.change for row in self._rows if row.change is not None)

    def forget_choices(self) -> None:
        """Another cause: tick what is suggested."""
        self._ticked.clear()
        self._opened.clear()
        self._rows = ()

    def show_rows(self, rows: Sequence[SettingRow], *, can_choose: bool) -> None:
        """Show these; ``can_choose`` False: there is nothing here that could apply them."""
        if tuple(rows) == self._rows and can_choose == self._can_choose:
            return
        focus = next((key for key, view in self._views.items() if view.has_focus), "")
        name = next((view.focus_name for view in self._views.values() if view.has_focus), "")
        self._rows, self._can_choose = tuple(rows), can_choose
        self._build()
        if focus in self._views:
            self._views[focus].take_focus(name)
        self.selection_changed.emit()

    def set_narrow(self, *, is_narrow: bool) -> None:
        """The expected effect in a line of its own, where columns of words would be left."""
        if is_narrow != self._is_narrow:
            self._is_narrow = is_narrow
            if self._holder is not None:
                self._build()

    def set_choices_enabled(self, *, are_enabled: bool) -> None:
        """While a request is under way nothing can be ticked or undone."""
        self._is_enabled = are_enabled
        for view in self._views.values():
            view.set_choices_enabled(are_enabled=are_enabled)

    def _is_ticked(self, row: SettingRow) -> bool:
        return self._ticked.get(row.key, row.is_suggested and self._partners_suggested(row))

    def _partners_suggested(self, row: SettingRow) -> bool:
        by_key = {each.key: each for each in self._rows}
        return all(by_key[key].is_suggested for key in partners(row, self._rows))

    def _build(self) -> None:
        if self._holder is not None:
            self._holder.hide()
            self._holder.deleteLater()
        self._holder = holder = QWidget(self)
        self._views = {}
        grid = QGridLayout(holder)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(self._theme.sizes.px(8 if self._is_narrow else 12))
        grid.setVerticalSpacing(0)
        shares = (0, 50, 20, 25, 0, 0, 0) if self._is_narrow else (0, 25, 12, 13, 0, 42, 0)
        for column, stretch in enumerate(shares):
            grid.setColumnStretch(column, stretch)
        grid.setColumnMinimumWidth(1, self._theme.sizes.px(_LEAST_NAME_PX))
        self._add_heads(grid, holder)
        for row in self._rows:
            self._add_row(grid, row, holder)
        self._box.addWidget(holder)

    def _add_heads(self, grid: QGridLayout, holder: QWidget) -> None:
        heads = (
            "",
            self.tr("Setting"),
            self.tr("Now") if self._can_choose else self.tr("Then"),
            self.tr("Recommended"),
            self.tr("Risk"),
            "" if self._is_narrow else self.tr("Expected effect"),
        )
        for column, text in enumerate(heads):
            label = lead(QLabel(text, holder))
            label.setProperty("role", "caption")
            grid.addWidget(label, 0, column)

    def _add_row(self, grid: QGridLayout, row: SettingRow, holder: QWidget) -> None:
        line = QFrame(holder)
        line.setProperty("role", "line")
        line.setFixedHeight(1)
        at = grid.rowCount()
        grid.addWidget(line, at, 0, 1, COLUMNS)
        view = SettingRowView(
            self._theme, self._words, row, can_choose=self._can_choose, parent=holder
        )
        self._views[row.key] = view
        top = Qt.AlignmentFlag.AlignTop
        middle = Qt.AlignmentFlag.AlignVCenter
        for column, cell in enumerate(view.cells):
            if self._is_narrow and column == _EFFECT:
                grid.addWidget(cell, at + 2, 1, 1, COLUMNS - 1, top)
            else:
                grid.addWidget(cell, at + 1, column, middle)
        grid.addWidget(view.details, at + 3, 1, 1, COLUMNS - 1, top)
        view.show_ticked(is_ticked=self._is_ticked(row))
        view.show_opened(is_opened=row.key in self._opened)
        view.set_choices_enabled(are_enabled=self._is_enabled)
        view.ticked.connect(self._row_ticked)
        view.opened.connect(self._row_opened)
        view.undo_clicked.connect(self.undo_requested)
        view.changes_clicked.connect(self.changes_requested)

    @Slot(str, bool)
    def _row_ticked(self, key: str, is_ticked: bool) -> None:  # noqa: FBT001  a Qt slot
        row = next(each for each in self._rows if each.key == key)
        for each in (key, *partners(row, self._rows)):
            self._ticked[each] = is_ticked
            self._views[each].show_ticked(is_ticked=is_ticked)
        self.selection_changed.emit()

    @Slot(str, bool)
    def _row_opened(self, key: str, is_opened: bool) -> None:  # noqa: FBT001  a Qt slot
        if is_opened:
            self._opened.add(key)
        else:
            self._opened.discard(key)
