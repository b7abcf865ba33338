# SPDX-License-Identifier: GPL-3.0-or-later
"""Which seconds of a run count: those of which is known how the game ran.

A pause in which the log rests, a game that is loaded, the time before its first frame and the
sleep of the computer are no play. A comparison counts the rest, and so does every clock that says
how long a recording is: one was "recorded, which is enough", and then "too short".
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Series = NDArray[np.float64]

MINUTE_S = 60
_FREEZE_MS = 1_000.0
# X-Plane tells no longer one; behind a longer one the program itself was stopped. Loading screens
# are taken out before (``unplayed.py``): with 5 s, freezes of 15 s by a drive were left out.
_LONGEST_FRAME_MS = 60_000.0


def seconds_of_frame(end_s: float, frame_ms: float) -> range:
    """The seconds that a frame shows to be play: that of its end, and of one that has no other
    frame beside it all that it stood in."""
    last = int(end_s)
    is_freeze = _FREEZE_MS <= frame_ms < _LONGEST_FRAME_MS
    begun_s = end_s - frame_ms / 1000 if is_freeze else end_s
    return range(max(0, int(begun_s)), last + 1)


@dataclass(frozen=True, slots=True, eq=False)
class PlayedSeconds:
    """``mask`` says of each second of a run whether it counts."""

    mask: NDArray[np.bool_]

    @classmethod
    def by_frames(cls, end_s: Series, frame_ms: Series, length: int) -> "PlayedSeconds":
        """A run of ``length`` seconds whose frames are known."""
        mask = np.zeros(length, dtype=bool)
        mask[np.minimum(end_s.astype(np.int64), max(length - 1, 0))] = True
        for at in np.flatnonzero(frame_ms >= _FREEZE_MS):
            seconds = seconds_of_frame(float(end_s[at]), float(frame_ms[at]))
            mask[seconds.start : seconds.stop] = True
        return cls(mask)

    @classmethod
    def by_series(cls, series: Iterable[Series], length: int) -> "PlayedSeconds":
        """One without frames: wherever any of this was measured."""
        mask = np.zeros(length, dtype=bool)
        for each in series:
            mask |= ~np.isnan(each)
        return cls(mask)

    @classmethod
    def at(cls, seconds: Series, length: int) -> "PlayedSeconds":
        """As ``seconds`` told them."""
        mask = np.zeros(length, dtype=bool)
        mask[seconds[seconds < length].astype(np.int64)] = True
        return cls(mask)

    @property
    def seconds(self) -> Series:
        """Those that count, in order."""
        return np.flatnonzero(self.mask).astype(np.float64)

    @property
    def minutes(self) -> int:
        """Whole ones."""
        return int(self.mask.sum()) // MINUTE_S

    def of(self, series: Series) -> Series:
        """The values of these seconds, one behind the other."""
        return series[self.mask]

    def squeezed(self, at_s: Series, values: Series) -> tuple[Series, Series]:
        """Moments with a value each, on a clock that stands still in between."""
        second = at_s.astype(np.int64)
        is_inside = (second >= 0) & (second < self.mask.size)
        is_inside[is_inside] = self.mask[second[is_inside]]
        second, at_s = second[is_inside], at_s[is_inside]
        return np.cumsum(self.mask)[second] - 1 + (at_s - second), values[is_inside]


def middles(seconds: Series) -> tuple[int, ...]:
    """The second of the run in the middle of each whole minute of these; of a run that has none,
    its own middle."""
    half = min(MINUTE_S, seconds.size) // 2
    at = (MINUTE_S * minute + half for minute in range(max(1, seconds.size // MINUTE_S)))
    return tuple(int(seconds[each]) if each < seconds.size else 0 for each in at)
