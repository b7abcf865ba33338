# SPDX-License-Identifier: GPL-3.0-or-later
"""How often the lender lets itself be asked, and how much of a core all that may take."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from destutter_helper.api import lending

ALL_S = 0.6
"""Seconds of processor time that all callers together may cost in each second. Whoever is alone
gets half of it: a look at all threads of a game with 200 of them costs a tenth."""

_REFUSED_S = 0.0001
"""What a refusal is charged, up to ``ALL_S``: who floods is not served until it stops. A refusal
takes the lender 8 microseconds, and the bus several times that."""

Group = tuple[str, int]
"""BusCallers that count as one: ("process", its id), or ("sandbox", its user namespace)."""


class RefusedError(Exception):
    """A call that gets a named error; ``name`` is the last part of its name."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(reason)
        self.name = name


class Pace:
    """Counts calls and what they cost, by groups of callers, second by second.

    A group is refused above ``CALLS_PER_S_MAX`` calls, and above its part of ``ALL_S``: an equal
    one for each group that asks in this second, or for each of ``sharers``. What a call costs
    above that is taken from the seconds after it. ``clock`` and ``worked`` give seconds: of time,
    and of the processor's.
    """

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        worked: Callable[[], float] = time.thread_time,
        sharers: Callable[[], int] | None = None,
    ) -> None:
        self._clock = clock
        self._worked = worked
        self._sharers = sharers or (lambda: len(self._calls))
        self._second = 0
        self._calls: dict[Group, int] = {}
        self._spent: dict[Group, float] = {}

    def count(self, group: Group) -> None:
        """Take note of a call. Raises ``RefusedError``."""
        second = int(self._clock())
        if second != self._second:
            self._turn(second)
        calls = self._calls[group] = self._calls.get(group, 0) + 1
        spent = self._spent.get(group, 0.0)
        is_spent = spent >= ALL_S / max(2, self._sharers())
        is_often = calls > lending.CALLS_PER_S_MAX
        if (is_often or is_spent) and spent < ALL_S:
            self._spent[group] = spent + _REFUSED_S
        if is_often:
            raise RefusedError("RateLimited", f"{lending.CALLS_PER_S_MAX} calls a second at most")
        if is_spent:
            raise RefusedError("Busy", "the calls before this one took all the time there is")

    @contextmanager
    def charging(self, group: Group) -> Iterator[None]:
        """Charge what is done inside."""
        since = self._worked()
        try:
            yield
        finally:
            self._spent[group] = self._spent.get(group, 0.0) + self._worked() - since

    def pause_ms(self) -> int:
        """How long until the next second begins."""
        return 1000 - int(self._clock() * 1000) % 1000

    def _turn(self, second: int) -> None:
        earned = (second - self._second) * ALL_S / 2
        self._spent = {one: left - earned for one, left in self._spent.items() if left > earned}
        self._second, self._calls = second, {}
