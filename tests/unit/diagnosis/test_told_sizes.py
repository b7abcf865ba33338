# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers and asides that a reader can believe: nothing impossible, nothing always there."""

import pytest

from destutter.diagnosis.blame.stutter_answer import Blame, Certainty, WhereTimeWent
from destutter.diagnosis.causes.cause import worst
from destutter.diagnosis.circumstances.circumstances import Circumstances
from destutter.diagnosis.finding import Confidence, Evidence, Finding, Group, Spike
from destutter.diagnosis.findings.explained import Explained
from destutter.diagnosis.history.window import Window


class OnePeak(Window):
    """A window in which every metric was at most so high."""

    def __init__(self, value):
        super().__init__(())
        self.value = value

    def peak(self, _metric, _instance=None, _seconds=1):
        """The height and its time."""
        return self.value, 5


@pytest.mark.parametrize(
    ("metric", "told"),
    [
        ("game.run_delay_ms_per_s", 1000.0),
        ("thread.run_delay_ms_per_s", 1000.0),
        ("cgroup.cpu_limit_ms_per_s", 2264.0),
    ],
)
def test_one_thread_waits_for_no_more_than_all_of_the_time(metric, told):
    """A wait of 226 ms is booked in the tick that it ends in; a group has more threads."""
    (evidence,) = worst(OnePeak(2264.0), metric, 50.0)
    assert evidence.value == told


def _finding(cause, value, explained=0):
    evidence = (Evidence("thread.run_delay_ms_per_s", "ms/s", value, 50.0, 0),)
    return Finding(
        cause, Group.CPU, Confidence.LOW, explained, 8, first_ns=0, last_ns=9, evidence=evidence
    )


@pytest.mark.parametrize(
    ("finding", "is_aside"),
    [
        (_finding("run_queue_delay", 240.0), False),
        (_finding("run_queue_delay", 800.0), True),
        (_finding("run_queue_delay", 800.0, explained=2), False),
        (_finding("kworker_starvation", 240.0), True),
    ],
)
def test_a_wait_for_a_core_that_nobody_felt_is_told_if_it_is_long(finding, is_aside):
    """A few milliseconds of each frame are in every recording; half of the time is not."""
    assert finding.is_aside is is_aside


@pytest.mark.parametrize(
    ("certainty", "parts", "waited_ms"),
    [
        (Certainty.MEASURED, {}, 437.0),
        (Certainty.SEEN, {}, 437.0),
        (Certainty.POSSIBLE, {}, 0.0),
        (Certainty.MEASURED, {"cpu": 400.0, "own": 1990.0}, 400.0),
        (Certainty.MEASURED, {"own": 2390.0}, 0.0),
    ],
)
def test_a_long_frame_waited_no_longer_than_it_did(certainty, parts, waited_ms):
    """ "Waited up to 2.4 s while other programs held the processor": that was the frame, of which
    437 ms were that wait.
    """
    waits = (
        Blame(WhereTimeWent.MEMORY, certainty, 1100.0),
        Blame(WhereTimeWent.CPU, certainty, 437.0),
    )
    spike = Spike(10**10, 2390.0, "frame")
    each = Explained(spike, Circumstances(2390.0), waits, parts=parts)
    assert each.waited_ms(Group.CPU) == waited_ms


def test_what_a_frame_takes_anyhow_was_no_wait():
    """A frame of 123 ms at 60 a second lost 106, and waited for no longer."""
    waits = (Blame(WhereTimeWent.MEMORY, Certainty.MEASURED, 140.0),)
    spike = Spike(10**10, 123.0, "frame", usual_ms=17.0)
    assert Explained(spike, Circumstances(123.0), waits).waited_ms(Group.MEMORY) == 106.0
