# SPDX-License-Identifier: GPL-3.0-or-later
"""The files of one process or thread under /proc/PID (Documentation/filesystems/proc.rst)."""

from collections.abc import Callable
from typing import NamedTuple

from destutter.core.kernel_files import KernelFileError, KernelFiles
from destutter.core.sample import RawValue
from destutter.core.statement import Statement
from destutter.sampling.files.kept_file import KeptFile
from destutter.sampling.files.measurement import picker, text_of, whole, wholes

PROC = "/proc"

# Positions behind the name, where field 3 of proc_pid_stat(5) comes first.
_PICK_STAT = picker(
    field - 3 for field in (4, 10, 11, 12, 14, 15, 16, 17, 19, 20, 22, 24, 39, 40, 41)
)
# ppid minflt cminflt majflt utime stime cutime cstime nice threads starttime rss processor
# rt_priority policy
_BLKIO = 42 - 3
_PROCESSOR = 39 - 3
_RSS = 24 - 3
_PICK_GAME = picker(field - 3 for field in (10, 12, 14, 15, 20, 24))
_PICK_THREAD = picker(field - 3 for field in (14, 15, 12, 39))  # utime stime majflt processor


_ENDED = ("Z", "X")


class ProcessStat(NamedTuple):
    """What /proc/PID/stat says; times in clock ticks, ``rss`` in pages.

    ``children_faults`` are the minor faults of children that have ended and been waited for, and
    the ``children_*_ticks`` their times with those of their own children.
    ``blkio_ticks`` stays 0 unless delay accounting is on (see ``DelayAccounting``).
    """

    name: str
    state: str
    parent: int
    minor_faults: int
    children_faults: int
    major_faults: int
    user_ticks: int
    system_ticks: int
    children_user_ticks: int
    children_system_ticks: int
    nice: int
    threads: int
    start_ticks: int
    rss: int
    processor: int
    rt_priority: int
    policy: int
    blkio_ticks: RawValue

    @property
    def has_ended(self) -> bool:
        """Whether only the name is left, waiting for its parent to take note."""
        return self.state in _ENDED and self.threads <= 1

    @property
    def children_ticks(self) -> int:
        """What children used that have ended and been waited for."""
        return self.children_user_ticks + self.children_system_ticks


_make_stat = ProcessStat._make


def parse_process_stat(path: str, data: bytes) -> ProcessStat:
    """The line of a process; its name may contain spaces and brackets."""
    start = data.find(b"(")
    end = data.rfind(b") ")
    tokens = data[end + 2 :].split(None, _BLKIO + 1)
    if not 0 <= start < end or len(tokens) < _BLKIO:
        raise KernelFileError(path, 1, Statement("sampling.no_process_line"))
    picked = _PICK_STAT(tokens)
    try:
        numbers = map(int, picked)
        blkio = int(tokens[_BLKIO]) if len(tokens) > _BLKIO else None
        return _make_stat(
            (data[start + 1 : end].decode("utf-8", "replace"), tokens[0].decode(), *numbers, blkio)
        )
    except ValueError:
        wholes(path, 1, (*picked, *tokens[_BLKIO : _BLKIO + 1]))
        raise KernelFileError(path, 1, Statement("sampling.no_process_line")) from None


class GameStat(NamedTuple):
    """What each tick needs of the line of the game, with the names of ``ProcessStat``."""

    state: str
    minor_faults: int
    major_faults: int
    user_ticks: int
    system_ticks: int
    threads: int
    rss: int

    @property
    def has_ended(self) -> bool:
        """Whether only the name is left, waiting for its parent to take note."""
        return self.state in _ENDED and self.threads <= 1


def parse_game_stat(path: str, data: bytes) -> GameStat:
    """The first half of the line: all of it costs 12 µs more when nothing is in a cache."""
    start = data.find(b"(")
    end = data.rfind(b") ")
    tokens = data[end + 2 :].split(None, _RSS + 1)
    if not 0 <= start < end or len(tokens) <= _RSS:
        raise KernelFileError(path, 1, Statement("sampling.no_process_line"))
    return GameStat(text_of(tokens[0]), *wholes(path, 1, _PICK_GAME(tokens)))


def parse_thread_stat(path: str, data: bytes) -> tuple[str, tuple[int, ...]]:
    """The name of a thread, then its user and system ticks, major faults and processor.

    Four numbers of the line instead of all that a process is asked for: a game at work has dozens
    of threads that ran, and a tick in ten reads the line of each (10 µs each with all, 6 with
    these).
    """
    start = data.find(b"(")
    end = data.rfind(b") ")
    tokens = data[end + 2 :].split(None, _PROCESSOR + 1)
    if not 0 <= start < end or len(tokens) <= _PROCESSOR:
        raise KernelFileError(path, 1, Statement("sampling.no_process_line"))
    return text_of(data[start + 1 : end]), wholes(path, 1, _PICK_THREAD(tokens))


def parse_task_schedstat(path: str, data: bytes) -> tuple[RawValue, ...]:
    """Nanoseconds on a CPU, nanoseconds of waiting for one, and time slices of one thread."""
    try:
        run_ns, delay_ns, slices = map(int, data.split())
    except ValueError:
        raise KernelFileError(path, 1, Statement("sampling.not_three_numbers")) from None
    return run_ns, delay_ns, slices


def status_value(path: str, data: bytes, name: bytes) -> RawValue:
    """The number of one line of /proc/PID/status; None when the line is not there."""
    start = data.find(b"\n" + name + b":")
    if start < 0:
        return None
    begin = start + len(name) + 2
    end = data.find(b"\n", begin)
    words = data[begin : end if end >= 0 else None].split()
    return whole(path, data.count(b"\n", 0, begin) + 1, words[0] if words else b"")


def parse_process_io(path: str, data: bytes) -> tuple[RawValue, RawValue]:
    """Bytes that a process really read from and wrote to devices."""
    # rchar: N wchar: N syscr: N syscw: N read_bytes: N write_bytes: N ...
    tokens = data.split(None, 12)
    if len(tokens) < 12 or tokens[8:12:2] != [b"read_bytes:", b"write_bytes:"]:
        raise KernelFileError(path, None, Statement("sampling.no_device_bytes"))
    return whole(path, 5, tokens[9]), whole(path, 6, tokens[11])


class DelayAccounting:
    """Whether the kernel counts the time that tasks wait for their I/O.

    It is off by default since Linux 5.14, and the field then stays at 0, which must not pass for
    a measurement (Documentation/accounting/delay-accounting.rst).
    """

    def __init__(self, files: KernelFiles) -> None:
        self._file = KeptFile(files, "/proc/sys/kernel/task_delayacct")

    def is_on(self) -> bool:
        data = self._file.find()
        return data is not None and data.strip() == b"1"

    def close(self) -> None:
        self._file.close()


def list_pids(files: KernelFiles) -> list[int]:
    """The processes that exist, oldest number first."""
    return sorted(int(name) for name in files.list_names(PROC) if name.isdigit())


def list_threads(files: KernelFiles, pid: int) -> list[int]:
    """The threads of a process; empty when it has ended."""
    return sorted(int(name) for name in files.list_names(f"{PROC}/{pid}/task") if name.isdigit())


def read_process_stat(files: KernelFiles, pid: int) -> ProcessStat | None:
    """What /proc/PID/stat says now; None when there is no such process."""
    path = f"{PROC}/{pid}/stat"
    data = files.read_bytes(path)
    return parse_process_stat(path, data) if data else None


def values_if_shown(
    file: KeptFile, parse: Callable[[str, bytes], tuple[RawValue, ...]], width: int
) -> tuple[RawValue, ...]:
    """The parsed file; nothing measured where the kernel lacks it or refuses to show it.

    Another user's game, or one with privileges of its own such as gamescope, hides its I/O.
    """
    data = file.find_if_shown()
    return (None,) * width if data is None else parse(file.path, data)


def read_if_shown(files: KernelFiles, path: str) -> bytes:
    """A file of somebody else's process, or hidden from a sandbox: empty, and no failure."""
    try:
        return files.read_bytes(path) or b""
    except KernelFileError:
        return b""


def state_in(line: bytes) -> bytes:
    """The letter behind the name of a process or thread in its line "stat"; empty without one."""
    end = line.rfind(b") ")
    return line[end + 2 : end + 3] if end >= 0 else b""


def name_in(line: bytes) -> str:
    """The name of a process or thread in its line "stat"."""
    return text_of(line[line.find(b"(") + 1 : line.rfind(b") ")])


def read_arguments(files: KernelFiles, pid: int) -> list[str]:
    """The command line of a process; empty when it has none or may not be read."""
    try:
        data = files.read_bytes(f"{PROC}/{pid}/cmdline")
    except KernelFileError:
        return []
    return [text_of(word) for word in (data or b"").split(b"\0") if word]
