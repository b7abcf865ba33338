# SPDX-License-Identifier: GPL-3.0-or-later
"""Who has a frame log open for writing, and whether that is the game or another program."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from destutter.core.kernel_files import KernelFileError, KernelFiles
from destutter.core.kernel_names import KTHREADD
from destutter.sampling.files.process_files import (
    PROC,
    ProcessStat,
    list_pids,
    read_if_shown,
    read_process_stat,
    status_value,
)

_WRITES = 0o3  # of the flags in fdinfo: for reading only it is 0
_MOST_ABOVE = 64  # generations


def processes_of(files: KernelFiles, owner: int) -> Iterator[tuple[int, ProcessStat]]:
    """Those of one user that run. Raises ``KernelFileError`` without /proc."""
    for pid in list_pids(files):
        path = f"{PROC}/{pid}/status"
        try:
            stat = read_process_stat(files, pid)
            if stat is None or stat.has_ended or stat.parent == KTHREADD:
                continue
            user = status_value(path, read_if_shown(files, path), b"Uid")
        except KernelFileError:
            continue
        if user == owner:
            yield pid, stat


def writes_to(files: KernelFiles, pid: int, ending: str) -> bool:
    """Whether it has a file whose path ends so open, and not only to read it as this program
    does."""
    base = f"{PROC}/{pid}"
    try:
        for name in files.list_names(f"{base}/fd"):
            target = files.read_link(f"{base}/fd/{name}") or ""
            if target.endswith(ending) and _is_for_writing(files, f"{base}/fdinfo/{name}"):
                return True
    except KernelFileError:
        return False
    return False


def is_of_another(files: KernelFiles, pid: int, log: Path) -> bool:
    """Whether programs are seen to write this log that have nothing to do with ``pid``.

    One folder has the logs of all games: frame times of one that ran beside it were told as those
    of the game that was watched. What a launcher above or below the game writes is its own, and
    where a sandbox hides who writes, nothing is known against it.
    """
    path = str(log.resolve())
    if writes_to(files, pid, path):
        return False
    try:
        processes = dict(processes_of(files, log.stat().st_uid))
    except (OSError, KernelFileError):
        return False
    writers = [each for each in processes if writes_to(files, each, path)]
    return bool(writers) and not any(_are_related(processes, pid, each) for each in writers)


def _are_related(processes: Mapping[int, ProcessStat], one: int, other: int) -> bool:
    return one in _above(processes, other) or other in _above(processes, one)


def _above(processes: Mapping[int, ProcessStat], pid: int) -> list[int]:
    """Who started it, who started that, and so on, as far as they are of the same user."""
    found: list[int] = []
    stat = processes.get(pid)
    while stat is not None and len(found) < _MOST_ABOVE:
        found.append(stat.parent)
        stat = processes.get(stat.parent)
    return found


def _is_for_writing(files: KernelFiles, path: str) -> bool:
    """See proc_pid_fdinfo(5)."""
    for line in read_if_shown(files, path).splitlines():
        name, _, value = line.partition(b":")
        if name == b"flags":
            return bool(int(value, 8) & _WRITES)
    return False
