# SPDX-License-Identifier: GPL-3.0-or-later
"""Recommendations, told by commands."""

from collections.abc import Iterable, Mapping
from typing import Any

from destutter.tuning.recommendation import Recommendation


def advice_json(advice: Recommendation) -> dict[str, Any]:
    """Everything that is said of a recommendation, but what it is about."""
    return {
        "recommended": advice.recommended,
        "reason": advice.reason,
        "cost": advice.cost,
        "effect": advice.effect,
        "risk": advice.risk,
        "not_when": list(advice.not_when),
        "causes": list(advice.causes),
        "needs_evidence": not advice.stands_alone,
    }


def advice_lines(advice: Recommendation) -> list[str]:
    """A recommendation as a small block of lines."""
    lines = [
        f"{advice.key}: {advice.recommended} instead of {advice.current} (risk {advice.risk})",
        f"  {advice.reason}",
    ]
    lines += [f"  {text}" for text in (advice.effect, advice.cost) if text]
    if advice.not_when:
        lines.append(f"  Not when: {' '.join(advice.not_when)}")
    return lines


def apply_line(recommendations: Iterable[Recommendation]) -> str:
    """The command that puts recommendations on trial, each setting once."""
    wanted: Mapping[str, str] = {each.key: each.recommended for each in recommendations}
    return f"destutter apply {' '.join(f'{key}={value}' for key, value in wanted.items())}"
