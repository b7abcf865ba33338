# SPDX-License-Identifier: GPL-3.0-or-later
"""How likely chance alone does it."""

import math


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
        total += math.exp(log_ways + hits * log_hit + (of - hits) * log_miss)
    return min(total, 1.0)
