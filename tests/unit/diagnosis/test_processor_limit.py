# SPDX-License-Identifier: GPL-3.0-or-later
"""A game whose own group has a limit for the processor, which withholds much or little."""

import pytest

from destutter.analysis.examining.pipeline import Pipeline
from destutter.diagnosis.assessor import Assessor
from destutter.diagnosis.causes.registry import CAUSE_BY_ID
from destutter.diagnosis.circumstances.circumstances import Circumstances
from destutter.diagnosis.circumstances.traced_waits import TraceLog
from destutter.diagnosis.finding import (
    OWN_LIMIT,
    Confidence,
    Culprit,
    Finding,
    Group,
    Spike,
    VerdictKind,
)
from destutter.diagnosis.findings.correlator import Match
from destutter.diagnosis.findings.explained import Explained
from destutter.diagnosis.findings.explanations import Explanations
from destutter.diagnosis.history.tick_log import TickLog
from destutter.words.renderer import english
from tests.support.engine_scenes import SOURCES, WORKING, begin

_FRAME = [16.67]


def _played(run_ms, held_ms, *, after_ms=0.0, withheld_ms=None, times=6):
    """Stutters of 100 ms: the main thread ran and stood in the run queue for so long in each, and
    for ``after_ms`` in the frames of the next tick; the limit withheld it all but where told.
    """
    script = begin((*SOURCES, "game_cgroup"))
    if withheld_ms is None:
        withheld_ms = held_ms + after_ms
    for _ in range(times):
        for _ in range(5):
            script.run(1, WORKING).frames(*_FRAME * 60)
        late = {
            "game.run_ns": run_ms * 1e7,
            "game.user_ticks": run_ms,
            "busy_thread:7 main.run_ns": run_ms * 1e7,
            "game.run_delay_ns": held_ms * 1e7,
            "busy_thread:7 main.run_delay_ns": held_ms * 1e7,
        }
        script.run(0.1, late).frames(100.0)
        script.run(0.1, {**WORKING, "game.run_delay_ns": after_ms * 1e7}).frames(*_FRAME * 6)
        script.run(0.8, {**WORKING, "game_cgroup.throttled_us": withheld_ms * 1e3 / 0.8})
        script.frames(*_FRAME * 48)
    script.run(3, WORKING).frames(*_FRAME * 180)
    pipeline = Pipeline(Assessor())
    for message in script.messages:
        pipeline.accept_message(message)
    snapshot = pipeline.take_snapshot()
    assert snapshot is not None
    assert english(snapshot.assessment.verdict.detail)
    return snapshot.assessment


def _limit(told):
    return next(each for each in told.findings if each.cause == "run_queue_delay")


def test_a_limit_that_withholds_the_smaller_part_is_told_with_it():
    """20 ms of 100, and 30 more in the frames behind it, which are none of the stutter's."""
    told = _played(75.0, 20.0, after_ms=30.0)
    assert told.verdict.kind is VerdictKind.UNEXPLAINED
    assert told.verdict.detail.id.startswith("verdict.own_work_limit.")
    assert told.verdict.detail.values["held_ms"] == pytest.approx(20.0)
    assert told.verdict.detail.values["run_ms"] == pytest.approx(75.0, abs=5.0)
    found = _limit(told)
    assert (found.kind, found.stutters_explained) == (OWN_LIMIT, 6)
    assert any(each.id == "reason.limit_part" for each in found.reasons)


def test_a_limit_that_withholds_most_of_the_excess_is_the_reason():
    """Not for as long as the stutter took, but for as long as it withheld."""
    told = _played(45.0, 55.0)
    assert told.verdict.finding.cause == "run_queue_delay"
    assert told.verdict.finding.kind == OWN_LIMIT
    assert told.verdict.detail.values["worst_ms"] == pytest.approx(55.0)


def test_what_was_computed_before_a_wait_for_the_limit_is_not_in_the_same_frame():
    """The frame before used the limit up, in the same tick: there is room for one of them."""
    told = _played(90.0, 85.0)
    assert told.verdict.finding.kind == OWN_LIMIT


def test_a_limit_that_withheld_hardly_anything_is_no_reason():
    """Other programs had the cores: that it withheld 3 ms somewhere in the second is nothing."""
    told = _played(20.0, 75.0, withheld_ms=3.0)
    assert _limit(told).kind != OWN_LIMIT


@pytest.mark.parametrize("kind", ["", OWN_LIMIT])
@pytest.mark.parametrize(("withheld_ms", "named"), [(500.0, 0), (0.0, 1)])
def test_nobody_is_named_for_what_the_limit_withheld(kind, withheld_ms, named):
    """Whoever was busy in the second before, in which the rule knew nothing of the limit yet."""
    spike = Spike(10**9, 100.0, "mangohud")
    explanations = Explanations(CAUSE_BY_ID, TickLog(), TraceLog())
    explanations._all = (Explained(spike, Circumstances(100.0, withheld_ms=withheld_ms), ()),)
    busy = (Culprit("process", "render", 9),)
    finding = Finding(
        "run_queue_delay", Group.CPU, Confidence.HIGH, 1, 1, 0, 1, (), busy, kind=kind
    )
    match = Match((spike,), (), 1, direct=1, share=0.1, chance=0.1)
    told, _ = explanations._limited(finding, match)
    assert len(told.culprits) == named
