# SPDX-License-Identifier: GPL-3.0-or-later
"""What looks at the game's threads may cost (``thread_waits`` says what one does)."""

import contextlib
import time
from collections.abc import Callable, Iterator

SHARE = 0.003  # of a core, in the long run
_MOST_SAVED_NS = 6_000_000  # one look at 200 threads and eight short ones: a freeze of a second


class Allowance:
    """Processor time that may be spent: ``SHARE`` of a core, saved up to a few looks.

    ``clock`` gives nanoseconds of CLOCK_MONOTONIC, ``cost_clock`` those that this thread has
    worked.
    """

    def __init__(
        self, clock: Callable[[], int], cost_clock: Callable[[], int] = time.thread_time_ns
    ) -> None:
        self._clock = clock
        self._cost_clock = cost_clock
        self._saved_ns = float(_MOST_SAVED_NS)
        self._filled_ns = clock()

    @property
    def saved(self) -> float:
        """The part of the most that can be saved, from 1 down to below 0."""
        now_ns = self._clock()
        more_ns = (now_ns - self._filled_ns) * SHARE
        self._saved_ns = min(self._saved_ns + more_ns, _MOST_SAVED_NS)
        self._filled_ns = now_ns
        return self._saved_ns / _MOST_SAVED_NS

    @contextlib.contextmanager
    def spending(self) -> Iterator[None]:
        """What a look takes in processor time."""
        start_ns = self._cost_clock()
        yield
        self._saved_ns -= self._cost_clock() - start_ns
