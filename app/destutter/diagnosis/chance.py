# SPDX-License-Identifier: GPL-3.0-or-later
"""How likely chance alone does it."""

import math

_NEGLIGIBLE = 1e-17  # of the sum: less is behind the last digit of a float


def binomial_tail(at_least: int, of: int, probability: float) -> float:
    """The chance of so many or more hits in ``of`` independent tries."""
    if at_least <= 0:
        return 1.0
    if probability <= 0.0 or at_least > of:
        return 0.0
    if probability >= 1.0:
        return 1.0
    log_hit, log_miss = math.log(probability), math.log1p(-probability)
    total = 0.0
    for hits in range(at_least, of + 1):
        log_ways = math.lgamma(of + 1) - math.lgamma(hits + 1) - math.lgamma(of - hits + 1)
        term = math.exp(log_ways + hits * log_hit + (of - hits) * log_miss)
        total += term
        # Beyond the most likely number each is smaller than the one before.
        if hits > of * probability and term < total * _NEGLIGIBLE:
            break
    return min(total, 1.0)


def student_two_sided(value: float, freedom: int) -> float:
    """The chance of a t as far from 0, or farther, with so many degrees of freedom.

    The finite series of Student's distribution for whole degrees of freedom (Abramowitz and
    Stegun, 26.7.3 and 26.7.4). Raises ``ValueError`` below one degree.
    """
    if freedom < 1:
        raise ValueError("at least one degree of freedom")
    if math.isinf(value):
        return 0.0
    angle = math.atan2(abs(value), math.sqrt(freedom))
    sine, cosine = math.sin(angle), math.cos(angle)
    is_odd = freedom % 2 == 1
    term = cosine if is_odd else 1.0
    total = term if freedom > 1 else 0.0
    for step in range(3 if is_odd else 2, freedom - 1, 2):
        term *= cosine * cosine * (step - 1) / step
        total += term
    within = 2.0 / math.pi * (angle + sine * total) if is_odd else sine * total
    return min(max(1.0 - within, 0.0), 1.0)
