# SPDX-License-Identifier: GPL-3.0-or-later
"""Stutters with two reasons, of which either explains them alone: neither is more than a guess."""

from dataclasses import replace
from pathlib import Path

import pytest

from destutter.core.statement import Statement
from destutter.diagnosis.blame.blame import Blame, Certainty, WhereTimeWent, blames
from destutter.diagnosis.blame.doubt import other_reason
from destutter.diagnosis.causes.registry import CAUSE_BY_ID
from destutter.diagnosis.circumstances.circumstances import Circumstances
from destutter.diagnosis.circumstances.drive_load import DriveLimit, Load
from destutter.diagnosis.circumstances.partners import Partner
from destutter.diagnosis.finding import (
    OWN_LIMIT,
    Confidence,
    Culprit,
    Group,
    Spike,
    VerdictKind,
)
from destutter.diagnosis.findings.explained import Explained
from destutter.diagnosis.findings.wait_findings import findings
from tests.support.engine_scenes import (
    ONE_SLOW_READ,
    SOURCES,
    WAITS_FOR_DRIVE,
    WORKING,
    assessed,
    begin,
    engine,
    see,
)
from tests.truth.judge import judgement_of

SESSIONS = Path(__file__).parents[2] / "data/sessions"
_NO_CORE = {
    "busy_thread:9 worker.run_delay_ns": 9.5e8,
    "pressure:cpu.some_us": 9.8e5,
    "stat.procs_running": 6,
}


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
    scene = engine({**job, **ONE_SLOW_READ}, ("io",), own_group=own_group, working=usual)
    told = assessed(scene.script)
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
    told = assessed(engine(WAITS_FOR_DRIVE, ("io", f"main_{place}"), own_group=own_group).script)
    of_drive = _of(told, Group.STORAGE)
    assert all(each.confidence is Confidence.LOW for each in of_drive)
    assert "reason.asked" in _reasons(of_drive)
    assert told.verdict.kind is VerdictKind.UNEXPLAINED
    assert told.verdict.detail.id.startswith(f"verdict.{place}.")


def test_a_main_thread_that_waits_for_its_own_thread_waits_for_the_drive():
    """The same beside a main thread in a futex."""
    told = assessed(engine(WAITS_FOR_DRIVE, ("io", "main_futex")).script)
    assert any(each.confidence is not Confidence.LOW for each in _of(told, Group.STORAGE))


@pytest.mark.parametrize(("seen", "is_guess"), [((), False), (("worker_timer",), True)])
def test_a_job_that_sleeps_beside_one_without_a_core_makes_that_a_guess(seen, is_guess):
    """A job backs off on a timer, where it never is, while others stand in the run queue."""
    told = assessed(engine(_NO_CORE, ("main_futex", *seen)).script)
    found = _of(told, Group.CPU)
    assert found
    assert all((each.confidence is Confidence.LOW) is is_guess for each in found)
    assert ("reason.slept" in _reasons(found)) is is_guess


@pytest.mark.parametrize(
    ("place", "partner", "is_guess"),
    [
        pytest.param("timer", None, True, id="a job that sleeps"),
        pytest.param("socket", None, True, id="a job that asks somebody"),
        pytest.param(
            "socket",
            Partner(70, "loader", 3, 3, in_storage=3, is_at_end=True),
            False,
            id="a job that asks one who waits for the drive itself",
        ),
        pytest.param("running", None, False, id="a job that runs is told elsewhere"),
    ],
)
def test_a_job_that_stands_out_beside_one_that_waits_for_a_drive(place, partner, is_guess):
    """A streamer waits for a drive that others use, and the main thread for somebody else."""
    waited = Blame(WhereTimeWent.STORAGE, Certainty.SEEN, 280.0, "8 streamer")
    met = Circumstances(
        300.0,
        looks=3,
        handed_on=3,
        kept=("9 job", place, 3),
        drive_ms=300.0,
        own_bytes=1e6,
        loads={"sda": Load(20.0, 8.0, 12.0, 0.3)},
        drive="sda",
        partners=() if partner is None else (partner,),
    )
    doubt = other_reason("io_unfairness", Group.STORAGE, [waited], met)
    assert (doubt == ("reason.slept", "job")) is is_guess


@pytest.mark.parametrize(
    ("run_ms", "usual", "told"),
    [
        pytest.param(280.0, 0.0, "reason.worked_untold", id="all the while"),
        pytest.param(150.0, 0.0, None, id="half of it"),
    ],
)
def test_a_thread_that_nobody_follows_and_that_computed_all_the_while(run_ms, usual, told):
    """One of many jobs has no list of its own; a streamer waits for a drive meanwhile."""
    waited = Blame(WhereTimeWent.STORAGE, Certainty.SEEN, 300.0, "8 streamer")
    worked = Blame(WhereTimeWent.OWN_WORK, Certainty.MEASURED, run_ms, is_brief=True)
    met = Circumstances(300.0, looks=3, drive_ms=300.0, runner_usual=usual)
    doubt = other_reason("io_unfairness", Group.STORAGE, [waited, worked], met)
    assert (doubt and doubt[0]) == told
    by_main = replace(met, main_blocked=3)
    assert other_reason("io_unfairness", Group.STORAGE, [waited, worked], by_main) is None


def test_the_time_of_what_is_doubted_is_not_known():
    """No words that the game could not be seen to wait, and beside them how long it did."""
    told = judgement_of(SESSIONS / "streams_beside_nap.destutter").assessment
    assert told.verdict.kind is VerdictKind.UNEXPLAINED
    assert all(spike.is_guess for spike in told.spikes if spike.cause is not None)
    assert told.lost.parts["unknown"] > 3 * told.lost.parts.get("storage", 0.0)


def test_the_games_own_reading_is_no_guess_for_the_drive_was_quick():
    """It said that a slow drive was possible, and that others should be silent to find out."""
    verdict = judgement_of(SESSIONS / "reads_cold_tiles.destutter").assessment.verdict
    assert verdict.kind is VerdictKind.STUTTER
    assert verdict.detail.id == "verdict.slow_device.reading"


def test_a_delay_of_a_whole_second_is_only_possible_of_a_stutter_within_it():
    """A thread that is read once a second may have stood in line beside it."""
    met = Circumstances(180.0, looks=2, delayed=("9 gc", 180.0))
    assert blames(met)[0].certainty is Certainty.MEASURED
    assert blames(replace(met, is_delay_dated=False))[0].certainty is Certainty.POSSIBLE


def test_a_crowd_beside_a_wait_for_a_drive_is_not_the_reason():
    """Who saves in a loop crowds the processors too, and the game's save waits for the drive."""
    told = judgement_of(SESSIONS / "saves_beside_crowd.destutter").assessment
    assert told.findings[0].cause == "io_unfairness"
    assert not _of(told, Group.CPU)


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
    """The game reads fifteen hundred pages one by one: their number takes the time."""
    reads = {
        "disk:sda.reads": 1500,
        "disk:sda.sectors_read": 12_000,
        "game_status.read_bytes": 6_144_000,
    }
    told = assessed(engine({**_READS_MANY, **reads}, ("io", "main_futex")).script)
    slow = [each for each in told.findings if each.cause == "slow_device"]
    assert slow
    assert all(each.confidence is Confidence.LOW for each in slow)
    assert "reason.quick" in _reasons(slow)


def test_much_that_the_game_itself_read_is_known_to_be_that():
    """Nine thousand pages: the list said 37 of 39, the page above it "known for 0 of 39"."""
    told = assessed(engine(_READS_MANY, ("io", "main_futex")).script)
    own = [each for each in told.findings if each.told_as == "slow_device.reading"]
    assert own
    assert all(each.confidence is not Confidence.LOW for each in own)
    assert "reason.quick" not in _reasons(own)
    assert any(each.cause == "slow_device" and not each.is_guess for each in told.spikes)


@pytest.mark.parametrize("freed", [0, 40_000])
def test_files_that_were_thrown_out_of_memory_are_named(freed):
    """They come back without anybody being short of memory; else somebody had to free some."""
    trouble = {
        **_READS_MANY,
        "vmstat.workingset_refault_file": 9000,
        "vmstat.pgsteal_kswapd": freed,
    }
    told = assessed(engine(trouble, ("io", "main_futex")).script)
    evicted = [each for each in told.findings if each.told_as == "dropped_caches.evicted"]
    assert bool(evicted) is not bool(freed)
    assert all("reason.evicted" in {reason.id for reason in each.reasons} for each in evicted)


def test_a_drive_that_the_game_itself_keeps_busy_says_so():
    """Eighteen threads load a level at once."""
    loads = {
        **ONE_SLOW_READ,
        "disk:sda.reads": 180,
        "disk:sda.read_ms": 18_000,
        "disk:sda.sectors_read": 7200,
        "game_status.read_bytes": 3_686_400,
    }
    told = assessed(engine(loads, ("io", "main_futex")).script)
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
    assert little.or_worse(much) == much.or_worse(little) == much
    assert other.or_worse(little) is little


def test_a_copy_that_met_one_of_many_explained_stutters_is_a_guess():
    """The drive is slow at each of ten, and once somebody copies meanwhile."""
    busy = {**WORKING, "disk:sda.reads": 60, "disk:sda.read_ms": 12, "disk:sda.io_ms": 12}
    script = begin((*SOURCES, "game_pressure"))
    for number in range(10):
        for _ in range(5):
            script.run(1, busy).frames(*[16.67] * 60)
        see(script, ("io", "main_futex"))
        crowd = {"disk:sda.reads": 2000, "disk:sda.read_ms": 60_000, "disk:sda.sectors_read": 2e6}
        more = crowd if number == 4 else {}
        script.run(
            0.4,
            {
                **ONE_SLOW_READ,
                "vmstat_more.drop_pagecache": 1,
                "game_pressure:io.some_us": 9.8e5,
                **more,
            },
        )
        script.frames(400.0)
        see(script, ())
        script.run(0.6, busy).frames(*[16.67] * 36)
    script.run(3, busy).frames(*[16.67] * 180)
    told = assessed(script)
    others = [each for each in told.findings if each.stutters_explained == 1]
    assert told.verdict.finding.cause == "slow_device"
    assert told.verdict.finding.stutters_explained == 10
    assert all(each.confidence is Confidence.LOW for each in others)
    assert "reason.few" in _reasons(others)


def _explained(at_s, where, met, *culprits):
    spike = Spike(at_s * 10**9, 200.0, "mangohud", at_s * 10**9 - 2 * 10**8)
    blame = Blame(where, Certainty.MEASURED, 180.0, "")
    causes = ("run_queue_delay", "slow_device")
    return Explained(spike, met, (blame,), dict.fromkeys(causes, culprits))


def _told_of(explained):
    ((finding, _),) = findings(explained, len(explained), CAUSE_BY_ID, lambda _at_ns: False)
    return finding


def test_who_held_a_core_in_several_stutters_is_told_at_the_worst():
    """The first of them is not the one that says most."""
    culprits = [
        Culprit("process", "farm", 7, Statement("culprit.cpu", {"cpu_pct": part}))
        for part in (14.0, 184.0, 60.0)
    ]
    met = Circumstances(200.0, is_covered=True)
    told = _told_of(
        [_explained(at, WhereTimeWent.CPU, met, who) for at, who in enumerate(culprits, 5)]
    )
    assert told.culprits == (culprits[1],)


def test_whom_a_rule_saw_beside_the_stutters_stands_not_before_who_came_with_them():
    """An encoder that always has its core beside ten threads that come every two seconds."""
    told = judgement_of(SESSIONS / "compiler_beside_encoder.destutter").assessment
    assert [each.comm for each in told.findings[0].culprits] == ["compilefarm"]


@pytest.mark.parametrize(("times", "is_named"), [(1, False), (4, True)])
def test_who_only_started_programs_is_named_where_it_did_so_as_often(times, is_named):
    """At one of seven it is somebody else's shell; and it stands behind who was measured."""
    builder = Culprit("process", "buildd", None, Statement("culprit.cpu", {"cpu_pct": 140.0}))
    shell = Culprit("process", "bash", 7, Statement("culprit.started"))
    met = Circumstances(200.0, is_covered=True)
    told = _told_of(
        [
            _explained(at, WhereTimeWent.CPU, met, *((shell,) if at < times else ()), builder)
            for at in range(7)
        ]
    )
    assert told.culprits == ((builder, shell) if is_named else (builder,))


@pytest.mark.parametrize(("seen", "kind"), [(2, OWN_LIMIT), (1, "")])
def test_a_limit_that_was_read_in_a_third_of_the_stutters_is_the_reason(seen, kind):
    """It comes and goes between two readings; one reading of five says too little."""
    limit = DriveLimit("sda", "cgroup.read_limit_per_s", 6.0, 1.0, 1.0)
    told = _told_of(
        [
            _explained(
                at,
                WhereTimeWent.STORAGE,
                Circumstances(200.0, drive="sda", drive_limit=limit if at < 5 + seen else None),
            )
            for at in range(5, 10)
        ]
    )
    assert (told.cause, told.kind) == ("slow_device", kind)


def test_the_kernels_work_on_files_that_were_thrown_out_is_none_of_the_game():
    """It takes the faults in the game's own time, by which a thread runs all the while."""
    met = Circumstances(
        200.0,
        is_covered=True,
        runner=("8 worker", 195.0),
        cpu_ms=195.0,
        system_ms=150.0,
        kernel_part=0.8,
        faults=9000.0,
    )
    assert blames(met)[0].where is WhereTimeWent.OWN_WORK
    assert all(
        each.where is not WhereTimeWent.OWN_WORK for each in blames(replace(met, refaults=9000.0))
    )
