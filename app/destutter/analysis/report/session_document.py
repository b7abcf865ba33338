# SPDX-License-Identifier: GPL-3.0-or-later
"""What a report says of one session."""

import os
from collections.abc import Iterator, Sequence

import numpy as np

from destutter.analysis.examining.summary import SessionSummary
from destutter.analysis.report.comparison_words import warning
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
    computer_measures,
    length_words,
    longest_curve,
    machine_table,
    marks_of,
    origin_name,
    score_line,
    title_of,
    unplayed_line,
    verdict_texts,
)
from destutter.diagnosis.finding import Assessment, Finding, Verdict, VerdictKind
from destutter.diagnosis.findings.time_lost import told_as_lost
from destutter.diagnosis.remedy import remedy
from destutter.diagnosis.runs.frame_statistics import STUTTER_LEAST_MS
from destutter.diagnosis.stutters.spikes import MEDIAN_FACTOR
from destutter.diagnosis.wording import named_as
from destutter.tuning.recommendation import Recommendation, against

_TONES = {
    VerdictKind.SMOOTH: Tone.GOOD,
    VerdictKind.HITCHES: Tone.PLAIN,
    VerdictKind.STUTTER: Tone.BAD,
    VerdictKind.UNEXPLAINED: Tone.BAD,
}


def _tone(verdict: Verdict) -> Tone:
    return Tone.PLAIN if verdict.is_of_computer else _TONES.get(verdict.kind, Tone.PLAIN)


def session_document(session: SessionSummary, words: ReportWords) -> ReportDocument:
    return ReportDocument(f"Destutter: {title_of(session, words)}", tuple(_blocks(session, words)))


def _blocks(session: SessionSummary, words: ReportWords) -> Iterator[Block]:
    assessment, say = session.assessment, words.say
    headline, detail = verdict_texts(session, words.reader)
    yield Paragraph(headline, Tone.PLAIN if assessment is None else _tone(assessment.verdict))
    yield Paragraph(detail)
    lost = None if assessment is None else told_as_lost(assessment.lost)
    if lost is not None:
        yield Paragraph(words.reader.text(lost))
    if session.comment:
        yield Paragraph(say("report.comment", {"text": session.comment}))
    yield Paragraph(_basis(session, words), Tone.NOTE)
    for text in (
        *(warning(each, words) for each in session.artefacts),
        *map(words.reader.sentence, session.problems),
    ):
        yield Paragraph(text, Tone.NOTE)
    if session.unplayed:
        yield Paragraph(say("report.unplayed", {"spans": unplayed_line(session, words)}))
    if session.score is not None:
        yield Paragraph(say("report.score_line", {"score": score_line(session.score, words)}))
    yield from _frame_blocks(session, words)
    yield from _longest_chart(session, words)
    if assessment is not None:
        yield from _finding_blocks(session, assessment, words)
    measures = tuple(computer_measures(session, words.reader))
    if measures:
        yield Heading(say("report.computer_did"))
        heads = say("report.measure"), say("report.value")
        yield Table(heads, measures, frozenset({1}))
    yield from _other_charts(session, words)
    yield from _computer_blocks(session, assessment, words)


def _basis(session: SessionSummary, words: ReportWords) -> str:
    parts = [words.say("report.recorded", {"time": length_words(session, words)})]
    if session.samples:
        parts.append(words.say("report.samples", {"count": session.samples}))
    if name := os.path.basename(session.path):
        parts.append(words.say("report.file_name", {"name": name}))
    return words.enumerated(parts)


def _frame_blocks(session: SessionSummary, words: ReportWords) -> Iterator[Block]:
    figures, say, numbers = session.frames, words.say, words.numbers
    if figures is None:
        return

    def rate(value: float) -> str:
        return numbers.figure(value, "fps")

    limits = {"times": MEDIAN_FACTOR, "least_ms": STUTTER_LEAST_MS}
    rows = (
        (say("report.frames"), numbers.number(figures.frames)),
        (say("report.average"), rate(figures.average_fps)),
        (say("report.low.p99"), rate(figures.low_1_percentile_fps)),
        (say("report.low.mean"), rate(figures.low_1_average_fps)),
        (say("report.low.tenth"), rate(figures.low_01_percentile_fps)),
        (say("report.median"), numbers.milliseconds(figures.median_ms)),
        (say("report.p95"), numbers.milliseconds(figures.p95_ms)),
        (say("report.p99"), numbers.milliseconds(figures.p99_ms)),
        (say("report.longest_frame"), numbers.milliseconds(figures.worst_ms)),
        (say("report.single.stutters"), numbers.number(session.frame_stutters)),
        (say("report.stutters", limits), numbers.number(figures.stutters)),
        (say("report.time_lost"), numbers.milliseconds(figures.hitch_ms)),
    )
    tool = origin_name(session.origin, words.reader)
    source = say("report.from_tool", {"tool": tool})
    yield Heading(say("report.frames"))
    yield Table((source, ""), rows, frozenset({1}))


def _longest_chart(session: SessionSummary, words: ReportWords) -> Iterator[Block]:
    """The longest frame, or without frames the latest wake-up, in each second."""
    say, curve = words.say, longest_curve(session, "")
    if not curve.x.size or np.isnan(curve.y).all():
        return
    title = (
        say("report.chart.latest_wake")
        if session.frames is None
        else say("report.chart.longest_frame")
    )
    worst = words.numbers.milliseconds(float(np.nanmax(curve.y)))
    was = say("report.chart.longest_was", {"worst": worst})
    shaded, dashed = "report.chart.shaded", "report.chart.dashed"
    text = beside_curves(session, words, was, shaded=shaded, dashed=dashed)
    bands, marks = bands_of(session, words), marks_of(session)
    yield Chart(title, text, (curve,), "ms", bands=bands, marks=marks)


def _other_charts(session: SessionSummary, words: ReportWords) -> Iterator[Block]:
    """What the computer did, as far as it did anything."""
    say, numbers = words.say, words.numbers
    for id_, title, unit in (
        ("memory.direct_pages_per_s", say("report.chart.direct_reclaim"), "/s"),
        ("disk.read_ms", say("report.chart.reads"), "ms"),
        ("disk.write_ms", say("report.chart.writes"), "ms"),
        ("pressure.memory_ms", say("report.chart.memory"), "ms"),
        ("memory.dirty_bytes", say("report.chart.unwritten"), "B"),
    ):
        series = session.seconds.get(id_)
        if series is None or not np.nansum(series) > 0:
            continue
        highest = float(np.nanmax(series))
        told = (
            numbers.of_metric(round(highest), "pages/s")
            if unit == "/s"
            else numbers.of_metric(highest, unit)
        )
        curve = Curve(title, np.arange(series.size, dtype=np.float64), series, "b")
        text = say("report.chart.at_most", {"value": told})
        yield Chart(title, text, (curve,), unit, bands=bands_of(session, words))


# --- findings --------------------------------------------------------------------------------


def _finding_blocks(
    session: SessionSummary, assessment: Assessment, words: ReportWords
) -> Iterator[Block]:
    say, cause = words.say, words.diagnosis.cause
    told = [each for each in assessment.findings if each.explains and not each.consequence_of]
    for finding in told:
        yield Heading(cause(named_as(finding)))
        yield Paragraph(words.diagnosis.explains(finding))
        with_it = [
            each
            for each in assessment.findings
            if each.consequence_of == finding.cause and each.stutters_explained
        ]
        yield Listing(tuple(_finding_lines(finding, with_it, session.start_ns, words)))
        advised = against(session.recommendations, finding.cause)
        if advised:
            yield _advice_table(advised, words)
    names = {each.cause for each in told}
    seen = [
        say("report.came_with", {"what": cause(named_as(each)), "cause": each.consequence_of})
        if each.consequence_of
        else cause(named_as(each))
        for each in assessment.findings
        if each.is_aside or (each.consequence_of and each.consequence_of not in names)
    ]
    if seen:
        is_open = assessment.is_game_unmeasured
        yield Heading(say("report.also_seen.open" if is_open else "report.also_seen"))
        yield Listing(tuple(seen))


def _finding_lines(
    finding: Finding, with_it: list[Finding], start_ns: int, words: ReportWords
) -> Iterator[str]:
    told = words.diagnosis
    yield told.seen(finding, start_ns)
    yield from map(told.evidence, finding.evidence)
    yield from map(told.culprit, finding.named)
    yield from map(words.reader.text, finding.reasons)
    first = remedy(finding)
    if first is not None:
        yield words.reader.text(first)
    yield from (told.came_along(each, told.cause(named_as(each))) for each in with_it)


def _advice_table(advised: Sequence[Recommendation], words: ReportWords) -> Table:
    say, value = words.say, words.setting_value
    heads = (
        say("report.setting"),
        say("report.was"),
        say("report.advised"),
        say("report.risk"),
        say("report.why"),
    )
    rows = tuple(
        (
            each.key,
            value(each.tunable, each.current),
            value(each.tunable, each.recommended),
            words.reader.text(each.risk_word),
            words.reader.text(each.reason),
        )
        for each in advised
    )
    return Table(heads, rows)


# --- the computer ----------------------------------------------------------------------------


def _computer_blocks(
    session: SessionSummary, assessment: Assessment | None, words: ReportWords
) -> Iterator[Block]:
    say = words.say
    table = machine_table(session, words)
    if table.rows:
        yield Heading(say("report.computer"))
        yield table
    if session.tunables:
        yield Heading(say("report.settings"))
        heads = say("report.setting"), say("report.value")
        yield Table(heads, tuple(sorted(session.tunables.items())))
    if assessment is not None and assessment.not_measured:
        yield Heading(say("report.not_measured"))
        yield Listing(
            tuple(
                say("report.missing", {"what": each.what, "why_sentence": each.why})
                for each in assessment.not_measured
            )
        )
