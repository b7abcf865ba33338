# SPDX-License-Identifier: GPL-3.0-or-later
"""The longest wait of the game in one look at the kernel's trace, by what it was for. No Qt."""

from collections.abc import Callable

from destutter.core.traced import CORE, DIRTY_PAUSE, SPLIT_LOCK, TraceLook
from destutter.ui.plots.series import LaneSeries
from destutter.ui.plots.time_view import TimeView

MEMORY, STORAGE, CPU = GROUPS = ("memory", "storage", "cpu")
_OF_KIND = {CORE: CPU, SPLIT_LOCK: CPU, DIRTY_PAUSE: STORAGE}


def longest_ms(look: TraceLook, game_pid: str) -> dict[str, float]:
    """Milliseconds by group; 0 where no thread of the game waited for 4 ms and more."""
    longest = dict.fromkeys((MEMORY, STORAGE, CPU), 0.0)
    for wait in look.waits:
        if str(wait.thread.pid) == game_pid:
            group = _OF_KIND.get(wait.kind, MEMORY)
            longest[group] = max(longest[group], wait.duration_ns / 1e6)
    for request in look.requests:
        if request.thread is not None and str(request.thread.pid) == game_pid:
            longest[STORAGE] = max(longest[STORAGE], request.duration_ns / 1e6)
    return longest


def wait_marks(
    series: Callable[[str], LaneSeries], view: TimeView, x_of: Callable[[float], float]
) -> tuple[tuple[str, int], ...]:
    """Group and pixel of every look in view in which the game waited, each pixel once.

    Without a wait, as without the trace, there are none.
    """
    found = dict[tuple[str, int], None]()
    for group in GROUPS:
        times, values = series(group).span(view.left_s, view.right_s)
        for time_s in times[(values > 0) & (times >= view.left_s)]:
            found[group, round(x_of(float(time_s)))] = None
    return tuple(found)
