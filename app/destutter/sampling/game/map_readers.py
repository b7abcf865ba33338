# SPDX-License-Identifier: GPL-3.0-or-later
"""Which program reads the game's memory map, or its memory, while the game waits for the map.

Whoever reads /proc/PID/smaps keeps the map's lock while the kernel walks all pages of a mapping
(fs/proc/task_mmu.c), and runs meanwhile, or waits for the same lock: so only programs that do
either are asked for their open files. The files of another user's program nobody may see.
"""

from collections.abc import Callable, Iterator

from destutter.core.kernel_files import KernelFileError, KernelFiles, names_if_shown
from destutter.sampling.files.process_files import PROC, read_if_shown

_FILES = ("smaps", "smaps_rollup", "maps", "numa_maps", "pagemap", "clear_refs", "mem")
_BUSY = (b"R", b"D")
# A search reads one file of each process, 12 us each: half a percent of a core at most, and only
# while the game waits for its map.
_SEARCH_NS = 1_000_000_000


class MapReaders:
    """``clock`` gives nanoseconds of CLOCK_MONOTONIC."""

    def __init__(self, files: KernelFiles, clock: Callable[[], int]) -> None:
        self._files = files
        self._clock = clock
        self._known = 0
        self._next_ns = 0

    def find(self, pid: int) -> int:
        """The process that has such a file of the game open right now; 0 where none is seen."""
        if self._known and self._reads(self._known, pid):
            return self._known
        now_ns = self._clock()
        if now_ns < self._next_ns:
            return 0
        self._next_ns = now_ns + _SEARCH_NS
        self._known = next((each for each in self._busy(pid) if self._reads(each, pid)), 0)
        return self._known

    def _busy(self, game: int) -> Iterator[int]:
        for name in names_if_shown(self._files, PROC):
            if name.isdigit() and int(name) != game and self._state(name) in _BUSY:
                yield int(name)

    def _state(self, name: str) -> bytes:
        data = read_if_shown(self._files, f"{PROC}/{name}/stat")
        end = data.rfind(b") ")
        return data[end + 2 : end + 3]

    def _reads(self, reader: int, game: int) -> bool:
        folder = f"{PROC}/{reader}/fd"
        try:
            return any(
                is_of_map(self._files.read_link(f"{folder}/{name}") or "", game)
                for name in self._files.list_names(folder)
            )
        except KernelFileError:
            return False  # somebody else's, which nobody may read: not known, and no failure


def is_of_map(link: str, pid: int) -> bool:
    """Whether an open file is one that keeps the map of the process from being changed.

    A thread's own files, /proc/PID/task/TID/smaps, are of the same map.
    """
    begin = f"{PROC}/{pid}/"
    return link.startswith(begin) and link.rpartition("/")[2] in _FILES
