# SPDX-License-Identifier: GPL-3.0-or-later
"""What a row of the table of changes says in its state."""

from PySide6.QtCore import QCoreApplication

from destutter.tuning.ownership import is_guess
from destutter.tuning.recommendation import HIGH, LOW, MEDIUM
from destutter.ui.causes.setting_rows import RowState, SettingRow
from destutter.ui.words.change_words import ChangeWords
from destutter.ui.words.words import said, spoken

translate = QCoreApplication.translate

SIGNS = {
    RowState.ON_TRIAL: ("measuring", "warn"),
    RowState.APPLIED: ("clear", "ok"),
    RowState.DRIFTED: ("watch", "warn"),
    RowState.IN_FORCE: ("clear", "ok"),
    RowState.FITS: ("clear", "none"),
    RowState.IMPOSSIBLE: ("not-measured", "none"),
}


def risk_meaning(risk: str) -> str:
    return {
        LOW: translate("Risk", "One value, back to the old one at any time."),
        MEDIUM: translate("Risk", "Helps here, can slow down other work."),
        HIGH: translate(
            "Risk", "May keep the computer from starting; kept only after a successful trial."
        ),
    }[risk]


def state_word(state: RowState) -> str:
    """A state in a word, for readers of the screen."""
    return {
        RowState.OFFERED: translate("Changes", "Offered"),
        RowState.ON_TRIAL: translate("Changes", "On trial"),
        RowState.APPLIED: translate("Changes", "Applied"),
        RowState.DRIFTED: translate("Changes", "Changed by something else"),
        RowState.IN_FORCE: translate("Changes", "In force"),
        RowState.FITS: translate("Changes", "Nothing to change"),
        RowState.IMPOSSIBLE: translate("Changes", "Not possible here"),
    }[state]


def effect_of(row: SettingRow, words: ChangeWords) -> tuple[str, str]:
    """What the row is good for or what became of it, and a second, quieter line."""
    if row.failure is not None:
        reason = said(row.failure)
        return translate("Changes", "Not changed: {reason}").format(reason=reason), ""
    if row.state is RowState.OFFERED and row.advice is not None:
        advice = row.advice
        return said(advice.effect), said(advice.cost)
    return {
        RowState.APPLIED: (_applied(row, words), _before(row, words)),
        RowState.ON_TRIAL: (
            translate("Changes", "On trial. It goes back by itself unless it is kept."),
            _before(row, words),
        ),
        RowState.DRIFTED: (
            translate("Changes", "Something else changed it since Destutter set it."),
            _before(row, words),
        ),
        RowState.IN_FORCE: (translate("Changes", "It has the recommended value already."), ""),
        RowState.FITS: (translate("Changes", "No better value is known for this computer."), ""),
        RowState.IMPOSSIBLE: (
            translate("Changes", "Not possible here"),
            "" if row.why is None else said(row.why),
        ),
    }[row.state]


def _applied(row: SettingRow, words: ChangeWords) -> str:
    """As the page of changes has it in its columns."""
    parts = (words.when(row.changed_at), words.lasting(row.lasts))
    return translate("Changes", "Applied: {what}").format(what=" · ".join(filter(None, parts)))


def _before(row: SettingRow, words: ChangeWords) -> str:
    if row.original is None:
        return ""
    return translate("Changes", "Before: {value}").format(
        value=words.value(row.tunable, row.original)
    )


def set_by_of(row: SettingRow) -> str:
    """Who set the present value, where somebody wanted it so."""
    if not row.is_chosen or row.set_by is None:
        return ""
    if is_guess(row.set_by):
        return said(row.set_by)
    return translate("Changes", "set by {who}").format(who=said(row.set_by))


def _in_system(row: SettingRow) -> str:
    """The setting and its values as the kernel has them."""
    values = [] if row.now is None else [row.now]
    if row.advice is not None and row.advice.recommended != row.now:
        values.append(row.advice.recommended)
    return f"{row.key}: {' → '.join(values)}" if values else row.key


def details_of(row: SettingRow, risk_text: str) -> list[tuple[str, str]]:
    """(heading, text) pairs behind "Details". ``risk_text``: what can go wrong, from its page."""
    advice = row.advice
    parts: list[tuple[str, str]] = []
    if advice is not None:
        parts.append((translate("Changes", "Why this value"), said(advice.reason)))
        parts.append((translate("Changes", "What it costs"), said(advice.cost)))
        risk = risk_text or risk_meaning(row.risk)
        parts.append((translate("Changes", "What can go wrong"), risk))
        not_when = spoken().sentences(map(said, advice.not_when))
        parts.append((translate("Changes", "Not when"), not_when))
    if row.set_by is not None:
        parts.append((translate("Changes", "Who set the present value"), said(row.set_by)))
    parts.append((translate("Changes", "In the system"), _in_system(row)))
    return [(heading, text) for heading, text in parts if text]
