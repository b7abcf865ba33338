# SPDX-License-Identifier: GPL-3.0-or-later
"""How the risk of a change is marked, on every page that offers changes."""

from destutter.core.statement import Statement
from destutter.tuning.recommendation import HIGH, LOW, MEDIUM
from destutter.ui.controls.signs import look_of
from destutter.ui.words.words import said

_TONES = {LOW: "ok", MEDIUM: "warn", HIGH: "bad"}


def risk_look(risk: str) -> tuple[str, str]:
    return look_of(_TONES[risk])


def risk_word(risk: str) -> str:
    """How large it is: low, medium, high."""
    return said(Statement(f"tuning.risk.{risk}"))
