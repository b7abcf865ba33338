# SPDX-License-Identifier: GPL-3.0-or-later
"""What a look at the trace found, before threads and drives have their names.

Names are asked for at the end of a look and only for what is told: asking costs as much as reading
twenty records, and a drive at its limit has thousands of slow requests a second.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, TypeVar

from destutter.core.kernel_names import KSOFTIRQD
from destutter.core.traced import (
    COMPACTION,
    CORE,
    FILE,
    GPU,
    Awaited,
    FilesystemCommit,
    SleepLook,
    SlowRequest,
    TracedMoment,
    TracedSleep,
    TracedTally,
    TracedThread,
    TracedWait,
)
from destutter.sampling.tracing.names import TraceNames
from destutter.sampling.tracing.wanted import shorten

MOST_TOLD = 100
"""Of one kind in one look."""

_SHORT_NS = 1_000_000  # of short waits in a look: with less nobody waited
_MOST_SHORT = 256  # threads with short waits in a look; each has to be asked whose it is
_CRUMB_NS = 100_000  # of a thread: counts as the game's unasked, for the sum is an upper bound

_OWN_COMPACTION = ("kcompactd", "khugepaged")
T = TypeVar("T", bound=tuple[Any, ...])


TallyKey = tuple[str, str, int]
"""A kind, and what tells one of it from others: a name, and the number of a thread or file."""

_MOST_TALLIES = 1000


class FoundWait(NamedTuple):
    """A long wait; names are empty where the kernel did not write one."""

    duration_ns: int
    begin_ns: int
    kind: str
    tid: int
    name: str = ""
    device: str = ""
    behind: tuple[int, str, int] | None = None  # thread, name, priority


class FoundSleep(NamedTuple):
    """A long sleep; who woke it, and who woke those, by their numbers; for whom it was when."""

    duration_ns: int
    begin_ns: int
    tid: int
    woken_by: tuple[int, ...]
    awaited: tuple[Awaited, ...] = ()
    looks: tuple["FoundLook", ...] = ()


class FoundLook(NamedTuple):
    """A look within a sleep; when it was over, and the same of the sleep until then."""

    end_ns: int
    woken_by: tuple[int, ...]
    awaited: tuple[Awaited, ...]


class FoundRequest(NamedTuple):
    """A slow request; ``asked`` is who asked for it, by number and name."""

    duration_ns: int
    begin_ns: int
    queue_ns: int | None
    idle_ns: int | None
    device: int
    operation: str
    sector: int
    sectors: int
    asked: tuple[int, str] | None


class Found:
    """Collects what the subjects of the trace find, until ``clear``.

    ``game`` is the process whose waits for a core and short waits are told, ``lead`` the thread of
    it that shows its frames, whose sleeps are: the main one where that is not known. ``runs`` are
    short waits that follow each other at once, each as one, ``short`` what is too short for it,
    in ns by kind and thread. ``trapped`` are threads that were caught with a split lock: the
    kernel says that once of each.
    """

    def __init__(self, names: TraceNames) -> None:
        self.names = names
        self.game: int | None = None
        self.lead: int | None = None
        self.counts: Counter[str] = Counter()
        self.waits: list[FoundWait] = []
        self.runs: list[FoundWait] = []
        self.short: Counter[tuple[str, int]] = Counter()
        self.sleeps: list[FoundSleep] = []
        self.deep_sleeps: list[FoundSleep] = []
        self.trapped: dict[int, None] = {}
        self._own_names: dict[str, None] = {}
        self._children: dict[int, None] = {}
        self.tallies: dict[TallyKey, list[int]] = {}
        self.requests: list[FoundRequest] = []
        self.commits: list[FilesystemCommit] = []
        self.moments: list[TracedMoment] = []
        self.untold = self.untold_requests = 0
        self.untold_other_waits = self.untold_other_requests = 0

    @property
    def is_long(self) -> bool:
        """Whether there is anything to tell but counts."""
        return any(self._told) or sum((self.told_short() or {}).values()) >= _SHORT_NS

    @property
    def _told(self) -> Iterator[list[Any]]:
        yield from (self.waits, self.runs, self.sleeps, self.deep_sleeps)
        yield from (self.requests, self.commits, self.moments)

    def clear(self) -> None:
        """Forget what is told by now. The collections stay: whoever fills them knows them."""
        self.counts.clear()
        for told in self._told:
            told.clear()
        self.tallies.clear()
        self.short.clear()
        self.untold = self.untold_requests = 0
        self.untold_other_waits = self.untold_other_requests = 0
        self.names.forget_threads()

    def is_games(self, tid: int) -> bool:
        """Whether a thread is one of the game's."""
        return self._is_of(tid, self.game)

    def is_family(self, tid: int, born: tuple[str, bool]) -> bool:
        """Whether a thread is one of the game's, or of a program that it started; what is gone by
        now by how it was ``born`` (``Turns``): a compiler lives for 30 ms.
        """
        game, thread = self.game, self.names.thread(tid)
        if game is None:
            return False
        if thread.pid is None:
            name, is_recorded = born
            return is_recorded or name in self._own_names
        if thread.pid == game:
            self._own_names[thread.name] = None
            shorten(self._own_names, _MOST_SHORT)
        is_child = self.names.is_child(tid, game)
        if is_child:
            self._children[thread.pid] = None
            shorten(self._children, _MOST_SHORT)
        # One that ended since the look before is still known, but not whose child it was.
        is_known = thread.pid in self._children and self.names.is_gone(thread.pid)
        return thread.pid == game or is_child or is_known

    def add(self, key: "TallyKey", length_ns: int) -> None:
        """Count one more of these; of very many different ones the first."""
        tally = self.tallies.get(key)
        if tally is None:
            if len(self.tallies) < _MOST_TALLIES:
                self.tallies[key] = [1, length_ns, length_ns]
            return
        tally[0] += 1
        tally[1] += length_ns
        tally[2] = max(tally[2], length_ns)

    def told_short(self) -> Mapping[str, int] | None:
        """What of the game's was too short to be told, in ns by kind.

        None where that is not known: of very many threads nobody asks whose they are.
        """
        if self.game is None or len(self.short) > _MOST_SHORT:
            return None
        told: Counter[str] = Counter()
        for (kind, tid), waited_ns in self.short.items():
            if waited_ns < _CRUMB_NS or self._is_of(tid, self.game):
                told[kind] += waited_ns
        return dict(told)

    def told_tallies(self) -> tuple[TracedTally, ...]:
        """What was added up, with its names."""
        return tuple(
            TracedTally(kind, self._tally_name(kind, text, number), *tally)
            for (kind, text, number), tally in self.tallies.items()
        )

    def _tally_name(self, kind: str, text: str, number: int) -> str:
        if kind == FILE:
            return self.names.file(self.game, int(text), number)
        thread = self.names.thread(number).name if kind == GPU else ""
        return f"{thread} {text}" if thread else text

    def told_sleeps(self) -> tuple[TracedSleep, ...]:
        """The sleeps of the game's main thread."""
        return tuple(map(self._named_sleep, self.sleeps))

    def told_deep_sleeps(self) -> tuple[TracedSleep, ...]:
        """The longest sleep of the game's that no signal ended."""
        for each in sorted(self.deep_sleeps, reverse=True):
            if self._is_of(each.tid, self.game):
                return (self._named_sleep(each),)
        return ()

    def told_waits(self) -> tuple[TracedWait, ...]:
        """The long waits in the order in which they began; waits for a core of the game's only."""
        game = self.game
        mine = (each for each in self.runs if self._is_of(each.tid, game))
        found, others = self._most_important(
            [*self.waits, *mine], game, lambda each: self._is_of_another(each.tid, each.name, game)
        )
        self.untold_other_waits += others
        told = (self._named_wait(each, game) for each in found)
        return tuple(each for each in told if each is not None)

    def told_requests(self) -> tuple[SlowRequest, ...]:
        """The slow requests in the order in which they began."""
        game = self.game
        found, others = self._most_important(
            self.requests,
            game,
            lambda each: each.asked is not None and self._is_of_another(*each.asked, game),
        )
        self.untold_requests += max(0, len(self.requests) - MOST_TOLD)
        self.untold_other_requests += others
        return tuple(self._named_request(each) for each in found)

    def _most_important(
        self, found: list[T], game: int | None, is_of_another: Callable[[T], bool]
    ) -> tuple[list[T], int]:
        """The longest of the game's, then of all others, in the order in which they began; and how
        many of those that are left out are surely none of the game's.

        A backup that reads 2.4 GB/s has 156 requests in the queue, all of them slower than the one
        that the game waits for: by length alone that one was never told.
        """
        left_out = len(found) - MOST_TOLD
        if left_out <= 0:
            return sorted(found, key=_in_order), 0
        self.untold += left_out
        known = [(game is not None and is_of_another(each), each) for each in found]
        known.sort(key=lambda pair: (pair[0], -pair[1][0]))
        told = sorted((each for _, each in known[:MOST_TOLD]), key=_in_order)
        return told, sum(is_other for is_other, _ in known[MOST_TOLD:])

    def _is_of(self, tid: int, game: int | None) -> bool:
        return game is not None and self.names.thread(tid, "").pid == game

    def _is_of_another(self, tid: int, name: str, game: int | None) -> bool:
        """Whether it is surely none of the game's: a thread that is gone may have been its."""
        if name.startswith(KSOFTIRQD):
            return False  # the game waits behind it
        return self.names.thread(tid, name).pid not in (None, game)

    def _named_sleep(self, found: FoundSleep) -> TracedSleep:
        thread = self.names.thread
        return TracedSleep(
            thread(found.tid),
            found.begin_ns,
            found.duration_ns,
            tuple(map(thread, found.woken_by)),
            found.awaited,
            tuple(
                SleepLook(each.end_ns, tuple(map(thread, each.woken_by)), each.awaited)
                for each in found.looks
            ),
        )

    def _named_wait(self, found: FoundWait, game: int | None) -> TracedWait | None:
        thread = self.names.thread(found.tid, found.name)
        if found.kind == COMPACTION and thread.name.startswith(_OWN_COMPACTION):
            return None  # nobody waits for the kernel's own threads for it
        behind, priority = None, None
        if found.kind == CORE:
            # A thread that the game wakes is in its trace too, but not when it gets its core.
            is_game = game is not None and thread.pid == game
            if not is_game and not thread.name.startswith(KSOFTIRQD):
                return None
            if found.behind is not None:
                tid, name, priority = found.behind
                behind = self.names.thread(tid, name)
        return TracedWait(
            thread,
            found.kind,
            found.begin_ns,
            found.duration_ns,
            found.device,
            behind,
            priority,
        )

    def _named_request(self, found: FoundRequest) -> SlowRequest:
        thread = None if found.asked is None else self.names.thread(*found.asked)
        return SlowRequest(
            self.names.drive(found.device),
            found.operation,
            found.sector,
            found.sectors,
            found.begin_ns,
            found.queue_ns,
            found.duration_ns - (found.queue_ns or 0),
            found.idle_ns,
            thread,
            _is_written_back(found.operation, thread),
        )


def _in_order(found: tuple[Any, ...]) -> tuple[int, int]:
    """By when it began, of those that began at once the longest first."""
    return found[1], -found[0]


def _is_written_back(operation: str, thread: TracedThread | None) -> bool:
    """Whether the kernel's writer of the page cache asked: it writes for all programs."""
    return operation == "write" and thread is not None and thread.name.startswith("kworker/")
