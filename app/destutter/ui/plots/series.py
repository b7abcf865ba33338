# SPDX-License-Identifier: GPL-3.0-or-later
"""Measured values over time, and what of them a graph of a given width has to draw. No Qt.

A NaN value is a break: nothing was measured there, so no line may cross it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_FIRST_CAPACITY = 256  # 2 kB an array: most series of processes and threads stay short
_SPARE = 1.25
_LEAST_SPARE, _MOST_SPARE = 1.1, 1.4


class LaneSeries:
    """Times in seconds and values, in order, for the last ``retention_s`` seconds.

    ``forgotten`` counts what was dropped at the front, so that a measurement keeps its number.

    The arrays are filled from the left; when they are full, what is still wanted moves to the
    front. So every span is one contiguous view, and appending costs no copy of the rest: a quarter
    more than what is kept is room enough, and all of it is in use soon after retention is over.
    """

    def __init__(self, retention_s: float) -> None:
        self._retention_s = retention_s
        self._times: Floats = np.empty(_FIRST_CAPACITY)
        self._values: Floats = np.empty(_FIRST_CAPACITY)
        self._end = 0
        self.forgotten = 0

    def __len__(self) -> int:
        return self._end

    def append(self, time_s: float, value: float) -> None:
        """Add one measurement; one that is older than the last is left out."""
        if self._end and time_s < self._times[self._end - 1]:
            return
        if self._end == len(self._times):
            self._make_room(1)
        self._times[self._end] = time_s
        self._values[self._end] = value
        self._end += 1

    def extend(self, times_s: Sequence[float], values: Sequence[float]) -> None:
        """Add measurements in order. ``times_s`` and ``values`` are equally long."""
        count = len(times_s)
        if not count:
            return
        if self._end and times_s[0] < self._times[self._end - 1]:
            for time_s, value in zip(times_s, values, strict=True):
                self.append(time_s, value)
            return
        self.extend_arrays(np.asarray(times_s, float), np.asarray(values, float))

    def extend_arrays(self, times_s: Floats, values: Floats) -> None:
        """Add measurements in order that are all newer than what is there."""
        count = len(times_s)
        if self._end + count > len(self._times):
            self._make_room(count)
        self._times[self._end : self._end + count] = times_s
        self._values[self._end : self._end + count] = values
        self._end += count

    def _make_room(self, count: int) -> None:
        newest = self._times[self._end - 1] if self._end else 0.0
        keep_from = self._index(newest - self._retention_s)
        kept = self._end - keep_from
        self.forgotten += keep_from
        capacity = _capacity(len(self._times), kept + count)
        self._times = _moved(self._times, keep_from, self._end, capacity)
        self._values = _moved(self._values, keep_from, self._end, capacity)
        self._end = kept

    def _index(self, time_s: float) -> int:
        """The position of the first measurement that is not before this time."""
        return int(self._times[: self._end].searchsorted(time_s))

    @property
    def first_s(self) -> float | None:
        """The oldest time that is kept."""
        return float(self._times[0]) if len(self) else None

    @property
    def last_s(self) -> float | None:
        """The newest time."""
        return float(self._times[self._end - 1]) if len(self) else None

    def span(self, from_s: float, to_s: float) -> tuple[Floats, Floats]:
        """Times and values of a span, with one measurement more on either side if there is one.

        The neighbours let a line run on to the edge of the graph. Both are views.
        """
        low = max(0, self._index(from_s) - 1)
        high = min(self._end, self._index(to_s) + 1)
        return self._times[low:high], self._values[low:high]

    def since(self, number: int) -> tuple[Floats, Floats]:
        """Times and values from the measurement with this number on. Both are views."""
        low = min(self._end, max(0, number - self.forgotten))
        return self._times[low : self._end], self._values[low : self._end]

    def value_at(self, time_s: float, tolerance_s: float) -> float | None:
        """The measurement that ended at or after this time, at most ``tolerance_s`` away.

        Rates describe the interval before their time, so the next measurement is the one that
        covers the moment. None: nothing was measured there.
        """
        index = self._index(time_s)
        for candidate in (index, index - 1):
            if not 0 <= candidate < self._end:
                continue
            value = float(self._values[candidate])
            if abs(float(self._times[candidate]) - time_s) <= tolerance_s and value == value:
                return value
        return None

    def highest(self, from_s: float, to_s: float) -> float | None:
        """The largest value of a span; None when nothing was measured in it."""
        low, high = self._index(from_s), self._index(to_s)
        high += high < self._end and self._times[high] == to_s
        if low == high:
            return None
        value = float(np.fmax.reduce(self._values[low:high]))
        return value if value == value else None

    def mean(self, from_s: float, to_s: float) -> float | None:
        """The mean of a span, each value for the time since the one before it; None without two
        measurements. Values come seldom while they rest."""
        low, high = self._index(from_s), self._index(to_s)
        steps, values = np.diff(self._times[low:high]), self._values[low + 1 : high]
        is_value = ~np.isnan(values)
        total_s = float(steps[is_value].sum())
        return float((steps * values)[is_value].sum()) / total_s if total_s > 0 else None

    def newest(self, max_age_s: float) -> float | None:
        """The last value that is not a break and at most this much older than the last time."""
        last = self.last_s
        if last is None:
            return None
        return self.value_at(last, max_age_s)


def _capacity(now: int, wanted: int) -> int:
    """How many measurements an array is to have room for that must keep ``wanted``."""
    if _LEAST_SPARE * wanted <= now <= max(_FIRST_CAPACITY, _MOST_SPARE * wanted):
        return now
    return max(_FIRST_CAPACITY, int(_SPARE * wanted) + 1)


def _moved(source: Floats, low: int, high: int, capacity: int) -> Floats:
    target = source if capacity == len(source) else np.empty(capacity)
    target[: high - low] = source[low:high]
    return target


@dataclass(frozen=True, slots=True)
class Outline:
    """What to draw: points of a line with NaN as breaks, and points that stand alone.

    Of an outline that ``is_reduced`` the last column may still change, else only what follows.
    """

    x: Floats
    y: Floats
    alone_x: Floats
    alone_y: Floats
    has_breaks: bool
    is_reduced: bool = False


_NOTHING: Floats = np.empty(0)
EMPTY = Outline(_NOTHING, _NOTHING, _NOTHING, _NOTHING, has_breaks=False)


def raw_outline(times: Floats, values: Floats, *, is_reduced: bool = False) -> Outline:
    """The points as they are, with the ones that have no neighbour to be joined with."""
    if not len(times):
        return EMPTY
    is_break = np.isnan(values)
    if not is_break.any():
        return Outline(times, values, _NOTHING, _NOTHING, has_breaks=False, is_reduced=is_reduced)
    is_value = ~is_break
    alone = is_value.copy()
    alone[1:] &= ~is_value[:-1]
    alone[:-1] &= ~is_value[1:]
    alone_x, alone_y = times[alone], values[alone]
    return Outline(times, values, alone_x, alone_y, has_breaks=True, is_reduced=is_reduced)
