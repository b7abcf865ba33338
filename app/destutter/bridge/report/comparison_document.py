# SPDX-License-Identifier: GPL-3.0-or-later
"""What a report says of two sessions."""

import os
from collections.abc import Iterator

import numpy as np

from destutter.bridge.comparing import Comparison, Row
from destutter.bridge.confirming import Confirmation
from destutter.bridge.report import words
from destutter.bridge.report.confirmation_words import (
    CONFIRMATION_HEADS,
    confirmation_cells,
    confirmation_detail,
    confirmation_headline,
)
from destutter.bridge.report.document import (
    Block,
    Chart,
    Curve,
    Heading,
    Listing,
    Paragraph,
    ReportDocument,
    Table,
    Tone,
)
from destutter.bridge.report.session_document import (
    bands_of,
    curve_name,
    day_of,
    longest_curve,
    machine_table,
    title_of,
)
from destutter.bridge.session_summary import SessionSummary
from destutter.diagnosis.comparison import ComparedOutcome

_TONES = {ComparedOutcome.BETTER: Tone.GOOD, ComparedOutcome.WORSE: Tone.BAD}
_FIGURES = frozenset({1, 2, 3})


def comparison_document(comparison: Comparison) -> ReportDocument:
    """The whole report of a comparison."""
    game = comparison.b.game or comparison.a.game
    title = f"Destutter: before and after{f', {game}' if game else ''}"
    return ReportDocument(title, tuple(_blocks(comparison)))


def _blocks(comparison: Comparison) -> Iterator[Block]:
    yield from _all_runs(comparison.confirmation)
    tone = _TONES.get(comparison.outcome, Tone.PLAIN)
    yield Paragraph(words.headline(comparison), tone)
    yield Paragraph(words.detail(comparison))
    yield Listing(tuple(words.WARNINGS[each] for each in comparison.warnings))
    yield _sides(comparison)
    yield from _charts(comparison)
    yield Heading("Measured")
    yield _table(comparison.rows)
    if len(comparison.phases) > 1:
        for each in comparison.phases:
            minutes = f"{each.minutes_a} and {each.minutes_b} minutes"
            yield Heading(f"Only {words.PHASE_NAMES[each.phase]} ({minutes})")
            yield _table(each.rows)
    if comparison.differences:
        yield Heading("Different between the two")
        yield Table(
            ("What", "A", "B"),
            tuple((words.difference_name(d), d.a, d.b) for d in comparison.differences),
        )
    yield Heading("The computer")
    yield machine_table(comparison.b)


def _all_runs(all_runs: Confirmation | None) -> Iterator[Block]:
    """What further runs add; nothing without any."""
    if all_runs is None:
        return
    tone = _TONES.get(all_runs.outcome, Tone.PLAIN)
    yield Paragraph(confirmation_headline(all_runs), tone)
    yield Paragraph(confirmation_detail(all_runs))
    if all_runs.rows:
        yield Table(CONFIRMATION_HEADS, tuple(confirmation_cells(all_runs)), _FIGURES)
    yield Heading("The first run of each by itself")


def _sides(comparison: Comparison) -> Table:
    """The two sessions side by side."""
    a, b = comparison.a, comparison.b
    rows = [
        ("Session", title_of(a), title_of(b)),
        ("File", os.path.basename(a.path), os.path.basename(b.path)),
        ("Began", day_of(a) or "not known", day_of(b) or "not known"),
        ("Length", words.length_words(a), words.length_words(b)),
        ("Phases", _phases(a), _phases(b)),
        ("Score", _score(a), _score(b)),
    ]
    return Table(("", "A", "B"), tuple(rows))


def _phases(session: SessionSummary) -> str:
    return words.phase_line(session.phases) or "not known"


def _score(session: SessionSummary) -> str:
    return "not measured" if session.score is None else words.score_line(session.score)


def _table(rows: tuple[Row, ...]) -> Table:
    cells = tuple(
        (
            words.ROW_NAMES[row.id],
            words.value(row.a, row.unit),
            words.value(row.b, row.unit),
            words.change_words(row),
        )
        for row in rows
    )
    return Table(("Measure", "A", "B", "Change"), cells, _FIGURES)


def _charts(comparison: Comparison) -> Iterator[Block]:
    a, b = comparison.a, comparison.b
    curves = tuple(
        curve
        for curve in (
            longest_curve(a, curve_name("A", a)),
            longest_curve(b, curve_name("B", b), "b"),
        )
        if curve.x.size and not np.isnan(curve.y).all()
    )
    what = "frame" if a.frames is not None and b.frames is not None else "frame or wake-up delay"
    if curves:
        yield Chart(
            f"Longest {what} in each second",
            "A and B from their beginnings. Shaded: the phases of B.",
            curves,
            "ms",
            bands=bands_of(b),
        )
    spread = tuple(
        _distribution(session, curve_name(badge, session), badge.lower())
        for session, badge in ((a, "A"), (b, "B"))
        if session.histogram
    )
    if spread:
        yield Chart(
            "How often each length occurred",
            "Share of the frames, or of the wake-ups, by length; the scale of lengths is "
            "logarithmic.",
            spread,
            "%",
            x_unit="ms",
        )


def _distribution(session: SessionSummary, name: str, role: str) -> Curve:
    """The histogram as a curve: share in percent at the middle of each bin."""
    histogram = session.histogram
    if histogram is None:
        return Curve(name, np.zeros(0), np.zeros(0), role)
    middle = np.sqrt(histogram.edges_ms[:-1] * histogram.edges_ms[1:])
    return Curve(name, middle, 100 * histogram.counts / histogram.counts.sum(), role)
