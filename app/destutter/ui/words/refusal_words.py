# SPDX-License-Identifier: GPL-3.0-or-later
"""Why a request to the helper was not done, in the same words on every page that asks."""

from PySide6.QtCore import QCoreApplication

from destutter.analysis.changes.tuning_state import Outcome, OutcomeKind
from destutter.ui.words.words import said_message, spoken

translate = QCoreApplication.translate

NOT_DONE = frozenset(
    {OutcomeKind.DENIED, OutcomeKind.REFUSED, OutcomeKind.ABSENT, OutcomeKind.LOST}
)


def why_not_done(outcome: Outcome) -> tuple[str, str]:
    """Headline and detail of an outcome whose kind is in ``NOT_DONE``."""
    reason = said_message(outcome.message)
    if outcome.kind is OutcomeKind.DENIED:
        return translate("Outcomes", "Not changed"), _denied(outcome)
    if outcome.kind is OutcomeKind.REFUSED:
        detail = translate("Outcomes", "{reason}. Nothing else was applied.")
        return translate("Outcomes", "Not changed"), detail.format(reason=reason.rstrip(".。"))
    if outcome.kind is OutcomeKind.ABSENT:
        unknown = translate("Outcomes", "The helper is not installed or cannot be started.")
        headline = translate("Outcomes", "Not changed: the helper does not answer")
        return headline, spoken().as_sentence(reason) or unknown
    detail = translate(
        "Outcomes", "What it had begun is taken back as soon as it runs again. {reason}"
    )
    headline = translate("Outcomes", "The helper stopped in the middle")
    return headline, detail.format(reason=spoken().as_sentence(reason)).rstrip()


def _denied(outcome: Outcome) -> str:
    # The bus has one error for all of these; only what the helper says tells them apart.
    why = "" if outcome.message is None else outcome.message.id
    if why == "helper.right.polkit_failed":
        return translate(
            "Outcomes",
            "The system's authorisation service (polkit) does not work, so nobody could be asked.",
        )
    if why == "helper.right.no_dialog":
        return translate(
            "Outcomes",
            "No program asks for passwords in this session, so the right could not be given. "
            "Start your desktop's polkit agent, or copy the commands.",
        )
    return translate(
        "Outcomes",
        "Your account may not change system settings. An administrator can, or copy the commands.",
    )
