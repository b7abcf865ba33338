# SPDX-License-Identifier: GPL-3.0-or-later
"""What the page says before, while and after settings are asked to be changed."""

from PySide6.QtCore import QCoreApplication

from destutter.analysis.changes.tuning_state import Asked, Busy, Outcome, OutcomeKind, RunningTrial
from destutter.bridge.helped_flight import Helped
from destutter.bridge.helper_client import Availability, HelperStatus
from destutter.ui.causes.action_bar import NOTHING_PLAYED, BarContent, BarState, NowPlayed
from destutter.ui.controls.banner import BannerText
from destutter.ui.pages.outcome_banners import not_done_banner, partly_banner
from destutter.ui.pages.said_alike import about_helper
from destutter.ui.words.refusal_words import NOT_DONE
from destutter.ui.words.words import said_sentence

translate = QCoreApplication.translate

_OURS = frozenset({Asked.TRY, Asked.APPLY, Asked.UNDO})


def bar_content(
    status: HelperStatus,
    busy: Busy,
    trial: RunningTrial | None,
    *,
    count: int,
    offered: int,
    played: NowPlayed = NOTHING_PLAYED,
) -> BarContent:
    """What the bar below a finding of this computer offers."""
    if busy is Busy.ASKING:
        return BarContent(BarState.ASKING, count, offered, played=played)
    if busy:
        return BarContent(BarState.WORKING, count, offered, played=played)
    if trial is not None:
        return BarContent(BarState.TRIAL, count, offered, _trial_note(trial), played=played)
    if not offered:
        return BarContent(BarState.NOTHING)
    if status.availability is not Availability.READY:
        note, link = _without_helper(status)
        return BarContent(BarState.COPY_ONLY, count, offered, note, link)
    note = translate(
        "Causes", "Asks for your password once. Lasts until restart; every change can be undone."
    )
    if played.name:
        note = translate(
            "Causes",
            "Asks for your password. The trial ends with {game}, and the old values come "
            "back by themselves.",
        ).format(game=played.name)
    if not count:
        note = translate("Causes", "Tick what you want to change.")
    return BarContent(BarState.READY, count, offered, note, played=played)


def helped_bar_content(helped: Helped, *, has_game_sets: bool) -> BarContent:
    """What it offers after a flight that was better, until somebody has said what is kept."""
    return BarContent(BarState.HELPED, note=helped.verdict, has_game_sets=has_game_sets)


def recorded_bar_content(offered: int) -> BarContent:
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
    if trial.is_kept:
        text = translate(
            "Causes",
            "What is kept for {game} is set while it runs. Take it back on the page Changes to "
            "try something else.",
        )
        return text.format(game=trial.game)
    if not trial.is_ours:
        return translate("Causes", "Another program has changes on trial. Wait until they end.")
    return translate(
        "Causes", "Changes are on trial. Stop the trial or keep them at the top first."
    )


def _without_helper(status: HelperStatus) -> tuple[str, str]:
    """Why nothing can be applied, and the link behind it."""
    how = about_helper()
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
        # What is missing is of no use to who plays; it stands behind the link.
        text = translate(
            "Causes", "Settings cannot be changed by a click here. For experts: the commands."
        )
        return text, how
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
    if outcome.kind in NOT_DONE:
        return not_done_banner(outcome)
    return partly_banner(outcome) if outcome.kind is OutcomeKind.PARTLY else None
