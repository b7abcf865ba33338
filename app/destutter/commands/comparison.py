# SPDX-License-Identifier: GPL-3.0-or-later
"""A comparison as lines for a terminal."""

from collections.abc import Sequence

from destutter.analysis.comparing.comparison import Comparison, Row
from destutter.analysis.examining.summary import SessionSummary
from destutter.analysis.report import words
from destutter.analysis.report.comparison_document import phase_heading
from destutter.analysis.report.confirmation_words import (
    confirmation_cells,
    confirmation_detail,
    confirmation_headline,
    confirmation_heads,
)
from destutter.analysis.report.said_of_sessions import score_line
from destutter.analysis.report.terminal_words import terminal_words
from destutter.words.renderer import renderer

_ENGLISH, _WORDS = terminal_words(), renderer()
_HEADS = ("Measure", "A", "B", "Change")


def comparison_lines(comparison: Comparison) -> list[str]:
    """Verdict, the two runs, the table, what differs, and what to keep in mind."""
    lines = _all_runs(comparison)
    lines += [words.headline(comparison, _WORDS), words.detail(comparison, _WORDS), ""]
    lines += [_side(name, each) for name, each in (("A", comparison.a), ("B", comparison.b))]
    lines += ["", *table(comparison.rows)]
    for phase in comparison.phases:
        if len(comparison.phases) > 1:
            lines += ["", f"{phase_heading(phase, _ENGLISH)}:"]
            lines += table([row for row in phase.rows if row.id in _IN_PHASES])
    if comparison.differences:
        lines += ["", "Different between the two:"]
        lines += [
            f"  {words.difference_name(each.id, _WORDS)}: {each.a} / {each.b}"
            for each in comparison.differences
        ]
    lines += ["", "To keep in mind:"]
    return lines + [f"  {words.warning(each, _WORDS)}" for each in comparison.warnings]


def _all_runs(comparison: Comparison) -> list[str]:
    """What further runs add; nothing without any."""
    all_runs = comparison.confirmation
    if all_runs is None:
        return []
    lines = [
        confirmation_headline(all_runs, _ENGLISH),
        confirmation_detail(all_runs, _ENGLISH),
        "",
    ]
    cells = [confirmation_heads(_ENGLISH), *confirmation_cells(all_runs, _ENGLISH)]
    if all_runs.rows:
        lines += [*_columns(cells), ""]
    return [*lines, "The first run of each by itself:"]


_IN_PHASES = frozenset(
    {"hitch_s", "long_frames", "frame_p99", "late_wakes", "allocation_stalls", "direct_pages"}
)


def table(rows: Sequence[Row]) -> list[str]:
    """Rows in columns: names to the left, figures to the right."""
    return _columns([_HEADS, *(_cells(row) for row in rows)])


def _columns(cells: Sequence[tuple[str, str, str, str]]) -> list[str]:
    widths = [max(len(row[column]) for row in cells) for column in range(len(_HEADS))]
    return [
        f"{row[0]:<{widths[0]}}  {row[1]:>{widths[1]}}  {row[2]:>{widths[2]}}  {row[3]}".rstrip()
        for row in cells
    ]


def _cells(row: Row) -> tuple[str, str, str, str]:
    return (
        words.row_name(row.id, _WORDS),
        words.value(row.a, row.unit, _WORDS),
        words.value(row.b, row.unit, _WORDS),
        words.change_words(row, _WORDS),
    )


def _side(name: str, session: SessionSummary) -> str:
    parts = [session.path, _ENGLISH.numbers.span(session.duration_s)]
    if session.game:
        parts.append(session.game)
    if session.score is not None:
        parts.append(f"score {score_line(session.score, _ENGLISH)}")
    return f"{name}: {', '.join(parts)}"
