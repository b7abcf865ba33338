# SPDX-License-Identifier: GPL-3.0-or-later
"""The five tiles in their fixed order, equally wide."""

from collections.abc import Iterable

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QWidget

from destutter.core.metrics import Metrics
from destutter.diagnosis.finding import Assessment, Group, VerdictKind
from destutter.ui.live.last_minute import LastMinute
from destutter.ui.live.tile import Tile
from destutter.ui.look.theme import Theme
from destutter.ui.look.tokens import GAP
from destutter.ui.words.words import Words


class TileRow(QWidget):
    """``opened(Group)`` when a tile was clicked."""

    opened = Signal(object)

    def __init__(self, theme: Theme, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = words
        self._minute = LastMinute()
        self._tiles = {group: Tile(theme, group, words.group(group), self) for group in Group}
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GAP)
        for tile in self._tiles.values():
            layout.addWidget(tile, 1)
            tile.clicked.connect(self._clicked)

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

    def set_compact(self, *, is_compact: bool) -> None:
        """One line each, or whole cards."""
        for tile in self._tiles.values():
            tile.set_compact(is_compact=is_compact)

    @Slot()
    def _clicked(self) -> None:
        sender = self.sender()
        if isinstance(sender, Tile):
            self.opened.emit(sender.subject)
