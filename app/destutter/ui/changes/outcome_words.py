# SPDX-License-Identifier: GPL-3.0-or-later
"""How a request ended, in words; what shows by itself gets none."""

from PySide6.QtCore import QCoreApplication

from destutter.analysis.changes.helper_results import is_partial
from destutter.analysis.changes.tuning_state import (
    LASTS_ALWAYS,
    Outcome,
    OutcomeKind,
)
from destutter.tuning.keys import key_of
from destutter.ui.controls.banner import BannerAction, BannerText, Urgency
from destutter.ui.words.listing import listed, sentences
from destutter.ui.words.outcome_report import report_text
from destutter.ui.words.outcome_words import NOT_DONE, why_not_done
from destutter_helper.api import names

translate = QCoreApplication.translate

COPY, REDO, DISMISS = "copy", "redo", "dismiss"
_UNDONE = frozenset({"restored", "already", "accepted", "gone"})


def outcome_text(outcome: Outcome) -> BannerText | None:
    """The banner of an outcome; None where the page itself shows what happened."""
    if outcome.kind in NOT_DONE:
        return _not_done(outcome)
    if outcome.kind is OutcomeKind.CANCELLED:
        return None
    tell = {OutcomeKind.DONE: _done, OutcomeKind.PARTLY: _partly, OutcomeKind.ENDED: _ended}
    return tell[outcome.kind](outcome)


def spoken_text(outcome: Outcome) -> str:
    """What readers of the screen hear: also of what others see by itself. Empty for silence."""
    shown = outcome_text(outcome)
    if shown is not None:
        return translate("Changes", "{headline}. {detail}").format(
            headline=shown.headline, detail=shown.detail
        )
    if outcome.kind is not OutcomeKind.DONE or not outcome.until:
        return ""
    count = len(outcome.changes)
    if outcome.until == LASTS_ALWAYS:
        return translate("Changes", "%n setting(s) kept for every start", None, count)
    return translate("Changes", "%n setting(s) kept until the restart", None, count)


def _dismiss() -> BannerAction:
    return BannerAction(DISMISS, translate("Changes", "Close"), is_cross=True)


def _copy(outcome: Outcome) -> tuple[BannerAction, ...]:
    """Commands for an administrator, where changes were wished for; and away with it."""
    if not outcome.changes:
        return (_dismiss(),)
    return (BannerAction(COPY, translate("Changes", "Copy commands")), _dismiss())


def _done(outcome: Outcome) -> BannerText | None:
    if outcome.what == "undo" and not outcome.results:
        headline = translate("Changes", "Nothing is left to undo")
        detail = translate("Changes", "The helper can change settings.")
        return BannerText("ok", "clear", headline, detail, Urgency.INFO, (_dismiss(),))
    if outcome.what == "undo":
        count = sum(result.outcome in _UNDONE for result in outcome.results)
        headline = translate("Changes", "Undid %n change(s)", None, count)
        detail = translate("Changes", "The values from before are back.")
        redo = BannerAction(REDO, translate("Changes", "Redo"))
        return BannerText("ok", "clear", headline, detail, Urgency.INFO, (redo, _dismiss()))
    if outcome.what == "revert":
        headline = translate("Changes", "The trial was taken back")
        detail = translate("Changes", "The values from before are back.")
        return BannerText("ok", "clear", headline, detail, Urgency.INFO, (_dismiss(),))
    return None


def _partly(outcome: Outcome) -> BannerText:
    foreign = _keys(outcome, "foreign")
    failed = _keys(outcome, "failed")
    headline = translate("Changes", "%n setting(s) left as found", None, len(foreign + failed))
    drifted = translate("Changes", "Something else has changed since: {settings}. Decide below.")
    refused = translate("Changes", "The kernel took no other value: {settings}. See below.")
    detail = sentences(
        text.format(settings=listed(keys))
        for text, keys in ((drifted, foreign), (refused, failed))
        if keys
    )
    if not failed:
        return BannerText("warn", "watch", headline, detail, Urgency.DRIFT, (_dismiss(),))
    report = report_text(outcome)
    return BannerText("bad", "causing", headline, detail, Urgency.FAILURE, (_dismiss(),), report)


def _keys(outcome: Outcome, kind: str) -> list[str]:
    return [key_of(each.id, each.device) for each in outcome.results if each.outcome == kind]


def _ended(outcome: Outcome) -> BannerText:
    if is_partial(outcome.results):
        return _partly(outcome)
    reason = {
        names.ENDED_DEADLINE: translate("Changes", "Its time was over."),
        names.ENDED_OWNER_GONE: translate(
            "Changes", "The program that began it, or the helper, ended."
        ),
        names.ENDED_HOLD_CLOSED: translate("Changes", "The program that began it let go of it."),
        names.ENDED_SHUTDOWN: translate("Changes", "The computer or the helper was shut down."),
        names.ENDED_KEPT: translate("Changes", "Its values were kept elsewhere."),
        names.ENDED_REVERTED: translate("Changes", "It was taken back elsewhere."),
    }.get(outcome.name, outcome.name)
    # Without a result nobody has taken anything back: a helper that was killed may have lost its
    # record, and the values are what the rows show.
    is_back = outcome.name != names.ENDED_KEPT and outcome.results
    back = translate("Changes", "The trial ended and the old values are back")
    headline = back if is_back else translate("Changes", "The trial ended")
    return BannerText("info", "info", headline, reason, Urgency.INFO, (_dismiss(),))


def _not_done(outcome: Outcome) -> BannerText:
    headline, detail = why_not_done(outcome)
    if outcome.kind in (OutcomeKind.DENIED, OutcomeKind.ABSENT):
        return BannerText("bad", "lock", headline, detail, Urgency.FAILURE, _copy(outcome))
    report = report_text(outcome)
    return BannerText("bad", "causing", headline, detail, Urgency.FAILURE, (_dismiss(),), report)
