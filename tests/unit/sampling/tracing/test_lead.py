# SPDX-License-Identifier: GPL-3.0-or-later
"""A game whose frames another thread shows than its main one: what is told is of that one."""

import pytest

from destutter.core.traced import MainTimes
from tests.support.built_pages import ns

MAIN, RENDER, WORKER = 4700, 4711, 4712
SLEEPS = 1


@pytest.fixture
def game(stage):
    """The rings of one that is followed, and whose render thread is known."""
    stage.reader.game = MAIN
    stage.reader.lead = RENDER
    return stage


def slept(stage, tid, begin_ms, end_ms, waker):
    """A thread gives up its core, and is woken."""
    stage.emit(0, begin_ms, "sched/sched_switch", prev_pid=tid, prev_state=SLEEPS, next_pid=0)
    stage.emit(1, end_ms, "sched/sched_waking", pid=tid, common_pid=waker)


def test_its_sleeps_are_told_and_followed_to_the_main_thread_and_on(game):
    """It waits for the main thread, that for a worker; what the main one sleeps for else is not
    told."""
    game.emit(0, 10, "sched/sched_switch", prev_pid=RENDER, prev_state=SLEEPS, next_pid=0)
    slept(game, MAIN, 20, 80, waker=WORKER)
    game.emit(1, 100, "sched/sched_waking", pid=RENDER, common_pid=MAIN)
    slept(game, MAIN, 110, 160, waker=WORKER)
    (told,) = game.look(200).sleeps
    assert told.thread.tid == RENDER
    assert [(each.tid, each.begin_ns, each.end_ns) for each in told.awaited] == [
        (MAIN, ns(10), ns(100)),
        (WORKER, ns(20), ns(80)),
    ]


def test_what_it_did_all_the_while_is_told(game):
    """Not what the main thread did."""
    game.emit(0, 0, "sched/sched_switch", next_pid=RENDER)
    game.emit(1, 0, "sched/sched_switch", next_pid=MAIN)
    game.emit(1, 5, "sched/sched_switch", prev_pid=MAIN, prev_state=SLEEPS, next_pid=0)
    game.emit(0, 20, "sched/sched_switch", prev_pid=RENDER, prev_state=SLEEPS, next_pid=0)
    main = game.look(40).main
    assert main is not None
    assert [each for each in main.bins() if each] == [(ns(10) - ns(0), 0, 0)] * 2 + [(0, 0, 0)] * 2


def test_another_lead_begins_anew(game):
    """What the one before had begun is not the other one's; the game is the same."""
    game.emit(0, 10, "sched/sched_switch", prev_pid=RENDER, prev_state=SLEEPS, next_pid=0)
    game.look(20)
    game.reader.lead = MAIN
    game.emit(1, 90, "sched/sched_waking", pid=RENDER, common_pid=MAIN)
    look = game.look(100)
    assert not look.sleeps
    assert game.reader.game == MAIN
    slept(game, MAIN, 110, 160, waker=WORKER)
    assert [each.thread.tid for each in game.look(200).sleeps] == [MAIN]


def test_of_a_game_that_is_found_anew_the_main_thread_is_it(game):
    """Until another one is known to show its frames."""
    game.reader.game = 77
    assert game.reader.lead == 77
    game.reader.game = None
    assert game.reader.lead is None
    assert not isinstance(game.look(20).main, MainTimes)
