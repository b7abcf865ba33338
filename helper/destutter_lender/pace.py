# SPDX-License-Identifier: GPL-3.0-or-later
"""How often the lender lets itself be asked."""

import time
from collections.abc import Callable

from destutter_helper.api import lending


class RefusedError(Exception):
    """A call that gets a named error; ``name`` is the last part of its name."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(reason)
        self.name = name


class Pace:
    """Counts calls: those above ``CALLS_PER_S_MAX`` in a second are refused.

    ``clock`` gives seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._second = 0
        self._calls = 0

    def count(self) -> None:
        """Take note of a call. Raises ``RefusedError``."""
        second = int(self._clock())
        if second != self._second:
            self._second, self._calls = second, 0
        self._calls += 1
        if self._calls > lending.CALLS_PER_S_MAX:
            raise RefusedError("RateLimited", f"{lending.CALLS_PER_S_MAX} calls a second at most")
