# SPDX-License-Identifier: GPL-3.0-or-later
"""What a report says of one session."""

import os
from collections.abc import Iterator, Sequence

import numpy as np

from destutter.analysis.examining.summary import SessionSummary
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
    computer_measures,
    longest_curve,
    machine_table,
    marks_of,
    origin_name,
    score_line,
    title_of,
    verdict_texts,
)
from destutter.diagnosis.finding import Assessment, Evidence, Finding, VerdictKind
from destutter.diagnosis.remedy import remedy
from destutter.diagnosis.wording import named_as
from destutter.tuning.recommendation import Recommendation, against

_TONES = {
    VerdictKind.SMOOTH: Tone.GOOD,
    VerdictKind.HITCHES: Tone.PLAIN,
    VerdictKind.STUTTER: Tone.BAD,
    VerdictKind.UNEXPLAINED: Tone.BAD,
}


def session_document(session: SessionSummary, words: ReportWords) -> ReportDocument:
    """The whole report of a session."""
    return ReportDocument(f"Destutter: {title_of(session, words)}", tuple(_blocks(session, words)))


def _blocks(session: SessionSummary, words: ReportWords) -> Iterator[Block]:
    assessment, translate = session.assessment, words.translate
    headline, detail = verdict_texts(session, translate, words.diagnosis)
    kind = VerdictKind.NOT_MEASURED if assessment is None else assessment.verdict.kind
    yield Paragraph(headline, _TONES.get(kind, Tone.PLAIN))
    yield Paragraph(detail)
    yield Paragraph(_basis(session, words), Tone.NOTE)
    for text in (
        *map(words.warning, session.artefacts),
        *map(words.diagnosis.sentence, session.problems),
    ):
        yield Paragraph(text, Tone.NOTE)
    if session.score is not None:
        score = translate("Report", "Score: {score}.")
        yield Paragraph(score.format(score=score_line(session.score, words)))
    yield from _frame_blocks(session, words)
    yield from _longest_chart(session, words)
    if assessment is not None:
        yield from _finding_blocks(session, assessment, words)
    measures = tuple(computer_measures(session, translate, words.numbers))
    if measures:
        yield Heading(translate("Report", "What the computer did"))
        heads = translate("Sessions", "Measure"), translate("Sessions", "Value")
        yield Table(heads, measures, frozenset({1}))
    yield from _other_charts(session, words)
    yield from _computer_blocks(session, assessment, words)


def _basis(session: SessionSummary, words: ReportWords) -> str:
    translate = words.translate
    time = words.numbers.span(session.duration_s)
    parts = [translate("Report", "{time} recorded").format(time=time)]
    if session.samples:
        count = words.numbers.number(session.samples)
        parts.append(translate("Report", "{count} samples").format(count=count))
    if name := os.path.basename(session.path):
        parts.append(translate("Report", "file {name}").format(name=name))
    return words.enumerated(parts)


def _frame_blocks(session: SessionSummary, words: ReportWords) -> Iterator[Block]:
    figures, translate, numbers = session.frames, words.translate, words.numbers
    if figures is None:
        return

    def rate(value: float) -> str:
        return numbers.with_unit(numbers.number(value, 1), translate("Units", "fps"))

    rows = (
        (translate("Report", "Frames"), numbers.number(figures.frames)),
        (translate("Report", "Average"), rate(figures.average_fps)),
        (
            translate("Report", "1 % low, by the 99th percentile"),
            rate(figures.low_1_percentile_fps),
        ),
        (
            translate("Report", "1 % low, mean of the slowest 1 %"),
            rate(figures.low_1_average_fps),
        ),
        (translate("Report", "0.1 % low, by percentile"), rate(figures.low_01_percentile_fps)),
        (translate("Report", "Usual frame (median)"), numbers.milliseconds(figures.median_ms)),
        (
            translate("Report", "95 % of the frames are below"),
            numbers.milliseconds(figures.p95_ms),
        ),
        (
            translate("Report", "99 % of the frames are below"),
            numbers.milliseconds(figures.p99_ms),
        ),
        (translate("Report", "Longest frame"), numbers.milliseconds(figures.worst_ms)),
        (
            translate("Report", "Frames over 2.5 times the usual and over 20 ms"),
            numbers.number(figures.stutters),
        ),
        (translate("Report", "Time lost in them"), numbers.milliseconds(figures.hitch_ms)),
    )
    source = translate("Report", "From {tool}").format(tool=origin_name(session.origin, translate))
    yield Heading(translate("Report", "Frames"))
    yield Table((source, ""), rows, frozenset({1}))


def _longest_chart(session: SessionSummary, words: ReportWords) -> Iterator[Block]:
    """The longest frame, or without frames the latest wake-up, in each second."""
    translate, curve = words.translate, longest_curve(session, "")
    if not curve.x.size or np.isnan(curve.y).all():
        return
    title = (
        translate("Report", "Latest wake-up in each second")
        if session.frames is None
        else translate("Report", "Longest frame in each second")
    )
    text = translate("Report", "The longest was {worst}. Shaded: phases. Dashed: markers.")
    worst = words.numbers.milliseconds(float(np.nanmax(curve.y)))
    bands, marks = bands_of(session, words), marks_of(session)
    yield Chart(title, text.format(worst=worst), (curve,), "ms", bands=bands, marks=marks)


def _other_charts(session: SessionSummary, words: ReportWords) -> Iterator[Block]:
    """What the computer did, as far as it did anything."""
    translate, numbers = words.translate, words.numbers
    for id_, title, unit in (
        (
            "memory.direct_pages_per_s",
            translate("Report", "Direct reclaim: pages that programs freed themselves"),
            "/s",
        ),
        ("disk.read_ms", translate("Report", "Longest wait for reads in each second"), "ms"),
        ("disk.write_ms", translate("Report", "Longest wait for writes in each second"), "ms"),
        ("pressure.memory_ms", translate("Report", "Time lost to memory in each second"), "ms"),
        ("memory.dirty_bytes", translate("Report", "Unwritten data"), "B"),
    ):
        series = session.seconds.get(id_)
        if series is None or not np.nansum(series) > 0:
            continue
        highest = float(np.nanmax(series))
        told = (
            numbers.with_unit(numbers.number(highest), translate("Units", "pages/s"))
            if unit == "/s"
            else numbers.of_metric(highest, unit)
        )
        curve = Curve(title, np.arange(series.size, dtype=np.float64), series, "b")
        text = translate("Report", "At most {value}.").format(value=told)
        yield Chart(title, text, (curve,), unit, bands=bands_of(session, words))


# --- findings --------------------------------------------------------------------------------


def _finding_blocks(
    session: SessionSummary, assessment: Assessment, words: ReportWords
) -> Iterator[Block]:
    translate, cause = words.translate, words.diagnosis.cause
    told = [each for each in assessment.findings if each.explains and not each.consequence_of]
    for finding in told:
        yield Heading(cause(named_as(finding)))
        yield Paragraph(_explains(finding, words))
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
    came_with = translate("Report", "{what}: came with {cause}")
    seen = [
        came_with.format(what=cause(named_as(each)), cause=cause(each.consequence_of))
        if each.consequence_of
        else cause(named_as(each))
        for each in assessment.findings
        if each.is_aside or (each.consequence_of and each.consequence_of not in names)
    ]
    if seen:
        yield Heading(translate("Report", "Also seen, but it explains nothing"))
        yield Listing(tuple(seen))


def _explains(finding: Finding, words: ReportWords) -> str:
    translate, number = words.translate, words.numbers.number
    if finding.stutters_total and finding.hitches_explained:
        text = translate(
            "Report",
            "Explains {count} of {total} stutters and {hitches} of {all_hitches} hitches. "
            "Confidence: {word}.",
        )
    elif finding.stutters_total:
        text = translate("Report", "Explains {count} of {total} stutters. Confidence: {word}.")
    elif finding.hitches_explained:
        text = translate(
            "Report", "Explains {hitches} of {all_hitches} hitches. Confidence: {word}."
        )
    else:
        return translate("Report", "It happened, but there was no stutter.")
    return text.format(
        count=number(finding.stutters_explained),
        total=number(finding.stutters_total),
        hitches=number(finding.hitches_explained),
        all_hitches=number(finding.hitches_total),
        word=words.diagnosis.confidence(finding.confidence),
    )


def _finding_lines(
    finding: Finding, with_it: list[Finding], start_ns: int, words: ReportWords
) -> Iterator[str]:
    translate, clock = words.translate, words.numbers.minutes_seconds
    first_s, last_s = ((at - start_ns) / 1e9 for at in (finding.first_ns, finding.last_ns))
    seen = translate("Report", "seen from {first} to {last}")
    yield seen.format(first=clock(first_s), last=clock(last_s))
    yield from (_evidence(each, words) for each in finding.evidence)
    yield from map(words.diagnosis.culprit, finding.culprits)
    yield from map(words.diagnosis.text, finding.reasons)
    first = remedy(finding)
    if first is not None:
        yield words.diagnosis.text(first)
    came = translate("Report", "came with it at {count} of {total}: {cause}")
    for each in with_it:
        yield came.format(
            count=words.numbers.number(each.stutters_explained),
            total=words.numbers.number(each.stutters_total),
            cause=words.diagnosis.cause(named_as(each)),
        )


def _evidence(evidence: Evidence, words: ReportWords) -> str:
    told = words.diagnosis
    return words.translate("Report", "{what}: {value}, counts from {limit}").format(
        what=told.metric(evidence), value=told.value(evidence), limit=told.threshold(evidence)
    )


def _advice_table(advised: Sequence[Recommendation], words: ReportWords) -> Table:
    translate, value = words.translate, words.setting_value
    heads = (
        translate("Report", "Setting"),
        translate("Report", "Was"),
        translate("Report", "Advised"),
        translate("Report", "Risk"),
        translate("Report", "Why"),
    )
    rows = tuple(
        (
            each.key,
            value(each.tunable, each.current),
            value(each.tunable, each.recommended),
            words.diagnosis.text(each.risk_word),
            words.diagnosis.text(each.reason),
        )
        for each in advised
    )
    return Table(heads, rows)


# --- the computer ----------------------------------------------------------------------------


def _computer_blocks(
    session: SessionSummary, assessment: Assessment | None, words: ReportWords
) -> Iterator[Block]:
    translate = words.translate
    table = machine_table(session, words)
    if table.rows:
        yield Heading(translate("Report", "The computer"))
        yield table
    if session.tunables:
        yield Heading(translate("Report", "Settings at the start"))
        heads = translate("Report", "Setting"), translate("Report", "Value")
        yield Table(heads, tuple(sorted(session.tunables.items())))
    if assessment is not None and assessment.not_measured:
        yield Heading(translate("Report", "Not measured"))
        text = translate("Report", "{what}: {why}")
        yield Listing(
            tuple(
                text.format(
                    what=words.diagnosis.text(each.what), why=words.diagnosis.sentence(each.why)
                )
                for each in assessment.not_measured
            )
        )
