# SPDX-License-Identifier: GPL-3.0-or-later
"""Step 4: what was found, and which changes to try; or what helps where no setting does."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from destutter.analysis.changes.tuning_state import (
    LASTS_RESTART,
    GameProcess,
    Outcome,
    OutcomeKind,
)
from destutter.analysis.examining.summary import SessionSummary
from destutter.bridge.session_examiner import Examined, SessionExaminer
from destutter.core.statement import Statement
from destutter.tuning.recommendation import LOW, Recommendation
from destutter.tuning.shell_text import as_commands
from destutter.ui.controls.notices import Notice, Notices
from destutter.ui.controls.reading_view import ReadingView
from destutter.ui.controls.suggested import mark_suggested
from destutter.ui.guide.advice_page import AdviceStack
from destutter.ui.guide.answer import Answer
from destutter.ui.guide.cause_view import CauseView
from destutter.ui.guide.choice_notices import not_done_notice, why_not_changed
from destutter.ui.guide.choice_row import ChoiceRow
from destutter.ui.guide.choice_words import ChoiceWords, kept_as
from destutter.ui.guide.deed_words import did_that, title_of_deed
from destutter.ui.guide.step import GuideMemory, GuideTools, Step
from destutter.ui.help.helper_view import make_helper_view
from destutter.ui.pages.said_alike import show_the_cause, trial_needs, try_for_game
from destutter.ui.words.outcome_report import failures, report_text
from destutter.ui.words.words import said_line
from destutter_helper.api.payload import Change

_LOOK_BEHIND_MS = 8000  # to type a password takes as long; sooner, the hint is only in the way


class ChooseStep(Step):
    """Reads the first recording and offers what is advised for it.

    ``cause_requested(SessionSummary, Finding)`` for what is known of the cause. The helper is set
    up in place: whoever was sent to its panel had no way back.
    """

    cause_requested = Signal(object, object)

    def __init__(
        self, tools: GuideTools, memory: GuideMemory, parent: QWidget | None = None
    ) -> None:
        super().__init__(tools, memory, parent)
        self._summary: SessionSummary | None = None
        self._problem = ""
        self._texts = ChoiceWords(tools)
        self.is_asking = False
        self._shows_helper = self._is_calm = False
        self._outcome: Outcome | None = None
        self._examiner: SessionExaminer = tools.models.guide_examiner
        self.notices = Notices(tools.theme, 2, self)
        self.reading = ReadingView(tools.theme, self)
        self.reading.cancel.hide()
        self.rows: list[ChoiceRow] = []
        self.cause = CauseView(tools.theme, tools.words, tools.explanations, self)
        self._list = QWidget(self)
        self._lines = QVBoxLayout(self._list)
        self._lines.setContentsMargins(0, 0, 0, 0)
        self._lines.setSpacing(0)
        self.copy = QPushButton(self.tr("Copy as commands"), self._list)
        self.copy.setProperty("role", "link")
        self.copy.clicked.connect(self._copy)
        self.show_cause = QPushButton(show_the_cause(), self)
        self.show_cause.setProperty("role", "link")
        self._stack = AdviceStack(self)
        self._late = QTimer(self)
        self._late.setSingleShot(True)
        self._late.setInterval(_LOOK_BEHIND_MS)
        self._late.timeout.connect(self.changed)
        self._build()
        self._connect()

    def _build(self) -> None:
        self._stack.addWidget(self.reading)
        self._stack.addWidget(self._list)
        self._stack.addWidget(self.cause)
        self.notices.setContentsMargins(0, 0, 0, self.tools.theme.sizes.px(6))
        self.body.addWidget(self.notices)
        self.body.addWidget(self._stack, 1)
        self.body.addWidget(self.show_cause, 0, Qt.AlignmentFlag.AlignLeading)
        self.copy.hide()
        self.show_cause.hide()

    def _connect(self) -> None:
        self._examiner.progressed.connect(self._progressed)
        self._examiner.examined.connect(self._examined)
        self._examiner.failed.connect(self._unreadable)
        self.show_cause.clicked.connect(self._request_cause)
        self.cause.helper_requested.connect(self._open_helper)
        self._stack.closed.connect(self._close_helper)
        self.notices.acted.connect(self._act)
        self.notices.closed.connect(self._show_copy)
        tuning = self.tools.tuning
        if tuning is not None:
            tuning.changed.connect(self._tuning_changed)
            tuning.outcome_changed.connect(self._outcome_changed)

    # --- texts -------------------------------------------------------------------------------

    @property
    def heading(self) -> str:
        if self._problem:
            return self.tr("The recording cannot be read")
        if self._summary is None:
            return self.tr("Looking for the causes")
        if self.chosen or (self.rows and not self._has_deed):
            return self.tr("Choose what to try")
        if self.suggested is not None:
            return self.tr("A setting helps")
        if self._has_deed:
            return title_of_deed(self.tools.words.renderer, self._answer)
        return self.tr("A setting helps") if self._needs_helper else self.tr("Nothing to change")

    @property
    def suggested(self) -> QPushButton | None:
        """The way to the helper, where what most would try needs it: the way on was "I did that",
        and the cure stood below it with a grey button."""
        if self._answer.remedies or not self._shows_helper or self._stack.is_reading:
            return None
        is_usual = any(each.risk == LOW for each in self._offered)
        return self.cause.helper_button if is_usual else None

    @property
    def sentence(self) -> str:
        say = self.tools.words.renderer
        if self._problem:
            back = self.tr("Go back to record again.")
            return say.sentences((say.as_sentence(self._problem), back))
        if self._summary is None:
            return self.tr("The recording is being read.")
        if self._busy == "asking":
            words = self.tr("Waiting for your password…")
            behind = self.tr("Look for the password window; it may be behind this one.")
            return words if self._late.isActive() else say.sentences((words, behind))
        if self._busy:
            return self.tr("The settings are being changed.")
        answer = self._answer
        verdict = "" if answer.verdict is None else self.tools.words.text(answer.verdict.headline)
        if self.rows or self._needs_helper:
            advice = say.sentences(self._advice())
            if not advice:
                return say.as_sentence(verdict)
            text = self.tr("{verdict}. {advice}")
            return text.format(verdict=verdict, advice=advice) if verdict else advice
        return self._texts.nothing(self._summary, answer, verdict)

    def _advice(self) -> Iterator[str]:
        """What to do here, a sentence each; first what helps more than any setting."""
        if self._needs_helper:
            if not self._answer.remedies:  # else that stands below, and a setting is only more
                yield self.tr("A setting helps; Destutter changes it with its helper.")
            return
        yield from map(self.tools.words.text, self._answer.remedies)
        if self._answer.remedies and self.chosen:
            yield self.tr(
                "Do that or try the changes, not both at once: else no comparison tells which "
                "helped."
            )
        if any(row.is_chosen and row.recommendation.risk == LOW for row in self.rows):
            yield self.tr("The changes of low risk are chosen; read “Why?” before adding more.")
        elif not self.chosen:
            yield self.tr("No change is chosen; read “Why?” before you choose one.")
        if self.chosen and self._game is not None:
            yield trial_needs()
        if self.chosen and self._game is None:
            yield self.tr("While the game runs they can be tried for as long as it does.")

    @property
    def next_text(self) -> str:
        if self._summary is None or self._stack.is_reading:
            return ""
        if not self.chosen:
            return self._way_on()
        tuning = self.tools.tuning
        if tuning is not None and self._game is not None:
            return try_for_game(is_flight=tuning.preset.is_flight)
        return self.tr("Apply %n change(s)", "", len(self.chosen))

    def _way_on(self) -> str:
        """Without a change; what a person did is no "without a change"."""
        if self._in_place:
            return self.tr("Continue")
        if self._has_deed:
            return did_that()
        return self.tr("Record again without a change")

    @property
    def needs_rights(self) -> bool:
        """Whether a password will be asked for."""
        return bool(self.chosen)

    @property
    def can_go_on(self) -> bool:
        return self._summary is not None and not self._busy

    @property
    def _answer(self) -> Answer:
        return Answer.of(self._summary)

    @property
    def _has_deed(self) -> bool:
        """Whether something is told that a person can do, other than a change in the list."""
        answer = self._answer
        if answer.blames_game or answer.remedies:
            return True
        return answer.finding is not None and not self.rows and self.cause.has_advice

    @property
    def _offered(self) -> list[Recommendation]:
        """The changes that are worth a trial by what was recorded."""
        found = () if self._summary is None else self._summary.recommendations
        return [each for each in found if self._answer.offers(each)]

    @property
    def _needs_helper(self) -> bool:
        """Whether there are some, and nothing here that could make them: nobody is sent to a
        terminal, and what is not on trial does not end with the game."""
        return not self._can_change and bool(self._offered)

    @property
    def _game(self) -> GameProcess | None:
        """The game that runs, which a change may last as long as."""
        return None if self.tools.tuning is None else self.tools.tuning.game

    @property
    def _in_place(self) -> list[str]:
        """What was chosen here before and is set still."""
        tuning = self.tools.tuning
        there = () if tuning is None else tuning.journal_changes
        return [each.key for each in there if each.key in dict(self.memory.progress.changes)]

    @property
    def _busy(self) -> str:
        return "" if self.tools.tuning is None else self.tools.tuning.busy

    @property
    def _can_change(self) -> bool:
        tuning = self.tools.tuning
        return tuning is not None and (tuning.can_change or bool(tuning.busy))

    @Slot()
    def _show_copy(self) -> None:
        """Offer the commands where somebody else has to make the changes, and no notice does."""
        is_denied = self._outcome is not None and self._outcome.kind is OutcomeKind.DENIED
        is_said = any(each.action == self.copy.text() for each in self.notices.shown)
        self.copy.setVisible(bool(self.chosen) and is_denied and not is_said)

    # --- reading -----------------------------------------------------------------------------

    def entered(self) -> None:
        """Read the recording of step 3."""
        library = self.tools.models.library
        path = library.folder / self.memory.progress.baseline
        if self._summary is not None and self._summary.path == str(path):
            self._show_rows(self._summary)
            return
        self._summary, self._problem = None, ""
        self.show_cause.hide()
        self._stack.forget()
        self._stack.setCurrentIndex(0)
        session = library.session(path)
        length_s = 0.0 if session is None else session.duration_s or 0.0
        self._examiner.examine([path], [length_s])
        self.changed.emit()

    @Slot(float)
    def _progressed(self, share: float) -> None:
        self.reading.bar.setValue(round(100 * share))

    @Slot(object)
    def _examined(self, examined: Examined) -> None:
        if examined.comparison is None:
            self._summary = examined.summaries[0]
            self._show_rows(self._summary)

    @Slot(object, object)
    def _unreadable(self, path: Path, reason: Statement) -> None:
        if path.name == self.memory.progress.baseline:
            self._problem = said_line(reason)
            self._stack.setCurrentIndex(1)
            self.changed.emit()

    @Slot()
    def _open_helper(self) -> None:
        tuning = self.tools.tuning
        status = None if tuning is None else tuning.status
        view = make_helper_view(self.tools.theme, status, has_margin=False)
        if tuning is not None:
            view.done.connect(tuning.refresh)
        self._stack.open(view.title, view, self.tr("Back to the advice"))
        self.changed.emit()

    @Slot()
    def _close_helper(self) -> None:
        if self._summary is not None:
            self._show_rows(self._summary)
        if self.cause.helper_button is not None:
            self.cause.helper_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_rows(self, summary: SessionSummary) -> None:
        self._stack.forget()
        for row in self.rows:
            row.hide()
            row.deleteLater()
        while self._lines.count():
            self._lines.takeAt(0)
        self._shows_helper = self._needs_helper
        offered = [] if self._shows_helper else self._offered
        self.rows = [self._row(each, is_first=at == 0) for at, each in enumerate(offered)]
        for row in self.rows:
            self._lines.addWidget(row)
        self._lines.addWidget(self.copy, 0, Qt.AlignmentFlag.AlignLeading)
        self._lines.addStretch(1)
        answer = self._answer
        is_told = not self.rows and self.cause.show_answer(answer)
        for advice in self._offered if self._shows_helper else ():
            gain = self._texts.gain(advice, answer)
            name = self._texts.name(advice)
            if answer.remedies:
                name = self.tr("If that is not enough: {setting}").format(setting=name)
            self.cause.add_setting(name, gain, is_more=bool(answer.remedies))
        self.show_cause.setVisible(answer.finding is not None)
        self._mark_helper()
        self._stack.setCurrentWidget(self.cause if is_told else self._list)
        self._tuning_changed()

    def _mark_helper(self) -> None:
        if self.cause.helper_button is not None:
            is_suggested = self.suggested is not None and not self._is_calm
            mark_suggested(self.cause.helper_button, is_suggested=is_suggested)

    def set_calm(self, *, is_calm: bool) -> None:
        self._is_calm = is_calm
        self._mark_helper()

    def _row(self, advice: Recommendation, *, is_first: bool) -> ChoiceRow:
        row = ChoiceRow(self.tools.theme, advice, is_first=is_first, parent=self._list)
        texts = self._texts
        row.show_texts(texts.name(advice), self._change_text(advice), texts.why(advice))
        row.why.setToolTip(f"{advice.key}\n{texts.values(advice)}")
        row.box.setChecked(advice.risk == LOW and not self._answer.blames_game)
        row.toggled.connect(self._chosen_changed)
        return row

    def _change_text(self, advice: Recommendation) -> str:
        return self._texts.change(advice, self._answer, self._game)

    # --- changing ----------------------------------------------------------------------------

    @property
    def chosen(self) -> tuple[Change, ...]:
        """What shall be tried."""
        return tuple(
            Change(advice.tunable, advice.recommended, advice.device)
            for advice in (row.recommendation for row in self.rows if row.is_chosen)
        )

    def go_on(self) -> None:
        """Try what is chosen; the next step follows when it is done."""
        tuning, chosen = self.tools.tuning, self.chosen
        if tuning is not None and chosen and tuning.can_change:
            self.is_asking, self._outcome = True, None
            self._late.start()
            if tuning.game is not None:
                tuning.try_for_game(chosen)
            else:
                tuning.apply(chosen, until=LASTS_RESTART)
        elif self._in_place and not chosen:
            self.finished.emit()
        else:
            self.remember(chosen)
            self.finished.emit()

    @Slot()
    def _request_cause(self) -> None:
        self.cause_requested.emit(self._summary, self._answer.finding)

    def remember(self, changes: tuple[Change, ...]) -> None:
        """These are tried, and what is recorded next is the second recording."""
        self.memory.keep(replace(self.memory.progress, changes=kept_as(changes), second=""))

    def is_remembered(self, changes: tuple[Change, ...]) -> bool:
        return set(kept_as(changes)) == set(self.memory.progress.changes)

    @Slot()
    def _tuning_changed(self) -> None:
        if self._summary is not None and self._shows_helper is not self._needs_helper:
            self._show_rows(self._summary)  # the helper came, or went
            return
        tuning = self.tools.tuning
        failed = failures(self._outcome)
        for row in self.rows:
            advice = row.recommendation
            present = None if tuning is None else tuning.values.get(advice.key)
            is_there = present is not None and present.value == advice.recommended
            row.show_state(self.tr("It has this value already.") if is_there else "")
            if not is_there:
                row.show_change(self._change_text(advice), why_not_changed(failed.get(advice.key)))
        self._chosen_changed()

    @Slot()
    def _chosen_changed(self) -> None:
        self._show_copy()
        self.changed.emit()

    @Slot()
    def _outcome_changed(self) -> None:
        tuning = self.tools.tuning
        if not self.is_asking or tuning is None or tuning.outcome is None:
            return
        outcome = self._outcome = tuning.outcome
        self.is_asking = False
        self._late.stop()
        if outcome.kind is OutcomeKind.DONE:
            self.notices.remove("outcome")
            self.remember(outcome.changes)
            self.finished.emit()
        elif outcome.kind is not OutcomeKind.CANCELLED:
            self.notices.show_notice(not_done_notice(outcome, self.copy.text()))
        self._tuning_changed()

    @Slot(str)
    def _act(self, notice: str) -> None:
        """The button of what was refused: commands for an administrator; else a report."""
        if notice != "outcome" or self._outcome is None:
            return
        if self._outcome.kind is OutcomeKind.DENIED:
            self._copy()
        else:
            QGuiApplication.clipboard().setText(report_text(self._outcome))
            self.notices.show_notice(Notice("copied", "ok", self.tr("The report is copied")))

    @Slot()
    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(as_commands(self.chosen))
        self.notices.show_notice(
            Notice("copied", "ok", self.tr("The commands are in the clipboard"))
        )
