# SPDX-License-Identifier: GPL-3.0-or-later
"""What the game's main thread sleeps for, where the kernel does not let it be woken."""

from destutter.core.kernel_files import KernelFileDeniedError, KernelFiles
from destutter.core.sample import RawValue
from destutter.sampling.files.kept_file import KeptFile
from destutter.sampling.files.process_files import PROC
from destutter.sampling.game.wait_places import DIRTY, JOURNAL, UNKNOWN

_STOPPED = ("T", "t")
_BLOCKED = "D"


class MainThreadWaits:
    """Looks at /proc/PID/wchan, and only while the main thread is blocked.

    The file names the function that the thread sleeps in; for a process of somebody else it says
    0 (proc_pid_wchan in fs/proc/base.c), and then nothing is known of what it waits for.
    """

    def __init__(self, files: KernelFiles, pid: int | None) -> None:
        self._file = KeptFile(files, f"{PROC}/{pid}/wchan")

    def read(self, state: str) -> tuple[RawValue, ...]:
        """is_stopped, is_blocked, waits_for_dirty_limit and waits_for_journal of the catalog."""
        if state in _STOPPED:
            return 1, 0, 0, 0
        if state != _BLOCKED:
            return 0, 0, 0, 0
        place = self._place()
        if place is None:
            return 0, 1, None, None
        return 0, 1, int(place.startswith(DIRTY)), int(place.startswith(JOURNAL))

    def close(self) -> None:
        self._file.close()

    def _place(self) -> bytes | None:
        try:
            data = self._file.find()
        except KernelFileDeniedError:
            return None
        place = (data or b"").strip()
        return None if place in UNKNOWN else place
