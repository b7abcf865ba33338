# SPDX-License-Identifier: GPL-3.0-or-later
"""Banners for requests that were not done, or in part only, alike on each page that asks."""

from PySide6.QtCore import QCoreApplication

from destutter.analysis.changes.tuning_state import Outcome, OutcomeKind
from destutter.tuning.keys import key_of
from destutter.ui.controls.banner import BannerAction, BannerText, Urgency
from destutter.ui.pages.said_alike import copy_commands
from destutter.ui.words.outcome_report import report_text
from destutter.ui.words.refusal_words import why_not_done
from destutter.ui.words.words import spoken

translate = QCoreApplication.translate

COPY, DISMISS = "copy", "dismiss"


def dismiss() -> BannerAction:
    """Takes the banner away."""
    return BannerAction(DISMISS, translate("Changes", "Close"), is_cross=True)


def not_done_banner(outcome: Outcome) -> BannerText:
    """For an outcome whose kind is in ``NOT_DONE``."""
    headline, detail = why_not_done(outcome)
    if outcome.kind in (OutcomeKind.DENIED, OutcomeKind.ABSENT):
        # An administrator can use the commands, where changes were wished for.
        copy = (BannerAction(COPY, copy_commands()),) if outcome.changes else ()
        actions = (*copy, dismiss())
        return BannerText("bad", "lock", headline, detail, Urgency.FAILURE, actions)
    report = report_text(outcome)
    return BannerText("bad", "causing", headline, detail, Urgency.FAILURE, (dismiss(),), report)


def partly_banner(outcome: Outcome) -> BannerText:
    """For one that left some settings as they were."""
    foreign = _keys(outcome, "foreign")
    failed = _keys(outcome, "failed")
    headline = translate("Changes", "%n setting(s) left as found", None, len(foreign + failed))
    drifted = translate("Changes", "Something else has changed since: {settings}. Decide below.")
    refused = translate("Changes", "The kernel took no other value: {settings}. See below.")
    say = spoken()
    detail = say.sentences(
        text.format(settings=say.listed(keys))
        for text, keys in ((drifted, foreign), (refused, failed))
        if keys
    )
    if not failed:
        return BannerText("warn", "watch", headline, detail, Urgency.DRIFT, (dismiss(),))
    report = report_text(outcome)
    return BannerText("bad", "causing", headline, detail, Urgency.FAILURE, (dismiss(),), report)


def _keys(outcome: Outcome, kind: str) -> list[str]:
    return [key_of(each.id, each.device) for each in outcome.results if each.outcome == kind]
