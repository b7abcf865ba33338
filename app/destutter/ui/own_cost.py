# SPDX-License-Identifier: GPL-3.0-or-later
"""What Destutter itself costs: CPU time of the window and the sampler, and their memory."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from destutter.core.metrics import Metrics


@dataclass(frozen=True, slots=True)
class Cost:
    """Share of one core in percent and resident memory in bytes, of all processes together."""

    core_pct: float
    rss_bytes: float


class OwnCost:
    """Adds the window's own cost to what the sampler says about itself.

    ``read`` gives (CPU time in microseconds since the start, resident KiB) of this process;
    ``clock`` is nanoseconds of a monotonic clock.
    """

    def __init__(
        self,
        read: Callable[[], tuple[int, int]],
        clock: Callable[[], int] = time.monotonic_ns,
        every_s: float = 2.0,
    ) -> None:
        self._read = read
        self._clock = clock
        self._every_ns = int(every_s * 1e9)
        self._last_ns = clock()
        self._last_us = read()[0]
        self._sampler_ms_per_s: float | None = None
        self._sampler_bytes = 0.0

    def accept(self, metrics: Iterable[Metrics]) -> None:
        """Take in what the sampler measured of itself."""
        for one in metrics:
            cpu = one.values.get("self.sampler_cpu_ms_per_s")
            if cpu is not None:
                self._sampler_ms_per_s = cpu
            self._sampler_bytes = one.values.get("self.rss_bytes") or self._sampler_bytes

    def take(self) -> Cost | None:
        """The cost since the last answer; None while that is too short ago to say."""
        now_ns = self._clock()
        elapsed_ns = now_ns - self._last_ns
        if elapsed_ns < self._every_ns:
            return None
        cpu_us, rss_kib = self._read()
        share = (cpu_us - self._last_us) * 1e3 / elapsed_ns + (self._sampler_ms_per_s or 0.0) / 1e3
        self._last_ns, self._last_us = now_ns, cpu_us
        return Cost(100.0 * share, rss_kib * 1024.0 + self._sampler_bytes)
