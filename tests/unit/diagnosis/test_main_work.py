# SPDX-License-Identifier: GPL-3.0-or-later
"""What the main thread did in a stutter, by the kernel's own word rather than by counters.

The cases are those of somebody who measured with CLOCK_THREAD_CPUTIME_ID beside it.
"""

from dataclasses import replace

import pytest

from destutter.core.sample import Facts
from destutter.core.traced import (
    MAIN_BIN_NS,
    WBT,
    WRITE,
    Awaited,
    MainTimes,
    SlowRequest,
    TracedMoment,
    TracedSleep,
    TracedThread,
    TracedWait,
    TraceLook,
    TraceLoss,
)
from destutter.diagnosis.blame.blame import blames
from destutter.diagnosis.blame.drive_waits import storage
from destutter.diagnosis.blame.stutter_answer import Blame, Certainty, WhereTimeWent
from destutter.diagnosis.blame.traced_blame import by_trace
from destutter.diagnosis.circumstances.circumstances import Circumstances
from destutter.diagnosis.circumstances.main_work import MainWork, main_work, with_awaited
from destutter.diagnosis.circumstances.traced_waits import TracedWaits, TraceLog, WaitInside
from destutter.diagnosis.finding import Spike
from destutter.diagnosis.findings.explained import Explained
from destutter.diagnosis.findings.time_lost import TimeLostTally
from destutter.words.renderer import english
from tests.support.engine_scenes import WORKING, assessed, begin, see
from tests.unit.diagnosis.test_traced import CROWDED, MAIN, STREAMER

MS = 1_000_000
NONE = (0, 0, 0)
RAN, SLEPT = (10 * MS, 0, 0), NONE
ASLEEP = {**WORKING, "game.run_ns": 7.4e8, "busy_thread:7 main.run_ns": 7.4e8}
"""Counters of ticks in which the frame before a sleep computed."""


def look(begin_ms, bins, **more):
    """One that tells of a main thread."""
    end_ms = begin_ms + 10 * len(bins)
    main = MainTimes.of(begin_ms * MS, bins)
    return TraceLook(begin_ms * MS, end_ms * MS, 0, 1, main=main, **more)


def test_a_switch_that_was_not_told_costs_a_few_milliseconds():
    """They are like those beside them; of a thread of which more is not known nothing is."""
    looks = [look(0, [RAN] * 10 + [None] + [SLEPT] * 9 + [None] * 5)]
    assert main_work(looks, 0, 200 * MS) == MainWork(105.0, 0.0, 0.0, 95.0)
    assert main_work([look(0, [RAN] * 10 + [None] * 3 + [SLEPT] * 7)], 0, 200 * MS) is None
    assert main_work([look(0, [RAN] * 11 + [None])], 0, 120 * MS) == MainWork(120.0, 0.0, 0.0, 0.0)


def test_bins_at_the_ends_count_in_part():
    """5 ms of one in which it ran, and 2.5 of one in which it was ready for half of it."""
    looks = [
        look(0, [RAN, (4 * MS, 3 * MS, 2 * MS)]),
        look(20, [(0, 5 * MS, 0), SLEPT]),
    ]
    found = main_work(looks, 5 * MS, 22_500_000)
    assert found == MainWork(9.0, 4.25, 2.0, 2.25)
    assert found is not None
    whole = found.ran_ms + found.ready_ms + found.deep_ms + found.slept_ms
    assert whole == pytest.approx(17.5)


@pytest.mark.parametrize(
    "looks",
    [
        [],
        [look(0, [RAN, RAN])],
        [look(0, [RAN, None, RAN])],
        [look(10, [RAN, RAN])],
        [look(0, [RAN]), look(20, [RAN])],
        [TraceLook(0, 30 * MS, 0, 1)],
    ],
)
def test_what_is_not_known_in_full_is_not_known(looks):
    """No look, a hole, an end or beginning that is missing: no zero."""
    assert main_work(looks, 5 * MS, 25 * MS) is None


SPIKE = Spike(600 * MS, 200.0, "frame")


@pytest.mark.parametrize(
    ("followed", "more", "is_known"),
    [
        ("7", {}, True),
        ("7", {"untold": 70}, True),
        ("7", {"losses": (TraceLoss(500 * MS, 510 * MS, 9, "drives"),)}, True),
        ("7", {"losses": (TraceLoss(500 * MS, 510 * MS, 9, "game"),)}, False),
        ("7", {"losses": (TraceLoss(700 * MS, 710 * MS, 9, "game"),)}, True),
        ("8", {}, False),
    ],
)
def test_whose_and_when_it_is_known(followed, more, is_known):
    """Of the game that was followed, where none of its records was lost."""
    log = TraceLog()
    log.accept_facts(Facts(0, {"trace.game": followed}))
    log.accept_look(look(0, [RAN] * 100, **more))
    traced = log.within(SPIKE, "7")
    assert traced is not None
    assert (traced.main is not None) == is_known


@pytest.mark.parametrize(("waited_before_ms", "is_held_up"), [(1900, False), (100, True)])
def test_a_main_thread_that_runs_waits_for_no_worker_that_waits_anyhow(
    waited_before_ms, is_held_up
):
    """It may spin for one; but one that always waits so was there in all smooth frames too."""
    log = TraceLog()
    log.accept_facts(Facts(0, {"trace.game": "7"}))
    waits = (
        TracedWait(STREAMER, "reclaim", 1000 * MS, waited_before_ms * MS),
        TracedWait(STREAMER, "reclaim", 3000 * MS, 150 * MS),
    )
    log.accept_look(look(0, [RAN] * 400, waits=waits))
    traced = log.within(Spike(3150 * MS, 150.0, "frame"), "7")
    assert traced is not None
    assert bool(traced.of(["reclaim"])) is is_held_up
    assert traced.beside == (frozenset() if is_held_up else {"reclaim"})


@pytest.mark.parametrize(("bins", "slept"), [([RAN] * 400, ()), ([SLEPT] * 400, None)])
def test_when_a_main_thread_that_ran_slept_for_long(bins, slept):
    """It is only asked of one that ran for most of the stutter."""
    log = TraceLog()
    log.accept_facts(Facts(0, {"trace.game": "7"}))
    log.accept_look(look(0, bins))
    traced = log.within(Spike(3150 * MS, 150.0, "frame"), "7")
    assert traced is not None
    assert traced.slept == slept


def test_a_write_that_is_held_back_for_the_first_time_is_no_usual_wait():
    """Of the seconds before there is none, which is not as much as in the stutter."""
    log = TraceLog()
    log.accept_facts(Facts(0, {"trace.game": "7"}))
    asked = SlowRequest(*("sda", WRITE, 1, 8, 3000 * MS, 140 * MS, 10 * MS, None, STREAMER, False))
    held = TracedMoment(WBT, 2990 * MS, "sda")
    log.accept_look(look(0, [RAN] * 400, requests=(asked,), moments=(held,)))
    traced = log.within(Spike(3150 * MS, 150.0, "frame"), "7")
    assert traced is not None
    assert len(traced.of([WBT])) == 1


def scene(bins, trouble, *, is_traced=True, seen=(), length_ms=129.0, waits=(), requests=()):
    """Six stutters, each in a second of its own; ``bins`` is what the main thread did in them.

    ``requests`` are those of each, or of the one of a number.
    """
    script = begin()
    script.fact(trace__game="7")
    looked = script.now_ns
    for number in range(6):
        for _ in range(5):
            script.run(1, WORKING).frames(*[16.67] * 60)
        at_ns = script.now_ns
        see(script, seen)
        slow_ms = max(length_ms, 200.0)
        script.run(slow_ms / 1e3, trouble)
        script.frames(length_ms, *[16.0] * int((slow_ms - length_ms) // 16))
        see(script, ())
        script.run(0.8, WORKING).frames(*[16.67] * 48)
        if is_traced:
            begin_ns = looked // MAIN_BIN_NS * MAIN_BIN_NS
            before = (at_ns - begin_ns) // MAIN_BIN_NS
            after = (script.now_ns - begin_ns) // MAIN_BIN_NS + 1 - before - len(bins)
            main = MainTimes.of(begin_ns, [SLEPT] * before + list(bins) + [SLEPT] * after)
            told = tuple(
                TracedWait(thread, kind, at_ns + first * MS, length * MS)
                for thread, kind, first, length in waits
            )
            asked = tuple(
                SlowRequest(
                    *(device, "read", 8, 8, at_ns + first * MS, None, length * MS, None),
                    *(thread, False),
                )
                for thread, device, first, length in (
                    requests(number) if callable(requests) else requests
                )
            )
            found = TraceLook(
                *(looked, script.now_ns, 0, 1),
                waits=told,
                requests=asked,
                main=main,
                short_ns={},
            )
            script.messages.append(found)
            looked = script.now_ns
    script.run(3, WORKING).frames(*[16.67] * 180)
    return assessed(script)


def said(found):
    """All that is told, in English."""
    reasons = [english(each) for finding in found.findings for each in finding.reasons]
    return " ".join([english(found.verdict.headline), english(found.verdict.detail), *reasons])


def test_a_main_thread_that_slept_did_not_compute():
    """127 ms in a futex behind a frame that computed, and 0.1 ms of processor time."""
    bins = [(100_000, 0, 0)] + [SLEPT] * 19
    before = scene(bins, ASLEEP, is_traced=False, seen=("main_futex",))
    assert before.lost.parts["own"] > 300
    assert "computed" in said(before)
    after = scene(bins, ASLEEP, seen=("main_futex",))
    assert after.lost.parts.get("own", 0.0) < 1.5
    assert "computed" not in said(after)
    assert after.lost.total_ms == pytest.approx(6 * (129 - 16.67))


def test_work_between_short_reads_is_work():
    """1.5 ms of it, then 4 KiB of the drive, 25 times: at one of one looks it was in a read."""
    bins = [(7 * MS, 0, 3 * MS)] * 20
    trouble = {
        **WORKING,
        "game.run_ns": 5e8,
        "busy_thread:7 main.run_ns": 5e8,
        "pressure:io.some_us": 3e5,
        "disk:sda.reads": 300,
        "disk:sda.read_ms": 300,
        "disk:sda.io_ms": 300,
    }
    after = scene(bins, trouble, seen=("io",))
    assert after.lost.parts["own"] == pytest.approx(6 * (129 * 0.7 - 16.67), abs=1.0)
    assert sum(after.lost.parts.values()) == pytest.approx(6 * (129 - 16.67))


def test_a_wait_for_a_core_is_as_long_as_it_was():
    """Counters had 180 of 200 ms in run queues, which were those of the frames beside it."""
    bins = [(5 * MS, 0, 0)] * 20
    before = scene(bins, {**WORKING, **CROWDED}, is_traced=False)
    assert before.lost.parts["cpu"] > 300
    assert "cpu" not in scene(bins, {**WORKING, **CROWDED}).lost.parts


def test_a_worker_that_ran_is_still_the_one_that_ran():
    """The main thread slept for it; counters had more of that one, of the frame before."""
    worker = {**ASLEEP, "busy_thread:9 worker.run_ns": 7e8, "game.user_ticks": 140}
    parts = scene([SLEPT] * 20, worker, seen=("main_futex",)).lost.parts
    assert 6 * 60 < parts["own"] < 6 * 129


def traced(main, *waits, runner=None, **more):
    """A stutter of 150 ms."""
    told = TracedWaits(frozenset(["core", "request"]), waits, main=main)
    return Circumstances(150.0, traced=told, runner=runner or ("", main.ran_ms), **more)


def lost(met, *told):
    """Where its time went, and what the kernel told of it."""
    spike = Spike(150 * MS, 150.0, "frame")
    return TimeLostTally().of([spike], [Explained(spike, met, told)])


def test_no_look_makes_a_main_thread_run_less_than_it_did():
    """It was found blocked at one of one looks, and the limit withheld time of another frame."""
    met = traced(
        MainWork(110.0, 0.0, 40.0, 0.0), looks=1, main_blocked=1, seen={"io": 1}, held_ms=90.0
    )
    first, *_ = blames(met)
    assert (first.where, first.ms) == (WhereTimeWent.OWN_WORK, 110.0)
    estimated = replace(met, traced=None)
    assert [each for each in blames(estimated) if each.where is WhereTimeWent.OWN_WORK] == []


def test_parts_leave_the_main_thread_the_time_that_it_ran():
    """Whatever others waited for meanwhile, and whatever a look or a counter says."""
    wait = WaitInside(STREAMER, "request", 0, 130 * MS)
    met = traced(MainWork(110.0, 0.0, 40.0, 0.0), wait)
    drive = Blame(WhereTimeWent.STORAGE, Certainty.SEEN, 140.0)
    told = lost(met, drive)
    assert told.parts == {"storage": 40.0, "own": 110.0}
    assert told.traced_ms == 40.0


def test_while_it_was_ready_it_waited_for_a_core_alone():
    """A worker read all the while, and 101 ms in a run queue were told as a wait for the drive."""
    wait = WaitInside(STREAMER, "request", 0, 150 * MS)
    told = lost(traced(MainWork(20.0, 101.0, 0.0, 29.0), wait))
    assert told.parts == {"storage": 29.0, "cpu": 101.0, "own": 20.0}
    told = lost(traced(MainWork(120.0, 30.0, 0.0, 0.0)))
    assert told.parts == {"cpu": 30.0, "own": 120.0}


@pytest.mark.parametrize(
    ("lost_ones", "by", "storage_ms"),
    [(True, "main", 118.0), (False, "main", 75.0), (True, "worker", 75.0)],
)
def test_a_look_stands_for_all_of_a_deep_sleep_where_requests_were_lost(lost_ones, by, storage_ms):
    """One of two looks found the main thread reading, while others flooded another drive."""
    met = Circumstances(
        150.0,
        traced=TracedWaits(
            frozenset(["core"] if lost_ones else ["core", "request"]),
            main=MainWork(3.0, 0.0, 118.0, 29.0),
        ),
        runner=("", 3.0),
        looks=2,
        main_blocked=1 if by == "main" else 0,
        seen={"io": 1},
        waiters={"7 main" if by == "main" else "9 worker": 1},
        drive_ms=150.0,
        own_bytes=1e6,
    )
    told = by_trace(met, WhereTimeWent.STORAGE, storage(met))
    assert told is not None
    assert told.ms == storage_ms


def slept_for(*awaited, by=STREAMER):
    """A sleep of the main thread of 140 ms."""
    return [TracedSleep(MAIN, 5 * MS, 140 * MS, (by,), awaited)]


def test_what_the_awaited_thread_did_is_known_in_part_where_the_sleep_lies_in_part():
    """Half of a sleep for a worker that shares its core; of a stranger not each switch is told."""
    main = MainWork(5.0, 0.0, 0.0, 145.0)
    awaited = Awaited(STREAMER.tid, 5 * MS, 145 * MS, 100 * MS, 40 * MS)
    half = with_awaited(main, slept_for(awaited), 75 * MS, 225 * MS)
    assert (half.for_ran_ms, half.for_ready_ms) == (50.0, 20.0)
    stranger = TracedThread(STREAMER.tid, "daemon", 99)
    assert with_awaited(main, slept_for(awaited, by=stranger), 0, 150 * MS) == main
    ring = replace(STREAMER, name="iou-sqp-7")
    assert with_awaited(main, slept_for(awaited, by=ring), 0, 150 * MS) == main
    twice = with_awaited(main, slept_for(awaited, awaited), 0, 150 * MS)
    assert twice.for_ran_ms + twice.for_ready_ms == pytest.approx(145.0)


def alone(begin_ms, length_ms, *by):
    """A sleep of the main thread."""
    return TracedSleep(MAIN, begin_ms * MS, length_ms * MS, by)


DEEP = (0, 0, 10 * MS)


@pytest.mark.parametrize(
    ("bins", "sleeps", "let_go_ms"),
    [
        ([SLEPT] * 20, [alone(20, 100)], 100.0),
        ([SLEPT] * 20, [alone(20, 100, STREAMER)], 0.0),
        ([SLEPT] * 2 + [DEEP] * 10 + [SLEPT] * 8, [alone(20, 100)], 0.0),
        ([SLEPT] * 20, [alone(20, 60), alone(80, 60), alone(140, 40, STREAMER)], 0.0),
        ([SLEPT] * 20, [alone(20, 60), alone(90, 60)], 120.0),
        ([SLEPT] * 20, [alone(150, 100)], 50.0),
        ([RAN] * 2 + [SLEPT] * 18, [alone(14, 12)], 0.0),
        ([None] * 20, [alone(20, 100)], 0.0),
        ([SLEPT, (MS // 5, 0, 0)] * 10, [alone(20, 100)], 0.0),
    ],
    ids=["", "woken", "drive", "slices", "two", "part", "shorter than a bin", "unknown", "naps"],
)
def test_how_long_its_own_timer_let_it_sleep(bins, sleeps, let_go_ms):
    """Not a sleep that a drive ends, nor one slice of a wait for somebody."""
    main = MainWork(20.0, 0.0, 0.0, 180.0)
    assert with_awaited(main, sleeps, 0, 200 * MS, [look(0, bins)]).let_go_ms == let_go_ms


def test_the_worker_for_which_it_slept_had_no_core():
    """130 ms of it in pieces of 3: 85 of work and 45 without a core, of which nothing was known.

    A look found it reading beside that, for which there was no time.
    """
    wait = WaitInside(STREAMER, "request", 0, 150 * MS)
    main = MainWork(15.0, 5.0, 0.0, 130.0, for_ran_ms=85.0, for_ready_ms=45.0)
    told = lost(traced(main, wait), Blame(WhereTimeWent.STORAGE, Certainty.SEEN, 140.0))
    assert told.parts == {"cpu": 50.0, "own": 100.0}


def test_a_busy_drive_of_a_reader_that_nobody_waits_for_is_no_answer():
    """Reads that block nobody are the answer where nothing else is known; here it is known whose
    they were."""
    met = replace(traced(MainWork(1.0, 0.0, 0.0, 149.0)), drive_ms=150.0, own_beyond=1e9)
    assert [each.where for each in blames(met)] == [WhereTimeWent.STORAGE]
    assert met.traced is not None
    known = replace(met, traced=replace(met.traced, beside=frozenset(["request"])))
    assert list(blames(known)) == []


def test_each_of_two_frames_that_are_felt_as_one_has_its_own_parts():
    """One read for 120 ms, the next computed for 150: all was told as that of the longer."""
    read = Spike(120 * MS, 120.0, "frame")
    worked = Spike(270 * MS, 150.0, "frame", more_ms=120.0, others=(read,))
    waits = (WaitInside(MAIN, "request", 0, 118 * MS),)
    told = frozenset(["core", "request"])
    of_read = TracedWaits(told, waits, main=MainWork(2.0, 0.0, 118.0, 0.0))
    met = traced(MainWork(150.0, 0.0, 0.0, 0.0))
    each = Explained(worked, met, (), others=((read, of_read),))
    parts = TimeLostTally().of([worked], [each])
    assert parts.parts == {"storage": 118.0, "own": 152.0}
    assert parts.traced_ms == 118.0
    stretched = TimeLostTally().of([worked], [replace(each, others=())])
    assert stretched.parts == {"own": 270.0}


@pytest.mark.parametrize(
    ("deep_ms", "asked_ms", "known_ms"),
    [(100.0, 300.0, 100.0), (100.0, 40.0, 60.0), (20.0, 9.0, 20.0)],
)
def test_reads_too_short_to_be_told_have_their_part(deep_ms, asked_ms, known_ms):
    """It slept in them so that no signal wakes it, beside the 20 ms of the one that was told; of
    116 ms in reads of 2 to 3 a half was not known."""
    told = TracedWaits(
        *(frozenset(["core", "request"]), (WaitInside(MAIN, "request", 0, 20 * MS),)),
        short_ms={"request": asked_ms},
        main=MainWork(50.0, 0.0, deep_ms, 100.0 - deep_ms),
    )
    parts = lost(Circumstances(150.0, traced=told, runner=("", 50.0))).parts
    assert parts["storage"] == pytest.approx(known_ms)
    assert parts.get("unknown", 0.0) == pytest.approx(100.0 - known_ms)


def test_parts_do_not_make_it_run_longer_than_it_ran():
    """What no one knows of its sleep is unknown."""
    told = lost(traced(MainWork(0.1, 0.0, 0.0, 149.9)))
    assert told.parts == {"own": 0.1, "unknown": 149.9}
    assert told.traced_ms == 0.0


def test_a_reason_tells_no_more_than_the_stutter_has():
    """A wait that fills the frames beside it as well: 200 ms of 129 read "116 of 60"."""
    waits = [(MAIN, "core", -30, 200)]
    found = scene([(0, 10 * MS, 0)] * 20, {**WORKING, **CROWDED}, waits=waits)
    (finding,) = [each for each in found.findings if each.cause == "run_queue_delay"]
    reason = english(finding.reasons[0]).replace("\N{NO-BREAK SPACE}", " ")
    assert reason.startswith("Measured in the kernel: main waited 129 ms for a core")
