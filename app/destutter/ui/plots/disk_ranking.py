# SPDX-License-Identifier: GPL-3.0-or-later
"""Which disks a graph has room for: the ones that programs wait for most. No Qt."""

from collections.abc import Iterable, Mapping

from destutter.diagnosis.history.drives import MIRROR


class DiskRanking:
    """Remembers how much each disk was waited for, and names the busiest.

    The score is the average number of requests under way (``disk.queue_depth``: milliseconds
    waited per millisecond), fading with a half-life of ``half_life_s``: a slow disk with few
    requests counts like a fast one with many. The order only changes when a disk has clearly
    overtaken another, so that lines keep their colours.
    """

    def __init__(self, half_life_s: float = 60.0) -> None:
        self._half_life_s = half_life_s
        self._scores: dict[str, float] = {}
        self._order: list[str] = []

    def accept_depths(self, depths: Mapping[str, float | None], elapsed_s: float) -> None:
        """Take in one measurement of every disk that is there now."""
        fade = 0.5 ** (max(0.0, elapsed_s) / self._half_life_s)
        for name in self._scores:
            self._scores[name] *= fade
        for name, depth in depths.items():
            self._scores[name] = self._scores.get(name, 0.0) + (depth or 0.0) * elapsed_s
            if name not in self._order:
                self._order.append(name)

    def forget(self, name: str) -> None:
        """Leave out a disk that is gone, until it is measured again."""
        if self._scores.pop(name, None) is not None:
            self._order.remove(name)

    def busiest(self, present: Iterable[str] | None = None) -> list[str]:
        """The disks in order, the busiest first; only those in ``present`` if it is given.

        Loop devices come last: they are files, and the drive that has them waits as well. One of
        another program took the place of the drive that the game reads from.
        """
        for index in range(len(self._order) - 1, 0, -1):
            above, below = self._order[index - 1], self._order[index]
            if self._scores[below] > 1.5 * self._scores[above] + 0.01:
                self._order[index - 1], self._order[index] = below, above
        allowed = set(self._order if present is None else present)
        shown = [name for name in self._order if name in allowed]
        return sorted(shown, key=lambda name: name.startswith(MIRROR))
