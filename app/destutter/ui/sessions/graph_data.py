# SPDX-License-Identifier: GPL-3.0-or-later
"""What the graph of one or two sessions draws, from their summaries. Neither Qt nor pyqtgraph."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from destutter.analysis.examining.summary import Histogram, Series, SessionSummary
from destutter.diagnosis.runs.phases import PhaseSpan

FRAMES, WAKEUP = "frame.worst_ms", "wakeup.worst_ms"
TONES = {"A": "cpu", "B": "storage", "": "storage"}
Ends = Sequence[float]
"""From and to."""
Flags = np.ndarray[tuple[int], np.dtype[np.bool_]]
_DECADES = (100.0, 10.0, 1.0, 0.1, 0.01, 0.001)
_LEAST_SHARES, _AROUND = 0.3, 0.05  # decades: a level line is not blown up, nor at the edge
_SAME_LENGTH = 0.01  # in decades: bins are four times as wide
_LENGTHS_MS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000)


class GraphView(StrEnum):
    """How two sessions are drawn."""

    OVERLAY = "overlay"
    SIDE_BY_SIDE = "side"
    DISTRIBUTION = "distribution"


class SessionLane(StrEnum):
    """What the graph of a session draws of each second."""

    FRAMES = FRAMES
    WAKEUP = WAKEUP


@dataclass(frozen=True, slots=True)
class SessionCurve:
    """One session: the longest frame, or the latest wake-up, of each second in ms.

    ``badge`` is "A", "B", or "" for a session that is shown alone.
    """

    badge: str
    worst_ms: Series
    phases: tuple[PhaseSpan, ...]
    histogram: Histogram | None

    @property
    def length_s(self) -> int:
        return int(self.worst_ms.size)


@dataclass(frozen=True, slots=True)
class Points:
    """One line: of which session, and its points in the numbers of the axes; NaN: a gap."""

    badge: str
    x: Series
    y: Series


@dataclass(frozen=True, slots=True)
class Distribution:
    """Lines of decimal logarithms: the length in ms, and how many percent are longer.

    ``left`` to ``right`` and ``low`` to 2, which are 100 %, is all that they can show. ``read_at``
    are the lengths where it was counted, and not only drawn between two others.
    """

    lines: tuple[Points, ...]
    read_at: Series
    left: float
    right: float
    low: float


def shares_in(distribution: Distribution, left: float, right: float) -> tuple[float, float]:
    """The lowest and the highest share between these lengths, all as logarithms.

    A zoom of both axes around the pointer showed a place without any curve after two steps.
    """
    lines = [each for each in distribution.lines if each.x[-1] >= left]
    if not lines or (left <= distribution.left and right >= distribution.right):
        return distribution.low, 2.0
    seen = [np.interp((left, right), each.x, each.y) for each in lines]
    low, high = float(np.min(seen)), float(np.max(seen))
    more = _AROUND + max(0.0, _LEAST_SHARES - (high - low)) / 2
    return max(distribution.low, low - more), min(2.0, high + more)


def lane_of(summaries: tuple[SessionSummary, ...]) -> SessionLane | None:
    """What can be drawn of all of them: frame times, else wake-ups; None: nothing."""
    for lane in (SessionLane.FRAMES, SessionLane.WAKEUP):
        if summaries and all(lane in summary.seconds for summary in summaries):
            return lane
    return None


def curves_of(
    summaries: tuple[SessionSummary, ...], lane: SessionLane
) -> tuple[SessionCurve, ...]:
    """The curves; of two sessions the first is A."""
    badges = ("",) if len(summaries) == 1 else ("A", "B")
    return tuple(
        SessionCurve(badge, summary.seconds[lane], summary.told_phases, summary.histogram)
        for badge, summary in zip(badges, summaries, strict=True)
    )


def peaks(worst_ms: Series, columns: int) -> tuple[Series, Series]:
    """The highest value of each of ``columns`` equal spans: seconds and values.

    As many points as there are seconds where that is fewer. Spans without a value are NaN.
    """
    size = int(worst_ms.size)
    if size <= columns:
        return np.arange(size, dtype=np.float64) + 0.5, worst_ms
    starts = (np.arange(columns) * size) // columns
    highest: Series = np.asarray(np.fmax.reduceat(worst_ms, starts), dtype=np.float64)
    ends = np.append(starts[1:], size)
    middles: Series = np.asarray((starts + ends) / 2, dtype=np.float64)
    return middles, highest


def points_in(curve: SessionCurve, low_s: float, high_s: float, columns: int) -> Points:
    """What is drawn of a curve between two moments: at most one peak for each of ``columns``, and
    one more beyond either end.

    The spans are those of the whole recording, so that no peak jumps while it is moved.
    """
    whole = max(1, round(columns * curve.length_s / max(1.0, high_s - low_s)))
    seconds, values = peaks(curve.worst_ms, whole)
    first = max(0, int(np.searchsorted(seconds, low_s)) - 1)
    last = int(np.searchsorted(seconds, high_s, side="right")) + 1
    return Points(curve.badge, seconds[first:last], values[first:last])


def _is_value(points: Points) -> Flags:
    """Which points there are, with none before the first and after the last."""
    return np.concatenate(([False], np.isfinite(points.y), [False]))


def cut(points: Points, across: Ends, upwards: Ends) -> tuple[Series, Series]:
    """The lines between neighbours, as far as they lie between these ends: x and y of either end,
    one line after the other. An SVG file knows no other way to leave out the rest."""
    begin, end = np.zeros(max(0, points.x.size - 1)), np.ones(max(0, points.x.size - 1))
    for values, (least, most) in ((points.x, across), (points.y, upwards)):
        start, step = values[:-1], np.diff(values)
        with np.errstate(divide="ignore", invalid="ignore"):
            enter, leave = (least - start) / step, (most - start) / step
        # A line along an end divides 0 by 0, which is no bound.
        begin = np.fmax(begin, np.minimum(enter, leave))
        end = np.fmin(end, np.maximum(enter, leave))
    is_value = _is_value(points)[1:-1]
    at = np.flatnonzero((begin < end) & is_value[:-1] & is_value[1:])
    parts = np.column_stack((begin[at], end[at])).ravel()
    at = np.repeat(at, 2)
    return (
        points.x[at] + parts * (points.x[at + 1] - points.x[at]),
        points.y[at] + parts * (points.y[at + 1] - points.y[at]),
    )


def dots(points: Points, across: Ends, upwards: Ends) -> list[tuple[float, float]]:
    """The values between two gaps, which are an end of no line, between these ends."""
    is_value = _is_value(points)
    at = np.flatnonzero(is_value[1:-1] & ~is_value[:-2] & ~is_value[2:])
    found = zip(points.x[at].tolist(), points.y[at].tolist(), strict=True)
    (left, right), (low, high) = across, upwards
    return [(x, y) for x, y in found if left <= x <= right and low <= y <= high]


def top_of(curves: Sequence[SessionCurve], low_s: float, high_s: float) -> float:
    """The upper end of the axis for the seconds between two moments, in ms."""
    seen = [curve.worst_ms[int(low_s) : int(np.ceil(high_s))] for curve in curves]
    highest = [float(np.fmax.reduce(values)) for values in seen if values.size]
    longest = max((value for value in highest if not np.isnan(value)), default=0.0)
    return 1.06 * max(longest, 40.0 if longest > 5 else 1.0)


def distribution_of(curves: Sequence[SessionCurve]) -> Distribution | None:
    """How many are longer than what; None where nothing was counted."""
    found = [(curve.badge, *exceedance(curve.histogram)) for curve in curves if curve.histogram]
    found = [each for each in found if each[1].size]
    if not found:
        return None
    longest = max(float(lengths[-1]) for _, lengths, _ in found)
    least = min(float(shares[-1]) for _, _, shares in found)
    low = next((decade for decade in _DECADES if decade <= least), _DECADES[-1])
    begin = _begin_of([(lengths, shares) for _, lengths, shares in found])
    lines = tuple(
        Points(badge, np.log10(np.maximum(lengths, begin)), np.log10(np.maximum(shares, low)))
        for badge, lengths, shares in found
    )
    right = np.log10(max(2.0 * begin, longest))
    every = np.unique(np.concatenate([lengths for _, lengths, _ in found]))
    read_at: Series = np.log10(every[every >= begin])
    return Distribution(lines, read_at, float(np.log10(begin)), float(right), float(np.log10(low)))


def length_near(distribution: Distribution, length: float, steps: int = 0) -> float | None:
    """The length that can be read next to this one, or so many further on: decimal logarithms.
    None: there is none."""
    read_at = distribution.read_at
    if not read_at.size:
        return None
    nearest = int(np.argmin(np.abs(read_at - length)))
    return float(read_at[min(max(0, nearest + steps), read_at.size - 1)])


def share_longer(curve: SessionCurve, length: float) -> float | None:
    """How many percent are longer than this decimal logarithm of ms; None where nothing was
    counted. Exact at the lengths of ``Distribution.read_at``."""
    histogram = curve.histogram
    if histogram is None or not histogram.counts.sum():
        return None
    is_above = np.log10(histogram.edges_ms[:-1]) > length - _SAME_LENGTH
    return float(100.0 * histogram.counts[is_above].sum() / histogram.counts.sum())


def _begin_of(shares: list[tuple[Series, Series]]) -> float:
    """Where the axis of a distribution begins: at the last mark before any line falls."""
    falls = [float(lengths[share > 99.5][-1]) for lengths, share in shares if share.size]
    least = min(falls, default=1.0)
    return float(max((length for length in _LENGTHS_MS if length <= least), default=1))


def exceedance(histogram: Histogram) -> tuple[Series, Series]:
    """How many of all are longer: lengths in ms, and the share in percent above each.

    The share of nothing is left out: a logarithmic axis has no zero.
    """
    total = float(histogram.counts.sum())
    above = np.append(total - np.cumsum(histogram.counts), 0.0)[:-1]
    lengths = histogram.edges_ms[1:]
    if total <= 0:
        return np.zeros(0), np.zeros(0)
    is_some = above >= 0.5
    longer: Series = np.insert(lengths[is_some], 0, histogram.edges_ms[0])
    share: Series = np.insert(100.0 * above[is_some] / total, 0, 100.0)
    return longer, share


def value_at(curve: SessionCurve, second: float) -> float | None:
    """The value of the second in which this moment lies; None where nothing was measured."""
    at = int(second)
    if not 0 <= at < curve.length_s or np.isnan(curve.worst_ms[at]):
        return None
    return float(curve.worst_ms[at])
