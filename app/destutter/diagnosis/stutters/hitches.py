# SPDX-License-Identifier: GPL-3.0-or-later
"""Hitches: frames that are felt by who looks for them, though they are no stutters.

A lone wait of 10 ms costs a frame at 60 Hz and goes unnoticed in every average. What counts is
how much longer a frame took than those around it, from ``LEAST_MS`` on. A game whose frames differ
by as much all the time has no hitches but a rough pace, so the excess must also be out of the
ordinary for it.
"""

from collections import deque

from destutter.diagnosis.finding import Spike
from destutter.diagnosis.stutters.frame_steps import FrameSteps

# Half a refresh at 60 Hz: less need not move a frame to the next one. 20 would hide frames of 2.5
# times the usual at 125 fps. What the screen's rate was no recording tells.
LEAST_MS = 8.0
_TIMES_SPREAD = 3.0  # of the range of the middle half: 4 sigma where frames differ by chance
FELT_AS_ONE_NS = 250_000_000  # shorter, and one jerk counts several times; longer, and two are one
_MOST_LIVE = 600  # they are matched with every cause each second
_MOST = 5_000  # of a whole recording: one a second for an hour; each is matched with every cause


class HitchDetector:
    """Finds hitches among frames that are no stutters; one for those within a quarter second.

    The length of such a ``Spike`` is the excess over the frames around it: that is what was lost.
    """

    def __init__(self, horizon_ns: int | None) -> None:
        self._horizon_ns = horizon_ns
        self._hitches: deque[Spike] = deque(maxlen=_MOST_LIVE if horizon_ns else _MOST)
        self._stutter_end_ns = 0

    @property
    def hitches(self) -> tuple[Spike, ...]:
        """Those of the horizon in order of time."""
        return tuple(self._hitches)

    def accept_frame(self, end_ns: int, frame_us: int, origin: str, steps: FrameSteps) -> bool:
        """Judge a frame that is no stutter by those before it; whether it is a new hitch."""
        excess_us = frame_us - steps.usual_us
        if excess_us < max(LEAST_MS * 1e3, _TIMES_SPREAD * steps.spread_us):
            return False
        if end_ns - self._stutter_end_ns < FELT_AS_ONE_NS:
            return False
        hitch = Spike(end_ns, excess_us / 1e3, origin)
        if self._hitches and hitch.start_ns - self._hitches[-1].monotonic_ns < FELT_AS_ONE_NS:
            if hitch.duration_ms > self._hitches[-1].duration_ms:
                self._hitches[-1] = hitch
            return False
        self._hitches.append(hitch)
        return True

    def note_stutter(self, spike: Spike) -> None:
        """A stutter, of which the frames just before and after it are part."""
        self._stutter_end_ns = spike.monotonic_ns
        while self._hitches and spike.start_ns - self._hitches[-1].monotonic_ns < FELT_AS_ONE_NS:
            self._hitches.pop()

    def forget_before(self, monotonic_ns: int) -> None:
        """Drop those that ended before the horizon."""
        if self._horizon_ns is None:
            return
        while self._hitches and self._hitches[0].monotonic_ns < monotonic_ns - self._horizon_ns:
            self._hitches.popleft()
