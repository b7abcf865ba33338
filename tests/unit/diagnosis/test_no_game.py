# SPDX-License-Identifier: GPL-3.0-or-later
"""Without a game the computer is told of, and no game."""

from destutter.core.statement import Statement
from destutter.diagnosis.assessor import _of_computer
from destutter.diagnosis.causes.registry import CAUSE_BY_ID
from destutter.diagnosis.finding import Assessment, Confidence, Finding
from destutter.words.renderer import english
from tests.support.engine_scenes import assessed
from tests.support.scripted_source import Script

CROWD = {"pressure:cpu.some_us": 9e5, "stat.running": 12, "stat.user": 390, "stat.idle": 10}


def _crowded(script: Script, times: int) -> Script:
    for _ in range(times):
        script.run(4)
        script.hiccup(60.0).run(1, CROWD)
    return script


def _said(told: Assessment) -> list[str]:
    below = map(english, told.verdict.below)
    reasons = (english(each) for finding in told.findings for each in finding.reasons)
    return [*below, *reasons]


def test_no_sentence_speaks_of_a_game_that_is_not_there():
    """ "A wait of the game itself was measured" stood in an empty home."""
    told = assessed(_crowded(Script().run(10), 12).run(3))
    assert told.is_of_computer
    assert told.verdict.is_of_computer
    assert told.findings
    assert not [each for each in _said(told) if "game" in each.lower()]


def test_both_pages_count_alike_and_are_as_sure():
    """Live had 30 hiccups and "medium", Causes 23 stutters and "high"."""
    told = assessed(_crowded(Script().run(10), 15).run(3))
    assert told.is_of_computer
    count = told.verdict.headline.values["count"]
    assert {each.stutters_total for each in told.findings} == {count} == {len(told.spikes)}
    if told.verdict.finding is not None:
        same = next(each for each in told.findings if each.cause == told.verdict.finding.cause)
        assert same.confidence is told.verdict.finding.confidence


def test_no_late_wakeup_was_a_wait_of_a_game():
    """What was measured is the probe's own wait, whatever was watched meanwhile."""
    reasons = (Statement("reason.timing"), Statement("reason.direct"))
    cause = CAUSE_BY_ID["run_queue_delay"]
    finding = Finding(cause.id, cause.group, Confidence.HIGH, 1, 1, 0, 1, (), reasons=reasons)
    told = [each.id for each in _of_computer(finding).reasons]
    assert told == ["reason.timing", "reason.direct.computer"]
