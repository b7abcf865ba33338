# SPDX-License-Identifier: GPL-3.0-or-later
"""How sure a cause is whose waits the kernel itself told."""

from dataclasses import replace

import pytest

from destutter.core.traced import CORE, REQUEST
from destutter.diagnosis.blame.stutter_answer import Blame, Certainty, WhereTimeWent
from destutter.diagnosis.circumstances.circumstances import Circumstances
from destutter.diagnosis.circumstances.main_work import MainWork
from destutter.diagnosis.circumstances.traced_waits import TracedWaits
from destutter.diagnosis.finding import Confidence, Culprit, Finding, Group, Spike
from destutter.diagnosis.findings.correlator import Match
from destutter.diagnosis.findings.explained import Explained
from destutter.diagnosis.findings.traced_findings import sure_by_trace

WAIT = Blame(WhereTimeWent.CPU, Certainty.MEASURED, 180.0, kind=CORE)
SEEN = replace(WAIT, certainty=Certainty.SEEN)
WAITS = TracedWaits(frozenset({CORE}), (), main=MainWork(ready_ms=180.0))
TRACED = Circumstances(200.0, traced=WAITS)


def _stutters(count, met=TRACED, blame=WAIT, first=1):
    spikes = (Spike((first + each) * 10**10, 200.0, "mangohud") for each in range(count))
    return [Explained(spike, met, (blame,)) for spike in spikes]


def _told(known, cause="run_queue_delay", **told):
    spikes = tuple(each.spike for each in known)
    finding = Finding(cause, Group.CPU, Confidence.MEDIUM, len(known), 20, 0, 1, (), **told)
    how = Match(spikes, (), len(spikes), direct=len(spikes), share=0.0, chance=1.0)
    return sure_by_trace((finding, how), known)[0].confidence


def test_waits_that_the_kernel_told_in_all_stutters_leave_no_doubt():
    """ "Measured in the kernel at 7 of 7" stood under "likely, medium"."""
    assert _told(_stutters(7)) is Confidence.HIGH


@pytest.mark.parametrize(
    "known",
    [
        _stutters(2),
        _stutters(4) + _stutters(4, blame=SEEN, first=5),
        _stutters(7, met=Circumstances(200.0)),
    ],
    ids=["two", "half of them", "main thread not traced"],
)
def test_less_than_that_stays_likely(known):
    """Two are no many, and what was only seen may have been short."""
    assert _told(known) is Confidence.MEDIUM


def test_that_others_held_a_drive_is_no_doubt_only_where_it_is_known_who():
    """The wait was measured, and not whose requests stood before it."""
    others = replace(WAIT, where=WhereTimeWent.STORAGE, kind=REQUEST)
    known = _stutters(7, blame=others)
    assert known[0].cause == "slow_device"
    assert _told(known, "slow_device") is Confidence.HIGH
    assert _told(known, "io_unfairness", culprits=(Culprit("device", "sda"),)) is Confidence.MEDIUM
