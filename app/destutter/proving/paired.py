# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a setting made a difference, from blocks that were measured in turns.

Blocks under the present value and under the other one alternate, so that a computer that grows
busier hits both alike. Each pair gives one ratio; ratios are compared on a logarithmic scale,
on which half and double weigh the same.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from destutter.core.compared import LEAST_EFFECT, SIGNIFICANT, ComparedOutcome

LEAST_PAIRS = 6
"""Below, not even pairs that all agree reach p < 0.05: with five, p is 2/32 at best."""

MOST_PAIRS = 16  # all 2^n ways of flipping signs are tried, and 2^16 rows are quickly counted
_RESAMPLES = 4000  # each end of the 95 % interval is told by a hundred of them
_SEED = 20_260_102  # the same blocks always get the same verdict
# Zero has no logarithm: a block without a single event counts as next to none.
_SMALLEST = 1e-6


@dataclass(frozen=True, slots=True)
class Judgement:
    """``ratio`` is the median of other over present, ``low`` and ``high`` its 95 % interval.

    ``p`` is the chance of at least such a difference if the setting did nothing.
    """

    ratio: float
    low: float
    high: float
    p: float
    outcome: ComparedOutcome


def order_of_blocks(pairs: int, seed: int) -> list[bool]:
    """Which blocks are measured under the other value: ABBA ABBA …, beginning by chance."""
    first = random.Random(seed).random() < 0.5  # noqa: S311  no secret
    order: list[bool] = []
    for number in range(pairs):
        is_other_first = first ^ (number % 2 == 1)
        order += [is_other_first, not is_other_first]
    return order


def judge(present: Sequence[float], other: Sequence[float]) -> Judgement:
    """Judge pairs of blocks, the n-th of ``present`` with the n-th of ``other``.

    Median ratio with a percentile bootstrap; p by flipping signs in all 2^n ways, which is exact
    (Fisher's randomisation test on the mean of the logarithms). Raises ``ValueError`` for less
    than six pairs or more than sixteen.
    """
    if len(present) != len(other) or not LEAST_PAIRS <= len(present) <= MOST_PAIRS:
        raise ValueError(f"from {LEAST_PAIRS} to {MOST_PAIRS} pairs are needed")
    a = np.maximum(np.asarray(present, dtype=np.float64), _SMALLEST)
    b = np.maximum(np.asarray(other, dtype=np.float64), _SMALLEST)
    logs = np.log(b / a)
    generator = np.random.default_rng(_SEED)
    draws = generator.integers(0, logs.size, size=(_RESAMPLES, logs.size))
    low, high = np.exp(np.percentile(np.median(logs[draws], axis=1), (2.5, 97.5)))
    ratio = float(np.exp(np.median(logs)))
    p = _sign_flip_p(logs)
    return Judgement(ratio, float(low), float(high), p, _outcome(ratio, low, high, p))


def _sign_flip_p(logs: NDArray[np.float64]) -> float:
    flips = np.arange(2**logs.size)[:, None] >> np.arange(logs.size) & 1
    means = np.abs((logs * (1 - 2 * flips)).mean(axis=1))
    return float(np.mean(means >= abs(logs.mean()) - 1e-12))


def _outcome(ratio: float, low: float, high: float, p: float) -> ComparedOutcome:
    is_sure = p < SIGNIFICANT
    if is_sure and high < 1 and ratio <= 1 - LEAST_EFFECT:
        return ComparedOutcome.BETTER
    if is_sure and low > 1 and ratio >= 1 + LEAST_EFFECT:
        return ComparedOutcome.WORSE
    if low > 1 - LEAST_EFFECT and high < 1 + LEAST_EFFECT:
        return ComparedOutcome.NO_DIFFERENCE
    return ComparedOutcome.TOO_CLOSE
