# SPDX-License-Identifier: GPL-3.0-or-later
"""Counting what was said about stutters that were made on purpose."""

import pytest

from tests.truth.matrix import report, score, score_of
from tests.truth.scenarios import SCENARIOS
from tests.truth.trial import Outcome


def _outcome(causes, answers, stutters=3, **more):
    return Outcome(
        "made", causes, more.pop("also", []), answers=answers, stutters=stutters, **more
    )


NAMED = _outcome(["direct_reclaim"], [("direct_reclaim", "high")])
MISSED = _outcome(["direct_reclaim"], [])
WRONG = _outcome(["direct_reclaim"], [("slow_device", "high")])
BESIDE = _outcome(["direct_reclaim"], [("slow_device", "high")], also=["slow_device"])
UNFELT = _outcome(["direct_reclaim"], [], stutters=0)
NO_RULE = _outcome(["no_such_rule"], [("slow_device", "high")])
QUIET = _outcome([], [], stutters=0)
ALARM = _outcome([], [("slow_device", "high")])
CAUTIOUS = _outcome([], [("slow_device", "medium")])
DISTURBED = _outcome([], [("run_queue_delay", "high")], delayed_share=0.8)


@pytest.mark.parametrize(
    ("outcome", "made_named", "said_true"),
    [
        (NAMED, (1, 1), (1, 1)),
        (MISSED, (1, 0), (0, 0)),
        (WRONG, (1, 0), (1, 0)),
        (BESIDE, (1, 0), (1, 1)),
        (UNFELT, (0, 0), (0, 0)),
        (NO_RULE, (0, 0), (0, 0)),
        (QUIET, (0, 0), (0, 0)),
        (ALARM, (0, 0), (1, 0)),
        (DISTURBED, (0, 0), (0, 0)),
    ],
)
def test_what_a_trial_counts_for(outcome, made_named, said_true):
    """Recall over felt causes with a rule, precision over first answers, noise left out."""
    counted = score([outcome])
    assert (counted.made, counted.named) == made_named
    assert (counted.said, counted.true) == said_true


@pytest.mark.parametrize(
    ("outcome", "alarms"),
    [(NAMED, 0), (WRONG, 1), (BESIDE, 0), (NO_RULE, 1), (ALARM, 1), (CAUTIOUS, 0), (DISTURBED, 0)],
)
def test_false_alarms_are_those_of_high_confidence(outcome, alarms):
    """Also where there is no rule for the truth yet; a caution is none."""
    assert len(outcome.false_alarms) == alarms


def test_the_report_has_the_matrix_and_the_numbers():
    """One row for each scenario, one column for each answer; reasons for what cannot be made."""
    cannot = _outcome(["slow_device"], [], stutters=0, cannot="no such drive")
    text = report([NAMED, NAMED, MISSED, ALARM, cannot])
    lines = text.splitlines()
    assert lines[0].split()[-3:] == ["direct_reclaim", "none", "slow_device"]
    assert "recall     67 %  (2 of 3 causes with a rule)" in lines
    assert "precision  67 %  (2 of 3 first answers)" in lines
    assert "  in quiet runs and decoys   1 of 1" in lines
    assert "cannot be made here: made: no such drive" in lines


def test_each_cause_has_its_own_recall_and_precision():
    """Who made it and was named; who was named and held."""
    outcomes = [NAMED, NAMED, MISSED, WRONG, ALARM, DISTURBED]
    reclaim = score_of("direct_reclaim", outcomes)
    assert (reclaim.made, reclaim.named, reclaim.said, reclaim.true) == (4, 2, 2, 2)
    drive = score_of("slow_device", outcomes)
    assert (drive.made, drive.said, drive.true) == (0, 2, 0)
    assert any(line.startswith("slow_device") for line in report(outcomes).splitlines())


def test_a_trial_that_others_disturbed_does_not_count():
    """Their work is in the recording, whether the victim waited for it or not."""
    foreign = _outcome(["direct_reclaim"], [("slow_device", "high")], foreign_share=0.3)
    assert score([foreign]).made == 0
    assert "  in all trials              0 in 0" in report([foreign]).splitlines()


ROBBED = {"stolen_ms": 40.0}


@pytest.mark.parametrize("answers", [[("direct_reclaim", "high")], [("cpu_steal", "high")], []])
def test_a_trial_from_which_the_host_took_a_stutter_s_time_does_not_count(answers):
    """Right or wrong: the host alone would have made stutters, so that there were two causes."""
    robbed = _outcome(["direct_reclaim"], answers, **ROBBED)
    counted = score([robbed])
    assert (counted.made, counted.named, counted.said, counted.true) == (0, 0, 0, 0)
    assert robbed.false_alarms == []
    lines = report([robbed, NAMED]).splitlines()
    right = int(robbed.answer == "direct_reclaim")
    counts = "disturbed trials, not counted: 1 of 2, 1 of them by the host; "
    assert f"{counts}the answer would have been right in {right}" in lines
    told = f"  made: {robbed.answer} (late 0.00, foreign 0.00, host 0.00 and 40 ms at once)"
    assert told in lines


@pytest.mark.parametrize(
    "outcome",
    [
        _outcome(["direct_reclaim"], [], stolen_ms=30.0),
        _outcome(["cpu_steal"], [], stolen_ms=90.0, stolen_share=0.3),
    ],
)
def test_little_is_taken_by_every_host_and_much_may_be_meant(outcome):
    """30 ms and a frame on time are no stutter; and whoever makes steal wants it named."""
    assert not outcome.is_disturbed
    assert score([outcome]).made == 1


def test_what_the_host_took_bit_by_bit_counts_like_other_programs():
    """A twentieth for each makes a tenth."""
    assert _outcome([], [], foreign_share=0.05, stolen_share=0.05).is_disturbed


def test_a_scenario_that_was_always_disturbed_is_named():
    """Else nobody would see that it has no result."""
    lines = report([_outcome(["direct_reclaim"], [], **ROBBED)]).splitlines()
    assert "never without a disturbance: made" in lines
    assert any("took 33 ms or more" in line for line in lines)


def test_without_trials_nothing_is_claimed():
    """No division, no hundred percent."""
    assert "recall       -  " in report([])


def test_scenarios_are_told_apart_and_cover_quiet_runs():
    """Each name once; ten causes at least, and quiet runs and decoys beside them."""
    names = [scenario.name for scenario in SCENARIOS]
    assert len(set(names)) == len(names)
    assert len({cause for scenario in SCENARIOS for cause in scenario.causes}) >= 10
    assert sum(scenario.is_decoy for scenario in SCENARIOS) >= 5
