# SPDX-License-Identifier: GPL-3.0-or-later
"""Which of the busy programs is a game that something is kept for, beside the one that is watched.

Only one game is watched; of another one that was started beside it "set each time it runs" was not
true. Its name is all that tells it, as its user has kept it by that.
"""

import os
from collections.abc import Collection, Iterator

from destutter.analysis.changes.tuning_state import GameProcess
from destutter.core.kernel_files import KernelFileError, KernelFiles
from destutter.core.kernel_names import COMM_LENGTH
from destutter.sampling.files.process_files import PROC, read_process_stat


def busy_games(
    files: KernelFiles, rows: Collection[str], names: Collection[str]
) -> Iterator[GameProcess]:
    """Those of this user among rows "PID NAME", where the kernel cuts a name off."""
    if not (files.is_live and files.shares_processes):
        return
    for row in rows:
        number, _, comm = row.partition(" ")
        name = next((each for each in names if _is_cut(comm, each)), None)
        if name is None or not number.isdecimal():
            continue
        found = _process(files, int(number), name)
        if found is not None:
            yield found


def _is_cut(comm: str, name: str) -> bool:
    return comm == name or (len(comm) >= COMM_LENGTH and name.startswith(comm))


def _process(files: KernelFiles, pid: int, name: str) -> GameProcess | None:
    try:
        if os.stat(f"{PROC}/{pid}").st_uid != os.getuid():
            return None
        stat = read_process_stat(files, pid)
    except (OSError, KernelFileError):  # it has ended meanwhile
        return None
    return None if stat is None else GameProcess(pid, str(stat.start_ticks), name)
