# SPDX-License-Identifier: GPL-3.0-or-later
"""Which program reads the game's memory map, or its memory, while the game waits for the map.

Whoever reads /proc/PID/smaps keeps the map's lock while the kernel walks all pages of a mapping
(fs/proc/task_mmu.c), runs meanwhile or waits for the same lock, and may do so in any of its
threads: the open files of every program are looked through. On a desktop that takes 20 ms, so it
is done beside the ticks, as soon as a look finds the game waiting; who was found is asked at once
the next time. The files of another user's program nobody may see.
"""

from collections.abc import Callable, Iterator

from destutter.core.kernel_files import KernelFileError, KernelFiles, names_if_shown
from destutter.sampling.files.process_files import PROC, read_if_shown, state_in

_AT_WORK = (b"R", b"D")
_FILES = ("smaps", "smaps_rollup", "maps", "numa_maps", "pagemap", "clear_refs", "mem")
# 1 % of a core at most, and only while the game waits for its map.
_SEARCH_NS = 2_000_000_000


class MapReaders:
    """Asked by ticks (``find``, ``take_*``), searches on the slow side (``search``).

    ``clock`` gives nanoseconds of CLOCK_MONOTONIC. ``found`` is the reader that a search has found
    since the last ``take_found``; 0 for none.
    """

    def __init__(self, files: KernelFiles, clock: Callable[[], int]) -> None:
        self._files = files
        self._clock = clock
        self._known = self.found = 0
        self._wanted: int | None = None
        self._is_new = False
        self._next_ns = 0

    def find(self, pid: int) -> int:
        """The known reader if it has such a file of the game open right now, else 0 for now."""
        if self._known and self._reads(self._known, pid):
            return self._known
        self._wanted, self._is_new = pid, True
        return 0

    def take_new(self) -> bool:
        """Whether a search was asked for since the last call."""
        is_new, self._is_new = self._is_new, False
        return is_new

    def take_found(self) -> int:
        """The reader ``found``, which is told once."""
        found, self.found = self.found, 0
        return found

    def search(self) -> None:
        """Look for the reader that was asked for, if one was."""
        pid, self._wanted = self._wanted, None
        now_ns = self._clock()
        if pid is None or now_ns < self._next_ns:
            return
        self._next_ns = now_ns + _SEARCH_NS
        others = (each for each in self._processes() if each != pid)
        self._known = self.found = next((each for each in others if self._reads(each, pid)), 0)

    def _processes(self) -> Iterator[int]:
        return (int(name) for name in names_if_shown(self._files, PROC) if name.isdigit())

    def _reads(self, reader: int, game: int) -> bool:
        folder = f"{PROC}/{reader}/fd"
        try:
            is_open = any(
                is_of_map(self._files.read_link(f"{folder}/{name}") or "", game)
                for name in self._files.list_names(folder)
            )
        except KernelFileError:
            return False  # somebody else's, which nobody may read: not known, and no failure
        # A tool that keeps the file open for later holds nobody up.
        return is_open and any(
            state_in(read_if_shown(self._files, f"{PROC}/{reader}/task/{tid}/stat")) in _AT_WORK
            for tid in names_if_shown(self._files, f"{PROC}/{reader}/task")
        )


def is_of_map(link: str, pid: int) -> bool:
    """Whether an open file is one that keeps the map of the process from being changed.

    A thread's own files, /proc/PID/task/TID/smaps, are of the same map.
    """
    begin = f"{PROC}/{pid}/"
    return link.startswith(begin) and link.rpartition("/")[2] in _FILES
