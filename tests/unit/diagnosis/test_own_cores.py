# SPDX-License-Identifier: GPL-3.0-or-later
"""A game whose own threads fill the cores waits for nobody else's program.

The cases are those of an engine with a pool of 20 threads on two cores, beside a program that
used a seventh of one: 23 of 25 stutters were told as that program's doing.
"""

from dataclasses import replace

import pytest

from destutter.core.traced import Awaited, OwnCores, TracedSleep, TracedThread
from destutter.diagnosis.blame.blame import blames
from destutter.diagnosis.blame.stutter_answer import Blame, Certainty, WhereTimeWent
from destutter.diagnosis.circumstances import traced_waits
from destutter.diagnosis.circumstances.circumstances import Circumstances
from destutter.diagnosis.circumstances.main_work import MainWork, with_own_cores
from destutter.diagnosis.circumstances.traced_waits import TracedWaits, WaitInside
from tests.unit.diagnosis.test_cause_and_parts import explained, read
from tests.unit.diagnosis.test_main_work import MS, SLEPT, look
from tests.unit.diagnosis.test_traced import MAIN, STREAMER

READY = (0, 10 * MS, 0)
STRANGER = TracedThread(900, "python", 900)


def waited(ms, priority=120):
    """A wait for a core behind a program of somebody else."""
    return WaitInside(MAIN, "core", 0, ms * MS, "", STRANGER, priority)


def shared(bins, share, sleeps=()):
    """What is known of a main thread while the game's threads had so much of all cores."""
    told = look(0, bins, own=OwnCores.of(0, [share] * len(bins)))
    length_ns = 10 * len(bins) * MS
    return with_own_cores(MainWork(), sleeps, 0, length_ns, [told])


@pytest.mark.parametrize(("share", "is_crowd"), [(0.86, True), (0.62, True), (0.5, False)])
def test_who_had_the_cores_while_it_waited_is_known(share, is_crowd):
    """The game's own threads, or others; only where one was waited for."""
    found = shared([READY] * 10, share)
    assert found.own_share == pytest.approx(share, abs=0.01)
    assert found.is_crowd is is_crowd
    assert shared([SLEPT] * 10, share).own_share is None


def test_cores_of_those_for_whom_it_slept_count():
    """The last one of a pool had no core for 60 of 100 ms."""
    awaited = Awaited(STREAMER.tid, 0, 100 * MS, 40 * MS, 60 * MS)
    sleep = TracedSleep(MAIN, 0, 100 * MS, (STREAMER,), (awaited,))
    found = shared([SLEPT] * 10, 0.9, [sleep])
    assert found.own_share == pytest.approx(0.9, abs=0.01)
    assert found.filled_ms == pytest.approx(100)


@pytest.mark.parametrize(("share", "cause"), [(0.85, None), (0.3, "run_queue_delay")])
def test_a_crowd_of_its_own_is_own_work(share, cause):
    """Of 150 ms it had no core for 110, behind a program that was the last one there."""
    main = MainWork(20.0, 110.0, 0.0, 20.0, own_share=share)
    waits = (waited(110),)
    met = Circumstances(150.0, traced=TracedWaits(frozenset(["core"]), waits, main=main))
    each = explained(main, *blames(met), waits=waits)
    assert each.told_cause == cause
    assert each.parts["cpu" if cause else "own"] >= 110
    if cause is None:
        assert each.first
        assert each.first.where is WhereTimeWent.OWN_CROWD
        assert not each.parts.get("cpu")


def test_a_real_time_task_is_no_crowd_of_its_own():
    """Whoever had the other cores."""
    main = MainWork(20.0, 110.0, 0.0, 20.0)
    wait = Blame(WhereTimeWent.CPU, Certainty.MEASURED, 110.0, kind="realtime")
    assert explained(main, wait, waits=(waited(110, 49),)).told_cause == "rt_runaway"


def test_a_sleep_while_its_threads_fill_the_cores_is_own_work():
    """Children that compile, for which it waits in waitpid(); but what it reads goes before."""
    main = MainWork(5.0, 0.0, 0.0, 145.0, own_share=None, filled_ms=140.0)
    where = Blame(WhereTimeWent.ELSEWHERE, Certainty.SEEN, 150.0)
    each = explained(main, where)
    assert each.parts["own"] == pytest.approx(145)
    assert each.first
    assert each.first.where is WhereTimeWent.OWN_CROWD
    slow = explained(replace(main, slept_ms=25.0, deep_ms=120.0), waits=(read(120),))
    assert slow.parts["storage"] == pytest.approx(120)


@pytest.mark.parametrize(("priority", "is_realtime"), [(0, True), (99, True), (100, False)])
def test_the_most_urgent_priority_is_real_time_too(priority, is_realtime):
    """It is 0, and behind it the game's own crowd on the other cores is no matter."""
    wait = waited(200, priority)
    main = MainWork(0.0, 200.0, own_share=0.9)
    assert wait.is_behind_realtime is is_realtime
    assert (traced_waits._without_realtime(main, [wait]).own_share is None) is is_realtime
