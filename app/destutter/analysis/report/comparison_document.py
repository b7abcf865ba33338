# SPDX-License-Identifier: GPL-3.0-or-later
"""What a report says of two sessions."""

import os
from collections.abc import Iterator

import numpy as np

from destutter.analysis.comparing.comparison import Comparison, PhaseRows, Row
from destutter.analysis.comparing.confirmation import Confirmation
from destutter.analysis.examining.summary import SessionSummary
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
from destutter.analysis.report.document import (
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
from destutter.analysis.report.language import ReportWords
from destutter.analysis.report.said_of_sessions import (
    bands_of,
    beside_curves,
    curve_name,
    day_of,
    length_words,
    longest_curve,
    machine_table,
    marks_of,
    phase_line,
    phase_name,
    score_line,
    title_of,
)
from destutter.core.compared import ComparedOutcome

_TONES = {ComparedOutcome.BETTER: Tone.GOOD, ComparedOutcome.WORSE: Tone.BAD}
_FIGURES = frozenset({1, 2, 3})


def comparison_document(comparison: Comparison, words: ReportWords) -> ReportDocument:
    title = words.say("report.before_and_after")
    game = comparison.b.game or comparison.a.game
    title = words.enumerated((title, game)) if game else title
    return ReportDocument(title, tuple(_blocks(comparison, words)))


def _blocks(comparison: Comparison, words: ReportWords) -> Iterator[Block]:
    say = words.say
    yield from _all_runs(comparison.confirmation, words)
    yield Paragraph(headline(comparison, words), _TONES.get(comparison.outcome, Tone.PLAIN))
    rests_on = detail(comparison, words), certainty(comparison.primary, words)
    yield from (Paragraph(text) for text in rests_on if text)
    cautions = [warning(each, words) for each in comparison.warnings]
    yield Listing(tuple(filter(None, (gone_words(comparison, words), *cautions))))
    yield _sides(comparison, words)
    yield from _longest_chart(comparison, words)
    yield from _spread_chart(comparison, words)
    yield Heading(say("report.measured"))
    yield _table(comparison.rows, words, row_heads(words, comparison))
    if len(comparison.phases) > 1:
        for each in comparison.phases:
            yield Heading(phase_heading(each, words))
            yield _table(each.rows, words, row_heads(words))
    if comparison.differences:
        yield Heading(say("report.different"))
        heads = say("report.differs"), "A", "B"
        cells = tuple(difference_cells(each, words) for each in comparison.differences)
        yield Table(heads, cells)
    machine = machine_table(comparison.b, words)
    if machine.rows:
        yield Heading(say("report.computer"))
        yield machine


def phase_heading(phase: PhaseRows, words: ReportWords) -> str:
    """What stands above the rows of one phase."""
    minutes = {"minutes_a": phase.minutes_a, "minutes_b": phase.minutes_b}
    return words.say("report.only_phase", {"phase": phase_name(phase.phase, words), **minutes})


def _all_runs(all_runs: Confirmation | None, words: ReportWords) -> Iterator[Block]:
    """What further runs add; nothing without any."""
    if all_runs is None:
        return
    tone = _TONES.get(all_runs.outcome, Tone.PLAIN)
    yield Paragraph(confirmation_headline(all_runs, words), tone)
    yield Paragraph(confirmation_detail(all_runs, words))
    if all_runs.rows:
        cells = tuple(confirmation_cells(all_runs, words))
        yield Table(confirmation_heads(words), cells, _FIGURES)
    yield Heading(words.say("report.first_runs"))


def _sides(comparison: Comparison, words: ReportWords) -> Table:
    """The two sessions side by side."""
    say, both = words.say, (comparison.a, comparison.b)
    unknown = say("report.unknown")

    def score(session: SessionSummary) -> str:
        if session.score is None:
            return say("report.unmeasured")
        return score_line(session.score, words)

    rows: list[tuple[str, ...]] = [
        (say("report.session"), *(title_of(each, words) for each in both)),
        (say("report.file"), *(os.path.basename(each.path) for each in both)),
        (say("report.began"), *(day_of(each, words) or unknown for each in both)),
        (say("report.length"), *(length_words(each, words) for each in both)),
        (say("report.phases"), *(phase_line(each, words) or unknown for each in both)),
        (say("report.score"), *map(score, both)),
    ]
    if any(each.comment for each in both):
        rows.append((say("report.comments"), *(each.comment for each in both)))
    return Table(("", "A", "B"), tuple(rows))


def _table(rows: tuple[Row, ...], words: ReportWords, heads: tuple[str, ...]) -> Table:
    return Table(heads, tuple(row_cells(row, words) for row in rows), _FIGURES)


def _longest_chart(comparison: Comparison, words: ReportWords) -> Iterator[Block]:
    a, b, say = comparison.a, comparison.b, words.say
    curves = tuple(
        curve
        for curve in (
            longest_curve(a, curve_name("A", a)),
            longest_curve(b, curve_name("B", b), "b"),
        )
        if curve.x.size and not np.isnan(curve.y).all()
    )
    if not curves:
        return
    with_frames = (a.frames is not None) + (b.frames is not None)
    title = (
        say("report.chart.latest_wake"),
        say("report.chart.either"),
        say("report.chart.longest_frame"),
    )[with_frames]
    shaded, dashed = "report.chart.shaded_b", "report.chart.dashed_b"
    text = beside_curves(b, words, say("report.chart.both"), shaded=shaded, dashed=dashed)
    yield Chart(title, text, curves, "ms", bands=bands_of(b, words), marks=marks_of(b))


def _spread_chart(comparison: Comparison, words: ReportWords) -> Iterator[Block]:
    curves = tuple(
        curve
        for session, badge in ((comparison.a, "A"), (comparison.b, "B"))
        if (curve := _distribution(session, badge)) is not None
    )
    if curves:
        title, text = words.say("report.chart.spread"), words.say("report.chart.share")
        yield Chart(title, text, curves, "%", x_unit="ms")


def _distribution(session: SessionSummary, badge: str) -> Curve | None:
    """The histogram as a curve: share in percent at the middle of each bin."""
    histogram = session.histogram
    if histogram is None:
        return None
    middle = np.sqrt(histogram.edges_ms[:-1] * histogram.edges_ms[1:])
    share_pct = 100 * histogram.counts / histogram.counts.sum()
    return Curve(curve_name(badge, session), middle, share_pct, badge.lower())
