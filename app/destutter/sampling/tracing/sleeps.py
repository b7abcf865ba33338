# SPDX-License-Identifier: GPL-3.0-or-later
"""Sleeps of the game's threads: for whom its main thread waits, and what a split lock costs.

Who wakes a thread is who it waited for, unless an interrupt does: then the record names whoever
ran just then.
"""

from collections.abc import Iterator
from itertools import islice

from destutter.core.traced import LONG_SLEEP_NS, SPLIT_LOCK, Awaited
from destutter.sampling.tracing.found import Found, FoundSleep, FoundWait
from destutter.sampling.tracing.turns import Turns
from destutter.sampling.tracing.wanted import shorten

_IN_INTERRUPT, _IN_SOFTIRQ = 0x08 | 0x10, 0x10
"""Of ``common_flags``: TRACE_FLAG_HARDIRQ, TRACE_FLAG_SOFTIRQ (include/linux/trace_events.h)."""

# The kernel lets who made a split lock sleep for 10 ms, by a timer that counts in ticks and goes
# off in a softirq (split_lock_warn in arch/x86/kernel/cpu/bus_lock.c). It says so only once of
# each thread, so that the next times are told by that.
_PENALTY_NS, _MOST_TICKS = 10_000_000, 3

# A condition is looked at within some microseconds, and slept for again where it is not true yet;
# of a frame for which it was waited there is more to do.
_LOOK_NS, _LONGEST_NS = 50_000, 5_000_000_000

_MOST_IN_CHAIN = 4
_MOST_AWAITED = 20  # in one sleep: who hands on pieces wakes the next one for each of them
_MOST_ENDED = 10  # long sleeps of a thread that are remembered
_MOST_OPEN = 16_384
_MOST_DEEP = 1000  # in one look, of which the longest of the game's is told
_MOST_TOLD = 20  # in one look: a main thread alone cannot have more than 12 of that length


class Sleeps:
    """``begun``: when which thread went to sleep, ``deep`` those of them that no signal wakes;
    ``turns``: what they did between. ``tick_ns`` is a jiffy; ``is_deep_told``: an expert asked.
    """

    def __init__(self, found: Found, tick_ns: int, *, is_deep_told: bool = False) -> None:
        self.begun: dict[int, int] = {}
        self.deep: dict[int, int] = {}
        self.turns = Turns()
        self._is_deep_told = is_deep_told
        self._found = found
        self._most_penalty_ns = _PENALTY_NS + _MOST_TICKS * tick_ns
        self._woken = 0, 0  # when the main thread's last sleep that a thread ended began and ended
        # The last long ones of each, the last first: begin, end, and who woke it.
        self._ended: dict[int, tuple[tuple[int, int, int], ...]] = {}

    def forget(self) -> None:
        """Records were lost: who sleeps may have been woken and gone to sleep again."""
        self.begun.clear()
        self.deep.clear()
        self.turns.forget()
        self._woken = 0, 0
        self._ended.clear()

    def limit(self) -> None:
        """Give up the oldest of too many."""
        shorten(self.begun, _MOST_OPEN)
        shorten(self.deep, _MOST_OPEN)
        shorten(self._ended, _MOST_OPEN)
        self.turns.limit()

    def ended(self, tid: int, by_whom: tuple[int, int], begin_ns: int, time_ns: int) -> None:
        """Somebody, by number and flags of the record, woke a thread from a long sleep.

        ``begin_ns`` is 0 where it slept since before the first record: a reader that a game uses
        for the first time. Not one that is woken while it runs.
        """
        if not begin_ns and tid in self.turns.open:
            return
        waker, flags = by_whom
        length_ns = time_ns - begin_ns
        by = 0 if flags & _IN_INTERRUPT else waker
        earlier = self._ended.get(tid, ())[: _MOST_ENDED - 1]
        self._ended[tid] = ((begin_ns, time_ns, by), *earlier)
        found = self._found
        is_penalty = _PENALTY_NS <= length_ns <= self._most_penalty_ns
        if is_penalty and flags & _IN_SOFTIRQ and tid in found.trapped:
            found.waits.append(FoundWait(length_ns, begin_ns, SPLIT_LOCK, tid))
        is_deep = self.deep.pop(tid, None) == begin_ns
        if tid == found.game and begin_ns and by and not is_deep:
            self._woken = begin_ns, time_ns
        if is_deep and self._is_deep_told and len(found.deep_sleeps) < _MOST_DEEP:
            found.deep_sleeps.append(FoundSleep(length_ns, begin_ns, tid, (by,) if by else ()))
        is_told = tid == found.game and begin_ns and length_ns >= LONG_SLEEP_NS
        if is_told and len(found.sleeps) < _MOST_TOLD:
            each = self._awaited((by,), begin_ns, time_ns, time_ns) if by else ()
            awaited = tuple(islice(each, _MOST_AWAITED))
            woken_by = tuple(dict.fromkeys(each.tid for each in awaited))
            found.sleeps.append(FoundSleep(length_ns, begin_ns, tid, woken_by, awaited))

    def goes_on(self, tid: int, time_ns: int, turn: list[int] | None) -> None:
        """The main thread sleeps again after this turn; None: for something else in any case.

        Where it only looked what woke it, its sleep is still the one of before, and was for who
        ends it at last: a reader that told each piece beside a main thread which had a time of its
        own was taken for whom that waited 9 times of 9.
        """
        begin_ns, woken_ns = self._woken
        if turn is None or turn[0] != woken_ns or time_ns - turn[0] - turn[1] >= _LOOK_NS:
            return
        if time_ns - begin_ns < _LONGEST_NS:
            self.begun[tid] = begin_ns
            told = self._found.sleeps
            told[:] = [each for each in told if each.begin_ns != begin_ns]

    def _awaited(
        self, chain: tuple[int, ...], begin_ns: int, end_ns: int, now_ns: int
    ) -> Iterator[Awaited]:
        """For whom somebody slept in this time: for who woke it (the last of the chain), and in
        the sleeps of that one meanwhile for who woke that one from them.
        """
        within = self.turns.within(chain[-1], begin_ns, end_ns, now_ns)
        yield Awaited(chain[-1], begin_ns, end_ns, *within)
        if len(chain) == _MOST_IN_CHAIN:
            return
        for slept_ns, woken_ns, by in self._ended.get(chain[-1], ()):
            if by and by not in chain and begin_ns < woken_ns <= end_ns:
                first_ns = max(slept_ns, begin_ns)
                yield from self._awaited((*chain, by), first_ns, woken_ns, now_ns)
