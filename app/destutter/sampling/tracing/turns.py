# SPDX-License-Identifier: GPL-3.0-or-later
"""How long threads ran and waited for a core between two sleeps, so that it is known what one did
for which the main thread slept.

A worker that shares its core gets some milliseconds at a time and waits as long for the next ones:
none of these waits is long enough to be told, and of 130 ms they were 45.
"""

from collections.abc import Iterator
from typing import TypeAlias

from destutter.sampling.tracing.wanted import shorten

TURN_NS = 200_000
"""Shorter turns are not kept: they are most of all, and five in a millisecond are no wait."""

_MOST_OF_ONE = 64
_MOST_THREADS = 512
_MOST_OPEN = 16_384

Turn: TypeAlias = tuple[int, int, int]
"""When it began and ended, and how much of that the thread had no core, or ran."""

YIELD_NS = 50_000
"""Who gives its core away after less, again and again, looks whether another one is done: it runs
for nothing, and wants no core."""

_YIELDS = 2  # in a row; one may be a preemption


def go_on(turn: list[int], begin_ns: int, waited_ns: int) -> list[int]:
    """The turn of a thread that gets a core and had none since then: the same one, where its core
    was taken from it then. If not, it slept, and no record told when it began.
    """
    first_ns, had_none_ns, since_ns, _, yields = turn
    time_ns = begin_ns + waited_ns
    if since_ns != begin_ns:
        return [begin_ns, waited_ns, 0, time_ns, 0]
    return [first_ns, had_none_ns + waited_ns, 0, time_ns, yields]


def gives_way(turn: list[int], time_ns: int) -> bool:
    """Whether a thread that leaves its core, and could go on, only looked, as it did before."""
    turn[4] = turn[4] + 1 if time_ns - turn[3] < YIELD_NS else 0
    return gave_way(turn)


def gave_way(turn: list[int] | None) -> bool:
    """Whether the thread of a turn left its core so the last time."""
    return turn is not None and turn[4] > _YIELDS


class Turns:
    """``open`` are those that last: when each began, how long its thread had no core so far, and
    since when it has none now, or 0; when it got one last, and how often in a row it gave that
    away at once. Whoever pairs the records fills them: a call for each would cost a tenth of all.
    ``newborn`` are those that got a core without a record of before: how they were called then,
    which a child has of who started it, and whether that core had been idle, which the kernel
    tells of none but those that are to be recorded.
    """

    def __init__(self) -> None:
        self.open: dict[int, list[int]] = {}
        self.newborn: dict[int, tuple[str, bool]] = {}
        self._closed: dict[int, tuple[Turn, ...]] = {}
        self._told: dict[int, tuple[int, int]] = {}
        self._is_whole = False

    def forget(self) -> None:
        """Records were lost: who ran then may have slept."""
        self.open.clear()
        self._closed.clear()
        self._is_whole = False

    def limit(self) -> None:
        """Give up the oldest of too many."""
        shorten(self.open, _MOST_OPEN)
        shorten(self._closed, _MOST_THREADS)
        shorten(self.newborn, _MOST_THREADS)

    def close(self, tid: int, turn: list[int], time_ns: int) -> None:
        """It fell asleep. What it did since it lost its core is not known where no record told
        that it got it back.
        """
        begin_ns, ready_ns, since_ns, *_ = turn
        earlier = self._closed.pop(tid, ())[: _MOST_OF_ONE - 1]
        self._closed[tid] = ((begin_ns, since_ns or time_ns, ready_ns), *earlier)

    def within(self, tid: int, begin_ns: int, end_ns: int) -> tuple[int, int]:
        """How long a thread ran and had no core in that time, in ns.

        Of a turn that lies in it in part as much of both, as if it had been the same all through.
        """
        ran_ns = ready_ns = 0
        lasting = self.open.get(tid)
        turns = self._closed.get(tid, ())
        if lasting is not None:
            turns = ((lasting[0], lasting[2] or end_ns, lasting[1]), *turns)
        for first_ns, last_ns, had_none_ns in turns:
            inside_ns = min(last_ns, end_ns) - max(first_ns, begin_ns)
            if inside_ns > 0:
                part_ns = min(had_none_ns * inside_ns // (last_ns - first_ns), inside_ns)
                ready_ns += part_ns
                ran_ns += inside_ns - part_ns
        return ran_ns, ready_ns

    def begin_of(self, tid: int, at_ns: int) -> int:
        """When the turn of a thread began that it had at a time; that time where none is kept."""
        lasting = self.open.get(tid)
        if lasting is not None and lasting[0] < at_ns:
            return lasting[0]
        for first_ns, last_ns, _ in self._closed.get(tid, ()):
            if first_ns < at_ns <= last_ns:
                return first_ns
        return at_ns

    def ended_within(self, since_ns: int, until_ns: int) -> Iterator[tuple[int, int, int]]:
        """The last turn of each thread that ended in that time: whose, when, and how long that had
        no core in it.
        """
        for tid, turns in self._closed.items():
            for _, last_ns, ready_ns in turns:
                if last_ns <= until_ns:
                    if last_ns >= since_ns:
                        yield tid, last_ns, ready_ns
                    break

    def ran_since(self, begin_ns: int, end_ns: int) -> tuple[dict[int, list[Turn]], bool]:
        """How long each thread ran since the last call, which was for until then, by its turns;
        and whether all of that is known.
        """
        known, self._told = self._told, {}
        is_whole, self._is_whole = self._is_whole and bool(self.open or self._closed), True
        found: dict[int, list[Turn]] = {}
        for tid, turns in self._closed.items():
            for first_ns, last_ns, ready_ns in turns:
                if last_ns <= begin_ns:
                    break
                found.setdefault(tid, []).append((first_ns, last_ns, ready_ns))
        for tid, (first_ns, ready_ns, since_ns, *_) in self.open.items():
            none_ns = ready_ns + (max(end_ns - since_ns, 0) if since_ns else 0)
            self._told[tid] = first_ns, none_ns
            if first_ns < end_ns:
                found.setdefault(tid, []).append((first_ns, end_ns, none_ns))
        ran = {
            tid: [_since(turn, begin_ns, known.get(tid)) for turn in turns]
            for tid, turns in found.items()
        }
        return ran, is_whole


def _since(turn: Turn, begin_ns: int, told: tuple[int, int] | None) -> Turn:
    """What of a turn lies behind a time, and how long its thread ran then, by what it had been up
    to that time.
    """
    first_ns, last_ns, ready_ns = turn
    if first_ns < begin_ns:
        before_ns = ready_ns * (begin_ns - first_ns) // (last_ns - first_ns)
        if told is not None and told[0] == first_ns:
            before_ns = told[1]
        first_ns, ready_ns = begin_ns, max(ready_ns - before_ns, 0)
    return first_ns, last_ns, max(last_ns - first_ns - ready_ns, 0)
