# SPDX-License-Identifier: GPL-3.0-or-later
"""The verdict, the findings below it and the tiles never say different things."""

import contextlib
import random

import pytest

from destutter.analysis.examining.pipeline import Pipeline
from destutter.core.sample import Sample
from destutter.diagnosis.assessor import Assessor
from destutter.diagnosis.finding import BUSY, TileState, VerdictKind
from destutter.diagnosis.findings.time_lost import lost_ms
from destutter.session.replay import ReplaySource
from tests.support.recordings import EACH_RECORDING

BLAMED = {TileState.CAUSING, TileState.LIKELY}


def _check(assessment):
    verdict, recent = assessment.verdict, assessment.spikes
    tiles = {group.group.value: group.state for group in assessment.groups}
    cleared = [name for name in str(verdict.detail.values.get("quiet", "")).split(",") if name]
    for name in cleared:
        assert tiles[name] not in BLAMED, (verdict, assessment.groups)
    for finding in assessment.findings:
        assert finding.stutters_explained <= finding.stutters_total == len(recent)
        assert finding.hitches_explained <= finding.hitches_total == len(assessment.hitches)
        if finding.group.value in cleared:
            last_ns = max(spike.monotonic_ns for spike in recent)
            assert not (finding.first_ns <= last_ns <= finding.last_ns), (verdict, finding)
    if verdict.kind is VerdictKind.STUTTER:
        assert verdict.finding in assessment.findings
        assert verdict.finding.stutters_explained
        may_be = {*BLAMED, TileState.WATCH} if verdict.finding.kind == BUSY else BLAMED
        assert tiles[verdict.finding.group.value] in may_be
        assert any(spike.cause == verdict.finding.cause for spike in recent)
    if verdict.kind is VerdictKind.SMOOTH:
        assert not BLAMED & {*tiles.values()}
    lost = assessment.lost
    assert lost.total_ms == pytest.approx(sum(map(lost_ms, recent)))
    assert sum(lost.parts.values()) == pytest.approx(lost.total_ms)
    assert min(lost.parts.values(), default=0.0) >= 0.0
    if verdict.detail.id.startswith("verdict.own_work"):
        values = verdict.detail.values
        is_brief = verdict.detail.id.startswith("verdict.own_work_brief.")
        assert is_brief is ("thread" not in values)
        assert 0.5 <= (values["run_ms"] + values.get("held_ms", 0.0)) / values["of_ms"] <= 1.0


@pytest.mark.parametrize("path", EACH_RECORDING)
def test_recordings_at_random_moments(path):
    """Asked at a dozen moments of each recording, with a span of its own each time."""
    chance = random.Random(path.stem)  # noqa: S311  the same moments in every run
    recent_s = chance.choice((5.0, 20.0, 120.0))
    pipeline = Pipeline(Assessor(recent_s=recent_s))
    asked = 0
    with contextlib.closing(ReplaySource(path)) as source:
        messages = list(source.messages())
    for message in messages:
        pipeline.accept_message(message)
        if isinstance(message, Sample) and chance.random() < 0.04:
            snapshot = pipeline.take_snapshot()
            if snapshot is not None:
                _check(snapshot.assessment)
                asked += 1
    assert asked
