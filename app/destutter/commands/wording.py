# SPDX-License-Identifier: GPL-3.0-or-later
"""Assessments as lines of text, in the language of the terminal, and as JSON, which is English."""

from collections import Counter
from typing import Any

from destutter.analysis.report.diagnosis_words import DiagnosisWords
from destutter.core.statement import Statement, Value
from destutter.diagnosis.finding import Assessment, Finding, GroupState, Verdict
from destutter.diagnosis.remedy import remedy
from destutter.diagnosis.wording import named_as
from destutter.words.renderer import Renderer, english, renderer


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
        "detail": renderer().sentences(map(english, verdict.below)),
    }


def groups_json(groups: tuple[GroupState, ...]) -> dict[str, Any]:
    """State and reason of each group, by its id."""
    return {
        group.group.value: {"state": group.state.value, "reason": english(group.reason)}
        for group in groups
    }


def finding_lines(finding: Finding, start_ns: int, words: Renderer) -> list[str]:
    """A finding as a small block of lines; times are counted from ``start_ns``."""
    told = DiagnosisWords(words)
    lines = (
        told.explains(finding),
        told.seen(finding, start_ns),
        *map(told.evidence, finding.evidence),
        *map(told.culprit, finding.named),
        *map(words.text, finding.reasons),
    )
    return [_name(finding, words), *(f"  {each}" for each in lines)]


def consequence_line(finding: Finding, words: Renderer) -> str:
    """A finding that only came with the one above it."""
    return f"  {DiagnosisWords(words).came_along(finding, _name(finding, words))}"


def remedy_line(finding: Finding, verdict: Verdict, words: Renderer) -> str:
    """What helps before any setting; empty where that is none of another program.

    Where the game itself took the time, it helps in the stutters of this finding alone.
    """
    first = remedy(finding)
    if first is None:
        return ""
    told = "terminal.remedy.part" if verdict.blames_game else "terminal.remedy"
    return f"  {words.text(Statement(told, {'remedy': first}))}"


def aside_line(finding: Finding, start_ns: int, words: Renderer) -> str:
    """A finding that explains nothing; times are counted from ``start_ns``."""
    seen = DiagnosisWords(words).seen(finding, start_ns)
    return f"  {words.enumerated((_name(finding, words), seen))}"


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
    state = words.named("group", f"state.{group.state.value}")
    # A name as a title, and not as it stands inside a sentence.
    return Statement("terminal.group", {"name": name, "state": state})


def _name(finding: Finding, words: Renderer) -> str:
    """As people call it, and as the options of commands do."""
    values = {"cause": named_as(finding), "id": finding.cause}
    return words.text(Statement("terminal.finding", values))
