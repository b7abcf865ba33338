# SPDX-License-Identifier: GPL-3.0-or-later
"""Words of what several runs before and several after confirm."""

from collections.abc import Iterator

from destutter.analysis.comparing.confirmation import Confirmation
from destutter.analysis.comparing.rows import ROW_BY_ID
from destutter.analysis.report.language import ReportWords, Translate
from destutter.diagnosis.comparison import LEAST_MINUTES, ComparedOutcome
from destutter.diagnosis.confirmation import LEAST_RUNS, Confirmed

_LEAST_PCT = 0.1


def confirmation_heads(translate: Translate) -> tuple[str, str, str, str]:
    """The heads above ``confirmation_cells``."""
    return translate("Report", "All runs"), "A", "B", translate("Report", "By chance")


def confirmation_headline(all_runs: Confirmation, words: ReportWords) -> str:
    """The verdict in one sentence."""
    translate = words.translate
    row = all_runs.primary
    runs = {
        "runs_a": words.numbers.number(all_runs.runs_a),
        "runs_b": words.numbers.number(all_runs.runs_b),
    }
    if row is None or not all_runs.has_enough:
        text = translate("Report", "Not confirmed over {runs_a} runs before and {runs_b} after.")
        return text.format(**runs)
    text = {
        ComparedOutcome.BETTER: translate(
            "Report",
            "Confirmed smoother: {what} fell from {a} to {b} in 10 minutes, over {runs_a} runs "
            "before and {runs_b} after.",
        ),
        ComparedOutcome.WORSE: translate(
            "Report",
            "Confirmed less smooth: {what} rose from {a} to {b} in 10 minutes, over {runs_a} runs "
            "before and {runs_b} after.",
        ),
    }.get(
        row.outcome,
        translate(
            "Report",
            "Not confirmed: {what} went from {a} to {b} in 10 minutes, over {runs_a} runs before "
            "and {runs_b} after.",
        ),
    )
    what = {
        "long_frames": translate("Report", "long frames"),
        "late_wakes": translate("Report", "late wake-ups"),
    }[row.id]
    a, b = _rate(row, row.rate_a, words), _rate(row, row.rate_b, words)
    return text.format(what=what, a=a, b=b, **runs)


def confirmation_detail(all_runs: Confirmation, words: ReportWords) -> str:
    """What that rests on."""
    translate, number = words.translate, words.numbers.number
    row = all_runs.primary
    if not all_runs.has_enough:
        text = translate(
            "Report", "To confirm anything takes {runs} runs of each, {minutes} minutes or longer."
        )
        return text.format(runs=number(LEAST_RUNS), minutes=number(LEAST_MINUTES))
    if row is None:
        return translate(
            "Report", "Neither frame times nor wake-ups were measured in all of them."
        )
    tested = len(all_runs.rows)
    text = (
        translate(
            "Report",
            "Chance alone does that in {chance} of such comparisons; {count} measure was tested, "
            "which is taken into account.",
        )
        if tested == 1
        else translate(
            "Report",
            "Chance alone does that in {chance} of such comparisons; {count} measures were "
            "tested, which is taken into account.",
        )
    )
    return text.format(chance=_chance(row, words), count=number(tested))


def confirmation_cells(
    all_runs: Confirmation, words: ReportWords
) -> Iterator[tuple[str, str, str, str]]:
    """The rows of a table below ``confirmation_heads``."""
    for row in all_runs.rows:
        yield (
            words.comparison.measure(row.id),
            _rate(row, row.rate_a, words),
            _rate(row, row.rate_b, words),
            _verdict(row, words),
        )


def _verdict(row: Confirmed, words: ReportWords) -> str:
    texts = {
        ComparedOutcome.BETTER: words.translate("Report", "{chance} (better)"),
        ComparedOutcome.WORSE: words.translate("Report", "{chance} (worse)"),
    }
    return texts.get(row.outcome, "{chance}").format(chance=_chance(row, words))


def _rate(row: Confirmed, rate: float, words: ReportWords) -> str:
    return words.comparison.value(rate, ROW_BY_ID[row.id].unit)


def _chance(row: Confirmed, words: ReportWords) -> str:
    share_pct, percent = 100 * row.chance, words.numbers.percent
    if share_pct < _LEAST_PCT:
        return words.translate("Report", "less than {share}").format(share=percent(_LEAST_PCT, 1))
    return percent(share_pct, 0 if share_pct >= 10 else 1)
