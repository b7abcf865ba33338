# SPDX-License-Identifier: GPL-3.0-or-later
"""Which threads a process has, listed again only where one may have begun or ended."""

from collections.abc import Sequence

from destutter.core.kernel_files import KernelFiles
from destutter.core.sample import RawValue
from destutter.sampling.files.process_files import list_threads


class ThreadLists:
    """The threads of processes in ``files``. ``forks`` is the count of /proc/stat as of this tick.

    To list 200 threads costs 0.4 ms of a core, for the kernel looks each up by its name. It counts
    each process and thread that begins anywhere ("processes" in /proc/stat, ``total_forks`` in
    kernel/fork.c): while that stays and a process has as many threads as were listed, they are
    the same.
    """

    def __init__(self, files: KernelFiles) -> None:
        self.forks: RawValue = None
        self.files = files
        self._listed: dict[int, tuple[int, Sequence[int]]] = {}

    def of(self, pid: int, count: RawValue) -> Sequence[int]:
        """The threads of a process that has ``count`` now, the same object while they stay.

        Empty when it has ended.
        """
        forks = self.forks
        listed_at, tids = self._listed.get(pid, (None, ()))
        if forks is not None and forks == listed_at and len(tids) == count:
            return tids
        tids = list_threads(self.files, pid)
        if forks is not None:
            if forks != listed_at:
                # All lists are of before.
                self._listed = {}
            self._listed[pid] = forks, tids
        return tids
