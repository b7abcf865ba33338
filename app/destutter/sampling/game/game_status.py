# SPDX-License-Identifier: GPL-3.0-or-later
"""What the watched game read and wrote, what of it is swapped, and how often it gave way."""

import time
from collections.abc import Callable, Sequence

from destutter.core.kernel_files import KernelFiles
from destutter.core.sample import RawValue
from destutter.sampling.files.kept_file import KeptFile
from destutter.sampling.files.measurement import Measurement
from destutter.sampling.files.process_files import (
    PROC,
    parse_process_io,
    status_value,
    values_if_shown,
)
from destutter.sampling.game.game_threads import GameThreads
from destutter.sampling.game.watched_process import WatchedProcess

# Once a second; a little less, or a tick that comes early would skip a whole one.
_STATUS_NS = 950_000_000
_STATUS = (b"VmSwap", b"voluntary_ctxt_switches", b"nonvoluntary_ctxt_switches")


class GameStatusSampler:
    """Swapped memory, what devices moved, and how often the main thread gave way or had to."""

    sources = ("game_status",)

    def __init__(
        self,
        files: KernelFiles,
        watch: WatchedProcess,
        clock: Callable[[], int] = time.monotonic_ns,
        game_threads: GameThreads | None = None,
    ) -> None:
        self._files = files
        self._watch = watch
        self._game_threads = GameThreads() if game_threads is None else game_threads
        self._pid: int | None = None
        self._lead: int | None = None
        self._clock = clock
        self._status = KeptFile(files, "")
        self._io = KeptFile(files, "")
        self._known: tuple[RawValue, ...] = ()
        self._read_ns = 0

    def read(self) -> Sequence[Measurement]:
        """One value per field of the catalog; nothing while no game is watched.

        What devices moved is wanted at each tick. The rest is read once a second: it takes the
        kernel as long as all that a tick reads of memory (58 of 70 µs).
        """
        pid = self._watch.pid
        if pid != self._pid:
            self.close()
            self._pid = pid
            self._status = KeptFile(self._files, f"{PROC}/{pid}/status")
            self._lead = pid
            self._io = KeptFile(self._files, f"{PROC}/{pid}/io")
        now_ns = self._clock()
        if pid is not None and (not self._known or now_ns - self._read_ns >= _STATUS_NS):
            self._read_ns = now_ns
            self._known = self._read_status(pid)
        if not self._known:
            # It has ended, which the source "game" says.
            return ()
        values = (*self._known, *values_if_shown(self._io, parse_process_io, 2))
        return (Measurement("game_status", None, values),)

    def _read_status(self, pid: int) -> tuple[RawValue, ...]:
        """How often the thread that drives the frames gave way, which may not be the first one.

        Counts of another thread than before are no growth of those, and left out once.
        """
        lead = self._game_threads.lead if self._game_threads.pid == pid else pid
        is_other = lead is not None and lead != self._lead
        if is_other:
            self._status.close()
            self._status = KeptFile(self._files, f"{PROC}/{pid}/task/{lead}/status")
            self._lead = lead
        data = self._status.find()
        path = self._status.path
        if data is None:
            return () if self._lead == pid else (None,) * len(_STATUS)
        swap_kib, *switches = (status_value(path, data, name) for name in _STATUS)
        return (swap_kib, *((None, None) if is_other else switches))

    def close(self) -> None:
        self._status.close()
        self._io.close()
        self._pid, self._known = None, ()
