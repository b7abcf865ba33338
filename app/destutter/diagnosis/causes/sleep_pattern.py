# SPDX-License-Identifier: GPL-3.0-or-later
"""Does a drive fall asleep when it rests? The pattern in how long it takes after rests.

A drive that wakes up from a power state takes the exit latency of that state, always nearly the
same (NVM Express base specification, "Power State Descriptor"), and what it takes without a rest
is much less. The kernel lets it enter one state after 100 ms of rest and a deeper one after 2 s
(``nvme_configure_apst`` in drivers/nvme/host/core.c; before Linux 5.14 after fifty times the
latency of each). So waits after a rest lie in at most two narrow clusters, whatever their mean.
Waits of other reasons are spread: seeks of a hard disk, housekeeping, a network.
"""

import bisect
import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from destutter.diagnosis.causes.cause import Limits
from destutter.diagnosis.chance import binomial_tail
from destutter.diagnosis.history.idle_waits import SLOW_READ_MS, UNSURE_S, RestHistory, Waking

_RESTS_S = (0.09, 0.45, 0.95, 1.9, 4.5)
"""Rests after which a state may be entered: today's, and what older kernels had."""

_WIDTHS = (1.04, 1.08, 1.15)
"""Ranges in which waits that are alike are looked for: by nature 2 to 5 % apart."""

_ROUNDING_MS = 1.0  # /proc/diskstats counts whole milliseconds
_SPREAD = math.log(3.0)
"""Waits that are not alike would lie anywhere within a factor of three."""

_LIKE = 1.08
"""Waits up to this factor from the middle of a state belong to it: the middle one of _WIDTHS, as
by nature they are 2 to 5 % apart."""

_ALSO_WITHIN = 1.3
"""Up to this one they are wake-ups too where a state is known, and no state of their own. A
choice: well below the factor within which anything lies (_SPREAD)."""

_LIKE_THAT = 1.6
"""Reads without a rest up to this factor from a typical wait speak against a sleep; an odd one of
100 ms among waits of 10 ms, or a read of 0.2 ms, does not. A choice: nearly _SPREAD both ways."""

# The kernel lets an NVMe drive enter two states, after two times of rest (primary and secondary
# timeout, drivers/nvme/host/core.c).
_MOST_STATES = 2
_ENOUGH_TO_COMPARE = 5  # a few reads without a rest may all have been quick, or odd


@dataclass(frozen=True, slots=True)
class SleepPattern:
    """Each wake-up with its wait in ms, in order of time, and the typical wait of each state.

    ``is_compared``: there were reads without a rest too, and these were quick.
    """

    waits: tuple[tuple[Waking, float], ...]
    states_ms: tuple[float, ...]
    is_compared: bool


def sleep_pattern(history: RestHistory, limits: Limits) -> SleepPattern | None:
    """The wake-ups of a drive, or None where what it takes after rests is no such pattern."""
    unrested_ms = _unrested(history)
    waits = _waits(history, unrested_ms)
    found = [_after(rest_s, waits, unrested_ms, limits) for rest_s in _RESTS_S]
    return max(
        (each for each in found if each is not None),
        key=lambda pattern: len(pattern.waits),
        default=None,
    )


def is_slow_anyway(history: RestHistory, limits: Limits) -> bool:
    """Whether reads without a rest are slow as well: then no rest is the reason."""
    unrested_ms = _unrested(history)
    slow = [wait_ms for _, wait_ms in _waits(history, unrested_ms) if wait_ms >= SLOW_READ_MS]
    return bool(slow) and _are_slow(unrested_ms, statistics.median(slow), limits)


def _unrested(history: RestHistory) -> list[float]:
    return [*history.unrested_ms, *_behind_first(history.wakings)]


def _waits(history: RestHistory, unrested_ms: Sequence[float]) -> list[tuple[Waking, float]]:
    # Each is rounded to a millisecond, and counts as often as there are reads behind the first.
    is_known = len(unrested_ms) >= _ENOUGH_TO_COMPARE
    usual_ms = statistics.median(unrested_ms) if is_known else None
    return [
        (waking, wait_ms)
        for waking in history.wakings
        if (wait_ms := waking.wait_ms(usual_ms)) is not None
    ]


def _are_slow(others_ms: Sequence[float], wait_ms: float, limits: Limits) -> bool:
    """Whether too many other reads took about as long as a typical wait after a rest."""
    shortest_ms, longest_ms = wait_ms / _LIKE_THAT, wait_ms * _LIKE_THAT
    slow = sum(shortest_ms <= each_ms <= longest_ms for each_ms in others_ms)
    return slow > limits["others"] * len(others_ms)


def _behind_first(wakings: Sequence[Waking]) -> list[float]:
    """What reads took that were asked for one after the other behind one that ended a rest.

    The first of them took as long as a lone one does: the longest that was not longer than all.
    """
    lone_ms = sorted(each.read_ms for each in wakings if each.reads == 1)
    found = []
    for waking in wakings:
        shorter = bisect.bisect_right(lone_ms, waking.read_ms) if waking.is_in_turn else 0
        if shorter:
            found.append((waking.read_ms - lone_ms[shorter - 1]) / (waking.reads - 1))
    return found


def _after(
    rest_s: float,
    waits: Sequence[tuple[Waking, float]],
    unrested_ms: Sequence[float],
    limits: Limits,
) -> SleepPattern | None:
    """The pattern of a drive that sleeps after so long a rest and not before."""
    rested = [each for each in waits if each[0].rest_s >= rest_s]
    slow = sorted(wait_ms for _, wait_ms in rested if wait_ms >= SLOW_READ_MS)
    if not slow or len(slow) < limits["share"] * len(rested):
        return None
    shorter = (wait_ms for waking, wait_ms in waits if waking.rest_s + UNSURE_S <= rest_s)
    others_ms = [*unrested_ms, *shorter]
    if _are_slow(others_ms, statistics.median(slow), limits):
        return None
    clusters = _clusters(slow, limits)
    if sum(map(len, clusters)) < limits["share"] * len(slow):
        return None
    states_ms = sorted(statistics.median(cluster) for cluster in clusters)
    # Of a lone read in the tick after another it is its length that tells whether it was one.
    wake_ups = tuple(
        (waking, wait_ms)
        for waking, wait_ms in waits
        if waking.rest_s + UNSURE_S > rest_s
        and any(_is_like(wait_ms, state_ms, _ALSO_WITHIN) for state_ms in states_ms)
    )
    return SleepPattern(wake_ups, tuple(states_ms), len(others_ms) >= _ENOUGH_TO_COMPARE)


def _clusters(waits_ms: Sequence[float], limits: Limits) -> list[list[float]]:
    """The waits that lie close together, for each state; ``waits_ms`` are sorted.

    Which ones are a state is decided by those that can hardly be so close by accident, in the
    narrowest range that tells; how many belong to it by a range of one width for all.
    """
    left = list(waits_ms)
    found: list[list[float]] = []
    while len(found) < _MOST_STATES and left:
        tried = [_fullest(left, width) for width in _WIDTHS]
        chance, best = min((_chance(each, len(left)), each) for each in tried)
        if chance >= limits["chance"]:
            break
        state_ms = statistics.median(best)
        found.append([each for each in left if _is_like(each, state_ms, _LIKE)])
        left = [each for each in left if not _is_like(each, state_ms, _ALSO_WITHIN)]
    return found


def _is_like(wait_ms: float, state_ms: float, factor: float) -> bool:
    """Whether a wait is that of a state, within a factor and the rounding."""
    shortest_ms, longest_ms = state_ms / factor, state_ms * factor
    return shortest_ms - _ROUNDING_MS / 2 <= wait_ms <= longest_ms + _ROUNDING_MS / 2


def _fullest(waits_ms: Sequence[float], width: float) -> list[float]:
    """The most waits of which the longest is at most ``width`` times the shortest.

    Times are whole milliseconds cut off from a sum: two that are alike differ by one.
    """
    best = (0, 0)
    end = 0
    for start, shortest_ms in enumerate(waits_ms):
        while end < len(waits_ms) and waits_ms[end] <= shortest_ms * width + _ROUNDING_MS:
            end += 1
        if end - start > best[1] - best[0]:
            best = (start, end)
    return list(waits_ms[best[0] : best[1]])


def _chance(cluster: Sequence[float], of: int) -> float:
    """How likely so many of ``of`` waits lie as close together by accident.

    The scan statistic: each wait may be the lowest of such a cluster, and the others then fall
    into a range of its width (at least that of the rounding) or not.
    """
    width = max(math.log(cluster[-1] / cluster[0]), math.log1p(_ROUNDING_MS / cluster[0]))
    return of * binomial_tail(len(cluster) - 1, of - 1, min(width / _SPREAD, 1.0))
