# SPDX-License-Identifier: GPL-3.0-or-later
"""Which span of time the graphs show: it follows the present, or it stands still. No Qt."""

from dataclasses import dataclass
from math import floor

from destutter.diagnosis.finding import HORIZON_S

SHORTEST_S = 5.0  # fifty ticks: a closer view shows how it was measured, and no more of the game
LONGEST_S = float(HORIZON_S)  # as long as findings look back
RETENTION_S = 2 * LONGEST_S  # to look back; 190 kB for a line of ten values a second
_STEPS_S = (1, 2, 5, 10, 15, 30, 60, 120)


@dataclass(slots=True)
class TimeView:
    """The span of time that all graphs share, in seconds of one clock.

    ``now_s`` is the newest measurement, ``oldest_s`` the oldest that is still kept.
    ``held_right_s`` is the right edge while the view stands still; None while it follows.
    """

    span_s: float = 120.0
    now_s: float = 0.0
    oldest_s: float = 0.0
    held_right_s: float | None = None

    @property
    def is_live(self) -> bool:
        """Whether the right edge follows the newest measurement."""
        return self.held_right_s is None

    @property
    def right_s(self) -> float:
        return self.now_s if self.held_right_s is None else self.held_right_s

    @property
    def left_s(self) -> float:
        return self.right_s - self.span_s

    @property
    def behind_s(self) -> float:
        """How far the right edge lies behind the newest measurement."""
        return max(0.0, self.now_s - self.right_s)

    def advance(self, now_s: float) -> None:
        self.now_s = max(self.now_s, now_s)
        self.oldest_s = max(self.oldest_s, self.now_s - RETENTION_S)

    def hold(self) -> None:
        """Stand still at what is shown."""
        self.held_right_s = self.right_s

    def follow(self) -> None:
        """Go back to the present and follow it."""
        self.held_right_s = None

    def set_span(self, span_s: float) -> None:
        """Show this much time; the right edge stays."""
        self.span_s = min(LONGEST_S, max(SHORTEST_S, span_s))

    def zoom(self, factor: float, at_s: float) -> None:
        """Show ``factor`` times as much time; the moment ``at_s`` stays where it is.

        While following, the right edge stays at the present instead.
        """
        share = (self.right_s - at_s) / self.span_s
        self.set_span(self.span_s * factor)
        if self.held_right_s is not None:
            self.held_right_s = self._kept_in_reach(at_s + share * self.span_s)

    def pan(self, delta_s: float) -> None:
        """Move by this much (back in time when negative), within what is kept.

        Arriving at the present does not start following: that takes ``follow``.
        """
        self.held_right_s = self._kept_in_reach(self.right_s + delta_s)

    def show_moment(self, at_s: float) -> None:
        """Bring this moment into view; when it is there already, nothing moves."""
        if not self.left_s <= at_s <= self.right_s:
            self.held_right_s = self._kept_in_reach(at_s + self.span_s / 2)

    def go_to_oldest(self) -> None:
        """Show the oldest measurements that are kept."""
        self.held_right_s = self._kept_in_reach(self.oldest_s + self.span_s)

    def _kept_in_reach(self, right_s: float) -> float:
        return min(self.now_s, max(right_s, min(self.now_s, self.oldest_s + self.span_s)))

    def column(self, at_s: float, width_px: int) -> int:
        """The number of the pixel column of a moment, counted from the clock's zero."""
        return floor(at_s * width_px / self.span_s)

    def tick_step_s(self, width_px: int, label_px: int = 90) -> float:
        """The distance of the time labels: a round number that leaves each its room."""
        room = max(1, width_px // label_px)
        for step in _STEPS_S:
            if self.span_s / step <= room:
                return float(step)
        return float(_STEPS_S[-1])
