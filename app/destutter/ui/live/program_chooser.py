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
    """A list with a filter. ``chosen(int)`` with the process id."""

    chosen = Signal(int)

    def __init__(
        self, theme: Theme, quantities: Quantities, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._quantities = quantities
        self._row_px = theme.sizes.px(28)
        self._programs: tuple[tuple[int, str, float], ...] = ()
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
        """(PID, name, percent of a core), the busiest first. The list stands still while it is
        used."""
        if self._programs and (self.list.selectedItems() or self.list.hasFocus()):
            return
        if programs:
            self._programs = tuple(programs)
            self._hint.setText(self.tr("Programs that use the processor now."))
            self._fill()

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
        wanted = self.filter.text().casefold()
        self.list.clear()
        for pid, name, share in self._programs:
            if wanted in name.casefold():
                percent = self._quantities.percent(share, 0)
                parts = (name, f"({pid})", percent)
                item = QListWidgetItem((NBSP * 3).join(parts), self.list)
                item.setData(PARTS, parts)
                item.setData(_PID, pid)
                item.setSizeHint(QSize(0, self._row_px))
                item.setToolTip(item.text())

    @Slot()
    def _selected(self) -> None:
        self.watch.setEnabled(bool(self.list.selectedItems()))

    @Slot()
    def _choose(self) -> None:
        for item in self.list.selectedItems():
            self.chosen.emit(int(item.data(_PID)))
