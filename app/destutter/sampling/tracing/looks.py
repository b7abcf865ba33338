# SPDX-License-Identifier: GPL-3.0-or-later
"""Looks of the main thread within a sleep that lasts: a frame may have ended in any of them."""

from typing import NamedTuple

from destutter.core.traced import LONG_SLEEP_NS

_MOST = 6  # that are kept of one sleep


class MainLook(NamedTuple):
    """Since when it looked, and who was done then, or 0; until when, and how long it had slept by
    then since it had asked others for work.
    """

    woken_ns: int
    whom: int
    end_ns: int
    waited_ns: int


class Looks:
    """``kept`` are in order of time: between two in which it asked for work, of each thread only
    the last, and of too many those before which it had slept longest.
    """

    def __init__(self) -> None:
        self.kept: list[MainLook] = []
        self._asked_ns = 0

    def forget(self) -> None:
        """That sleep is over, or nobody knows."""
        self.kept.clear()
        self._asked_ns = 0

    def add(self, begin_ns: int, times: tuple[int, int], whom: int, *, has_asked: bool) -> None:
        """One more, from when until when, of a sleep that began then."""
        woken_ns, end_ns = times
        if not has_asked:
            self.kept[:] = [
                each for each in self.kept if each.end_ns <= self._asked_ns or each.whom != whom
            ]
        waited_ns = woken_ns - max(begin_ns, self._asked_ns)
        self.kept.append(MainLook(woken_ns, whom, end_ns, waited_ns))
        if len(self.kept) > _MOST:
            self.kept.remove(min(self.kept, key=lambda each: each.waited_ns))
        if has_asked:
            self._asked_ns = end_ns

    def take_long(self) -> list[MainLook]:
        """Those before which it had slept for longer than two frames at 60 Hz, of before it asked
        for work the last time. What was until then is kept no longer.
        """
        done = [each for each in self.kept if each.end_ns <= self._asked_ns]
        del self.kept[: len(done)]
        return [each for each in done if each.waited_ns >= 2 * LONG_SLEEP_NS]
