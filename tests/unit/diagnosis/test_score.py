# SPDX-License-Identifier: GPL-3.0-or-later
"""The score of a session."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.diagnosis.runs.phases import Phase
from destutter.diagnosis.runs.score import PARTS, score_session, word_of


def test_ten_seconds_of_long_frames_an_hour_cost_63_points() -> None:
    """The unit of the formula."""
    score = score_session({None: {"hitch_ms": 10_000.0}}, {None: 3600.0})
    assert score is not None
    assert score.points == pytest.approx(36.8, abs=0.1)
    assert (score.word, score.trust) == ("stutters often", "long")


def test_a_run_without_losses_is_smooth() -> None:
    """A hundred points, with the words beside it."""
    score = score_session({None: {"hitch_ms": 0.0}}, {None: 600.0})
    assert score is not None
    assert (score.points, score.word, score.trust) == (100, "smooth", "short")


def test_the_warm_up_counts_a_quarter() -> None:
    """The same loss hurts less while everything loads."""
    seconds: dict[Phase | None, float] = {Phase.WARM_UP: 600.0, Phase.STEADY: 600.0}
    early = score_session(
        {Phase.WARM_UP: {"hitch_ms": 1000.0}, Phase.STEADY: {"hitch_ms": 0.0}}, seconds
    )
    late = score_session(
        {Phase.WARM_UP: {"hitch_ms": 0.0}, Phase.STEADY: {"hitch_ms": 1000.0}}, seconds
    )
    assert early is not None
    assert late is not None
    assert early.points > late.points


def test_the_kernels_waits_count_less_beside_frames_and_never_without_end() -> None:
    """What was felt is in the frames; a million stalls take no more than a thousand an hour."""
    losses = {"hitch_ms": 0.0, "allocation_stalls": 1e6}
    beside = score_session({None: losses}, {None: 3600.0})
    assert beside is not None
    assert beside.points == pytest.approx(77.9, abs=0.1)
    alone = score_session({None: {"late_wake_ms": 0.0, **losses}}, {None: 3600.0})
    assert alone is not None
    assert not any(part.id == "late_wake_ms" for part in alone.parts)


def test_a_slow_drive_of_an_idle_computer_is_no_stutter() -> None:
    """Eight slow moments in a minute that no game waited for: the word beside agrees with that."""
    idle = {"late_wake_ms": 0.0, "slow_io_moments": 8.0}
    score = score_session({None: idle}, {None: 60.0})
    assert score is not None
    assert score.word == "mostly smooth"
    watched = score_session({None: {**idle, "run_delay_ms": 0.0}}, {None: 60.0})
    assert watched is not None
    assert watched.word == "stutters now and then"


def test_too_short_or_nothing_to_feel_has_no_score() -> None:
    """Below a minute, and without frames and wake-ups, no number is better than a wrong one."""
    assert score_session({None: {"hitch_ms": 5.0}}, {None: 59.0}) is None
    assert score_session({None: {"allocation_stalls": 5.0}}, {None: 3600.0}) is None
    assert score_session({}, {}) is None


@given(
    st.dictionaries(
        st.sampled_from([None, *Phase]),
        st.dictionaries(st.sampled_from(sorted(PARTS)), st.floats(0, 1e12)),
    ),
    st.floats(0, 1e6),
)
def test_any_session_has_points_between_0_and_100(losses, seconds) -> None:
    """And always a word."""
    score = score_session(losses, dict.fromkeys(losses, seconds))
    if score is not None:
        assert 0 <= score.points <= 100
        assert score.word == word_of(score.points)
