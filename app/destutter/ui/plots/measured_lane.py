# SPDX-License-Identifier: GPL-3.0-or-later
"""A lane that draws metrics as a table tells it."""

from collections.abc import Hashable
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from destutter.ui.plots.gutter import GutterNote, LegendEntry
from destutter.ui.plots.lane import LaneContent, Line
from destutter.ui.plots.lane_data import LaneData
from destutter.ui.plots.lane_measures import LaneMetric, Pick
from destutter.ui.plots.lane_show import LEAST_ROWS, LaneShow, below_one_ms
from destutter.ui.plots.scale import Scale
from destutter.ui.plots.series import LaneSeries
from destutter.ui.words.quantities import Quantities

translate = QCoreApplication.translate

SourceText = object
"""A text in English, marked by ``QT_TRANSLATE_NOOP``, which the binding says to give anything."""


@dataclass(frozen=True, slots=True)
class LineSpec:
    """One line, or one for each instance. ``name`` is a source text of the context "Lanes";
    instances have their own. ``colors`` are those of the first, the second, ...
    """

    measure: LaneMetric
    name: SourceText
    colors: tuple[str, ...]
    is_filled: bool = False


@dataclass(frozen=True, slots=True)
class LaneSpec:
    """A lane. ``title`` and ``tip`` are source texts of the context "Lanes"; ``unit`` is that of
    a metric; ``every_s`` says how often its values come.
    """

    id: str
    title: SourceText
    tip: SourceText
    sources: tuple[str, ...]
    lines: tuple[LineSpec, ...]
    unit: str
    scale: Scale
    every_s: float = 1.0


@dataclass(frozen=True, slots=True)
class _MeasuredLine:
    """A line that has values."""

    spec: LineSpec
    name: str
    color: str
    series: LaneSeries
    is_filled: bool


class MeasuredLane:
    """``place`` is filled into title and names: the drive that the lane is about."""

    stretch = 90

    def __init__(self, quantities: Quantities, spec: LaneSpec, place: str = "") -> None:
        self._quantities = quantities
        self._spec = spec
        self._place = place
        self.sources = spec.sources
        self.measures = tuple(line.measure for line in spec.lines)

    @property
    def title(self) -> str:
        return str(translate("Lanes", str(self._spec.title))).format(drive=self._place)

    def key(self, data: LaneData, rows_that_fit: int) -> Hashable:
        """Which lines have values, and for how many there is room."""
        names = tuple((each.name, id(each.series)) for each in self._drawn(data))
        return names, rows_that_fit

    def show(self, data: LaneData, rows_that_fit: int) -> LaneShow:
        """As many lines as have a row in the legend."""
        drawn = self._drawn(data)
        rows = max(LEAST_ROWS, rows_that_fit)
        room = rows - (len(drawn) > rows)  # "+2 more" takes a line too
        shown, hidden = drawn[:room], drawn[room:]
        lines = tuple(
            Line((each.spec.measure.metric, each.name), each.series, each.color, each.is_filled)
            for each in shown
        )
        note = None
        if not drawn:
            note = GutterNote(translate("Lanes", "Nothing has been measured yet."))
        return LaneShow(
            self.title,
            LaneContent(self._spec.scale, self._on_axis, lines),
            tuple(LegendEntry(each.name, each.color) for each in shown),
            self._write,
            translate("Lanes", str(self._spec.tip)),
            hidden=tuple(each.name for each in hidden),
            note=note,
            every_s=self._spec.every_s,
        )

    def _drawn(self, data: LaneData) -> list[_MeasuredLine]:
        found = list[_MeasuredLine]()
        for spec in self._spec.lines:
            is_each = spec.measure.pick is Pick.EACH
            for number, (instance, series) in enumerate(data.lines(spec.measure)):
                name = instance if is_each else str(translate("Lanes", str(spec.name)))
                color = spec.colors[min(number, len(spec.colors) - 1)]
                is_filled = spec.is_filled and not found  # two grounds on each other say nothing
                found.append(_MeasuredLine(spec, name, color, series, is_filled))
        return found

    def _write(self, value: float) -> str:
        if value == 0 and self._spec.unit == "ms":
            return below_one_ms(self._quantities)
        return self._quantities.of_metric(value, self._spec.unit)

    def _on_axis(self, value: float) -> str:
        quantities, unit = self._quantities, self._spec.unit
        if unit == "B":
            return quantities.round_size(value)
        if unit in ("/s", "requests"):
            return quantities.short_number(value)
        return quantities.on_axis(value, unit)
