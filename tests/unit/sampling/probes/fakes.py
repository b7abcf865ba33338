# SPDX-License-Identifier: GPL-3.0-or-later
"""A clock that passes no time of its own, and a stream that keeps what it is given."""

from collections.abc import Iterable

from destutter.sampling.probes.probe_clock import ProbeClock
from destutter.sampling.probes.probe_stream import ProbeStream

US = 1_000
MS = 1_000_000


class FakeClock(ProbeClock):
    """Wakes as late as it is told, once per item of ``lateness_ns``, and then on time."""

    def __init__(self, lateness_ns: Iterable[int] = (), start_ns: int = 1_000 * MS) -> None:
        self.t = start_ns
        self.cpu = 0
        self.slept = 0
        self.deadlines_ns: list[int] = []
        self._lateness_ns = iter(lateness_ns)
        self.now_ns = lambda: self.t
        self.sleep = self._sleep
        self.cpu_ns = lambda: self.cpu
        self.suspended_ns = lambda: self.slept

    def _sleep(self, seconds: float) -> None:
        """Pass the time until the deadline and a little more."""
        self.deadlines_ns.append(self.t + round(seconds * 1e9))
        self.t = self.deadlines_ns[-1] + next(self._lateness_ns, 0)
        self.cpu += 30 * US


class FakeStream(ProbeStream):
    """Keeps the values of each sample; ends the probe after ``samples`` of them."""

    def __init__(self, samples: int) -> None:
        self.is_stopping = False
        self.emitted: list[tuple[int, int, tuple[int, ...]]] = []
        self._samples = samples

    def emit(self, now_ns: int, due_ns: int, values: tuple[int, ...]) -> None:
        """Keep one sample."""
        self.emitted.append((now_ns, due_ns, values))
        self.is_stopping = len(self.emitted) >= self._samples
