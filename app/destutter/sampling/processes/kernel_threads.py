# SPDX-License-Identifier: GPL-3.0-or-later
"""How long the kernel's own workers waited for a core: ksoftirqd and kworker, per CPU."""

from collections.abc import Sequence
from functools import lru_cache

from destutter.core.kernel_files import KernelFileError, KernelFiles
from destutter.core.kernel_names import KSOFTIRQD
from destutter.core.sample import RawValue
from destutter.core.statement import Statement
from destutter.sampling.files.measurement import AbsentError, Measurement
from destutter.sampling.files.process_files import PROC, parse_task_schedstat
from destutter.sampling.processes.process_table import ProcessTable

_WORKER = "kworker/"
_MOST = 256  # a file each: hundreds of cores must not make a look long
Key = tuple[int, int]  # process id and start, for ids are used again


class KernelThreadSampler:
    """Run time and wait per kind and CPU, from /proc/PID/schedstat.

    Workers come and go, so growth is summed here: the sums only ever grow, from 0 at the start.
    Workers that are bound to no CPU are left out. The table must have been looked at before.
    """

    sources = ("kernel_thread",)

    def __init__(self, files: KernelFiles, table: ProcessTable) -> None:
        self._files = files
        self._table = table
        self._last: dict[Key, tuple[int, int]] = {}
        self._sums: dict[str, list[int]] = {}

    def read(self) -> Sequence[Measurement]:
        """One instance "ksoftirqd/0" or "kworker/0" per CPU; nothing before the first look.

        Raises ``AbsentError`` where no such thread can be seen or the kernel keeps no times.
        """
        if not self._table.known:
            return ()
        seen: dict[Key, tuple[int, int]] = {}
        for pid, activity in self._table.known.items():
            label = cpu_label(activity.stat.name)
            if label is None or len(seen) >= _MOST:
                continue
            times = self._times(pid)
            if times is not None:
                key = (pid, activity.stat.start_ticks)
                seen[key] = times
                self._grow(label, self._last.get(key), times)
        self._last = seen
        if not self._sums:
            raise AbsentError(Statement("sampling.no_kernel_threads"))
        names = tuple(sorted(self._sums))
        values: list[RawValue] = []
        for name in names:
            values += self._sums[name]
        return (Measurement("kernel_thread", names, tuple(values)),)

    def close(self) -> None:
        """Forget the threads; the sums stay, as counters do."""
        self._last = {}

    def _grow(self, label: str, before: tuple[int, int] | None, now: tuple[int, int]) -> None:
        sums = self._sums.setdefault(label, [0, 0])
        if before is not None:
            for index in (0, 1):
                sums[index] += max(now[index] - before[index], 0)

    def _times(self, pid: int) -> tuple[int, int] | None:
        path = f"{PROC}/{pid}/schedstat"
        try:
            data = self._files.read_bytes(path)
            found = parse_task_schedstat(path, data) if data else ()
        except KernelFileError:
            # One thread that has just ended must not hide the others.
            return None
        if len(found) < 2 or found[0] is None or found[1] is None:
            return None
        return found[0], found[1]


# Asked of every process at each look, and a name is that of its process for good.
@lru_cache(1024)
def cpu_label(name: str) -> str | None:
    """ "ksoftirqd/3" or "kworker/3" for the threads of one CPU; None for any other."""
    for kind in (KSOFTIRQD, _WORKER):
        if name.startswith(kind):
            cpu = name[len(kind) :].partition(":")[0]
            return f"{kind}{cpu}" if cpu.isdecimal() else None
    return None
