# SPDX-License-Identifier: GPL-3.0-or-later
"""Spans without data in words, and their labels on the strip."""

from collections.abc import Callable, Iterable

from PySide6.QtCore import QCoreApplication

from destutter.core.metrics import Gap
from destutter.ui.plots.event_strip import StripBlank
from destutter.ui.plots.time_view import TimeView
from destutter.ui.quantities import Quantities, WallClock


def gap_text(gap: Gap, clock: WallClock) -> str:
    """When there is no data, and why."""
    translate = QCoreApplication.translate
    why = translate("Gaps", "nothing was scheduled")
    if gap.reason == "suspend":
        why = translate("Gaps", "computer slept")
    return translate("Gaps", "No data {start}–{end} ({why})").format(
        start=clock.time(gap.start_ns), end=clock.time(gap.end_ns), why=why
    )


def no_text(gap: Gap) -> str:
    """Nothing: the words stand in another lane."""
    del gap
    return ""


def strip_blanks(
    gaps: Iterable[Gap],
    view: TimeView,
    seconds: Callable[[int], float],
    x_of: Callable[[float], float],
    quantities: Quantities,
    clock: WallClock,
) -> list[StripBlank]:
    """Labels for the spans in view."""
    blanks = []
    for gap in gaps:
        low, high = seconds(gap.start_ns), seconds(gap.end_ns)
        middle = (low + high) / 2
        if view.left_s <= middle <= view.right_s:
            blanks.append(
                StripBlank(x_of(middle), quantities.span(high - low), gap_text(gap, clock))
            )
    return blanks
