# SPDX-License-Identifier: GPL-3.0-or-later
"""What every process did since it was last looked at, at a cost that does not show.

Reading /proc/PID/stat of a few hundred processes takes milliseconds, so only processes that were
busy are read at each look; those at rest take turns, and a new one is read at once. A look that
was asked for because the game was held up reads them all: who did it may have rested until then.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from destutter.core.kernel_files import KernelFileError, KernelFiles
from destutter.core.sample import RawValue
from destutter.sampling.files.process_files import (
    PROC,
    ProcessStat,
    list_pids,
    parse_process_io,
    parse_process_stat,
)

_WAITS_ONLY = "sleep"  # in every script between two programs, and never moves a byte
_A_PART = 0.1
_TURNS = 5  # a process at rest is read at every fifth look


@dataclass(slots=True)
class Activity:
    """One process and its growth over ``interval_us``; times in clock ticks.

    ``is_fresh`` says that the last look read it, ``is_new`` that it came since the look before,
    ``inherits`` that its bytes have those of ended children. ``children_faults`` are the faults
    of ended children when the bytes were read, ``children_ticks`` what children used that have
    ended since the look before.
    """

    pid: int
    line: bytes
    stat: ProcessStat
    read_ns: int
    interval_us: int = 0
    cpu_ticks: int = 0
    system_ticks: int = 0
    major_faults: int = 0
    blkio_ticks: RawValue = None
    io: tuple[RawValue, RawValue] | None = None
    io_growth: tuple[RawValue, RawValue] = (None, None)
    is_fresh: bool = False
    is_new: bool = False
    children_faults: int = 0
    inherits: bool = False
    children_ticks: int = 0

    @property
    def is_busy(self) -> bool:
        """Whether it did anything that can be seen.

        One that writes past the page cache to a slow drive uses less than a clock tick of a core
        in seconds, and is found blocked instead.
        """
        is_blocked = self.stat.state == "D"
        return bool(
            is_blocked
            or self.cpu_ticks
            or self.children_ticks
            or self.major_faults
            or self.blkio_ticks
            or any(self.io_growth)
        )

    @property
    def has_threads(self) -> bool:
        """Whether one of its threads may be blocked while its state, the main thread's, is not."""
        return self.stat.threads > 1

    @property
    def is_due(self) -> bool:
        """Whether the next look has to read it: it was busy, or there is nothing to compare."""
        return self.is_busy or not self.interval_us


@dataclass(slots=True)
class ProcessTable:
    """All processes. ``clock`` gives nanoseconds of CLOCK_MONOTONIC.

    ``is_thorough`` asks for a next look at all of them, ``read_all`` says that the last one was
    that. ``ended`` are those that ended since the look before, with what they moved until then.
    """

    files: KernelFiles
    clock: Callable[[], int]
    known: dict[int, Activity] = field(default_factory=dict)
    looks: int = 0
    looked_ns: int = 0
    is_thorough: bool = False
    ended: list[Activity] = field(default_factory=list)
    read_all: bool = False
    _owed: dict[int, int] = field(default_factory=dict)
    _vanished: list[Activity] = field(default_factory=list)

    def look(self) -> None:
        """Bring the table up to date. Raises ``KernelFileError`` when /proc cannot be listed."""
        start_ns = self.clock()
        self.read_all, self.is_thorough = self.is_thorough, False
        pids = list_pids(self.files)
        gone = [self.known.pop(pid) for pid in self.known.keys() - set(pids)]
        # What ended children used goes to whoever had started them, though that one rests.
        parents = {activity.stat.parent for activity in gone}
        self._vanished = []
        for activity in self.known.values():
            activity.is_fresh = False
        for pid in pids:
            old = self.known.get(pid)
            is_turn = pid % _TURNS == self.looks % _TURNS
            if self.read_all or old is None or old.is_due or is_turn or pid in parents:
                self._update(pid, old)
        self._give_back(gone)
        self._settle_times((*gone, *self._vanished))
        self.looks += 1
        self.looked_ns = start_ns

    def fresh(self) -> Iterator[Activity]:
        """The processes that the last look read and that were there before it."""
        return (activity for activity in self.known.values() if activity.is_fresh)

    def cpu_shares(self, clock_ticks: int) -> dict[int, float]:
        """What part of one CPU each process used lately, where that is known."""
        return {
            pid: activity.cpu_ticks / clock_ticks / (activity.interval_us / 1e6)
            for pid, activity in self.known.items()
            if activity.interval_us
        }

    def _update(self, pid: int, old: Activity | None) -> None:
        now_ns = self.clock()
        path = f"{PROC}/{pid}/stat"
        try:
            line = self.files.read_bytes(path) or b""
            # Most processes rest: their line is the same, and need not be parsed.
            is_same = old is not None and line == old.line
            stat = old.stat if old is not None and is_same else parse_process_stat(path, line)
        except KernelFileError:
            # One process that cannot be read, such as under hidepid, must not hide the others.
            self.known.pop(pid, None)
            self._vanished += () if old is None else (old,)
            return
        new = Activity(pid, line, stat, now_ns, children_faults=stat.children_faults)
        if old is not None and old.stat.start_ticks == stat.start_ticks:
            self._grow(old, new)
        elif old is None and self.looks:
            self._begin(new)
        self.known[pid] = new

    def _begin(self, new: Activity) -> None:
        """A process that came since the last look: all that it did it did since then.

        Who floods the processors for a moment and ends is gone before a second look.
        """
        new.interval_us = (new.read_ns - self.looked_ns) // 1000
        new.cpu_ticks = new.stat.user_ticks + new.stat.system_ticks
        new.system_ticks = new.stat.system_ticks
        new.major_faults = new.stat.major_faults
        new.is_fresh = new.is_new = new.interval_us > 0
        if new.is_busy or new.has_threads:
            new.io = self._read_io(new.pid, new)
            new.io_growth = new.io or (None, None)

    def _grow(self, old: Activity, new: Activity) -> None:
        before, now = old.stat, new.stat
        new.interval_us = (new.read_ns - old.read_ns) // 1000
        used = now.user_ticks + now.system_ticks - before.user_ticks - before.system_ticks
        # The kernel's split of user and system time may step back by a tick.
        new.cpu_ticks = max(used, 0)
        new.system_ticks = max(now.system_ticks - before.system_ticks, 0)
        new.major_faults = now.major_faults - before.major_faults
        if now.blkio_ticks is not None and before.blkio_ticks is not None:
            new.blkio_ticks = now.blkio_ticks - before.blkio_ticks
        new.is_fresh = new.interval_us > 0
        new.children_ticks = max(now.children_ticks - before.children_ticks, 0)
        new.inherits = now.children_faults != old.children_faults
        is_moving = any(old.io_growth) or (self.read_all and new.has_threads)
        if not (new.is_busy or new.inherits or is_moving):
            new.io, new.children_faults = old.io, old.children_faults
            return
        new.io = self._read_io(new.pid, old)
        new.io_growth = _growth(old.io, new.io)

    def _give_back(self, gone: list[Activity]) -> None:
        """Take from parents what their ended children moved, and say it of those.

        The bytes of a child that has ended are added to those of the parent that waited for it
        (``wait_task_zombie`` in kernel/exit.c), so that a shell or a launcher seems to have moved
        what its copy did. What it moved itself meanwhile cannot be told apart.
        """
        self.ended = []
        for parent in self.fresh():
            if not parent.inherits:
                continue
            children = [
                # Of one that came just before its end nothing was asked, and it had moved little.
                each
                for each in gone
                if each.stat.parent == parent.pid
                and (each.io or each.is_new)
                and each.stat.name != _WAITS_ONLY
            ]
            if children:
                self.ended.append(_ended(children, parent))
            parent.io_growth = (None, None)

    def _settle_times(self, gone: Sequence[Activity]) -> None:
        """Leave with parents only what their ended children used since they were last seen.

        The times of a child are added to its parent's when that has waited for it
        (``wait_task_zombie`` in kernel/exit.c), all of its life at once; what was seen of it is
        told already. The parent may have been read just before or just after that, so that what
        is owed is taken off in this look or in the next one. Of a child that ended together with
        its parent the time went on to that one's own parent.
        """
        owed_before, self._owed = self._owed, {}
        busiest: dict[int, Activity] = {}
        parents = {child.pid: child.stat.parent for child in gone}
        for child in gone:
            stat = child.stat
            seen = stat.user_ticks + stat.system_ticks + stat.children_ticks
            heir = _heir(stat.parent, parents)
            self._owed[heir] = self._owed.get(heir, 0) + seen
            if _worked(child) > _worked(busiest.get(heir)):
                busiest[heir] = child
        for parent in self.fresh():
            grown = parent.children_ticks
            if not grown:
                continue
            due, old = self._owed.get(parent.pid, 0), owed_before.get(parent.pid, 0)
            parent.children_ticks = max(grown - due - old, 0)
            self._owed[parent.pid] = max(due - max(grown - old, 0), 0)
            did_it = busiest.get(parent.pid)
            # One that worked up to its end, or whose children did, did the rest as well, and not
            # the shell that had started it. One that hardly worked did not do all of that.
            if did_it is not None and _worked(did_it) >= _A_PART * parent.children_ticks > 0:
                self._add_last(_last_of(did_it, parent))
                parent.children_ticks = 0

    def _add_last(self, last: Activity) -> None:
        """Tell it once, together with what it moved up to its end."""
        for index, told in enumerate(self.ended):
            if told.pid == last.pid:
                last = replace(last, io_growth=told.io_growth)
                del self.ended[index]
                break
        self.ended.append(last)

    def _read_io(self, pid: int, old: Activity) -> tuple[RawValue, RawValue] | None:
        """The bytes that a busy process moved; nothing where another user's is asked for."""
        if old.io == (None, None):
            return old.io
        path = f"{PROC}/{pid}/io"
        try:
            data = self.files.read_bytes(path)
            return parse_process_io(path, data) if data else (None, None)
        except KernelFileError:
            return None, None


def at_rest(activity: Activity) -> Activity:
    """The same without what it did before, which is told already."""
    return replace(
        activity,
        cpu_ticks=0,
        system_ticks=0,
        children_ticks=0,
        major_faults=0,
        blkio_ticks=None,
        io_growth=(None, None),
    )


def _heir(parent: int, parents: dict[int, int]) -> int:
    """The nearest parent that goes on; ``parents`` are those of processes that ended."""
    # As many steps as there are: numbers that are used again could lead in a circle.
    for _ in parents:
        parent = parents.get(parent, parent)
    return parent


def _worked(activity: Activity | None) -> int:
    """Clock ticks of it and of its children between the last two times that it was read."""
    return 0 if activity is None else activity.cpu_ticks + activity.children_ticks


def _last_of(child: Activity, parent: Activity) -> Activity:
    """What a child, or those that it had started, did between the last look and its end."""
    is_own = child.cpu_ticks >= child.children_ticks
    return replace(
        at_rest(child),
        interval_us=parent.interval_us,
        cpu_ticks=parent.children_ticks if is_own else 0,
        children_ticks=0 if is_own else parent.children_ticks,
        is_fresh=True,
        is_new=False,
    )


def _ended(children: list[Activity], parent: Activity) -> Activity:
    """The child that had moved most before, with what all of them moved since they were seen."""
    child = max(children, key=_moved)
    before = [
        sum(total or 0 for total in column)
        for column in zip(*(each.io or (0, 0) for each in children), strict=True)
    ]
    read, written = (
        None if grown is None else max(grown - known, 0)
        for grown, known in zip(parent.io_growth, before, strict=True)
    )
    return replace(
        at_rest(child),
        interval_us=parent.interval_us,
        io_growth=(read, written),
        is_fresh=True,
        is_new=False,
    )


def _moved(activity: Activity) -> int:
    return sum(total or 0 for total in activity.io or ())


def _growth(
    old: tuple[RawValue, RawValue] | None, new: tuple[RawValue, RawValue] | None
) -> tuple[RawValue, RawValue]:
    if old is None or new is None:
        return None, None
    (old_read, old_written), (new_read, new_written) = old, new
    return _difference(old_read, new_read), _difference(old_written, new_written)


def _difference(old: RawValue, new: RawValue) -> RawValue:
    return None if old is None or new is None or new < old else new - old
