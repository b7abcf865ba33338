# SPDX-License-Identifier: GPL-3.0-or-later
"""What the kernel worked for the game: memory that comes back, fresh memory, or its own calls."""

from dataclasses import replace

import pytest

from destutter.analysis.examining.measured_demand import MeasuredDemand
from destutter.diagnosis.blame.blame import Certainty, WhereTimeWent, blames
from destutter.diagnosis.blame.nearest_cause import nearest_cause
from destutter.diagnosis.causes.cause import Signal
from destutter.diagnosis.causes.suspects import who_made_it_swap
from destutter.diagnosis.circumstances.circumstances import Circumstances
from destutter.diagnosis.circumstances.kernel_time import PAGED, Work, kernel_ms
from destutter.diagnosis.finding import Confidence, Group
from destutter.diagnosis.history.witnesses import Process, Witness
from destutter.diagnosis.verdict.cleared_groups import raised
from destutter.words.renderer import english
from tests.support.engine_scenes import WORKING, assessed, engine

MIB = 1024.0 * 1024.0
IN_KERNEL = Circumstances(
    200.0, is_covered=True, runner=("", 195.0), cpu_ms=195.0, system_ms=150.0, kernel_part=0.8
)
COMES_BACK = replace(
    IN_KERNEL,
    minor_faults=26_000.0,
    taken_bytes=40 * MIB,
    swap_outs=16_000.0,
    own_swapped=20 * MIB,
)
TAKES_NEW = replace(IN_KERNEL, minor_faults=26_000.0, taken_bytes=100 * MIB, own_swapped=0.0)


def first(met):
    """The first answer: where, for what the kernel worked, and the nearest cause."""
    (blame, *_) = blames(met)
    return blame.where, blame.kernel, nearest_cause(blame, met)


@pytest.mark.parametrize("own_ms", [None, {"memory": 0.0, "io": 0.0, "cpu": 1.0}])
@pytest.mark.parametrize("runner", [("", 195.0), ("8 worker", 195.0), ("", 10.0)])
def test_memory_that_comes_back_is_no_work_of_the_game(own_ms, runner):
    """Its own swap moves while it faults: nobody counts the wait, and the game runs meanwhile."""
    met = replace(COMES_BACK, own_ms=own_ms, runner=runner)
    found = blames(met)
    assert [(each.where, each.certainty) for each in found] == [
        (WhereTimeWent.MEMORY, Certainty.SEEN)
    ]
    assert nearest_cause(found[0], met) == "swap_thrash"


def test_what_comes_back_out_of_zswap_is_swap_too():
    """Its faults are major ones, but no page was swapped in, as the kernel counts it."""
    met = replace(COMES_BACK, minor_faults=100.0, faults=9000.0, swap_outs=0.0)
    assert first(met) == (WhereTimeWent.MEMORY, None, "swap_thrash")


def test_who_also_computes_is_told_for_that_alone():
    """The kernel's part of its time is left out of the game's."""
    met = replace(COMES_BACK, system_ms=85.0, runner_usual=0.1)
    told = {each.where: each.ms for each in blames(met)}
    assert told == {WhereTimeWent.OWN_WORK: 110.0, WhereTimeWent.MEMORY: 85.0}


@pytest.mark.parametrize(
    ("wait_ms", "answer"),
    [(194.0, WhereTimeWent.OWN_WORK), (195.0, WhereTimeWent.OWN_CROWD)],
)
def test_a_wait_as_long_as_the_kernels_work_stands_before_it(wait_ms, answer):
    """Who computes by itself is told first then; what the kernel did may be for the wait."""
    met = replace(TAKES_NEW, runner=("8 worker", 195.0), delayed=("9 worker", wait_ms))
    assert blames(met)[0].where is answer


@pytest.mark.parametrize(
    ("values", "work"),
    [
        ({}, Work.FRESH),
        ({"swap_outs": 30_000.0}, Work.FRESH),
        ({"own_swapped": 2 * MIB, "swap_outs": 5000.0}, Work.FRESH),
        ({"own_swapped": None, "swap_outs": 30_000.0}, Work.FAULTS),
        ({"taken_bytes": 0.0}, Work.FAULTS),
        ({"minor_faults": 300.0}, Work.CALLS),
        ({"system_ms": 30.0}, None),
        ({"cpu_ms": 390.0}, None),
    ],
)
def test_for_what_the_kernel_worked(values, work):
    """Faults on memory that grows are new memory; without swap of its own it is the game's doing.

    Where other threads of it can have had the kernel's time, the one that ran computed.
    """
    met = replace(TAKES_NEW, **values)
    assert first(met) == (WhereTimeWent.OWN_WORK, work, None)


@pytest.mark.parametrize(
    "values",
    [
        {"limit_hits": 400.0},
        {"lost_ms": {"memory": 150.0}, "allocstalls": 30.0},
        {"allocstalls": 30.0},
    ],
)
def test_who_frees_memory_has_that_as_the_reason(values):
    """At its own limit, or in direct reclaim, part of the game is swapped out as well."""
    met = replace(COMES_BACK, **values)
    assert not any(nearest_cause(each, met) == "swap_thrash" for each in blames(met))


def test_memory_is_cleared_neither_while_anybody_swaps_nor_while_the_game_faults():
    """What goes to swap is no sign of quiet memory; a call of the game without faults is none."""
    for met in (COMES_BACK, TAKES_NEW, Circumstances(200.0, swap_outs=5000.0)):
        assert Group.MEMORY in raised(met)
    assert Group.MEMORY not in raised(replace(TAKES_NEW, minor_faults=300.0))


def test_the_kernels_time_is_no_longer_than_its_part():
    """A late frame's ticks hold the work of its late neighbours."""
    assert kernel_ms(replace(IN_KERNEL, system_ms=400.0)) == pytest.approx(160.0)
    assert kernel_ms(replace(IN_KERNEL, system_ms=90.0)) == pytest.approx(90.0)


COMPILER = Process(8, "cc1", cpu_pct=190.0, system_pct=15.0)
SAVER = Process(9, "saver", cpu_pct=70.0, system_pct=66.0)


@pytest.mark.parametrize(
    ("people", "named"),
    [
        ((SAVER, Process(8, "encoder", cpu_pct=95.0, system_pct=4.0)), ["saver"]),
        ((Process(8, "encoder", cpu_pct=95.0, system_pct=30.0),), []),
        ((replace(SAVER, cpu_pct=12.0, system_pct=12.0), COMPILER), ["saver"]),
        ((Process(7, "meter", cpu_pct=8.0, system_pct=7.0),), []),
        ((Process(7, "kswapd0", cpu_pct=90.0, system_pct=90.0),), []),
        ((SAVER, Process(6, "browser", cpu_pct=9.0, grown_bytes=300 * MIB)), ["saver"]),
        ((SAVER, Process(6, "launcher", grown_bytes=300 * MIB, in_game_group=True)), ["launcher"]),
        ((Process(9, "saver", cpu_pct=70.0),), ["saver"]),
        (
            (SAVER, Process(5, "backup", cpu_pct=60.0, system_pct=60.0)),
            [],
        ),
    ],
)
def test_who_paged_the_game_out_works_in_the_kernel(people, named):
    """Paging out is the system time of who asks for it; of two that have it nobody knows."""
    found = who_made_it_swap(Signal(1.0, (), kind=PAGED), Witness(0, 1, people, ()))
    assert [each.comm for each in found] == named


def test_who_works_in_the_kernel_stands_before_who_moves_data_where_memory_is_swapped():
    """A copy beside one that frees memory did not push the game out; without one it may have."""
    copy = Process(4, "copy", cpu_pct=20.0, system_pct=10.0, io_bytes_per_s=80 * MIB)
    for people, named in (((copy, SAVER), "saver"), ((replace(copy, system_pct=1.0),), "copy")):
        (found,) = who_made_it_swap(Signal(1.0, ()), Witness(0, 1, people, ()))
        assert found.comm == named


def test_who_grew_made_the_game_swap_only_where_memory_was_short():
    """Somebody had to free pages; beside a pager one that grows took what was there."""
    people = (SAVER, Process(6, "browser", cpu_pct=9.0, grown_bytes=300 * MIB))
    for kind, named in (("", "browser"), (PAGED, "saver")):
        (found,) = who_made_it_swap(Signal(1.0, (), kind=kind), Witness(0, 1, people, ()))
        assert found.comm == named


def test_who_only_computes_made_nobody_swap():
    """Where a recording tells the kernel's time apart; an older one names the busiest."""
    told, untold = (
        Witness(0, 1, (COMPILER,), ()),
        Witness(0, 1, (replace(COMPILER, system_pct=0.0),), ()),
    )
    assert who_made_it_swap(Signal(1.0, ()), told) == ()
    assert [each.comm for each in who_made_it_swap(Signal(1.0, ()), untold)] == ["cc1"]


_PAGED_OUT = {
    "game.run_ns": 9.8e8,
    "game.user_ticks": 20,
    "game.system_ticks": 78,
    "game.minor_faults": 130_000,
    "busy_thread:7 main.run_ns": 9.8e8,
    "vmstat.pswpout": 80_000,
}


def _scene(*, is_swapped):
    """A game that faults in each stutter, with swap of its own in it or not."""
    swapped = {"game_status.swap_kib": 60_000} if is_swapped else {}
    return engine({**_PAGED_OUT, **swapped}, working=WORKING).script


def test_a_game_that_was_paged_out_is_told_as_that():
    """With how much came back and for how long; no setting is advised against it."""
    told = assessed(_scene(is_swapped=True))
    finding = told.verdict.finding
    assert (finding.cause, finding.kind) == ("swap_thrash", PAGED)
    assert (finding.confidence, finding.stutters_explained) == (Confidence.MEDIUM, 6)
    assert "had been paged out" in english(told.verdict.detail)
    assert {each.metric for each in finding.evidence} == {
        "game.swap_bytes", "game.page_faults_per_s", "game.system_ms_per_s",
        "memory.swap_out_per_s",
    }  # fmt: skip
    assert finding.reasons[0].id == "reason.paged"
    assert 200 <= finding.reasons[0].values["kernel_ms"] <= 320
    assert "swap_thrash" not in MeasuredDemand().measured(told.findings).causes


def test_a_game_that_faults_beside_a_stranger_that_swaps_is_not_told_as_paged_out():
    """Its own swap rests. It is told as work of the kernel, and memory is not cleared."""
    told = assessed(_scene(is_swapped=False))
    assert told.verdict.detail.id in (
        "verdict.own_kernel_faults.detail",
        "verdict.own_kernel_faults.quiet.detail",
    )
    assert "memory" not in str(told.verdict.detail.values.get("quiet", ""))
    assert not any(each.confidence is not Confidence.LOW for each in told.findings)
    assert "computed" not in english(told.verdict.detail)


@pytest.mark.parametrize("runner", [("", 195.0), ("8 worker", 195.0)])
def test_what_others_wait_for_at_their_own_limit_is_no_wait_of_the_game(runner):
    """Nobody frees memory for the whole computer, and a game that takes new memory is as long in
    the kernel as who does; where it was freed for everybody, the game was among those.
    """
    met = replace(TAKES_NEW, runner=runner, lost_ms={"memory": 170.0})
    assert first(met) == (WhereTimeWent.OWN_WORK, Work.FRESH, None)
    assert first(replace(met, allocstalls=40.0))[::2] == (WhereTimeWent.MEMORY, "direct_reclaim")


_PRESSED = replace(TAKES_NEW, runner=("", 10.0), lost_ms={"memory": 170.0})


@pytest.mark.parametrize(
    "met",
    [
        replace(_PRESSED, allocstalls=40.0),
        replace(_PRESSED, reclaimed=4000.0),
        replace(_PRESSED, compactions=40.0),
        replace(_PRESSED, limit_hits=40.0),
        replace(_PRESSED, faults=40.0),
        replace(_PRESSED, own_swapped=50 * MIB),
    ],
)
def test_each_sign_of_a_wait_of_its_own_counts(met):
    """What the game itself can have waited for is told as seen, as before."""
    (found, *_) = blames(met)
    assert (found.where, found.certainty) == (WhereTimeWent.MEMORY, Certainty.SEEN)


def test_pages_of_files_that_come_back_are_no_fresh_memory():
    """Their faults are major ones, by which the game's memory grows as well."""
    met = replace(TAKES_NEW, minor_faults=0.0, faults=26_000.0, taken_bytes=40 * MIB)
    assert first(met)[1] is not Work.FRESH
