# SPDX-License-Identifier: GPL-3.0-or-later
"""Work that takes too long for a tick, in a thread of its own that leaves results behind.

The tick takes what is there and never waits. One thread does everything in turn, so that the
samplers of this side need no locks among each other.
"""

import threading
from collections import deque
from collections.abc import Callable, Sequence

from destutter.core.sample import Reading
from destutter.sampling.ticks.sampler_track import Batch

_TOGETHER_NS = 1_000_000_000
_BETWEEN_TICKS_NS = 50_000_000


class RepeatedJob:
    """Something to do again and again: ``work`` puts what it finds into a batch."""

    def __init__(self, period_s: float, work: Callable[[Batch], None]) -> None:
        self.period_ns = int(period_s * 1e9)
        self.work = work
        self.due_ns = 0


class SlowSide:
    """Runs jobs when they are due. ``clock`` gives nanoseconds of CLOCK_MONOTONIC.

    Jobs with periods of whole seconds are due together, in the middle between two ticks: each wake
    of the thread costs 20 µs and more, and there were four in a second when each job had a time of
    its own (44 and 36 µs per tick for all that is done here beside a game at rest).
    """

    def __init__(self, jobs: Sequence[RepeatedJob], clock: Callable[[], int]) -> None:
        self._jobs = jobs
        self._clock = clock
        self._done: deque[Batch] = deque()
        self._stop = threading.Event()
        self._wake = threading.Event()
        self._thread: threading.Thread | None = None
        self._failure: Exception | None = None
        self._begun_ns = 0

    def start(self) -> None:
        """Work in a thread until ``stop``. The ticks begin at about the same time."""
        self._begun_ns = self._clock() + _BETWEEN_TICKS_NS
        self._thread = threading.Thread(target=self._work, name="slow samplers", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the thread after the job that it is doing."""
        self._stop.set()
        self._wake.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def hurry(self, jobs: Sequence[RepeatedJob]) -> None:
        """Do these as soon as possible instead of when they are due."""
        for job in jobs:
            job.due_ns = 0
        self._wake.set()

    def run_due(self) -> int:
        """Do what is due; returns the time at which the next job is."""
        for job in self._jobs:
            now_ns = self._clock()
            if now_ns < job.due_ns:
                continue
            batch = Batch()
            job.work(batch)
            job.due_ns = self._due_after(now_ns, job.period_ns)
            if batch.messages or batch.readings:
                self._done.append(batch)
            if self._stop.is_set():
                break
        return min((job.due_ns for job in self._jobs), default=self._clock() + 1_000_000_000)

    def take(self, into: Batch) -> None:
        """Move everything that is done into a batch: all events, the latest of each reading.

        Raises what ended the thread, so that it does not go unnoticed.
        """
        if self._failure is not None:
            raise self._failure
        if not self._done:
            return
        latest: dict[str, Reading] = {}
        while self._done:
            done = self._done.popleft()
            into.messages += done.messages
            latest.update({reading.source: reading for reading in done.readings})
        into.readings += latest.values()

    def _due_after(self, now_ns: int, period_ns: int) -> int:
        due_ns = now_ns + period_ns
        if period_ns < _TOGETHER_NS:
            return due_ns
        rounds = round((due_ns - self._begun_ns) / _TOGETHER_NS)
        return self._begun_ns + rounds * _TOGETHER_NS

    def _work(self) -> None:
        try:
            while not self._stop.is_set():
                next_ns = self.run_due()
                self._wake.wait(max(next_ns - self._clock(), 0) / 1e9)
                self._wake.clear()
        except Exception as error:  # noqa: BLE001  raised again where somebody sees it
            self._failure = error
