# SPDX-License-Identifier: GPL-3.0-or-later
"""How long threads ran and waited for a core between two sleeps, so that it is known what one did
for which the main thread slept.

A worker that shares its core gets some milliseconds at a time and waits as long for the next ones:
none of these waits is long enough to be told, and of 130 ms they were 45.
"""

from typing import TypeAlias

from destutter.sampling.tracing.wanted import shorten

TURN_NS = 200_000
"""Shorter turns are not kept: they are most of all, and five in a millisecond are no wait."""

_MOST_OF_ONE = 64
_MOST_THREADS = 512
_MOST_OPEN = 16_384

_Turn: TypeAlias = tuple[int, int, int]
"""When it began and ended, and how much of that the thread had no core."""


def go_on(turn: list[int], begin_ns: int, waited_ns: int) -> list[int]:
    """The turn of a thread that gets a core and had none since then: the same one, where its core
    was taken from it then. If not, it slept, and no record told when it began.
    """
    first_ns, had_none_ns, since_ns = turn
    is_same = since_ns == begin_ns
    return [first_ns, had_none_ns + waited_ns, 0] if is_same else [begin_ns, waited_ns, 0]


class Turns:
    """``open`` are those that last: when each began, how long its thread had no core so far, and
    since when it has none now, or 0. Whoever pairs the records fills them: a call for each would
    cost a tenth of all.
    """

    def __init__(self) -> None:
        self.open: dict[int, list[int]] = {}
        self._closed: dict[int, tuple[_Turn, ...]] = {}

    def forget(self) -> None:
        """Records were lost: who ran then may have slept."""
        self.open.clear()
        self._closed.clear()

    def limit(self) -> None:
        """Give up the oldest of too many."""
        shorten(self.open, _MOST_OPEN)
        shorten(self._closed, _MOST_THREADS)

    def close(self, tid: int, turn: list[int], time_ns: int) -> None:
        """It fell asleep. What it did since it lost its core is not known where no record told
        that it got it back.
        """
        begin_ns, ready_ns, since_ns = turn
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
