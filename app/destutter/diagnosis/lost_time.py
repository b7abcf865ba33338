# SPDX-License-Identifier: GPL-3.0-or-later
"""The time that stutters took from a player, as plain values, and what each of them weighs."""

from collections.abc import Mapping
from dataclasses import dataclass, field

MOST_MS = 10_000.0
"""So much a single freeze weighs at most.

What costs most comes first, and not what is met most often: three freezes of 14 s on a drive
stood behind 14 waits of 0.1 s for a core. But nobody who plays tells a freeze of 15 s from one of
60, both mean to wait until it is over, and one of a minute would speak for an evening of stutters.
At 10 s people turn away from what they wait for (Nielsen, Usability Engineering, 1993, 5.5). So
one freeze weighs as much as a hundred stutters of 100 ms, whatever its length.
"""


@dataclass(frozen=True, slots=True)
class TimeLost:
    """Milliseconds of all stutters, and by part: a group's value, "own", "else" or "unknown".

    The parts add up to ``total_ms`` (``time_lost.py``). ``traced_ms`` of them the kernel's trace
    told, wait by wait. ``more_ms`` of them is in other long frames than the longest of each.
    ``of_each`` has the same of each stutter, in their order.
    """

    total_ms: float = 0.0
    parts: Mapping[str, float] = field(default_factory=dict)
    traced_ms: float = 0.0
    more_ms: float = 0.0
    of_each: tuple["TimeLost", ...] = field(default=(), compare=False)


NOTHING_LOST = TimeLost()


def weight_ms(lost_ms: float) -> float:
    """What a stutter weighs that took so long beyond usual frames."""
    return min(lost_ms, MOST_MS)
