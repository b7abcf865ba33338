# SPDX-License-Identifier: GPL-3.0-or-later
"""Stutters with two reasons, of which either explains them alone: neither is more than a guess."""

import pytest

from destutter.analysis.examining.pipeline import Pipeline
from destutter.diagnosis.assessor import Assessor
from destutter.diagnosis.finding import Confidence, Group, VerdictKind
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
