# SPDX-License-Identifier: GPL-3.0-or-later
"""What a trial for as long as a game ran came to, above every page, and whether to keep it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, QTimer, Slot
from PySide6.QtWidgets import QWidget

from destutter.analysis.changes.tuning_state import LASTS_ALWAYS, Asked, Outcome, OutcomeKind
from destutter.bridge.helped_flight import Helped
from destutter.bridge.recorded_trials import RecordedTrials
from destutter.bridge.tuning_model import TuningModel
from destutter.core.compared import ComparedOutcome
from destutter.core.statement import Statement
from destutter.resource_folder import resource_folder
from destutter.ui.changes.outcome_words import kept_always, kept_for_game, taken_back
from destutter.ui.controls.banner import BannerAction, BannerText, Urgency
from destutter.ui.controls.signs import look_of, outcome_tone
from destutter.ui.pages.outcome_banners import DISMISS, dismiss, not_done_banner
from destutter.ui.pages.said_alike import keep_always, keep_for_game, take_back
from destutter.ui.shell.main_window import MainWindow
from destutter.ui.shell.page_focus import focus_page
from destutter.ui.words.refusal_words import NOT_DONE
from destutter.ui.words.words import said_sentence

if TYPE_CHECKING:
    from destutter.analysis.comparing.comparison import Comparison
    from destutter.analysis.report.language import ReportWords

translate = QCoreApplication.translate

KEEP, KEEP_FOR_GAME, TAKE_BACK, SHOW = "keep", "keep-for-game", "take-back", "show"
Compare = Callable[[str, str], None]


class TrialVerdict(QObject):
    """The banner of recorded trials. ``compare`` shows two recordings by their file names."""

    def __init__(
        self,
        window: MainWindow,
        trials: RecordedTrials,
        tuning: TuningModel,
        compare: Compare,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._trials = trials
        self._tuning = tuning
        self._show_both = compare
        self._verdict: BannerText | None = None
        self.banner = window.banner_area.banner(Urgency.TRIAL)
        self.banner.action_clicked.connect(self._accept)
        trials.begun.connect(self.banner.hide)
        trials.reading.connect(self._say_that_they_are_read)
        trials.compared.connect(self._say_verdict)
        trials.was_first.connect(self._say_that_none_was_before)
        trials.failed.connect(self._say_unreadable)
        tuning.outcome_changed.connect(self._tell_kept)
        tuning.helped.given_up.connect(self._tell_given_up)

    @Slot()
    def _say_that_they_are_read(self) -> None:
        """Of two long flights it took four minutes, and no page said that anything was to come."""
        text = translate("GameTrials", "The trial with {game} is over; it is being compared")
        detail = translate(
            "GameTrials",
            "Both recordings are read, which may take minutes. The verdict comes here, on every "
            "page.",
        )
        self._say("info", text.format(game=self._trials.game), detail)

    @Slot()
    def _say_that_none_was_before(self) -> None:
        text = translate("GameTrials", "The trial with {game} is recorded")
        detail = translate(
            "GameTrials",
            "There is no earlier recording of this game to compare with: record once without the "
            "changes, then compare both in Sessions.",
        )
        self._say("info", text.format(game=self._trials.game), detail)

    @Slot(object)
    def _say_unreadable(self, reason: Statement) -> None:
        text = translate("GameTrials", "The recordings cannot be compared")
        self._say("warn", text, said_sentence(reason))

    @Slot(object)
    def _say_verdict(self, comparison: Comparison) -> None:
        # Read late: nobody needs the words of reports for the first picture.
        from destutter.analysis.report.comparison_words import headline
        from destutter.ui.sessions.report_words import report_words
        from destutter.ui.words.explanation_pages import ExplanationPages
        from destutter.ui.words.setting_words import SettingWords
        from destutter.ui.words.translations import languages_of

        quantities, trials = self._window.quantities, self._trials
        pages = ExplanationPages(
            resource_folder() / "explanations", languages_of(quantities.locale)
        )
        words = report_words(quantities, SettingWords(quantities, pages))
        said = headline(comparison, words)
        show = BannerAction(SHOW, translate("GameTrials", "Show the comparison"))
        tone = outcome_tone(comparison.outcome)
        actions: tuple[BannerAction, ...] = (show,)
        if comparison.outcome is ComparedOutcome.BETTER and not trials.is_kept:
            actions = (*self._ways_to_keep(is_sure=not comparison.gone), show)
            self._tuning.helped.offer(Helped(trials.game, trials.changes, said))
        self._say(tone, said, _detail(comparison, trials.game, words), *actions)

    def _ways_to_keep(self, *, is_sure: bool) -> tuple[BannerAction, ...]:
        """What helped one game is to be kept for that one first: for every start it would change
        the computer for all programs. What something else may have helped is not suggested."""
        has_sets = self._trials.may_be_kept_for_game
        keep = BannerAction(KEEP, keep_always(), is_primary=is_sure and not has_sets)
        for_game = BannerAction(KEEP_FOR_GAME, keep_for_game(), is_primary=is_sure)
        back = BannerAction(TAKE_BACK, take_back())
        return (keep, for_game, back) if has_sets else (keep, back)

    @Slot()
    def _tell_kept(self) -> None:
        """What became of it stands where the question stood, on whichever page that was answered;
        a closed dialog leaves the question."""
        outcome, asked = self._tuning.outcome, self._tuning.helped.shown
        if outcome is None or asked is None or not _keeps(outcome):
            return
        if outcome.kind is OutcomeKind.CANCELLED and self._verdict is not None:
            self._show(self._verdict)
        elif outcome.kind in NOT_DONE:
            self._show(not_done_banner(outcome))
        elif outcome.kind is OutcomeKind.DONE:
            self._tuning.helped.offer(None)
            is_for_game = bool(outcome.game)
            count = len(outcome.changes)
            self._show(kept_for_game(outcome.game) if is_for_game else kept_always(count))
            # Once is enough: the page Changes said the same below. Others hear of it first.
            QTimer.singleShot(0, self._tuning, self._tuning.forget_outcome)

    @Slot()
    def _tell_given_up(self) -> None:
        self._show(taken_back())

    def _show(self, text: BannerText) -> None:
        self.banner.show_text(text)
        self.banner.show()

    def _hide(self) -> None:
        had_focus = self._window.focusWidget() in self.banner.findChildren(QWidget)
        self.banner.hide()
        if had_focus:
            focus_page(self._window)

    def _say(self, tone: str, text: str, detail: str, *actions: BannerAction) -> None:
        icon, kind = look_of(tone)
        shown = (*actions, dismiss())
        self._verdict = BannerText(kind, icon, text, detail, Urgency.TRIAL, shown)
        self._show(self._verdict)

    @Slot(str)
    def _accept(self, action: str) -> None:
        if action in {KEEP, KEEP_FOR_GAME, DISMISS}:
            self._hide()
        if action == KEEP:
            self._trials.keep()
        elif action == KEEP_FOR_GAME:
            self._trials.keep_for_game()
        elif action == TAKE_BACK:
            self._tuning.helped.give_up()
        elif action == SHOW and self._trials.both is not None:
            before, tried = self._trials.both
            self._show_both(before.name, tried.name)


def _keeps(outcome: Outcome) -> bool:
    """Whether it was asked to keep something beyond the next restart."""
    return outcome.what is Asked.KEEP_GAME or outcome.until == LASTS_ALWAYS


def _detail(comparison: Comparison, game: str, words: ReportWords) -> str:
    """What was compared with what, in the words of who has just played, and how sure that is."""
    from destutter.analysis.report.comparison_words import (
        compared_minutes,
        lost_words,
        reason_words,
    )

    minutes = compared_minutes(comparison)
    if minutes is None:
        over = translate("GameTrials", "The trial with {game} is over.").format(game=game)
    else:
        over = translate(
            "GameTrials",
            "The trial with {game} is over: {tried} minutes with the changes against {before} "
            "minutes before.",
        ).format(game=game, tried=minutes.minutes_b, before=minutes.minutes_a)
    other = ""
    if comparison.gone:
        # A tester closed the program that filled memory in the middle of a trial: "keep for this
        # game" was suggested for it.
        other = translate(
            "GameTrials",
            "{programs} did much less than before as well, which may be what helped: try once "
            "more with all else as before.",
        ).format(programs=words.enumerated(comparison.gone))
    elif comparison.outcome.is_decided:
        other = _unlike(comparison)
    said = lost_words(comparison, words), over, other, reason_words(comparison, words)
    return words.reader.sentences(said)


def _unlike(comparison: Comparison) -> str:
    """That the play was perhaps not the same; empty where nothing says so.

    It stood on the page of recordings alone, and here a button to keep the cure.
    """
    from destutter.analysis.comparing.comparison import (
        UNEQUAL_IN_A,
        UNEQUAL_IN_B,
        UNEQUAL_IN_BOTH,
    )

    told = {
        UNEQUAL_IN_A: translate(
            "GameTrials",
            "With the changes the computer read, wrote or took up much less than before: the play "
            "may not have been alike.",
        ),
        UNEQUAL_IN_B: translate(
            "GameTrials",
            "With the changes the computer read, wrote or took up much more than before: the play "
            "may not have been alike.",
        ),
        UNEQUAL_IN_BOTH: translate(
            "GameTrials",
            "What the computer read, wrote and took up was not as before: the play may not have "
            "been alike.",
        ),
    }
    return next((told[each] for each in comparison.warnings if each in told), "")
