# SPDX-License-Identifier: GPL-3.0-or-later
"""The signs of a view for one lane: what happened, what was marked, what is chosen."""

from collections.abc import Callable, Iterable

from destutter.core.metrics import Gap
from destutter.diagnosis.finding import Spike
from destutter.ui.plots.event_strip import color_of
from destutter.ui.plots.lane import Lane
from destutter.ui.plots.lane_data import LaneData
from destutter.ui.plots.signs import Blank, EventLine, Signs

_BAND_MARGIN_PX = 8
_UNCOUNTED = "faint"


def signs_of_view(
    lane: Lane,
    data: LaneData,
    spikes: tuple[Iterable[Spike], Iterable[Spike]],
    selected: Spike | None,
    moment_s: float | None,
    gap_text: Callable[[Gap], str],
) -> Signs:
    """The signs for a lane. ``spikes``: those that count, and others, which are drawn in grey.

    ``gap_text`` says why a span is empty; "" says nothing.
    """
    counted, others = spikes
    events = tuple(
        EventLine(lane.x_of(data.seconds(one.monotonic_ns)), color, one == selected)
        for one, color in (
            *((one, _UNCOUNTED) for one in others),
            *((one, color_of(one)) for one in counted),
        )
    )
    cross = None if moment_s is None else lane.x_of(moment_s)
    blanks, band = _blanks(lane, data, gap_text), _band(lane, data, selected)
    return Signs(events, blanks, _markers(lane, data), cross, band)


def _markers(lane: Lane, data: LaneData) -> tuple[int, ...]:
    """On the pixels of their stems on the strip; each once, for a key that is held marks often."""
    at = (round(lane.x_of(data.seconds(one.monotonic_ns))) for one in data.markers)
    left, right = lane.plot.left(), lane.plot.right()
    return tuple(dict.fromkeys(x for x in at if left <= x <= right))


def _band(lane: Lane, data: LaneData, selected: Spike | None) -> tuple[float, float] | None:
    if selected is None:
        return None
    low = lane.x_of(data.seconds(selected.start_ns))
    high = lane.x_of(data.seconds(selected.monotonic_ns))
    return low - _BAND_MARGIN_PX, high + _BAND_MARGIN_PX


def _blanks(lane: Lane, data: LaneData, gap_text: Callable[[Gap], str]) -> tuple[Blank, ...]:
    blanks = []
    for gap in data.gaps:
        low, high = lane.x_of(data.seconds(gap.start_ns)), lane.x_of(data.seconds(gap.end_ns))
        if high >= lane.plot.left() and low <= lane.plot.right():
            blanks.append(Blank(low, high, gap_text(gap)))
    return tuple(blanks)
