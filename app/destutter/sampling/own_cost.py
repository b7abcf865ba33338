# SPDX-License-Identifier: GPL-3.0-or-later
"""What measuring costs: CPU time and memory of this process and of its children, missed ticks."""

import contextlib
import os
import time
from collections.abc import Callable, Sequence

from destutter.core.kernel_files import KernelFileError, KernelFiles
from destutter.core.statement import Statement
from destutter.sampling.files.kept_file import KeptFile
from destutter.sampling.files.measurement import Measurement, whole
from destutter.sampling.machine import page_bytes

STATM = "/proc/self/statm"
TASKS = "/proc/self/task"
_MEMORY_NS = 10_000_000_000  # the kernel walks all pages for it (smaps_rollup)


class OwnCostSampler:
    """The sampler's own process, whatever tree it reads. ``skipped_ticks`` is asked each time."""

    sources = ("self",)

    def __init__(self, skipped_ticks: Callable[[], int]) -> None:
        live = KernelFiles()
        self._file = KeptFile(live, STATM)
        self._page_kib = page_bytes(live) // 1024
        self._skipped_ticks = skipped_ticks

    def read(self) -> Sequence[Measurement]:
        """CPU time since the start in microseconds, resident KiB, and missed ticks."""
        tokens = self._file.read().split()
        if len(tokens) < 2:
            raise KernelFileError(STATM, 1, Statement("sampling.too_few_columns"))
        rss_kib = whole(STATM, 1, tokens[1]) * self._page_kib
        cpu_us = time.process_time_ns() // 1000
        return (Measurement("self", None, (cpu_us, rss_kib, self._skipped_ticks())),)

    def close(self) -> None:
        self._file.close()


class ProgramCosts:
    """CPU time since the start in microseconds and memory in KiB, by process, at each call.

    The processes are the caller and its children: the sampler and the probes of a window. A
    kernel without CONFIG_PROC_CHILDREN names no children. Memory is the proportional set size
    (Pss of /proc/PID/smaps_rollup): pages that processes share, such as those of Python, count
    once. The kernel walks all pages for it, so each process is asked every ten seconds. Without
    CONFIG_PROC_PAGE_MONITOR it is the resident set.
    """

    def __init__(self, clock: Callable[[], int] = time.monotonic_ns) -> None:
        self._clock = clock
        self._live = KernelFiles()
        self._page_kib = page_bytes(self._live) // 1024
        self._memory: dict[int, tuple[int, int]] = {}  # when it was asked, KiB

    def __call__(self) -> dict[int, tuple[int, int]]:
        costs = {}
        for pid in (os.getpid(), *_children(self._live)):
            # Processes may end at any moment, or be waited for.
            with contextlib.suppress(OSError, KernelFileError):
                cpu_us = time.clock_gettime_ns(_cpu_clock(pid)) // 1000
                costs[pid] = cpu_us, self._memory_kib(pid)
        self._memory = {pid: self._memory[pid] for pid in costs}
        return costs

    def _memory_kib(self, pid: int) -> int:
        now_ns = self._clock()
        asked_ns, kib = self._memory.get(pid, (now_ns - _MEMORY_NS, 0))
        if now_ns - asked_ns >= _MEMORY_NS:
            shared = _proportional_kib(self._live, pid)
            asked_ns, kib = now_ns, self._resident_kib(pid) if shared is None else shared
        self._memory[pid] = asked_ns, kib
        return kib

    def _resident_kib(self, pid: int) -> int:
        tokens = (self._live.read_bytes(f"/proc/{pid}/statm") or b"").split()
        return whole(STATM, 1, tokens[1]) * self._page_kib if len(tokens) >= 2 else 0


def _proportional_kib(live: KernelFiles, pid: int) -> int | None:
    try:
        rollup = live.read_bytes(f"/proc/{pid}/smaps_rollup") or b""
    except KernelFileError:  # not allowed, as of a process of another user
        return None
    for line in rollup.splitlines():
        if line.startswith(b"Pss:"):
            return int(line.split()[1])
    return None


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
