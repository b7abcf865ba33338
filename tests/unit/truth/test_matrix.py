# SPDX-License-Identifier: GPL-3.0-or-later
"""Counting what was said about stutters that were made on purpose."""

import pytest

from tests.truth.makes import MAKES
from tests.truth.matrix import failures, report, score, score_of
from tests.truth.outcome import Answer, Outcome
from tests.truth.scenarios import SCENARIOS

MAKE = MAKES[0].name


def _outcome(causes, answers, felt=6, **more):
    answers = [Answer(cause, confidence, 3, ["dd"]) for cause, confidence in answers]
    more = {"also": [], "needed": 5, "make": MAKE, "stutters": felt, **more}
    return Outcome("made", causes, answers=answers, felt=felt, **more)


RECLAIM = ("direct_reclaim", "high")
DRIVE = ("slow_device", "high")
NAMED = _outcome(["direct_reclaim"], [RECLAIM])
MISSED = _outcome(["direct_reclaim"], [])
WRONG = _outcome(["direct_reclaim"], [DRIVE])
SECOND = _outcome(["direct_reclaim"], [RECLAIM, DRIVE])
DOUBTED = _outcome(["direct_reclaim"], [("direct_reclaim", "low"), ("slow_device", "low")])
BESIDE = _outcome(["direct_reclaim"], [DRIVE], also=["slow_device"])
UNFELT = _outcome(["direct_reclaim"], [DRIVE], felt=4)
NO_RULE = _outcome(["no_such_rule"], [DRIVE])
QUIET = _outcome([], [], felt=0, needed=0)
ALARM = _outcome([], [DRIVE])
CAUTIOUS = _outcome([], [("slow_device", "medium")])
DISTURBED = _outcome([], [("run_queue_delay", "high")], delayed_share=0.8)


def _pair(count):
    return count.hits, count.of


@pytest.mark.parametrize(
    ("outcome", "recall", "precision"),
    [
        (NAMED, (1, 1), (1, 1)),
        (MISSED, (0, 1), (0, 0)),
        (WRONG, (0, 1), (0, 1)),
        (SECOND, (1, 1), (1, 2)),
        (DOUBTED, (1, 1), (0, 0)),
        (BESIDE, (0, 1), (1, 1)),
        (UNFELT, (0, 0), (0, 0)),
        (NO_RULE, (0, 0), (0, 0)),
        (QUIET, (0, 0), (0, 0)),
        (ALARM, (0, 0), (0, 1)),
        (CAUTIOUS, (0, 0), (0, 1)),
        (DISTURBED, (0, 0), (0, 0)),
    ],
)
def test_what_a_trial_counts_for(outcome, recall, precision):
    """Recall over what was felt and has a rule, precision over every claim, noise left out."""
    counted = score([outcome])
    assert _pair(counted.recall) == recall
    assert _pair(counted.precision) == precision


@pytest.mark.parametrize(
    ("outcome", "alarms"),
    [(NAMED, 0), (WRONG, 1), (BESIDE, 0), (NO_RULE, 1), (ALARM, 1), (CAUTIOUS, 0), (DISTURBED, 0)],
)
def test_false_alarms_are_those_of_high_confidence(outcome, alarms):
    """Also where there is no rule for the truth yet; a caution is none."""
    assert len(outcome.false_alarms) == alarms


@pytest.mark.parametrize(
    ("outcome", "culprits"),
    [
        (NAMED, (0, 0)),
        (_outcome(["direct_reclaim"], [RECLAIM], culprits=["cat", "dd"]), (1, 1)),
        (_outcome(["direct_reclaim"], [RECLAIM], culprits=["cat"]), (0, 1)),
        (_outcome(["direct_reclaim"], [DRIVE], culprits=["dd"]), (0, 0)),
        (_outcome(["direct_reclaim"], [RECLAIM], felt=1, culprits=["dd"]), (0, 0)),
    ],
)
def test_one_of_the_culprits_has_to_be_told_where_the_cause_is_named(outcome, culprits):
    """A cause that was not named is missed once and not twice."""
    assert _pair(score([outcome]).culprits) == culprits


def test_a_bystander_may_not_be_named_beside_who_did_it():
    """However busy it was; that the one who did it stands there too is no excuse."""
    outcome = _outcome(["direct_reclaim"], [RECLAIM], culprits=["dd"])
    assert outcome.is_culprit_right
    outcome.innocents.append(outcome.answers[0].culprits[0])
    assert not outcome.is_culprit_right


def test_who_is_told_beside_another_cause_is_no_culprit():
    """Only at the answer that names what was made."""
    outcome = _outcome(["direct_reclaim"], [RECLAIM, DRIVE], culprits=["fio"])
    outcome.answers[1].culprits.append("fio")
    assert not outcome.is_culprit_right


@pytest.mark.parametrize(
    ("outcome", "cleared"),
    [
        (_outcome(["direct_reclaim"], [], cleared=["storage", "cpu"]), ""),
        (_outcome(["direct_reclaim"], [], cleared=["memory", "storage"]), "memory"),
        (_outcome(["slow_device", "direct_reclaim"], [], cleared=["storage"]), "storage"),
        (_outcome(["direct_reclaim"], [], verdict="smooth"), "smooth"),
        (_outcome([], [], verdict="smooth"), "smooth"),
        (_outcome([], [], felt=0, verdict="smooth"), ""),
        (_outcome([], [], cleared=["memory", "storage", "cpu"]), ""),
        (_outcome(["no_such_rule"], [], cleared=["memory"]), ""),
    ],
)
def test_clearing_what_was_made_is_false(outcome, cleared):
    """The group of a cause that was made, or all of it while somebody feels stutters."""
    assert outcome.false_clearing == cleared


def test_false_clearing_is_counted_over_trials_with_stutters():
    """A quiet run has nothing that could be cleared falsely."""
    guilty = _outcome(["direct_reclaim"], [], cleared=["memory"])
    assert _pair(score([guilty, NAMED, QUIET, UNFELT]).clearing) == (1, 2)


def test_too_few_stutters_say_nothing():
    """Neither right nor wrong; one that could not be made is none of them."""
    assert UNFELT.is_too_few
    assert not UNFELT.is_judged
    assert not QUIET.is_too_few
    assert not _outcome(["slow_device"], [], felt=0, cannot="no such drive").is_too_few
    lines = report([UNFELT, NAMED]).splitlines()
    assert "too few stutters to judge, not counted: 1" in lines
    assert f"  made {MAKE} (seed 0): 4 of 5" in lines
    assert any("slow_device?" in line for line in lines)


@pytest.mark.parametrize(
    ("outcome", "wrong"),
    [
        (NAMED, []),
        (MISSED, ["not named: direct_reclaim"]),
        (ALARM, ["false claim: slow_device high 3"]),
        (UNFELT, []),
        (
            _outcome(["direct_reclaim"], [RECLAIM], culprits=["cat"], cleared=["memory"]),
            ["culprit missed: cat", "falsely cleared: memory"],
        ),
    ],
)
def test_what_went_wrong_is_told(outcome, wrong):
    """Each thing of a trial that counts."""
    assert failures(outcome) == wrong


def test_the_report_has_a_matrix_for_each_make_and_for_all():
    """One row for each scenario, one column for each answer; then figures and what failed."""
    other = _outcome(["direct_reclaim"], [RECLAIM], make=MAKES[3].name)
    cannot = _outcome(["slow_device"], [], felt=0, cannot="no such drive")
    lines = report([NAMED, MISSED, ALARM, other, cannot]).splitlines()
    titles = [line.split(":")[0] for line in lines if line.endswith("made, and said first")]
    assert titles == [MAKES[0].name, MAKES[3].name, "all makes"]
    assert lines[1].split()[-3:] == ["direct_reclaim", "none", "slow_device"]
    assert _row(lines, "recall") == "recall 50 % 1 of 2 100 % 1 of 1 67 % 2 of 3"
    assert _row(lines, "precision") == "precision of claims 50 % 1 of 2 100 % 1 of 1 67 % 2 of 3"
    assert f"  made {MAKE} (seed 0): not named: direct_reclaim. Said: none" in lines
    assert "trials that went wrong: 2" in lines
    assert "cannot be made here: made: no such drive" in lines


def _row(lines, name):
    (line,) = [line for line in lines if line.startswith(name)]
    return " ".join(line.split())


def test_each_cause_has_its_own_recall_and_precision():
    """Who made it and was named; who was claimed and held."""
    outcomes = [NAMED, NAMED, MISSED, WRONG, ALARM, DISTURBED]
    assert [_pair(each) for each in score_of("direct_reclaim", outcomes)] == [(2, 4), (2, 2)]
    assert [_pair(each) for each in score_of("slow_device", outcomes)] == [(0, 0), (0, 2)]
    assert any(line.startswith("slow_device") for line in report(outcomes).splitlines())


def test_a_trial_that_others_disturbed_does_not_count():
    """Their work is in the recording, whether the victim waited for it or not."""
    foreign = _outcome(["direct_reclaim"], [DRIVE], foreign_share=0.3)
    assert score([foreign]) == score([])
    assert "trials that went wrong: 0" in report([foreign]).splitlines()


ROBBED = {"stolen_ms": 40.0}


@pytest.mark.parametrize("answers", [[RECLAIM], [("cpu_steal", "high")], []])
def test_a_trial_from_which_the_host_took_a_stutter_s_time_does_not_count(answers):
    """Right or wrong: the host alone would have made stutters, so that there were two causes."""
    robbed = _outcome(["direct_reclaim"], answers, **ROBBED)
    assert score([robbed]) == score([])
    assert robbed.false_alarms == []
    lines = report([robbed, NAMED]).splitlines()
    right = int(robbed.answer == "direct_reclaim")
    counts = "disturbed trials, not counted: 1 of 2, 1 of them by the host; "
    assert f"{counts}the answer would have been right in {right}" in lines
    why = "(late 0.00, foreign 0.00, host 0.00 and 40 ms at once)"
    assert f"  made {MAKE} (seed 0): {robbed.answer} {why}" in lines


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
    assert score([outcome]).recall.of == 1


def test_what_the_host_took_bit_by_bit_counts_like_other_programs():
    """A twentieth for each makes a tenth."""
    assert _outcome([], [], foreign_share=0.05, stolen_share=0.05).is_disturbed


def test_a_scenario_that_was_never_judged_is_named():
    """Else nobody would see that it has no result; in another make it may have one."""
    other = _outcome(["direct_reclaim"], [RECLAIM], make=MAKES[3].name)
    lines = report([_outcome(["direct_reclaim"], [], **ROBBED), other]).splitlines()
    assert f"never judged: made {MAKE}" in lines
    assert any(f"{100 / 3:.0f} ms or more" in line for line in lines)


def test_without_trials_nothing_is_claimed():
    """No division, no hundred percent."""
    assert _row(report([]).splitlines(), "recall") == "recall - 0 of 0"


def test_scenarios_are_told_apart_and_cover_quiet_runs():
    """Each name once; ten causes at least, and quiet runs and decoys beside them."""
    names = [scenario.name for scenario in SCENARIOS]
    assert len(set(names)) == len(names)
    assert len({cause for scenario in SCENARIOS for cause in scenario.causes}) >= 10
    assert sum(scenario.is_decoy for scenario in SCENARIOS) >= 5
