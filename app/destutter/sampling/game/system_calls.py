# SPDX-License-Identifier: GPL-3.0-or-later
"""What a sleeping thread asked the kernel for, by /proc/PID/task/TID/syscall.

The file has the number of the call and its six arguments (``proc_pid_syscall`` in fs/proc/base.c),
for whoever may attach to the process: nobody does, but Yama's usual setting (ptrace_scope 1) keeps
it from all but the program's parents, and a lender never lends it. Then it is not known.
"""

from collections.abc import Iterable, Iterator
from itertools import chain

from destutter.core.kernel_files import KernelFileError, KernelFiles
from destutter.sampling.files.kept_file import KeptFile
from destutter.sampling.files.measurement import text_of
from destutter.sampling.files.process_files import PROC
from destutter.sampling.game.connections import end_at

# The time is the fourth argument of futex (98 on ARM and RISC-V, 202 on x86, 240 and 422 of 32
# bits) and of futex_waitv (449), the fifth of futex_wait (455). Wine's ntsync, in the same kind of
# place, is an ioctl.
_TIME_AT = dict.fromkeys((b"98", b"202", b"240", b"422", b"449"), 4) | {b"455": 5}
_EVENTS = "anon_inode:[eventpoll]"
_READ = (b"0", b"63")  # on x86, and on ARM and RISC-V
_EVENTFD = "anon_inode:[eventfd]"
_WORDS = 9  # the number, six arguments, the stack and where it goes on


class SystemCalls:
    """Asks for one thread at a time, whose file stays open."""

    def __init__(self, files: KernelFiles) -> None:
        self._files = files
        self._file = KeptFile(files, "")

    def is_untimed(self, pid: int, tid: int) -> int | None:
        """1 where the futex in which this thread sleeps has no time, 0 where it has one.

        A read of an eventfd has none, that of a timerfd has. None where nobody is told.
        """
        line = self._line(pid, tid)
        if line.split()[:1] not in ([number] for number in _READ):
            return untimed(line)
        try:
            link = self._files.read_link(f"{PROC}/{pid}/fd/{first_argument(line)}")
        except KernelFileError:
            return None
        return int(link == _EVENTFD)

    def ends(self, pid: int, tid: int) -> frozenset[str]:
        """The pipe or socket in which this thread sleeps, as in ``connections.end_at``.

        None where nobody is told.
        """
        descriptor = first_argument(self._line(pid, tid))
        return frozenset() if descriptor is None else self._ends(pid, [descriptor])

    def mount(self, pid: int, tid: int) -> str:
        """The number of the mount of the file that this thread reads or writes; empty where it is
        not told, as in a page fault.
        """
        descriptor = first_argument(self._line(pid, tid))
        if descriptor is None:
            return ""
        try:
            table = self._files.read_bytes(f"{PROC}/{pid}/fdinfo/{descriptor}") or b""
        except KernelFileError:
            return ""
        lines = (line.split() for line in table.splitlines())
        told = (words for words in lines if len(words) == 2 and words[0] == b"mnt_id:")
        return next((text_of(words[1]) for words in told), "")

    def watched(self, pid: int, tid: int) -> frozenset[str]:
        """The pipes and sockets of which this thread waits for events (epoll), likewise.

        Those of poll and select stand in the program's own memory.
        """
        descriptor = first_argument(self._line(pid, tid))
        if descriptor is None:
            return frozenset()
        try:
            link = self._files.read_link(f"{PROC}/{pid}/fd/{descriptor}")
            table = self._files.read_bytes(f"{PROC}/{pid}/fdinfo/{descriptor}") or b""
        except KernelFileError:
            return frozenset()
        return self._ends(pid, watched_in(table)) if link == _EVENTS else frozenset()

    def _ends(self, pid: int, descriptors: Iterable[int]) -> frozenset[str]:
        try:
            # Of a pipe opened for both ways the first: whoever writes to itself waits for nobody.
            found = (end_at(self._files, pid, str(each))[:1] for each in descriptors)
            return frozenset(chain.from_iterable(found))
        except KernelFileError:
            return frozenset()

    def _line(self, pid: int, tid: int) -> bytes:
        path = f"{PROC}/{pid}/task/{tid}/syscall"
        if not self._files.shares_processes:
            return b""
        if path != self._file.path:
            self._file.close()
            self._file = KeptFile(self._files, path)
        try:
            return self._file.find() or b""
        except KernelFileError:
            return b""

    def close(self) -> None:
        self._file.close()


def untimed(line: bytes) -> int | None:
    """The same of the line of a thread that is known to sleep in a futex."""
    words = line.split()
    if len(words) != _WORDS or words[0] not in _TIME_AT:
        return None  # "running", another call, or not told
    return int(words[_TIME_AT[words[0]]] == b"0x0")


def watched_in(table: bytes) -> Iterator[int]:
    """The descriptors of which an eventpoll tells, by its file of fdinfo."""
    for line in table.splitlines():
        words = line.split()[:2]
        if len(words) == 2 and words[0] == b"tfd:" and words[1].isdigit():
            yield int(words[1])


def first_argument(line: bytes) -> int | None:
    """That of the call: of read, write, recvmsg and their like it is the descriptor."""
    words = line.split()
    try:
        return int(words[1], 16) if len(words) == _WORDS else None
    except ValueError:
        return None
