# SPDX-License-Identifier: GPL-3.0-or-later
"""How a request ended, in words; what shows by itself gets none."""

from PySide6.QtCore import QCoreApplication

from destutter.analysis.changes.helper_results import is_partial
from destutter.analysis.changes.tuning_state import (
    LASTS_ALWAYS,
    Asked,
    Outcome,
    OutcomeKind,
)
from destutter.ui.controls.banner import BannerAction, BannerText, Urgency
from destutter.ui.pages.outcome_banners import dismiss, not_done_banner, partly_banner
from destutter.ui.pages.said_alike import values_are_back
from destutter.ui.words.refusal_words import NOT_DONE
from destutter_helper.api import names

translate = QCoreApplication.translate

REDO = "redo"
_UNDONE = frozenset({"restored", "already", "accepted", "gone"})


def outcome_text(outcome: Outcome) -> BannerText | None:
    """The banner of an outcome; None where the page itself shows what happened."""
    if outcome.kind in NOT_DONE:
        return not_done_banner(outcome)
    if outcome.kind is OutcomeKind.CANCELLED:
        return None
    tell = {OutcomeKind.DONE: _done, OutcomeKind.PARTLY: partly_banner, OutcomeKind.ENDED: _ended}
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


def _done(outcome: Outcome) -> BannerText | None:
    if outcome.what is Asked.UNDO and not outcome.results:
        headline = translate("Changes", "Nothing is left to undo")
        detail = translate("Changes", "The helper can change settings.")
        return BannerText("ok", "clear", headline, detail, Urgency.INFO, (dismiss(),))
    if outcome.what is Asked.UNDO:
        count = sum(result.outcome in _UNDONE for result in outcome.results)
        headline = translate("Changes", "Undid %n change(s)", None, count)
        detail = values_are_back()
        redo = BannerAction(REDO, translate("Changes", "Redo"))
        return BannerText("ok", "clear", headline, detail, Urgency.INFO, (redo, dismiss()))
    if outcome.what is Asked.REVERT:
        return taken_back()
    if outcome.what is Asked.KEEP_GAME:
        return kept_for_game(outcome.game)
    if outcome.what is Asked.FORGET_GAME:
        headline = translate("Changes", "Nothing is kept for {game} any more")
        detail = translate("Changes", "It starts with the values that everything else has.")
        told = headline.format(game=outcome.game)
        return BannerText("ok", "clear", told, detail, Urgency.INFO, (dismiss(),))
    return None


def taken_back() -> BannerText:
    """Nothing of a trial is left."""
    headline = translate("Changes", "The trial was taken back")
    return BannerText("ok", "clear", headline, values_are_back(), Urgency.INFO, (dismiss(),))


def kept_always(count: int) -> BannerText:
    """What it means, once it is done."""
    headline = translate("Changes", "%n setting(s) kept for every start", None, count)
    detail = translate(
        "Changes", "Set at every start of the computer. The page Changes undoes it."
    )
    return BannerText("ok", "clear", headline, detail, Urgency.INFO, (dismiss(),))


def kept_for_game(game: str) -> BannerText:
    """What it means, once it is done."""
    headline = translate("Changes", "Kept for {game}").format(game=game)
    detail = translate(
        "Changes",
        "Set each time it runs while Destutter does, in the background too, without a password; "
        "taken back when it ends. Settings starts Destutter with the desktop; the page Changes "
        "removes what is kept.",
    )
    return BannerText("ok", "clear", headline, detail, Urgency.INFO, (dismiss(),))


def _ended(outcome: Outcome) -> BannerText:
    if is_partial(outcome.results):
        return partly_banner(outcome)
    reason = {
        names.ENDED_DEADLINE: translate("Changes", "Its time was over."),
        names.ENDED_OWNER_GONE: translate(
            "Changes", "The program that began it, or the helper, ended."
        ),
        names.ENDED_HOLD_CLOSED: translate("Changes", "The program that began it let go of it."),
        names.ENDED_SHUTDOWN: translate("Changes", "The computer or the helper was shut down."),
        names.ENDED_GAME: translate("Changes", "The game has ended."),
        names.ENDED_KEPT: translate("Changes", "Its values were kept elsewhere."),
        names.ENDED_REVERTED: translate("Changes", "It was taken back elsewhere."),
    }.get(outcome.name, outcome.name)
    # Without a result nobody has taken anything back: a helper that was killed may have lost its
    # record, and the values are what the rows show.
    is_back = outcome.name != names.ENDED_KEPT and outcome.results
    back = translate("Changes", "The trial ended and the old values are back")
    headline = back if is_back else translate("Changes", "The trial ended")
    return BannerText("info", "info", headline, reason, Urgency.INFO, (dismiss(),))
