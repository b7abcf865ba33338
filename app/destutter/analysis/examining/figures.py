# SPDX-License-Identifier: GPL-3.0-or-later
"""From what was collected of a session to the figures in its summary."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from destutter.analysis.examining.frame_store import (
    FRAME_HOWS,
    frame_series,
    histogram,
    stutters_in,
)
from destutter.analysis.examining.summary import Histogram, Series, seconds_in
from destutter.analysis.examining.tally import (
    HOW_BY_ID,
    SessionTally,
    minutes_of,
    percentile_by_minute,
)
from destutter.diagnosis.runs.frame_statistics import (
    SAMPLED_LOG,
    FrameStatistics,
    artefacts,
    frame_statistics,
)
from destutter.diagnosis.runs.phases import Phase, PhaseSpan, SessionCourse, find_phases
from destutter.diagnosis.runs.played import PlayedSeconds
from destutter.diagnosis.runs.score import Score, score_session
from destutter.diagnosis.stutters.spikes import WAKEUP_ORIGIN

_PERCENTILES = {
    "disk.read_await_ms": "disk.read_p99_ms",
    "disk.write_await_ms": "disk.write_p99_ms",
    "wakeup.worst_ms": "wakeup.p99_ms",
}
_LOSSES = {
    "hitch_ms": ("frame.hitch_ms",),
    "late_wake_ms": ("wakeup.late_ms",),
    "allocation_stalls": ("memory.allocation_stalls",),
    "swap_in_pages": ("memory.swap_in_pages",),
    "slow_io_moments": ("disk.slow_reads", "disk.slow_writes"),
    "run_delay_ms": ("game.run_delay_ms",),
    "throttle_ms": ("throttle.ms",),
}
_NEEDED = ("memory.kswapd_pages", "memory.direct_pages", "memory.cached_bytes")


@dataclass(frozen=True, slots=True)
class Figures:
    """The computed part of a ``SessionSummary``, field by field."""

    origin: str | None
    frames: FrameStatistics | None
    frame_ms: Series
    artefacts: tuple[str, ...]
    histogram: Histogram | None
    phases: tuple[PhaseSpan, ...]
    seconds: Mapping[str, Series]
    minutes: Mapping[str, Series]
    score: Score | None
    played: Series

    def as_fields(self) -> dict[str, Any]:
        """The same by name."""
        return {each.name: getattr(self, each.name) for each in fields(self)}


def figures_of(
    tally: SessionTally,
    frames: tuple[Series, Series],
    origin: str | None,
    duration_s: float,
    stutters_s: Series | None = None,
    is_played: NDArray[np.bool_] | None = None,
) -> Figures:
    """Compute everything. ``frames`` are ends in seconds and lengths in ms; ``origin`` names
    their tool. ``stutters_s`` are the ends of the stutters; None: they are looked for.
    ``is_played``: which seconds may count; None: all."""
    end_s, frame_ms = frames
    length = seconds_in(duration_s)
    is_inside = end_s < length
    if not is_inside.all():
        end_s, frame_ms = end_s[is_inside], frame_ms[is_inside]
    seconds = tally.seconds(length)
    played = _played(seconds, end_s, frame_ms, length)
    if is_played is not None:
        played = PlayedSeconds(played.mask & is_played)
    minutes = minutes_of({id_: played.of(each) for id_, each in seconds.items()}, HOW_BY_ID)
    minutes |= _percentiles(tally, played)
    if frame_ms.size:
        if stutters_s is None:
            found = stutters_in(end_s, frame_ms)
            stutters_s = np.array([each.monotonic_ns / 1e9 for each in found])
        series = frame_series(end_s, frame_ms, length, stutters_s, played)
        seconds |= series.seconds
        counted = {id_: played.of(each) for id_, each in series.seconds.items()}
        minutes |= minutes_of(counted, FRAME_HOWS) | series.minutes
    phases = _phases(seconds, length)
    if not frame_ms.size:
        origin = WAKEUP_ORIGIN if "wakeup.worst_ms" in seconds else None
    _, lateness = tally.spread("wakeup.worst_ms")
    of_the_tool = artefacts(frame_ms, end_s) if frame_ms.size else ()
    return Figures(
        origin,
        frame_statistics(frame_ms),
        frame_ms,
        of_the_tool,
        histogram(frame_ms if frame_ms.size else lateness),
        phases,
        seconds,
        minutes,
        score_of(seconds, phases, played.mask, of_the_tool),
        played.seconds,
    )


def _played(
    seconds: Mapping[str, Series], end_s: Series, frame_ms: Series, length: int
) -> PlayedSeconds:
    if frame_ms.size:
        return PlayedSeconds.by_frames(end_s, frame_ms, length)
    wakes = seconds.get("wakeup.worst_ms")
    return PlayedSeconds.by_series(seconds.values() if wakes is None else (wakes,), length)


def _percentiles(tally: SessionTally, played: PlayedSeconds) -> dict[str, Series]:
    found = {}
    for metric, id_ in _PERCENTILES.items():
        at_s, values = played.squeezed(*tally.spread(metric))
        if values.size:
            found[id_] = percentile_by_minute(at_s, values, max(1, played.minutes), 99)
    return found


def _phases(seconds: Mapping[str, Series], length: int) -> tuple[PhaseSpan, ...]:
    """The phases; none where memory was not measured."""
    if not all(id_ in seconds for id_ in _NEEDED):
        return ()
    kswapd, direct, cached = (seconds[id_] for id_ in _NEEDED)
    anonymous = seconds.get("memory.anonymous_bytes", np.zeros(length))
    return find_phases(SessionCourse(kswapd + direct, direct, cached + anonymous))


def score_of(
    seconds: Mapping[str, Series],
    phases: tuple[PhaseSpan, ...],
    played: NDArray[np.bool_],
    of_the_tool: Collection[str],
) -> Score | None:
    """The score of a session with these phases, of which each may have several spans; ``played``
    says which of its seconds count. ``of_the_tool`` are its ``artefacts``: where most frames are
    left out, late wake-ups count instead. None without frame times: what no game lost is no
    points."""
    if not any(id_ in seconds for id_ in _LOSSES["hitch_ms"]):
        return None
    losses_of = dict(_LOSSES)
    if SAMPLED_LOG in of_the_tool:
        del losses_of["hitch_ms"]
    losses: dict[Phase | None, dict[str, float]] = {}
    lasting: dict[Phase | None, float] = {}
    whole = [(None, 0, played.size)] if not phases else []
    for phase, start_s, end_s in [*whole, *((s.phase, s.start_s, s.end_s) for s in phases)]:
        counts = played[start_s:end_s]
        lasting[phase] = lasting.get(phase, 0.0) + float(counts.sum())
        parts = losses.setdefault(phase, {})
        for part, ids in losses_of.items():
            for id_ in ids:
                if id_ in seconds:
                    lost = float(np.nansum(seconds[id_][start_s:end_s][counts]))
                    parts[part] = parts.get(part, 0.0) + lost
    return score_session(losses, lasting)
