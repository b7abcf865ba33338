# SPDX-License-Identifier: GPL-3.0-or-later
"""What the graph of one or two sessions draws, from their summaries. No Qt."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from destutter.analysis.examining.summary import Histogram, Series, SessionSummary
from destutter.diagnosis.runs.phases import PhaseSpan

FRAMES, WAKEUP = "frame.worst_ms", "wakeup.worst_ms"


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
        SessionCurve(badge, summary.seconds[lane], summary.phases, summary.histogram)
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
