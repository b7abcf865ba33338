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
        self.uncounted: tuple[Spike, ...] = ()
        self.selected: Spike | None = None
        self.pointer_px: float | None = None

    @property
    def is_reading(self) -> bool:
        """Whether a moment is read out, rather than the present."""
        return self.pointer_px is not None or self._selected_in_view() is not None

    def _selected_in_view(self) -> Spike | None:
        """The chosen one, until it has left the picture: figures of then beside lines of now."""
        chosen = self.selected
        return chosen if chosen is not None and self._is_visible(chosen) else None

    def _is_visible(self, spike: Spike) -> bool:
        """Whether it ended within the span, to the nanosecond: the banner counts so, too."""
        high_ns = self._data.monotonic_ns(self._view.right_s)
        return high_ns - round(self._view.span_s * 1e9) <= spike.monotonic_ns <= high_ns

    def show_spikes(self, spikes: Sequence[Spike], uncounted: Sequence[Spike] = ()) -> None:
        """Take the stutters as diagnosis sees them now: a cause may be known meanwhile."""
        self.spikes, self.uncounted = tuple(spikes), tuple(uncounted)
        if self.selected is not None:
            chosen_ns = self.selected.monotonic_ns
            same = (one for one in reversed(self.spikes) if one.monotonic_ns == chosen_ns)
            self.selected = next(same, None)

    def moment_s(self, columns: int) -> float | None:
        """The moment that is read out; None: the newest."""
        if self.pointer_px is not None and 0 <= self.pointer_px <= columns:
            return self._view.left_s + self.pointer_px / columns * self._view.span_s
        chosen = self._selected_in_view()
        return None if chosen is None else self._data.seconds(chosen.monotonic_ns)

    def visible_spikes(self) -> list[Spike]:
        """The stutters in view, in order."""
        return [spike for spike in self.spikes if self._is_visible(spike)]

    def visible_uncounted(self) -> list[Spike]:
        """What is drawn in grey: stutters of the game before, hiccups while none ran."""
        return [spike for spike in self.uncounted if self._is_visible(spike)]

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
