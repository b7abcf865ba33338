# SPDX-License-Identifier: GPL-3.0-or-later
"""What the main thread did within one stutter, where the kernel's trace has each of its switches.

Counters are read ten times a second: a main thread that computed in the frame before a sleep of
127 ms had "computed for 95 ms" of it.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from destutter.core.traced import MAIN_BIN_NS, MainBin, TraceLook

_UNKNOWN_PART = 0.1
_BUSY = 0.95  # of a bin: the rest of it is too short to be told as anybody's wait


@dataclass(frozen=True, slots=True)
class MainWork:
    """How long it ran, was ready and had no core, slept so that no signal wakes it, and slept."""

    ran_ms: float = 0.0
    ready_ms: float = 0.0
    deep_ms: float = 0.0
    slept_ms: float = 0.0


def main_work(looks: Iterable[TraceLook], begin_ns: int, end_ns: int) -> MainWork | None:
    """What looks tell of this time; None where of a good part of it that is not known.

    Bins at its ends are taken in part, as if the thread had done the same all through them. Of a
    freeze of 2 s with 60 reads now and then a switch is not told: a few bins are taken to be like
    those beside them, and nothing is known of the whole only where they are more.
    """
    known = [
        (first_ns, one)
        for first_ns, one in _bins(looks, begin_ns, end_ns)
        if begin_ns - MAIN_BIN_NS < first_ns < end_ns
    ]
    unknown = sum(one is None for _, one in known)
    if unknown > _UNKNOWN_PART * len(known):
        return None
    covered_ns = 0
    times = [0.0, 0.0, 0.0]
    for at, (first_ns, one) in enumerate(known):
        inside_ns = min(first_ns + MAIN_BIN_NS, end_ns) - max(first_ns, begin_ns)
        covered_ns += inside_ns
        for which, length_ns in enumerate(one or _like_neighbours(known, at)):
            times[which] += length_ns * inside_ns / MAIN_BIN_NS
    if covered_ns != end_ns - begin_ns or not covered_ns:
        return None
    ran_ms, ready_ms, deep_ms = (each / 1e6 for each in times)
    slept_ms = max(covered_ns / 1e6 - ran_ms - ready_ms - deep_ms, 0.0)
    return MainWork(ran_ms, ready_ms, deep_ms, slept_ms)


def _like_neighbours(bins: Sequence[tuple[int, MainBin | None]], at: int) -> Sequence[float]:
    """The middle of the nearest bins before and behind this one that are known."""
    before = next((one for _, one in reversed(bins[:at]) if one is not None), None)
    behind = next((one for _, one in bins[at:] if one is not None), before)
    pairs = zip(before or behind or (0, 0, 0), behind or (0, 0, 0), strict=True)
    return [(first + last) / 2 for first, last in pairs]


def busy(looks: Iterable[TraceLook], begin_ns: int, end_ns: int) -> Iterator[tuple[int, int]]:
    """When the main thread did not sleep, from when until when: it waited for nobody then."""
    for first_ns, known in _bins(looks, begin_ns, end_ns):
        if known is not None and known[0] + known[1] >= _BUSY * MAIN_BIN_NS:
            yield first_ns, first_ns + MAIN_BIN_NS


def _bins(
    looks: Iterable[TraceLook], begin_ns: int, end_ns: int
) -> Iterator[tuple[int, MainBin | None]]:
    for look in looks:
        main = look.main
        if main is not None and main.begin_ns < end_ns and main.end_ns > begin_ns:
            for at, known in enumerate(main.bins()):
                yield main.begin_ns + at * MAIN_BIN_NS, known
