# SPDX-License-Identifier: GPL-3.0-or-later
"""How late the kernel wakes a process that asked for a moment: the stutter of a program at rest.

Sleeps until absolute deadlines and notes how much later it runs. At 200 Hz any stall of 10 ms or
more spans at least two deadlines, and so is seen. One stall counts as one late wake, however
many deadlines it spans; how many were missed follows from ``wakes``. The process keeps its normal
priority and never touches /dev/cpu_dma_latency: it must feel what the game feels.

It runs on whatever CPU the kernel chooses, and so can evade a single busy one; ``--cpu`` pins it.

Values of a sample (``destutter.core.catalog``) are of its bucket, except ``cpu_us``: the CPU time
of this process since it began.
"""

from destutter.sampling.probe_clock import ProbeClock
from destutter.sampling.probe_stream import (
    ProbeParser,
    ProbeStream,
    between,
    complain,
    pin_to,
    prepare_process,
)

SOURCE = "wakeup"
INTERVAL_US = 5000
_MS = 1_000_000


class Bucket:
    """Lateness of the wakes since the last sample."""

    __slots__ = ("over", "total_ns", "wakes", "worst_at_ns", "worst_ns")

    THRESHOLDS_NS = (1 * _MS, 4 * _MS, 10 * _MS, 50 * _MS)

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Begin anew."""
        self.wakes = 0
        self.total_ns = 0
        self.worst_ns = -1
        self.worst_at_ns = 0
        self.over = [0] * len(self.THRESHOLDS_NS)

    def add(self, late_ns: int, at_ns: int) -> None:
        """One wake so much after its deadline. A clock that is early by rounding is on time."""
        late_ns = max(late_ns, 0)
        self.wakes += 1
        self.total_ns += late_ns
        if late_ns > self.worst_ns:
            self.worst_ns = late_ns
            self.worst_at_ns = at_ns
        if late_ns > _MS:
            for index, threshold_ns in enumerate(self.THRESHOLDS_NS):
                self.over[index] += late_ns > threshold_ns

    def values(self, cpu_ns: int) -> tuple[int, ...]:
        """The fields of the source, in order."""
        worst_us, total_us = self.worst_ns // 1000, self.total_ns // 1000
        return (self.wakes, worst_us, total_us, *self.over, self.worst_at_ns, cpu_ns // 1000)


class WakeupProbe:
    """Wakes every ``interval_us`` and emits a sample every ``sample_ms``."""

    def __init__(
        self, stream: ProbeStream, clock: ProbeClock, interval_us: int, sample_ms: int
    ) -> None:
        self._stream = stream
        self._clock = clock
        self._interval_ns = interval_us * 1000
        self._sample_ns = sample_ms * _MS

    def run(self, seconds: float | None) -> None:
        """Measure for so long, or until the stream ends."""
        clock, interval_ns, bucket = self._clock, self._interval_ns, Bucket()
        deadline_ns = clock.now_ns() + interval_ns
        due_ns = deadline_ns + self._sample_ns
        end_ns = None if seconds is None else deadline_ns + int(seconds * 1e9)
        while not self._stream.is_stopping:
            clock.sleep_until(deadline_ns)
            now_ns = clock.now_ns()
            bucket.add(now_ns - deadline_ns, now_ns)
            if now_ns >= due_ns:
                self._stream.emit(now_ns, due_ns, bucket.values(clock.cpu_ns()))
                bucket.clear()
                due_ns += self._sample_ns * ((now_ns - due_ns) // self._sample_ns + 1)
                # What emitting took is no lateness of a wake.
                now_ns = clock.now_ns()
            deadline_ns += interval_ns
            if deadline_ns <= now_ns:
                deadline_ns += interval_ns * ((now_ns - deadline_ns) // interval_ns + 1)
            if end_ns is not None and now_ns >= end_ns:
                break


def main(argv: list[str]) -> int:
    """Run the probe; returns the exit status: 0 done, 1 could not, 2 wrong usage."""
    parser = ProbeParser(SOURCE, INTERVAL_US)
    parser.add_argument("--cpu", type=between(0, 4095), help="stay on this CPU")
    try:
        options = parser.parse_args(argv)
    except SystemExit as wish:
        return int(wish.code or 0)
    if options.cpu is not None and (problem := pin_to([options.cpu])):
        complain(SOURCE, problem)
        return 1
    clock = ProbeClock()
    stream = ProbeStream(SOURCE, options.batch_ms, clock)
    prepare_process(stream)
    stream.begin(options.sample_ms)
    probe = WakeupProbe(stream, clock, options.interval_us, options.sample_ms)
    probe.run(options.seconds)
    stream.flush()
    return 0
