# SPDX-License-Identifier: GPL-3.0-or-later
"""A trial for as long as a game runs is recorded, and compared with the last time before it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Slot

from destutter.analysis.changes.tuning_state import (
    LASTS_ALWAYS,
    Outcome,
    OutcomeKind,
    RunningTrial,
)
from destutter.bridge.helped_flight import Helped
from destutter.bridge.recording import SessionRecording
from destutter.bridge.session_services import SessionServices
from destutter.bridge.tuning_model import TuningModel
from destutter.core.compared import ComparedOutcome
from destutter.core.statement import Statement
from destutter.resource_folder import resource_folder
from destutter.session.store import StoredSession
from destutter.ui.changes.outcome_words import kept_always, kept_for_game, taken_back
from destutter.ui.controls.banner import BannerAction, BannerText, Urgency
from destutter.ui.controls.signs import look_of
from destutter.ui.pages.outcome_banners import DISMISS, dismiss, not_done_banner
from destutter.ui.pages.said_alike import keep_always, keep_for_game, take_back
from destutter.ui.shell.main_window import MainWindow
from destutter.ui.words.outcome_words import NOT_DONE
from destutter.ui.words.words import said_sentence
from destutter_helper.api.payload import Change

if TYPE_CHECKING:
    from destutter.analysis.comparing.comparison import Comparison
    from destutter.analysis.report.language import ReportWords
    from destutter.bridge.session_examiner import Examined

translate = QCoreApplication.translate

KEEP, KEEP_FOR_GAME, TAKE_BACK, SHOW = "keep", "keep-for-game", "take-back", "show"
_TONES = {ComparedOutcome.BETTER: "ok", ComparedOutcome.WORSE: "warn"}
Compare = Callable[[str, str], None]


@dataclass
class _Tried:
    """What was tried with which game, and the file in which that was recorded."""

    game: str
    changes: tuple[Change, ...]
    path: Path | None = None
    before: Path | None = None
    is_over: bool = False
    is_told: bool = False


class GameTrials(QObject):
    """Starts a recording with such a trial and ends it with it, and says what both came to.

    ``recording`` is the one of the measurement that runs now; ``compare`` shows two recordings,
    given by their file names.
    """

    def __init__(
        self,
        window: MainWindow,
        tuning: TuningModel,
        models: SessionServices,
        recording: Callable[[], SessionRecording | None],
        compare: Compare,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._tuning = tuning
        self._models = models
        self._recording = recording
        self._show_both = compare
        self._tried: _Tried | None = None
        self._latest: Path | None = None
        self.banner = window.banner_area.banner(Urgency.TRIAL)
        self.banner.action_clicked.connect(self._accept)
        self._verdict: BannerText | None = None
        tuning.changed.connect(self._follow)
        tuning.outcome_changed.connect(self._tell_kept)
        tuning.helped.given_up.connect(self._tell_given_up)
        models.library.changed.connect(self._look_for_both)
        models.trial_examiner.examined.connect(self._compared)
        models.trial_examiner.failed.connect(self._unreadable)

    @Slot()
    def _follow(self) -> None:
        trial, tried = self._tuning.trial, self._tried
        # What is kept for a game is no trial to whoever plays: nothing to record and to compare.
        runs = trial is not None and trial.is_ours and bool(trial.game) and not trial.is_kept
        if trial is not None and runs and (tried is None or tried.is_over):
            self._begin(trial)
        elif not runs and tried is not None and not tried.is_over:
            self._end(tried)

    def _begin(self, trial: RunningTrial) -> None:
        """Record from now on, in a file of its own: what ran before is the time before."""
        changes = tuple(each.change for each in trial.changes if each.change is not None)
        self._tuning.helped.offer(None)
        self._tried = _Tried(trial.game, changes)
        self.banner.hide()
        recording = self._recording()
        if recording is not None:
            recording.stop()
            recording.start(trial.game)

    def _end(self, tried: _Tried) -> None:
        tried.is_over = True
        recording = self._recording()
        # What the user has begun since goes on.
        if recording is not None and tried.path is not None and self._latest == tried.path:
            recording.stop()
        self._models.library.refresh()

    @Slot(str)
    def recording_started(self, path: str) -> None:
        """The first one after the begin is that of the trial."""
        self._latest = Path(path)
        tried = self._tried
        if tried is not None and tried.path is None and not tried.is_over:
            tried.path = self._latest

    @Slot()
    def _look_for_both(self) -> None:
        """The list of recordings is new: with both of them there they are compared."""
        tried, library = self._tried, self._models.library
        if tried is None or not tried.is_over or tried.path is None or tried.is_told:
            return
        flight = library.session(tried.path)
        if flight is None:
            return
        tried.is_told = True
        before = _last_before(library.sessions, flight)
        if before is None:
            self._say_that_none_was_before(tried)
            return
        tried.before = before.path
        self._models.trial_examiner.examine(
            [before.path, flight.path],
            [before.duration_s or 0.0, flight.duration_s or 0.0],
            library.further_runs(before, flight),
        )

    def _say_that_none_was_before(self, tried: _Tried) -> None:
        text = translate("GameTrials", "The trial with {game} is recorded").format(game=tried.game)
        detail = translate(
            "GameTrials",
            "There is no earlier recording of this game to compare with: record once without the "
            "changes, then compare both in Sessions.",
        )
        self._say("info", text, detail)

    @Slot(object, object)
    def _unreadable(self, _path: Path, reason: Statement) -> None:
        text = translate("GameTrials", "The recordings cannot be compared")
        self._say("warn", text, said_sentence(reason))

    @Slot(object)
    def _compared(self, answer: Examined) -> None:
        tried, comparison = self._tried, answer.comparison
        if tried is not None and comparison is not None:
            self._say_verdict(comparison, tried)

    def _say_verdict(self, comparison: Comparison, tried: _Tried) -> None:
        # Read late: nobody needs the words of reports for the first picture.
        from destutter.analysis.report.comparison_words import headline
        from destutter.ui.sessions.report_words import report_words
        from destutter.ui.words.explanations import ExplanationPages
        from destutter.ui.words.setting_words import SettingWords
        from destutter.ui.words.translations import languages_of

        quantities = self._window.quantities
        pages = ExplanationPages(
            resource_folder() / "explanations", languages_of(quantities.locale)
        )
        words = report_words(quantities, SettingWords(quantities, pages))
        said = headline(comparison, words)
        show = BannerAction(SHOW, translate("GameTrials", "Show the comparison"))
        is_better = comparison.outcome is ComparedOutcome.BETTER
        tone = _TONES.get(comparison.outcome, "info")
        actions: tuple[BannerAction, ...] = (show,)
        if is_better and not self._is_kept(tried):
            actions = (*self._ways_to_keep(tried), show)
            self._tuning.helped.offer(Helped(tried.game, tried.changes, said))
        self._say(tone, said, _detail(comparison, tried.game, words), *actions)

    def _ways_to_keep(self, tried: _Tried) -> tuple[BannerAction, ...]:
        keep = BannerAction(KEEP, keep_always(), is_primary=True)
        for_game = BannerAction(KEEP_FOR_GAME, keep_for_game())
        back = BannerAction(TAKE_BACK, take_back())
        may_be = self._tuning.games.may_keep(tried.game, tried.changes)
        return (keep, for_game, back) if may_be else (keep, back)

    def _is_kept(self, tried: _Tried) -> bool:
        """Whether somebody has kept it for every start while the game ran."""
        journal = self._tuning.journal_changes
        return {each.change for each in journal if each.lasts == LASTS_ALWAYS} >= set(
            tried.changes
        )

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

    @Slot()
    def _tell_given_up(self) -> None:
        self._show(taken_back())

    def _show(self, text: BannerText) -> None:
        self.banner.show_text(text)
        self.banner.show()

    def _say(self, tone: str, text: str, detail: str, *actions: BannerAction) -> None:
        icon, kind = look_of(tone)
        shown = (*actions, dismiss())
        self._verdict = BannerText(kind, icon, text, detail, Urgency.TRIAL, shown)
        self._show(self._verdict)

    @Slot(str)
    def _accept(self, action: str) -> None:
        tried = self._tried
        if action in {KEEP, KEEP_FOR_GAME, DISMISS}:
            self.banner.hide()
        if tried is None or tried.path is None or tried.before is None:
            return
        if action == KEEP:
            self._tuning.apply(tried.changes, LASTS_ALWAYS)
        elif action == KEEP_FOR_GAME:
            self._tuning.games.keep(tried.game, tried.changes)
        elif action == TAKE_BACK:
            self._tuning.helped.give_up()
        elif action == SHOW:
            self._show_both(tried.before.name, tried.path.name)


def _keeps(outcome: Outcome) -> bool:
    """Whether it was asked to keep something beyond the next restart."""
    return outcome.what == "keep-game" or outcome.until == LASTS_ALWAYS


def _detail(comparison: Comparison, game: str, words: ReportWords) -> str:
    """What was compared with what, in the words of who has just played, and how sure that is."""
    from destutter.analysis.report.comparison_words import compared_minutes, reason_words

    minutes = compared_minutes(comparison)
    if minutes is None:
        over = translate("GameTrials", "The trial with {game} is over.").format(game=game)
    else:
        over = translate(
            "GameTrials",
            "The trial with {game} is over: {tried} minutes with the changes against {before} "
            "minutes before.",
        ).format(game=game, tried=minutes.minutes_b, before=minutes.minutes_a)
    return f"{over} {reason_words(comparison, words)}"


def _last_before(sessions: Sequence[StoredSession], flight: StoredSession) -> StoredSession | None:
    """The newest recording of the same game from before, the newest of which come first."""
    return next(
        (
            each
            for each in sessions
            if each.game == flight.game
            and each.path != flight.path
            and each.problem is None
            and (each.start_wall_time or 0.0) <= (flight.start_wall_time or 0.0)
        ),
        None,
    )
