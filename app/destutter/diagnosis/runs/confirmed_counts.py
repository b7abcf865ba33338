# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether several runs before and several after confirm a difference in how often things happen.

Given the sum of both sides, the events of one side follow a binomial distribution when nothing
changed: the exact conditional test of two Poisson rates (Przyborowski and Wilenski, 1940). Runs
of one side that differ among each other by more than chance (Pearson's dispersion above 1) are no
plain Poisson counts; then a quasi-Poisson test of the same ratio, with that dispersion and
Student's distribution, decides where it is the more careful one. The probabilities of all measures
together are corrected by Holm's method, because who tests ten things finds one by chance.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from destutter.core.compared import LEAST_EFFECT, SIGNIFICANT, ComparedOutcome
from destutter.diagnosis.chance import binomial_tail, student_two_sided

LEAST_RUNS = 3
"""So many runs of each side before anything is called confirmed."""

_NO_EVENT = 0.5  # stands for none in a ratio, as usual for tables with an empty cell


@dataclass(frozen=True, slots=True)
class Counted:
    """Events of one kind in each run, and what they are divided by (minutes, bytes read)."""

    id: str
    events_a: tuple[float, ...]
    work_a: tuple[float, ...]
    events_b: tuple[float, ...]
    work_b: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Confirmed:
    """What all runs say of one measure.

    ``rate_a`` and ``rate_b`` are events per unit of work; ``chance`` is how likely chance alone
    makes such a difference, corrected for the number of measures. ``dispersion`` is how much more
    the runs of a side differ among each other than chance explains (1: not more). ``outcome`` is
    better or worse when it is confirmed, else too close.
    """

    id: str
    rate_a: float
    rate_b: float
    chance: float
    dispersion: float
    outcome: ComparedOutcome


def confirm(measures: Sequence[Counted]) -> tuple[Confirmed, ...]:
    """Test every measure; of all that there are, fewer events are better.

    Those without any work on a side are left out. Nothing is confirmed by fewer than three runs
    on a side.
    """
    usable = [each for each in measures if sum(each.work_a) > 0 and sum(each.work_b) > 0]
    tested = [_test(each) for each in usable]
    corrected = _holm([each.chance for each in tested])
    return tuple(
        replace(each, chance=chance, outcome=_outcome(each, chance, measure))
        for each, chance, measure in zip(tested, corrected, usable, strict=True)
    )


def _outcome(told: Confirmed, chance: float, measure: Counted) -> ComparedOutcome:
    is_enough = min(len(measure.events_a), len(measure.events_b)) >= LEAST_RUNS
    if not is_enough or chance >= SIGNIFICANT:
        return ComparedOutcome.TOO_CLOSE
    if told.rate_b <= (1 - LEAST_EFFECT) * told.rate_a:
        return ComparedOutcome.BETTER
    return (
        ComparedOutcome.WORSE
        if told.rate_b >= (1 + LEAST_EFFECT) * told.rate_a
        else ComparedOutcome.TOO_CLOSE
    )


def _test(measure: Counted) -> Confirmed:
    events_a, events_b = sum(measure.events_a), sum(measure.events_b)
    work_a, work_b = sum(measure.work_a), sum(measure.work_b)
    chance = _exact(round(events_a), round(events_b), work_b / (work_a + work_b))
    squares = sum(
        _squares(events, work)
        for events, work in (
            (measure.events_a, measure.work_a),
            (measure.events_b, measure.work_b),
        )
    )
    freedom = len(measure.events_a) + len(measure.events_b) - 2
    dispersion = max(squares / freedom, 1.0) if freedom > 0 else 1.0
    if dispersion > 1.0:
        some_a, some_b = events_a or _NO_EVENT, events_b or _NO_EVENT
        logarithm = math.log(some_b / work_b * work_a / some_a)
        error = math.sqrt(dispersion / some_a + dispersion / some_b)
        chance = max(chance, student_two_sided(logarithm / error, freedom))
    return Confirmed(
        measure.id,
        events_a / work_a,
        events_b / work_b,
        chance,
        dispersion,
        ComparedOutcome.TOO_CLOSE,
    )


def _exact(events_a: int, events_b: int, share_b: float) -> float:
    """Twice the smaller tail of the binomial distribution, at most 1."""
    total = events_a + events_b
    if events_b > total * share_b:
        tail = binomial_tail(events_b, total, share_b)
    else:
        tail = binomial_tail(events_a, total, 1.0 - share_b)
    return min(2.0 * tail, 1.0)


def _squares(events: Sequence[float], work: Sequence[float]) -> float:
    """Pearson's sum of squares of the runs of one side around their common rate."""
    rate = sum(events) / sum(work)
    if not rate:
        return 0.0
    return sum(
        (count - rate * each) ** 2 / (rate * each)
        for count, each in zip(events, work, strict=True)
        if each > 0
    )


def _holm(chances: Sequence[float]) -> list[float]:
    """Holm's step-down correction of the probabilities of several tests."""
    order = sorted(range(len(chances)), key=lambda index: chances[index])
    corrected, highest = [1.0] * len(chances), 0.0
    for position, index in enumerate(order):
        highest = max(highest, min(chances[index] * (len(chances) - position), 1.0))
        corrected[index] = highest
    return corrected
