# SPDX-License-Identifier: GPL-3.0-or-later
"""What is said of one session as plain values: the input of comparisons, reports and pages."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from destutter.core.sample import Header
from destutter.core.statement import Statement
from destutter.diagnosis.finding import Assessment
from destutter.diagnosis.runs.frame_statistics import FrameStatistics
from destutter.diagnosis.runs.phases import Phase, PhaseSpan
from destutter.diagnosis.runs.played import middles
from destutter.diagnosis.runs.score import Score
from destutter.diagnosis.unplayed_span import UnplayedSpan
from destutter.tuning.recommendation import Recommendation

Series = NDArray[np.float64]


MOST_SECONDS = 7 * 24 * 3600
"""Nobody plays longer; a damaged clock must not ask for a century of memory."""


def seconds_in(duration_s: float) -> int:
    """How many values a series by second has."""
    return min(max(0, int(duration_s)) + 1, MOST_SECONDS)


def minutes_in(seconds: int) -> int:
    return seconds // 60


def played_seconds(
    unplayed: Iterable[UnplayedSpan], start_ns: int, length: int
) -> NDArray[np.bool_]:
    """Which of the seconds since ``start_ns`` are play: all but those wholly within a span."""
    is_played = np.ones(length, dtype=bool)
    for span in unplayed:
        first_s = -(-(span.start_ns - start_ns) // 1_000_000_000)
        is_played[max(first_s, 0) : max((span.end_ns - start_ns) // 1_000_000_000, 0)] = False
    return is_played


@dataclass(frozen=True, slots=True)
class SessionMarker:
    """A moment that somebody named, in seconds from the beginning of the session."""

    at_s: float
    text: str


@dataclass(frozen=True, slots=True)
class Histogram:
    """How often each length occurred: bin i counts from ``edges_ms[i]`` to ``edges_ms[i + 1]``.

    The edges grow by a tenth each, from 1 ms to beyond the longest frame or wake-up, so that two
    sessions have the same bins. Shorter ones count as 1 ms.
    """

    edges_ms: Series
    counts: Series


@dataclass(frozen=True, slots=True)
class SessionSummary:
    """One recording, or one frame log, as far as it was measured.

    Times are seconds from its beginning. ``started_at`` is the wall clock of the beginning in
    seconds since 1970, None when nothing tells it; ``start_ns`` is that moment on the clock of the
    assessment. ``seconds`` holds one value a second by the ids
    of ``tally.TALLIES`` and ``frame_store``; ``minutes`` one a whole minute of play (a session
    below a minute has one value, as if it had gone on). Both have NaN where nothing was measured,
    and lack an id that never was. ``played`` are the seconds that
    count (``runs/played.py``). ``frame_ms`` are all frame times in order. ``origin`` says what
    stutters were seen by ("mangohud", "xplane", "capframex", "presentmon", "wakeup"), None when by
    nothing; ``artefacts`` are ids of ``frame_statistics.artefacts``. ``phases`` is empty when
    memory was not measured, as in a frame log. ``assessment`` is None where nobody asked for the
    causes, and for a frame log. ``problems`` tell of damage. ``unplayed``: when a game that tells
    its frames was paused, loaded, drew nothing or did not run; none of that is in any figure of
    frames. ``comment`` is what somebody wrote.
    """

    path: str
    header: Header
    duration_s: float
    samples: int
    start_ns: int = 0
    game: str = ""
    started_at: float | None = None
    is_log: bool = False
    facts: Mapping[str, str] = field(default_factory=dict)
    origin: str | None = None
    frames: FrameStatistics | None = None
    frame_ms: Series = field(default_factory=lambda: np.zeros(0))
    rejected_rows: int = 0
    artefacts: tuple[str, ...] = ()
    histogram: Histogram | None = None
    phases: tuple[PhaseSpan, ...] = ()
    seconds: Mapping[str, Series] = field(default_factory=dict)
    minutes: Mapping[str, Series] = field(default_factory=dict)
    markers: tuple[SessionMarker, ...] = ()
    score: Score | None = None
    assessment: Assessment | None = None
    recommendations: tuple[Recommendation, ...] = ()
    problems: tuple[Statement, ...] = ()
    unplayed: tuple[UnplayedSpan, ...] = ()
    comment: str = ""
    played: Series = field(default_factory=lambda: np.zeros(0))

    @property
    def tunables(self) -> Mapping[str, str]:
        """The settings at the start, by "ID" or "ID@DEVICE"."""
        return self.header.tunables

    @property
    def told_phases(self) -> tuple[PhaseSpan, ...]:
        """The phases that are worth a word: a warm-up is one by what comes behind it.

        Of a recording in which nothing settled all nine minutes were shaded as such.
        """
        is_all_warm_up = [each.phase for each in self.phases] == [Phase.WARM_UP]
        return () if is_all_warm_up else self.phases

    @property
    def played_s(self) -> int:
        """Seconds that were measured while somebody played; all that were where no game told."""
        return int(self.played.size)

    @property
    def unplayed_s(self) -> tuple[int, int]:
        """The other seconds: those in which nothing was measured, as in the computer's sleep, and
        those in which only the game told nothing."""
        length = seconds_in(self.duration_s)
        is_measured = np.zeros(length, dtype=bool)
        for id_, series in self.seconds.items():
            # The probe of wake-ups is a process of its own, and may go on by itself.
            if not id_.startswith(("frame.", "wakeup.")) and series.size == length:
                is_measured |= ~np.isnan(series)
        is_open = np.ones(length, dtype=bool)
        is_open[self.played[self.played < length].astype(np.int64)] = False
        return int((is_open & ~is_measured).sum()), int((is_open & is_measured).sum())

    @property
    def whole_minutes(self) -> int:
        """Of play."""
        return minutes_in(self.played_s)

    @property
    def frame_stutters(self) -> int:
        """How many of the frames' stutters there were, each counted once; 0 without frames."""
        stutters = self.seconds.get("frame.stutters")
        return 0 if stutters is None else int(np.nansum(stutters))

    def phase_of_minutes(self) -> tuple[Phase | None, ...]:
        """The phase of each value of ``minutes``: that of its middle; None without phases."""
        return tuple(map(self._phase_at, middles(self.played)))

    def _phase_at(self, second: int) -> Phase | None:
        for span in self.phases:
            if span.start_s <= second < span.end_s:
                return span.phase
        return None
