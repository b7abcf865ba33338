# SPDX-License-Identifier: GPL-3.0-or-later
"""How much of all cores the game's own threads had, and the programs that it started.

Who waited for a core behind twenty threads of the game's own was told to close a program that had
been the last one there now and then: 23 of 25 stutters.
"""

from collections.abc import Callable, Iterator

from destutter.core.traced import MAIN_BIN_NS, MOST_BINS, OwnCores
from destutter.sampling.tracing.turns import Turn, Turns

_LEAST_NS = 500_000  # in a look: of whom it is asked whether it is the game's
_MOST_ASKED = 256


class OwnCoresCount:
    """By the ``turns`` of threads, of which a computer with so many ``cores`` has so many at once.

    What is told of a time is told once, in bins.
    """

    def __init__(self, turns: Turns, cores: int) -> None:
        self._turns = turns
        self._cores = cores
        self._told_ns = 0
        self._bins: dict[int, int] = {}

    def tell(self, until_ns: int, is_own: Callable[[int], bool]) -> OwnCores | None:
        """What is complete up to a time by which all records have come; None where of a part of
        that nothing is known.
        """
        begin_ns, self._told_ns = self._told_ns, until_ns
        ran, is_whole = self._turns.ran_since(begin_ns, until_ns)
        if not begin_ns or not is_whole or until_ns - begin_ns > MOST_BINS * MAIN_BIN_NS:
            self._bins.clear()
            return None
        most = [tid for tid, turns in ran.items() if sum(each[2] for each in turns) >= _LEAST_NS]
        for tid in most[:_MOST_ASKED]:
            if is_own(tid):
                self._add(ran[tid])
        first, last = begin_ns // MAIN_BIN_NS, until_ns // MAIN_BIN_NS
        shares = [self._bins.pop(at, 0) / self._cores / MAIN_BIN_NS for at in range(first, last)]
        return OwnCores.of(first * MAIN_BIN_NS, shares) if shares else None

    def _add(self, turns: list[Turn]) -> None:
        for turn in turns:
            for at, ran_ns in _by_bin(turn):
                self._bins[at] = self._bins.get(at, 0) + ran_ns


def _by_bin(turn: Turn) -> Iterator[tuple[int, int]]:
    """How long its thread ran in each bin, as if that had been the same all through."""
    begin_ns, end_ns, ran_ns = turn
    for at in range(begin_ns // MAIN_BIN_NS, -(-end_ns // MAIN_BIN_NS)):
        first_ns, last_ns = max(at * MAIN_BIN_NS, begin_ns), min((at + 1) * MAIN_BIN_NS, end_ns)
        yield at, ran_ns * (last_ns - first_ns) // (end_ns - begin_ns)
