# SPDX-License-Identifier: GPL-3.0-or-later
"""Which running process somebody names, by its number or by what it is called."""

from destutter.commands.terminal import CommandError
from destutter.core.kernel_files import KernelFileError, KernelFiles
from destutter.core.kernel_names import COMM_LENGTH
from destutter.core.statement import Statement
from destutter.sampling.files.process_files import list_pids, read_arguments, read_process_stat


def find_process(files: KernelFiles, wanted: str) -> int:
    """The process of that number, or the one of that name that runs.

    A game may rename its main thread, and one of Windows is called by its file: where no program
    has the name, that of the file that was started counts. Raises ``CommandError`` where there is
    none, or more than one.
    """
    if wanted.isascii() and wanted.isdecimal():
        if not is_running(files, int(wanted)):
            raise CommandError(Statement("command.no_process", {"pid": wanted}))
        return int(wanted)
    names = {pid: _name(files, pid) for pid in list_pids(files)}
    file = wanted.rpartition("/")[2]
    pids = [pid for pid, name in names.items() if name == wanted[:COMM_LENGTH]]
    if not pids:
        pids = [pid for pid, name in names.items() if name and _file_name(files, pid) == file]
    if not pids:
        raise CommandError(Statement("tracing.no_game", {"name": wanted}))
    if len(pids) > 1:
        numbers = ", ".join(map(str, pids))
        raise CommandError(Statement("tracing.many_games", {"name": wanted, "pids": numbers}))
    return pids[0]


def is_running(files: KernelFiles, pid: int) -> bool:
    """Whether a process of that number is there and has not ended."""
    return _name(files, pid) is not None


def _name(files: KernelFiles, pid: int) -> str | None:
    try:
        stat = read_process_stat(files, pid)
    except KernelFileError:
        return None
    return None if stat is None or stat.has_ended else stat.name


def _file_name(files: KernelFiles, pid: int) -> str:
    """Of Windows' programs as well, whose paths have other strokes."""
    first = next(iter(read_arguments(files, pid)), "")
    return first.replace("\\", "/").rpartition("/")[2]
