# SPDX-License-Identifier: GPL-3.0-or-later
"""A main thread that stood in a run queue for longer than it ran did not compute meanwhile."""

import pytest

from destutter.diagnosis.blame.blame import WhereTimeWent, blames
from destutter.diagnosis.circumstances.circumstances import Circumstances
from tests.support.engine_scenes import WORKING, assessed, begin


@pytest.mark.parametrize(
    ("delay_ms", "first"), [(51.0, WhereTimeWent.CPU), (33.0, WhereTimeWent.OWN_WORK)]
)
def test_the_longer_of_both_is_told_first(delay_ms, first):
    """The ticks of a stutter of 51 ms have the work of four more frames, 5 ms each."""
    met = Circumstances(
        51.0,
        span_ms=100.0,
        is_covered=True,
        lost_ms={"cpu": 90.0},
        delayed=("", delay_ms),
        runner=("", 36.0),
        runner_usual=0.1,
        kernel_part=0.0,
        cores=2,
        used_ms=100.0,
        cpu_ms=36.0,
    )
    assert blames(met)[0].where is first


def test_the_verdict_tells_the_wait_and_not_the_frame():
    """Of frames of 400 ms the main thread stood in line for 260: that is "waited up to"."""
    script = begin()
    for _ in range(6):
        for _ in range(5):
            script.run(1, WORKING).frames(*[16.67] * 60)
        queued = {"game.run_ns": 2e8, "busy_thread:7 main.run_delay_ns": 6.5e8}
        script.run(0.4, {**queued, "busy_thread:7 main.run_ns": 2e8}).frames(400.0)
        script.run(0.6, WORKING).frames(*[16.67] * 36)
    script.run(3, WORKING).frames(*[16.67] * 180)
    told = assessed(script).verdict.detail
    assert told.id.startswith("verdict.run_queue_delay")
    assert told.values["worst_ms"] == pytest.approx(260.0, abs=20)
