# SPDX-License-Identifier: GPL-3.0-or-later
"""What was found in a whole session, as lines and for programs."""

from typing import Any

from destutter.analysis.examining.summary import SessionSummary
from destutter.analysis.report.comparison_words import warning
from destutter.analysis.report.said_of_sessions import (
    origin_name,
    phase_line,
    score_line,
    unplayed_line,
    verdict_texts,
)
from destutter.analysis.report.terminal_words import terminal_words
from destutter.commands.advice import advice_line, apply_line
from destutter.commands.session_json import session_json
from destutter.commands.wording import (
    aside_line,
    consequence_line,
    finding_lines,
    not_measured_lines,
    remedy_line,
)
from destutter.core.statement import Statement, Value, plain_statement
from destutter.diagnosis.finding import Assessment, Finding, VerdictKind
from destutter.diagnosis.findings.time_lost import told_as_lost
from destutter.diagnosis.lost_time import TimeLost
from destutter.diagnosis.remedy import remedy
from destutter.diagnosis.runs.frame_statistics import FrameStatistics
from destutter.diagnosis.verdict.verdict_basis import WARM_UP_NS
from destutter.tuning.recommendation import Recommendation, against
from destutter.words.renderer import Renderer, english, renderer

_LEAST_PHASES_S = 180.0  # less is warm-up and nothing else (diagnosis/runs/phases.py)
_ONLY_FRAMES = "a frame log alone holds frame times, and nothing about the computer"


def diagnosis_json(session: SessionSummary) -> dict[str, Any]:
    """What was found, in the shape that the command's users rely on."""
    assessment = session.assessment
    headline, detail = verdict_texts(session, renderer())
    told: dict[str, Any] = {
        "duration_s": round(session.duration_s, 3),
        "samples": session.samples,
        "frames": {
            "source": session.origin,
            "count": int(session.frame_ms.size),
            "stutters": _stutters(session),
            "hitches": 0 if assessment is None else len(assessment.hitches),
        },
        "verdict": VerdictKind.NOT_MEASURED.value,
        "headline": headline,
        "detail": detail,
        # The same with ids, for programs: who kept the game without being a finding stands in it.
        "told": None,
        "time_lost": None,
        "findings": [],
        "not_measured": [{"what": "Causes", "why": _ONLY_FRAMES}],
    }
    if assessment is not None:
        told["verdict"] = assessment.verdict.kind.value
        told["told"] = {
            "headline": plain_statement(assessment.verdict.headline),
            "detail": plain_statement(assessment.verdict.detail),
        }
        told["time_lost"] = {
            **time_lost_json(assessment.lost),
            "stutters": [
                {
                    "at_s": round((spike.monotonic_ns - session.start_ns) / 1e9, 3),
                    "cause": spike.cause,
                    **time_lost_json(lost),
                }
                for spike, lost in zip(assessment.spikes, assessment.lost.of_each, strict=True)
            ],
        }
        told["findings"] = [_finding_json(finding, session) for finding in assessment.findings]
        told["not_measured"] = [
            {"what": english(each.what), "why": renderer().sentence(each.why)}
            for each in assessment.not_measured
        ]
    return {**told, "session": session_json(session)}


def time_lost_json(lost: TimeLost) -> dict[str, Any]:
    """Milliseconds of all stutters and of each part; the parts add up to the whole."""
    parts = {name: round(part_ms, 3) for name, part_ms in lost.parts.items()}
    return {
        "total_ms": round(lost.total_ms, 3),
        "parts_ms": parts,
        "traced_ms": round(lost.traced_ms, 3),
    }


def diagnosis_lines(
    session: SessionSummary, words: Renderer, *, is_verbose: bool = False
) -> list[str]:
    """What was found, as lines for people; with all that was not measured where it is verbose."""
    assessment = session.assessment
    if assessment is None:
        lines = session_lines(session, words)[1:]
        return [*lines, "", words.text(Statement("terminal.only_frames"))]
    lines = verdict_lines(assessment, session.duration_s, words)
    answers = [each for each in assessment.findings if each.explains and not each.consequence_of]
    told: set[str] = set()
    for finding in answers:
        lines += ["", *finding_lines(finding, session.start_ns, words)]
        lines += [
            consequence_line(each, words)
            for each in assessment.findings
            if each.consequence_of == finding.cause and each.stutters_explained
        ]
        first = remedy_line(finding, assessment.verdict, words)
        # Several findings can be about one program on one drive.
        lines += [first] if first and first not in told else []
        told.add(first)
        lines += [
            advice_line(each, words) for each in against(session.recommendations, finding.cause)
        ]
    lines += _also_seen(assessment, session.start_ns, words)
    lines += session_lines(session, words)
    lines += not_measured_lines(assessment, words, is_verbose=is_verbose)
    values: dict[str, Value] = {"samples": session.samples, "seconds": f"{session.duration_s:.0f}"}
    lines += ["", words.text(Statement("terminal.samples", values))]
    # The last line is what somebody copies.
    return lines + _what_to_change(assessment, session.recommendations, words)


def _also_seen(assessment: Assessment, start_ns: int, words: Renderer) -> list[str]:
    """What was there and met nothing that was felt: no cause, and nothing to change for."""
    seen = [each for each in assessment.findings if each.is_aside]
    if not seen:
        return []
    # Without frames and a pace nobody knows of a game that it did not stutter.
    is_open = assessment.is_game_unmeasured
    title = Statement("terminal.also_seen.open" if is_open else "terminal.also_seen")
    return [
        "",
        words.text(title),
        *(aside_line(each, start_ns, words) for each in seen),
    ]


def session_lines(session: SessionSummary, words: Renderer) -> list[str]:
    """Frames, phases and score, as far as there are any; a blank line before them."""
    lines, report = [], terminal_words(words.language)
    if session.frames is not None:
        lines.append(words.text(_frames_said(session.frames, session.origin, words)))
    lines += [f"  {warning(each, report)}" for each in session.artefacts]
    if session.told_phases and session.duration_s >= _LEAST_PHASES_S:
        phases = phase_line(session, report)
        lines.append(words.text(Statement("terminal.phases", {"phases": phases})))
    if session.unplayed:
        spans = unplayed_line(session, report)
        lines.append(words.text(Statement("report.unplayed", {"spans": spans})))
    if session.score is not None:
        score = score_line(session.score, report)
        lines.append(words.text(Statement("terminal.score", {"score": score})))
    return ["", *lines] if lines else []


def verdict_lines(assessment: Assessment, duration_s: float, words: Renderer) -> list[str]:
    """The verdict in two lines; one when there is too little to judge."""
    if assessment.verdict.kind is VerdictKind.MEASURING:
        needed = WARM_UP_NS // 1_000_000_000
        values: dict[str, Value] = {"seconds": f"{duration_s:.0f}", "needed": needed}
        return [words.text(Statement("terminal.too_short", values))]
    verdict = assessment.verdict
    lost = told_as_lost(assessment.lost)
    said = (*verdict.below, *(() if lost is None else (lost,)))
    return [words.text(verdict.headline), words.sentences(map(words.text, said))]


def _frames_said(figures: FrameStatistics, origin: str | None, words: Renderer) -> Statement:
    figure = words.measures.figure
    return Statement(
        "terminal.frames",
        {
            "count": figures.frames,
            "origin": origin_name(origin, words),
            "average": figure(figures.average_fps),
            "low": figure(figures.low_1_percentile_fps),
            "low_mean": figure(figures.low_1_average_fps),
            "worst_ms": figures.worst_ms,
        },
    )


def _stutters(session: SessionSummary) -> int:
    if session.assessment is not None:
        return len(session.assessment.spikes)
    return 0 if session.frames is None else session.frames.stutters


def _finding_json(finding: Finding, session: SessionSummary) -> dict[str, Any]:
    first = remedy(finding)
    return {
        "cause": finding.cause,
        "confidence": finding.confidence.value,
        "consequence_of": finding.consequence_of or None,
        "stutters_explained": finding.stutters_explained,
        "stutters_total": finding.stutters_total,
        "lost_ms": round(finding.lost_ms, 3),
        "hitches_explained": finding.hitches_explained,
        "hitches_total": finding.hitches_total,
        "first_s": round((finding.first_ns - session.start_ns) / 1e9, 3),
        "last_s": round((finding.last_ns - session.start_ns) / 1e9, 3),
        "evidence": [
            {
                "metric": each.metric,
                "unit": each.unit,
                "value": each.value,
                "threshold": each.threshold,
            }
            for each in finding.evidence
        ],
        "culprits": [
            {
                "pid": each.pid,
                "comm": each.comm,
                "what": each.what,
                "why": None if each.told is None else english(each.told),
                "started_by": each.starter or None,
            }
            for each in finding.culprits
        ],
        "reasons": [english(each) for each in finding.reasons],
        "remedy": None if first is None else english(first),
        "recommendations": [
            {
                "tunable": each.tunable,
                "device": each.device or None,
                "current": each.current,
                "recommended": each.recommended,
                "reason": english(each.reason),
                "risk": each.risk,
            }
            for each in against(session.recommendations, finding.cause)
        ],
    }


def _what_to_change(
    assessment: Assessment, advice: tuple[Recommendation, ...], words: Renderer
) -> list[str]:
    causes = [finding.cause for finding in assessment.findings if finding.is_answer]
    bearing = [each for each in advice if set(each.causes).intersection(causes)]
    is_second = any(remedy(finding) is not None for finding in assessment.findings)
    told = Statement(
        "tuning.advice.change.then" if is_second else "tuning.advice.change",
        {"command": apply_line(bearing)},
    )
    return ["", words.text(told)] if bearing else []
