# SPDX-License-Identifier: GPL-3.0-or-later
"""Which sign and which tone a state has, on every page: never colour alone."""

from destutter.core.compared import ComparedOutcome
from destutter.core.statement import Statement
from destutter.diagnosis.finding import TileState, Verdict, VerdictKind
from destutter.ui.words.words import said_line

_SIGNS = {
    "ok": "clear",
    "warn": "watch",
    "bad": "causing",
    "info": "info",
    "none": "not-measured",
}
_STATE_TONES = {
    TileState.CLEAR: "ok",
    TileState.NOTED: "none",
    TileState.WATCH: "warn",
    TileState.LIKELY: "warn",
    TileState.CAUSING: "bad",
    TileState.NOT_MEASURED: "none",
}
_VERDICT_TONES = {
    VerdictKind.SMOOTH: "ok",
    VerdictKind.HITCHES: "warn",
    VerdictKind.STUTTER: "bad",
    VerdictKind.UNEXPLAINED: "bad",
}
_OUTCOME_TONES = {ComparedOutcome.BETTER: "ok", ComparedOutcome.WORSE: "bad"}
_VERDICT_SIGNS = {VerdictKind.MEASURING: "measuring", VerdictKind.NOT_MEASURED: "not-measured"}


def sign_of(tone: str) -> str | None:
    """The sign of a tone; None for one that has none, as "muted"."""
    return _SIGNS.get(tone)


def look_of(tone: str) -> tuple[str, str]:
    """The sign of a tone ("ok", "warn", "bad", "info" or "none"), and the tone."""
    return _SIGNS[tone], tone


def state_look(state: TileState | None) -> tuple[str, str]:
    """Sign and tone of a group; None: nothing is known yet."""
    if state is None:
        return "measuring", "none"
    sign, tone = look_of(_STATE_TONES[state])
    if state is TileState.NOTED:
        return "info", "none"
    # The strip has no words: by its shape it is no group that is only worth a look.
    return ("causing" if state is TileState.LIKELY else sign), tone


def state_name(state: TileState) -> str:
    return said_line(Statement(f"group.state.{state.value}"))


def verdict_look(verdict: Verdict) -> tuple[str, str]:
    """Sign and tone of what diagnosis says; grey where no game is measured."""
    kind = VerdictKind.NOT_MEASURED if verdict.is_of_computer else verdict.kind
    sign, tone = look_of(_VERDICT_TONES.get(kind, "info"))
    return _VERDICT_SIGNS.get(kind, sign), tone


def outcome_tone(outcome: ComparedOutcome) -> str:
    """The tone of what a comparison came to: worse is as bad as a stutter, wherever it stands."""
    return _OUTCOME_TONES.get(outcome, "info")
