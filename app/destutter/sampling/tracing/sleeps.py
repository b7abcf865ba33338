# SPDX-License-Identifier: GPL-3.0-or-later
"""Sleeps of the game's threads: for whom its main thread waits, and what a split lock costs.

Who wakes a thread is who it waited for, unless an interrupt does: then the record names whoever
ran just then.
"""

from collections.abc import Iterator, Sequence
from itertools import islice, pairwise

from destutter.core.traced import LONG_SLEEP_NS, LONG_WAIT_NS, SPLIT_LOCK, Awaited
from destutter.sampling.tracing.found import Found, FoundLook, FoundSleep, FoundWait
from destutter.sampling.tracing.looks import Looks, MainLook
from destutter.sampling.tracing.main_states import DEEP, RUNNABLE
from destutter.sampling.tracing.turns import Turns
from destutter.sampling.tracing.wanted import shorten

_IN_INTERRUPT, _IN_SOFTIRQ = 0x08 | 0x10, 0x10
"""Of ``common_flags``: TRACE_FLAG_HARDIRQ, TRACE_FLAG_SOFTIRQ (include/linux/trace_events.h)."""

# The kernel lets who made a split lock sleep for 10 ms, by a timer that counts in ticks and goes
# off in a softirq (split_lock_warn in arch/x86/kernel/cpu/bus_lock.c). It says so only once of
# each thread, so that the next times are told by that.
_PENALTY_NS, _MOST_TICKS = 10_000_000, 3

# A condition is looked at within some microseconds, and slept for again where it is not true yet
# (of 410 such looks none took more than 30, of 300 others one took 94 with the core shared);
# of a frame for which it was waited there is more to do.
_LOOK_NS, _LONGEST_NS = 150_000, 5_000_000_000
_DONE_NS = 100_000  # who says by a byte that it has done sleeps soon; a reader goes on for itself

_THROUGH = 0.5  # of a sleep: beside a reader who is waited for others are done by chance

_NAPS = 0.1  # of a wait: who runs for more does more than to look

_NEVER = 0, 0, 0
_MOST_IN_CHAIN = 4
_MOST_AWAITED = 20  # in one sleep: who hands on pieces wakes the next one for each of them
_MOST_ENDED = 40  # long sleeps of a thread that are remembered: two readers cut 200 ms into 36
_MOST_OPEN = 16_384
_MOST_DEEP = 1000  # in one look, of which the longest of the game's is told
_MOST_TOLD = 20  # in one look: a main thread alone cannot have more than 12 of that length


class Sleeps:
    """``begun``: when which thread went to sleep, ``deep`` those of them that no signal wakes;
    ``sliced`` are those whose last long one their own time limit ended; ``turns``: what they did
    between. ``tick_ns`` is a jiffy; ``is_deep_told``: an expert asked.
    """

    def __init__(self, found: Found, tick_ns: int, *, is_deep_told: bool = False) -> None:
        self.begun: dict[int, int] = {}
        self.deep: dict[int, int] = {}
        self.sliced: set[int] = set()
        self.turns = Turns()
        self._is_deep_told = is_deep_told
        self._found = found
        self._most_penalty_ns = _PENALTY_NS + _MOST_TICKS * tick_ns
        # The main thread's last sleep: when it began and ended, and who ended it; None while it
        # sleeps. And when it looked last before.
        self._pending: tuple[int, int, int] | None = None
        self._is_told = False
        self._since_ns = self._before_ns = 0
        self._has_asked = False
        self._looks = Looks()
        # Who woke it while it still left its core, by number and flags of the record.
        self._early: tuple[int, int] | None = None
        # The last long ones of each, the last first: begin, end, and who woke it.
        self._ended: dict[int, tuple[tuple[int, int, int], ...]] = {}
        # When each of them slept for long the last time so that no signal wakes it, and looked
        # last in a wait of several slices; and those that their own time woke from the last other
        # one: nobody has asked them for anything.
        self._deep_until: dict[int, int] = {}
        self._looked: dict[int, int] = {}
        self._by_itself: set[int] = set()

    def forget(self) -> None:
        """Records were lost: who sleeps may have been woken and gone to sleep again."""
        self.begun.clear()
        self.deep.clear()
        self.sliced.clear()
        self.turns.forget()
        self._pending = self._early = None
        self._looks.forget()
        self._ended.clear()
        self._deep_until.clear()
        self._looked.clear()
        self._by_itself.clear()

    def limit(self) -> None:
        """Give up the oldest of too many."""
        shorten(self.begun, _MOST_OPEN)
        shorten(self.deep, _MOST_OPEN)
        shorten(self._ended, _MOST_OPEN)
        shorten(self._deep_until, _MOST_OPEN)
        shorten(self._looked, _MOST_OPEN)
        self._by_itself.intersection_update(self._ended)
        self.sliced.intersection_update(self._ended)
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
        is_deep = self.deep.pop(tid, None) == begin_ns
        found = self._found
        if is_deep:
            self._deep_until[tid] = time_ns
        elif by:
            self._by_itself.discard(tid)
        else:
            self._by_itself.add(tid)
        is_main = tid == found.lead
        if by or not (is_main or is_deep):
            earlier = self._ended.pop(tid, ())
            first_ns = begin_ns if is_deep else self._first_of(tid, earlier, begin_ns)
            if first_ns != begin_ns:
                earlier = earlier[1:]
                self._looked[tid] = begin_ns
            self._ended[tid] = ((first_ns, time_ns, by), *earlier[: _MOST_ENDED - 1])
            if by or is_deep:
                self.sliced.discard(tid)
            else:
                self.sliced.add(tid)
        is_penalty = _PENALTY_NS <= length_ns <= self._most_penalty_ns
        if is_penalty and flags & _IN_SOFTIRQ and tid in found.trapped:
            found.waits.append(FoundWait(length_ns, begin_ns, SPLIT_LOCK, tid))
        if is_deep and self._is_deep_told and len(found.deep_sleeps) < _MOST_DEEP:
            found.deep_sleeps.append(FoundSleep(length_ns, begin_ns, tid, (by,) if by else ()))
        if is_main and is_deep:
            self._tell((begin_ns, time_ns, by or self._done(begin_ns, time_ns, time_ns)), ())

    def slice_ended(self, tid: int, by_whom: tuple[int, int], begin_ns: int, time_ns: int) -> None:
        """The same from a short sleep, of one of ``sliced``: the last slice is as long as chance
        has it, and who ends it was waited for in all of them.
        """
        earlier = self._ended.get(tid, ())
        first_ns = self._first_of(tid, earlier, begin_ns)
        is_slice = first_ns != begin_ns and self.deep.get(tid) != begin_ns
        waker, flags = by_whom
        by = 0 if flags & _IN_INTERRUPT else waker
        if is_slice:
            del self._ended[tid]
            self._ended[tid] = ((first_ns, time_ns, by), *earlier[1:])
            self._looked[tid] = begin_ns
        if by or not is_slice:
            self.sliced.discard(tid)
        if by:
            self._by_itself.discard(tid)

    def _first_of(self, tid: int, earlier: tuple[tuple[int, int, int], ...], begin_ns: int) -> int:
        """When the wait began of which a sleep is a slice: the one before, if its own time limit
        ended that and the thread only looked. Of a main thread that waited so for a reader, behind
        a thread that shows the frames, only the last slice was known, 32 of 36 times.
        """
        before_ns, until_ns, by = earlier[0] if earlier else _NEVER
        if by or not before_ns or not begin_ns or self._woke_any(tid, until_ns):
            return begin_ns
        _, ready_ns = self.turns.within(tid, until_ns, begin_ns)
        return before_ns if begin_ns - until_ns - ready_ns < _LOOK_NS else begin_ns

    def main_woken(self, by_whom: tuple[int, int], begin_ns: int, time_ns: int) -> None:
        """Somebody, by number and flags of the record, woke the main thread, which slept since
        then (0: it did not yet, or nobody knows since when).
        """
        tid = self._found.lead
        self._early = None if begin_ns else by_whom
        if tid is not None and begin_ns and self.deep.get(tid) != begin_ns:
            waker, flags = by_whom
            by = 0 if flags & _IN_INTERRUPT else waker
            self._pending = begin_ns, time_ns, by
            self._is_told = self._has_asked = False

    def main_entered(self, tid: int, time_ns: int) -> None:
        """The main thread got a core; where it slept, no record tells that it was woken since.

        Who wakes it while it leaves its core does so before it sleeps, by the records: without
        this one such waking in 1.6 s of a presenter's cost a sleep of 474 ms for a reader.
        """
        begin_ns = self.begun.pop(tid, None)
        if begin_ns is None:
            return
        if self._early is not None:
            self.main_woken(self._early, begin_ns, time_ns)
        else:
            self._tell_looks(begin_ns)
            self._looks.forget()

    def main_asks(self, tid: int, flags: int, begin_ns: int, time_ns: int) -> None:
        """It woke somebody, who slept since then (0: since before the first record).

        Who slept already when the main thread did has work now. Who sleeps for a moment waits for
        a lock, and who sleeps since it woke the main thread waits for its answer.
        """
        pending = self._pending
        if pending is None or flags & _IN_INTERRUPT or (not begin_ns and tid in self.turns.open):
            return
        self._has_asked |= begin_ns < pending[1] and time_ns - begin_ns >= _LOOK_NS

    def goes_on(self, tid: int, time_ns: int, turn: list[int] | None, state: int) -> None:
        """The main thread leaves its core in this ``prev_state`` after this turn, of which None is
        where no record told its beginning; ``DEEP`` is for something else in any case.

        Where it only looked what woke it, its sleep is still the one of before, and was for who
        ends it at last: a reader that told each piece beside a main thread which had a time of its
        own was taken for whom that waited 9 times of 9, and one that woke nobody 39 times of 44
        where the main thread slept 10 ms at a time, or a signal came in between.
        """
        if state in RUNNABLE:
            return
        pending, since_ns, self._pending = self._pending, self._since_ns, None
        self._since_ns = time_ns
        if pending is None:
            return
        begin_ns, woken_ns, by = pending
        is_look = state != DEEP and _is_look(woken_ns, turn, time_ns)
        is_look = is_look and time_ns - begin_ns < _LONGEST_NS
        if is_look and (by or not self._has_asked):
            whom = by or self._done(begin_ns, since_ns, woken_ns)
            before_ns = self._looked_before(woken_ns, since_ns) if by else 0
            look = MainLook(woken_ns, whom, time_ns, before_ns)
            self._looks.add(begin_ns, look, has_asked=self._has_asked)
            self.begun[tid] = begin_ns
            self._since_ns = woken_ns
            if self._is_told:
                told = self._found.sleeps
                told[:] = [each for each in told if each.begin_ns != begin_ns]
            return
        if not self._is_told:
            self._tell_over(pending, since_ns)
        self._looks.forget()

    def tell_last(self) -> None:
        """Tell of the main thread's last sleep, if it has not begun another one since; of one that
        lasts what may have been a long frame in it.
        """
        if self._pending is not None and not self._is_told:
            self._tell_over(self._pending, self._since_ns)
            self._is_told = True
        elif self._pending is None and self._found.lead in self.begun:
            self._tell_looks(self.begun[self._found.lead])

    def _tell_looks(self, begin_ns: int) -> None:
        """Tell of a sleep that lasts until its last look in which a frame that took long may have
        ended. It is told again with the looks that follow.

        A main thread that a refresh wakes, and that leaves all work to others, does nothing else
        for seconds: by its end it was too late for a stutter, whose looks were gone.
        """
        looks = self._looks.take_long()
        if looks:
            last = looks[-1]
            whom = self._whom(begin_ns, last) or self._done(begin_ns, last.woken_ns, last.end_ns)
            self._tell((begin_ns, last.end_ns, whom), looks)

    def _tell_over(self, sleep: tuple[int, int, int], since_ns: int) -> None:
        """One that is over; ``since_ns``: when the main thread looked last before its end."""
        begin_ns, end_ns, by = sleep
        before_ns = self._looked_before(end_ns, since_ns) if by and self._looks.is_again else 0
        whom = self._through(by, (begin_ns, before_ns, end_ns)) if before_ns else by
        whom = whom or self._done(begin_ns, since_ns, end_ns)
        self._tell((begin_ns, end_ns, whom), self._looks.kept)

    def _whom(self, begin_ns: int, look: MainLook) -> int:
        if not look.before_ns:
            return look.whom
        return self._through(look.whom, (begin_ns, look.before_ns, look.woken_ns))

    def _tell(self, sleep: tuple[int, int, int], kept: Sequence[MainLook]) -> None:
        """One with its looks, and for whom it was, or 0."""
        begin_ns, end_ns, whom = sleep
        tid = self._found.lead
        if tid is None or not _is_long(begin_ns, kept, end_ns):
            return
        if len(self._found.sleeps) >= _MOST_TOLD:
            return
        woken_by, awaited = self._for_whom(whom, begin_ns, end_ns)
        looks = tuple(
            FoundLook(
                each.end_ns, *self._for_whom(self._whom(begin_ns, each), begin_ns, each.woken_ns)
            )
            for each in kept
        )
        told = FoundSleep(end_ns - begin_ns, begin_ns, tid, woken_by, awaited, looks)
        self._found.sleeps.append(told)

    def _for_whom(
        self, whom: int, begin_ns: int, end_ns: int
    ) -> tuple[tuple[int, ...], tuple[Awaited, ...]]:
        """Who woke it, who woke those, and when it slept for whom; nobody where that is 0."""
        each = self._awaited((whom,), begin_ns, end_ns) if whom else ()
        awaited = tuple(islice(each, _MOST_AWAITED))
        return tuple(dict.fromkeys(each.tid for each in awaited)), awaited

    def _woke_any(self, tid: int, since_ns: int) -> bool:
        """Whether a thread woke anybody since then from a long sleep: it had work done."""
        for ended in reversed(self._ended.values()):
            if ended[0][1] < since_ns:
                break
            if ended[0][2] == tid:
                return True
        return False

    def _looked_before(self, woken_ns: int, since_ns: int) -> int:
        """When it had looked before: who tells while it holds the lock wakes it twice at once."""
        if woken_ns - since_ns >= _LOOK_NS:
            self._before_ns = since_ns
        return self._before_ns

    def _through(
        self, by: int, times: tuple[int, int, int], waiting: int | None = None, until_ns: int = 0
    ) -> int:
        """For whom the main thread, or another one that was ``waiting``, slept, which ``by`` woke
        now, and had looked in vain before: by when it slept first, looked last and was woken.

        A reader tells all of each piece, and the main thread looks and sleeps on, until one that
        computed all the while is done: the next piece lets it see that. Of 7 such stutters 7 were
        told as that reader's wait for its drive. The one that is woken takes that one's core at
        times, before it can sleep; one that computes on was not done. Of another thread short
        sleeps are not known: it may have looked again ``until_ns``.
        """
        begin_ns, since_ns, end_ns = times
        lead, seen_ns = self._found.lead, (until_ns or end_ns) + _LOOK_NS
        ended = self.turns.ended_within(since_ns + _DONE_NS, end_ns + LONG_WAIT_NS)
        done = [
            tid
            for tid, last_ns, ready_ns in ended
            if last_ns - (0 if until_ns else ready_ns) <= seen_ns and tid not in (lead, waiting)
            if self._has_worked(tid, begin_ns, end_ns) and self._found.is_games(tid)
        ]
        return done[0] if len(done) == 1 else by

    def _done(self, begin_ns: int, since_ns: int, end_ns: int, waiting: int | None = None) -> int:
        """Which thread of the game had done its work when the main thread, or another one that is
        ``waiting``, which nobody woke, looked for the last time; 0 where none had, or several.

        It sleeps for the next work since then. One that reads on was not waited for; one that has
        read is only taken for it where that was looked for often. Nor one that its own time woke:
        a reader that naps between its reads was done by chance, of 13 of 39 stutters in which the
        main thread slept on its own timer.
        """
        lead, is_often = self._found.lead, end_ns - since_ns <= LONG_WAIT_NS
        known = {}
        for tid, slept_ns in reversed(self.begun.items()):
            if slept_ns < since_ns:
                break
            is_asleep = slept_ns <= end_ns + _DONE_NS and self.deep.get(tid) != slept_ns
            is_asleep = is_asleep and tid not in self._by_itself
            if is_asleep and tid not in (lead, waiting) and self._found.is_games(tid):
                _, woken_ns, _ = self._ended.get(tid, (_NEVER,))[0]
                has_read = is_often and self._deep_until.get(tid) == woken_ns
                first_ns = begin_ns if has_read else max(begin_ns, woken_ns)
                if slept_ns - first_ns >= LONG_WAIT_NS:
                    known[tid] = sum(self.turns.within(tid, first_ns, slept_ns))
        busy = [tid for tid, worked_ns in known.items() if worked_ns >= LONG_WAIT_NS]
        those = busy if len(known) > 1 else list(known)
        return those[0] if len(those) == 1 else 0

    def _awaited(self, chain: tuple[int, ...], begin_ns: int, end_ns: int) -> Iterator[Awaited]:
        """For whom somebody slept in this time: for who woke it (the last of the chain), and in
        the sleeps of that one meanwhile for who woke that one from them.
        """
        within = self.turns.within(chain[-1], begin_ns, end_ns)
        yield Awaited(chain[-1], begin_ns, end_ns, *within)
        if len(chain) == _MOST_IN_CHAIN:
            return
        waits = [*self._waits_of(chain[-1], begin_ns, end_ns)]
        since_ns = waits[0][1] if waits else begin_ns
        for slept_ns, woken_ns, by in (*self._naps_of(chain[-1], since_ns, end_ns), *waits):
            if by and by not in chain:
                first_ns = max(slept_ns, begin_ns)
                yield from self._awaited((*chain, by), first_ns, woken_ns)

    def _waits_of(self, tid: int, begin_ns: int, end_ns: int) -> Iterator[tuple[int, int, int]]:
        """Its sleeps that ended in this time, the last first, with who ended each. Those between
        which it only looked are one, for who ended the last, or was done then and had worked in
        them: of a main thread behind one that shows the frames 19 of 21 such waits were told as
        those of two readers that wake it at each piece.
        """
        ended = [each for each in self._ended.get(tid, ()) if begin_ns < each[1] <= end_ns]
        at = 0
        while at < len(ended):
            first_ns, woken_ns, by = ended[at]
            behind = at + 1
            while behind < len(ended) and self._only_looked(tid, ended[behind][1], first_ns):
                first_ns = ended[behind][0]
                behind += 1
            whom, first_ns = by, max(first_ns, begin_ns)
            if not by:
                times = first_ns, woken_ns - LONG_SLEEP_NS, woken_ns
                whom = self._through(0, times, tid) or self._done(*times, tid)
            else:
                looked_ns = ended[at + 1][1] if behind > at + 1 else self._looked.get(tid, 0)
                if first_ns < looked_ns < woken_ns:
                    whom = self._through(by, (first_ns, looked_ns, woken_ns), tid, end_ns)
            yield first_ns, woken_ns, whom
            at = behind

    def _naps_of(self, tid: int, begin_ns: int, end_ns: int) -> Iterator[tuple[int, int, int]]:
        """The same of who took only naps behind those, as it looks each millisecond whether
        another one is done: for whom it did. Not of one that waits for drives, in pieces.
        """
        until_ns = self.turns.begin_of(tid, end_ns)
        is_asleep = sum(self.turns.within(tid, begin_ns, until_ns)) < _NAPS * (end_ns - begin_ns)
        waited_ns = max(self.deep.get(tid, 0), self._deep_until.get(tid, 0))
        if is_asleep and waited_ns < begin_ns:
            since_ns = until_ns - LONG_WAIT_NS
            yield begin_ns, until_ns, self._done(begin_ns, since_ns, until_ns, tid)

    def _has_worked(self, tid: int, begin_ns: int, end_ns: int) -> bool:
        """Whether it ran, or had no core, for most of that time."""
        return sum(self.turns.within(tid, begin_ns, end_ns)) >= _THROUGH * (end_ns - begin_ns)

    def _only_looked(self, tid: int, woken_ns: int, slept_ns: int) -> bool:
        """Whether it did next to nothing between two sleeps: two that wake it shortly one behind
        the other have it sleep for less than is remembered in between.
        """
        ran_ns, ready_ns = self.turns.within(tid, woken_ns, slept_ns)
        return ran_ns < _LOOK_NS and slept_ns - woken_ns - ready_ns < LONG_WAIT_NS


def _is_long(begin_ns: int, looks: Sequence[MainLook], end_ns: int) -> bool:
    """Not one that is two, of which none is: who waits for the work of its frame and then for the
    next one does so all the time.
    """
    ends = (begin_ns, *(each.end_ns for each in looks), end_ns)
    at_once_ns = max(last - first for first, last in pairwise(ends))
    return at_once_ns >= LONG_SLEEP_NS or end_ns - begin_ns >= 2 * LONG_SLEEP_NS


def _is_look(woken_ns: int, turn: list[int] | None, time_ns: int) -> bool:
    """Whether the main thread only looked since it was woken.

    Of 60 looks in a wait the kernel leaves a switch of one or two out, and at times of every other
    one: then its turn has no beginning, and may have had no core at first, or is the next one.
    """
    first_ns, ready_ns, *_ = (woken_ns, 0) if turn is None else turn
    return time_ns - first_ns - ready_ns < _LOOK_NS and first_ns - woken_ns < LONG_SLEEP_NS
