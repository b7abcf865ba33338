# SPDX-License-Identifier: GPL-3.0-or-later
"""Who is busy: the top processes, and threads under a real-time policy."""

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import nlargest
from operator import itemgetter
from stat import S_IRUSR, S_IWUSR

from destutter.core.kernel_files import KernelFileError, KernelFiles
from destutter.core.kernel_names import KTHREADD
from destutter.core.sample import RawValue
from destutter.sampling.files.measurement import Measurement
from destutter.sampling.files.process_files import (
    PROC,
    DelayAccounting,
    ProcessStat,
    parse_process_stat,
)
from destutter.sampling.files.thread_lists import ThreadLists
from destutter.sampling.game.game_cgroup import memory_group
from destutter.sampling.game.watched_process import WatchedProcess
from destutter.sampling.processes.open_drives import OpenDrives
from destutter.sampling.processes.process_table import Activity, ProcessTable, at_rest
from destutter.sampling.processes.realtime_run import RealtimeThreads
from destutter.sampling.processes.titles import Titles

# By each measure: who holds a game up is among the first, and every row is some twenty numbers of
# each look in the stream.
_TOP_CPU = 8
_TOP_IO = 4
_TOP_FAULTS = 4
_TOP_PARENTS = 2
_MUCH_HELD_BYTES = 1 << 30  # less is not why a computer's memory is short
_RECLAIMERS = ("kswapd", "kcompactd", "khugepaged")
_MUCH_BYTES = 1 << 20  # in a look: less fills no drive, and whose files are open is dear to know
_MOSTLY = 4  # times as much one way as the other: the rest is a log
_MOST_THREADS = 64  # of more than that one is taken to be free to run anywhere
_REALTIME = (1, 2, 6)  # SCHED_FIFO, SCHED_RR, SCHED_DEADLINE
_LEAST_TICKS = 10  # of a clock that goes by 10 ms: in less one tick more or less is all there is
_MOST_REALTIME = 32  # rows of a look: hundreds of them must not fill the stream
_CENSUS_THREADS = 48  # of a look; a browser's hundreds take turns
_TURNS = 4  # a thread seldom changes its policy: known ones are read at every fourth look
_MOST_ABOVE = 16  # launchers, wrappers and shells between a game and what it starts
_Seen = tuple[int, int]  # when a thread was read, and the clock ticks it had used by then
# Threads of the kernel that are real-time everywhere and work for the scheduler itself.
_SCHEDULER_THREADS = ("migration/", "idle_inject/", "stopper/", "watchdog/")


class ProcessSampler:
    """The processes that used most CPU, moved most bytes and faulted most since the last look."""

    sources = ("process", "process_drive")

    def __init__(
        self,
        files: KernelFiles,
        table: ProcessTable,
        watch: WatchedProcess,
        clock_ticks: int,
        page_bytes: int,
        lists: ThreadLists | None = None,
    ) -> None:
        self._files = files
        self._table = table
        self._watch = watch
        self._lists = ThreadLists(files) if lists is None else lists
        self._accounting = DelayAccounting(files)
        self._open = OpenDrives(files)
        self._titles = Titles(files)
        self._tick_us = 1_000_000 // clock_ticks
        self._page_kib = page_bytes // 1024

    def read(self) -> Sequence[Measurement]:
        """One instance per chosen process. Looks at the table; the others only use it."""
        self._table.look()
        counts_blkio = self._accounting.is_on()
        chosen = top((*self._table.fresh(), *self._table.ended))
        chosen += starters(chosen, self._table)
        chosen += self._holder(chosen)
        same_name = self._by_name()
        group = None if self._watch.pid is None else self._memory_group(self._watch.pid)
        cores = self._cores_of_game()
        values: list[RawValue] = []
        for activity in chosen:
            values += self._values(activity, counts_blkio=counts_blkio)
            values.append(self._is_inside(activity.pid, group))
            values.append(activity.system_ticks * self._tick_us)
            values.append(activity.children_ticks * self._tick_us)
            count, ticks = same_name.get(activity.stat.name, (0, 0))
            values += (count, ticks * self._tick_us, self._is_of_game(activity))
            values += (activity.stat.parent, self._shares(activity, cores))
        names = tuple(map(self._named, chosen))
        told = Measurement("process", names, tuple(values))
        rows = tuple(self._drives(chosen))
        where = (Measurement("process_drive", rows, (1,) * len(rows)),) if rows else ()
        return (told, *where)

    def close(self) -> None:
        self._accounting.close()

    def _holder(self, chosen: Sequence[Activity]) -> list[Activity]:
        """Who holds most of the memory, where it is none of these and not the game.

        It may have taken all of it long ago, and rest: a game waited for free memory beside a
        program of 20 GB, and whoever wrote a log was told to close.
        """
        known = self._table.known.values()
        others = (each for each in known if each.interval_us and each.pid != self._watch.pid)
        most = max(others, key=lambda each: each.stat.rss, default=None)
        least_pages = _MUCH_HELD_BYTES // (self._page_kib << 10)
        if most is None or most.stat.rss < least_pages or most.pid in {a.pid for a in chosen}:
            return []
        return [most if most.is_fresh else at_rest(most)]

    def _named(self, activity: Activity) -> str:
        return f"{activity.pid} {self._titles.of(activity.pid, activity.stat)}"

    def _by_name(self) -> dict[str, tuple[int, int]]:
        """How many programs of each name worked in this look, and the clock ticks of all of them.

        Of thirty compilers only the eight busiest are told one by one. The game is none of them.
        """
        found: dict[str, tuple[int, int]] = {}
        for activity in self._table.fresh():
            if activity.cpu_ticks and activity.pid != self._watch.pid:
                count, ticks = found.get(activity.stat.name, (0, 0))
                found[activity.stat.name] = count + 1, ticks + activity.cpu_ticks
        return found

    def _drives(self, chosen: Sequence[Activity]) -> Iterator[str]:
        """One row for each drive of those that moved much."""
        self._open.look()
        for each in chosen:
            read, written = (grown or 0 for grown in each.io_growth)
            if read + written < _MUCH_BYTES:
                continue
            ways = 0 if written > _MOSTLY * read else S_IRUSR
            ways |= 0 if read > _MOSTLY * written else S_IWUSR
            for drive in sorted(self._open.of(each.pid, ways)):
                yield f"{drive} {self._named(each)}"

    def _cores_of_game(self) -> frozenset[int]:
        """The cores on which any of the game's threads may run; none where that is not known."""
        pid = self._watch.pid
        if pid is None or not (self._files.is_live and self._files.shares_processes):
            return frozenset()
        try:
            tids = self._lists.of(pid, self._watch.threads)[:_MOST_THREADS]
        except KernelFileError:
            return frozenset()
        return frozenset().union(*map(cores_of, tids))

    def _shares(self, activity: Activity, cores: frozenset[int]) -> RawValue:
        """0 where all of its threads have to run on other cores than the game's."""
        if not cores:
            return None
        # A count of an earlier look would pass a list with threads that have ended since.
        count = activity.stat.threads if activity.is_fresh else None
        try:
            tids = self._lists.of(activity.pid, count)
        except KernelFileError:
            return None
        # One thread that may run anywhere is enough, and most programs' may.
        own = (cores_of(tid) for tid in tids[:_MOST_THREADS])
        is_known = 0 < len(tids) <= _MOST_THREADS
        return int(any(not each or each & cores for each in own)) if is_known else 1

    def _is_of_game(self, activity: Activity) -> RawValue:
        """1 where the game, or a program of its own, started it; None while no game is watched."""
        game, pid = self._watch.pid, activity.stat.parent
        if game is None:
            return None
        for _ in range(_MOST_ABOVE):
            above = self._table.known.get(pid)
            if pid == game or above is None:
                break
            pid = above.stat.parent
        return int(pid == game)

    def _memory_group(self, pid: int) -> str | None:
        try:
            data = self._files.read_bytes(f"{PROC}/{pid}/cgroup")
        except KernelFileError:
            return None
        return None if data is None else memory_group(data)

    def _is_inside(self, pid: int, group: str | None) -> RawValue:
        """1 in the game's group or one below it, 0 elsewhere, None where that is not known."""
        if group is None:
            return None
        other = self._memory_group(pid)
        return None if other is None else int(f"{other}/".startswith(f"{group}/"))

    def _values(self, activity: Activity, *, counts_blkio: bool) -> tuple[RawValue, ...]:
        stat = activity.stat
        blkio = activity.blkio_ticks if counts_blkio else None
        return (
            activity.interval_us,
            activity.cpu_ticks * self._tick_us,
            activity.major_faults,
            None if blkio is None else blkio * self._tick_us,
            *activity.io_growth,
            stat.rss * self._page_kib,
            stat.policy,
            stat.rt_priority,
            stat.nice,
            stat.start_ticks,
        )


def cores_of(tid: int) -> frozenset[int]:
    """The cores on which a thread may run; none where it has ended or nobody may ask."""
    try:
        return frozenset(os.sched_getaffinity(tid))
    except OSError:
        return frozenset()


def top(activities: Iterable[Activity]) -> list[Activity]:
    """The most active by each measure, ordered by process id; always those that reclaim memory."""
    busy = [activity for activity in activities if activity.is_busy]
    chosen = {
        *_most(busy, _TOP_CPU, [activity.cpu_ticks for activity in busy]),
        *_most(busy, _TOP_PARENTS, [activity.children_ticks for activity in busy]),
        *_most(busy, _TOP_IO, [sum(b or 0 for b in activity.io_growth) for activity in busy]),
        *_most(busy, _TOP_FAULTS, [activity.major_faults for activity in busy]),
        *(a.pid for a in busy if a.stat.name.startswith(_RECLAIMERS)),
    }
    return sorted((a for a in busy if a.pid in chosen), key=lambda activity: activity.pid)


def starters(chosen: Sequence[Activity], table: ProcessTable) -> list[Activity]:
    """Who started those of these that came or ended since the last look, where it is none of them.

    Of a script that starts one program after another each of these is gone before anybody could
    close it. Whoever started it, up to the first that was there before, may have rested itself.
    """
    told = {activity.pid for activity in chosen}
    found: list[Activity] = []
    waiting = [each for each in chosen if each.is_new or table.known.get(each.pid) is not each]
    while waiting:
        above = table.known.get(waiting.pop().stat.parent)
        # It and init start all, and nobody closes them.
        if above is None or above.pid in told or above.pid <= KTHREADD:
            continue
        told.add(above.pid)
        found.append(above if above.is_fresh else at_rest(above))
        if above.is_new:
            waiting.append(above)
    return found


def _most(busy: list[Activity], count: int, amounts: list[int]) -> list[int]:
    pairs = nlargest(count, zip(amounts, busy, strict=True), key=itemgetter(0))
    return [activity.pid for amount, activity in pairs if amount > 0]


@dataclass(frozen=True, slots=True)
class _Listed:
    """The threads of a program, as a look listed them."""

    look: int
    looked_ns: int
    tids: frozenset[int]


class RealtimeSampler:
    """Threads under SCHED_FIFO, SCHED_RR or SCHED_DEADLINE that belong to a program, or run.

    Threads of the kernel are left out while they rest. Busy programs with several threads are
    gone through in turn, a few dozen threads at a time, and new programs first.
    """

    sources = ("realtime",)

    def __init__(
        self,
        files: KernelFiles,
        table: ProcessTable,
        clock_ticks: int,
        busy: RealtimeThreads | None = None,
        lists: ThreadLists | None = None,
    ) -> None:
        self._files = files
        self._table = table
        self._tick_us = 1_000_000 // clock_ticks
        self._busy = RealtimeThreads() if busy is None else busy
        self._lists = ThreadLists(files) if lists is None else lists
        self._last: dict[tuple[int, int], _Seen] = {}
        self._listed: dict[int, _Listed] = {}

    def read(self) -> Sequence[Measurement]:
        """One instance per thread. The table must have been looked at before."""
        self._last |= {key: seen for key, seen in self._census() if key not in self._last}
        names: list[str] = []
        values: list[RawValue] = []
        busy: list[tuple[str, int]] = []
        for key, (before_ns, before) in list(self._last.items()):
            now_ns, stat = self._look(*key)
            if stat is None or stat.policy not in _REALTIME:
                del self._last[key]
                continue
            used = _ticks(stat) - before
            interval_us = (now_ns - before_ns) // 1000
            is_told = used > 0 or not _is_kernel(stat)
            if not _is_kernel(stat):
                busy.append((f"{key[0]}/{key[1]} {stat.name}", used))
            if interval_us < _LEAST_TICKS * self._tick_us:
                continue
            self._last[key] = (now_ns, _ticks(stat))
            if is_told and len(names) < _MOST_REALTIME:
                names.append(f"{key[0]}/{key[1]} {stat.name}")
                cpu_us = min(max(used, 0) * self._tick_us, interval_us)
                values += (stat.policy, stat.rt_priority, cpu_us, interval_us, stat.processor)
        self._busy.note(busy)
        return (Measurement("realtime", tuple(names), tuple(values)),)

    def close(self) -> None:
        self._last = {}
        self._listed = {}

    def _census(self) -> Iterable[tuple[tuple[int, int], _Seen]]:
        """Real-time threads among single-threaded programs, and of some of those that were busy.

        A program that rests has no thread that could keep others from running. What came since
        the look before has used all that it has since then: one that is made for each burst of
        work has run its whole time when it is first seen.
        """
        known = self._table.known
        self._listed = {pid: listed for pid, listed in self._listed.items() if pid in known}
        for pid, activity in known.items():
            if activity.stat.threads <= 1 and _is_wanted(activity.stat):
                yield (
                    (pid, pid),
                    _since_begin(activity) or (activity.read_ns, _ticks(activity.stat)),
                )
        several = [a for a in self._table.fresh() if a.stat.threads > 1 and a.is_busy]
        left = _CENSUS_THREADS
        for activity in sorted(several, key=lambda each: self._listed_at(each.pid)):
            if left <= 0:
                break
            tids = self._lists.of(activity.pid, activity.stat.threads)
            left -= len(tids)
            yield from self._threads(activity, tids)

    def _threads(
        self, activity: Activity, tids: Sequence[int]
    ) -> Iterable[tuple[tuple[int, int], _Seen]]:
        pid = activity.pid
        before = self._listed.get(pid)
        self._listed[pid] = _Listed(self._table.looks, self._table.looked_ns, frozenset(tids))
        known = frozenset[int]() if before is None else before.tids
        for tid in tids:
            # A thread seldom changes its policy, and a game has hundreds: those that were seen
            # before take turns. (One that is real-time is read at every look anyway.)
            is_turn = self._table.read_all or tid % _TURNS == self._table.looks % _TURNS
            if (tid in known and not is_turn) or not self._may_be_realtime(tid):
                continue
            now_ns, stat = self._look(pid, tid)
            if stat is None or not _is_wanted(stat):
                continue
            begun = _since_begin(activity)
            if begun is None and before is not None and tid not in before.tids:
                begun = before.looked_ns, 0
            yield (pid, tid), begun or (now_ns, _ticks(stat))

    def _may_be_realtime(self, tid: int) -> bool:
        """Whether it is worth reading the line of a thread.

        The running kernel can be asked for a thread's policy alone. Its line takes 20 times as
        long, and next to none of a game's threads is real-time.
        """
        if not (self._files.is_live and self._files.shares_processes):
            return True
        try:
            policy = os.sched_getscheduler(tid)
        except OSError:
            # It has ended, or we may not ask: its line says which.
            return True
        return policy & ~os.SCHED_RESET_ON_FORK in _REALTIME

    def _listed_at(self, pid: int) -> int:
        listed = self._listed.get(pid)
        return -1 if listed is None else listed.look

    def _look(self, pid: int, tid: int) -> tuple[int, ProcessStat | None]:
        """When a thread was read, and what its line said; None when it is gone."""
        activity = self._table.known.get(pid)
        if activity is not None and _is_kernel(activity.stat):
            # There are dozens of them, the table has just read those that worked, and only
            # those are told.
            return activity.read_ns, activity.stat
        now_ns = self._table.clock()
        path = f"{PROC}/{pid}/task/{tid}/stat"
        try:
            data = self._files.read_bytes(path)
            return now_ns, parse_process_stat(path, data) if data else None
        except KernelFileError:
            # One thread that cannot be read must not hide the others.
            return now_ns, None


def _since_begin(activity: Activity) -> _Seen | None:
    """When a process that came since the look before had used nothing; None for an older one."""
    is_new = activity.is_new and activity.is_fresh
    return (activity.read_ns - activity.interval_us * 1000, 0) if is_new else None


def _is_wanted(stat: ProcessStat) -> bool:
    return stat.policy in _REALTIME and not stat.name.startswith(_SCHEDULER_THREADS)


def _is_kernel(stat: ProcessStat) -> bool:
    # Threads of the kernel have no memory of their own.
    return stat.rss == 0 and stat.parent in (0, KTHREADD)


def _ticks(stat: ProcessStat) -> int:
    return stat.user_ticks + stat.system_ticks
