# SPDX-License-Identifier: GPL-3.0-or-later
"""How long the threads that matter ran and stood in a run queue, at every tick."""

from collections.abc import Sequence

from destutter.core.kernel_files import KernelFiles
from destutter.core.sample import Value
from destutter.sampling.files.kept_file import KeptFile
from destutter.sampling.files.measurement import Measurement
from destutter.sampling.files.process_files import PROC, parse_task_schedstat
from destutter.sampling.game.game import WatchedProcess
from destutter.sampling.game.game_threads import GameThreads

_LONG_DELAY_NS = 30_000_000
"""So long a wait for a core in one tick is worth a look at who had it."""


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
        self._kept: list[tuple[str, KeptFile]] = []
        self._instances: tuple[str, ...] = ()
        self._delays: dict[str, int] = {}

    def read(self) -> Sequence[Measurement]:
        """Nanoseconds on a core and of waiting for one; nothing while none is known."""
        chosen = self._threads.busy if self._threads.pid == self._watch.pid else ()
        if chosen is not self._chosen:
            self._follow(chosen)
        names: list[str] = []
        values: list[Value] = []
        lead = "" if self._threads.lead == self._threads.pid else f"{self._threads.lead} "
        for name, file in self._kept:
            data = file.find()
            if data:
                run_ns, delay_ns, _slices = parse_task_schedstat(file.path, data)
                names.append(name)
                values += (run_ns, delay_ns)
                self._note_delay(name, delay_ns or 0)
                if lead and name.startswith(lead):
                    self._threads.lead_run_ns = run_ns
        if not names:
            return ()
        if len(names) != len(self._instances) or tuple(names) != self._instances:
            self._instances = tuple(names)
        return (Measurement("busy_thread", self._instances, tuple(values)),)

    def close(self) -> None:
        """Give the descriptors back."""
        self._follow(())

    def _note_delay(self, name: str, delay_ns: int) -> None:
        if delay_ns - self._delays.get(name, delay_ns) >= _LONG_DELAY_NS:
            self._threads.was_held_up = True
        self._delays[name] = delay_ns

    def _follow(self, chosen: tuple[tuple[int, str], ...]) -> None:
        old = dict(self._kept)
        self._kept = []
        for tid, name in chosen:
            label = f"{tid} {name}"
            path = f"{PROC}/{self._threads.pid}/task/{tid}/schedstat"
            file = old.get(label)
            if file is not None and file.path == path:
                del old[label]
                self._kept.append((label, file))
            else:
                self._kept.append((label, KeptFile(self._files, path)))
        for label, file in old.items():
            file.close()
            self._delays.pop(label, None)
        self._chosen = chosen
