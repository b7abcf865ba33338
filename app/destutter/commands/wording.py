# SPDX-License-Identifier: GPL-3.0-or-later
"""Assessments as lines of text and as JSON."""

from typing import Any

from destutter.diagnosis.finding import (
    Assessment,
    Culprit,
    Evidence,
    Finding,
    GroupState,
    TileState,
)
from destutter.diagnosis.wording import named_as
from destutter.words.renderer import english, renderer

_STATES = {
    TileState.CLEAR: "clear",
    TileState.WATCH: "watch",
    TileState.CAUSING: "causing stutter",
    TileState.NOT_MEASURED: "not measured",
}


def verdict_line(assessment: Assessment) -> str:
    """Verdict and the five groups in one line."""
    groups = ", ".join(
        f"{renderer().named('group', group.group.value)} {_STATES[group.state]}"
        for group in assessment.groups
    )
    return f"{english(assessment.verdict.headline)}  [{groups}]"


def verdict_json(assessment: Assessment) -> dict[str, Any]:
    """Kind and sentences of the verdict."""
    verdict = assessment.verdict
    return {
        "kind": verdict.kind.value,
        "headline": english(verdict.headline),
        "detail": " ".join(map(english, verdict.below)),
    }


def groups_json(groups: tuple[GroupState, ...]) -> dict[str, Any]:
    """State and reason of each group, by its id."""
    return {
        group.group.value: {"state": group.state.value, "reason": english(group.reason)}
        for group in groups
    }


def finding_lines(finding: Finding, start_ns: int) -> list[str]:
    """A finding as a small block of lines; times are seconds since ``start_ns``."""
    name = renderer().named("cause", named_as(finding))
    first_s, last_s = (finding.first_ns - start_ns) / 1e9, (finding.last_ns - start_ns) / 1e9
    explained = f"{finding.stutters_explained} of {finding.stutters_total}"
    if not finding.stutters_total:
        explained = "nothing, for there was no stutter"
    if finding.hitches_explained:
        hitches = f"{finding.hitches_explained} of {finding.hitches_total} hitches"
        explained = f"{explained}, {hitches}" if finding.stutters_explained else hitches
    confidence = renderer().named("confidence", finding.confidence.value)
    lines = [
        f"{name} ({finding.cause})",
        f"  explains {explained}, confidence {confidence}",
        f"  seen from {first_s:.1f} s to {last_s:.1f} s",
    ]
    lines += [f"  {_evidence_line(evidence)}" for evidence in finding.evidence]
    lines += [f"  {_culprit_line(culprit)}" for culprit in finding.culprits]
    lines += [f"  {english(reason)}" for reason in finding.reasons]
    return lines


def consequence_line(finding: Finding) -> str:
    """A finding that only came with the one above it."""
    explained = f"{finding.stutters_explained} of {finding.stutters_total}"
    name = renderer().named("cause", named_as(finding))
    return f"  came with it at {explained}: {name} ({finding.cause})"


def aside_line(finding: Finding, start_ns: int) -> str:
    """A finding that explains nothing; times are seconds since ``start_ns``."""
    first_s, last_s = (finding.first_ns - start_ns) / 1e9, (finding.last_ns - start_ns) / 1e9
    name = f"{renderer().named('cause', named_as(finding))} ({finding.cause})"
    return f"  {name}, from {first_s:.1f} s to {last_s:.1f} s"


def _evidence_line(evidence: Evidence) -> str:
    name = renderer().named("metric", evidence.metric)
    of = f" ({evidence.instance})" if evidence.instance else ""
    value, limit = (
        renderer().quantity(number, evidence.unit)
        for number in (evidence.value, evidence.threshold)
    )
    return f"{name}{of}: {value}, counts from {limit}"


def _culprit_line(culprit: Culprit) -> str:
    number = f" {culprit.pid}" if culprit.pid is not None else ""
    why = f", {english(culprit.why)}" if culprit.why else ""
    return f"by {culprit.what}{number} {culprit.comm}{why}"
