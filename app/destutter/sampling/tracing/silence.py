# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether the main thread of the game gets its core while no record tells of it.

Another program can switch events off (``trace-cmd reset`` does so in each instance there is), and
of that no reader is told: whoever goes on takes a game that draws for one that sleeps.
"""

from destutter.core.kernel_files import KernelFileError, KernelFiles
from destutter.sampling.files.process_files import PROC

_MOST_UNHEARD = 20
"""Switches that may be between a look at the rings and one at the counter beside a busy game."""


class TraceSilence:
    """Compares what was heard with how often the kernel gave the thread a core (the third number
    of ``schedstat``; always 0 where it counts none).
    """

    def __init__(self, files: KernelFiles) -> None:
        self._files = files
        self._tid: int | None = None
        self._count = 0

    def is_there(self, tid: int | None, *, is_heard: bool) -> bool:
        """Asked at each look of which is told; ``is_heard``: of this thread there was a record
        since the one before. One that was never heard of may be none that is recorded.
        """
        count = None if tid is None else self._switches(tid)
        if count is not None and is_heard:
            self._tid, self._count = tid, count
        return count is not None and tid == self._tid and count - self._count > _MOST_UNHEARD

    def _switches(self, tid: int) -> int | None:
        try:
            data = self._files.read_bytes(f"{PROC}/{tid}/schedstat") or b""
        except KernelFileError:
            return None
        words = data.split()
        return int(words[2]) if len(words) == 3 and words[2].isdigit() else None
