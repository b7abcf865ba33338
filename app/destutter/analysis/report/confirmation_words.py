# SPDX-License-Identifier: GPL-3.0-or-later
"""Words of what several runs before and several after confirm."""

from collections.abc import Iterator

from destutter.analysis.comparing.confirmation import Confirmation
from destutter.analysis.comparing.rows import ROW_BY_ID
from destutter.analysis.report.comparison_words import DECIDED, row_name, value_words
from destutter.analysis.report.language import ReportWords
from destutter.core.compared import LEAST_MINUTES
from destutter.core.statement import Value
from destutter.diagnosis.runs.confirmed_counts import LEAST_RUNS, Confirmed

_LEAST_PCT = 0.1  # below it "less than": more digits of so small a chance help nobody
_WHAT = {"stutters": "report.what.stutters", "late_wakes": "report.lost.late_wake_ms"}


def confirmation_heads(words: ReportWords) -> tuple[str, str, str, str]:
    """The heads above ``confirmation_cells``."""
    return words.say("report.all_runs"), "A", "B", words.say("report.by_chance")


def confirmation_headline(all_runs: Confirmation, words: ReportWords) -> str:
    """The verdict in one sentence."""
    row = all_runs.primary
    runs: dict[str, Value] = {"runs_a": all_runs.runs_a, "runs_b": all_runs.runs_b}
    if row is None or not all_runs.has_enough:
        return words.say("report.confirmed.too_few", {**runs, "minutes": LEAST_MINUTES})
    values = {
        **runs,
        "what": words.say(_WHAT[row.id]),
        "a": _rate(row, row.rate_a, words),
        "b": _rate(row, row.rate_b, words),
    }
    return words.say(f"report.confirmed.{DECIDED.get(row.outcome, 'open')}", values)


def confirmation_detail(all_runs: Confirmation, words: ReportWords) -> str:
    """What that rests on."""
    row = all_runs.primary
    if not all_runs.has_enough:
        return words.say("report.needs_runs", {"runs": LEAST_RUNS, "minutes": LEAST_MINUTES})
    if row is None:
        return words.say("report.none_in_all")
    values: dict[str, Value] = {"chance": _chance(row, words), "count": len(all_runs.rows)}
    return words.say("report.chance.alone", values)


def confirmation_cells(
    all_runs: Confirmation, words: ReportWords
) -> Iterator[tuple[str, str, str, str]]:
    """The rows of a table below ``confirmation_heads``."""
    for row in all_runs.rows:
        yield (
            row_name(row.id, words),
            _rate(row, row.rate_a, words),
            _rate(row, row.rate_b, words),
            _verdict(row, words),
        )


def _verdict(row: Confirmed, words: ReportWords) -> str:
    chance, outcome = _chance(row, words), DECIDED.get(row.outcome)
    return chance if outcome is None else words.say(f"report.chance.{outcome}", {"chance": chance})


def _rate(row: Confirmed, rate: float, words: ReportWords) -> str:
    return value_words(rate, ROW_BY_ID[row.id].unit, words)


def _chance(row: Confirmed, words: ReportWords) -> str:
    share_pct, percent = 100 * row.chance, words.numbers.percent
    if share_pct < _LEAST_PCT:
        return words.say("report.less_than", {"share": percent(_LEAST_PCT, 1)})
    return percent(share_pct, 0 if share_pct >= 10 else 1)
