# SPDX-License-Identifier: GPL-3.0-or-later
"""The figures beside the guide's timer: of the drive that the game waits for, and of memory."""

from dataclasses import replace

import pytest

from destutter.core.metrics import Metrics
from destutter.diagnosis.finding import Confidence, Evidence, Finding, Group
from destutter.ui.guide.record_counts import RecordCounts
from tests.support.live_scenes import Scene, snapshots

READ = "disk.read_await_ms"


def _told(*drives, told="", confidence=Confidence.MEDIUM):
    """Counts of one look at drives ((name, ms) each), and a cause that names one."""
    *_, newest = snapshots(Scene().run(3.0).script.messages)
    at_ns = newest.assessment.monotonic_ns
    metrics = Metrics(at_ns, 0.1, {}, {READ: dict(drives)})
    evidence = (Evidence(READ, "ms", 47.0, 20.0, at_ns, told),)
    found = Finding("io_unfairness", Group.STORAGE, confidence, 12, 12, 0, at_ns, evidence)
    assessment = replace(newest.assessment, findings=(found,) if told else ())
    counts = RecordCounts(0)
    counts.accept_snapshot(replace(newest, metrics=(metrics,), assessment=assessment))
    return counts.slowest_disk


def test_a_loop_device_of_somebody_else_is_not_the_slowest_drive():
    """Nobody's game was on loop0, which stood there with 33.7 s, and alone with 30 ms."""
    assert _told(("loop0", 33_700.0), ("vda", 47.0), ("sr0", 90.0)) == ("vda", 47.0)
    assert _told(("loop0", 33_700.0)) is None
    assert _told() is None


def test_the_drive_that_the_game_waits_for_goes_first():
    """A backup to a slow stick disturbs nobody."""
    drives = ("sdb", 900.0), ("vda", 47.0)
    assert _told(*drives) == ("sdb", 900.0)
    assert _told(*drives, told="vda") == ("vda", 47.0)


def test_a_guess_names_no_slower_drive():
    """The slowest fell from 271 ms to 189 within one recording, by a cause of 37 of 224."""
    drives = ("vda", 271.0), ("loop2", 189.0)
    assert _told(*drives, told="loop2", confidence=Confidence.LOW) == ("vda", 271.0)


@pytest.mark.parametrize(
    ("values", "short_s"),
    [
        ({"memory.allocstall_per_s": 5.0}, 1),
        ({"cgroup.limit_events_per_s": 900.0}, 1),
        ({"memory.allocstall_per_s": 0.0, "cgroup.limit_events_per_s": None}, 0),
    ],
)
def test_the_limit_of_the_games_group_is_shortage_as_well(values, short_s):
    """41 s of waits at that limit were told as "0 s"."""
    *_, newest = snapshots(Scene().run(3.0).script.messages)
    metrics = Metrics(newest.assessment.monotonic_ns, 0.1, values, {})
    counts = RecordCounts(0)
    counts.accept_snapshot(replace(newest, metrics=(metrics,)))
    assert counts.short_of_memory_s == short_s


def test_memory_is_short_for_as_long_as_programs_wait_for_it():
    """Any stall in a second made it a second of 60, of which they waited for 70 ms."""
    *_, newest = snapshots(Scene().run(3.0).script.messages)
    at_ns = newest.assessment.monotonic_ns
    counts = RecordCounts(0)
    for some_pct in (30.0, 0.0, None, 40.0):
        waits = {"pressure.some_pct": {"memory": some_pct, "io": 90.0}}
        metrics = Metrics(at_ns, 0.1, {"memory.allocstall_per_s": 5.0}, waits)
        counts.accept_snapshot(replace(newest, metrics=(metrics,)))
    assert counts.short_of_memory_s == pytest.approx(0.07)
