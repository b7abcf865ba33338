# SPDX-License-Identifier: GPL-3.0-or-later
"""What Destutter itself costs: CPU time and memory of the window and of what it started."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

ReadCosts = Callable[[], Mapping[int, tuple[int, int]]]
"""Gives (CPU time in microseconds since its start, KiB of memory) of each process, by its id."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Share of one core in percent and memory in bytes, of all processes together."""

    core_pct: float
    memory_bytes: float


class OwnCost:
    """The share of this program's processes; ``clock`` is nanoseconds of a monotonic clock."""

    def __init__(
        self,
        read: ReadCosts,
        clock: Callable[[], int] = time.monotonic_ns,
        every_s: float = 2.0,
    ) -> None:
        self._read = read
        self._clock = clock
        self._every_ns = int(every_s * 1e9)
        self._last_ns = clock()
        # Not read here: a window would show its first picture 10 ms later for it.
        self._last: Mapping[int, tuple[int, int]] | None = None

    def take(self) -> Cost | None:
        """The cost since the last answer; None at first, and while that is too short ago."""
        now_ns = self._clock()
        if self._last is None:
            self._last_ns, self._last = now_ns, self._read()
            return None
        elapsed_ns = now_ns - self._last_ns
        if elapsed_ns < self._every_ns:
            return None
        costs = self._read()
        # What was started meanwhile has spent all of its time since then.
        cpu_us = sum(us - self._last.get(pid, (0, 0))[0] for pid, (us, _) in costs.items())
        self._last_ns, self._last = now_ns, costs
        kib = sum(each for _, each in costs.values())
        return Cost(100.0 * cpu_us * 1e3 / elapsed_ns, kib * 1024.0)
