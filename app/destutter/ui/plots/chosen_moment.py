# SPDX-License-Identifier: GPL-3.0-or-later
"""Which stutter is chosen and which moment is read out, over one view of the data. No Qt."""

from collections.abc import Callable, Sequence

from destutter.diagnosis.finding import Spike
from destutter.ui.plots.lane_data import LaneData
from destutter.ui.plots.time_view import TimeView

_REACH_PX = 6.0  # the width of a stutter's dot; more would catch its neighbour


class ChosenMoment:
    """``pointer_px`` is the pointer's distance from the left edge; None: it is away."""

    def __init__(self, data: LaneData, view: TimeView) -> None:
        self._data = data
        self._view = view
        self.spikes: tuple[Spike, ...] = ()
        self.selected: Spike | None = None
        self.pointer_px: float | None = None

    @property
    def is_reading(self) -> bool:
        """Whether a moment is read out, rather than the present."""
        return self.pointer_px is not None or self.selected is not None

    def show_spikes(self, spikes: Sequence[Spike]) -> None:
        """Take the stutters as diagnosis sees them now: a cause may be known meanwhile."""
        self.spikes = tuple(spikes)
        if self.selected is not None:
            chosen_ns = self.selected.monotonic_ns
            same = (one for one in reversed(self.spikes) if one.monotonic_ns == chosen_ns)
            self.selected = next(same, None)

    def moment_s(self, columns: int) -> float | None:
        """The moment that is read out; None: the newest."""
        if self.pointer_px is not None and 0 <= self.pointer_px <= columns:
            return self._view.left_s + self.pointer_px / columns * self._view.span_s
        if self.selected is not None:
            return self._data.seconds(self.selected.monotonic_ns)
        return None

    def visible_spikes(self) -> list[Spike]:
        """The stutters in view, in order."""
        low, high = self._view.left_s, self._view.right_s
        return [s for s in self.spikes if low <= self._data.seconds(s.monotonic_ns) <= high]

    def next_spike(self, direction: int) -> Spike | None:
        """The stutter after (1) or before (-1) the chosen one; from the end if none is chosen."""
        if not self.spikes:
            return None
        if self.selected is None or self.selected not in self.spikes:
            return self.spikes[-1 if direction < 0 else 0]
        index = self.spikes.index(self.selected) + direction
        return self.spikes[min(max(index, 0), len(self.spikes) - 1)]

    def spike_near(self, x_px: float, x_of: Callable[[float], float]) -> Spike | None:
        """The stutter in view within a few pixels; ``x_of`` maps a moment to pixels."""
        near = [
            (abs(x_of(self._data.seconds(spike.monotonic_ns)) - x_px), spike)
            for spike in self.visible_spikes()
        ]
        distance, spike = min(near, key=lambda one: one[0], default=(_REACH_PX + 1, None))
        return spike if distance <= _REACH_PX else None
