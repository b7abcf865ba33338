# SPDX-License-Identifier: GPL-3.0-or-later
"""The clock of a probe: CLOCK_MONOTONIC, which stands still during suspend."""

import time
from collections.abc import Callable


def slept_ns() -> int:
    """How long the computer has been suspended since it was started, in whole milliseconds.

    The two clocks are read one after the other; the rest is that moment, not sleep.
    """
    awake_ns = time.monotonic_ns()
    return (time.clock_gettime_ns(time.CLOCK_BOOTTIME) - awake_ns) // 1_000_000 * 1_000_000


class ProbeClock:
    """Reads the time and waits. Replaced in tests by one that passes no time.

    ``sleep`` takes seconds; inside it waits for an absolute time (clock_nanosleep since Python
    3.11), and goes on after a signal.
    """

    now_ns: Callable[[], int] = staticmethod(time.monotonic_ns)
    sleep: Callable[[float], None] = staticmethod(time.sleep)
    cpu_ns: Callable[[], int] = staticmethod(time.process_time_ns)
    suspended_ns: Callable[[], int] = staticmethod(slept_ns)
