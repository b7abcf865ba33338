# SPDX-License-Identifier: GPL-3.0-or-later
"""What the graph beside a finding draws: the stutters' own line, the suspected signal, two axes.

The left axis belongs to the effect (frame times, or without them how late the probe woke up), the
right one to the signal, each with its own unit.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QCoreApplication

from destutter.diagnosis.finding import Evidence
from destutter.ui.plots.envelope import envelope
from destutter.ui.plots.lane_data import WAKEUP, LaneData
from destutter.ui.plots.scale import DecadeScale, Formatter, LinearScale, RefreshScale, Scale
from destutter.ui.plots.series import EMPTY, LaneSeries, Outline, raw_outline
from destutter.ui.words.quantities import Quantities

translate = QCoreApplication.translate

SPAN_S = 20.0
_FRESH_S = 0.3  # a measurement ends up to three ticks after what it covers
_SLOW_S = 2.5  # of two readings that are five seconds apart one is as near


@dataclass(frozen=True, slots=True)
class EvidenceLine:
    """One line with its axis.

    ``unit`` stands at the end of the axis where its labels have none; ``write`` writes one value
    with its unit. ``threshold`` is a value worth a dashed line.
    """

    name: str
    color: str
    scale: Scale
    label: Formatter
    write: Callable[[float], str]
    series: LaneSeries | None
    unit: str = ""
    threshold: float | None = None
    is_filled: bool = False

    def outline(self, from_s: float, to_s: float, columns: int) -> Outline:
        """What to draw of a span that is ``columns`` pixels wide."""
        if self.series is None:
            return EMPTY
        times, values = self.series.span(from_s, to_s)
        if len(times) <= 2 * columns:
            return raw_outline(times, values)
        return raw_outline(*envelope(times, values, (to_s - from_s) / columns))

    def highest(self, from_s: float, to_s: float) -> float | None:
        """The largest value of a span; else the measurement that covers it."""
        if self.series is None:
            return None
        found = self.series.highest(from_s, to_s + _FRESH_S)
        return self.series.value_at(to_s, _SLOW_S) if found is None else found

    def covers(self, from_s: float, to_s: float) -> bool:
        """Whether anything was measured in a span."""
        if self.series is None:
            return False
        _, values = self.series.span(from_s, to_s)
        return len(values) > 0 and not bool(np.isnan(values).all())


def effect_line(data: LaneData | None, quantities: Quantities, refresh_hz: float) -> EvidenceLine:
    """What was felt: frame times, else late wake-ups."""
    has_frames = data is not None and len(data.frames) > 0
    if has_frames:
        name = translate("Evidence", "Frame time")
        scale: Scale = RefreshScale(1000.0 / refresh_hz)
        series = None if data is None else data.frames
    else:
        name = translate("Evidence", "CPU wake-up delay")
        scale = DecadeScale(1000.0, low=1.7, high=5.2)
        series = None if data is None else data.find(WAKEUP)
    label = quantities.round_milliseconds
    return EvidenceLine(name, "frame", scale, label, quantities.milliseconds, series)


def signal_line(
    data: LaneData | None,
    quantities: Quantities,
    evidence: Evidence,
    name: str,
    color: str,
) -> EvidenceLine:
    """The suspected signal of one piece of evidence."""
    unit, threshold = evidence.unit, evidence.threshold
    label, axis_unit = _labels(quantities, unit)
    series = None if data is None else data.find(evidence.metric, evidence.instance or "")
    return EvidenceLine(
        name,
        color,
        LinearScale(max(threshold, 1e-3) * 1.2, 1024.0 if unit.startswith("B") else 1000.0),
        label,
        lambda value: quantities.of_metric(value, unit),
        series,
        axis_unit,
        threshold,
        is_filled=True,
    )


def _labels(quantities: Quantities, unit: str) -> tuple[Formatter, str]:
    """How values are written on the axis, and the unit that is written once."""
    if unit == "ms":
        return quantities.round_milliseconds, ""
    if unit == "%":
        return lambda value: quantities.percent(value, 0), ""
    if unit in ("B", "B/s"):
        return quantities.round_size, "/s" if unit == "B/s" else ""
    return quantities.short_number, quantities.unit(unit)
