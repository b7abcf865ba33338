# SPDX-License-Identifier: GPL-3.0-or-later
"""The five tiles in their fixed order, equally wide."""

from collections.abc import Iterable

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QGridLayout, QWidget

from destutter.core.metrics import Metrics
from destutter.diagnosis.finding import Assessment, Group, VerdictKind
from destutter.ui.live.last_minute import LastMinute
from destutter.ui.live.tile import Tile
from destutter.ui.look.theme import Theme
from destutter.ui.look.tokens import GAP
from destutter.ui.pages.width_class import WidthClass
from destutter.ui.words.words import Words

_IN_NARROW_ROW = 3


class TileRow(QWidget):
    """``opened(Group)`` when a tile was clicked."""

    opened = Signal(object)

    def __init__(self, theme: Theme, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = words
        self._minute = LastMinute()
        self._tiles = {group: Tile(theme, group, words.group(group), self) for group in Group}
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(GAP)
        for tile in self._tiles.values():
            tile.clicked.connect(self._clicked)
        self.set_width_class(WidthClass.WIDE)

    def tile(self, group: Group) -> Tile:
        return self._tiles[group]

    def accept_metrics(self, metrics: Iterable[Metrics]) -> None:
        self._minute.accept_metrics(metrics)

    def begin_anew(self) -> None:
        self._minute = LastMinute()
        self.show_assessment(None)

    def show_assessment(self, assessment: Assessment | None) -> None:
        """Show states, reasons and small graphs; dashes while the first seconds are measured.

        None: nothing is told, nor what was before.
        """
        for tile in () if assessment is not None else self._tiles.values():
            tile.show_state(None, "")
            tile.show_line([])
        is_measuring = assessment is None or assessment.verdict.kind is VerdictKind.MEASURING
        for group in () if assessment is None else assessment.groups:
            tile = self._tiles[group.group]
            state = None if is_measuring else group.state
            tile.show_state(state, self._words.text(group.reason))
            line = [] if group.metric is None else self._minute.line(group.metric, group.instance)
            tile.show_line([] if is_measuring else line)

    def set_width_class(self, width_class: WidthClass) -> None:
        """Whole cards or two short lines, in one row or in two."""
        in_row = _IN_NARROW_ROW if width_class is WidthClass.NARROW else len(self._tiles)
        for place, tile in enumerate(self._tiles.values()):
            tile.set_compact(is_compact=width_class is not WidthClass.WIDE)
            self._grid.addWidget(tile, place // in_row, place % in_row)

    @Slot()
    def _clicked(self) -> None:
        sender = self.sender()
        if isinstance(sender, Tile):
            self.opened.emit(sender.subject)
