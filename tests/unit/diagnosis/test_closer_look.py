# SPDX-License-Identifier: GPL-3.0-or-later
"""When a look at the kernel's trace is offered."""

from dataclasses import replace

import pytest

from destutter.diagnosis.closer_look import is_worth_a_closer_look
from destutter.diagnosis.finding import Assessment, Confidence, Spike
from tests.support import live_scenes
from tests.support.known_snapshots import snapshots_of


@pytest.fixture
def assessment() -> Assessment:
    """Stutters with findings that are likely."""
    return snapshots_of(live_scenes.stuttering)[-1].assessment


def sure_of(assessment: Assessment, confidence: Confidence) -> Assessment:
    """The same with findings that are as sure as that, and explain every stutter."""
    first = assessment.findings[0].cause
    return replace(
        assessment,
        findings=tuple(replace(each, confidence=confidence) for each in assessment.findings),
        spikes=tuple(replace(each, cause=first) for each in assessment.spikes),
    )


def test_nothing_to_be_sure_of(assessment: Assessment) -> None:
    """Without a stutter nothing is offered."""
    assert not is_worth_a_closer_look(replace(assessment, spikes=()))


@pytest.mark.parametrize("confidence", Confidence)
def test_what_is_only_likely(assessment: Assessment, confidence: Confidence) -> None:
    """Offered unless each stutter has a cause of high confidence."""
    offered = is_worth_a_closer_look(sure_of(assessment, confidence))
    assert offered == (confidence is not Confidence.HIGH)


def test_a_stutter_without_a_cause(assessment: Assessment) -> None:
    """Offered, however sure the others are."""
    sure = sure_of(assessment, Confidence.HIGH)
    unknown = Spike(sure.monotonic_ns, 200.0, "frame")
    assert is_worth_a_closer_look(replace(sure, spikes=(*sure.spikes, unknown)))
