# SPDX-License-Identifier: GPL-3.0-or-later
"""What is told of a trial that did not begin as it was asked for."""

from PySide6.QtCore import QCoreApplication

from destutter.analysis.changes.tuning_state import Outcome, OutcomeKind
from destutter.core.statement import Statement
from destutter.ui.controls.notices import Notice
from destutter.ui.words.refusal_words import NOT_DONE, why_not_done
from destutter.ui.words.words import said, said_message

translate = QCoreApplication.translate


def not_done_notice(outcome: Outcome, copy: str) -> Notice:
    """``copy`` is the button of what an administrator may run instead."""
    report = translate("ChooseStep", "Copy report")
    if outcome.kind is OutcomeKind.PARTLY:
        text = translate("ChooseStep", "Not all of it was changed; the Changes page says what")
        return Notice("outcome", "warn", text, said_message(outcome.message), report)
    if outcome.kind not in NOT_DONE:
        text = translate("ChooseStep", "Nothing was changed")
        return Notice("outcome", "bad", text, said_message(outcome.message), report)
    action = copy if outcome.kind is OutcomeKind.DENIED else report
    return Notice("outcome", "bad", *why_not_done(outcome), action)


def why_not_changed(failure: Statement | None) -> str:
    """Of one setting; empty where nothing failed."""
    if failure is None:
        return ""
    return translate("ChooseStep", "Not changed: {reason}").format(reason=said(failure))
