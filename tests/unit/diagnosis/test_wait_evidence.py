# SPDX-License-Identifier: GPL-3.0-or-later
"""Which figures stand beside a wait that is told of a stutter."""

import pytest

from destutter.diagnosis.blame.blame import Blame, Certainty, WhereTimeWent
from destutter.diagnosis.circumstances.circumstances import Circumstances
from destutter.diagnosis.circumstances.drive_load import Load
from destutter.diagnosis.finding import Spike
from destutter.diagnosis.findings.wait_evidence import evidence

SPIKE = Spike(10**9, 200.0, "mangohud")
MAIN = "7 main"


def figures(where, thread="", **met):
    """By metric what it is of, its value and its threshold, of a stutter of 200 ms."""
    told = Blame(where, Certainty.MEASURED, 150.0, thread)
    found = evidence(SPIKE, Circumstances(200.0, span_ms=200.0, **met), told)
    assert all(each.monotonic_ns == SPIKE.monotonic_ns for each in found)
    return {each.metric: (each.instance, each.value, each.threshold) for each in found}


DRIVE = {"drive": "sda", "await_ms": 45.0, "loads": {"sda": Load(3.0, 45.0)}, "faults": 8.0}


def test_a_wait_for_a_drive_shows_what_the_drive_had_to_do():
    """Its answer, its queue, and how often the game came; of all programs what they lost."""
    assert figures(WhereTimeWent.STORAGE, **DRIVE, lost_ms={"io": 180.0}) == {
        "disk.read_await_ms": ("sda", 45.0, 20.0),
        "disk.queue_depth": ("sda", 3.0, 1.0),
        "game.major_faults_per_s": (None, 40.0, 20.0),
        "pressure.some_pct": ("io", 90.0, 40.0),
    }


def test_a_group_of_its_own_speaks_instead_of_the_whole_computer():
    """What others waited for says nothing then."""
    own = figures(WhereTimeWent.STORAGE, lost_ms={"io": 200.0}, own_ms={"io": 170.0})
    assert own == {"game.pressure_some_pct": ("io", 85.0, 40.0)}


@pytest.mark.parametrize("is_write", [False, True])
def test_a_drive_that_answered_soon_does_not_speak_for_it(is_write):
    """19 ms is what a hard disk may need."""
    metric = "disk.write_await_ms" if is_write else "disk.read_await_ms"
    for await_ms, is_shown in ((19.0, False), (21.0, True)):
        met = {**DRIVE, "await_ms": await_ms, "is_write": is_write}
        assert (metric in figures(WhereTimeWent.STORAGE, **met)) == is_shown


def test_a_wait_for_memory_shows_what_was_freed_and_moved():
    """As rates of the ticks that the stutter overlaps."""
    met = {"allocstalls": 2.0, "limit_hits": 9.0, "compactions": 0.3}
    assert figures(WhereTimeWent.MEMORY, **met) == {
        "memory.allocstall_per_s": (None, 10.0, 5.0),
        "cgroup.limit_events_per_s": (None, 9.0, 5.0),
        "memory.compact_stall_per_s": (None, 1.5, 1.0),
    }


@pytest.mark.parametrize(
    ("thread", "metric"),
    [("", "game.run_delay_ms_per_s"), (MAIN, "worker.run_delay_ms_per_s")],
)
def test_a_wait_for_a_core_shows_the_thread_and_who_had_it(thread, metric):
    """No thread waits for more than a second in one."""
    met = {"delayed": (thread, 400.0), "realtime": ("90 hog", 100.0), "lost_ms": {"cpu": 10.0}}
    assert figures(WhereTimeWent.CPU, **met) == {
        metric: (thread or None, 1000.0, 400.0),
        "realtime.run_ms_per_s": ("90 hog", 500.0, 300.0),
    }


def test_a_thread_that_was_seen_to_wait_is_named():
    """Only the one that is told."""
    for thread, is_shown in ((MAIN, True), ("8 other", False)):
        found = figures(WhereTimeWent.STORAGE, thread, waiters={MAIN: 2})
        assert ("thread.waiting" in found) == is_shown


def test_no_more_are_shown_than_a_card_has_room_for():
    """The game's own first."""
    met = {**DRIVE, "own_ms": {"io": 190.0}, "waiters": {MAIN: 2}}
    shown = list(figures(WhereTimeWent.STORAGE, MAIN, **met))
    assert (len(shown), shown[0]) == (4, "game.pressure_some_pct")


def test_nothing_is_shown_of_a_stutter_of_which_nothing_was_measured():
    """Not even a zero."""
    for where in WhereTimeWent:
        assert figures(where) == {}
