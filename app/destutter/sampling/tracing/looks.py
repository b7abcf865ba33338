# SPDX-License-Identifier: GPL-3.0-or-later
"""Looks of the main thread within a sleep that lasts: a frame may have ended in any of them."""

from typing import NamedTuple

_MOST = 6  # that are kept of one sleep
_LONG_NS = 45_000_000  # a little less than the shortest stutter


class MainLook(NamedTuple):
    """Since when it looked, and who was done then, or 0; until when. ``before_ns``: when it had
    looked before, if a thread woke it then as well, else 0. And how long it had slept by then
    since that one had been done the last time; of nobody, since it had looked.
    """

    woken_ns: int
    whom: int
    end_ns: int
    before_ns: int
    waited_ns: int = 0


class Looks:
    """``kept`` are in order of time: of each thread the last, those before which that had been
    done with nothing for long, and those in which the main thread asked others for work. Of too
    many it is the longest.
    """

    def __init__(self) -> None:
        self.kept: list[MainLook] = []
        self._seen: dict[int, int] = {}
        self._asked_ns = 0

    def forget(self) -> None:
        """That sleep is over, or nobody knows."""
        self.kept.clear()
        self._seen.clear()
        self._asked_ns = 0

    @property
    def is_again(self) -> bool:
        """Whether there was a look before in this sleep."""
        return bool(self._seen)

    def add(self, begin_ns: int, look: MainLook, *, has_asked: bool) -> None:
        """One more, of a sleep that began then."""
        whom = look.whom
        if has_asked:
            self._asked_ns = look.end_ns
        else:
            self.kept[:] = [each for each in self.kept if not self._is_over(each, whom)]
        seen_ns = self._seen.get(whom, 0) if whom else max(self._seen.values(), default=0)
        before_ns = look.before_ns if self.is_again else 0
        waited_ns = look.woken_ns - max(begin_ns, seen_ns)
        self._seen[whom] = look.end_ns
        self.kept.append(look._replace(before_ns=before_ns, waited_ns=waited_ns))
        if len(self.kept) > _MOST:
            self.kept.remove(min(self.kept, key=lambda each: each.waited_ns))

    def _is_over(self, look: MainLook, whom: int) -> bool:
        """Whether it is one of many of a thread that is done again."""
        is_one = look.whom == whom and look.waited_ns < _LONG_NS
        return is_one and look.end_ns > self._asked_ns

    def take_long(self) -> list[MainLook]:
        """Those before which a thread had been done with nothing for long: a frame that took long
        may have ended then. They are kept no longer.
        """
        long = [each for each in self.kept if each.waited_ns >= _LONG_NS]
        self.kept[:] = [each for each in self.kept if each.waited_ns < _LONG_NS]
        return long
