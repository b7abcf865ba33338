# SPDX-License-Identifier: GPL-3.0-or-later
"""A main thread that stood in a run queue for longer than it ran did not compute meanwhile."""

import pytest

from destutter.diagnosis.blame.blame import WhereTimeWent, blames
from destutter.diagnosis.circumstances.circumstances import Circumstances


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
