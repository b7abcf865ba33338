# SPDX-License-Identifier: GPL-3.0-or-later
"""How long threads that could run waited for a core, and who ran there before them.

A wait begins when a thread is woken, or when it is taken from its core although it could go on. It
ends when it runs. Who sleeps instead is told on (`sleeps`), and all that the main thread of the
game does (`main_states`).
"""

from collections.abc import Iterator

from destutter.core.traced import CORE, LONG_WAIT_NS
from destutter.sampling.tracing.formats import Unpack, text_of_field
from destutter.sampling.tracing.found import Found, FoundWait
from destutter.sampling.tracing.main_states import DEEP, RUNNABLE, MainStates
from destutter.sampling.tracing.page_reader import Handle
from destutter.sampling.tracing.sleeps import Sleeps
from destutter.sampling.tracing.turns import TURN_NS, gave_way, gives_way, go_on
from destutter.sampling.tracing.wanted import WantedEvent, shorten

# In the order in which the kernels have them: any other takes a call more for each record.
_WAKING_FIELDS = ("common_flags", "common_pid", "pid")
_SWITCH_FIELDS = ("prev_comm", "prev_pid", "prev_prio", "prev_state", "next_comm", "next_pid")
_MOST_OPEN = 16_384  # threads of a game, and those that it wakes, which are never seen to run


class CoreWaits:
    """The waits of the threads whose numbers the trace was told, and of ksoftirqd."""

    def __init__(self, found: Found, sleeps: Sleeps, main: MainStates) -> None:
        self._found = found
        self._main = main
        self._sleeps = sleeps
        self._ready: dict[int, int] = {}

    def events(self) -> Iterator[WantedEvent]:
        yield WantedEvent("sched/sched_waking", _WAKING_FIELDS, self._waking)
        yield WantedEvent("sched/sched_switch", _SWITCH_FIELDS, self._switch)

    def forget(self) -> None:
        """Records were lost: a thread may have run meanwhile."""
        self._ready.clear()
        self._sleeps.forget()
        self._main.forget()

    def limit(self) -> None:
        """Give up the oldest of too many that were never seen to run."""
        shorten(self._ready, _MOST_OPEN)
        self._sleeps.tell_last()
        self._sleeps.limit()

    def _waking(self, unpack: Unpack) -> Handle:
        ready, begun, ended = self._ready, self._sleeps.begun, self._sleeps.ended
        main, main_woken, asks = self._main, self._sleeps.main_woken, self._sleeps.main_asks
        sliced, slice_ended = self._sleeps.sliced, self._sleeps.slice_ended

        def handle(time_ns: int, page: bytes, at: int) -> None:
            flags, waker, tid = unpack(page, at)
            ready[tid] = time_ns
            begin_ns = begun.pop(tid, 0)
            if tid == main.tid:
                main.woken(time_ns)
                main_woken((waker, flags), begin_ns, time_ns)
            elif waker == main.tid:
                asks(tid, flags, begin_ns, time_ns)
            if time_ns - begin_ns >= LONG_WAIT_NS:  # few are: a call less for all others
                ended(tid, (waker, flags), begin_ns, time_ns)
            elif tid in sliced:
                slice_ended(tid, (waker, flags), begin_ns, time_ns)

        return handle

    def _switch(self, unpack: Unpack) -> Handle:
        ready, counts, is_long = self._ready, self._found.counts, self._is_long
        asleep, deep, main = self._sleeps.begun, self._sleeps.deep, self._main
        turns, close = self._sleeps.turns.open, self._sleeps.turns.close
        goes_on, main_entered = self._sleeps.goes_on, self._sleeps.main_entered
        wants_back, enters = self._wants_back, self._enters

        def handle(time_ns: int, page: bytes, at: int) -> None:
            before_name, before, priority, state, name, tid = unpack(page, at)
            turn, has_given = None, False
            if state in RUNNABLE and before:  # 0 is the core's idling, which waits for nobody
                has_given = wants_back(before, time_ns)
            else:
                # Somebody woke it while it was still on its core: it went on, and waits for
                # something else now. Without this it would have waited from that waking on.
                ready.pop(before, None)
                asleep[before] = time_ns
                if state == DEEP:
                    deep[before] = time_ns
                turn = turns.pop(before, None)
                if turn is not None and time_ns - turn[0] >= TURN_NS:
                    close(before, turn, time_ns)
            begin_ns = ready.pop(tid, None)
            if before == main.tid:
                main.left(time_ns, state, gives_way=has_given)
                goes_on(before, time_ns, turn, state)
            elif tid == main.tid:
                main.entered(time_ns, is_back=begin_ns is None and gave_way(turns.get(tid)))
                main_entered(tid, time_ns)
            if begin_ns is None:
                enters(before, tid, name, time_ns)
                return
            counts[CORE] += 1
            waited_ns = time_ns - begin_ns
            lasting = turns.get(tid)
            turns[tid] = (
                [begin_ns, waited_ns, 0, time_ns, 0]
                if lasting is None
                else go_on(lasting, begin_ns, waited_ns)
            )
            if waited_ns >= LONG_WAIT_NS:
                behind = (before, before_name, priority) if before else None
                is_long(tid, name, begin_ns, time_ns, behind)

        return handle

    def _wants_back(self, tid: int, time_ns: int) -> bool:
        """A thread leaves its core and could go on; whether it gave that away by itself."""
        turn = self._sleeps.turns.open.get(tid)
        if turn is not None and gives_way(turn, time_ns):
            return True
        self._ready[tid] = time_ns
        if turn is not None:
            turn[2] = time_ns
        return False

    def _enters(self, before: int, tid: int, name: bytes, time_ns: int) -> None:
        """A thread has a core that it did not wait for: it gave it away, a record is missing, or
        it is a new one.
        """
        turns = self._sleeps.turns
        lasting = turns.open.get(tid)
        if lasting is not None:
            lasting[3] = time_ns
        elif tid and tid not in self._sleeps.begun:
            if tid not in turns.newborn:
                turns.newborn[tid] = text_of_field(name), not before
            if not before:
                turns.open[tid] = [time_ns, 0, 0, time_ns, 0]

    def _is_long(
        self,
        tid: int,
        name: bytes,
        begin_ns: int,
        end_ns: int,
        before: tuple[int, bytes, int] | None,
    ) -> None:
        """A wait that is told, and who had the core."""
        called, behind = text_of_field(name), None
        if before is not None:
            behind = before[0], text_of_field(before[1]), before[2]
        wait = FoundWait(end_ns - begin_ns, begin_ns, CORE, tid, called, "", behind)
        self._found.waits.append(wait)
