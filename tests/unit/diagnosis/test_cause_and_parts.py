# SPDX-License-Identifier: GPL-3.0-or-later
"""The cause of a stutter and the parts of its time say the same, where the trace has both.

The cases are those of somebody who measured with clocks around each blocking call: stutters with
150 ms of own work and none for a drive were told as "another program holds the drive".
"""

from dataclasses import replace

import pytest

from destutter.diagnosis.blame.stutter_answer import Blame, Certainty, WhereTimeWent
from destutter.diagnosis.circumstances.circumstances import Circumstances
from destutter.diagnosis.circumstances.main_work import MainWork
from destutter.diagnosis.circumstances.traced_waits import TracedWaits, WaitInside
from destutter.diagnosis.finding import Group, Spike
from destutter.diagnosis.findings.explained import Explained
from destutter.diagnosis.findings.stutter_parts import decide
from tests.unit.diagnosis.test_main_work import ASLEEP, SLEPT, scene
from tests.unit.diagnosis.test_traced import MAIN, MS, STREAMER
from tests.unit.diagnosis.test_traced_drives import FLOODED

DRIVE = Blame(WhereTimeWent.STORAGE, Certainty.SEEN, 140.0)
RAN = [(10 * MS, 0, 0)] * 20


def explained(main, *blames, waits=(), length_ms=150.0, others=(), ran=None, told=None, **more):
    """A stutter whose answers are brought into line with its parts."""
    kinds = frozenset(["core", "request"])
    told = TracedWaits(kinds, waits, main=main, **{"short_ms": {}, **(told or {})})
    runner = ran or ("", 0.0 if main is None else main.ran_ms)
    met = Circumstances(length_ms, traced=told, runner=runner, **more)
    each = Explained(Spike(int(length_ms * MS), length_ms, "frame"), met, blames, others=others)
    decide(each)
    return each


def read(ms, thread=MAIN):
    """A wait for a drive from the begin of the stutter on."""
    return WaitInside(thread, "request", 0, ms * MS, "sda")


def test_a_main_thread_that_ran_waited_for_no_drive():
    """However full a drive is and whoever was found reading from it: 129 of 129 ms were work."""
    busy = {**FLOODED, "game.run_ns": 1e9, "busy_thread:7 main.run_ns": 1e9}
    told = scene(RAN, busy, seen=("io",))
    assert [each.cause for each in told.spikes] == [None] * 6
    assert told.lost.parts["own"] == pytest.approx(6 * (129 - 16.67), abs=12)
    assert told.verdict.headline.id.startswith("verdict.own.")


def test_a_drive_that_is_busy_beside_a_sleep_is_no_cause():
    """120 ms on its own timer while others filled a drive."""
    told = scene([SLEPT] * 20, {**ASLEEP, **FLOODED}, seen=("main_timer",))
    assert [each.cause for each in told.spikes] == [None] * 6


@pytest.mark.parametrize(
    ("main", "waits", "cause"),
    [
        (MainWork(150.0, 0.0, 0.0, 0.0), (), None),
        (MainWork(100.0, 5.0, 45.0, 0.0), (read(45),), None),
        (MainWork(90.0, 0.0, 60.0, 0.0), (read(60),), None),
        (MainWork(70.0, 0.0, 80.0, 0.0), (read(80),), "slow_device"),
        (MainWork(30.0, 0.0, 120.0, 0.0), (read(120),), "slow_device"),
        (MainWork(30.0, 0.0, 20.0, 100.0), (read(120, STREAMER),), "slow_device"),
    ],
)
def test_a_drive_is_the_cause_by_its_part(main, waits, cause):
    """From a third of the stutter on, and where the main thread did not run for longer."""
    each = explained(main, DRIVE, waits=waits)
    found = (
        each.cause if each.first and each.first.where is WhereTimeWent.STORAGE else each.told_cause
    )
    assert found == cause
    assert (Group.STORAGE in each.contradicted) == (cause is None)


@pytest.mark.parametrize(
    ("slept", "drive_ms"),
    [((), 0.0), (((0, 20 * MS),), 20.0), (((0, 12 * MS),), 12.0), (None, 20.0)],
)
def test_a_pause_beside_work_is_no_wait_for_who_reads_then(slept, drive_ms):
    """Only where it slept for long while that one waited, or where nobody knows."""
    waits = (read(140, STREAMER),)
    look = replace(DRIVE, ms=150.0, thread="8 Streamer")
    each = explained(MainWork(130.0, 0.0, 0.0, 20.0), look, waits=waits, told={"slept": slept})
    assert each.parts.get("storage", 0.0) == pytest.approx(drive_ms)
    assert sum(each.parts.values()) == pytest.approx(150.0)
    assert each.told_cause is None


def test_what_had_most_of_it_comes_first():
    """110 ms of computing beside a look that found a drive: the work is the answer."""
    each = explained(MainWork(110.0, 0.0, 20.0, 20.0), DRIVE, waits=(read(20),))
    assert each.first == Blame(WhereTimeWent.OWN_WORK, Certainty.MEASURED, 110.0)
    assert each.cause is None
    assert each.told_cause is None


def test_a_core_that_has_most_of_it_is_the_cause():
    """Of 150 ms 90 in many short waits for a core; it slept for the rest."""
    each = explained(MainWork(5.0, 90.0, 0.0, 55.0))
    assert each.first == Blame(WhereTimeWent.CPU, Certainty.MEASURED, 90.0, kind="core")
    assert each.cause == "run_queue_delay"
    assert each.parts["cpu"] == 90.0


def test_what_counters_have_of_reads_that_nobody_waited_for_is_no_part():
    """Of 150 ms a reader had 140; the main thread waited for 20 of them, and for who unpacks."""
    each = explained(
        MainWork(2.0, 0.0, 0.0, 148.0),
        Blame(WhereTimeWent.STORAGE, Certainty.MEASURED, 140.0),
        waits=(read(20, STREAMER),),
        told={"beside": frozenset(["request"])},
        ran=("8 Unpack", 125.0),
    )
    assert each.parts == {"storage": 20.0, "own": 125.0, "unknown": 5.0}
    assert each.cause is None


UNPACKED = Blame(WhereTimeWent.OWN_WORK, Certainty.MEASURED, 120.0, "8 Unpack")
LOOKED_AT = Blame(WhereTimeWent.STORAGE, Certainty.SEEN, 128.0, "9 Streamer")


@pytest.mark.parametrize(("woken_by", "cause"), [(8, None), (9, "slow_device")])
def test_work_that_let_it_go_on_is_surer_than_a_look_at_a_reader(woken_by, cause):
    """Of a drive that answers in 0.4 ms no request is told by itself, and any of 168 ms of them
    may have been waited for: 120 of 128 ms of unpacking were told as a slow drive 17 times of 41.
    """
    each = explained(
        MainWork(3.0, 0.0, 0.0, 125.0),
        *(LOOKED_AT, UNPACKED),
        length_ms=128.0,
        ran=("8 Unpack", 120.0),
        told={
            "awaited": frozenset([woken_by]),
            "beside": frozenset(["request"]),
            "short_ms": {"request": 168.0},
        },
    )
    assert each.told_cause == cause
    parts = {"own": 120.0, "unknown": 8.0} if cause is None else {"own": 3.0, "storage": 125.0}
    assert {name: ms for name, ms in each.parts.items() if ms} == parts


@pytest.mark.parametrize("looks", [0, 4])
def test_a_sleep_on_its_own_timer_is_something_else(looks):
    """A freeze of 2 s: 600 in reads, 400 of work, 1000 on a timer, which were told as not known.

    Without a look that found it on a timer it may have been any interrupt.
    """
    each = explained(
        MainWork(400.0, 0.0, 600.0, 1000.0, let_go_ms=1000.0),
        length_ms=2000.0,
        waits=(read(600),),
        timed_looks=looks,
    )
    slept = Blame(WhereTimeWent.TIMER, Certainty.SEEN, 1000.0)
    assert each.blames == ((slept,) if looks else ())
    assert each.parts.get("else", 0.0) == (1000.0 if looks else 0.0)
    assert each.parts["unknown"] == (0.0 if looks else 1000.0)
    assert each.cause is None


def test_a_longer_wait_stands_before_a_sleep_on_its_own_timer():
    """1,000 ms in reads and 700 on a timer: the drive is the cause."""
    each = explained(
        MainWork(100.0, 0.0, 1000.0, 700.0, let_go_ms=700.0),
        Blame(WhereTimeWent.STORAGE, Certainty.MEASURED, 1000.0),
        length_ms=1800.0,
        waits=(read(1000),),
        timed_looks=4,
    )
    assert each.cause == "slow_device"
    assert each.parts["else"] == 700.0


def test_nobody_is_said_to_have_waited_for_all_of_a_freeze():
    """200 ms, of which it waited for 110."""
    reads = [(MAIN, "sda", 0, 110)]
    told = scene([(0, 0, 10 * MS)] * 11 + [SLEPT] * 9, FLOODED, requests=reads)
    assert told.verdict.detail.values["worst_ms"] == pytest.approx(110.0, abs=2)


def test_a_part_of_less_than_a_third_is_no_answer():
    """Of 150 ms 40 were work, 20 a drive, and the rest nobody knows."""
    each = explained(MainWork(40.0, 0.0, 20.0, 90.0), waits=(read(20),))
    assert each.blames == ()
    assert each.contradicted == {Group.STORAGE, Group.CPU}


def test_reads_too_short_to_be_told_may_be_the_cause():
    """It slept for them so that no signal wakes it, 100 of 150 ms."""
    each = explained(MainWork(50.0, 0.0, 100.0, 0.0), DRIVE)
    assert Group.STORAGE not in each.contradicted


def test_without_the_main_thread_nothing_is_decided():
    """A game whose trace began a moment ago, and a hitch, shorter than ten bins can tell."""
    assert explained(None, DRIVE).blames == (DRIVE,)
    hitch = explained(MainWork(30.0, 0.0, 0.0, 0.0), DRIVE, length_ms=30.0)
    assert hitch.contradicted == frozenset()


def test_the_frames_that_are_felt_as_one_count_together():
    """150 ms of work and 180 of reading right before it: the drive has most of it."""
    before = Spike(0, 180.0, "frame")
    waits = (WaitInside(MAIN, "request", -180 * MS, -2 * MS, "sda"),)
    told = TracedWaits(
        *(frozenset(["core", "request"]), waits),
        main=MainWork(2.0, 0.0, 178.0, 0.0),
        drives=frozenset(["sda"]),
    )
    ran = Blame(WhereTimeWent.OWN_WORK, Certainty.MEASURED, 150.0)
    possible = Blame(WhereTimeWent.STORAGE, Certainty.POSSIBLE, 140.0)
    for drive, is_told in (("sda", True), ("sdb", False)):
        main, others = MainWork(150.0, 0.0, 0.0, 0.0), ((before, told),)
        each = explained(main, ran, possible, others=others, drive=drive)
        assert each.drives == {"sda"}
        assert Group.STORAGE not in each.contradicted
        assert ran in each.blames
        assert possible not in each.blames, "of the longest frame alone it is not"
        assert (each.cause is not None) is is_told, "by the figures of a drive that it was"


def test_a_freeze_of_several_kinds_has_the_cause_of_its_largest_known_part():
    """5 s: 1.95 in reads, 1 of work, 2 asleep for nobody knows what."""
    found = scene(
        [(0, 0, 10 * MS)] * 20 + [(10 * MS, 0, 0)] * 10 + [SLEPT] * 20,
        {**FLOODED, "disk:nvme0n1.reads": 0, "disk:nvme0n1.writes": 0},
        length_ms=500.0,
        requests=[(MAIN, "sda", 0, 195)],
    )
    assert [each.cause for each in found.spikes] == ["slow_device"] * 6
    assert found.lost.parts["storage"] == pytest.approx(6 * 195, abs=12)
    assert found.lost.parts["unknown"] == pytest.approx(6 * (200 - 16.67), abs=40)


@pytest.mark.parametrize(("often", "long"), [("sda", "nvme0n1"), ("nvme0n1", "sda")])
def test_a_wait_is_told_of_the_drive_that_it_was_for(often, long):
    """In four stutters of 200 ms 80 were for one drive, in two 190 for the other."""
    alike = {name: value for name, value in FLOODED.items() if name.startswith("disk:sda.")}
    other = {name.replace("sda", "nvme0n1"): value for name, value in alike.items()}
    both = {**FLOODED, **other, "disk:nvme0n1.writes": 0, "disk:nvme0n1.sectors_written": 0}
    found = scene(
        [(0, 0, 10 * MS)] * 20,
        both,
        length_ms=200.0,
        requests=lambda number: (
            [(MAIN, long, 0, 190)] if number in (1, 4) else [(MAIN, often, 0, 80)]
        ),
    )
    told = found.verdict.detail
    assert (told.values["device"], told.values["worst_ms"]) == (long, pytest.approx(190, abs=3))
