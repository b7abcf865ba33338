# SPDX-License-Identifier: GPL-3.0-or-later
"""What measuring costs: CPU time and memory of this process, and ticks that it missed."""

import time
from collections.abc import Callable, Sequence

from destutter.core.kernel_files import KernelFileError, KernelFiles
from destutter.sampling.kept import Kept
from destutter.sampling.machine import page_bytes
from destutter.sampling.measurement import Measurement, whole

STATM = "/proc/self/statm"


class OwnCostSampler:
    """The sampler's own process, whatever tree it reads. ``skipped_ticks`` is asked each time."""

    sources = ("self",)

    def __init__(self, skipped_ticks: Callable[[], int]) -> None:
        live = KernelFiles()
        self._file = Kept(live, STATM)
        self._page_kib = page_bytes(live) // 1024
        self._skipped_ticks = skipped_ticks

    def read(self) -> Sequence[Measurement]:
        """CPU time since the start in microseconds, resident KiB, and missed ticks."""
        tokens = self._file.read().split()
        if len(tokens) < 2:
            raise KernelFileError(STATM, 1, "has too few columns")
        rss_kib = whole(STATM, 1, tokens[1]) * self._page_kib
        cpu_us = time.process_time_ns() // 1000
        return (Measurement("self", None, (cpu_us, rss_kib, self._skipped_ticks())),)

    def close(self) -> None:
        """Give the descriptor back."""
        self._file.close()


def cost_of_this_process() -> tuple[int, int]:
    """CPU time of the calling process in microseconds and its resident KiB."""
    sampler = OwnCostSampler(lambda: 0)
    try:
        cpu_us, rss_kib, _ = sampler.read()[0].values
    finally:
        sampler.close()
    return cpu_us or 0, rss_kib or 0
