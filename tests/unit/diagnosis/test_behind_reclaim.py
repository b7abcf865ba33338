# SPDX-License-Identifier: GPL-3.0-or-later
"""A game that stands in line for a core behind those that free memory, and one behind others."""

import pytest

from destutter.core.traced import CORE
from destutter.diagnosis.blame.blame import Blame, Certainty, WhereTimeWent, blames
from destutter.diagnosis.circumstances.circumstances import Circumstances
from destutter.diagnosis.circumstances.traced_waits import TracedWaits
from destutter.diagnosis.finding import Confidence
from destutter.words.renderer import english
from tests.support.engine_scenes import assessed, engine
from tests.unit.diagnosis.test_traced import MAIN, STREAMER, reclaim, scene

# On four cores in each stutter: programs that take memory, and kswapd, have all of them.
MEMORY_IS_SHORT = {
    "vmstat.allocstall_normal": 1500.0,
    "vmstat.pgsteal_direct": 50_000.0,
    "vmstat.pgsteal_kswapd": 150_000.0,
    "pressure:memory.some_us": 1e6,
    "pressure:cpu.some_us": 1e6,
    "busy_thread:8 streamer.run_delay_ns": 8e8,
}
IN_KERNEL = {"stat.system": 380, "stat.user": 10, "stat.idle": 10}
COMPUTING = {"stat.system": 60, "stat.user": 330, "stat.idle": 10}
MET = Circumstances(
    200.0,
    is_covered=True,
    lost_ms={"memory": 190.0, "cpu": 190.0},
    delayed=("8 streamer", 150.0),
    allocstalls=300.0,
    others_kernel=0.97,
)


def causes(trouble):
    """The findings that explain stutters, by cause."""
    findings = assessed(engine(trouble, ("main_futex",)).script).findings
    return {each.cause: each for each in findings if each.stutters_explained}


def test_a_wait_for_a_core_behind_reclaim_is_memorys():
    """Nobody computes whom one could close: all the cores free memory."""
    found = causes({**MEMORY_IS_SHORT, **IN_KERNEL})
    assert found.keys() == {"direct_reclaim"}
    finding = found["direct_reclaim"]
    assert finding.stutters_explained == 6
    assert finding.confidence is not Confidence.LOW


def test_where_the_rule_sees_too_little_it_is_told_by_the_wait():
    """A few stalls a second, each of them long."""
    few = {"vmstat.allocstall_normal": 4.0, "vmstat.pgsteal_direct": 100.0}
    (finding,) = causes({**MEMORY_IS_SHORT, **IN_KERNEL, **few}).values()
    assert finding.cause == "direct_reclaim"
    assert [english(each) for each in finding.reasons] == [
        "At 6 of 6 it waited for a core while those that had one freed memory"
    ]


def test_a_wait_for_a_core_behind_programs_that_compute_is_not():
    """Though memory is short at the same time, and somebody waits for it all the while."""
    found = causes({**MEMORY_IS_SHORT, **COMPUTING})
    assert found["run_queue_delay"].stutters_explained == 6


@pytest.mark.parametrize(
    "more",
    [
        {"others_kernel": 0.5},
        {"lost_ms": {"memory": 60.0, "cpu": 190.0}},
        {"allocstalls": 0.0},
        {"held_ms": 150.0},
        {"others_kernel": 0.0},
    ],
)
def test_each_sign_is_needed(more):
    """Without one of them the wait for a core stays what it is."""
    values = {each: getattr(MET, each) for each in MET.__slots__} | more
    assert any(each.where is WhereTimeWent.CPU for each in blames(Circumstances(**values)))


def test_the_wait_is_told_once():
    """Not a second time as one for a core."""
    assert blames(MET) == (Blame(WhereTimeWent.MEMORY, Certainty.SEEN, 150.0, "8 streamer"),)


def test_what_the_trace_measured_of_reclaim_stays_measured():
    """With all of the time, that in line for a core too."""
    script = scene({**MEMORY_IS_SHORT, **IN_KERNEL}, [reclaim(STREAMER, 100)])
    (finding,) = (each for each in assessed(script).findings if each.cause == "direct_reclaim")
    assert finding.stutters_explained == 6
    told = english(finding.reasons[0]).replace("\N{NO-BREAK SPACE}", " ")
    assert told.startswith("Measured in the kernel: Streamer waited 100 ms for free memory")


def test_a_thread_that_waited_for_no_core_is_not_behind_anybody():
    """What the trace refutes is no wait at all."""
    traced = TracedWaits(frozenset([CORE]))
    values = {each: getattr(MET, each) for each in MET.__slots__}
    values |= {"traced": traced, "delayed": (MAIN.name, 20.0)}
    assert all(each.where is not WhereTimeWent.CPU for each in blames(Circumstances(**values)))
