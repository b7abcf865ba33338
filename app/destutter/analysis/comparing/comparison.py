# SPDX-License-Identifier: GPL-3.0-or-later
"""One session against another: the verdict, the table, and what else was different. No Qt.

Phases are compared with the same phase of the other run: a warm-up against a steady flight would
compare where the recordings began. Where one run has no phases (a frame log), or the two share
too little of them, the whole runs are compared, and that is said.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum

import numpy as np

from destutter.analysis.comparing.before_change import had_changed_before
from destutter.analysis.comparing.confirmation import Confirmation, confirm_sessions
from destutter.analysis.comparing.differences import Difference, are_other_games, differences
from destutter.analysis.comparing.gone import programs_gone
from destutter.analysis.comparing.rows import (
    PRIMARY,
    ROW_BY_ID,
    ROWS,
    RowSpec,
    Shown,
    figure,
    is_measured,
    measure,
    phase_mask,
    scaled,
    whole_rate,
)
from destutter.analysis.examining.summary import SessionSummary
from destutter.core.compared import LEAST_MINUTES, ComparedOutcome
from destutter.diagnosis.runs.compared_minutes import (
    LEAST_PHASE_MINUTES,
    Compared,
    Reason,
    compare_phases,
)
from destutter.diagnosis.runs.phases import Phase
from destutter.diagnosis.runs.score import PHASE_WEIGHTS

UNEQUAL_IN_A, UNEQUAL_IN_B, UNEQUAL_IN_BOTH = "unequal_work_a", "unequal_work_b", "unequal_work"
UNEQUAL = frozenset((UNEQUAL_IN_A, UNEQUAL_IN_B, UNEQUAL_IN_BOTH))
"""What warns of runs that had not the same to do: A had more, B had, or each of something else."""
_MOVED_BY = {
    "written_volume": ("vm.dirty_", "vm.swappiness"),
    "read_volume": ("block.read_ahead_kb", "vm.swappiness", "vm.page-cluster", "vm.vfs_cache"),
    "taken_volume": ("thp.",),
}
"""Settings that change a volume of the same play by themselves: with higher limits of unwritten
data a save that replaces the last one is never written, and "the play may not have been alike" was
said of the very cure."""

_UNEQUAL_WORK = 1.25  # times: no two evenings do the same, and a warning of each would say nothing


class RowChange(Enum):
    """What a row says, in a word."""

    BETTER = "better"
    WORSE = "worse"
    SAME = "no real difference"
    UNSURE = "too close to call"
    CONTEXT = "context"
    MISSING = "not measured"


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table, in the unit of its ``RowSpec``; None where not measured.

    ``change_pct`` is B against A in percent of A; None where A is 0 or unknown. ``compared`` has
    the interval and the reason, in values that are smaller when better, whatever is shown.
    """

    id: str
    unit: str
    a: float | None
    b: float | None
    change: RowChange
    change_pct: float | None = None
    more_is_better: bool = False
    compared: Compared | None = None


@dataclass(frozen=True, slots=True)
class PhaseRows:
    """The rows within one phase that both runs have."""

    phase: Phase
    minutes_a: int
    minutes_b: int
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """B against A.

    ``primary`` is the row that the verdict rests on, None when the runs have nothing to feel in
    common. ``phases_compared`` are those that were compared with each other; empty means that
    the whole runs were. ``warnings`` are ids of the catalogue (``report.warning.ID``):
    ``too_short``, ``no_phases``, ``unknown_phases``, ``steady_only_a``, ``steady_only_b``,
    ``other_frame_source``, the artefacts of logs, one of ``UNEQUAL``, the ids of differences that
    make a comparison unfair, ``mixed_a`` and ``mixed_b`` where the runs of a side were not
    alike, ``one_run_each`` where no further runs were given, and ``few_runs`` where these are too
    few. ``confirmation`` is what all runs say together; None without further ones. ``gone`` are
    programs whose work B lacks, where that is all that was unequal: no warning, but the proof.
    """

    a: SessionSummary
    b: SessionSummary
    outcome: ComparedOutcome
    reason: Reason
    primary: Row | None
    rows: tuple[Row, ...]
    phases: tuple[PhaseRows, ...]
    phases_compared: tuple[Phase, ...]
    differences: tuple[Difference, ...]
    warnings: tuple[str, ...]
    confirmation: Confirmation | None = None
    gone: tuple[str, ...] = ()


def compare_sessions(
    a: SessionSummary,
    b: SessionSummary,
    more_a: Sequence[SessionSummary] = (),
    more_b: Sequence[SessionSummary] = (),
) -> Comparison:
    """Compare B with A. Takes some milliseconds per minute of the longer one.

    ``more_a`` and ``more_b`` are further runs of each side, which can confirm what two suggest.
    """
    if are_other_games(a.game, b.game):
        return _of_two_games(a, b)
    common = _common_phases(a, b)
    rows = _rows(a, b, common)
    primary = _primary(a, b, rows)
    outcome, reason = _outcome(primary, a, b)
    different = differences(a, b)
    gone = _gone(a, b, rows)
    is_alone = outcome.is_decided and not (more_a or more_b or gone)
    if primary and is_alone and had_changed_before(ROW_BY_ID[primary.id], a, b):
        outcome, reason = ComparedOutcome.TOO_CLOSE, Reason.BEFORE
    proved = UNEQUAL if gone else frozenset()
    confirmation = confirm_sessions((a, *more_a), (b, *more_b)) if (*more_a, *more_b) else None
    return Comparison(
        a=a,
        b=b,
        outcome=outcome,
        reason=reason,
        primary=primary,
        rows=rows,
        phases=tuple(_phase_rows(phase, a, b) for phase in common),
        phases_compared=common,
        differences=different,
        warnings=(
            *(each for each in _warnings(a, b, rows, common, different) if each not in proved),
            *_mixed("mixed_a", a, more_a),
            *_mixed("mixed_b", b, more_b),
            *_too_few(confirmation),
        ),
        confirmation=confirmation,
        gone=gone,
    )


def _of_two_games(a: SessionSummary, b: SessionSummary) -> Comparison:
    """Their figures, and no word on them: "Smoother, 50 % better" was told of two games, and that
    they differ in a line below.
    """
    rows, different = _rows(a, b, ()), differences(a, b)
    return Comparison(
        a=a,
        b=b,
        outcome=ComparedOutcome.TOO_CLOSE,
        reason=Reason.OTHER_GAMES,
        primary=None,
        rows=tuple(
            row if row.change is RowChange.MISSING else replace(row, change=RowChange.CONTEXT)
            for row in rows
        ),
        phases=(),
        phases_compared=(),
        differences=different,
        warnings=tuple(each.id for each in different if each.is_unfair),
    )


def _rows(a: SessionSummary, b: SessionSummary, phases: tuple[Phase, ...]) -> tuple[Row, ...]:
    """The rows with a figure of at least one run."""
    rows = (_row(row, a, b, phases) for row in _shown_rows(a, b))
    return tuple(row for row in rows if (row.a, row.b) != (None, None))


def _shown_rows(a: SessionSummary, b: SessionSummary) -> Iterator[RowSpec]:
    """The rows that at least one run has; wake-ups only while no frames speak."""
    has_frames = a.frames is not None and b.frames is not None
    for row in ROWS:
        if has_frames and row.series[0].startswith("wakeup."):
            continue
        if is_measured(row, a) or is_measured(row, b):
            yield row


def _common_phases(a: SessionSummary, b: SessionSummary) -> tuple[Phase, ...]:
    """The phases of which both have some minutes.

    None when these are too few for a verdict: a change that works lets a run come to rest that
    never rested before, and then they share only the loading. Of runs that are too short for one
    each is told as a whole: "123 to 110 in the same phases" stood below 132 and 79.
    """
    shared = {
        phase: min(int(phase_mask(a, phase).sum()), int(phase_mask(b, phase).sum()))
        for phase in Phase
    }
    common = tuple(phase for phase, each in shared.items() if each >= LEAST_PHASE_MINUTES)
    is_enough = sum(shared[phase] for phase in common) >= LEAST_MINUTES
    are_long = min(a.whole_minutes, b.whole_minutes) >= LEAST_MINUTES
    return common if are_long and is_enough else ()


def _row(row: RowSpec, a: SessionSummary, b: SessionSummary, phases: tuple[Phase, ...]) -> Row:
    shown_a, shown_b = figure(row, a, phases), figure(row, b, phases)
    change, compared = RowChange.CONTEXT, None
    if shown_a is None or shown_b is None:
        change = RowChange.MISSING
    elif not row.is_context:
        compared = compare_phases(
            [measure(row, a, b, phase, PHASE_WEIGHTS[phase]) for phase in phases]
            or [measure(row, a, b, None)]
        )
        if compared.reason is not Reason.TOO_SHORT and _is_hardly_any(row, compared):
            compared = replace(compared, outcome=ComparedOutcome.NO_DIFFERENCE, reason=Reason.NONE)
        change = RowChange(compared.outcome.value)
        if row.shown is Shown.RATE:
            # Of runs with phases of other lengths only the weighed means can be set side by side.
            shown_a, shown_b = scaled(row, compared.mean_a), scaled(row, compared.mean_b)
    rates = whole_rate(row, a), whole_rate(row, b)
    is_all = {*a.phase_of_minutes(), *b.phase_of_minutes()} == set(phases)
    is_alike = is_all and _says_the_same(rates, (shown_a, shown_b), change)
    if is_alike or are_whole(a, b, phases):
        # Who divides gets these: one recording had 71 in one verdict and 77 in the next.
        shown_a = shown_a if rates[0] is None else rates[0]
        shown_b = shown_b if rates[1] is None else rates[1]
    return Row(
        row.id,
        row.unit,
        shown_a,
        shown_b,
        change,
        _percent(shown_a, shown_b),
        row.more_is_better,
        compared,
    )


def _says_the_same(
    whole: tuple[float | None, float | None],
    weighed: tuple[float | None, float | None],
    change: RowChange,
) -> bool:
    """Whether the rates of both runs as a whole speak for the verdict that phase by phase has."""
    if change is RowChange.SAME:
        return False
    more = []
    for first, second in (whole, weighed):
        if first is None or second is None:
            return False
        more.append(second - first)
    return change is RowChange.UNSURE or more[0] * more[1] > 0


def are_whole(a: SessionSummary, b: SessionSummary, phases: tuple[Phase, ...]) -> bool:
    """Whether all of both runs is compared, without weighing phases against each other."""
    of_both = {*a.phase_of_minutes(), *b.phase_of_minutes()}
    return not phases or (len(phases) == 1 and of_both == set(phases))


def _is_hardly_any(row: RowSpec, compared: Compared) -> bool:
    highest = max(compared.mean_a, compared.mean_b)
    return bool(row.least) and (scaled(row, highest) or 0.0) < row.least


def _phase_rows(phase: Phase, a: SessionSummary, b: SessionSummary) -> PhaseRows:
    return PhaseRows(
        phase,
        int(phase_mask(a, phase).sum()),
        int(phase_mask(b, phase).sum()),
        _rows(a, b, (phase,)),
    )


def _percent(a: float | None, b: float | None) -> float | None:
    return None if a is None or b is None or a == 0 else 100 * (b - a) / a


def _primary(a: SessionSummary, b: SessionSummary, rows: tuple[Row, ...]) -> Row | None:
    by_id = {row.id: row for row in rows}
    for id_ in PRIMARY:
        if is_measured(ROW_BY_ID[id_], a) and is_measured(ROW_BY_ID[id_], b):
            return by_id.get(id_)
    return None


def _outcome(
    primary: Row | None, a: SessionSummary, b: SessionSummary
) -> tuple[ComparedOutcome, Reason]:
    are_long = min(a.duration_s, b.duration_s) >= 60 * LEAST_MINUTES
    is_short = min(a.whole_minutes, b.whole_minutes) < LEAST_MINUTES
    if is_short and not (primary is None and are_long):
        return ComparedOutcome.TOO_CLOSE, Reason.TOO_SHORT
    if primary is None or primary.compared is None:
        return ComparedOutcome.TOO_CLOSE, Reason.NOTHING_COMMON
    return primary.compared.outcome, primary.compared.reason


def _warnings(
    a: SessionSummary,
    b: SessionSummary,
    rows: tuple[Row, ...],
    common: tuple[Phase, ...],
    different: tuple[Difference, ...],
) -> Iterator[str]:
    if min(a.whole_minutes, b.whole_minutes) < LEAST_MINUTES:
        yield "too_short"
    elif not common:
        yield "no_phases" if a.phases or b.phases else "unknown_phases"
    yield from _never_steady(a, b)
    if a.origin != b.origin and None not in (a.origin, b.origin):
        yield "other_frame_source"
    yield from dict.fromkeys((*a.artefacts, *b.artefacts))
    if unequal := _moved_by_nothing(_unequal(rows), different):
        yield _busier(unequal)
    yield from (each.id for each in different if each.is_unfair)


def _mixed(warning: str, first: SessionSummary, others: Sequence[SessionSummary]) -> Iterator[str]:
    found = [each for other in others for each in differences(first, other)]
    if any(each.is_setting or each.is_unfair for each in found):
        yield warning


def _too_few(confirmation: Confirmation | None) -> Iterator[str]:
    if confirmation is None:
        yield "one_run_each"
    elif not confirmation.has_enough:
        yield "few_runs"


def _never_steady(a: SessionSummary, b: SessionSummary) -> Iterator[str]:
    rests = [any(span.phase is Phase.STEADY for span in each.phases) for each in (a, b)]
    if a.phases and b.phases and rests[0] != rests[1]:
        yield "steady_only_a" if rests[0] else "steady_only_b"


def _unequal(rows: tuple[Row, ...]) -> list[Row]:
    return [row for row in rows if row.id.endswith("_volume") and _is_unequal(row)]


def _moved_by_nothing(unequal: Sequence[Row], different: tuple[Difference, ...]) -> list[Row]:
    """Those that no setting moves in which both differ."""
    settings = [each.id for each in different if each.is_setting]
    return [
        row for row in unequal if not any(id_.startswith(_MOVED_BY[row.id]) for id_ in settings)
    ]


def _busier(unequal: Sequence[Row]) -> str:
    """Which of both had more to do. "In one of them" left a tester to find out in which."""
    sides = {(row.a or 0.0) > (row.b or 0.0) for row in unequal}
    if len(sides) > 1:
        return UNEQUAL_IN_BOTH
    return UNEQUAL_IN_A if sides == {True} else UNEQUAL_IN_B


def _gone(a: SessionSummary, b: SessionSummary, rows: tuple[Row, ...]) -> tuple[str, ...]:
    """Who made the first run busier, where it was that which made it stutter.

    "The play may not have been alike" was said of the backup that the guide had told to close.
    """
    unequal = _unequal(rows)
    is_less = all((row.b or 0.0) < (row.a or 0.0) for row in unequal)
    return programs_gone(a, b) if unequal and is_less else ()


def _is_unequal(row: Row) -> bool:
    """Whether one run did much more than the other; a few kilobytes do not count."""
    if row.a is None or row.b is None or max(row.a, row.b) < 1e6:
        return False
    return bool(np.maximum(row.a, row.b) > _UNEQUAL_WORK * np.minimum(row.a, row.b))
