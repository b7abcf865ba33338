# SPDX-License-Identifier: GPL-3.0-or-later
"""Recordings of known causes, with time that the host of a virtual machine took on top of them."""

import contextlib
from dataclasses import replace
from pathlib import Path

import pytest

from destutter.analysis.examining.pipeline import Pipeline
from destutter.core.sample import Layout, Sample
from destutter.diagnosis.assessor import Assessor
from destutter.diagnosis.finding import BUSY
from destutter.session.replay import ReplaySource
from tests.truth.judge import judgement_of

SESSIONS = Path(__file__).parents[2] / "data/sessions"
_BEFORE_NS = 300_000_000
_LOST_TICKS = 7  # of the twenty that two processors have in a tenth of a second: 70 ms, as seen
_NEARER = [
    "compaction",
    "contended_reads_none",
    "dirty_throttling",
    "global_reclaim",
    "group_reclaim",
    "swap_file",
    "swap_zram",
]


def _findings(name):
    """What is said when the host takes time at each stutter and at no other moment."""
    recording = SESSIONS / f"{name}.destutter"
    spikes = judgement_of(recording).assessment.spikes
    pipeline = Pipeline(assessor := Assessor(horizon_s=None, recent_s=None))
    fields: tuple[str, ...] = ()
    lost = 0
    with contextlib.closing(ReplaySource(recording)) as source:
        for message in source.messages():
            if isinstance(message, Layout) and message.source == "stat":
                fields = message.fields
            if not isinstance(message, Sample):
                pipeline.accept_message(message)
                continue
            at = message.monotonic_ns
            if any(each.start_ns - _BEFORE_NS < at < each.monotonic_ns for each in spikes):
                lost += _LOST_TICKS
            readings = tuple(_robbed(each, fields, lost) for each in message.readings)
            pipeline.accept_message(replace(message, readings=readings))
    return assessor.assess().findings


def _robbed(reading, fields, lost):
    if reading.source != "stat":
        return reading
    values = dict(zip(fields, reading.values, strict=True))
    values["steal"] += lost
    return reading._replace(values=tuple(values.values()))


@pytest.mark.parametrize("name", _NEARER)
def test_what_the_game_waited_for_is_named_and_steal_beside_it(name):
    """The host took time at the very stutters; what was made stays the first answer."""
    before = judgement_of(SESSIONS / f"{name}.destutter").assessment.findings[0].cause
    causes = [each.cause for each in _findings(name)]
    assert causes[0] == before
    assert "cpu_steal" in causes


@pytest.mark.parametrize("name", ["slow_game", "slow_game_and_copy"])
def test_steal_is_named_where_the_game_waited_for_nothing_else(name):
    """The same time taken from a game that nothing of the system held up.

    A copy that goes on meanwhile is told as a busy drive, which is no cause by itself.
    """
    causes = [each.cause for each in _findings(name) if each.kind != BUSY]
    assert causes[0] == "cpu_steal"


def test_a_game_that_was_stopped_did_not_wait_for_the_host():
    """It would have done nothing with the time that the host took meanwhile."""
    assert not any(each.stutters_explained for each in _findings("stopped"))
