# SPDX-License-Identifier: GPL-3.0-or-later
"""Recommendations, told by commands."""

from collections.abc import Iterable, Mapping
from typing import Any

from destutter.core.statement import Statement, Value
from destutter.tuning.recommendation import Recommendation
from destutter.words.renderer import Renderer, english


def advice_json(advice: Recommendation) -> dict[str, Any]:
    """Everything that is said of a recommendation, but what it is about."""
    return {
        "recommended": advice.recommended,
        "reason": english(advice.reason),
        "cost": english(advice.cost),
        "effect": english(advice.effect),
        "risk": advice.risk,
        "not_when": [english(each) for each in advice.not_when],
        "causes": list(advice.causes),
        "needs_evidence": not advice.stands_alone,
    }


def advice_lines(advice: Recommendation, words: Renderer) -> list[str]:
    """A recommendation as a small block of lines."""
    not_when = {"cases": words.sentences(map(words.text, advice.not_when))}
    told = (
        advice.reason,
        advice.effect,
        advice.cost,
        Statement("tuning.advice.not_when", not_when),
    )
    head = words.text(Statement("tuning.advice", {"name": advice.key, **_change(advice)}))
    return [head, *(f"  {words.text(each)}" for each in told)]


def advice_line(advice: Recommendation, words: Renderer) -> str:
    """A recommendation in one line, below the finding that it works against."""
    values: dict[str, Value] = {
        "name": advice.tunable,
        "why": words.sentences(map(words.text, (advice.reason, advice.cost))),
        **_change(advice),
    }
    return f"  {words.text(Statement('tuning.advice.in_finding', values))}"


def apply_line(recommendations: Iterable[Recommendation]) -> str:
    """The command that puts recommendations on trial, each setting once."""
    wanted: Mapping[str, str] = {each.key: each.recommended for each in recommendations}
    return f"destutter apply {' '.join(f'{key}={value}' for key, value in wanted.items())}"


def _change(advice: Recommendation) -> dict[str, Value]:
    return {
        "recommended": advice.recommended,
        "current": advice.current,
        "risk": advice.risk_word,
    }
