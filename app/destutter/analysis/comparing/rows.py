# SPDX-License-Identifier: GPL-3.0-or-later
"""The rows of a comparison: which series each follows, how it is shown, and by what it is divided.

The rows are those of the X-Plane study's table of results (stalls of the drives over 5 ms, the
longest wait, direct reclaim, allocation stalls, percentiles of the latency, share of time below 25
frames a second), with the frame figures that players know. What grows with the work is divided by
the work: a run that reads less waits less, and is no better for it.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from destutter.analysis.examining.summary import Series, SessionSummary
from destutter.diagnosis.runs.compared_minutes import Measure
from destutter.diagnosis.runs.phases import Phase

_GB = 1e9
_HARDLY_ANY = 300.0
"""Milliseconds a minute, 0.5 % of the time: 56 that fell to 4, and 66 that fell to 2, were told in
green as better, of computers on which nobody was short of memory for a second."""


class Shown(Enum):
    """Which figure of a whole run stands in the table."""

    RATE = "all of it, divided by the work, or by the minutes"
    HIGHEST = "the highest of the minutes compared, or of all seconds of a whole run"
    LOWEST = "the lowest of them"
    MIDDLE = "the median of the minutes"


@dataclass(frozen=True, slots=True)
class RowSpec:
    """One row. ``series`` are added up; less is better unless ``more_is_better``.

    ``work``: the series by which it is divided, ``per_work`` how much of it makes one unit.
    ``scale`` turns a minute's value into ``unit``. A row that ``is_context`` says how alike the
    runs were and gets no verdict. Below ``least`` of ``unit`` nobody notices anything, so that two
    runs below it do not differ.
    """

    id: str
    unit: str
    series: tuple[str, ...]
    shown: Shown
    work: tuple[str, ...] = ()
    per_work: float = 1.0
    scale: float = 1.0
    more_is_better: bool = False
    is_inverse: bool = False
    is_context: bool = False
    least: float = 0.0


def _row(id_: str, unit: str, series: str, shown: Shown, **more: object) -> RowSpec:
    return RowSpec(id_, unit, tuple(series.split()), shown, **more)  # type: ignore[arg-type]


_READ, _WRITTEN, _TAKEN = (
    ("disk.read_bytes",),
    ("disk.written_bytes",),
    ("memory.allocated_bytes",),
)

ROWS: tuple[RowSpec, ...] = (
    _row("hitch_s", "s/10 min", "frame.hitch_ms", Shown.RATE, scale=1e-2),
    _row("stutters", "/10 min", "frame.stutters", Shown.RATE, scale=10.0),
    _row("long_frames", "/10 min", "frame.long", Shown.RATE, scale=10.0),
    _row("frames_over_50ms", "/10 min", "frame.over_50ms", Shown.RATE, scale=10.0),
    _row("longest_frame", "ms", "frame.worst_ms", Shown.HIGHEST),
    _row("frame_p99", "ms", "frame.p99_ms", Shown.MIDDLE),
    _row(
        "low_1_percentile", "fps", "frame.p99_ms", Shown.MIDDLE, more_is_better=True,
        is_inverse=True, scale=1e-3,
    ),
    _row(
        "low_1_average", "fps", "frame.slowest_ms", Shown.MIDDLE, more_is_better=True,
        is_inverse=True, scale=1e-3,
    ),
    _row(
        "average_fps", "fps", "frame.total_ms", Shown.RATE, work=("frame.count",),
        more_is_better=True, is_inverse=True, scale=1e-3,
    ),
    _row(
        "below_25fps", "%", "frame.below_25fps_ms", Shown.RATE, work=("frame.total_ms",),
        scale=100.0,
    ),
    _row("late_wakes", "/10 min", "wakeup.late", Shown.RATE, scale=10.0),
    _row("latest_wake", "ms", "wakeup.worst_ms", Shown.HIGHEST),
    _row("slow_reads", "/GB", "disk.slow_reads", Shown.RATE, work=_READ, per_work=_GB),
    _row("slow_writes", "/GB", "disk.slow_writes", Shown.RATE, work=_WRITTEN, per_work=_GB),
    _row("read_p99", "ms", "disk.read_p99_ms", Shown.MIDDLE),
    _row("write_p99", "ms", "disk.write_p99_ms", Shown.MIDDLE),
    _row("longest_read", "ms", "disk.read_ms", Shown.HIGHEST),
    _row("longest_write", "ms", "disk.write_ms", Shown.HIGHEST),
    _row(
        "allocation_stalls", "/GB", "memory.allocation_stalls", Shown.RATE, work=_TAKEN,
        per_work=_GB,
    ),
    _row("direct_pages", "pages/GB", "memory.direct_pages", Shown.RATE, work=_TAKEN, per_work=_GB),
    _row("direct_peak", "pages/s", "memory.direct_pages_per_s", Shown.HIGHEST),
    _row("swap_in", "pages/min", "memory.swap_in_pages", Shown.RATE),
    _row("memory_wait", "ms/min", "pressure.memory_ms", Shown.RATE, least=_HARDLY_ANY),
    _row("storage_wait", "ms/min", "pressure.io_ms", Shown.RATE, least=_HARDLY_ANY),
    _row("core_wait", "ms/min", "game.run_delay_ms", Shown.RATE, least=_HARDLY_ANY),
    _row("throttled", "ms/min", "throttle.ms", Shown.RATE),
    _row("dirty_peak", "B", "memory.dirty_bytes", Shown.HIGHEST),
    _row(
        "least_available", "B", "memory.available_bytes", Shown.LOWEST, more_is_better=True,
        is_context=True,
    ),
    _row("read_volume", "B/min", "disk.read_bytes", Shown.RATE, is_context=True),
    _row("written_volume", "B/min", "disk.written_bytes", Shown.RATE, is_context=True),
    _row("taken_volume", "B/min", "memory.allocated_bytes", Shown.RATE, is_context=True),
    _row("cpu_busy", "%", "cpu.busy_pct", Shown.MIDDLE, is_context=True),
    _row("hottest", "°C", "temperature.celsius", Shown.HIGHEST, is_context=True),
)  # fmt: skip
"""In the order of the table. Ids are in the JSON of ``compare``: never rename one."""

ROW_BY_ID: Mapping[str, RowSpec] = {row.id: row for row in ROWS}
PRIMARY = ("hitch_s", "late_wakes")
"""What the verdict rests on, chosen beforehand: the time lost in long frames, and without frames
in both runs the late wake-ups."""


def is_measured(row: RowSpec, session: SessionSummary) -> bool:
    """Whether a session has what the row needs."""
    needed = (*row.series, *row.work)
    return all(
        id_ in session.minutes and bool((~np.isnan(session.minutes[id_])).any()) for id_ in needed
    )


def minute_values(row: RowSpec, session: SessionSummary) -> tuple[Series, Series | None]:
    """The row's value of each minute, and its work."""
    values = np.sum([session.minutes[id_] for id_ in row.series], axis=0)
    if not row.work:
        return values, None
    return values, np.sum([session.minutes[id_] for id_ in row.work], axis=0) / row.per_work


def figure(row: RowSpec, session: SessionSummary, phases: Collection[Phase] = ()) -> float | None:
    """What stands in the table for a whole run, or for some phases; None when not measured."""
    if not is_measured(row, session):
        return None
    if not phases and row.shown in (Shown.HIGHEST, Shown.LOWEST):
        return _outermost(row, session)
    values, work = minute_values(row, session)
    is_known = ~np.isnan(values)
    if phases:
        is_known &= _in_phases(session, phases)[: values.size]
    if work is not None:
        is_known &= ~np.isnan(work) & (work > 0)
    if not is_known.any():
        return None
    kept = values[is_known]
    if row.shown is Shown.RATE:
        units = kept.size if work is None else float(work[is_known].sum())
        return scaled(row, float(kept.sum()) / units)
    if row.shown is Shown.MIDDLE:
        return scaled(row, float(np.median(kept)))
    return scaled(row, float(kept.max() if row.shown is Shown.HIGHEST else kept.min()))


def whole_rate(row: RowSpec, session: SessionSummary) -> float | None:
    """How many there were in all the time that was played, for what is told in ten minutes.

    Of 135 stutters in 8:40 the 126 of the eight whole minutes made 158 in ten minutes, and who
    divides gets 156. None for other rows, and where the seconds are not known.
    """
    is_told_so = row.shown is Shown.RATE and row.unit.endswith("/10 min") and not row.work
    if not is_told_so or not session.played_s or any(i not in session.seconds for i in row.series):
        return None
    at = session.played.astype(np.int64)
    total = sum(float(np.nansum(session.seconds[id_][at])) for id_ in row.series)
    return scaled(row, total * 60 / session.played_s)


def _outermost(row: RowSpec, session: SessionSummary) -> float | None:
    """The highest or lowest of all seconds: a last minute that is not whole counts, too.

    A frame of 193 ms at 2:07 of 2:39 stood on the recording's own pages, beside a longest of 149.
    """
    values = np.sum([session.seconds[id_] for id_ in row.series], axis=0)
    known = values[~np.isnan(values)]
    if not known.size:
        return None
    return scaled(row, float(known.max() if row.shown is Shown.HIGHEST else known.min()))


def scaled(row: RowSpec, value: float) -> float | None:
    """A minute's value in the row's unit; None for the inverse of nothing."""
    value *= row.scale
    if not row.is_inverse:
        return value
    return 1 / value if value else None


def phase_mask(session: SessionSummary, phase: Phase) -> NDArray[np.bool_]:
    """Which whole minutes belong to a phase."""
    return _in_phases(session, (phase,))


def _in_phases(session: SessionSummary, phases: Collection[Phase]) -> NDArray[np.bool_]:
    return np.array([each in phases for each in session.phase_of_minutes()], dtype=bool)


def measure(
    row: RowSpec, a: SessionSummary, b: SessionSummary, phase: Phase | None, weight: float = 1.0
) -> Measure:
    """The row as something to compare, in one phase or in the whole runs."""
    values_a, work_a = minute_values(row, a)
    values_b, work_b = minute_values(row, b)
    if phase is not None:
        values_a, work_a = _masked(values_a, work_a, a, phase)
        values_b, work_b = _masked(values_b, work_b, b, phase)
    return Measure(row.id, row.unit, values_a, values_b, work_a, work_b, weight)


def _masked(
    values: Series, work: Series | None, session: SessionSummary, phase: Phase
) -> tuple[Series, Series | None]:
    chosen = phase_mask(session, phase)[: values.size]
    return values[chosen], None if work is None else work[chosen]
