# SPDX-License-Identifier: GPL-3.0-or-later
"""As many tests as fit into a time: for a run that could go on for ever."""

import time
from collections.abc import Callable

import pytest


class TimeBox:
    """Leaves out every test that would begin so many seconds after the first one.

    Collecting does not count: on a busy machine nothing would be left for the tests.
    """

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._seconds = seconds
        self._ends: float | None = None

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self) -> bool | None:
        """True keeps pytest from running the test."""
        if self._ends is None:
            self._ends = self._clock() + self._seconds
        return True if self._clock() > self._ends else None
