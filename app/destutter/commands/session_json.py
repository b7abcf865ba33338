# SPDX-License-Identifier: GPL-3.0-or-later
"""Sessions and comparisons for programs."""

import math
from dataclasses import asdict
from typing import Any

from destutter.analysis.comparing.comparison import Comparison, Row
from destutter.analysis.comparing.confirmation import Confirmation
from destutter.analysis.examining.summary import SessionSummary
from destutter.analysis.report.comparison_words import detail, headline, row_name
from destutter.analysis.report.confirmation_words import confirmation_detail, confirmation_headline
from destutter.analysis.report.terminal_words import terminal_words
from destutter.diagnosis.runs.frame_statistics import FrameStatistics
from destutter.words.renderer import renderer


def session_json(session: SessionSummary) -> dict[str, Any]:
    """What a session was like: frames, phases, markers, score; None where not measured."""
    return {
        "game": session.game or None,
        "origin": session.origin,
        "frame_statistics": None if session.frames is None else _frames(session.frames),
        "artefacts": list(session.artefacts),
        "rejected_rows": session.rejected_rows,
        "phases": [
            {"phase": span.phase.value, "start_s": span.start_s, "end_s": span.end_s}
            for span in session.told_phases
        ],
        "unplayed": [
            {
                "why": span.kind.value,
                "start_s": round((span.start_ns - session.start_ns) / 1e9, 3),
                "end_s": round((span.end_ns - session.start_ns) / 1e9, 3),
            }
            for span in session.unplayed
        ],
        "markers": [{"at_s": round(each.at_s, 3), "text": each.text} for each in session.markers],
        "score": None if session.score is None else rounded(asdict(session.score)),
    }


def _frames(figures: FrameStatistics) -> dict[str, Any]:
    """Its long frames are no stutters, of which ``frames.stutters`` has the one count."""
    told: dict[str, Any] = rounded(asdict(figures))
    told["long_frames"] = told.pop("stutters")
    return told


def comparison_json(comparison: Comparison) -> dict[str, Any]:
    """A comparison in the shape that the command's users rely on.

    With further runs of each side it also has what all of them confirm.
    """
    all_runs = comparison.confirmation
    told = {} if all_runs is None else {"confirmation": _confirmation(all_runs)}
    return {
        "verdict": comparison.outcome.value,
        "reason": comparison.reason.value or None,
        "headline": headline(comparison, terminal_words()),
        "detail": detail(comparison, terminal_words()),
        "primary": None if comparison.primary is None else comparison.primary.id,
        "warnings": list(comparison.warnings),
        "a": _side(comparison.a),
        "b": _side(comparison.b),
        "phases_compared": [phase.value for phase in comparison.phases_compared],
        "rows": [_row(row) for row in comparison.rows],
        "phases": [
            {
                "phase": each.phase.value,
                "minutes_a": each.minutes_a,
                "minutes_b": each.minutes_b,
                "rows": [_row(row) for row in each.rows],
            }
            for each in comparison.phases
        ],
        "differences": [asdict(each) for each in comparison.differences],
        **told,
    }


def _confirmation(all_runs: Confirmation) -> dict[str, Any]:
    told: dict[str, Any] = rounded(
        {
            "verdict": all_runs.outcome.value,
            "headline": confirmation_headline(all_runs, terminal_words()),
            "detail": confirmation_detail(all_runs, terminal_words()),
            "runs_a": all_runs.runs_a,
            "runs_b": all_runs.runs_b,
            "rows": [
                {
                    "id": row.id,
                    "name": row_name(row.id, terminal_words()),
                    "a": row.rate_a,
                    "b": row.rate_b,
                    "chance": row.chance,
                    "dispersion": row.dispersion,
                    "verdict": row.outcome.value,
                }
                for row in all_runs.rows
            ],
        }
    )
    return told


def rounded(value: Any) -> Any:
    """The same with numbers of six figures; None for what JSON has no number for."""
    if isinstance(value, dict):
        return {key: rounded(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(each) for each in value]
    if isinstance(value, float):
        return float(f"{value:.6g}") if math.isfinite(value) else None
    return value


def _side(session: SessionSummary) -> dict[str, Any]:
    return {
        "file": session.path,
        "duration_s": round(session.duration_s, 3),
        "started_at": session.started_at,
        **session_json(session),
        "problems": [renderer().sentence(each) for each in session.problems],
    }


def _row(row: Row) -> dict[str, Any]:
    compared = row.compared
    interval = None
    if compared is not None and compared.low is not None:
        interval = [compared.low, compared.high]
    told: dict[str, Any] = rounded(
        {
            "id": row.id,
            "name": row_name(row.id, terminal_words()),
            "unit": row.unit,
            "a": row.a,
            "b": row.b,
            "change": row.change.value,
            "change_pct": row.change_pct,
            "more_is_better": row.more_is_better,
            "ratio": None if compared is None else compared.ratio,
            "interval": interval,
            "reason": None if compared is None else compared.reason.value or None,
        }
    )
    return told
