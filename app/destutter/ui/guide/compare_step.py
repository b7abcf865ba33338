# SPDX-License-Identifier: GPL-3.0-or-later
"""Step 5: the same part again, and whether it helped."""

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QStackedWidget, QWidget

from destutter.analysis.changes.tuning_state import LASTS_ALWAYS, OutcomeKind
from destutter.analysis.comparing.comparison import Comparison
from destutter.bridge.session_examiner import Examined
from destutter.core.statement import Statement
from destutter.ui.controls.notices import Notice, Notices
from destutter.ui.controls.reading_view import ReadingView
from destutter.ui.guide.record_step import RecordStep
from destutter.ui.guide.step import GuideMemory, GuideTools
from destutter.ui.guide.verdict_view import VerdictView
from destutter.ui.pages.feed_state import RecordingState
from destutter.ui.words.outcome_words import NOT_DONE, why_not_done
from destutter.ui.words.words import said_line
from destutter_helper.api.payload import Change

_RECORD, _READ, _VERDICT = range(3)


class CompareStep(RecordStep):
    """Records like step 3, then compares. ``sessions_requested()`` for the whole comparison."""

    sessions_requested = Signal(str, str)

    def __init__(
        self, tools: GuideTools, memory: GuideMemory, parent: QWidget | None = None
    ) -> None:
        super().__init__(tools, memory, parent)
        self._comparison: Comparison | None = None
        self._asks_for_always = False
        self._problem = ""
        self._examiner = tools.models.guide_examiner
        self.notices = Notices(tools.theme, 2, self)
        self.reading = ReadingView(tools.theme, self)
        self.reading.cancel.hide()
        self.verdict = VerdictView(tools.theme, tools.quantities, tools.settings, self)
        self.undo = QPushButton(self.tr("Undo everything"), self)
        self.always = QPushButton(self.tr("Keep for every start"), self)
        self.whole = QPushButton(self.tr("Show the whole comparison"), self)
        self._stack = QStackedWidget(self)
        self._build_verdict()
        self._examiner.progressed.connect(self._progressed)
        self._examiner.examined.connect(self._examined)
        self._examiner.failed.connect(self._unreadable)
        if tools.tuning is not None:
            tools.tuning.changed.connect(self._show_buttons)
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
        # Two lines: in one of them the card is too narrow for all of their texts.
        for buttons in ((self.undo, self.always), (self.whole, self.again)):
            self.body.addLayout(self._line(*buttons))
        self.undo.clicked.connect(self._undo)
        self.always.clicked.connect(self._keep_always)
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
        return self.tr("Did it help?")

    @property
    def sentence(self) -> str:
        if self._problem:
            return self._problem
        if self._comparison is not None:
            return self.tr("The first recording is A, the second one B.")
        if self._stack.currentIndex() == _READ:
            return self.tr("Both recordings are being read.")
        if self.panel.is_recording:
            return self.tr("Play the same part again, about as long as before.")
        if self.memory.progress.changes:
            return self.tr("The changes are in place. Play the same part again and record it.")
        return self.tr("Play the same part again and record it.")

    @property
    def next_text(self) -> str:
        if self._stack.currentIndex() == _VERDICT:
            return self.tr("Finish")
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
        if self._file_name and not self.panel.is_recording:
            self._compare()
        self._show_buttons()

    def go_on(self) -> None:
        """Start, stop and compare, or end the guide."""
        if self._stack.currentIndex() == _VERDICT:
            self.finished.emit()
        elif self.panel.is_recording:
            self._keep(self._recording_file)
            self.stop_requested.emit()
            self._compare()
        elif self._file_name:
            self._compare()
        else:
            self._record()

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
        """Whether a recording runs; one that this step asked for is the second."""
        super().show_recording(state)
        self.again.setVisible(self._stack.currentIndex() == _VERDICT)
        self._show_buttons()

    # --- what becomes of the changes ---------------------------------------------------------

    @Slot()
    def _show_buttons(self) -> None:
        tuning = self.tools.tuning
        is_told = self._stack.currentIndex() == _VERDICT
        has_changes = tuning is not None and bool(tuning.journal_changes)
        can_change = tuning is not None and tuning.can_change
        for button in (self.undo, self.always):
            button.setVisible(is_told and has_changes)
            button.setEnabled(can_change)
        self.always.setVisible(is_told and has_changes and bool(self.memory.progress.changes))
        self.whole.setVisible(is_told)
        self.changed.emit()

    @Slot()
    def _undo(self) -> None:
        if self.tools.tuning is not None:
            self.tools.tuning.undo_all()

    @Slot()
    def _keep_always(self) -> None:
        if self.tools.tuning is None:
            return
        self._asks_for_always = True
        changes = [_change(key, value) for key, value in self.memory.progress.changes]
        self.tools.tuning.apply(changes, until=LASTS_ALWAYS)

    @Slot()
    def _show_whole(self) -> None:
        progress = self.memory.progress
        self.sessions_requested.emit(progress.baseline, progress.second)

    @Slot()
    def _outcome_changed(self) -> None:
        outcome = None if self.tools.tuning is None else self.tools.tuning.outcome
        if outcome is None or not self.isVisible():
            return
        if outcome.kind is OutcomeKind.DONE and outcome.what == "undo":
            text = self.tr("Everything is as it was before Destutter")
            self.notices.show_notice(Notice("outcome", "ok", text))
        elif outcome.kind is OutcomeKind.DONE and self._asks_for_always:
            text = self.tr("The changes are kept for every start")
            self.notices.show_notice(Notice("outcome", "ok", text))
        elif outcome.kind not in (OutcomeKind.DONE, OutcomeKind.CANCELLED):
            told = self.tr("That did not work; the Changes page says more"), ""
            if outcome.kind in NOT_DONE:
                told = why_not_done(outcome)
            self.notices.show_notice(Notice("outcome", "bad", *told))
        self._asks_for_always = False


def _change(key: str, value: str) -> Change:
    tunable, _, device = key.partition("@")
    return Change(tunable, value, device)
