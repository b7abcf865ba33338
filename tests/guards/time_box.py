# SPDX-License-Identifier: GPL-3.0-or-later
"""As many tests as fit into a time: for a run that could go on for ever."""

import time
from collections.abc import Callable

import pytest


class TimeBox:
    """Leaves out every test that would begin after so many seconds; says how many ran."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._ends = clock() + seconds

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self) -> bool | None:
        """True keeps pytest from running the test."""
        return True if self._clock() > self._ends else None
