# SPDX-License-Identifier: GPL-3.0-or-later
"""Spans without data and markers in words: their labels on the strip."""

from collections.abc import Callable, Iterable

from PySide6.QtCore import QCoreApplication

from destutter.core.metrics import Gap
from destutter.core.sample import Marker
from destutter.ui.plots.event_strip import StripNote
from destutter.ui.plots.lane_data import LaneData
from destutter.ui.plots.time_view import TimeView
from destutter.ui.words.quantities import Quantities, WallClock

_LONGEST = 24


def gap_text(gap: Gap, clock: WallClock) -> str:
    """When there is no data, and why."""
    translate = QCoreApplication.translate
    why = translate("Gaps", "nothing was scheduled")
    if gap.reason == "suspend":
        why = translate("Gaps", "computer slept")
    return translate("Gaps", "No data {start}–{end} ({why})").format(
        start=clock.time(gap.start_ns), end=clock.time(gap.end_ns), why=why
    )


def _gap_label(gap: Gap, length: str) -> str:
    translate = QCoreApplication.translate
    template = translate("Gaps", "no data {length}")
    if gap.reason == "suspend":
        template = translate("Gaps", "slept {length}")
    return template.format(length=length)


def no_text(gap: Gap) -> str:
    """Nothing: the words stand in another lane."""
    del gap
    return ""


def notes_in_view(
    data: LaneData,
    view: TimeView,
    x_of: Callable[[float], float],
    quantities: Quantities,
    clock: WallClock,
) -> list[StripNote]:
    """All labels beside those of stutters."""
    if not data.gaps and not data.markers:
        return []
    where = (view, data.seconds, x_of)
    gaps = gap_notes(data.gaps, *where, quantities, clock)
    return [*gaps, *marker_notes(data.markers, *where, clock)]


def gap_notes(
    gaps: Iterable[Gap],
    view: TimeView,
    seconds: Callable[[int], float],
    x_of: Callable[[float], float],
    quantities: Quantities,
    clock: WallClock,
) -> list[StripNote]:
    """Labels for the spans in view."""
    notes = []
    for gap in gaps:
        low, high = seconds(gap.start_ns), seconds(gap.end_ns)
        middle = (low + high) / 2
        if view.left_s <= middle <= view.right_s:
            label = _gap_label(gap, quantities.span(high - low))
            notes.append(StripNote(x_of(middle), "not-measured", label, gap_text(gap, clock)))
    return notes


def marker_notes(
    markers: Iterable[Marker],
    view: TimeView,
    seconds: Callable[[int], float],
    x_of: Callable[[float], float],
    clock: WallClock,
) -> list[StripNote]:
    """Labels for the markers in view."""
    notes = []
    for marker in markers:
        at_s = seconds(marker.monotonic_ns)
        if view.left_s <= at_s <= view.right_s:
            text = marker.text if len(marker.text) <= _LONGEST else marker.text[:_LONGEST] + "…"
            tip = f"{clock.time(marker.monotonic_ns, tenths=True)} {marker.text}"
            notes.append(StripNote(x_of(at_s), "marker", text, tip))
    return notes
