# SPDX-License-Identifier: GPL-3.0-or-later
"""What the main thread did within one stutter, where the kernel's trace has each of its switches.

Counters are read ten times a second: a main thread that computed in the frame before a sleep of
127 ms had "computed for 95 ms" of it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from destutter.core.traced import MAIN_BIN_NS, MainBin, TraceLook

_BUSY = 0.95  # of a bin: the rest of it is too short to be told as anybody's wait


@dataclass(frozen=True, slots=True)
class MainWork:
    """How long it ran, was ready and had no core, slept so that no signal wakes it, and slept."""

    ran_ms: float = 0.0
    ready_ms: float = 0.0
    deep_ms: float = 0.0
    slept_ms: float = 0.0


def main_work(looks: Iterable[TraceLook], begin_ns: int, end_ns: int) -> MainWork | None:
    """What looks tell of this time; None where of any part of it that is not known.

    Bins at its ends are taken in part, as if the thread had done the same all through them.
    """
    covered_ns = 0
    times = [0.0, 0.0, 0.0]
    for first_ns, known in _bins(looks, begin_ns, end_ns):
        inside_ns = min(first_ns + MAIN_BIN_NS, end_ns) - max(first_ns, begin_ns)
        if inside_ns <= 0:
            continue
        if known is None:
            return None
        covered_ns += inside_ns
        for at, length_ns in enumerate(known):
            times[at] += length_ns * inside_ns / MAIN_BIN_NS
    if covered_ns != end_ns - begin_ns or not covered_ns:
        return None
    ran_ms, ready_ms, deep_ms = (each / 1e6 for each in times)
    slept_ms = max(covered_ns / 1e6 - ran_ms - ready_ms - deep_ms, 0.0)
    return MainWork(ran_ms, ready_ms, deep_ms, slept_ms)


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
