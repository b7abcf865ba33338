# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the time axis has labels: before now while it follows, the clock while it stands still."""

from collections.abc import Callable
from math import ceil

from destutter.ui.plots.time_view import TimeView
from destutter.ui.quantities import MINUS, Quantities, WallClock

Ticks = list[tuple[float, str]]


def time_ticks(
    view: TimeView,
    columns: int,
    quantities: Quantities,
    clock: WallClock,
    monotonic_ns: Callable[[float], int],
) -> tuple[list[float], Ticks]:
    """Grid positions in pixels from the left edge, and (moment in seconds, label) pairs."""
    step = view.tick_step_s(columns)
    if view.is_live or not clock.is_known:
        ticks = _relative(view, step, quantities)
        # Relative to the right edge they never move; so the grid is not drawn anew.
        scale = columns / view.span_s
        return [columns - before * scale for before, _ in ticks], [
            (view.right_s - before, text) for before, text in ticks
        ]
    at = _by_the_clock(view, step, clock, monotonic_ns)
    return [(moment - view.left_s) / view.span_s * columns for moment, _ in at], at


def _relative(view: TimeView, step: float, quantities: Quantities) -> Ticks:
    count = ceil(view.span_s / step)
    marks = [step * index for index in range(count - 1, 0, -1)]
    return [(before, MINUS + quantities.minutes_seconds(before)) for before in marks]


def _by_the_clock(
    view: TimeView, step: float, clock: WallClock, monotonic_ns: Callable[[float], int]
) -> Ticks:
    of_day = clock.seconds_of_day(monotonic_ns(view.left_s))
    moment = view.left_s + (ceil(of_day / step) * step - of_day)
    ticks: Ticks = []
    while moment <= view.right_s:
        ticks.append((moment, clock.time(monotonic_ns(moment + 0.001))))
        moment += step
    return ticks
