# SPDX-License-Identifier: GPL-3.0-or-later
"""Several runs before against several after: which differences are confirmed. No Qt.

Only counts of events are tested, within the phases that all runs share, and divided by the work
as in the table of two runs.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from destutter.analysis.comparing.rows import (
    ROW_BY_ID,
    RowSpec,
    is_measured,
    minute_values,
    phase_mask,
)
from destutter.analysis.examining.summary import SessionSummary
from destutter.core.compared import LEAST_MINUTES, ComparedOutcome
from destutter.diagnosis.runs.compared_minutes import LEAST_PHASE_MINUTES
from destutter.diagnosis.runs.confirmed_counts import LEAST_RUNS, Confirmed, Counted, confirm
from destutter.diagnosis.runs.phases import Phase

_COUNTS = (
    "stutters",
    "long_frames",
    "frames_over_50ms",
    "late_wakes",
    "slow_reads",
    "slow_writes",
    "allocation_stalls",
)
_PRIMARY = ("stutters", "late_wakes")


@dataclass(frozen=True, slots=True)
class Confirmation:
    """What ``runs_a`` runs before and ``runs_b`` after say together.

    Runs below eight minutes are in neither number. ``primary`` is the count that the verdict
    rests on, None when it was not measured in all of them. Rates are in the unit of the row.
    """

    runs_a: int
    runs_b: int
    rows: tuple[Confirmed, ...]
    primary: Confirmed | None

    @property
    def has_enough(self) -> bool:
        """Whether there are as many runs as a confirmation needs."""
        return min(self.runs_a, self.runs_b) >= LEAST_RUNS

    @property
    def outcome(self) -> ComparedOutcome:
        """Better or worse when that is confirmed, else too close."""
        return ComparedOutcome.TOO_CLOSE if self.primary is None else self.primary.outcome


def confirm_sessions(a: Sequence[SessionSummary], b: Sequence[SessionSummary]) -> Confirmation:
    """Test all runs before against all after."""
    before, after = _long_enough(a), _long_enough(b)
    rows: tuple[Confirmed, ...] = ()
    if before and after:
        phases = _common_phases((*before, *after))
        measured = [
            ROW_BY_ID[id_]
            for id_ in _COUNTS
            if all(is_measured(ROW_BY_ID[id_], each) for each in (*before, *after))
        ]
        rows = confirm([_counted(row, before, after, phases) for row in measured])
    primary = next((row for id_ in _PRIMARY for row in rows if row.id == id_), None)
    return Confirmation(len(before), len(after), rows, primary)


def _long_enough(sessions: Sequence[SessionSummary]) -> list[SessionSummary]:
    return [each for each in sessions if each.whole_minutes >= LEAST_MINUTES]


def _common_phases(sessions: Sequence[SessionSummary]) -> tuple[Phase, ...]:
    """The phases of which all have some minutes; none when these are too few."""
    shared = {
        phase: min(int(phase_mask(each, phase).sum()) for each in sessions) for phase in Phase
    }
    common = tuple(phase for phase, each in shared.items() if each >= LEAST_PHASE_MINUTES)
    return common if sum(shared[phase] for phase in common) >= LEAST_MINUTES else ()


def _counted(
    row: RowSpec,
    before: Sequence[SessionSummary],
    after: Sequence[SessionSummary],
    phases: Sequence[Phase],
) -> Counted:
    a = [_events_and_work(row, each, phases) for each in before]
    b = [_events_and_work(row, each, phases) for each in after]
    return Counted(
        row.id,
        tuple(events for events, _ in a),
        tuple(work for _, work in a),
        tuple(events for events, _ in b),
        tuple(work for _, work in b),
    )


def _events_and_work(
    row: RowSpec, session: SessionSummary, phases: Sequence[Phase]
) -> tuple[float, float]:
    """Events of the minutes that count, and their work in the unit of the row's rate."""
    values, work = minute_values(row, session)
    is_known = ~np.isnan(values)
    if phases:
        masks = [phase_mask(session, phase)[: values.size] for phase in phases]
        is_known &= np.logical_or.reduce(masks)
    if work is None:
        return float(values[is_known].sum()), float(is_known.sum()) / row.scale
    is_known &= ~np.isnan(work) & (work > 0)
    return float(values[is_known].sum()), float(work[is_known].sum()) / row.scale
