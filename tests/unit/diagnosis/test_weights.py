# SPDX-License-Identifier: GPL-3.0-or-later
"""What cost the player the most time is told first."""

from dataclasses import replace

import pytest

from destutter.diagnosis.causes.registry import CAUSE_BY_ID
from destutter.diagnosis.finding import Confidence, Finding, Group, Spike
from destutter.diagnosis.findings.correlator import Match
from destutter.diagnosis.findings.order import ranked, with_few
from destutter.diagnosis.findings.stutter_parts import OWN, UNKNOWN
from destutter.diagnosis.findings.weights import Weights
from destutter.diagnosis.lost_time import MOST_MS, TimeLost
from destutter.ui.guide.answer import Answer
from destutter.words.measures import NBSP
from destutter.words.renderer import english
from tests.support.engine_scenes import SOURCES, WAITS_FOR_DRIVE, WORKING, assessed, begin, see

NO_CORE = {"game.run_delay_ns": 1e9, "pressure:cpu.some_us": 9e5, "stat.running": 6}
CORE, DRIVE = "run_queue_delay", "slow_device"


def _spikes(count, lost_ms, first_s=0):
    return [
        Spike((first_s + 20 * at + 20) * 10**9, lost_ms + 16.0, "mangohud", usual_ms=16.0)
        for at in range(count)
    ]


def _found(cause, spikes, confidence=Confidence.HIGH):
    group = CAUSE_BY_ID[cause].group
    finding = Finding(cause, group, confidence, len(spikes), 23, 0, 1, ())
    return finding, Match(tuple(spikes), (), len(spikes), direct=0, share=0.1, chance=0.1)


def _lost(total_ms, traced_ms=0.0, **parts):
    return TimeLost(total_ms, parts, traced_ms)


def _told(found, spikes, parts=None):
    weighed = Weights(spikes, parts or {}).of(found)
    return [finding.cause for finding, _ in ranked(weighed, CAUSE_BY_ID)]


def test_three_freezes_come_before_many_short_waits():
    """14 of 23 waited for a core, up to 139 ms; the game froze three times for 14 s on a drive."""
    waits, freezes = _spikes(14, 139.0), _spikes(3, 14_000.0, first_s=400)
    found = [_found(CORE, waits), _found(DRIVE, freezes, Confidence.MEDIUM)]
    assert _told(found, [*waits, *freezes]) == [DRIVE, CORE]


def test_one_freeze_does_not_speak_for_an_evening_of_stutters():
    """A minute at a menu counts as 10 s: 300 stutters of 100 ms took a player more."""
    waits, freeze = _spikes(300, 100.0), _spikes(1, 60_000.0, first_s=7000)
    found = [_found(DRIVE, freeze), _found(CORE, waits)]
    assert _told(found, [*waits, *freeze]) == [CORE, DRIVE]
    few = waits[:80]
    assert _told([_found(CORE, few), found[0]], [*few, *freeze]) == [DRIVE, CORE]


def test_of_a_stutter_that_two_explain_each_has_its_measured_part():
    """All of 16 met the crowd; of the freezes the drive had 13 s and a core one."""
    waits, freezes = _spikes(13, 100.0), _spikes(3, 14_000.0, first_s=400)
    parts = {each.monotonic_ns: _lost(100.0, cpu=100.0) for each in waits}
    parts |= {each.monotonic_ns: _lost(14e3, storage=13e3, cpu=1e3) for each in freezes}
    spikes = [*waits, *freezes]
    weighed = Weights(spikes, parts).of([_found(CORE, spikes), _found(DRIVE, freezes)])
    assert [finding.cause for finding, _ in ranked(weighed, CAUSE_BY_ID)] == [DRIVE, CORE]
    (core, _), (drive, _) = weighed
    assert (core.lost_ms, drive.lost_ms) == (4_300.0, 39_000.0)
    assert drive.weight == pytest.approx(3 * MOST_MS / (3 * MOST_MS + 1_300.0))
    assert drive.is_most_lost
    assert not core.is_most_lost
    # Of hitches alone nothing was lost, and "0 ms, most of what was lost" stood there.
    assert not replace(drive, stutters_total=0, stutters_explained=0).is_most_lost


@pytest.mark.parametrize(
    ("cause", "lost", "own_ms"),
    [
        (DRIVE, _lost(100.0, 60.0, storage=60.0, **{OWN: 20.0, UNKNOWN: 20.0}), 60.0),
        (DRIVE, _lost(100.0, storage=60.0, **{OWN: 20.0, UNKNOWN: 20.0}), 80.0),
        (CORE, _lost(100.0, **{OWN: 70.0, UNKNOWN: 30.0}), 30.0),
        ("irq_storm", _lost(100.0, **{OWN: 70.0, UNKNOWN: 30.0}), 100.0),
        (DRIVE, _lost(100.0), 100.0),
    ],
    ids=["traced", "not known", "own work", "slower work", "nothing known"],
)
def test_a_cause_has_what_was_measured_of_it_and_without_a_trace_what_nobody_knows(
    cause, lost, own_ms
):
    """What went elsewhere is not its; interrupts make the game's own work last longer."""
    (spike,) = _spikes(1, 100.0)
    finding, _ = _found(cause, [spike])
    assert Weights([spike], {spike.monotonic_ns: lost}).own_ms(spike, finding) == own_ms


@pytest.mark.parametrize(("freezes", "first"), [(2, CORE), (5, DRIVE)])
def test_a_guess_comes_before_what_is_known_only_with_several_times_its_time(freezes, first):
    """10 s are known; 20 s of a guess stand behind them, 50 do not."""
    known, guessed = _spikes(100, 100.0), _spikes(freezes, 10_000.0, first_s=3000)
    found = [_found(CORE, known), _found(DRIVE, guessed, Confidence.LOW)]
    assert _told(found, [*known, *guessed])[0] == first


def test_few_stutters_with_most_of_the_time_are_no_mere_part_of_many():
    """Three freezes that another cause met as well were told as a guess."""
    waits, freezes = _spikes(13, 100.0), _spikes(3, 14_000.0, first_s=400)
    spikes = [*waits, *freezes]
    parts = {each.monotonic_ns: _lost(14e3, storage=13e3, cpu=1e3) for each in freezes}
    found = Weights(spikes, parts).of([_found(CORE, spikes), _found(DRIVE, freezes)])
    assert [each.confidence for each, _ in with_few(found)] == [Confidence.HIGH] * 2


def test_a_stutter_is_its_foremost_cause_s_that_has_a_good_part_of_it():
    """The first of the list had 1 s of a freeze of 14 and stood in the list of stutters for it."""
    (spike,) = _spikes(1, 14_000.0)
    parts = {spike.monotonic_ns: _lost(14e3, storage=13e3, cpu=1e3)}
    found = [_found(CORE, [spike]), _found(DRIVE, [spike])]
    (told,) = Weights([spike], parts).with_causes([spike], found)
    assert (told.cause, told.group, told.is_guess) == (DRIVE, Group.STORAGE, False)
    guess = [found[0], _found(DRIVE, [spike], Confidence.LOW)]
    (told,) = Weights([spike], parts).with_causes([spike], guess)
    assert told.cause == CORE


def test_a_guess_with_most_of_the_lost_time_is_no_aside():
    """Three of 23 stutters, and 40 of 44 s."""
    waits, freezes = _spikes(20, 100.0), _spikes(3, 14_000.0, first_s=500)
    found = _found(DRIVE, freezes, Confidence.LOW)
    ((finding, _),) = Weights([*waits, *freezes], {}).of([found])
    assert not finding.is_doubted
    assert found[0].is_doubted


def test_verdict_and_guide_tell_what_cost_most_and_say_why_it_is_first():
    """Ten waits of 0.2 s for a core, two freezes of 6 s on a drive: the headline was the core."""
    script = begin(SOURCES)
    for turn in range(12):
        is_freeze = turn in (3, 8)
        script.run(4.8, WORKING).frames(*[16.67] * 288)
        see(script, ("io",) if is_freeze else ())
        waits, length_s = (WAITS_FOR_DRIVE, 6.0) if is_freeze else (NO_CORE, 0.2)
        script.run(length_s, waits).frames(1e3 * length_s)
        see(script, ())
    script.run(3, WORKING).frames(*[16.67] * 180)
    for is_whole in (False, True):
        told = assessed(script, is_whole=is_whole)
        assert told.verdict.finding.group is Group.STORAGE
        assert told.verdict.headline.values["group"] == "storage"
        assert told.findings[0].group is Group.STORAGE
        said = english(told.verdict.most_lost).replace(NBSP, " ")
        assert said == "They took 12 s of the 13.8 s that were lost."
        answer = Answer(told).finding
        assert answer is not None
        assert answer.cause == told.verdict.finding.cause
