# SPDX-License-Identifier: GPL-3.0-or-later
"""Choosing the program that is watched, from those that use the processor now."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from destutter.ui.controls.column_rows import PARTS, ColumnRows
from destutter.ui.look.theme import Theme
from destutter.ui.words.quantities import Quantities
from destutter.words.measures import NBSP

_PID = Qt.ItemDataRole.UserRole


class ProgramChooser(QWidget):
    """A list with a filter. ``chosen(int, str)`` with the process id and the name.

    As long as it is open each program keeps its row: with rows that moved under the pointer a
    click chose another one, or was lost.
    """

    chosen = Signal(int, str)

    def __init__(
        self, theme: Theme, quantities: Quantities, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._quantities = quantities
        self._row_px = theme.sizes.px(28)
        self._programs: dict[int, tuple[str, float]] = {}
        self._rows: dict[int, QListWidgetItem] = {}
        self.filter = QLineEdit(self)
        self.filter.setPlaceholderText(self.tr("Part of the name"))
        self.filter.setAccessibleName(self.tr("Part of the program's name"))
        self.list = QListWidget(self)
        self.list.setAccessibleName(self.tr("Programs"))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setItemDelegate(ColumnRows(theme, self.list, stretch=0, trailing=(1, 2)))
        self.watch = QPushButton(self.tr("Watch this program"), self)
        self.watch.setEnabled(False)
        self._hint = QLabel(self.tr("The programs are being looked at…"), self)
        self._hint.setProperty("role", "muted")
        self._hint.setWordWrap(True)
        self.filter.textChanged.connect(self._fill)
        self.list.itemSelectionChanged.connect(self._selected)
        self.list.itemActivated.connect(self._choose)
        self.watch.clicked.connect(self._choose)
        layout = QVBoxLayout(self)
        margin = theme.sizes.px(14)
        layout.setContentsMargins(margin, 6, margin, margin)
        layout.addWidget(self._hint)
        layout.addWidget(self.filter)
        layout.addWidget(self.list, 1)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(self.watch)
        layout.addLayout(row)

    def show_programs(self, programs: Sequence[tuple[int, str, float]]) -> None:
        """(PID, name, percent of a core), the busiest first. What is new comes last, and what is
        idle now stays."""
        if not programs:
            return
        idle = {pid: (name, 0.0) for pid, (name, _) in self._programs.items()}
        self._programs = idle | {pid: (name, share) for pid, name, share in programs}
        self._hint.setText(self.tr("Programs that use the processor now."))
        self._show_rows()

    def show_hidden(self) -> None:
        """Say why there is nothing to choose from."""
        self._hint.setText(
            self.tr(
                "The Flatpak's sandbox hides all other programs until Destutter's helper is set "
                "up."
            )
        )

    @Slot()
    def _fill(self) -> None:
        self._rows.clear()
        self.list.clear()
        self._show_rows()

    def _show_rows(self) -> None:
        wanted = self.filter.text().casefold()
        for pid, (name, share) in self._programs.items():
            if wanted not in name.casefold():
                continue
            row = self._rows.get(pid) or self._made(pid)
            parts = (name, f"({pid})", self._quantities.percent(share, 0))
            if row.data(PARTS) != parts:
                row.setText((NBSP * 3).join(parts))
                row.setData(PARTS, parts)
                row.setToolTip(row.text())

    def _made(self, pid: int) -> QListWidgetItem:
        row = self._rows[pid] = QListWidgetItem(self.list)
        row.setData(_PID, pid)
        row.setSizeHint(QSize(0, self._row_px))
        return row

    @Slot()
    def _selected(self) -> None:
        self.watch.setEnabled(bool(self.list.selectedItems()))

    @Slot()
    def _choose(self) -> None:
        for item in self.list.selectedItems():
            pid = int(item.data(_PID))
            self.chosen.emit(pid, self._programs[pid][0])
