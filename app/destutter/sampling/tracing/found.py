# SPDX-License-Identifier: GPL-3.0-or-later
"""What a look at the trace found, before threads and drives have their names.

Names are asked for at the end of a look and only for what is told: asking costs as much as reading
twenty records, and a drive at its limit has thousands of slow requests a second.
"""

from collections import Counter
from heapq import nlargest
from operator import itemgetter
from typing import Any, NamedTuple, TypeVar

from destutter.core.traced import (
    COMPACTION,
    CORE,
    FilesystemCommit,
    SlowRequest,
    TracedMoment,
    TracedThread,
    TracedWait,
)
from destutter.sampling.tracing.names import TraceNames

LONG_WAIT_NS = 4_000_000
SLOW_REQUEST_NS = 5_000_000
MOST_TOLD = 100
"""Of one kind in one look."""

_OWN_COMPACTION = ("kcompactd", "khugepaged")
_KSOFTIRQD = "ksoftirqd/"
T = TypeVar("T", bound=tuple[Any, ...])


class FoundWait(NamedTuple):
    """A long wait; names are empty where the kernel did not write one."""

    duration_ns: int
    begin_ns: int
    kind: str
    tid: int
    name: str = ""
    device: str = ""
    behind: tuple[int, str, int] | None = None  # thread, name, priority


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
    """Collects what the subjects of the trace find, until ``clear``."""

    def __init__(self, names: TraceNames) -> None:
        self.names = names
        self.counts: Counter[str] = Counter()
        self.waits: list[FoundWait] = []
        self.requests: list[FoundRequest] = []
        self.commits: list[FilesystemCommit] = []
        self.moments: list[TracedMoment] = []
        self.untold = self.untold_requests = 0

    @property
    def is_long(self) -> bool:
        """Whether there is anything to tell but counts."""
        return bool(self.waits or self.requests or self.commits or self.moments)

    def clear(self) -> None:
        """Forget what is told by now. The collections stay: whoever fills them knows them."""
        self.counts.clear()
        for told in (self.waits, self.requests, self.commits, self.moments):
            told.clear()
        self.untold = self.untold_requests = 0
        self.names.forget_threads()

    def told_waits(self, game: int | None) -> tuple[TracedWait, ...]:
        """The long waits in the order in which they began; waits for a core of the game's only."""
        told = (self._named_wait(each, game) for each in self._longest(self.waits))
        return tuple(each for each in told if each is not None)

    def told_requests(self) -> tuple[SlowRequest, ...]:
        """The slow requests in the order in which they began."""
        self.untold_requests += max(0, len(self.requests) - MOST_TOLD)
        return tuple(self._named_request(each) for each in self._longest(self.requests))

    def _longest(self, found: list[T]) -> list[T]:
        self.untold += max(0, len(found) - MOST_TOLD)
        return sorted(nlargest(MOST_TOLD, found, key=itemgetter(0)), key=itemgetter(1))

    def _named_wait(self, found: FoundWait, game: int | None) -> TracedWait | None:
        thread = self.names.thread(found.tid, found.name)
        if found.kind == COMPACTION and thread.name.startswith(_OWN_COMPACTION):
            return None  # nobody waits for the kernel's own threads for it
        behind, priority = None, None
        if found.kind == CORE:
            # A thread that the game wakes is in its trace too, but not when it gets its core.
            is_game = game is not None and thread.pid == game
            if not is_game and not thread.name.startswith(_KSOFTIRQD):
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


def _is_written_back(operation: str, thread: TracedThread | None) -> bool:
    """Whether the kernel's writer of the page cache asked: it writes for all programs."""
    return operation == "write" and thread is not None and thread.name.startswith("kworker/")
