# SPDX-License-Identifier: GPL-3.0-or-later
"""How late the kernel wakes a process that asked for a moment: the stutter of a program at rest.

Sleeps until absolute deadlines and notes how much later it runs. One stall counts as one late
wake, however many deadlines it spans; how many were missed follows from ``wakes``. The process
keeps its normal priority and never touches /dev/cpu_dma_latency: it must feel what the game feels.

It runs on whatever CPU the kernel chooses, and so can evade a single busy one.

Values of a sample (``destutter.core.catalog``) are of its bucket, except ``cpu_us``: the CPU time
of this process since it began.
"""

from destutter.core.probes import WAKES_PER_S
from destutter.sampling.probes.probe_clock import ProbeClock
from destutter.sampling.probes.probe_stream import (
    ProbeParser,
    ProbeStream,
    prepare_process,
)

SOURCE = "wakeup"
INTERVAL_US = 1_000_000 // WAKES_PER_S
_MS = 1_000_000
OVER_NS = (1 * _MS, 4 * _MS, 10 * _MS, 50 * _MS)
"""Wakes later than these are counted, in the order of the source's fields."""


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
        # Plain names and no calls: after 5 ms of rest the caches are cold, and every function
        # that a wake passes through costs more than what it does.
        stream, now, sleep, interval_ns = (
            self._stream,
            self._clock.now_ns,
            self._clock.sleep,
            self._interval_ns,
        )
        deadline_ns = now() + interval_ns
        due_ns = deadline_ns + self._sample_ns
        end_ns = None if seconds is None else deadline_ns + int(seconds * 1e9)
        wakes, total_ns, worst_ns, worst_at_ns, late_wakes = 0, 0, -1, 0, [0, 0, 0, 0]
        while not stream.is_stopping:
            left_ns = deadline_ns - now()
            if left_ns > 0:
                sleep(left_ns / 1e9)
            now_ns = now()
            late_ns = now_ns - deadline_ns
            wakes += 1
            total_ns += late_ns
            if late_ns > worst_ns:
                worst_ns, worst_at_ns = late_ns, now_ns
            if late_ns > _MS:
                late_wakes = _counted(late_wakes, late_ns)
            if now_ns >= due_ns:
                lateness = (wakes, worst_ns // 1000, total_ns // 1000, *late_wakes, worst_at_ns)
                stream.emit(now_ns, due_ns, (*lateness, self._clock.cpu_ns() // 1000))
                wakes, total_ns, worst_ns, worst_at_ns, late_wakes = 0, 0, -1, 0, [0, 0, 0, 0]
                due_ns += self._sample_ns * ((now_ns - due_ns) // self._sample_ns + 1)
                if end_ns is not None and now_ns >= end_ns:
                    break
                # What emitting took is no lateness of a wake.
                now_ns = now()
            deadline_ns += interval_ns
            if deadline_ns <= now_ns:
                deadline_ns += interval_ns * ((now_ns - deadline_ns) // interval_ns + 1)


def _counted(late_wakes: list[int], late_ns: int) -> list[int]:
    limits = zip(late_wakes, OVER_NS, strict=True)
    return [count + (late_ns > limit_ns) for count, limit_ns in limits]


def main(argv: list[str]) -> int:
    """Run the probe; returns the exit status: 0 done, 1 could not, 2 wrong usage."""
    parser = ProbeParser(SOURCE, INTERVAL_US)
    try:
        options = parser.parse_args(argv)
    except SystemExit as wish:
        return int(wish.code or 0)
    clock = ProbeClock()
    stream = ProbeStream(SOURCE, options.batch_ms, clock)
    prepare_process(stream)
    stream.begin(options.sample_ms)
    probe = WakeupProbe(stream, clock, options.interval_us, options.sample_ms)
    probe.run(options.seconds)
    stream.flush()
    return 0
