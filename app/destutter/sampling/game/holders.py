# SPDX-License-Identifier: GPL-3.0-or-later
"""Who keeps a thread of the game: a tracer, the holder of a file's lock, a program's file system,
a program that it had started itself, or one that reads its memory map.

The kernel tells all of these, each in a file of its own, and none of them is worth reading unless
a look has just found a thread kept so. Who sent a signal that stopped the game, or froze its
group, the kernel does not keep.
"""

from enum import Enum

from destutter.core.interpreters import is_interpreter
from destutter.core.kernel_files import KernelFileError, KernelFiles
from destutter.sampling.files.measurement import text_of
from destutter.sampling.files.process_files import PROC, read_if_shown, status_value
from destutter.sampling.game.map_readers import MapReaders
from destutter.sampling.game.wait_places import FILE_LOCKS, FILE_SERVERS, is_for_child

NOBODY = "0"
"""Who is told where the kernel does not say who it is."""

_LOCKS = f"{PROC}/locks"
_WAITER = b"->"
_FUSE = "fuse"
_LOOKS_APART = 64  # ten seconds at least, and longer where threads seldom wait
_MOST_SHELLS = 4  # between a game and what it starts; a damaged capture may hold a circle
# File systems in programs that are on every desktop and hold no game (documents of sandboxes,
# network folders of file managers), and the switch of FUSE itself.
_DESKTOP = ("fuse.portal", "fuse.gvfsd-fuse", "fuse.lxcfs", "fusectl")


class Keeps(Enum):
    """How somebody keeps a thread, with the names of the catalog."""

    TRACES = "traces"
    LOCKS = "locks"
    SERVES = "serves"
    CHILD = "child"
    READS = "reads"


class Holders:
    """Asks the kernel who keeps a thread; names as "PID NAME"."""

    def __init__(self, files: KernelFiles, readers: MapReaders) -> None:
        self._files = files
        self._readers = readers
        self._served: dict[str, str] = {}
        self._served_of = 0
        self._served_looks = 0

    def tracer(self, pid: int, tid: int) -> str:
        """The program that traces a thread; empty when none does.

        The kernel names the thread that attached, which may have a name of its own
        (proc_task_state in fs/proc/array.c).
        """
        thread = self._status(f"{PROC}/{pid}/task/{tid}/status", b"TracerPid")
        if not thread:
            return ""
        return self._named(self._status(f"{PROC}/{thread}/status", b"Tgid") or thread)

    def holder_of_lock(self, pid: int) -> str:
        """The program that has the lock of a file that the process waits for, else ``NOBODY``."""
        holder = lock_holder(read_if_shown(self._files, _LOCKS), pid)
        return self._named(holder) if holder and holder != pid else NOBODY

    def server(self, pid: int) -> str:
        """The file system of a program that the process can only mean, else ``NOBODY``.

        What a mount calls itself; the kernel does not tell which program answers for it.
        """
        mounts = set(served_mounts(read_if_shown(self._files, f"{PROC}/{pid}/mountinfo")).values())
        return f"0 {mounts.pop()}" if len(mounts) == 1 else NOBODY

    def served(self, pid: int) -> dict[str, str]:
        """The numbers of the mounts that programs serve, with what each calls itself.

        Looked up again after some looks: a thread that waits for a drive is no rare thing, and
        mounts are made seldom.
        """
        if pid != self._served_of or not self._served_looks:
            self._served = served_mounts(read_if_shown(self._files, f"{PROC}/{pid}/mountinfo"))
            self._served_of, self._served_looks = pid, _LOOKS_APART
        self._served_looks -= 1
        return self._served

    def child(self, pid: int, tid: int) -> str:
        """The program that a thread has started and waits for, where it has one; else ``NOBODY``.

        A shell that only runs it for ``system`` is passed over (CONFIG_PROC_CHILDREN).
        """
        only = self._only_child(pid, tid)
        for _ in range(_MOST_SHELLS):
            below = self._only_child(only, only) if self._is_shell(only) else 0
            only = below or only
        return self._named(only) if only else NOBODY

    def reader(self, pid: int) -> str:
        """The program that reads the process's memory map now; empty where none is known to."""
        return self._named_reader(self._readers.find(pid))

    def found_reader(self) -> str:
        """The one that a search has found since the last call; empty where none has."""
        return self._named_reader(self._readers.take_found())

    def _named_reader(self, reader: int) -> str:
        name = self._named(reader) if reader else NOBODY
        return "" if name == NOBODY else name

    def _is_shell(self, pid: int) -> bool:
        return is_interpreter(text_of(read_if_shown(self._files, f"{PROC}/{pid}/comm").strip()))

    def _only_child(self, pid: int, tid: int) -> int:
        children = read_if_shown(self._files, f"{PROC}/{pid}/task/{tid}/children").split()
        return int(children[0]) if len(children) == 1 and children[0].isdigit() else 0

    def _named(self, pid: int) -> str:
        name = text_of(read_if_shown(self._files, f"{PROC}/{pid}/comm").strip())
        # Who took a lock may have handed it on to a child and ended (flock).
        return f"{pid} {name}" if name else NOBODY

    def _status(self, path: str, field: bytes) -> int:
        data = read_if_shown(self._files, path)
        try:
            return status_value(path, data, field) or 0
        except KernelFileError:
            return 0


def how_kept(place: bytes) -> Keeps | None:
    """How a thread is kept that sleeps in that place; None where neither a file nor a program of
    its own is the reason.
    """
    if place.startswith(FILE_LOCKS):
        return Keeps.LOCKS
    if place.startswith(FILE_SERVERS):
        return Keeps.SERVES
    return Keeps.CHILD if is_for_child(place) else None


def lock_holder(table: bytes, pid: int) -> int:
    """The process that has the lock that a process waits for, by /proc/locks; 0 if untold.

    Waiters stand below the lock that they wait for, with its number
    (``locks_show`` in fs/locks.c); a lock of an open file (OFD) has no process, -1.
    """
    wanted = str(pid).encode()
    holder, number = b"", b""
    for line in table.splitlines():
        words = line.split()
        if len(words) < 6:
            continue
        if words[1] != _WAITER:
            number, holder = words[0], words[4]
        elif words[0] == number and words[5] == wanted:
            return int(holder) if holder.isdigit() else 0
    return 0


def served_mounts(mountinfo: bytes) -> dict[str, str]:
    """The file systems of programs in /proc/PID/mountinfo: what each calls itself, by number."""
    found = {}
    for line in mountinfo.splitlines():
        number = text_of(line.partition(b" ")[0])
        words = text_of(line.partition(b" - ")[2]).split(" ")
        is_served = words[0].startswith(_FUSE) and not words[0].startswith(_DESKTOP)
        if is_served and len(words) > 1:
            # "fuse.sshfs host:/games": the kind says more than a source such as /dev/fuse.
            kind = words[0].partition(".")[2]
            found[number] = kind or words[1].rpartition("/")[2]
    return found
