# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the game's threads are while all is well, so that one that is elsewhere stands out.

Of two hundred threads nearly all sleep, most for work and some for sound, network or a pace of
their own; who of them the main thread waits for is none of those that are where they always are.
"""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from enum import Enum

from destutter.sampling.game.game_threads import MOST_LOOKED_AT
from destutter.sampling.game.wait_places import UNKNOWN, AsleepIn, asleep_in

_LEARNT_ROUNDS = 2  # met once it may have been on its way
_SELDOM = 10
"""Of the ticks in which all is well. A place costs the kernel 50 us and more (it unwinds the
stack), which at every tick was 6 to 8 % of all that a tick costs; who has been looked at twice
seldom turns up anywhere new."""


class FoundIn(Enum):
    """What a thread that is not blocked was found doing."""

    RUNNING = "running"
    SOCKET = "socket"
    PIPE = "pipe"
    EVENTS = "events"
    TIMER = "timer"
    GPU = "gpu"
    SERVER = "server"
    OTHER = "other"


_OF_SLEEP: Mapping[AsleepIn, FoundIn] = {
    kind: FoundIn(kind.value) for kind in AsleepIn if kind is not AsleepIn.FUTEX
}


def found_in(place: bytes) -> FoundIn | None:
    """What it does by the function that it sleeps in; None for one that waits for work (futex).

    A running thread has no such place, and the kernel says 0.
    """
    if place in UNKNOWN:
        return FoundIn.RUNNING
    return _OF_SLEEP.get(asleep_in(place))


class UsualPlaces:
    """What each thread was found doing while all was well, one thread after the other."""

    def __init__(self) -> None:
        self._known: dict[int, set[FoundIn | None]] = {}
        self._turn = self._asked = 0
        self._there: Sequence[int] = ()

    def there(self, tids: Sequence[int]) -> None:
        """The threads that there are while all is well; the list of them is kept as it is."""
        if tids is not self._there and set(tids) - set(self._there):
            self._turn = 0
        self._there = tids

    def next_of(self, tids: Sequence[int]) -> int | None:
        """Whose turn it is of the first of them, as many as a look takes in; None without
        threads, and mostly when all are known.
        """
        if not tids:
            return None
        # No part of the list is copied: that touches each number, 200 places in cold memory.
        count = min(len(tids), MOST_LOOKED_AT)
        self._asked += 1
        if self._turn >= _LEARNT_ROUNDS * count and self._asked % _SELDOM:
            return None
        self._turn += 1
        return tids[self._turn % count]

    def note(self, tid: int, found: FoundIn | None) -> None:
        """A thread was found so while all was well."""
        self._known.setdefault(tid, set()).add(found)

    def is_unusual(self, tid: int, found: FoundIn) -> bool:
        """Whether a thread that was looked at while all was well was never found so.

        One that was not there while all was well was started for what keeps the game.
        """
        known = self._known.get(tid)
        if known is None:
            return bool(self._there) and tid not in self._there
        return found not in known

    def keep(self, left: AbstractSet[int]) -> None:
        """Forget the threads that are gone, since their numbers come again."""
        for gone in self._known.keys() - left:
            del self._known[gone]
