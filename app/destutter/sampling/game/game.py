# SPDX-License-Identifier: GPL-3.0-or-later
"""The watched game as a whole and the scheduling of its main thread, at every tick."""

from collections.abc import Sequence

from destutter.core.kernel_files import KernelFiles
from destutter.core.statement import Statement
from destutter.sampling.files.kept_file import KeptFile
from destutter.sampling.files.measurement import AbsentError, Measurement
from destutter.sampling.files.process_files import (
    PROC,
    DelayAccounting,
    parse_game_stat,
    parse_process_stat,
    parse_task_schedstat,
    values_if_shown,
)
from destutter.sampling.game.game_waits import MainThreadWaits
from destutter.sampling.game.watched_process import WatchedProcess

_ACCOUNTING_EVERY = 50  # five seconds of ticks; kernel.task_delayacct may be switched any time


class GameSampler:
    """The process as a whole, and the scheduling of its main thread."""

    sources = ("game",)

    def __init__(self, files: KernelFiles, watch: WatchedProcess, page_bytes: int) -> None:
        self._files = files
        self._watch = watch
        self._page_kib = page_bytes // 1024
        self._pid: int | None = None
        self._stat = KeptFile(files, "")
        self._schedstat = KeptFile(files, "")
        self._waits = MainThreadWaits(files, None)
        self._accounting = DelayAccounting(files)
        self._counts_blkio = False
        self._reads = 0

    def read(self) -> Sequence[Measurement]:
        """One value per field of the catalog; nothing while no game is watched.

        Raises ``AbsentError`` when the process does not exist (any more).
        """
        pid = self._watch.pid
        if pid != self._pid:
            self.close()
            self._pid = pid
            self._stat = KeptFile(self._files, f"{PROC}/{pid}/stat")
            self._schedstat = KeptFile(self._files, f"{PROC}/{pid}/schedstat")
            self._waits = MainThreadWaits(self._files, pid)
        if pid is None:
            return ()
        if self._reads % _ACCOUNTING_EVERY == 0:
            self._counts_blkio = self._accounting.is_on()
        self._reads += 1
        data = self._stat.find()
        stat = parse_game_stat(self._stat.path, data) if data else None
        if data is None or stat is None or stat.has_ended:
            raise AbsentError(Statement("sampling.no_process", {"pid": str(pid)}))
        blkio_ticks = None
        if self._counts_blkio:
            # It stands far behind, and few kernels count it.
            blkio_ticks = parse_process_stat(self._stat.path, data).blkio_ticks
        schedule = values_if_shown(self._schedstat, parse_task_schedstat, 3)
        self._watch.main_run_ns = schedule[0]
        self._watch.threads = stat.threads
        self._watch.is_traced = stat.state == "t"
        self._watch.is_blocked = stat.state == "D"
        values = (
            stat.user_ticks,
            stat.system_ticks,
            stat.minor_faults,
            stat.major_faults,
            blkio_ticks,
            stat.threads,
            *schedule,
            stat.rss * self._page_kib,
            *self._waits.read(stat.state),
        )
        return (Measurement("game", None, values),)

    def close(self) -> None:
        self._stat.close()
        self._schedstat.close()
        self._waits.close()
        self._accounting.close()
        self._watch.main_run_ns = self._watch.threads = None
        self._watch.is_traced = self._watch.is_blocked = False
        self._pid = None
        self._reads = 0
