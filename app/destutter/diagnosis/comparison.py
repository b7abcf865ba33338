# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether one session was smoother than another, or whether that cannot be said.

Sessions are compared minute by minute within the same phase. A ratio of means gets its confidence
interval from a moving-block bootstrap (minutes beside each other are alike, so they are drawn in
blocks), and a verdict needs the interval, an effect that is worth mentioning and enough minutes.
One session against another is never more than suggestive: a single run proves nothing.
"""

from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

Minutes = NDArray[np.float64]

LEAST_MINUTES = 8
_BLOCK_MINUTES = 5
_RESAMPLES = 4000
_EFFECT = 0.10
_SEED = 20_260_101  # the same two sessions always get the same verdict


class Outcome(Enum):
    """What a comparison may say."""

    BETTER = "better"
    WORSE = "worse"
    NO_DIFFERENCE = "no real difference"
    TOO_CLOSE = "too close to call"
    TOO_SHORT = "too short"


@dataclass(frozen=True, slots=True)
class Measure:
    """One thing to compare; of all that there are, less is better.

    ``a`` and ``b`` hold one value a minute of the two sessions; ``work_a`` and ``work_b`` what
    was done in each of these minutes (frames drawn, bytes read), by which a measure that grows
    with the work is divided.
    """

    id: str
    unit: str
    a: Minutes
    b: Minutes
    work_a: Minutes | None = None
    work_b: Minutes | None = None


@dataclass(frozen=True, slots=True)
class Compared:
    """A measure's verdict. ``ratio`` is B over A; None where A was zero all along."""

    id: str
    unit: str
    mean_a: float
    mean_b: float
    ratio: float | None
    low: float | None
    high: float | None
    outcome: Outcome


def compare(measure: Measure) -> Compared:
    """Compare one measure of two sessions."""
    a, work_a = _usable(measure.a, measure.work_a)
    b, work_b = _usable(measure.b, measure.work_b)
    mean_a, mean_b = _rate(a, work_a), _rate(b, work_b)
    if min(a.size, b.size) < LEAST_MINUTES:
        return _result(measure, mean_a, mean_b, None, Outcome.TOO_SHORT)
    if mean_a == mean_b == 0:
        return _result(measure, mean_a, mean_b, None, Outcome.NO_DIFFERENCE)
    generator = np.random.default_rng(_SEED)
    rates_a = _resampled(a, work_a, generator)
    rates_b = _resampled(b, work_b, generator)
    if mean_a == 0 or mean_b == 0:
        return _result(measure, mean_a, mean_b, None, _with_a_zero(rates_a, rates_b))
    floor = 1e-3 * max(mean_a, mean_b)
    ratios = np.maximum(rates_b, floor) / np.maximum(rates_a, floor)
    low, high = (float(value) for value in np.percentile(ratios, (2.5, 97.5)))
    ratio = mean_b / mean_a
    return _result(measure, mean_a, mean_b, (low, high), _verdict(ratio, low, high))


def _verdict(ratio: float, low: float, high: float) -> Outcome:
    if high < 1 and ratio <= 1 - _EFFECT:
        return Outcome.BETTER
    if low > 1 and ratio >= 1 + _EFFECT:
        return Outcome.WORSE
    if low > 1 - _EFFECT and high < 1 + _EFFECT:
        return Outcome.NO_DIFFERENCE
    return Outcome.TOO_CLOSE


def _with_a_zero(rates_a: Minutes, rates_b: Minutes) -> Outcome:
    """One session had none of it: a verdict only when chance would have shown some of it."""
    present = rates_b if not rates_a.any() else rates_a
    if float(np.percentile(present, 2.5)) <= 0:
        return Outcome.TOO_CLOSE
    return Outcome.WORSE if present is rates_b else Outcome.BETTER


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


def _result(
    measure: Measure,
    mean_a: float,
    mean_b: float,
    interval: tuple[float, float] | None,
    outcome: Outcome,
) -> Compared:
    low, high = interval or (None, None)
    ratio = mean_b / mean_a if mean_a else None
    return Compared(measure.id, measure.unit, mean_a, mean_b, ratio, low, high, outcome)
