# SPDX-License-Identifier: GPL-3.0-or-later
"""What of a run counts: play that was measured, by the guide's clock and by a comparison alike."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.analysis.comparing.comparison import compare_sessions
from destutter.analysis.examining.figures import figures_of
from destutter.analysis.examining.summary import SessionSummary
from destutter.analysis.examining.tally import SessionTally
from destutter.analysis.report.comparison_words import reason_words
from destutter.analysis.report.terminal_words import terminal_words
from destutter.core.compared import ComparedOutcome
from destutter.core.metrics import Metrics
from destutter.core.sample import Frames
from destutter.diagnosis.runs.compared_minutes import Reason
from destutter.diagnosis.runs.played import PlayedSeconds, middles
from destutter.diagnosis.unplayed_span import not_counted
from destutter.ui.guide.record_counts import RecordCounts
from tests.support.engine_scenes import NAMES, SOURCES, WORKING
from tests.support.known_snapshots import snapshots_of
from tests.support.live_scenes import snapshots, stuttering
from tests.support.scripted_source import START_NS, Script
from tests.support.sessions import frames_of, summary
from tests.unit.diagnosis.test_unplayed import LOADING

_FIRST = snapshots_of(stuttering)[0]
CALM = replace(_FIRST, assessment=replace(_FIRST.assessment, spikes=()), frames=(), metrics=())
"""Of a stream in which nothing happens."""


def _with_pause(minutes: float, pause_s: float) -> tuple[np.ndarray, np.ndarray]:
    """Ends and lengths of a flight with a pause in its middle, in which no frame is told."""
    lengths = frames_of(minutes, 3)
    ends = np.cumsum(lengths) / 1e3
    ends[ends.size // 2 :] += pause_s
    return ends, lengths


def _paused(minutes: float, pause_s: float) -> SessionSummary:
    ends, lengths = _with_pause(minutes, pause_s)
    figures = figures_of(SessionTally(), (ends, lengths), "xplane", float(ends[-1]))
    return summary(lengths, duration_s=float(ends[-1]), **figures.as_fields())


def test_a_pause_is_no_play_and_its_minute_costs_none_of_the_others() -> None:
    """A flight of eight minutes and a pause was "enough", and then "too short"."""
    paused, whole = _paused(8.2, 60.0), summary(frames_of(8.5, 3, seed=2))
    assert paused.duration_s == pytest.approx(556, abs=2)
    assert paused.played_s == pytest.approx(496, abs=2)
    assert paused.whole_minutes == 8
    told = compare_sessions(paused, whole)
    assert told.reason is not Reason.TOO_SHORT
    assert "too_short" not in told.warnings
    assert not np.isnan(paused.minutes["frame.hitch_ms"]).any()


def test_what_is_too_short_is_so_by_play() -> None:
    """Minutes that nobody played make no run longer, and the reason names them."""
    paused, whole = _paused(7.8, 60.0), summary(frames_of(9, 3, seed=2))
    told = compare_sessions(paused, whole)
    assert (told.outcome, told.reason) == (ComparedOutcome.TOO_CLOSE, Reason.TOO_SHORT)
    assert reason_words(told, terminal_words()).replace("\u00a0", " ") == (
        "Of 8 min 51 s of A only 7 min 53 s count: the computer slept or nothing was measured for "
        "59 seconds. A fair comparison needs 8 minutes of both."
    )
    ticks = {"memory.available_bytes": np.ones(int(paused.duration_s) + 1)}
    measured = replace(paused, seconds={**paused.seconds, **ticks})
    told = compare_sessions(measured, whole)
    assert "no frames came for 59 seconds (pause, loading, or no game)" in reason_words(
        told, terminal_words()
    ).replace("\u00a0", " ")


def test_the_score_is_of_the_time_that_counts() -> None:
    """223 seconds an hour were told over ten minutes of which the computer had slept seven."""
    paused, whole = _paused(8, 400.0), _paused(8, 0.0)
    assert paused.score is not None
    assert whole.score is not None
    assert paused.score.parts[0].per_hour == pytest.approx(whole.score.parts[0].per_hour, rel=0.01)


@given(st.lists(st.tuples(st.floats(1.0, 9_000.0), st.floats(0.0, 20.0)), min_size=1, max_size=60))
def test_the_clock_of_the_guide_counts_the_same(told: list[tuple[float, float]]) -> None:
    """Frames of any length with any pauses in between."""
    lengths = np.array([round(long * 1e3) / 1e3 for long, _ in told])
    ends = np.cumsum(lengths / 1e3 + np.array([pause for _, pause in told]))
    ends_ns = tuple(int(each * 1e9) for each in ends)
    counts = RecordCounts(0)
    frames = Frames("xplane", ends_ns, tuple(round(each * 1e3) for each in lengths))
    counts.accept_snapshot(replace(CALM, frames=(frames,)))
    played = PlayedSeconds.by_frames(np.array(ends_ns) / 1e9, lengths, int(ends[-1]) + 1)
    assert counts.counted == set(played.seconds.astype(int))
    assert len(counts.counted) <= int(ends[-1]) + 1


def test_a_freeze_is_play_and_a_stopped_program_is_none() -> None:
    """Three seconds and fifteen are freezes that somebody sat through; a minute is none."""
    ends, lengths = np.array([1.0, 4.5, 30.0, 99.0]), np.array([20.0, 3e3, 15e3, 61e3])
    played = PlayedSeconds.by_frames(ends, lengths, 100).seconds.tolist()
    assert played == [1, 2, 3, 4, *range(15, 31), 99]


@pytest.mark.parametrize(
    ("meanwhile", "counted"),
    [({}, set(range(15))), (LOADING, {0, 1, 13, 14})],
)
def test_a_freeze_of_many_seconds_counts_where_it_is_a_stutter(meanwhile, counted) -> None:
    """With the clock that left one of 13 s out nobody could tell why; a loading screen is none."""
    script = Script(SOURCES, NAMES).fact(game__pid="7", game__name="Alpenglow")
    script.run(1, WORKING).frames(*[16.0] * 60).run(12, meanwhile).frames(12_000.0)
    script.run(1, WORKING).frames(*[16.0] * 60)
    counts = RecordCounts(START_NS)
    for snapshot in snapshots(script.messages):
        counts.accept_snapshot(snapshot)
    assert counts.counted == counted
    assert len(counts.stutters) == (meanwhile == {})
    told = not_counted(counts.unplayed.values(), counts.since_ns)
    assert (told is None) == (meanwhile == {})


def test_without_frames_the_probe_says_what_counts() -> None:
    """A computer that sleeps has no wake-ups."""
    counts = RecordCounts(10**9)
    for second in (1, 2, 7, 8):
        woken = Metrics(second * 10**9, 0.1, {"wakeup.worst_ms": 1.0}, {})
        counts.accept_snapshot(replace(CALM, metrics=(woken,)))
    assert counts.counted == {0, 1, 6, 7}


def test_moments_move_together_where_nothing_counts() -> None:
    """What is between does not pass on that clock, and what ended there has no place."""
    played = PlayedSeconds(np.array([True, False, False, True, True]))
    at, values = played.squeezed(np.array([0.5, 1.5, 3.25, 4.0, 9.0]), np.arange(5.0))
    assert at.tolist() == [0.5, 1.25, 2.0]
    assert values.tolist() == [0.0, 2.0, 3.0]


def test_minutes_have_their_middle_in_the_run() -> None:
    """By which a minute has its phase."""
    seconds = np.array([*range(40), *range(100, 180)], dtype=float)
    assert middles(seconds) == (30, 150)
    assert middles(np.arange(20.0)) == (10,)
    assert middles(np.zeros(0)) == (0,)
