# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of threads and drives, of which the kernel's records have only numbers."""

import re
from uuid import UUID

from destutter.core.kernel_files import KernelFileError, KernelFiles
from destutter.core.traced import TracedThread
from destutter.sampling.files.process_files import PROC, status_value

_MINOR_BITS = 20  # of a dev_t inside of the kernel (include/linux/kdev_t.h)
_MOST_DRIVES = 1024
_MOST_PARENTS = 4  # a script, its shell, what that runs, and what this starts
_NUMBERS = re.compile(r"\d+:\d+")


class TraceNames:
    """Asks the kernel once in a look for a thread, and once at all for a drive."""

    def __init__(self, files: KernelFiles) -> None:
        self._files = files
        self._threads: dict[int, TracedThread] = {}
        self._before: dict[int, TracedThread] = {}
        self._parents: dict[int, int | None] = {}
        self._drives: dict[str, str] = {}
        self._mapped: dict[tuple[str, str], str] | None = None

    def forget_threads(self) -> None:
        """A number may be another thread's by the next look; one that is gone by then was this."""
        self._before, self._threads = self._threads, {}
        self._parents.clear()
        self._mapped = None

    def thread(self, tid: int, name: str = "") -> TracedThread:
        """The thread; ``name`` is what the kernel's record says, which is asked for without."""
        known = self._threads.get(tid)
        if known is None:
            known = self._ask(tid, name)
            if known.pid is None:
                known = self._of_before(known)
            self._threads[tid] = known
        return TracedThread(tid, name, known.pid) if name else known

    def is_child(self, tid: int, of: int) -> bool:
        """Whether a thread is one of a program that this process started, or one of those did."""
        pid = self.thread(tid).pid
        for _ in range(_MOST_PARENTS):
            pid = self._parents.get(pid) if pid is not None and pid > 1 else None
            if pid == of:
                return True
            if pid is not None:
                self.thread(pid)
        return False

    def is_gone(self, pid: int) -> bool:
        """Whether a process that was asked for in this look is not there any more."""
        return pid not in self._parents

    def drive(self, device: int) -> str:
        """The name of a drive or partition by its number in the kernel."""
        return self.drive_of(f"{device >> _MINOR_BITS}:{device & (1 << _MINOR_BITS) - 1}")

    def drive_of(self, text: str) -> str:
        """The name of a drive that is written as 259:0; any other text is one already."""
        if not _NUMBERS.fullmatch(text):
            return text
        name = self._drives.get(text)
        if name is None:
            name = _base(self._link(f"/sys/dev/block/{text}")) or text
            if len(self._drives) >= _MOST_DRIVES:
                self._drives.clear()
            self._drives[text] = name
        return name

    def file(self, game: int | None, device: int, inode: int) -> str:
        """The file of a game by the numbers of its file system and its own, as far as the game has
        it mapped just now; else those numbers."""
        if self._mapped is None:
            self._mapped = {} if game is None else self._maps(game)
        major, minor = device >> _MINOR_BITS, device & (1 << _MINOR_BITS) - 1
        found = self._mapped.get((f"{major:02x}:{minor:02x}", str(inode)))
        return found or f"{self.drive(device)}, {inode}"

    def drives_of_btrfs(self, identity: bytes) -> str:
        """The drives of a file system by its identity; that itself where nothing is known."""
        text = str(UUID(bytes=identity))
        try:
            names = self._files.list_names(f"/sys/fs/btrfs/{text}/devices")
        except KernelFileError:
            names = []
        return ", ".join(names) or text

    def _maps(self, game: int) -> dict[tuple[str, str], str]:
        try:
            data = self._files.read_bytes(f"{PROC}/{game}/maps") or b""
        except KernelFileError:
            return {}
        rows = (line.split(None, 5) for line in data.decode("utf-8", "replace").splitlines())
        return {(row[3], row[4]): row[5] for row in rows if len(row) == 6}

    def _of_before(self, gone: TracedThread) -> TracedThread:
        """What was known of it a look ago, if that had the same name.

        Whoever copied until just now is gone when its last requests are told, and they are still
        not the game's.
        """
        before = self._before.get(gone.tid)
        is_same = before is not None and gone.name in ("", before.name)
        return before if before is not None and is_same else gone

    def _ask(self, tid: int, name: str) -> TracedThread:
        if tid <= 0:
            return TracedThread(tid, name)
        path = f"{PROC}/{tid}/status"
        try:
            # In the list of processes no thread is shown, but its files are there by its number.
            data = self._files.read_bytes(path) or b""
            pid = status_value(path, data, b"Tgid")
            parent = status_value(path, data, b"PPid")
        except KernelFileError:
            return TracedThread(tid, name)
        if pid is not None:
            self._parents[pid] = parent
        own = data.partition(b"\n")[0].partition(b"\t")[2]
        return TracedThread(tid, name or own.decode("utf-8", "replace"), pid)

    def _link(self, path: str) -> str:
        try:
            return self._files.read_link(path) or ""
        except KernelFileError:
            return ""


def _base(path: str) -> str:
    return path.rpartition("/")[2]
