# SPDX-License-Identifier: GPL-3.0-or-later
"""Phases of a session."""

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from destutter.diagnosis.runs.phases import Phase, PhaseSpan, SessionCourse, find_phases

_GIB = 2**30
_MINUTE = 60


def _course(minutes: int, **changes: np.ndarray) -> SessionCourse:
    """Memory fills within five minutes and rests; nothing is reclaimed."""
    seconds = np.arange(minutes * _MINUTE, dtype=float)
    series = {
        "reclaim_pages_per_s": np.zeros_like(seconds),
        "direct_pages_per_s": np.zeros_like(seconds),
        "in_use_bytes": 4 * _GIB + 20 * _GIB * np.minimum(seconds / 300, 1.0),
    }
    return SessionCourse(**(series | changes))


def _phases(spans: tuple[PhaseSpan, ...]) -> list[Phase]:
    return [span.phase for span in spans]


def test_session_that_fills_and_rests_goes_from_warm_up_to_steady() -> None:
    """The warm-up ends some minutes after the memory is full; the rest is steady."""
    spans = find_phases(_course(40))
    assert _phases(spans)[0] is Phase.WARM_UP
    assert _phases(spans)[-1] is Phase.STEADY
    assert 5 * _MINUTE <= spans[0].end_s <= 12 * _MINUTE


def test_bursts_of_reclaim_are_ramp_up_until_they_end() -> None:
    """Reclaim every two minutes for twenty minutes keeps a session in ramp-up."""
    reclaim = np.zeros(60 * _MINUTE)
    direct = np.zeros(60 * _MINUTE)
    for start in range(8 * _MINUTE, 28 * _MINUTE, 2 * _MINUTE):
        reclaim[start : start + 20] = 60_000
        direct[start : start + 5] = 3_000
    spans = find_phases(_course(60, reclaim_pages_per_s=reclaim, direct_pages_per_s=direct))
    steady = [span for span in spans if span.phase is Phase.STEADY]
    assert len(steady) == 1
    assert 26 * _MINUTE <= steady[0].start_s <= 31 * _MINUTE
    assert steady[0].end_s == 60 * _MINUTE


def test_a_stall_right_after_the_warm_up_is_none_of_the_steady_phase() -> None:
    """However short: else two runs at rest are compared by what still loaded in one of them."""
    warm = find_phases(_course(40))[0].end_s
    direct = np.zeros(40 * _MINUTE)
    direct[warm : warm + 40] = 500
    spans = find_phases(_course(40, direct_pages_per_s=direct))
    assert spans == (
        PhaseSpan(Phase.WARM_UP, 0, warm),
        PhaseSpan(Phase.RAMP_UP, warm, warm + 40),
        PhaseSpan(Phase.STEADY, warm + 40, 40 * _MINUTE),
    )


def test_new_region_breaks_a_steady_phase() -> None:
    """Minutes of direct reclaim in the middle are ramp-up again."""
    direct = np.zeros(90 * _MINUTE)
    direct[50 * _MINUTE : 53 * _MINUTE] = 500
    spans = find_phases(_course(90, direct_pages_per_s=direct))
    assert _phases(spans).count(Phase.STEADY) == 2
    broken = next(span for span in spans if span.start_s >= 49 * _MINUTE)
    assert broken.phase is Phase.RAMP_UP
    assert broken.start_s == 50 * _MINUTE


def test_session_that_never_rests_has_no_steady_phase() -> None:
    """Constant direct reclaim is never called steady."""
    spans = find_phases(_course(40, direct_pages_per_s=np.full(40 * _MINUTE, 100.0)))
    assert Phase.STEADY not in _phases(spans)


def test_short_and_empty_sessions_are_one_warm_up_or_nothing() -> None:
    """Two minutes are warm-up whatever they held."""
    assert _phases(find_phases(_course(2))) == [Phase.WARM_UP]
    assert find_phases(_course(0)) == ()


@given(st.integers(0, 2**32 - 1), st.integers(1, 50))
def test_phases_cover_any_session_without_gap(seed: int, minutes: int) -> None:
    """Whatever was measured, missing values included, the spans are one after the other."""
    generator = np.random.default_rng(seed)
    size = minutes * _MINUTE
    noise = generator.exponential(1000, size)
    noise[generator.random(size) < 0.1] = np.nan
    course = _course(minutes, reclaim_pages_per_s=noise, in_use_bytes=np.abs(noise) * _GIB)
    spans = find_phases(course)
    assert spans[0].start_s == 0
    assert spans[-1].end_s == size
    assert all(one.end_s == two.start_s for one, two in itertools.pairwise(spans))
    assert all(one.phase is not two.phase for one, two in itertools.pairwise(spans))
