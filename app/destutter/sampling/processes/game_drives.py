# SPDX-License-Identifier: GPL-3.0-or-later
"""Which drives hold the files of the watched game: what others do on other ones holds it not up.

The fact ``game.drives``, names with spaces between them: those of its program, of the folder that
it works in and of all files that it was ever seen to have open, with those below them. Empty where
it is not known of all of these.
"""

from destutter.core.kernel_files import KernelFiles
from destutter.sampling.processes.open_drives import OpenDrives


class GameDrives:
    """Looked for every few seconds, outside the tick."""

    def __init__(self, files: KernelFiles) -> None:
        self._drives = OpenDrives(files)
        self._pid: int | None = None
        self._seen = frozenset[str]()

    def look(self, pid: int | None) -> str:
        """The fact for the game that is watched now."""
        if pid != self._pid:
            self._pid, self._seen = pid, frozenset()
        if pid is None:
            return ""
        self._drives.look()
        found = self._drives.of_all(pid)
        self._seen |= found or frozenset()
        return "" if found is None else " ".join(sorted(self._seen))
