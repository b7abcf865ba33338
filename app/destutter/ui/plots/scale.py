# SPDX-License-Identifier: GPL-3.0-or-later
"""How a lane's values become heights, where its ticks are and what range it shows. No Qt.

A scale maps a value to a number that is drawn linearly. Its range depends only on what is in
view, in steps, so that it neither trembles nor remembers.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, floor, log2, log10
from typing import Protocol

import numpy as np

from destutter.ui.plots.series import Floats

_COUNTED_MS, _ROUND_MS = 200.0, 250.0
_RARE = 50  # one in so many stands alone: some ten columns of a lane


@dataclass(frozen=True, slots=True)
class Extent:
    """The drawn range of an axis and its ticks, as (position, value) pairs."""

    low: float
    high: float
    ticks: tuple[tuple[float, float], ...]


class Scale(Protocol):
    """How values become positions on the vertical axis."""

    def positions(self, values: Floats) -> Floats:
        """Where these values are drawn; NaN stays NaN."""
        ...

    def position(self, value: float) -> float:
        """Where one value is drawn."""
        ...

    def extent(self, lowest: float, highest: float, height_px: int) -> Extent:
        """The axis for values between these two; both are NaN when nothing is in view."""
        ...


@dataclass(frozen=True, slots=True)
class LinearScale:
    """From zero to a round number that the largest value in view fits below.

    ``least_top`` is the smallest upper end; ``base`` is 1000, or 1024 for bytes.
    """

    least_top: float
    base: float = 1000.0
    most: float | None = None

    def positions(self, values: Floats) -> Floats:
        return values

    def position(self, value: float) -> float:
        return value

    def extent(self, lowest: float, highest: float, height_px: int) -> Extent:
        """From 0 to the next round number, with two or three ticks."""
        del lowest
        wanted = self.least_top if np.isnan(highest) else max(self.least_top, highest)
        step = _round_step(wanted / (3 if height_px >= 90 else 2), self.base)
        top = step * max(2, ceil(wanted / step - 1e-9))
        if self.most is not None and top > self.most:
            top, step = self.most, self.most / 2
        count = round(top / step)
        stride = 1 if count <= 3 or height_px >= 34 * count else 2
        values = [step * index for index in range(stride, count + 1, stride)]
        return Extent(-0.02 * top, 1.12 * top, tuple((value, value) for value in values))


def _round_step(wanted: float, base: float) -> float:
    """The smallest of 1, 2, 4, 5, 10, ..., 500 times a power of ``base`` that is large enough."""
    power = 1.0
    while power * base <= wanted:
        power *= base
    for factor in (1.0, 10.0, 100.0):
        for step in (1.0, 2.0, 4.0, 5.0):
            if step * factor * power >= wanted - 1e-12:
                return step * factor * power
    return power * base


@dataclass(frozen=True, slots=True)
class DecadeScale:
    """The decimal logarithm: one tick per power of ten.

    Values are in ``unit_in_us`` microseconds. ``low`` and ``high`` are the decades (of
    microseconds) that are always shown; the range grows by whole decades beyond them.
    """

    unit_in_us: float
    low: float = 1.6
    high: float = 5.2

    def positions(self, values: Floats) -> Floats:
        """The logarithm; 0, which no clock resolves, is drawn at the lower end."""
        logs: Floats = np.log10(np.maximum(values * self.unit_in_us, 10.0**self.low))
        return logs

    def position(self, value: float) -> float:
        """The logarithm of one value, not below the lower end."""
        return self.low if value <= 0 else max(self.low, log10(value * self.unit_in_us))

    def extent(self, lowest: float, highest: float, height_px: int) -> Extent:
        """The decades that are always shown, and more of them for larger values."""
        del lowest
        top = self.high
        if not np.isnan(highest):
            while self.position(highest) > top - 0.1:
                top += 1.0
        decades = range(ceil(self.low), int(top) + 1)
        stride = 1 if height_px >= 16 * len(decades) else 2
        return Extent(
            self.low - 0.1,
            top,
            tuple((float(d), 10.0**d / self.unit_in_us) for d in decades[::stride]),
        )


@dataclass(frozen=True, slots=True)
class RefreshScale:
    """Frame times in milliseconds by doublings of the screen's refresh: 17, 33, 67, 133 ms. Where
    nobody counts refreshes any more they are round: 250, 500 ms, 1 s.

    An ordinary frame and a spike of 200 ms are both readable, and no long one is cut off.
    """

    refresh_ms: float

    def positions(self, values: Floats) -> Floats:
        """The binary logarithm of the number of refreshes."""
        logs: Floats = np.log2(np.maximum(values, 0.01) / self.refresh_ms)
        return logs

    def position(self, value: float) -> float:
        """The binary logarithm of one frame time in refreshes."""
        return log2(max(value, 0.01) / self.refresh_ms)

    def extent(self, lowest: float, highest: float, height_px: int) -> Extent:
        """From below the shortest frame to above the longest, at least 1 to 12 refreshes."""
        low, high = -0.75, 3.9
        if not np.isnan(lowest):
            low = min(low, floor(2 * (self.position(lowest) - 0.4)) / 2)
            high = max(high, self.position(highest) + 0.3)
        levels = range(ceil(low + 0.3), int(high) + 1)
        stride = max(1, ceil(15 * len(levels) / max(height_px, 1)))
        values = [self._at(k) for k in levels if k % stride == 0]
        return Extent(low, high, tuple((self.position(value), value) for value in values))

    def _at(self, level: int) -> float:
        """The tick of a doubling, in ms."""
        first_round = ceil(log2(_COUNTED_MS / self.refresh_ms))
        if level < first_round:
            return self.refresh_ms * 2.0**level
        return _ROUND_MS * 2.0 ** (level - first_round)


def lowest_of(values: Floats) -> float:
    """What an axis begins below: the least of ``values`` but for a fiftieth of them; NaN of none.

    The frame that catches up behind a long one takes next to nothing: a single one of 65 µs
    pressed all others into the upper third of their graph.
    """
    known = values[np.isfinite(values)]
    if not len(known):
        return float("nan")
    at = len(known) // _RARE
    return float(np.partition(known, at)[at])


Formatter = Callable[[float], str]
