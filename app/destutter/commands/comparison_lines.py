# SPDX-License-Identifier: GPL-3.0-or-later
"""A comparison as lines for a terminal."""

from collections.abc import Sequence

from destutter.analysis.comparing.comparison import Comparison, Row
from destutter.analysis.examining.summary import SessionSummary
from destutter.analysis.report.comparison_document import phase_heading
from destutter.analysis.report.comparison_words import (
    certainty,
    detail,
    difference_cells,
    gone_words,
    headline,
    row_cells,
    row_heads,
    warning,
)
from destutter.analysis.report.confirmation_words import (
    confirmation_cells,
    confirmation_detail,
    confirmation_headline,
    confirmation_heads,
)
from destutter.analysis.report.language import ReportWords
from destutter.analysis.report.said_of_sessions import (
    length_words,
    score_line,
)
from destutter.words.columns import columns, to_left, to_right


def comparison_lines(comparison: Comparison, words: ReportWords) -> list[str]:
    """Verdict, the two runs, the table, what differs, and what to keep in mind."""
    lines = _all_runs(comparison, words)
    rests_on = detail(comparison, words), certainty(comparison.primary, words)
    lines += [headline(comparison, words), *filter(None, rests_on), ""]
    lines += [
        _side(name, each, words) for name, each in (("A", comparison.a), ("B", comparison.b))
    ]
    lines += ["", *_table(comparison.rows, words, row_heads(words, comparison))]
    for phase in comparison.phases:
        if len(comparison.phases) > 1:
            lines += ["", _title(phase_heading(phase, words), words)]
            shown = [row for row in phase.rows if row.id in _IN_PHASES]
            lines += _table(shown, words, row_heads(words))
    if comparison.differences:
        lines += ["", _title(words.say("report.different"), words)]
    for difference in comparison.differences:
        values = dict(zip(("name", "a", "b"), difference_cells(difference, words), strict=True))
        lines.append("  " + words.say("cli.compared.difference", {**values}))
    lines += ["", words.say("cli.compared.mind")]
    cautions = [warning(each, words) for each in comparison.warnings]
    return lines + [f"  {each}" for each in (gone_words(comparison, words), *cautions) if each]


def _all_runs(comparison: Comparison, words: ReportWords) -> list[str]:
    """What further runs add; nothing without any."""
    all_runs = comparison.confirmation
    if all_runs is None:
        return []
    lines = [confirmation_headline(all_runs, words), confirmation_detail(all_runs, words), ""]
    if all_runs.rows:
        cells = [confirmation_heads(words), *confirmation_cells(all_runs, words)]
        lines += [*_columns(cells), ""]
    return [*lines, _title(words.say("report.first_runs"), words)]


_IN_PHASES = frozenset(
    {
        "hitch_s",
        "stutters",
        "long_frames",
        "frame_p99",
        "late_wakes",
        "allocation_stalls",
        "direct_pages",
    }
)


def _table(rows: Sequence[Row], words: ReportWords, heads: tuple[str, str, str, str]) -> list[str]:
    """Rows in columns: names to the left, figures to the right."""
    return _columns([heads, *(row_cells(row, words) for row in rows)])


def _columns(cells: Sequence[tuple[str, str, str, str]]) -> list[str]:
    name, a, b = (max(columns(row[column]) for row in cells) for column in range(3))
    return [
        f"{to_left(row[0], name)}  {to_right(row[1], a)}  {to_right(row[2], b)}  {row[3]}".rstrip()
        for row in cells
    ]


def _side(name: str, session: SessionSummary, words: ReportWords) -> str:
    parts = [session.path, length_words(session, words)]
    if session.game:
        parts.append(session.game)
    if session.score is not None:
        score = score_line(session.score, words)
        parts.append(words.say("cli.compared.score", {"score": score}))
    return words.say("cli.compared.side", {"name": name, "what": words.enumerated(parts)})


def _title(text: str, words: ReportWords) -> str:
    return words.say("cli.compared.title", {"text": text})
