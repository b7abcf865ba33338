# SPDX-License-Identifier: GPL-3.0-or-later
"""Recordings of stutters with known causes, and what must and must not be said about them."""

import functools
import json

import pytest

from destutter.diagnosis.causes.registry import CAUSE_BY_ID
from destutter.diagnosis.finding import Confidence
from tests.support.recordings import EACH_RECORDING, RECORDINGS
from tests.truth import judge

# One worker judges each recording, once for all of these.
pytestmark = pytest.mark.xdist_group("sessions")

judgement_of = functools.cache(judge.judgement_of)


@pytest.fixture(params=EACH_RECORDING)
def session(request):
    """What is true about a recording, and what is said about it."""
    truth = json.loads(request.param.with_suffix(".json").read_text())
    return truth, judgement_of(request.param)


def test_there_are_recordings():
    """Of troubles, of quiet runs and of decoys."""
    truths = [json.loads(path.with_suffix(".json").read_text()) for path in RECORDINGS]
    assert sum(bool(truth["causes"]) for truth in truths) >= 5
    assert sum(not truth["causes"] for truth in truths) >= 3


def test_stutters_of_the_victim_are_seen(session):
    """As many as when it was recorded, within one, and one in the first half second: those were
    judged without a usual frame time then. Without frames they are told by the game's pace.
    """
    truth, told = session
    origins = {spike.origin for spike in told.assessment.spikes}
    assert origins <= {"mangohud"} or origins == {"rhythm"}
    assert -1 <= len(told.assessment.spikes) - truth["stutters"] <= 2


def test_nothing_false_is_said_with_confidence(session):
    """High confidence is for what is true, whatever rules will be added."""
    truth, told = session
    true = {*truth["causes"], *truth["also"]}
    said = {
        finding.cause
        for finding in told.assessment.findings
        if finding.confidence is Confidence.HIGH and finding.stutters_explained
    }
    assert said <= true


def test_a_drive_that_is_named_is_a_drive(session):
    """The game's own wait for drives is of no drive, and lends none its name."""
    _, told = session
    reasons = [group.reason.values for group in told.assessment.groups]
    named = {reason["device"] for reason in reasons if "device" in reason}
    assert all(name.startswith(("vd", "sd", "nvme", "loop", "dm-")) for name in named), named


def test_a_tile_says_the_number_of_what_it_speaks_of():
    """Of the measurements in per cent, the one of the limit, not the game's share of waiting."""
    told = judgement_of(RECORDINGS[0].with_stem("dirty_throttling")).assessment
    (said,) = [each.reason for each in told.groups if "value_pct" in each.reason.values]
    measured = {each.metric: each.value for each in told.findings[0].evidence}
    assert said.values["value_pct"] == measured["memory.dirty_of_threshold_pct"]
    assert said.values["value_pct"] != measured["game.dirty_wait_pct"]


def test_the_cause_that_was_named_stays_named(session):
    """Where the foremost finding was the truth, it remains so."""
    truth, told = session
    if truth["is_named"]:
        assert set(truth["causes"]) & CAUSE_BY_ID.keys()
        assert told.assessment.findings[0].cause in truth["causes"]
