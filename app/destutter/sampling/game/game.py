# SPDX-License-Identifier: GPL-3.0-or-later
"""The watched game: its process every tick, its threads once a second."""

import time
from collections.abc import Callable, Sequence
from itertools import chain

from destutter.core.kernel_files import KernelFileDeniedError, KernelFileError, KernelFiles
from destutter.core.sample import Value
from destutter.core.statement import Statement
from destutter.sampling.files.kept_file import KeptFile
from destutter.sampling.files.measurement import AbsentError, Measurement
from destutter.sampling.files.process_files import (
    PROC,
    DelayAccounting,
    parse_game_stat,
    parse_process_io,
    parse_process_stat,
    parse_task_schedstat,
    parse_thread_stat,
    status_value,
)
from destutter.sampling.files.thread_lists import ThreadLists
from destutter.sampling.game.game_threads import GameThreads
from destutter.sampling.game.game_waits import MainThreadWaits

_TURNS = 4
# Two files of 64 threads are half of what a whole tick costs.
MOST_THREADS = 64
_ACCOUNTING_EVERY = 50  # five seconds of ticks; kernel.task_delayacct may be switched any time
# Once a second; a little less, or a tick that comes early would skip a whole one.
_STATUS_NS = 950_000_000
_STATUS = (b"VmSwap", b"voluntary_ctxt_switches", b"nonvoluntary_ctxt_switches")


class WatchedProcess:
    """Which process is the game, shared by the samplers that look at it. None: none is.

    ``main_run_ns`` is how long its main thread has run and ``threads`` how many it has, as of this
    tick; None: not known. ``is_traced``: its main thread stands still because somebody traces it.
    """

    def __init__(self, pid: int | None = None) -> None:
        self.pid = pid
        self.main_run_ns: Value = None
        self.threads: Value = None
        self.is_traced = False


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
        schedule = _or_nothing(self._schedstat, parse_task_schedstat, 3)
        self._watch.main_run_ns = schedule[0]
        self._watch.threads = stat.threads
        self._watch.is_traced = stat.state == "t"
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
        """Give the descriptors back."""
        self._stat.close()
        self._schedstat.close()
        self._waits.close()
        self._accounting.close()
        self._watch.main_run_ns = self._watch.threads = None
        self._watch.is_traced = False
        self._pid = None
        self._reads = 0


def _or_nothing(
    file: KeptFile, parse: Callable[[str, bytes], tuple[Value, ...]], width: int
) -> tuple[Value, ...]:
    """The parsed file; nothing measured where the kernel lacks it or refuses to show it.

    Another user's game, or one with privileges of its own such as gamescope, hides its I/O.
    """
    try:
        data = file.find()
    except KernelFileDeniedError:
        data = None
    return (None,) * width if data is None else parse(file.path, data)


class GameStatusSampler:
    """Swapped memory, what devices moved, and how often the main thread gave way or had to."""

    sources = ("game_status",)

    def __init__(
        self,
        files: KernelFiles,
        watch: WatchedProcess,
        clock: Callable[[], int] = time.monotonic_ns,
        roll: GameThreads | None = None,
    ) -> None:
        self._files = files
        self._watch = watch
        self._roll = GameThreads() if roll is None else roll
        self._pid: int | None = None
        self._lead: int | None = None
        self._clock = clock
        self._status = KeptFile(files, "")
        self._io = KeptFile(files, "")
        self._known: tuple[Value, ...] = ()
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
        values = (*self._known, *_or_nothing(self._io, parse_process_io, 2))
        return (Measurement("game_status", None, values),)

    def _read_status(self, pid: int) -> tuple[Value, ...]:
        """How often the thread that drives the frames gave way, which may not be the first one.

        Counts of another thread than before are no growth of those, and left out once.
        """
        lead = self._roll.lead if self._roll.pid == pid else pid
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
        """Give the descriptors back."""
        self._status.close()
        self._io.close()
        self._pid, self._known = None, ()


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
        self._values: tuple[Value, ...] = ()

    def read(self, tid: int) -> tuple[Value, ...] | None:
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
        roll: GameThreads | None = None,
        clock: Callable[[], int] = time.monotonic_ns,
        lists: ThreadLists | None = None,
    ) -> None:
        self._files = files
        self._watch = watch
        self._choose = choose or (lambda _pid, tids: tids[:MOST_THREADS])
        self._roll = GameThreads() if roll is None else roll
        self._clock = clock
        self._lists = ThreadLists(files) if lists is None else lists
        self._pid: int | None = None
        self._chosen: Sequence[int] = ()
        self._threads: dict[int, _Thread] = {}
        self._instances: tuple[str, ...] = ()
        self._names: dict[int, str] = {}
        self._rows: list[tuple[Value, ...]] = []
        self._last: tuple[Measurement, ...] = ()

    def read(self) -> Sequence[Measurement]:
        """Values per thread; nothing while no game is watched."""
        pid = self._watch.pid
        if pid != self._pid:
            self.close()
            self._pid = pid
            self._roll.begin(pid)
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
        """Give the descriptors back."""
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
        self._roll.note(self._clock(), self._names, run_ns)

    def _follow(self, pid: int) -> None:
        """Open threads that came and close those that went."""
        tids = self._lists.of(pid, self._watch.threads)
        if not tids:
            raise AbsentError(Statement("sampling.no_process", {"pid": str(pid)}))
        self._roll.tids = tids
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


class BusiestThreads:
    """Ranks the threads of a game with very many, outside the tick.

    ``look`` reads all of them and is called from time to time; ``choose`` answers at once from
    the last look.
    """

    def __init__(
        self, files: KernelFiles, watch: WatchedProcess, lists: ThreadLists | None = None
    ) -> None:
        self._files = files
        self._watch = watch
        self._lists = ThreadLists(files) if lists is None else lists
        self._ranked: tuple[int | None, tuple[int, ...]] = (None, ())
        self._choice: tuple[object, Sequence[int], Sequence[int]] = (None, (), ())
        self._used: dict[int, int] = {}
        self._turn = 0

    def look(self) -> None:
        """Rank the threads by the CPU time that they have used."""
        pid = self._watch.pid
        if pid is None:
            return
        tids = self._lists.of(pid, self._watch.threads)
        if len(tids) <= MOST_THREADS:
            return
        if self._ranked[0] != pid:
            self._used = {}
        # Who works stays among the busiest for long; a few hundred are gone through in turn.
        self._turn += 1
        self._used = {
            tid: self._run_ns(pid, tid)
            if tid not in self._used or tid % _TURNS == self._turn % _TURNS
            else self._used[tid]
            for tid in tids
        }
        ranked = sorted(self._used, key=lambda tid: (-self._used[tid], tid))
        self._ranked = (pid, tuple(ranked[:MOST_THREADS]))

    def choose(self, pid: int, tids: Sequence[int]) -> Sequence[int]:
        """The busiest of the last look, filled up with the oldest of the rest.

        The same object while the ranking and the list are the same.
        """
        ranking, listed, chosen = self._choice
        if ranking is not self._ranked or listed is not tids:
            chosen = self._choose(pid, tids)
            self._choice = self._ranked, tids, chosen
        return chosen

    def _choose(self, pid: int, tids: Sequence[int]) -> Sequence[int]:
        ranked_pid, ranked = self._ranked
        there = set(tids)
        known = [tid for tid in ranked if tid in there] if ranked_pid == pid else []
        if len(known) >= MOST_THREADS:
            return known[:MOST_THREADS]
        taken = set(known)
        return [*known, *(tid for tid in tids if tid not in taken)][:MOST_THREADS]

    def _run_ns(self, pid: int, tid: int) -> int:
        path = f"{PROC}/{pid}/task/{tid}/schedstat"
        try:
            data = self._files.read_bytes(path)
            values = parse_task_schedstat(path, data) if data else (0,)
        except KernelFileError:
            return 0
        return values[0] or 0
