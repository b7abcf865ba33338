# SPDX-License-Identifier: GPL-3.0-or-later
"""English words of what several runs before and several after confirm."""

from collections.abc import Iterator

from destutter.bridge.comparison_rows import ROW_BY_ID
from destutter.bridge.confirming import Confirmation
from destutter.bridge.report import words
from destutter.diagnosis.comparison import LEAST_MINUTES, ComparedOutcome
from destutter.diagnosis.confirmation import LEAST_RUNS, Confirmed
from destutter.diagnosis.wording import NBSP, number

CONFIRMATION_HEADS = ("All runs", "A", "B", "By chance")
_WHAT = {"long_frames": "long frames", "late_wakes": "late wake-ups"}
_LEAST_PCT = 0.1


def confirmation_headline(all_runs: Confirmation) -> str:
    """The verdict in one sentence."""
    runs = f"over {all_runs.runs_a} runs before and {all_runs.runs_b} after"
    row = all_runs.primary
    if row is None or not all_runs.has_enough:
        return f"Not confirmed {runs}."
    values = f"from {_value(row, row.rate_a)} to {_value(row, row.rate_b)} in 10 minutes"
    if row.outcome is ComparedOutcome.BETTER:
        return f"Confirmed smoother: {_WHAT[row.id]} fell {values}, {runs}."
    if row.outcome is ComparedOutcome.WORSE:
        return f"Confirmed less smooth: {_WHAT[row.id]} rose {values}, {runs}."
    return f"Not confirmed: {_WHAT[row.id]} went {values}, {runs}."


def confirmation_detail(all_runs: Confirmation) -> str:
    """What that rests on."""
    row = all_runs.primary
    if not all_runs.has_enough:
        return (
            f"To confirm anything takes {LEAST_RUNS} runs of each, "
            f"{LEAST_MINUTES} minutes or longer."
        )
    if row is None:
        return "Neither frame times nor wake-ups were measured in all of them."
    tested = len(all_runs.rows)
    return (
        f"Chance alone does that in {_chance(row)} of such comparisons; {tested} "
        f"measure{' was' if tested == 1 else 's were'} tested, which is taken into account."
    )


def confirmation_cells(all_runs: Confirmation) -> Iterator[tuple[str, str, str, str]]:
    """The rows of a table below ``CONFIRMATION_HEADS``."""
    for row in all_runs.rows:
        verdict = f"{_chance(row)} ({row.outcome.value})" if row.is_confirmed else _chance(row)
        yield (
            words.ROW_NAMES[row.id],
            _value(row, row.rate_a),
            _value(row, row.rate_b),
            verdict,
        )


def _value(row: Confirmed, rate: float) -> str:
    return words.value(rate, ROW_BY_ID[row.id].unit)


def _chance(row: Confirmed) -> str:
    share_pct = 100 * row.chance
    if share_pct < _LEAST_PCT:
        return f"less than {_LEAST_PCT}{NBSP}%"
    return f"{number(share_pct, 0 if share_pct >= 10 else 1)}{NBSP}%"
