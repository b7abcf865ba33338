# SPDX-License-Identifier: GPL-3.0-or-later
"""What the main thread of the followed game did, in bins of 10 ms."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.core.traced import MAIN_BIN_NS, MOST_BINS, MainTimes
from destutter.sampling.tracing.main_states import MainStates
from tests.support.built_pages import ns

GAME = 4700
READY, PREEMPTED, SLEEPS, DEEP, STOPPED = 0, 256, 1, 2, 4
"""``prev_state`` of a thread that leaves its core."""


@pytest.fixture
def game(stage):
    """The rings of a game that is followed."""
    stage.reader.game = GAME
    return stage


def enters(stage, at_ms, before=0, tid=GAME):
    """It gets a core, behind another."""
    stage.emit(0, at_ms, "sched/sched_switch", prev_pid=before, prev_state=1, next_pid=tid)


def leaves(stage, at_ms, state=SLEEPS, tid=GAME, after=0):
    """It gives up its core."""
    stage.emit(0, at_ms, "sched/sched_switch", prev_pid=tid, prev_state=state, next_pid=after)


def wakes(stage, at_ms, tid=GAME):
    """Somebody wakes it, on another core."""
    stage.emit(1, at_ms, "sched/sched_waking", pid=tid, common_pid=4711)


def in_ms(main):
    """What is known, as the begin of each bin with how long it ran, was ready and slept deeply."""
    if main is None:
        return {}
    begin_ms = main.begin_ns / 1e6
    told = (None if one is None else tuple(each / 1e6 for each in one) for one in main.bins())
    return {begin_ms + 10 * at: one for at, one in enumerate(told) if one is not None}


def test_all_that_it_does_is_added_up(game):
    """It computes, is taken from its core, sleeps for a drive, and sleeps."""
    enters(game, 10)
    leaves(game, 14, PREEMPTED)
    enters(game, 17)
    leaves(game, 22, DEEP)
    wakes(game, 38)
    enters(game, 39)
    leaves(game, 40)
    wakes(game, 61)
    enters(game, 61.4)
    assert in_ms(game.look(70).main) == {
        10: (7, 3, 0),
        20: (2, 0, 8),
        30: (1, 1, 8),
        40: (0, 0, 0),
        50: (0, 0, 0),
        60: (8.6, 0.4, 0),
    }


def test_what_it_does_over_looks_is_told_bit_by_bit(game):
    """Also where no record comes; a bin is told when it is over, and once."""
    enters(game, 10)
    assert in_ms(game.look(24).main) == {10: (10, 0, 0)}
    assert in_ms(game.look(29).main) == {}
    leaves(game, 34)
    assert in_ms(game.look(55).main) == {20: (10, 0, 0), 30: (4, 0, 0), 40: (0, 0, 0)}
    assert in_ms(game.look(60).main) == {50: (0, 0, 0)}


def test_what_no_record_told_is_not_known(game):
    """It may have run or slept before the first one, which is no zero."""
    wakes(game, 33)
    enters(game, 35)
    assert in_ms(game.look(60).main) == {40: (10, 0, 0), 50: (10, 0, 0)}


def test_records_lost_leave_a_hole(game):
    """From the last one before the loss to the first one behind it."""
    enters(game, 10)
    leaves(game, 35)
    game.look(40)
    rings = range(len(game.formats.cpus) * 2, len(game.formats.cpus) * 3)
    for ring in rings:
        game.put(ring, b"\xff" * game.formats.page.size)
    game.look(60)
    enters(game, 75)
    look = game.look(100)
    assert in_ms(look.main) == {80: (10, 0, 0), 90: (10, 0, 0)}


def test_another_game_is_another_thread(game):
    """Nothing of the one before is told as its own; with no game there is nothing at all."""
    enters(game, 10)
    game.reader.game = GAME
    assert in_ms(game.look(20).main) == {10: (10, 0, 0)}
    game.reader.game = 4711
    assert game.look(40).main is None
    enters(game, 40, tid=4711)
    assert in_ms(game.look(50).main) == {40: (10, 0, 0)}
    game.reader.game = None
    enters(game, 55)
    assert game.look(70).main is None


def test_other_threads_are_not_its_own(game):
    """A worker that runs while the main thread sleeps."""
    enters(game, 0)
    leaves(game, 10, after=4711)
    leaves(game, 30, tid=4711)
    assert in_ms(game.look(30).main) == {0: (10, 0, 0), 10: (0, 0, 0), 20: (0, 0, 0)}


def test_who_is_woken_on_its_core_goes_on(game):
    """It runs until it leaves; was it woken while it left, it was ready ever since."""
    enters(game, 10)
    wakes(game, 12)
    leaves(game, 20)
    wakes(game, 30)
    enters(game, 31)
    wakes(game, 39.9)
    leaves(game, 40)
    enters(game, 46)
    told = in_ms(game.look(50).main)
    assert told == {10: (10, 0, 0), 20: (0, 0, 0), 30: (9, 1, 0), 40: (4, 6, 0)}


@pytest.mark.parametrize(
    ("length_ms", "known"),
    [
        (3.2, {0: (10, 0, 0), 10: (6.6, 1.6, 1.8), 20: (0, 0, 10)}),
        (5, {0: (10, 0, 0), 20: (0, 0, 10)}),
    ],
)
def test_a_switch_to_it_that_the_kernel_left_out_is_noticed(game, length_ms, known):
    """Ready at 15, and it leaves a core: half of a short time, and nothing of a longer one."""
    enters(game, 0)
    leaves(game, 15, PREEMPTED)
    leaves(game, 15 + length_ms, DEEP)
    assert in_ms(game.look(30).main) == known


@pytest.mark.parametrize(
    ("length_ms", "known"),
    [
        (3.2, {0: (10, 0, 0), 10: (8.4, 1.6, 0), 20: (10, 0, 0)}),
        (17, {0: (10, 0, 0)}),
    ],
)
def test_a_switch_away_that_the_kernel_left_out_is_noticed(game, length_ms, known):
    """It gets a core twice, and may have slept for a long time between."""
    enters(game, 0)
    wakes(game, 10)
    leaves(game, 11, PREEMPTED)
    enters(game, 11)
    enters(game, 11 + length_ms)
    assert in_ms(game.look(30).main) == known


def test_a_stopped_game_sleeps(game):
    """By whatever it does not run."""
    enters(game, 0)
    leaves(game, 5, STOPPED)
    assert in_ms(game.look(20).main) == {0: (5, 0, 0), 10: (0, 0, 0)}


def test_a_reader_that_had_no_turn_tells_the_last_of_it(game):
    """No line grows without end."""
    enters(game, 0)
    main = game.look(60_000).main
    assert main.end_ns == ns(60_000)
    assert len(list(main.bins())) == MOST_BINS


MOVES = st.lists(
    st.tuples(st.integers(0, 25_000_000), st.sampled_from(["woken", "entered", "left", "tell"])),
    max_size=60,
)


@given(MOVES, st.sampled_from([READY, PREEMPTED, SLEEPS, DEEP]))
def test_no_bin_has_more_than_its_time(moves, state):
    """Whatever comes after what, also at once: what is told never overlaps, and fits."""
    main = MainStates()
    main.follow(GAME)
    now_ns, end_ns = 0, 0
    for later_ns, what in moves:
        now_ns += later_ns
        if what != "tell":
            getattr(main, what)(now_ns, *([state] if what == "left" else []))
            continue
        told = main.tell(now_ns)
        if told is not None:
            assert isinstance(told, MainTimes)
            assert end_ns <= told.begin_ns < told.end_ns <= now_ns
            end_ns = told.end_ns
            for one in told.bins():
                assert one is None or sum(one) <= MAIN_BIN_NS + 300_000
