# SPDX-License-Identifier: GPL-3.0-or-later
"""The evidence as a table: the same moments, for readers of the screen and for copying."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from destutter.ui.look.theme import Theme


class EvidenceTable(QTableWidget):
    """One row for each moment. ``chosen(int)`` with the row that the user went to."""

    chosen = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Evidence as a table"))
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(theme.sizes.px(28))
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setDefaultAlignment(
            Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter
        )
        self.horizontalHeader().setStretchLastSection(True)
        self._rows: list[list[str]] = []
        self.currentCellChanged.connect(self._moved)

    def show_rows(self, heads: Sequence[str], rows: Sequence[Sequence[str]], current: int) -> None:
        """Show these rows; ``current`` is the moment that the graph shows."""
        wanted = [list(heads), *(list(row) for row in rows)]
        if wanted == self._rows:
            return
        self._rows = wanted
        # Filling moves the current cell, which would choose a moment that nobody has clicked.
        self.blockSignals(True)  # noqa: FBT003  Qt's own name
        self.setColumnCount(len(heads))
        self.setHorizontalHeaderLabels(list(heads))
        self.setRowCount(len(rows))
        for y, row in enumerate(rows):
            for x, text in enumerate(row):
                self.setItem(y, x, QTableWidgetItem(text))
        for column in range(len(heads) - 1):
            self.horizontalHeader().setSectionResizeMode(
                column, QHeaderView.ResizeMode.ResizeToContents
            )
        self.setCurrentCell(current, 0)
        self.blockSignals(False)  # noqa: FBT003  Qt's own name

    @Slot(int, int, int, int)
    def _moved(self, row: int, _column: int, _old_row: int, _old_column: int) -> None:
        if row >= 0:
            self.chosen.emit(row)
