# SPDX-License-Identifier: GPL-3.0-or-later
"""The threads of the watched game, once a second."""

import time
from collections.abc import Callable, Sequence
from itertools import chain

from destutter.core.kernel_files import KernelFiles
from destutter.core.sample import RawValue
from destutter.core.statement import Statement
from destutter.sampling.files.kept_file import KeptFile
from destutter.sampling.files.measurement import AbsentError, Measurement
from destutter.sampling.files.process_files import (
    PROC,
    parse_task_schedstat,
    parse_thread_stat,
)
from destutter.sampling.files.thread_lists import ThreadLists
from destutter.sampling.game.game_threads import GameThreads
from destutter.sampling.game.watched_process import WatchedProcess

# Two files of 64 threads are half of what a whole tick costs.
MOST_THREADS = 64


class _Thread:
    """The two kept files of a thread, its name, and how long it has run.

    ``name`` is empty before the first reading, ``run_ns`` 0 where the kernel does not tell.
    """

    __slots__ = ("_run", "_values", "label", "name", "run_ns", "schedstat", "stat")

    def __init__(self, files: KernelFiles, pid: int, tid: int) -> None:
        base = f"{PROC}/{pid}/task/{tid}"
        self.stat = KeptFile(files, f"{base}/stat")
        self.schedstat = KeptFile(files, f"{base}/schedstat")
        self.label = self.name = ""
        self.run_ns = 0
        self._run = b""
        self._values: tuple[RawValue, ...] = ()

    def read(self, tid: int) -> tuple[RawValue, ...] | None:
        """The values of the catalog; None when the thread has ended.

        A thread that has not run since the last reading cannot have changed the rest of them,
        and most threads of a game rest most of the time.
        """
        run = self.schedstat.find()
        if run and run == self._run:
            return self._values
        data = self.stat.find()
        if not data:
            return None
        name, numbers = parse_thread_stat(self.stat.path, data)
        waits = parse_task_schedstat(self.schedstat.path, run) if run else (None,) * 3
        if name != self.name or not self.label:
            self.name, self.label = name, f"{tid} {name}"
        self.run_ns = waits[0] or 0
        self._values = (*waits, *numbers)
        self._run = run or b""
        return self._values

    def close(self) -> None:
        self.stat.close()
        self.schedstat.close()


class ThreadSampler:
    """Up to 64 threads of the game: all, or the busiest when it has more.

    ``choose`` picks among too many; it is given the threads and returns those to follow.
    """

    sources = ("thread",)

    def __init__(
        self,
        files: KernelFiles,
        watch: WatchedProcess,
        choose: Callable[[int, Sequence[int]], Sequence[int]] | None = None,
        game_threads: GameThreads | None = None,
        clock: Callable[[], int] = time.monotonic_ns,
        lists: ThreadLists | None = None,
    ) -> None:
        self._files = files
        self._watch = watch
        self._choose = choose or (lambda _pid, tids: tids[:MOST_THREADS])
        self._game_threads = GameThreads() if game_threads is None else game_threads
        self._clock = clock
        self._lists = ThreadLists(files) if lists is None else lists
        self._pid: int | None = None
        self._chosen: Sequence[int] = ()
        self._threads: dict[int, _Thread] = {}
        self._instances: tuple[str, ...] = ()
        self._names: dict[int, str] = {}
        self._rows: list[tuple[RawValue, ...]] = []
        self._last: tuple[Measurement, ...] = ()

    def read(self) -> Sequence[Measurement]:
        """Values per thread; nothing while no game is watched."""
        pid = self._watch.pid
        if pid != self._pid:
            self.close()
            self._pid = pid
            self._game_threads.begin(pid)
        if pid is None:
            return ()
        self._follow(pid)
        rows = [thread.read(tid) for tid, thread in self._threads.items()]
        there = [row for row in rows if row is not None]
        threads = list(self._threads.values())
        if len(there) < len(rows):
            threads = [
                thread for thread, row in zip(threads, rows, strict=True) if row is not None
            ]
        labels = tuple([thread.label for thread in threads])
        if labels != self._instances:
            self._instances = labels
            self._names = {tid: thread.name for tid, thread in self._threads.items()}
        self._enrol()
        if not self._last or there != self._rows or labels is self._instances:
            self._rows = there
            values = tuple(chain.from_iterable(there))
            self._last = (Measurement("thread", self._instances, values),)
        return self._last

    def close(self) -> None:
        for thread in self._threads.values():
            thread.close()
        self._threads = {}
        self._chosen = ()
        self._rows = []
        self._last = ()
        self._pid = None

    def _enrol(self) -> None:
        """Tell the samplers of every tick which threads work."""
        run_ns = {tid: thread.run_ns for tid, thread in self._threads.items()}
        self._game_threads.note(self._clock(), self._names, run_ns)

    def _follow(self, pid: int) -> None:
        """Open threads that came and close those that went."""
        tids = self._lists.of(pid, self._watch.threads)
        if not tids:
            raise AbsentError(Statement("sampling.no_process", {"pid": str(pid)}))
        self._game_threads.tids = tids
        chosen = tids if len(tids) <= MOST_THREADS else self._choose(pid, tids)
        if chosen is self._chosen:
            return
        self._chosen = chosen
        tids = sorted(set(chosen) & set(tids))
        if list(self._threads) == tids:
            return
        for tid in self._threads.keys() - set(tids):
            self._threads.pop(tid).close()
        self._instances = ()
        old, self._threads = self._threads, {}
        for tid in tids:
            self._threads[tid] = old.get(tid) or _Thread(self._files, pid, tid)
