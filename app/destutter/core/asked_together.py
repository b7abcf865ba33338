# SPDX-License-Identifier: GPL-3.0-or-later
"""What is asked for together, so that one message brings it: a window in a sandbox has to ask."""

from collections.abc import Callable, Iterable, Mapping

_LOOK_NS = 20_000_000  # less than a tick's length: what one tick was told is old for the next

Told = tuple[str, str]
"""Why there is nothing (empty: there is), and what the file says."""


class AskedTogether:
    """What one thread asks for, look by look, and what it was told before it asked.

    A look is a tick, or a job beside the ticks, as ``begin`` says; where nobody says so, what is
    asked within 20 ms. ``clock`` gives nanoseconds.
    """

    def __init__(self, clock: Callable[[], int]) -> None:
        self._clock = clock
        self._name = ""
        self._is_named = False
        self._until_ns = 0
        self._asked: dict[str, None] = {}
        self._before: list[str] = []
        self._last: dict[str, list[str]] = {}
        self._expected: list[str] = []
        self._place: dict[str, int] = {}
        self._told: dict[str, Told] = {}
        self.misses = 0

    def begin(self, name: str) -> None:
        """A look begins that asks for much the same as the last one of this name."""
        self._turn(name)
        self._is_named = True

    def take(self, path: str) -> Told | None:
        """What was told of it in this look, once; None where that has to be asked."""
        if not self._is_named and self._clock() >= self._until_ns:
            self._turn("")
            self._until_ns = self._clock() + _LOOK_NS
        self._asked[path] = None
        told = self._told.pop(path, None)
        self.misses += told is None
        return told

    def keep(self, told: Mapping[str, Told]) -> None:
        """For those who ask for it in this look."""
        self._told.update(told)

    def is_expected(self, path: str) -> bool:
        """Whether it, or anything at all at the beginning of a look, says what comes next."""
        return path in self._place or self.misses == 1

    def expected_with(self, path: str) -> list[str]:
        """What is likely to be asked for in this look after ``path``, and was not told yet.

        Round: what stood before it in the last look may be asked for behind it now.
        """
        behind = self._place.get(path, 0)
        return self.not_yet([*self._expected[behind:], *self._expected[:behind]])

    def not_yet(self, paths: Iterable[str]) -> list[str]:
        """Those that were neither asked for nor told in this look."""
        return [one for one in paths if one not in self._asked and one not in self._told]

    def _turn(self, name: str) -> None:
        """Of a tick's files most are read at every tick, the others once a second, in turns."""
        asked = list(self._asked)
        often = [one for one in asked if one in set(self._before)]
        self._last[self._name] = self._before = asked
        self._name = name
        self._expected = list(dict.fromkeys([*self._last.get(name, ()), *often]))
        self._place = {one: place for place, one in enumerate(self._expected)}
        self._asked, self._told, self.misses = {}, {}, 0
