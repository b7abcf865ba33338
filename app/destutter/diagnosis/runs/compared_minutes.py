# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether one session was smoother than another, or whether that cannot be said.

Sessions are compared minute by minute within the same phase. A ratio of means gets its confidence
interval from a moving-block bootstrap (minutes beside each other are alike, so they are drawn in
blocks). A verdict needs four things: enough minutes of both, an interval without "equal" in it,
an effect that is worth mentioning, and a difference larger than the usual one between two minutes
of the same run. One session against another is never more than suggestive: a single run proves
nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from destutter.core.compared import LEAST_EFFECT, LEAST_MINUTES, ComparedOutcome

Minutes = NDArray[np.float64]

LEAST_PHASE_MINUTES = 3  # of one or two no spread between minutes can be told
_BLOCK_MINUTES = 5  # minutes beside each other are alike, so they are drawn by fives
_RESAMPLES = 4000
_SEED = 20_260_101  # the same two sessions always get the same verdict


class Reason(Enum):
    """Why it is too close to call."""

    NONE = ""
    TOO_SHORT = "too short"
    CHANCE = "chance could do that"
    SPREAD = "two minutes of the same run differ as much"
    NOTHING_COMMON = "nothing in common"
    OTHER_GAMES = "different games"
    BEFORE = "the first had come to be like the second by itself"


@dataclass(frozen=True, slots=True)
class Measure:
    """One thing to compare; of all that there are, less is better.

    ``a`` and ``b`` hold one value a minute of the two sessions; ``work_a`` and ``work_b`` what
    was done in each of these minutes (frames drawn, bytes read), by which a measure that grows
    with the work is divided. ``weight`` counts where measures of several phases are put together.
    """

    id: str
    unit: str
    a: Minutes
    b: Minutes
    work_a: Minutes | None = None
    work_b: Minutes | None = None
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Compared:
    """A measure's verdict. ``ratio`` is B over A, ``low`` and ``high`` the ends of its 95 %
    interval; None where A was zero all along. ``spread`` is the usual difference between two
    minutes of the same run, in the unit of the means. ``minutes_a`` and ``minutes_b`` counted."""

    id: str
    unit: str
    mean_a: float
    mean_b: float
    ratio: float | None
    low: float | None
    high: float | None
    outcome: ComparedOutcome
    reason: Reason = Reason.NONE
    spread: float = 0.0
    minutes_a: int = 0
    minutes_b: int = 0


@dataclass(frozen=True, slots=True)
class _Drawn:
    """What a phase contributes: rates of both runs, resampled ones, spread, and its weight."""

    mean_a: float
    mean_b: float
    rates_a: Minutes
    rates_b: Minutes
    spread: float
    weight: float
    minutes_a: int
    minutes_b: int


def compare(measure: Measure) -> Compared:
    return compare_phases([measure])


def compare_phases(measures: Sequence[Measure]) -> Compared:
    """Compare the same measure of several phases, like with like, and put them together.

    Phases of which one run has less than three minutes are left out unless there is only one.
    Raises ``ValueError`` without any measure.
    """
    if not measures:
        raise ValueError("there is nothing to compare")
    generator = np.random.default_rng(_SEED)
    drawn = [_draw(measure, generator) for measure in measures]
    if len(drawn) > 1:
        least = LEAST_PHASE_MINUTES
        drawn = [each for each in drawn if min(each.minutes_a, each.minutes_b) >= least]
    result = _put_together(measures[0], drawn)
    if min(result.minutes_a, result.minutes_b) < LEAST_MINUTES:
        return replace(result, reason=Reason.TOO_SHORT)
    if result.mean_a == result.mean_b == 0:
        return replace(result, outcome=ComparedOutcome.NO_DIFFERENCE)
    rates_a, rates_b = (_weighed(drawn, name) for name in ("rates_a", "rates_b"))
    if result.mean_a == 0 or result.mean_b == 0:
        return _told(result, _with_a_zero(rates_a, rates_b))
    floor = 1e-3 * max(result.mean_a, result.mean_b)
    ratios = np.maximum(rates_b, floor) / np.maximum(rates_a, floor)
    low, high = (float(value) for value in np.percentile(ratios, (2.5, 97.5)))
    ratio = result.mean_b / result.mean_a
    return _told(replace(result, low=low, high=high), _verdict(ratio, low, high))


def _told(result: Compared, outcome: ComparedOutcome) -> Compared:
    """The outcome, unless two minutes of the same run differ as much as the runs do."""
    if outcome is ComparedOutcome.TOO_CLOSE:
        return replace(result, outcome=outcome, reason=Reason.CHANCE)
    if outcome.is_decided and abs(result.mean_b - result.mean_a) <= result.spread:
        return replace(result, outcome=ComparedOutcome.TOO_CLOSE, reason=Reason.SPREAD)
    return replace(result, outcome=outcome)


def _verdict(ratio: float, low: float, high: float) -> ComparedOutcome:
    if high < 1 and ratio <= 1 - LEAST_EFFECT:
        return ComparedOutcome.BETTER
    if low > 1 and ratio >= 1 + LEAST_EFFECT:
        return ComparedOutcome.WORSE
    if low > 1 - LEAST_EFFECT and high < 1 + LEAST_EFFECT:
        return ComparedOutcome.NO_DIFFERENCE
    return ComparedOutcome.TOO_CLOSE


def _with_a_zero(rates_a: Minutes, rates_b: Minutes) -> ComparedOutcome:
    """One session had none of it: a verdict only when chance would have shown some of it."""
    present = rates_b if not rates_a.any() else rates_a
    if float(np.percentile(present, 2.5)) <= 0:
        return ComparedOutcome.TOO_CLOSE
    return ComparedOutcome.WORSE if present is rates_b else ComparedOutcome.BETTER


def _draw(measure: Measure, generator: np.random.Generator) -> _Drawn:
    a, work_a = _usable(measure.a, measure.work_a)
    b, work_b = _usable(measure.b, measure.work_b)
    is_enough = min(a.size, b.size) > 0
    nothing = np.zeros(_RESAMPLES)
    return _Drawn(
        _rate(a, work_a),
        _rate(b, work_b),
        _resampled(a, work_a, generator) if is_enough else nothing,
        _resampled(b, work_b, generator) if is_enough else nothing,
        (_minute_spread(a / work_a) + _minute_spread(b / work_b)) / 2,
        measure.weight * min(a.size, b.size),
        a.size,
        b.size,
    )


def _put_together(measure: Measure, drawn: Sequence[_Drawn]) -> Compared:
    mean_a, mean_b, spread = (
        float(_weighed(drawn, name)) for name in ("mean_a", "mean_b", "spread")
    )
    return Compared(
        measure.id,
        measure.unit,
        mean_a,
        mean_b,
        mean_b / mean_a if mean_a else None,
        None,
        None,
        ComparedOutcome.TOO_CLOSE,
        spread=spread,
        minutes_a=sum(each.minutes_a for each in drawn),
        minutes_b=sum(each.minutes_b for each in drawn),
    )


def _weighed(drawn: Sequence[_Drawn], name: str) -> Minutes:
    """The weighed mean over phases of one of their values."""
    total = sum(each.weight for each in drawn)
    values = [np.asarray(getattr(each, name)) for each in drawn]
    if not total:
        return values[0] if values else np.zeros(())
    result: Minutes = sum(
        (each.weight * value for each, value in zip(drawn, values, strict=True)), np.zeros(())
    )
    return result / total


def _minute_spread(values: Minutes) -> float:
    """The usual (median) difference between two minutes of one run."""
    if values.size < 2:
        return 0.0
    chosen = np.triu_indices(values.size, 1)
    return float(np.median(np.abs(values[:, None] - values[None, :])[chosen]))


def _usable(values: Minutes, work: Minutes | None) -> tuple[Minutes, Minutes]:
    """The minutes in which something was measured, and their work (1 where it does not count)."""
    weights = np.ones_like(values) if work is None else work
    is_known = ~np.isnan(values) & ~np.isnan(weights) & (weights > 0)
    return values[is_known], weights[is_known]


def _rate(values: Minutes, work: Minutes) -> float:
    total = float(work.sum())
    return float(values.sum()) / total if total else 0.0


def _resampled(values: Minutes, work: Minutes, generator: np.random.Generator) -> Minutes:
    """Rates of ``_RESAMPLES`` sessions drawn from this one in blocks of minutes."""
    size = values.size
    block = max(1, min(_BLOCK_MINUTES, size // 4))
    draws = -(-size // block)
    starts = generator.integers(0, size - block + 1, size=(_RESAMPLES, draws))
    index = (starts[:, :, None] + np.arange(block)).reshape(_RESAMPLES, -1)[:, :size]
    rates: Minutes = values[index].sum(axis=1) / work[index].sum(axis=1)
    return rates
