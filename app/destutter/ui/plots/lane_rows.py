# SPDX-License-Identifier: GPL-3.0-or-later
"""The rows of the lanes, from top to bottom, as they are chosen."""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from PySide6.QtWidgets import QVBoxLayout, QWidget

from destutter.ui.look.theme import Theme
from destutter.ui.plots.lane_measures import LaneMetric
from destutter.ui.plots.lane_row import LaneRow
from destutter.ui.plots.lane_show import LaneModel
from destutter.ui.plots.time_view import TimeView


class LaneRows(QVBoxLayout):
    """One row a model. ``connect`` is called once for each row that is made."""

    def __init__(
        self, theme: Theme, view: TimeView, connect: Callable[[LaneRow], None], card: QWidget
    ) -> None:
        super().__init__()
        self._theme = theme
        self._view = view
        self._connect = connect
        self._card = card
        self._rows: list[LaneRow] = []
        self.setSpacing(0)

    def __iter__(self) -> Iterator[LaneRow]:
        return iter(self._rows)

    @property
    def first(self) -> LaneRow:
        return self._rows[0]

    @property
    def measures(self) -> list[LaneMetric]:
        """What the lanes draw beside what is always kept."""
        return [measure for row in self._rows for measure in row.model.measures]

    def show_models(self, models: Sequence[LaneModel]) -> None:
        """These lanes; the rows that stay keep what they have drawn."""
        known = {id(row.model): row for row in self._rows}
        wanted = [
            known.pop(id(model)) if id(model) in known else self._made(model) for model in models
        ]
        for row in (*self._rows, *wanted):
            self.removeWidget(row)
        for row in known.values():
            row.hide()
            row.deleteLater()
        for row in wanted:
            self.addWidget(row, row.model.stretch)
        self._rows = wanted

    def _made(self, model: LaneModel) -> LaneRow:
        row = LaneRow(self._theme, self._view, model, self._card)
        self._connect(row)
        return row

    def order_tabs(self, before: QWidget, after: Sequence[QWidget]) -> None:
        """Let Tab pass from ``before`` through the rows as they stand, then to ``after``."""
        stops = [before, *(stop for row in self._rows for stop in row.stops), *after]
        for one, other in pairwise(stops):
            QWidget.setTabOrder(one, other)
