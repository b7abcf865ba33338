# SPDX-License-Identifier: GPL-3.0-or-later
"""What a report says of one session."""

import os
from collections.abc import Iterator
from datetime import UTC, datetime

import numpy as np

from destutter.bridge.report import words
from destutter.bridge.report.document import (
    Band,
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
from destutter.bridge.session_summary import SessionSummary
from destutter.diagnosis.finding import Assessment, Culprit, Evidence, Finding, VerdictKind
from destutter.diagnosis.wording import (
    CAUSE_NAMES,
    CONFIDENCE_NAMES,
    METRIC_NAMES,
    milliseconds,
    named_as,
    number,
    quantity,
    render,
    size,
)
from destutter.session.format import SUFFIX
from destutter.tuning.recommendation import against

_LONGEST_NAME = 40
_TONES = {
    VerdictKind.SMOOTH: Tone.GOOD,
    VerdictKind.HITCHES: Tone.PLAIN,
    VerdictKind.STUTTER: Tone.BAD,
    VerdictKind.UNEXPLAINED: Tone.BAD,
}
_CHARTS = (
    ("memory.direct_pages_per_s", "Direct reclaim: pages that programs freed themselves", "/s"),
    ("disk.read_ms", "Longest wait for reads in each second", "ms"),
    ("disk.write_ms", "Longest wait for writes in each second", "ms"),
    ("pressure.memory_ms", "Time lost to memory in each second", "ms"),
    ("memory.dirty_bytes", "Unwritten data", "B"),
)
_MACHINE = (
    ("distribution", "Distribution"),
    ("kernel", "Kernel"),
    ("cpu_model", "Processor"),
    ("cpus", "Threads"),
    ("gpus", "Graphics"),
    ("driver", "Graphics driver"),
    ("virtual_machine", "Virtual machine"),
    ("resolution", "Resolution"),
)
_KIB = 1024


def session_document(session: SessionSummary) -> ReportDocument:
    """The whole report of a session."""
    return ReportDocument(f"Destutter: {title_of(session)}", tuple(_blocks(session)))


def title_of(session: SessionSummary) -> str:
    """The game, or the file's name, with the day."""
    name = session.game or os.path.basename(session.path) or "this computer"
    return f"{name}, {day}" if (day := day_of(session)) else name


def day_of(session: SessionSummary) -> str:
    """The day and time (UTC) of the beginning; empty when unknown."""
    if not session.started_at:
        return ""
    try:
        moment = datetime.fromtimestamp(session.started_at, UTC)
    except (ValueError, OverflowError, OSError):  # a clock that no calendar has
        return ""
    return f"{moment:%Y-%m-%d %H:%M} UTC"


def curve_name(badge: str, session: SessionSummary) -> str:
    """How a legend names one of two: "A: first flight"."""
    name = os.path.basename(session.path).removesuffix(SUFFIX)
    if len(name) > _LONGEST_NAME:
        name = name[: _LONGEST_NAME - 1].rstrip() + "…"
    return f"{badge}: {name}" if name else badge


def longest_curve(session: SessionSummary, name: str, role: str = "a") -> Curve:
    """The longest frame, or without frames the latest wake-up, in each second."""
    id_ = "frame.worst_ms" if session.frames is not None else "wakeup.worst_ms"
    worst = session.seconds.get(id_, np.zeros(0))
    return Curve(name, np.arange(worst.size, dtype=np.float64), worst, role)


def bands_of(session: SessionSummary) -> tuple[Band, ...]:
    """The phases as bands of a graph."""
    return tuple(
        Band(words.PHASE_NAMES[span.phase], span.start_s, span.end_s) for span in session.phases
    )


def machine_table(session: SessionSummary) -> Table:
    """The computer."""
    rows = []
    for key, name in _MACHINE:
        told = session.header.machine.get(key)
        if told:
            text = ", ".join(map(str, told)) if isinstance(told, list) else str(told)
            rows.append((name, text))
    memory = session.header.machine.get("memory_kib")
    if isinstance(memory, int):
        rows.append(("Memory", size(memory * _KIB)))
    return Table(("Computer", ""), tuple(rows))


def _blocks(session: SessionSummary) -> Iterator[Block]:
    assessment = session.assessment
    if assessment is not None:
        verdict = assessment.verdict
        yield Paragraph(render(verdict.headline), _TONES.get(verdict.kind, Tone.PLAIN))
        yield Paragraph(" ".join(map(render, verdict.below)))
    yield Paragraph(_basis(session), Tone.NOTE)
    yield from (Paragraph(words.WARNINGS[each], Tone.NOTE) for each in session.artefacts)
    yield from (Paragraph(problem, Tone.NOTE) for problem in session.problems)
    if session.score is not None:
        yield Paragraph(f"Score: {words.score_line(session.score)}.")
    yield from _frame_blocks(session)
    yield from _longest_chart(session)
    if assessment is not None:
        yield from _finding_blocks(session, assessment)
    yield from _other_charts(session)
    yield from _computer_blocks(session, assessment)


def _basis(session: SessionSummary) -> str:
    file = os.path.basename(session.path)
    parts = [f"{words.length_words(session)} were measured"]
    if session.samples:
        parts.append(f"{number(session.samples)} samples")
    if file:
        parts.append(f"file {file}")
    return ", ".join(parts) + "."


def _frame_blocks(session: SessionSummary) -> Iterator[Block]:
    figures = session.frames
    if figures is None:
        return
    yield Heading("Frames")
    rows = (
        ("Frames", number(figures.frames)),
        ("Average", f"{number(figures.average_fps, 1)} fps"),
        ("1 % low, by the 99th percentile", f"{number(figures.low_1_percentile_fps, 1)} fps"),
        ("1 % low, mean of the slowest 1 %", f"{number(figures.low_1_average_fps, 1)} fps"),
        ("0.1 % low, by percentile", f"{number(figures.low_01_percentile_fps, 1)} fps"),
        ("Usual frame (median)", milliseconds(figures.median_ms)),
        ("95 % of the frames are below", milliseconds(figures.p95_ms)),
        ("99 % of the frames are below", milliseconds(figures.p99_ms)),
        ("Longest frame", milliseconds(figures.worst_ms)),
        ("Frames over 2.5 times the usual and over 20 ms", number(figures.stutters)),
        ("Time lost in them", milliseconds(figures.hitch_ms)),
    )
    source = words.ORIGIN_NAMES.get(session.origin or "", session.origin or "")
    yield Table((f"From {source}", ""), rows, frozenset({1}))


def _longest_chart(session: SessionSummary) -> Iterator[Block]:
    what = "frame" if session.frames is not None else "wake-up delay"
    curve = longest_curve(session, what)
    if curve.x.size and not np.isnan(curve.y).all():
        worst = milliseconds(float(np.nanmax(curve.y)))
        yield Chart(
            f"Longest {what} in each second",
            f"The longest was {worst}. Shaded: phases. Dashed: markers.",
            (curve,),
            "ms",
            bands=bands_of(session),
            marks=tuple((marker.at_s, marker.text) for marker in session.markers),
        )


def _other_charts(session: SessionSummary) -> Iterator[Block]:
    """What the computer did, as far as it did anything."""
    for id_, title, unit in _CHARTS:
        series = session.seconds.get(id_)
        if series is None or not np.nansum(series) > 0:
            continue
        highest = float(np.nanmax(series))
        told = number(highest) + " pages/s" if unit == "/s" else quantity(highest, unit)
        x = np.arange(series.size, dtype=np.float64)
        yield Chart(
            title,
            f"At most {told}.",
            (Curve(title, x, series, "b"),),
            unit,
            bands=bands_of(session),
        )


def _finding_blocks(session: SessionSummary, assessment: Assessment) -> Iterator[Block]:
    for finding in assessment.findings:
        if not finding.explains or finding.consequence_of:
            continue
        yield Heading(CAUSE_NAMES[named_as(finding)])
        yield Paragraph(_explains(finding))
        with_it = tuple(
            f"came with it at {each.stutters_explained} of {each.stutters_total}: "
            f"{CAUSE_NAMES[named_as(each)]}"
            for each in assessment.findings
            if each.consequence_of == finding.cause and each.stutters_explained
        )
        yield Listing((*_finding_lines(finding, session.start_ns), *with_it))
        advised = against(session.recommendations, finding.cause)
        if advised:
            rows = tuple(
                (each.key, each.current, each.recommended, each.risk, each.reason)
                for each in advised
            )
            yield Table(("Setting", "Was", "Advised", "Risk", "Why"), rows)
    seen = [each for each in assessment.findings if each.is_aside]
    if seen:
        yield Heading("Also seen, but it explains nothing")
        yield Listing(tuple(CAUSE_NAMES[named_as(each)] for each in seen))


def _explains(finding: Finding) -> str:
    told = []
    if finding.stutters_total:
        told.append(f"{finding.stutters_explained} of {finding.stutters_total} stutters")
    if finding.hitches_explained:
        told.append(f"{finding.hitches_explained} of {finding.hitches_total} hitches")
    if not told:
        return "It happened, but there was no stutter."
    explained = " and ".join(told)
    return f"Explains {explained}. Confidence: {CONFIDENCE_NAMES[finding.confidence]}."


def _finding_lines(finding: Finding, start_ns: int) -> Iterator[str]:
    first_s, last_s = ((at - start_ns) / 1e9 for at in (finding.first_ns, finding.last_ns))
    yield f"seen from {words.clock(first_s)} to {words.clock(last_s)}"
    yield from (_evidence(each) for each in finding.evidence)
    yield from (_culprit(each) for each in finding.culprits)
    yield from (render(reason) for reason in finding.reasons)


def _evidence(evidence: Evidence) -> str:
    name = METRIC_NAMES.get(evidence.metric, evidence.metric)
    of = f" ({evidence.instance})" if evidence.instance else ""
    value, limit = (quantity(each, evidence.unit) for each in (evidence.value, evidence.threshold))
    return f"{name}{of}: {value}, counts from {limit}"


def _culprit(culprit: Culprit) -> str:
    return f"{culprit.what} {culprit.comm}" + (f", {render(culprit.why)}" if culprit.why else "")


def _computer_blocks(session: SessionSummary, assessment: Assessment | None) -> Iterator[Block]:
    table = machine_table(session)
    if table.rows:
        yield Heading("The computer")
        yield table
    if session.tunables:
        yield Heading("Settings at the start")
        yield Table(("Setting", "Value"), tuple(sorted(session.tunables.items())))
    if assessment is not None and assessment.not_measured:
        yield Heading("Not measured")
        yield Listing(tuple(f"{each.what}: {each.why}" for each in assessment.not_measured))
