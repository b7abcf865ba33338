# SPDX-License-Identifier: GPL-3.0-or-later
"""What the main thread of the followed game did all the time: ran, was ready, slept.

Each of its switches and wakings is in the trace, so that nothing of it has to be estimated. Where
records were lost, or where none has told yet what it does, nothing is known.

A kernel leaves out one switch in some hundreds on busy cores and says nothing of it (one in 200 to
1,300 with Linux 6.18): who leaves a core that he never got, or gets one that he never left, tells.
"""

from destutter.core.traced import MAIN_BIN_NS, MOST_BINS, MainBin, MainTimes

RUNNABLE = frozenset({0, 256})
"""``prev_state`` of a thread that could have gone on: TASK_RUNNING, and TASK_REPORT_MAX where it
was preempted (include/linux/sched.h, __trace_sched_switch_state)."""

DEEP = 2
"""TASK_UNINTERRUPTIBLE: asleep for a drive, a page, a lock of the kernel."""

_RAN, _READY, _DEEP, _SLEPT = range(4)
_SHORT_NS = 4_000_000  # with a switch in it that no record told: half of it is close enough


class MainStates:
    """``tid`` is the main thread, None where no game is followed; only its records belong here.

    ``heard``: one came since ``tell``.
    """

    def __init__(self) -> None:
        self.tid: int | None = None
        self.heard = False
        self._state: int | None = None
        self._since_ns = 0
        self._bins: dict[int, list[int]] = {}

    def follow(self, tid: int | None) -> None:
        """Whose records come from now on."""
        if tid != self.tid:
            self.tid = tid
            self._bins.clear()
            self.forget()

    def forget(self) -> None:
        """Records were lost: it may do anything until the next one of it."""
        self._state = None

    def woken(self, time_ns: int) -> None:
        """Somebody woke it. One that is still on its core goes on."""
        if self._state != _RAN:
            self._change(time_ns, _READY)

    def entered(self, time_ns: int, *, is_back: bool = False) -> None:
        """It got a core; ``is_back``: one that it had given away by itself.

        Who wakes it while it still leaves its core does so before it sleeps, by the records: then
        it was ready ever since.
        """
        self.heard = True
        if is_back and self._state == _RAN:
            return
        if self._state in (_DEEP, _SLEPT):
            self._state = _READY
        if self._state == _RAN:
            self._change_between(time_ns, _READY)
        self._change(time_ns, _RAN)

    def left(self, time_ns: int, state: int, *, gives_way: bool = False) -> None:
        """It gave up its core, in this ``prev_state``. Who ``gives_way`` while it looks again and
        again (``sched_yield``) wants no core: where nobody else does it keeps it, and runs.
        """
        self.heard = True
        if gives_way and self._state == _RAN:
            return
        if self._state != _RAN:
            self._change_between(time_ns, _RAN)
        sleeps = _DEEP if state == DEEP else _SLEPT
        self._change(time_ns, _READY if state in RUNNABLE else sleeps)

    def tell(self, until_ns: int) -> MainTimes | None:
        """What is complete up to a time by which all records have come, and was not told yet."""
        self.heard = False
        self._change(until_ns, self._state)
        done = sorted(each for each in self._bins if each < until_ns // MAIN_BIN_NS)
        if not done:
            return None
        first = max(done[0], done[-1] + 1 - MOST_BINS)
        bins = [self._known(each) for each in range(first, done[-1] + 1)]
        for each in done:
            del self._bins[each]
        return MainTimes.of(first * MAIN_BIN_NS, bins)

    def _known(self, at: int) -> MainBin | None:
        times = self._bins.get(at)
        if times is None or sum(times) != MAIN_BIN_NS:
            return None
        ran, ready, deep, _ = times
        return ran, ready, deep

    def _change_between(self, time_ns: int, state: int) -> None:
        """At some time until now, which no record told, it began to do that."""
        if self._state in (_RAN, _READY) and time_ns - self._since_ns < _SHORT_NS:
            self._change((self._since_ns + time_ns) // 2, state)
        else:
            self._state = None

    def _change(self, time_ns: int, state: int | None) -> None:
        """From now on it does that; what it did until now is added up."""
        begin_ns = max(self._since_ns, time_ns - MOST_BINS * MAIN_BIN_NS)
        while self._state is not None and begin_ns < time_ns:
            at = begin_ns // MAIN_BIN_NS
            end_ns = min((at + 1) * MAIN_BIN_NS, time_ns)
            self._bins.setdefault(at, [0, 0, 0, 0])[self._state] += end_ns - begin_ns
            begin_ns = end_ns
        self._state, self._since_ns = state, max(time_ns, self._since_ns)
