# SPDX-License-Identifier: GPL-3.0-or-later
"""The confusion matrix: what was made, and what was said, in each make and in all."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tests.truth.makes import MAKE_BY_NAME
from tests.truth.outcome import STOLEN_MS, Outcome

NOTHING = ("none", "smooth")
_LEGEND = f"""
* disturbed, and in no number, whatever the answer: the victim really waited for a processor that
  nobody was meant to take, other programs used much, or the host of this virtual machine took
  {STOLEN_MS:.0f} ms or more of a tenth of a second from one processor: that alone is a stutter.
? too few stutters to judge, and in no number either. Such trials are played again, a few times.
"""


@dataclass(frozen=True)
class Count:
    """So many of so many."""

    hits: int = 0
    of: int = 0

    @property
    def share(self) -> float | None:
        """None of nothing."""
        return self.hits / self.of if self.of else None

    def __str__(self) -> str:
        """In per cent and as it was counted."""
        share = "-" if self.share is None else f"{100 * self.share:.0f} %"
        return f"{share:>5}  {self.hits} of {self.of}"


@dataclass(frozen=True)
class Score:
    """Counts over trials that say something.

    ``recall``: trials in which a cause with a rule was made, and those of them whose foremost
    answer is that cause. ``precision``: every claim of medium or high confidence, whichever its
    place, and those that hold. ``culprits``: trials named rightly in which a program did it, and
    those in which it is told. ``clearing``: trials with stutters, and those in which the group
    that was made is said to have shown nothing, or all to be smooth. ``alarms``: quiet runs and
    decoys, and those with a false claim of high confidence.
    """

    recall: Count
    precision: Count
    culprits: Count
    clearing: Count
    alarms: Count


def score(outcomes: Iterable[Outcome]) -> Score:
    """Count. Trials that could not be made, were disturbed or made too few stutters do not."""
    judged = [each for each in outcomes if each.is_judged]
    made = [each for each in judged if each.causes]
    calm = [each for each in judged if not each.causes]
    felt = [each for each in judged if each.felt]
    done = [each for each in made if each.is_named and each.culprits]
    claims = sum(len(each.claims) for each in judged)
    return Score(
        recall=Count(sum(each.is_named for each in made), len(made)),
        precision=Count(claims - sum(len(each.false_claims) for each in judged), claims),
        culprits=Count(sum(each.is_culprit_right for each in done), len(done)),
        clearing=Count(sum(bool(each.false_clearing) for each in felt), len(felt)),
        alarms=Count(sum(bool(each.false_alarms) for each in calm), len(calm)),
    )


def score_of(cause: str, outcomes: Iterable[Outcome]) -> tuple[Count, Count]:
    """Recall and precision of one cause: trials that made it, and claims that named it."""
    judged = [each for each in outcomes if each.is_judged]
    made = [each for each in judged if cause in each.causes]
    said = [each for each in judged if cause in {claim.cause for claim in each.claims}]
    true = sum(cause in each.true for each in said)
    return Count(sum(each.is_named for each in made), len(made)), Count(true, len(said))


def report(outcomes: Sequence[Outcome]) -> str:
    """The matrices, the numbers and what failed, as text."""
    played = [each for each in outcomes if not each.cannot]
    by_make = {name: [each for each in played if each.make == name] for name in MAKE_BY_NAME}
    parts = {name: own for name, own in by_make.items() if own} | {"all makes": played}
    lines: list[str] = []
    for name, own in parts.items():
        lines += [f"{name}: made, and said first", *_matrix(own), ""]
    lines += [*_LEGEND.strip().splitlines(), "", *_by_cause(played), "", *_figures(parts)]
    lines += [*_failures(played), *_in_vain(played)]
    reasons = {(each.scenario, each.cannot): None for each in outcomes if each.cannot}
    lines += [f"cannot be made here: {name}: {why}" for name, why in reasons]
    return "\n".join(lines)


def _figures(parts: dict[str, list[Outcome]]) -> list[str]:
    """The shares that decide, one column for each make and one for all."""
    scores = {name: score(own) for name, own in parts.items()}
    rows = {
        "recall": [each.recall for each in scores.values()],
        "precision of claims": [each.precision for each in scores.values()],
        "culprit right": [each.culprits for each in scores.values()],
        "false clearing": [each.clearing for each in scores.values()],
        "false alarm, quiet and decoys": [each.alarms for each in scores.values()],
    }
    table = [["", *scores], *([name, *map(str, counts)] for name, counts in rows.items())]
    return _aligned(table)


def _failures(played: Sequence[Outcome]) -> list[str]:
    """Each trial that went wrong, with what was said."""
    lines = []
    for each in played:
        wrong = failures(each)
        if wrong:
            answers = ", ".join(map(str, each.answers)) or each.answer
            lines.append(f"  {_trial(each)}: {'; '.join(wrong)}. Said: {answers}")
    return ["", f"trials that went wrong: {len(lines)}", *lines]


def failures(outcome: Outcome) -> list[str]:
    """What is wrong with what was said in a trial; nothing where it does not count."""
    if not outcome.is_judged:
        return []
    wrong = []
    if outcome.causes and not outcome.is_named:
        wrong.append(f"not named: {'/'.join(outcome.causes)}")
    wrong += [f"false claim: {each}" for each in outcome.false_claims]
    if outcome.is_named and outcome.culprits and not outcome.is_culprit_right:
        wrong.append(f"culprit missed: {'/'.join(outcome.culprits)}")
    if outcome.false_clearing:
        wrong.append(f"falsely cleared: {outcome.false_clearing}")
    return wrong


def disturbance(outcome: Outcome) -> str:
    """What disturbed a trial, in numbers."""
    return (
        f"late {outcome.delayed_share:.2f}, foreign {outcome.foreign_share:.2f}, host "
        f"{outcome.stolen_share:.2f} and {outcome.stolen_ms:.0f} ms at once"
    )


def _in_vain(played: Sequence[Outcome]) -> list[str]:
    """The trials that do not count, each with its numbers, and what was said in them."""
    disturbed = [each for each in played if each.is_disturbed]
    by_host = sum(each.is_robbed for each in disturbed)
    right = sum(each.answer in (each.causes or NOTHING) for each in disturbed)
    total = f"{len(disturbed)} of {len(played)}, {by_host} of them by the host"
    few = [each for each in played if each.is_too_few]
    lines = [
        f"disturbed trials, not counted: {total}; the answer would have been right in {right}",
        *(f"  {_trial(each)}: {each.answer} ({disturbance(each)})" for each in disturbed),
        f"too few stutters to judge, not counted: {len(few)}",
        *(f"  {_trial(each)}: {each.felt} of {each.needed}" for each in few),
    ]
    judged = {(each.scenario, each.make) for each in played if each.is_judged}
    vain = dict.fromkeys((each.scenario, each.make) for each in (*disturbed, *few))
    return lines + [f"never judged: {' '.join(part)}" for part in vain if part not in judged]


def _by_cause(outcomes: Sequence[Outcome]) -> list[str]:
    """Recall and precision of each cause that was made or claimed."""
    causes = {cause for each in outcomes for cause in each.causes}
    causes |= {claim.cause for each in outcomes for claim in each.claims}
    rows = [["cause", "recall", "precision of claims"]]
    return _aligned(
        rows + [[each, *map(str, score_of(each, outcomes))] for each in sorted(causes)]
    )


def _matrix(outcomes: Sequence[Outcome]) -> list[str]:
    counts: dict[str, Counter[str]] = {}
    for each in outcomes:
        mark = "*" if each.is_disturbed else "?" if each.is_too_few else ""
        counts.setdefault(_row(each), Counter())[each.answer + mark] += 1
    answers = sorted({answer for row in counts.values() for answer in row})
    table = [["made \\ said first", *answers]]
    for row, counter in counts.items():
        table.append([row, *(str(counter[answer] or ".") for answer in answers)])
    return _aligned(table)


def _aligned(table: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(len(line[column]) for line in table) for column in range(len(table[0]))]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in table
    ]


def _trial(outcome: Outcome) -> str:
    return f"{outcome.scenario} {outcome.make} (seed {outcome.seed})"


def _row(outcome: Outcome) -> str:
    if not outcome.causes:
        return f"{outcome.scenario} (nothing)"
    rule = "" if outcome.has_rule else ", no rule yet"
    return f"{outcome.scenario} ({'/'.join(outcome.causes)}{rule})"
