# SPDX-License-Identifier: GPL-3.0-or-later
"""What measuring costs: CPU time and memory of this process and of its children, missed ticks."""

import contextlib
import os
import time
from collections.abc import Callable, Sequence

from destutter.core.kernel_files import KernelFileError, KernelFiles
from destutter.sampling.kept import Kept
from destutter.sampling.machine import page_bytes
from destutter.sampling.measurement import Measurement, whole

STATM = "/proc/self/statm"
TASKS = "/proc/self/task"


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


def costs_of_this_program() -> dict[int, tuple[int, int]]:
    """CPU time since the start in microseconds and resident KiB, by process.

    The processes are the caller and its children: the sampler and the probes of a window. A
    kernel without CONFIG_PROC_CHILDREN names no children.
    """
    live = KernelFiles()
    page_kib = page_bytes(live) // 1024
    costs = {}
    for pid in (os.getpid(), *_children(live)):
        # Processes may end at any moment, or be waited for.
        with contextlib.suppress(OSError, KernelFileError):
            tokens = (live.read_bytes(f"/proc/{pid}/statm") or b"").split()
            if len(tokens) >= 2:
                rss_kib = whole(STATM, 1, tokens[1]) * page_kib
                costs[pid] = time.clock_gettime_ns(_cpu_clock(pid)) // 1000, rss_kib
    return costs


def _children(live: KernelFiles) -> list[int]:
    """Each thread has a list of the children that it started."""
    lists = [live.read_bytes(f"{TASKS}/{task}/children") for task in live.list_names(TASKS)]
    return [int(pid) for each in lists if each for pid in each.split()]


def _cpu_clock(pid: int) -> int:
    """The clock of a process's CPU time, as clock_getcpuclockid(3) makes it.

    MAKE_PROCESS_CPUCLOCK(pid, CPUCLOCK_SCHED) of include/linux/posix-timers.h. /proc/PID/stat
    counts in hundredths of a second, too coarse for a share of a percent.
    """
    return ~pid << 3 | 2
