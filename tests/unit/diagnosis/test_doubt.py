# SPDX-License-Identifier: GPL-3.0-or-later
"""Stutters with two reasons, of which either explains them alone: neither is more than a guess."""

import pytest

from destutter.analysis.examining.pipeline import Pipeline
from destutter.core.statement import Statement
from destutter.diagnosis.assessor import Assessor
from destutter.diagnosis.finding import Confidence, Culprit, Group, VerdictKind
from destutter.words.renderer import english
from tests.support.engine_scenes import WAITS_FOR_DRIVE, WORKING, engine

_ONE_SLOW_READ = {
    "pressure:io.some_us": 9.8e5,
    "disk:sda.reads": 20,
    "disk:sda.read_ms": 5000,
    "disk:sda.io_ms": 980,
    "disk:sda.sectors_read": 800,
    "game_status.read_bytes": 400_000,
}
_NO_CORE = {
    "busy_thread:9 worker.run_delay_ns": 9.5e8,
    "pressure:cpu.some_us": 9.8e5,
    "stat.procs_running": 6,
}


def _assess(script):
    pipeline = Pipeline(Assessor())
    for message in script.messages:
        pipeline.accept(message)
    snapshot = pipeline.take_snapshot()
    assert snapshot is not None
    assert english(snapshot.assessment.verdict.detail)
    return snapshot.assessment


def _of(told, group):
    """The findings of a group that explain a stutter."""
    return [each for each in told.findings if each.group is group and each.stutters_explained]


def _reasons(findings):
    return {reason.id for each in findings for reason in each.reasons}


@pytest.mark.parametrize("own_group", [None, {"game_pressure:io.some_us": 9.8e5}])
@pytest.mark.parametrize("usual_ns", [3e8, 9.5e8])
def test_a_job_that_computes_beside_a_thread_that_waits_makes_that_wait_a_guess(
    own_group, usual_ns
):
    """A prefetcher waits for a busy drive while a job computes: the frame needs either of them.

    A worker that computes as much all the time is no such sign.
    """
    job = {"busy_thread:9 worker.run_ns": 9.8e8, "game.user_ticks": 98}
    usual = {
        **WORKING,
        "busy_thread:9 worker.run_ns": usual_ns,
        "disk:sda.reads": 60,
        "disk:sda.read_ms": 12,
        "disk:sda.io_ms": 12,
    }
    scene = engine({**job, **_ONE_SLOW_READ}, ("io",), own_group=own_group, working=usual)
    told = _assess(scene.script)
    of_drive = _of(told, Group.STORAGE)
    is_guess = usual_ns < 9e8
    assert of_drive
    assert all(
        (each.confidence is Confidence.LOW) is is_guess for each in of_drive if each.explains
    )
    if is_guess:
        assert told.verdict.kind is VerdictKind.UNEXPLAINED
        assert told.verdict.detail.values["thread"] == "worker"


@pytest.mark.parametrize("place", ["socket", "pipe"])
@pytest.mark.parametrize("own_group", [None, {"game_pressure:io.some_us": 9.8e5}])
def test_who_waits_for_another_program_waits_for_no_thread_of_its_own(place, own_group):
    """The main thread asks a server that does not answer, while a backup thread reads slowly."""
    told = _assess(engine(WAITS_FOR_DRIVE, ("io", f"main_{place}"), own_group=own_group).script)
    of_drive = _of(told, Group.STORAGE)
    assert all(each.confidence is Confidence.LOW for each in of_drive)
    assert "reason.asked" in _reasons(of_drive)
    assert told.verdict.kind is VerdictKind.UNEXPLAINED
    assert told.verdict.detail.id.startswith(f"verdict.{place}.")


def test_a_main_thread_that_waits_for_its_own_thread_waits_for_the_drive():
    """The same beside a main thread in a futex."""
    told = _assess(engine(WAITS_FOR_DRIVE, ("io", "main_futex")).script)
    assert any(each.confidence is not Confidence.LOW for each in _of(told, Group.STORAGE))


@pytest.mark.parametrize(("seen", "is_guess"), [((), False), (("worker_timer",), True)])
def test_a_job_that_sleeps_beside_one_without_a_core_makes_that_a_guess(seen, is_guess):
    """A job backs off on a timer, where it never is, while others stand in the run queue."""
    told = _assess(engine(_NO_CORE, ("main_futex", *seen)).script)
    found = _of(told, Group.CPU)
    assert found
    assert all((each.confidence is Confidence.LOW) is is_guess for each in found)
    assert ("reason.slept" in _reasons(found)) is is_guess


_READS_MANY = {
    "pressure:io.some_us": 9.8e5,
    "disk:sda.reads": 9000,
    "disk:sda.read_ms": 900,
    "disk:sda.io_ms": 980,
    "disk:sda.sectors_read": 72_000,
    "game_status.read_bytes": 36_864_000,
    "game.major_faults": 9000,
}


def test_a_drive_that_answers_at_once_is_not_slow():
    """The game reads nine thousand pages one by one: their number takes the time."""
    told = _assess(engine(_READS_MANY, ("io", "main_futex")).script)
    slow = [each for each in told.findings if each.cause == "slow_device"]
    assert slow
    assert all(each.confidence is Confidence.LOW for each in slow)
    assert "reason.quick" in _reasons(slow)


@pytest.mark.parametrize("freed", [0, 40_000])
def test_files_that_were_thrown_out_of_memory_are_named(freed):
    """They come back without anybody being short of memory; else somebody had to free some."""
    trouble = {
        **_READS_MANY,
        "vmstat.workingset_refault_file": 9000,
        "vmstat.pgsteal_kswapd": freed,
    }
    told = _assess(engine(trouble, ("io", "main_futex")).script)
    evicted = [each for each in told.findings if each.told_as == "dropped_caches.evicted"]
    assert bool(evicted) is not bool(freed)
    assert all("reason.evicted" in {reason.id for reason in each.reasons} for each in evicted)


def test_a_drive_that_the_game_itself_keeps_busy_says_so():
    """Eighteen threads load a level at once."""
    loads = {
        **_ONE_SLOW_READ,
        "disk:sda.reads": 180,
        "disk:sda.read_ms": 18_000,
        "disk:sda.sectors_read": 7200,
        "game_status.read_bytes": 3_686_400,
    }
    told = _assess(engine(loads, ("io", "main_futex")).script)
    slow = [each for each in told.findings if each.cause == "slow_device"]
    assert "reason.own_requests" in _reasons(slow)


def test_of_two_looks_at_who_did_it_the_worse_is_told():
    """A look covers seconds; and what somebody did otherwise is not compared with it."""
    little, much = (
        Culprit("process", "farm", 7, Statement("culprit.cpu", {"cpu_pct": part}))
        for part in (14.0, 184.0)
    )
    other = Culprit("process", "farm", 7, Statement("culprit.traffic", {"io_bytes_per_s": 9e9}))
    assert little.or_worse(None) is little
    assert little.or_worse(much) is much.or_worse(little) is much
    assert other.or_worse(little) is little
