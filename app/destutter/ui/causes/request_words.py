# SPDX-License-Identifier: GPL-3.0-or-later
"""What the page says before, while and after settings are asked to be changed."""

from PySide6.QtCore import QCoreApplication

from destutter.analysis.changes.tuning_state import Outcome, OutcomeKind, RunningTrial
from destutter.bridge.helper_client import Availability, HelperStatus
from destutter.tuning.keys import key_of
from destutter.ui.causes.action_bar import BarContent, BarState
from destutter.ui.controls.banner import BannerAction, BannerText, Urgency
from destutter.ui.words.listing import listed
from destutter.ui.words.outcome_report import report_text
from destutter.ui.words.outcome_words import NOT_DONE, why_not_done
from destutter.ui.words.words import said_sentence

translate = QCoreApplication.translate

COPY_COMMANDS, CLOSE = "copy", "close"
_OURS = frozenset({"try", "apply", "undo"})


def doings(
    status: HelperStatus,
    busy: str,
    trial: RunningTrial | None,
    *,
    count: int,
    offered: int,
) -> BarContent:
    """What the bar below a finding of this computer offers."""
    if busy == "asking":
        return BarContent(BarState.ASKING, count, offered)
    if busy:
        return BarContent(BarState.WORKING, count, offered)
    if trial is not None:
        return BarContent(BarState.TRIAL, count, offered, _trial_note(trial))
    if not offered:
        return BarContent(BarState.NOTHING)
    if status.availability is not Availability.READY:
        note, link = _without_helper(status)
        return BarContent(BarState.COPY_ONLY, count, offered, note, link)
    note = translate(
        "Causes", "Asks for your password once. Lasts until restart; every change can be undone."
    )
    if not count:
        note = translate("Causes", "Tick what you want to change.")
    return BarContent(BarState.READY, count, offered, note)


def recorded_doings(offered: int) -> BarContent:
    """What the bar offers for a recording of another computer."""
    if not offered:
        return BarContent(BarState.NOTHING)
    note = translate(
        "Causes",
        "This recording is from another computer, so nothing can be applied here. The commands "
        "are for that one.",
    )
    return BarContent(BarState.COPY_ONLY, offered, offered, note)


def _trial_note(trial: RunningTrial) -> str:
    if not trial.is_ours:
        return translate("Causes", "Another program has changes on trial. Wait until they end.")
    return translate("Causes", "Changes are on trial. Keep or revert them at the top first.")


def _without_helper(status: HelperStatus) -> tuple[str, str]:
    """Why nothing can be applied, and the link behind it."""
    how = translate("Causes", "Show how to install")
    if status.availability is Availability.UNKNOWN:
        return translate("Causes", "Looking for the helper…"), ""
    reason = "" if status.reason is None else said_sentence(status.reason)
    if status.availability is Availability.MISMATCH:
        text = translate("Causes", "The helper does not fit this program: {reason}")
        return text.format(reason=reason), how
    if status.availability is Availability.BROKEN:
        text = translate("Causes", "The helper does not work: {reason}")
        return text.format(reason=reason), how
    if status.availability is Availability.NO_BUS:
        return reason, ""
    return (
        translate(
            "Causes",
            "The helper is not installed. Destutter can measure and explain without it.",
        ),
        how,
    )


def outcome_banner(outcome: Outcome | None) -> BannerText | None:
    """What there is to say about how a request ended; None where the rows say it all.

    A cancelled dialog is no news, and what worked shows in its row.
    """
    if outcome is None or outcome.what not in _OURS:
        return None
    copy = BannerAction(COPY_COMMANDS, translate("Causes", "Copy commands"))
    close = BannerAction(CLOSE, translate("Causes", "Close"), is_cross=True)
    report = report_text(outcome)
    if outcome.kind in NOT_DONE:
        headline, detail = why_not_done(outcome)
        can_copy = outcome.kind in (OutcomeKind.DENIED, OutcomeKind.ABSENT)
        tells_more = outcome.kind in (OutcomeKind.REFUSED, OutcomeKind.LOST)
        actions = (copy, close) if can_copy and outcome.changes else (close,)
        told = report if tells_more else ""
        return BannerText("bad", "causing", headline, detail, Urgency.FAILURE, actions, told)
    if outcome.kind is OutcomeKind.PARTLY:
        return _partly(outcome, (close,), report)
    return None


def _partly(outcome: Outcome, actions: tuple[BannerAction, ...], report: str) -> BannerText:
    left = [each for each in outcome.results if each.outcome in ("failed", "foreign")]
    names = listed(key_of(each.id, each.device) for each in left)
    detail = translate("Causes", "Left as they are: {names}. The rest was done.").format(
        names=names
    )
    return BannerText(
        "warn",
        "watch",
        translate("Causes", "Only a part was done"),
        detail,
        Urgency.FAILURE,
        actions,
        report,
    )
