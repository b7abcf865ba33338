# SPDX-License-Identifier: GPL-3.0-or-later
"""Absolute deadlines of a probe, on CLOCK_MONOTONIC, which stands still during suspend."""

import time
from collections.abc import Callable


def slept_ns() -> int:
    """How long the computer has been suspended since it was started, in whole milliseconds.

    The two clocks are read one after the other; the rest is that moment, not sleep.
    """
    awake_ns = time.monotonic_ns()
    return (time.clock_gettime_ns(time.CLOCK_BOOTTIME) - awake_ns) // 1_000_000 * 1_000_000


class ProbeClock:
    """Reads the time and waits. Replaced in tests by one that passes no time."""

    now_ns: Callable[[], int] = staticmethod(time.monotonic_ns)
    cpu_ns: Callable[[], int] = staticmethod(time.process_time_ns)
    suspended_ns: Callable[[], int] = staticmethod(slept_ns)

    def sleep_until(self, deadline_ns: int) -> bool:
        """Sleep until the deadline; False at once when it is over.

        ``time.sleep`` itself waits for an absolute time (clock_nanosleep) and goes on after a
        signal, so nothing between here and there adds to the next deadline.
        """
        left_ns = deadline_ns - time.monotonic_ns()
        if left_ns <= 0:
            return False
        time.sleep(left_ns / 1e9)
        return True
