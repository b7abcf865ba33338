# SPDX-License-Identifier: GPL-3.0-or-later
"""Standstills by the pace of a game's main thread."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.core.metrics import Gap, Metrics
from destutter.diagnosis.stutters.rhythm import LEAST_MS, RhythmDetector

TICK_NS = 100_000_000
PACE = [270.0] * 60
LONG_PACE = [270.0] * 250


def _told(rates, detector=None, *, first=0, gap=None):
    """What is found in ticks of a tenth of a second; None is a tick without a value."""
    detector = RhythmDetector() if detector is None else detector
    found = []
    for number, rate in enumerate(rates, first + 1):
        told = Metrics(number * TICK_NS, 0.1, {"game.timeslices_per_s": rate}, {}, gap)
        found += detector.accept_metrics(told)
        gap = None
    return found


def _followed(detector) -> Any:
    """Not typed: tests ask for what may be None, and fail where it is."""
    return detector.followed


def _ms(rates):
    return [round(each.ms) for each in _told(rates)]


@pytest.mark.parametrize(
    ("ticks", "found_ms"),
    [
        ([0.0], []),
        ([0.0, 0.0], [200]),
        ([135.0, 0.0, 135.0], [200]),
        ([0.0] * 7, [700]),
        ([0.0, 80.0, 0.0], [270]),
        ([0.0, 200.0, 0.0], [126]),
        ([60.0] * 9, []),
        ([0.0] * 95, [9500]),
    ],
)
def test_a_standstill_is_what_is_missing_of_the_pace(ticks, found_ms):
    """From 120 ms on, with what the ticks around it miss; half a pace is none."""
    assert _ms(LONG_PACE + ticks + PACE) == found_ms


def test_it_ends_where_the_pace_begins_again():
    """A quarter of the tick behind it was still missing."""
    (found,) = _told([*PACE, 0.0, 0.0, 202.5, *PACE])
    assert found.end_ns == 62 * TICK_NS + TICK_NS // 4
    assert found.ms == pytest.approx(225.0)


def test_a_long_pause_is_no_stutter_and_begins_the_history_anew():
    """Minimised for eleven seconds; what follows is judged by itself."""
    detector = RhythmDetector()
    assert _told(LONG_PACE + [0.0] * 110 + [0.0, 0.0] + PACE, detector) == []
    assert _followed(detector).since_ns > 350 * TICK_NS


@pytest.mark.parametrize(
    "rates",
    [
        [45.0] * 100 + [0.0] * 5 + [45.0] * 20,
        ([300.0] * 3 + [0.0] * 3) * 40,
        [10.0] * 100 + [1.0] * 5 + [10.0] * 20,
    ],
    ids=["slow", "rests", "sleeps"],
)
def test_what_has_no_pace_is_not_judged(rates):
    """A tick of such a thread may be empty though all is well."""
    detector = RhythmDetector()
    assert _told(rates, detector) == []
    assert _followed(detector) is None


def test_the_first_seconds_are_judged_together():
    """With five of them it is known what is usual; what stood still before them was a start."""
    assert _ms([270.0] * 20 + [0.0] * 4 + [270.0] * 25) == []
    assert _ms([270.0] * 20 + [0.0] * 4 + [270.0] * 26) == [400]
    assert _ms([0.0] * 4 + [270.0] * 60) == []


def test_the_pace_that_is_followed_is_told():
    """And since when; not while the game stands still, nor after another game began."""
    detector = RhythmDetector()
    _told(PACE, detector)
    assert _followed(detector) == (270, 0, None)
    _told([0.0] * 3, detector, first=60)
    assert _followed(detector) is None
    assert [each.ms for each in _told(PACE, detector, first=63)] == [pytest.approx(300.0)]
    assert _followed(detector).usual_per_s == 270
    detector.forget()
    assert _followed(detector) is None


@pytest.mark.parametrize(
    "rate", [100.0, 1000.0, 20_000.0], ids=["slower", "quicker", "page after page"]
)
def test_a_pace_that_is_lost_without_a_standstill_is_told(rate):
    """A game that waits for page after page takes turns, and no frame comes."""
    detector = RhythmDetector()
    assert _told([*PACE, rate, rate, *PACE], detector) == []
    assert _followed(detector).lost_ns is None
    assert _told([rate] * 4 + PACE, detector, first=122) == []
    assert _followed(detector).lost_ns == 126 * TICK_NS


def test_what_is_missing_for_over_a_second_begins_anew():
    """A few unread ticks are part of a longer one, which had its turns."""
    detector = RhythmDetector()
    assert _told([*PACE, None, None, *PACE], detector) == []
    assert _followed(detector).since_ns == 0
    _told([None] * 12, detector, first=122)
    assert _followed(detector) is None


def test_a_suspend_begins_anew():
    """What the clock counted meanwhile is no standstill."""
    detector = RhythmDetector()
    _told(PACE, detector)
    assert _told([0.0, 0.0, *PACE], detector, first=90, gap=Gap(0, 1, "suspend")) == []
    assert _followed(detector).since_ns > 60 * TICK_NS


def test_a_sampler_that_was_late_itself_measures_one_long_tick():
    """A real-time program kept the core from both."""
    detector = RhythmDetector()
    _told(PACE, detector)
    late = Metrics(70 * TICK_NS, 1.0, {"game.timeslices_per_s": 10.0}, {})
    assert detector.accept_metrics(late) == []
    (found,) = _told(PACE, detector, first=70)
    assert found.ms == pytest.approx(1000.0 * (1 - 10 / 270))


@given(st.lists(st.sampled_from([0.0, 5.0, 40.0, 100.0, 135.0, 200.0, 270.0, 400.0]), max_size=90))
def test_none_is_longer_than_the_time_between_its_neighbours(rates):
    """From the begin of the tick before it to the end of the one behind, and none overlap."""
    found = _told([*PACE, *rates, *PACE])
    ticks = [*PACE, *rates, *PACE]
    before_ns = 0
    for each in found:
        start_ns = each.end_ns - int(each.ms * 1e6)
        assert each.ms >= LEAST_MS
        assert start_ns >= before_ns - 1
        empty = [n for n, rate in enumerate(ticks) if rate < 54.0]
        inside = [n for n in empty if start_ns <= (n + 1) * TICK_NS <= each.end_ns + TICK_NS]
        assert inside
        before_ns = each.end_ns


@given(st.lists(st.floats(0.6, 1.6), min_size=50, max_size=300), st.integers(60, 2000))
def test_a_steady_stream_has_none(shares, usual):
    """However much a game's pace wavers."""
    assert _told([share * usual for share in shares]) == []
