# SPDX-License-Identifier: GPL-3.0-or-later
"""How long the threads that matter ran and stood in a run queue, at every tick."""

from collections.abc import Sequence

from destutter.core.kernel_files import KernelFiles
from destutter.core.sample import RawValue
from destutter.sampling.files.kept_file import KeptFile
from destutter.sampling.files.measurement import Measurement
from destutter.sampling.files.process_files import PROC, parse_task_schedstat
from destutter.sampling.game.game_threads import GameThreads
from destutter.sampling.game.watched_process import WatchedProcess

LONG_DELAY_NS = 30_000_000
"""So long a wait for a core in one tick is worth a look at who had it."""


class _BusyThread:
    """One thread with its file; ``times`` are those of ``data``, and empty when it has ended."""

    __slots__ = ("data", "file", "label", "times")

    def __init__(self, label: str, file: KeptFile) -> None:
        self.label = label
        self.file = file
        self.data: bytes | None = b""
        self.times: tuple[int, ...] = ()

    def take(self, data: bytes | None) -> int:
        """Take in what the file says now; how much longer it has waited than before, in ns."""
        before = self.times
        self.data = data
        if not data:
            self.times = ()
            return 0
        try:
            run_ns, delay_ns, _slices = map(int, data.split())
        except ValueError:
            # Raises, and says what is wrong.
            parse_task_schedstat(self.file.path, data)
            raise
        self.times = run_ns, delay_ns
        return delay_ns - before[1] if before else 0


class BusyThreadSampler:
    """The schedstat of the game's busiest threads, a dozen at most.

    An engine's main thread sleeps until its workers are done, so that a frame is late where one
    of them runs or waits; a second is too coarse to tell whether it was within a stutter.
    """

    sources = ("busy_thread",)

    def __init__(self, files: KernelFiles, watch: WatchedProcess, threads: GameThreads) -> None:
        self._files = files
        self._watch = watch
        self._threads = threads
        self._chosen: tuple[tuple[int, str], ...] = ()
        self._kept: list[_BusyThread] = []
        self._instances: tuple[str, ...] = ()

    def read(self) -> Sequence[Measurement]:
        """Nanoseconds on a core and of waiting for one; nothing while none is known."""
        chosen = self._threads.busy if self._threads.pid == self._watch.pid else ()
        if chosen is not self._chosen:
            self._follow(chosen)
        values: list[RawValue] = []
        # A dozen files ten times a second: the loop does no more than it must.
        for thread in self._kept:
            data = thread.file.find()
            if data != thread.data:
                if not data or not thread.data:
                    self._instances = ()
                if thread.take(data) >= LONG_DELAY_NS:
                    self._threads.was_held_up = True
            values += thread.times
        if not values:
            self._threads.busy_runs = (), ()  # who rests does not stand
            return ()
        if not self._instances:
            self._instances = tuple(thread.label for thread in self._kept if thread.times)
        self._threads.busy_runs = self._instances, values[::2]
        if self._threads.lead != self._threads.pid:
            self._note_lead()
        return (Measurement("busy_thread", self._instances, tuple(values)),)

    def close(self) -> None:
        self._follow(())

    def _note_lead(self) -> None:
        lead = f"{self._threads.lead} "
        for thread in self._kept:
            if thread.times and thread.label.startswith(lead):
                self._threads.lead_run_ns = thread.times[0]

    def _follow(self, chosen: tuple[tuple[int, str], ...]) -> None:
        old = {(thread.label, thread.file.path): thread for thread in self._kept}
        self._kept = []
        for tid, name in chosen:
            label = f"{tid} {name}"
            path = f"{PROC}/{self._threads.pid}/task/{tid}/schedstat"
            kept = old.pop((label, path), None)
            self._kept.append(kept or _BusyThread(label, KeptFile(self._files, path)))
        for thread in old.values():
            thread.file.close()
        self._chosen, self._instances = chosen, ()
