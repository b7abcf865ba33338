# SPDX-License-Identifier: GPL-3.0-or-later
"""Which program writes the frame log that grows while no game is known: that is the game.

MangoHud keeps its log open for writing, and names it after the program, as in
``Game_2026-11-28_14-30-00.csv``. Whoever has it open is the surest sign; where a sandbox hides
what programs have open, a program of that name that uses the processor is taken.
"""

import re
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from destutter.core.kernel_files import KernelFileError, KernelFiles
from destutter.core.kernel_names import COMM_LENGTH
from destutter.sampling.finding.frame_logs import LogFolder
from destutter.sampling.finding.open_logs import processes_of, writes_to
from destutter.sampling.finding.process_finder import AROUND_GAMES

_MOMENT = re.compile(r"_\d{4}-\d\d-\d\d_\d\d-\d\d-\d\d$", re.ASCII)
_EXE = ".exe"


class LogWriterFinder:
    """Looks into folders of frame logs; for a thread of its own, as it may wait for a disk.

    ``clock`` gives seconds since 1970. While no log grows a look is one ``stat`` a folder.
    """

    def __init__(
        self,
        files: KernelFiles,
        places: Iterable[Path],
        clock: Callable[[], float] = time.time,  # noqa: TID251  files have no other clock
    ) -> None:
        self._files = files
        self._folders = tuple(map(LogFolder, dict.fromkeys(places)))
        self._clock = clock
        self._before: dict[int, int] = {}

    def look(self) -> int | None:
        """The process that writes the newest log that grows; None without one."""
        now_s = self._clock()
        logs = [log for folder in self._folders for log in folder.fresh(now_s)]
        if not logs:
            self._before = {}
            return None
        log = max(logs)[1]
        try:
            processes = dict(processes_of(self._files, log.stat().st_uid))
        except (OSError, KernelFileError):
            return None
        named = [pid for pid, stat in processes.items() if is_named_after(log, stat.name)]
        others = [p for p in processes if processes[p].name not in AROUND_GAMES]
        ticks = {pid: stat.user_ticks + stat.system_ticks for pid, stat in processes.items()}
        busy = [pid for pid in named if ticks[pid] > self._before.get(pid, ticks[pid])]
        self._before = {pid: ticks[pid] for pid in named}
        # A sandbox may have it at another path: only where nobody has this one its name is enough.
        for path in (str(log.resolve()), f"/{log.name}"):
            for group in (named, others):
                writers = [pid for pid in group if writes_to(self._files, pid, path)]
                if writers:
                    return max(writers, key=ticks.__getitem__)
        return max(busy, key=ticks.__getitem__, default=None)


def is_named_after(log: Path, name: str) -> bool:
    """Whether a log is that of a program with this name, which the kernel cuts off.

    MangoHud leaves out the ending of Windows' programs.
    """
    program = _MOMENT.sub("", log.stem)
    cut = name[:COMM_LENGTH].lower()
    return cut in (program[:COMM_LENGTH].lower(), (program + _EXE)[:COMM_LENGTH].lower())
