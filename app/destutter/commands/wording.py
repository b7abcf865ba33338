# SPDX-License-Identifier: GPL-3.0-or-later
"""Assessments as lines of text, in the language of the terminal, and as JSON, which is English."""

from collections import Counter
from typing import Any

from destutter.core.statement import Statement, Value
from destutter.diagnosis.finding import BUSY, Assessment, Culprit, Evidence, Finding, GroupState
from destutter.diagnosis.remedy import remedy
from destutter.diagnosis.wording import named_as
from destutter.words.renderer import Renderer, english


def verdict_line(assessment: Assessment, words: Renderer) -> str:
    """Verdict and the five groups in one line."""
    groups = ", ".join(words.text(_state(group, words)) for group in assessment.groups)
    verdict = assessment.verdict.headline
    return words.text(Statement("terminal.verdict", {"verdict": verdict, "groups": groups}))


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


def finding_lines(finding: Finding, start_ns: int, words: Renderer) -> list[str]:
    """A finding as a small block of lines; times are seconds since ``start_ns``."""
    explains: dict[str, Value] = {
        "explained": _explained(finding),
        "confidence": finding.confidence.value,
    }
    # That somebody filled a drive meanwhile explains nothing yet.
    is_busy = finding.kind == BUSY
    told = [
        Statement("terminal.explains.busy" if is_busy else "terminal.explains", explains),
        Statement("terminal.seen", _span(finding, start_ns, words)),
        *(_evidence(evidence, words) for evidence in finding.evidence),
        *(_culprit(culprit) for culprit in finding.culprits),
        *finding.reasons,
    ]
    name = words.text(Statement("terminal.finding", _name(finding)))
    return [name, *(f"  {words.text(each)}" for each in told)]


def consequence_line(finding: Finding, words: Renderer) -> str:
    """A finding that only came with the one above it."""
    explained = _met("stutters", finding.stutters_explained, finding.stutters_total)
    values = {**_name(finding), "explained": explained}
    return f"  {words.text(Statement('terminal.consequence', values))}"


def remedy_line(finding: Finding, words: Renderer) -> str:
    """What helps before any setting; empty where that is none of another program."""
    first = remedy(finding)
    if first is None:
        return ""
    return f"  {words.text(Statement('terminal.remedy', {'remedy': first}))}"


def aside_line(finding: Finding, start_ns: int, words: Renderer) -> str:
    """A finding that explains nothing; times are seconds since ``start_ns``."""
    values = {**_name(finding), **_span(finding, start_ns, words)}
    return f"  {words.text(Statement('terminal.aside', values))}"


def not_measured_lines(assessment: Assessment, words: Renderer, *, is_verbose: bool) -> list[str]:
    """How much is not measured and why, or where it is verbose everything that is not."""
    missing = assessment.not_measured
    if not missing:
        return []
    if is_verbose:
        each_line = (
            Statement("terminal.missing", {"what": m.what, "why_sentence": m.why}) for m in missing
        )
        title = words.text(Statement("terminal.not_measured"))
        return ["", title, *(f"  {words.text(each)}" for each in each_line)]
    why, count = Counter(each.why for each in missing).most_common(1)[0]
    values: dict[str, Value] = {"things": len(missing), "why_sentence": why}
    told = Statement("terminal.unmeasured", values)
    if count < len(missing):
        told = Statement("terminal.unmeasured.mostly", {**values, "count": count})
    return ["", words.text(told)]


def _state(group: GroupState, words: Renderer) -> Statement:
    name = words.named("group", group.group.value)
    state = words.named("terminal", f"state.{group.state.value}")
    # A name as a title, and not as it stands inside a sentence.
    return Statement("terminal.group", {"name": name, "state": state})


def _name(finding: Finding) -> dict[str, Value]:
    return {"cause": named_as(finding), "id": finding.cause}


def _span(finding: Finding, start_ns: int, words: Renderer) -> dict[str, Value]:
    first_s, last_s = (finding.first_ns - start_ns) / 1e9, (finding.last_ns - start_ns) / 1e9
    return {"first": words.number(first_s, 1), "last": words.number(last_s, 1)}


def _explained(finding: Finding) -> Statement:
    stutters = _met("stutters", finding.stutters_explained, finding.stutters_total)
    if not finding.hitches_explained:
        return stutters if finding.stutters_total else Statement("terminal.no_stutter")
    hitches = _met("hitches", finding.hitches_explained, finding.hitches_total)
    if not finding.stutters_explained:
        return hitches
    return Statement("terminal.both", {"stutters": stutters, "hitches": hitches})


def _met(what: str, met: int, total: int) -> Statement:
    return Statement(f"terminal.{what}", {"met": met, "total": total})


def _evidence(evidence: Evidence, words: Renderer) -> Statement:
    metric = words.named("metric", evidence.metric)
    if evidence.instance:
        told = Statement("terminal.instance", {"metric": metric, "instance": evidence.instance})
        metric = words.text(told)
    value, limit = (
        words.quantity(number, evidence.unit) for number in (evidence.value, evidence.threshold)
    )
    return Statement("terminal.evidence", {"metric": metric, "value": value, "limit": limit})


def _culprit(culprit: Culprit) -> Statement:
    name = culprit.comm if culprit.pid is None else f"{culprit.pid} {culprit.comm}"
    by = Statement(f"terminal.by.{culprit.what}", {"name": name})
    return (
        by
        if culprit.told is None
        else Statement("terminal.culprit", {"by": by, "why": culprit.told})
    )
