# SPDX-License-Identifier: GPL-3.0-or-later
"""The confusion matrix: what was made, and what was said."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from destutter.diagnosis.causes import CAUSE_BY_ID
from tests.truth.outcome import STOLEN_MS, Outcome

NOTHING = ("none", "smooth")
_LEGEND = f"""
* disturbed, and in no number below, whatever the answer: the victim really waited for a processor
  that nobody was meant to take, other programs used much, or the host of this virtual machine
  took {STOLEN_MS:.0f} ms or more of a tenth of a second from one processor, which alone makes a
  stutter. Such a trial is played again, a few times.
"""


@dataclass(frozen=True)
class Score:
    """Counts over trials with a known truth.

    A trial counts for ``made`` when a cause with a rule was made and the victim stuttered. It is
    ``named`` when the foremost answer is that cause. ``said`` are all answers that came first,
    in all trials with a rule, quiet runs and decoys; ``true`` are those that hold.
    """

    made: int
    named: int
    said: int
    true: int

    @property
    def recall(self) -> float | None:
        """The share of stutters' causes that were named; None without any."""
        return self.named / self.made if self.made else None

    @property
    def precision(self) -> float | None:
        """The share of answers that were true; None without an answer."""
        return self.true / self.said if self.said else None


def has_rule(outcome: Outcome) -> bool:
    """Whether there is a rule for what was made."""
    return bool(set(outcome.causes) & CAUSE_BY_ID.keys())


def score(outcomes: Iterable[Outcome]) -> Score:
    """Count. Trials that could not be made, or were disturbed, do not."""
    made = named = said = true = 0
    for each in outcomes:
        if not counts(each):
            continue
        if each.causes and each.stutters:
            made += 1
            named += each.answer in each.causes
        if each.answer not in NOTHING:
            said += 1
            true += each.answer in {*each.causes, *each.also}
    return Score(made, named, said, true)


def score_of(cause: str, outcomes: Iterable[Outcome]) -> Score:
    """The same for one cause: trials that made it, and first answers that named it."""
    made = named = said = true = 0
    for each in outcomes:
        if not counts(each):
            continue
        if cause in each.causes and each.stutters:
            made += 1
            named += each.answer in each.causes
        if each.answer == cause:
            said += 1
            true += cause in {*each.causes, *each.also}
    return Score(made, named, said, true)


def counts(outcome: Outcome) -> bool:
    """Whether a trial says anything: it could be made, there is a rule, and nobody disturbed."""
    has_truth = not outcome.causes or has_rule(outcome)
    return not outcome.cannot and not outcome.is_disturbed and has_truth


def report(outcomes: Sequence[Outcome]) -> str:
    """The matrix and the numbers, as text."""
    played = [each for each in outcomes if not each.cannot]
    lines = [*_matrix(played), "", *_by_cause(played)]
    total = score(played)
    lines += [
        "",
        f"recall     {_share(total.recall)}  ({total.named} of {total.made} causes with a rule)",
        f"precision  {_share(total.precision)}  ({total.true} of {total.said} first answers)",
    ]
    quiet = [each for each in played if not each.causes]
    undisturbed = [each for each in played if not each.is_disturbed]
    false = [(each.scenario, alarm) for each in undisturbed for alarm in each.false_alarms]
    calm = [each for each in quiet if not each.is_disturbed]
    of_quiet = sum(1 for each in calm if each.false_alarms)
    unfelt = sum(1 for each in undisturbed if each.causes and not each.stutters)
    lines.append("false findings of high confidence")
    lines.append(f"  in quiet runs and decoys   {of_quiet} of {len(calm)}")
    lines.append(f"  in all trials              {len(false)} in {len(undisturbed)}")
    lines += [f"  {name}: {cause}" for name, cause in false]
    lines += _disturbed(played)
    lines.append(f"without a stutter although a cause was made: {unfelt}")
    reasons = {each.scenario: each.cannot for each in outcomes if each.cannot}
    lines += [f"cannot be made here: {name}: {why}" for name, why in reasons.items()]
    return "\n".join(lines)


def disturbance(outcome: Outcome) -> str:
    """What disturbed a trial, in numbers."""
    return (
        f"late {outcome.delayed_share:.2f}, foreign {outcome.foreign_share:.2f}, host "
        f"{outcome.stolen_share:.2f} and {outcome.stolen_ms:.0f} ms at once"
    )


def _disturbed(played: Sequence[Outcome]) -> list[str]:
    """The trials that do not count, each with its numbers, and what was said in them."""
    disturbed = [each for each in played if each.is_disturbed]
    by_host = sum(each.is_robbed for each in disturbed)
    right = sum(each.answer in (each.causes or NOTHING) for each in disturbed)
    total = f"{len(disturbed)} of {len(played)}, {by_host} of them by the host"
    lines = [
        f"disturbed trials, not counted: {total}; the answer would have been right in {right}",
        *(f"  {each.scenario}: {each.answer} ({disturbance(each)})" for each in disturbed),
    ]
    calm = {each.scenario for each in played if not each.is_disturbed}
    never = dict.fromkeys(each.scenario for each in disturbed if each.scenario not in calm)
    return lines + [f"never without a disturbance: {name}" for name in never]


def _by_cause(outcomes: Sequence[Outcome]) -> list[str]:
    """Recall and precision of each cause that was made or said."""
    causes = {cause for each in outcomes for cause in each.causes}
    causes |= {each.answer for each in outcomes if each.answer not in NOTHING}
    rows = ["cause                 recall             precision"]
    for cause in sorted(causes):
        own = score_of(cause, outcomes)
        named, true = f"{own.named} of {own.made}", f"{own.true} of {own.said}"
        shares = f"{_share(own.recall):>5}  {named:10}  {_share(own.precision):>5}  {true}"
        rows.append(f"{cause:20}  {shares}")
    return rows


def _matrix(outcomes: Sequence[Outcome]) -> list[str]:
    counts: dict[str, Counter[str]] = {}
    for each in outcomes:
        answer = each.answer + ("*" if each.is_disturbed else "")
        counts.setdefault(_row(each), Counter())[answer] += 1
    answers = sorted({answer for row in counts.values() for answer in row})
    table = [["made \\ said first", *answers]]
    for row, counter in counts.items():
        table.append([row, *(str(counter[answer] or ".") for answer in answers)])
    widths = [max(len(line[column]) for line in table) for column in range(len(table[0]))]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in table
    ] + _LEGEND.rstrip().splitlines()


def _row(outcome: Outcome) -> str:
    if not outcome.causes:
        return f"{outcome.scenario} (nothing)"
    rule = "" if has_rule(outcome) else ", no rule yet"
    return f"{outcome.scenario} ({'/'.join(outcome.causes)}{rule})"


def _share(value: float | None) -> str:
    return "  -  " if value is None else f"{100 * value:.0f} %"
