# SPDX-License-Identifier: GPL-3.0-or-later
"""The processes for which a game may wait, in shared memory or at a pipe or socket, while it does.

A partner that is stopped, stands in a run queue, waits for a drive or computes holds the game up
as a thread of its own would. Nobody is followed while nothing waits so.
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from destutter.core.kernel_files import KernelFileError, KernelFiles
from destutter.core.sample import RawValue
from destutter.sampling.files.kept_file import KeptFile
from destutter.sampling.files.measurement import Measurement
from destutter.sampling.files.process_files import (
    PROC,
    list_threads,
    name_in,
    parse_process_io,
    parse_task_schedstat,
)
from destutter.sampling.game.busy_threads import LONG_DELAY_NS
from destutter.sampling.game.connections import Connections
from destutter.sampling.game.game_threads import AloneWait, GameThreads
from destutter.sampling.game.partner_search import Bond, PartnerSearch
from destutter.sampling.game.shared_memory import SharedMemory
from destutter.sampling.game.wait_places import (
    UNKNOWN,
    AsleepIn,
    BlockedBy,
    asleep_in,
    blocked_by,
    is_frozen,
)
from destutter.sampling.game.watched_process import WatchedProcess

_TWICE_NS = 3_000_000_000  # one look alone may be of a frame that waits as all of them do
_GOES_ON_NS = 30_000_000_000  # so seldom a search is affordable (100 ms, partner_search.py)
_MOST_THREADS = 4  # of each: the first and those that worked most, at 11 us each in a tick
_MOST_LISTED = 64  # to find the busiest of them three files of each are opened
_MOST_ENDS = 4  # a thread of Wine has three to wineserver; of a server's hundreds none tells
_STOPPED = (b"T", b"t")
_ASKING = (AsleepIn.SOCKET, AsleepIn.PIPE)
_STORAGE = (BlockedBy.IO, BlockedBy.DIRTY, BlockedBy.JOURNAL)


class PartnerThread:
    """One thread of a partner, with its files open; ``name`` is "PID/TID NAME"."""

    def __init__(self, files: KernelFiles, pid: int, tid: int, *, is_at_end: bool = False) -> None:
        self._is_at_end = int(is_at_end)
        base = f"{PROC}/{pid}/task/{tid}"
        self._stat, self._schedstat, self._place = (
            KeptFile(files, f"{base}/{name}") for name in ("stat", "schedstat", "wchan")
        )
        self._is_first = tid == pid
        # What the process moved is told once, with its first thread.
        self._io = KeptFile(files, f"{PROC}/{pid}/io") if self._is_first else None
        self.worked_ns = sum((value or 0) for value in self._times()[:2])
        self.name = f"{pid}/{tid} {name_in(self._find(self._stat))}"

    def read(self) -> tuple[RawValue, ...] | None:
        """One value per field of the catalog; None when it has ended."""
        state = self._state()
        if not state:
            return None
        is_asked = state == b"D" or (state == b"S" and self._is_first)
        place = self._find(self._place).strip() if is_asked else b""
        # The state again: it may have been woken between the two files.
        is_still = is_frozen(state, place) and self._state() == state
        is_stopped = state in _STOPPED or is_still
        is_blocked = state == b"D" and not is_stopped
        in_storage = is_blocked and blocked_by(place) in _STORAGE
        flags = (int(is_stopped), int(in_storage), int(is_blocked and not in_storage))
        asleep = asleep_in(place) if state == b"S" and place not in UNKNOWN else None
        waits = (int(asleep in _ASKING), int(asleep is AsleepIn.TIMER))
        return (*self._times(), *flags, *self._moved(), self._is_at_end, *waits)

    def close(self) -> None:
        for file in (self._stat, self._schedstat, self._place, self._io):
            if file is not None:
                file.close()

    def _state(self) -> bytes:
        """The letter behind the name; empty when it has ended."""
        line = self._find(self._stat)
        end = line.rfind(b") ")
        return line[end + 2 : end + 3] if end >= 0 else b""

    def _times(self) -> tuple[RawValue, ...]:
        data = self._find(self._schedstat)
        try:
            return parse_task_schedstat(self._schedstat.path, data)[:2]
        except KernelFileError:
            return None, None

    def _moved(self) -> tuple[RawValue, RawValue]:
        data = b"" if self._io is None else self._find(self._io)
        try:
            return parse_process_io("", data)
        except KernelFileError:
            return None, None

    def _find(self, file: KeptFile) -> bytes:
        try:
            return file.find() or b""
        except KernelFileError:
            return b""


@dataclass(slots=True)
class PartnerWatch:
    """Whether partners of the game are wanted, and which there are: ticks and slow side share it.

    ``threads`` are replaced as a whole by the slow side; what it replaced lies in ``left`` until
    a tick has closed it. ``in_memory``: the game waits in shared memory, else at one of ``ends``,
    pipes or sockets, as far as these are known.
    """

    threads: tuple[PartnerThread, ...] = ()
    left: deque[PartnerThread] = field(default_factory=deque)
    is_new: bool = False
    in_memory: bool = True
    for_events: bool = False
    ends: frozenset[str] = frozenset()
    _seen: AloneWait | None = None
    _seen_ns: int = 0
    _asked_ns: int = 0

    def note_wait(self, now_ns: int, wait: AloneWait) -> None:
        """The main thread was found asleep for another process."""
        if self._is_again(now_ns, wait):
            is_other = wait.in_memory != self.in_memory
            if is_other or not self.is_wanted(now_ns):
                self.is_new, self.in_memory, self.ends = True, wait.in_memory, frozenset()
            self.for_events = wait.for_events
            if not wait.ends <= self.ends and len(self.ends) < _MOST_ENDS:
                self.ends |= wait.ends
            self._asked_ns = now_ns
        self._seen, self._seen_ns = wait, now_ns

    def _is_again(self, now_ns: int, wait: AloneWait) -> bool:
        seen = self._seen
        is_alike = seen is not None and seen.in_memory == wait.in_memory
        return is_alike and now_ns - self._seen_ns <= _TWICE_NS

    def is_wanted(self, now_ns: int) -> bool:
        """Whether the game waited so lately."""
        return bool(self._asked_ns) and now_ns - self._asked_ns <= _GOES_ON_NS

    def take_new(self) -> bool:
        """Whether such waits began since the last call."""
        is_new, self.is_new = self.is_new, False
        return is_new

    def replace(self, threads: tuple[PartnerThread, ...]) -> None:
        old, self.threads = self.threads, threads
        self.left.extend(old)


class PartnerFinder:
    """Keeps the list of partners while it is wanted, on the slow side; ``clock`` as elsewhere."""

    def __init__(
        self,
        files: KernelFiles,
        watch: WatchedProcess,
        partners: PartnerWatch,
        clock: Callable[[], int],
    ) -> None:
        self._files = files
        self._watch = watch
        self._partners = partners
        self._clock = clock
        self._pid: int | None = None
        self._search: PartnerSearch | None = None
        self._asked: tuple[bool, frozenset[str]] | None = None
        self._found: tuple[int, ...] = ()
        self._over_ns: int | None = None

    def look(self) -> None:
        """Go on with a search, begin one where the list is old, or do nothing at all."""
        now_ns, pid = self._clock(), self._watch.pid
        if pid != self._pid:
            self._pid, self._search, self._over_ns = pid, None, None
            self._publish((), is_at_end=False)
        if pid is None or not self._partners.is_wanted(now_ns):
            return
        asked = self._partners.in_memory, self._partners.ends
        if asked != self._asked:
            self._asked, self._search, self._over_ns = asked, None, None
        if self._search is None:
            if self._over_ns is not None and now_ns - self._over_ns < _GOES_ON_NS:
                return
            self._search = self._begun(pid)
        self._search.go_on()
        found, is_over = self._search.partners, self._search.is_over
        # A list of before stays until the new one is whole.
        if is_over or (found and not self._found):
            self._publish(found, is_at_end=not asked[0])
        if is_over:
            self._search, self._over_ns = None, now_ns

    def _begun(self, pid: int) -> PartnerSearch:
        watch, files = self._partners, self._files
        bond: Bond = (
            SharedMemory(files, pid)
            if watch.in_memory
            else Connections(files, pid, watch.ends, only_reads=watch.for_events)
        )
        return PartnerSearch(files, pid, bond)

    def _publish(self, found: tuple[int, ...], *, is_at_end: bool) -> None:
        # Threads come and go: of the same partners they are chosen again too.
        if found or self._found:
            chosen = (each for pid in found for each in self._chosen(pid, is_at_end=is_at_end))
            self._partners.replace(tuple(chosen))
        self._found = found

    def _chosen(self, pid: int, *, is_at_end: bool) -> list[PartnerThread]:
        try:
            tids = list_threads(self._files, pid)[:_MOST_LISTED]
        except KernelFileError:
            return []
        threads = [PartnerThread(self._files, pid, tid, is_at_end=is_at_end) for tid in tids]
        ranked = sorted(threads[1:], key=lambda each: -each.worked_ns)
        for each in ranked[_MOST_THREADS - 1 :]:
            each.close()
        return [*threads[:1], *ranked[: _MOST_THREADS - 1]]


class PartnerSampler:
    """What the threads of the partners do, at each tick in which they are wanted."""

    sources = ("partner",)

    def __init__(
        self, partners: PartnerWatch, game_threads: GameThreads, clock: Callable[[], int]
    ) -> None:
        self._partners = partners
        self._game_threads = game_threads
        self._clock = clock
        self._delays: dict[str, int] = {}
        self._names: tuple[str, ...] = ()

    def read(self) -> Sequence[Measurement]:
        """One row per thread; nothing while nobody waits for a partner, or there is none."""
        self._close_left()
        now_ns = self._clock()
        wait = self._game_threads.take_wait()
        if wait is not None:
            self._partners.note_wait(now_ns, wait)
        threads = self._partners.threads
        if not threads or not self._partners.is_wanted(now_ns):
            if self._names:
                self.close()
            return ()
        rows = [(each.name, row) for each in threads if (row := each.read()) is not None]
        if not rows:
            return ()
        names = tuple(name for name, _ in rows)
        if names != self._names:
            self._names = names
        self._note_delays(rows)
        values = tuple(value for _, row in rows for value in row)
        return (Measurement("partner", self._names, values),)

    def close(self) -> None:
        """Give the descriptors back; they are opened again when they are read."""
        self._close_left()
        for each in self._partners.threads:
            each.close()
        self._delays, self._names = {}, ()

    def _close_left(self) -> None:
        while self._partners.left:
            self._partners.left.popleft().close()

    def _note_delays(self, rows: Sequence[tuple[str, tuple[RawValue, ...]]]) -> None:
        """Whoever holds a partner up is looked for as if it were the game itself."""
        delays = {name: row[1] for name, row in rows if row[1] is not None}
        if any(
            delay - self._delays.get(name, delay) >= LONG_DELAY_NS
            for name, delay in delays.items()
        ):
            self._game_threads.was_held_up = True
        self._delays = delays
