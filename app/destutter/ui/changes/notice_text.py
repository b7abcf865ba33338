# SPDX-License-Identifier: GPL-3.0-or-later
"""What happened while nobody looked: a trial that ended by itself, a damaged journal, drift."""

from PySide6.QtCore import QCoreApplication

from destutter.analysis.changes.helper_statements import statement_of
from destutter.analysis.changes.history import HistoryEntry
from destutter.bridge.tuning_model import TuningModel
from destutter.ui.controls.banner import BannerAction, BannerText, Urgency
from destutter.ui.words.change_words import ChangeWords
from destutter.ui.words.words import said_sentence, spoken
from destutter_helper.api import names
from destutter_helper.api.payload import State

translate = QCoreApplication.translate

NOTICE_SEEN = "notice-seen"
_BY_ITSELF = frozenset(
    {
        names.ENDED_DEADLINE,
        names.ENDED_OWNER_GONE,
        names.ENDED_HOLD_CLOSED,
        names.ENDED_SHUTDOWN,
        names.ENDED_GAME,
        "recover",
    }
)


def notice_text(model: TuningModel, words: ChangeWords, seen_at: float) -> BannerText | None:
    """The most important of these as a banner. ``seen_at``: what is not newer was read."""
    state = model.state
    if state is None:
        return None
    seen = BannerAction(NOTICE_SEEN, translate("Changes", "Close"), is_cross=True)
    if state.state == names.STATE_READ_ONLY:
        headline = translate("Changes", "Changes are not possible now")
        detail = _told(state) or translate("Changes", "The helper cannot use its journal.")
        return BannerText("bad", "causing", headline, detail, Urgency.FAILURE)
    drifted = sum(each.is_drifted for each in model.journal_changes)
    if drifted and model.trial is None:
        headline = translate("Changes", "%n setting(s) changed by something else", None, drifted)
        detail = translate("Changes", "Keep what is there now, or restore the value from before.")
        return BannerText("warn", "watch", headline, detail, Urgency.DRIFT)
    if model.resurrected and not seen_at:
        which = spoken().listed(each.id for each in model.resurrected)
        headline = translate("Changes", "A value that was undone is back")
        detail = translate(
            "Changes", "Another program took it for the original and set it again: {settings}."
        )
        text = detail.format(settings=which)
        return BannerText("warn", "watch", headline, text, Urgency.DRIFT, (seen,))
    if state.notices and not seen_at:
        headline = translate("Changes", "A note of the helper")
        text = _told(state)
        return BannerText("info", "info", headline, text, Urgency.INFO, (seen,))
    last = model.history[-1] if model.history else None
    if last is None or last.at is None or last.at <= seen_at or model.outcome is not None:
        return None
    return _undone_by_itself(last, words, seen)


def _told(state: State) -> str:
    return spoken().sentences(said_sentence(statement_of(each)) for each in state.notices)


def _undone_by_itself(
    last: HistoryEntry, words: ChangeWords, seen: BannerAction
) -> BannerText | None:
    # What is kept for a game ends so each time that somebody has played.
    if last.event not in _BY_ITSELF or last.at is None or last.set_id:
        return None
    when = words.when(last.at)
    headline = translate("Changes", "The last trial was undone automatically: {when}")
    detail = translate("Changes", "The values from before are back.")
    return BannerText("info", "info", headline.format(when=when), detail, Urgency.INFO, (seen,))
