# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the time axis has labels: before now while it follows, the clock while it stands still."""

from collections.abc import Callable
from math import ceil

from destutter.ui.plots.time_view import TimeView
from destutter.ui.words.quantities import MINUS, Quantities, WallClock

Ticks = list[tuple[float, str]]
"""Distance from the left edge of the data in pixels, and label."""


def time_ticks(
    view: TimeView,
    columns: int,
    quantities: Quantities,
    clock: WallClock,
    monotonic_ns: Callable[[float], int],
) -> Ticks:
    """The labels for a view that is ``columns`` pixels wide."""
    step = view.tick_step_s(columns)
    if view.is_live or not clock.is_known:
        return _relative(view, step, columns, quantities)
    return _by_the_clock(view, step, columns, clock, monotonic_ns)


def _relative(view: TimeView, step: float, columns: int, quantities: Quantities) -> Ticks:
    """Before the right edge: these never move, so nothing has to be drawn again for them."""
    count = ceil(view.span_s / step)
    marks = [step * index for index in range(count - 1, 0, -1)]
    scale = columns / view.span_s
    return [(columns - before * scale, MINUS + quantities.clock(before)) for before in marks]


def _by_the_clock(
    view: TimeView,
    step: float,
    columns: int,
    clock: WallClock,
    monotonic_ns: Callable[[float], int],
) -> Ticks:
    of_day = clock.seconds_of_day(monotonic_ns(view.left_s))
    moment = view.left_s + (ceil(of_day / step) * step - of_day)
    scale = columns / view.span_s
    ticks: Ticks = []
    while moment <= view.right_s:
        text = clock.time(monotonic_ns(moment + 0.001))
        ticks.append(((moment - view.left_s) * scale, text))
        moment += step
    return ticks
