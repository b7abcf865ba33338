# SPDX-License-Identifier: GPL-3.0-or-later
"""How long frames usually are, and whether a log holds every one of them.

MangoHud with ``log_interval`` above 0 writes down one frame now and then. Most stutters are
missing from such a log, so that it proves nothing smooth.
"""

import bisect
from collections import deque

SAMPLED_RATIO = 1.8
"""A log leaves frames out when the time from one to the next is usually this many frames long."""

MOST_FRAMES = (
    255  # four seconds at 60 Hz, odd: fewer follow a freeze, more keep the pace of a menu
)
_ENOUGH_STEPS = 8  # fewer may be the pauses of a log


class RunningMedian:
    """The median of the last ``size`` values."""

    def __init__(self, size: int) -> None:
        self._arrived: deque[int] = deque()
        self._sorted: list[int] = []
        self._size = size

    def add(self, value: int) -> None:
        """Take in one value and forget the oldest."""
        if len(self._arrived) == self._size:
            oldest = self._arrived.popleft()
            del self._sorted[bisect.bisect_left(self._sorted, oldest)]
        self._arrived.append(value)
        bisect.insort(self._sorted, value)

    def __len__(self) -> int:
        return len(self._sorted)

    @property
    def value(self) -> int:
        """The upper median; raises ``IndexError`` when there is no value yet."""
        return self._sorted[len(self._sorted) // 2]

    @property
    def lower_quarter(self) -> int:
        """A quarter of the values are below it; raises ``IndexError`` when there is none."""
        return self._sorted[len(self._sorted) // 4]

    def count_from(self, least: int) -> int:
        """How many of the values are at least as high."""
        return len(self._sorted) - bisect.bisect_left(self._sorted, least)

    @property
    def spread(self) -> int:
        """The range of the middle half of the values; 0 when there is none."""
        count = len(self._sorted)
        return self._sorted[3 * count // 4] - self._sorted[count // 4] if count else 0


class FrameSteps:
    """The lengths of the last frames, and the steps from the end of one to that of the next."""

    def __init__(self) -> None:
        self._lengths_us = RunningMedian(MOST_FRAMES)
        self._steps_us = RunningMedian(MOST_FRAMES)
        self._end_ns: int | None = None

    def __len__(self) -> int:
        return len(self._lengths_us)

    def accept_frame(self, end_ns: int, frame_us: int) -> None:
        """Take in one frame, in order of time."""
        if self._end_ns is not None:
            self._steps_us.add((end_ns - self._end_ns) // 1000)
        self._end_ns = end_ns
        self._lengths_us.add(frame_us)

    @property
    def usual_us(self) -> int:
        """The median of the lengths; raises ``IndexError`` before the first frame."""
        return self._lengths_us.value

    @property
    def spread_us(self) -> int:
        """How much the middle half of the lengths differ."""
        return self._lengths_us.spread

    @property
    def are_sampled(self) -> bool:
        """Whether most frames are left out; False while that cannot be told.

        Pauses of a log are few steps among many, and do not count.
        """
        if len(self._steps_us) < _ENOUGH_STEPS:
            return False
        return self._steps_us.value > SAMPLED_RATIO * self._lengths_us.value
