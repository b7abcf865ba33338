# SPDX-License-Identifier: GPL-3.0-or-later
"""Step 5: the same part again, whether it helped, and what is left."""

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QTimer, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QStackedWidget, QWidget

from destutter.analysis.changes.helper_results import is_partial
from destutter.analysis.changes.tuning_state import (
    LASTS_ALWAYS,
    JournalChange,
    OutcomeKind,
    RunningTrial,
)
from destutter.analysis.comparing.comparison import Comparison
from destutter.bridge.helped_flight import Helped
from destutter.bridge.kept_games import game_name
from destutter.bridge.session_examiner import Examined
from destutter.core.compared import ComparedOutcome
from destutter.core.statement import Statement
from destutter.ui.controls.notices import Notice, Notices
from destutter.ui.controls.reading_view import ReadingView
from destutter.ui.controls.suggested import mark_suggested
from destutter.ui.guide.done_words import ALWAYS, BACK, GAME, done_words
from destutter.ui.guide.left_row import LeftRow
from destutter.ui.guide.record_step import RecordStep
from destutter.ui.guide.remaining import Remaining
from destutter.ui.guide.step import GuideMemory, GuideTools
from destutter.ui.guide.verdict_view import VerdictView
from destutter.ui.pages.feed_state import RecordingState
from destutter.ui.pages.said_alike import (
    keep_always,
    keep_for_game,
    take_back,
)
from destutter.ui.words.refusal_words import NOT_DONE, why_not_done
from destutter.ui.words.words import said_line
from destutter_helper.api.payload import Change

_RECORD, _READ, _VERDICT = range(3)


class CompareStep(RecordStep):
    """Records like step 3, then compares. ``sessions_requested()`` for the whole comparison,
    ``cause_requested(SessionSummary, Finding)`` for what is left, and ``next_cause()`` when the
    guide shall go on with that: the second recording is the first one then."""

    sessions_requested = Signal(str, str)
    cause_requested = Signal(object, object)
    next_cause = Signal()

    def __init__(
        self, tools: GuideTools, memory: GuideMemory, parent: QWidget | None = None
    ) -> None:
        super().__init__(tools, memory, parent)
        self._comparison: Comparison | None = None
        self._asked = ""
        self._is_calm = False
        self._ends_with_game = False
        self._problem = ""
        self._examiner = tools.models.guide_examiner
        self.notices = Notices(tools.theme, 2, self)
        self.reading = ReadingView(tools.theme, self)
        self.reading.cancel.hide()
        self.verdict = VerdictView(tools.theme, tools.quantities, tools.settings, self)
        self.left = LeftRow(tools.theme, tools.words, self.verdict)
        self.left.clicked.connect(self._show_left)
        self.verdict.insert_below_figures(self.left)
        self.always = QPushButton(keep_always(), self)
        self.this_game = QPushButton(keep_for_game(), self)
        self.undo = QPushButton(take_back(), self)
        self.whole = QPushButton(self.tr("Show the whole comparison"), self)
        self._stack = QStackedWidget(self)
        self._build_verdict()
        self._examiner.progressed.connect(self._progressed)
        self._examiner.examined.connect(self._examined)
        self._examiner.failed.connect(self._unreadable)
        if tools.tuning is not None:
            tools.tuning.changed.connect(self._show_buttons)
            tools.tuning.games.changed.connect(self._show_buttons)
            tools.tuning.helped.changed.connect(self._show_buttons)
            tools.tuning.outcome_changed.connect(self._outcome_changed)

    def _build_verdict(self) -> None:
        run = QWidget(self)
        run_layout = QHBoxLayout(run)
        run_layout.setContentsMargins(0, 0, 0, 0)
        self.body.removeWidget(self.panel)
        run_layout.addWidget(self.panel)
        for view in (run, self.reading, self.verdict):
            self._stack.addWidget(view)
        self.body.removeWidget(self.again)
        self.body.insertWidget(0, self.notices)
        self.body.insertWidget(1, self._stack)
        # In fewer lines the card of a window of 640 pixels is too narrow for their German texts.
        for buttons in (
            (self.always, self.this_game),
            (self.undo, self.whole),
            (self.again,),
        ):
            self.body.addLayout(self._line(*buttons))
        self.always.clicked.connect(self._keep_always)
        self.this_game.clicked.connect(self._keep_for_game)
        self.undo.clicked.connect(self._undo)
        self.whole.clicked.connect(self._show_whole)
        self._show_buttons()

    def _line(self, *buttons: QPushButton) -> QHBoxLayout:
        line = QHBoxLayout()
        gap = self.tools.theme.sizes.px(8)
        line.setContentsMargins(0, gap, 0, 0)
        line.setSpacing(gap)
        for button in buttons:
            line.addWidget(button)
        line.addStretch(1)
        return line

    # --- texts -------------------------------------------------------------------------------

    @property
    def heading(self) -> str:
        if self._problem:
            return self.tr("The recordings cannot be compared")
        if (left := self._left) is not None and left.is_gone:
            before, after = map(self.tools.quantities.number, (left.before, left.after))
            words = self.tr("It is gone: {before} stutters before, {after} after")
            return words.format(before=before, after=after)
        return self.tr("Did it help?")

    @property
    def sentence(self) -> str:
        if self._problem:
            return self._problem
        if (left := self._left) is not None and left.is_gone and left.rested:
            programs = self.tools.words.renderer.enumerated(left.rested)
            words = self.tr("It stays so as long as {programs} stays closed while you play.")
            return words.format(programs=programs)
        if self._comparison is not None:
            return self.tr("The first recording is A, the second one B.")
        if self._stack.currentIndex() == _READ:
            return self.tr("Both recordings are being read.")
        trial = self._trial
        if trial is not None and self.panel.is_recording:
            words = self.tr(
                "The changes last as long as {game} runs, and that is recorded. Play the same "
                "part again, about as long as before; the verdict comes when you stop or quit it."
            )
            return words.format(game=trial.game)
        if self.panel.is_recording:
            return self.tr("Play the same part again, about as long as before.")
        if self.memory.progress.changes:
            return self.tr("The changes are in place. Play the same part again and record it.")
        return self.tr("Play the same part again and record it.")

    @property
    def next_text(self) -> str:
        if self._stack.currentIndex() == _VERDICT:
            if self._goes_on:
                return self.tr("Next cause")
            is_gone = self._left is not None and self._left.is_gone
            return self.tr("Done") if is_gone else self.tr("Finish")
        if self._stack.currentIndex() == _READ:
            return ""
        if self.panel.is_recording:
            return self.tr("Stop and compare")
        return self.tr("Compare") if self._file_name else self.tr("Start recording")

    @property
    def can_go_on(self) -> bool:
        return self._stack.currentIndex() == _VERDICT or super().can_go_on

    @property
    def _file_name(self) -> str:
        return self.memory.progress.second

    def _keep(self, file_name: str) -> None:
        self.memory.keep(replace(self.memory.progress, second=file_name))

    # --- going on ----------------------------------------------------------------------------

    def entered(self) -> None:
        """Compare at once when both recordings are there."""
        super().entered()
        self._comparison, self._problem = None, ""
        self._stack.setCurrentIndex(_RECORD)
        self._ends_with_game = self._trial is not None and self.panel.is_recording
        if self._ends_with_game:
            self._is_ours = True
            self._keep(self._recording_file)
        if self._file_name and not self.panel.is_recording:
            self._compare()
        self._show_buttons()

    def go_on(self) -> None:
        """Start, stop and compare, or end the guide."""
        if self._stack.currentIndex() == _VERDICT and self._goes_on:
            second = self.memory.progress.second
            self.memory.keep(replace(self.memory.progress, baseline=second, second="", changes=()))
            self.next_cause.emit()
        elif self._stack.currentIndex() == _VERDICT:
            self.finished.emit()
        elif self.panel.is_recording:
            self._ends_with_game = False
            self._keep(self._recording_file)
            self.stop_requested.emit()
            self._compare()
        elif self._file_name:
            self._compare()
        else:
            self._record()

    @property
    def _left(self) -> Remaining | None:
        """What the second recording says of the rest, once it is compared."""
        return None if self._comparison is None else Remaining.of(self._comparison)

    @property
    def _goes_on(self) -> bool:
        """Whether the rest is next; first somebody says what becomes of the changes."""
        return self._left is not None and self._left.has_next and not self._is_open

    @Slot()
    def _show_left(self) -> None:
        if self._left is not None and self._left.finding is not None:
            self.cause_requested.emit(self._left.summary, self._left.finding)

    def _compare(self) -> None:
        library = self.tools.models.library
        progress = self.memory.progress
        paths = [library.folder / progress.baseline, library.folder / progress.second]
        sessions = [library.session(path) for path in paths]
        lengths = [0.0 if each is None else each.duration_s or 0.0 for each in sessions]
        self._problem = ""
        self._stack.setCurrentIndex(_READ)
        self.again.hide()
        self._examiner.examine(paths, lengths)
        self.changed.emit()

    @Slot(float)
    def _progressed(self, share: float) -> None:
        self.reading.bar.setValue(round(100 * share))

    @Slot(object)
    def _examined(self, examined: Examined) -> None:
        if examined.comparison is None:
            return
        self._comparison = examined.comparison
        self._offer()
        self.left.show_remaining(Remaining.of(examined.comparison))
        self.verdict.show_comparison(examined.comparison)
        self._stack.setCurrentIndex(_VERDICT)
        self.again.show()
        self._show_buttons()

    @Slot(object, object)
    def _unreadable(self, path: Path, reason: Statement) -> None:
        if self._stack.currentIndex() == _READ:
            words = self.tr("{name}: {reason}")
            self._problem = words.format(name=path.stem, reason=said_line(reason))
            self._stack.setCurrentIndex(_RECORD)
            self.memory.keep(replace(self.memory.progress, second=""))
            self.changed.emit()

    @Slot()
    def _record(self) -> None:
        self._comparison, self._problem = None, ""
        self._stack.setCurrentIndex(_RECORD)
        super()._record()
        self._show_buttons()

    def show_recording(self, state: RecordingState) -> None:
        """Whether a recording runs; one that this step asked for is the second. That of a trial
        ends with the game, and is compared then."""
        is_over = self._ends_with_game and not state.is_recording
        super().show_recording(state)
        if is_over:
            self._ends_with_game = False
            self._compare()
        self.again.setVisible(self._stack.currentIndex() == _VERDICT)
        self._show_buttons()

    # --- what becomes of the changes ---------------------------------------------------------

    @property
    def _changes(self) -> tuple[Change, ...]:
        """What was tried with the second recording."""
        return tuple(_change(key, value) for key, value in self.memory.progress.changes)

    @property
    def _there(self) -> list[JournalChange]:
        """What of that is set by Destutter now."""
        tuning, tried = self.tools.tuning, dict(self.memory.progress.changes)
        journal = () if tuning is None else tuning.journal_changes
        return [each for each in journal if each.key in tried]

    @property
    def _trial(self) -> RunningTrial | None:
        """The trial of this for as long as the game runs."""
        tuning, tried = self.tools.tuning, dict(self.memory.progress.changes)
        trial = None if tuning is None else tuning.trial
        if trial is None or not trial.is_tried_in_game:
            return None
        return trial if {each.key for each in trial.changes} & tried.keys() else None

    def _offer(self) -> None:
        """What was better and went back with its game can be kept yet, here and on every page."""
        tuning, comparison = self.tools.tuning, self._comparison
        if tuning is None or comparison is None or not self._changes or self._there:
            return
        if comparison.outcome is ComparedOutcome.BETTER and tuning.helped.shown is None:
            tuning.helped.offer(Helped(self._played, self._changes, self.verdict.said(comparison)))

    @property
    def _is_offered(self) -> bool:
        tuning = self.tools.tuning
        helped = None if tuning is None else tuning.helped.shown
        return helped is not None and set(helped.changes) >= set(self._changes)

    @property
    def _played(self) -> str:
        """The game of the second recording."""
        return "" if self._comparison is None else self._comparison.b.game

    @property
    def suggested(self) -> QPushButton | None:
        """What the verdict speaks for, while nobody has said what becomes of the changes."""
        tuning = self.tools.tuning
        is_told = self._stack.currentIndex() == _VERDICT and self._is_open
        if tuning is None or self._comparison is None or not is_told:
            return None
        if self._comparison.outcome is not ComparedOutcome.BETTER:
            return self.undo
        if self._comparison.gone:  # which may be what helped
            return None
        has_sets = tuning.games.may_keep(self._played, self._changes)
        return self.this_game if has_sets else self.always  # for it alone, where that can be

    @property
    def _is_open(self) -> bool:
        """Whether they last, or lasted as long as the game ran, and are kept for nothing yet."""
        tuning = self.tools.tuning
        is_kept = tuning is not None and tuning.games.has_all(self._played, self._changes)
        is_passing = any(each.lasts != LASTS_ALWAYS for each in self._there)
        return not is_kept and (is_passing or self._is_offered)

    def set_calm(self, *, is_calm: bool) -> None:
        self._is_calm = is_calm
        self._show_buttons()

    @Slot()
    def _show_buttons(self) -> None:
        tuning = self.tools.tuning
        is_told = self._stack.currentIndex() == _VERDICT
        is_open = is_told and self._is_open
        for button in (self.always, self.this_game, self.undo):
            button.setEnabled(tuning is not None and tuning.can_change)
            is_suggested = button is self.suggested and not self._is_calm
            mark_suggested(button, is_suggested=is_suggested)
        self.always.setVisible(is_open)
        has_sets = tuning is not None and tuning.games.may_keep(self._played, self._changes)
        self.this_game.setVisible(is_open and has_sets)
        self.undo.setVisible(is_told and (bool(self._there) or self._is_offered))
        self.whole.setVisible(is_told)
        self.changed.emit()

    @Slot()
    def _undo(self) -> None:
        tuning = self.tools.tuning
        if tuning is None:
            return
        kept = tuning.games.of_game(self._played)
        if kept is not None and tuning.games.has_all(self._played, self._changes):
            self._asked = BACK  # else it came again at the next start
            tuning.games.forget(kept)
            return
        if not self._there:
            tuning.helped.give_up()
            self._forget()
            return
        self._asked = BACK
        if self._trial is not None:
            tuning.revert()
        else:
            tuning.undo([each.key for each in self._there])

    @Slot()
    def _keep_always(self) -> None:
        if self.tools.tuning is not None:
            self._asked = self._to_tell(ALWAYS)
            if self._trial is not None:
                self.tools.tuning.keep(LASTS_ALWAYS)
            else:
                self.tools.tuning.apply(self._changes, until=LASTS_ALWAYS)

    def _to_tell(self, asked: str) -> str:
        """What is offered on every page is answered above every page."""
        return "" if self._is_offered else asked

    def _forget(self) -> None:
        """What was taken back is not offered again."""
        self.memory.keep(replace(self.memory.progress, changes=()))
        self._show_buttons()

    @Slot()
    def _keep_for_game(self) -> None:
        if self.tools.tuning is not None:
            self._asked = self._to_tell(GAME)
            self.tools.tuning.games.keep(self._played, self._changes)

    @Slot()
    def _leave_the_rest(self) -> None:
        """What is kept for a game is not set while nobody plays it: the rest of the computer has
        its own values again. While that game runs they stay until the restart."""
        tuning = self.tools.tuning
        rest = [each.key for each in self._there if each.lasts != LASTS_ALWAYS]
        if tuning is None or tuning.trial is not None or not rest:
            return
        if tuning.game is None or game_name(tuning.game.name) != game_name(self._played):
            tuning.undo(rest)

    @Slot()
    def _show_whole(self) -> None:
        self.sessions_requested.emit(self.memory.progress.baseline, self._file_name)

    @Slot()
    def _outcome_changed(self) -> None:
        outcome = None if self.tools.tuning is None else self.tools.tuning.outcome
        if outcome is None or not self.isVisible():
            return
        asked, self._asked = self._asked, ""
        if outcome.kind is OutcomeKind.DONE and asked:
            self.notices.show_notice(Notice("outcome", "ok", *done_words(asked, self._played)))
            if asked == BACK:
                self._forget()
            if asked == GAME:
                # Not from within the news that the helper has kept it: others hear that first.
                QTimer.singleShot(0, self, self._leave_the_rest)
        elif outcome.kind in NOT_DONE:
            self.notices.show_notice(Notice("outcome", "bad", *why_not_done(outcome)))
        elif is_partial(outcome.results):  # one that ended with its game did what it was to do
            told = self.tr("That did not work; the Changes page says more")
            self.notices.show_notice(Notice("outcome", "bad", told))


def _change(key: str, value: str) -> Change:
    tunable, _, device = key.partition("@")
    return Change(tunable, value, device)
