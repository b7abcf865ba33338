# SPDX-License-Identifier: GPL-3.0-or-later
"""The frames of a session: kept in two plain arrays, and told second by second."""

from array import array
from collections.abc import Collection, Iterator
from dataclasses import dataclass

import numpy as np

from destutter.analysis.examining.summary import Histogram, Series
from destutter.analysis.examining.tally import How, percentile_by_minute
from destutter.diagnosis.finding import Spike
from destutter.diagnosis.runs.frame_statistics import running_median, stutter_mask
from destutter.diagnosis.runs.played import PlayedSeconds
from destutter.diagnosis.stutters.logged_stutters import stutters_of
from destutter.diagnosis.stutters.spikes import STUTTER_MS

FRAME_HOWS = {
    "frame.count": How.TOTAL,
    "frame.worst_ms": How.PEAK,
    "frame.stutters": How.TOTAL,
    "frame.long": How.TOTAL,
    "frame.over_50ms": How.TOTAL,
    "frame.hitch_ms": How.TOTAL,
    "frame.below_25fps_ms": How.TOTAL,
    "frame.total_ms": How.TOTAL,
}
"""Series of the frames, a value a second each, and how minutes follow from them."""

_OVER_MS = STUTTER_MS
_BELOW_25FPS_MS = 40.0  # the mark of the X-Plane study's figures
BIN_RATIO = 1.1
"""Each bin of a histogram ends so many times later than it begins, so two can be laid together."""


class FrameStore:
    """Takes in frames in order and keeps two numbers of each."""

    def __init__(self) -> None:
        self._end_ns = array("q")
        self._frame_us = array("q")
        self.origin: str | None = None

    def add(self, origin: str, end_ns: "tuple[int, ...]", frame_us: "tuple[int, ...]") -> None:
        """Take in frames: when each ended, and how long it took."""
        self.origin = origin
        self._end_ns.extend(end_ns)
        self._frame_us.extend(frame_us)

    def frames(self, start_ns: int, left_out: Collection[int] = ()) -> tuple[Series, Series]:
        """Ends in seconds since ``start_ns`` and lengths in ms. Frames that ended before, or that
        took no time or days, are left out, and those that ended at ``left_out``."""
        ends_ns = np.frombuffer(self._end_ns, np.int64)
        ends = (ends_ns - start_ns) / 1e9
        lengths = np.frombuffer(self._frame_us, np.int64) / 1e3
        is_usable = (lengths > 0) & (lengths < 1e9) & (ends >= 0)
        if left_out:
            is_usable &= ~np.isin(ends_ns, [*left_out])
        return ends[is_usable], lengths[is_usable]


@dataclass(frozen=True, slots=True)
class FrameSeries:
    """What ``frame_series`` returns; both by id."""

    seconds: dict[str, Series]
    minutes: dict[str, Series]


def frame_series(
    end_s: Series, frame_ms: Series, length: int, stutters_s: Series, played: PlayedSeconds
) -> FrameSeries:
    """The frames second by second, and what of a minute of play does not follow from its seconds.
    ``stutters_s`` are the ends of what is told as stutters.

    A second within which no frame ended is NaN, unless a long frame covers it: then nothing
    ended in it, which is the worst that can be, and the frame is told where it ended.
    """
    at = np.minimum(end_s.astype(np.int64), max(length - 1, 0))
    is_known = np.bincount(at, minlength=length)[:length] > 0
    seconds: dict[str, Series] = {
        id_: np.where(is_known, np.bincount(at, each, minlength=length)[:length], np.nan)
        for id_, each in _weights(frame_ms)
    }
    inside = stutters_s[(stutters_s >= 0) & (stutters_s < length)].astype(np.int64)
    stutters = np.bincount(inside, minlength=length)[:length]
    seconds["frame.stutters"] = np.where(is_known, stutters, np.nan)
    worst = np.full(length, np.nan)
    np.fmax.at(worst, at, frame_ms)
    seconds["frame.worst_ms"] = worst
    minutes = max(1, played.minutes)
    end_s, frame_ms = played.squeezed(end_s, frame_ms)
    return FrameSeries(
        seconds,
        {
            "frame.p99_ms": percentile_by_minute(end_s, frame_ms, minutes, 99, least=100),
            "frame.median_ms": percentile_by_minute(end_s, frame_ms, minutes, 50, least=100),
            "frame.slowest_ms": slowest_by_minute(end_s, frame_ms, minutes),
        },
    )


def stutters_in(end_s: Series, frame_ms: Series) -> tuple[Spike, ...]:
    """The stutters of frames of which nothing else is known, as everywhere else they are found."""
    return stutters_of((end_s * 1e9).astype(np.int64), (frame_ms * 1e3).astype(np.int64))


def _weights(frame_ms: Series) -> Iterator[tuple[str, Series]]:
    """What each frame adds to its second; one series at a time, for runs of ten million frames."""
    usual = running_median(frame_ms)
    is_long = stutter_mask(frame_ms, usual)
    yield "frame.hitch_ms", np.where(is_long, frame_ms - usual, 0.0)
    del usual
    yield "frame.long", is_long.astype(np.float64)
    yield "frame.count", np.ones_like(frame_ms)
    yield "frame.over_50ms", (frame_ms > _OVER_MS).astype(np.float64)
    yield "frame.below_25fps_ms", np.where(frame_ms > _BELOW_25FPS_MS, frame_ms, 0.0)
    yield "frame.total_ms", frame_ms


def slowest_by_minute(end_s: Series, frame_ms: Series, minutes: int) -> Series:
    """The mean of the slowest hundredth of each whole minute; NaN below a hundred frames."""
    result = np.full(minutes, np.nan)
    if (np.diff(end_s) < 0).any():  # a log whose clock went backwards
        order = np.argsort(end_s, kind="stable")
        end_s, frame_ms = end_s[order], frame_ms[order]
    edges = np.searchsorted(end_s, np.arange(minutes + 1) * 60)
    for minute in range(minutes):
        chosen = frame_ms[edges[minute] : edges[minute + 1]]
        if chosen.size >= 100:
            result[minute] = np.sort(chosen)[-(chosen.size // 100) :].mean()
    return result


def histogram(values_ms: Series) -> Histogram | None:
    """How often each length occurred; None without any."""
    usable = values_ms[np.isfinite(values_ms) & (values_ms > 0)]
    if not usable.size:
        return None
    bins = max(1, int(np.log(float(usable.max())) / np.log(BIN_RATIO)) + 1)
    edges = BIN_RATIO ** np.arange(bins + 1, dtype=np.float64)
    counts, _ = np.histogram(np.maximum(usable, 1.0), edges)
    return Histogram(edges, counts.astype(np.float64))
