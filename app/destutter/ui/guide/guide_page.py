# SPDX-License-Identifier: GPL-3.0-or-later
"""The guide: one step at a time, left and taken up again at any of them."""

from dataclasses import replace

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from destutter.analysis.examining.pipeline import Snapshot
from destutter.bridge.helper_client import HelperStatus
from destutter.core.statement import Statement
from destutter.guide_progress import GuideProgress, GuideStep
from destutter.ui.controls.notices import Notice, Notices
from destutter.ui.controls.offer_row import OfferRow
from destutter.ui.controls.suggested import mark_suggested
from destutter.ui.guide.check_step import CheckStep
from destutter.ui.guide.choose_step import ChooseStep
from destutter.ui.guide.compare_step import CompareStep
from destutter.ui.guide.record_step import RecordStep
from destutter.ui.guide.step import GuideMemory, GuideTools, Step
from destutter.ui.guide.step_area import StepArea
from destutter.ui.guide.step_words import step_name
from destutter.ui.guide.stepper import Stepper
from destutter.ui.guide.welcome_step import WelcomeStep
from destutter.ui.look.tokens import GAP, PAGE_MARGIN
from destutter.ui.pages.feed_state import FeedKind, FeedState, RecordingState
from destutter.ui.pages.page import Page
from destutter.ui.pages.width_class import WidthClass
from destutter.ui.words.words import said_line

_WIDTH_PX, _USUAL_HEIGHT_PX = 720, 500
_CARD_FIRST = 1000
"""The card takes what room there is, before what is left stands above and below all of it."""


class GuidePage(Page):
    """Signals: ``record_requested()``, ``stop_requested()``, ``left()`` when somebody leaves or
    has finished, ``comparison_requested(str, str)`` with two file names of recordings,
    ``cause_requested(SessionSummary, Finding)`` for a cause of one, and ``shown()`` when somebody
    has come to it."""

    record_requested = Signal()
    stop_requested = Signal()
    left = Signal()
    comparison_requested = Signal(str, str)
    cause_requested = Signal(object, object)
    shown = Signal()

    def __init__(
        self, tools: GuideTools, memory: GuideMemory, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._tools = tools
        self._memory = memory
        self.record = RecordStep(tools, memory, self)
        self.choose = ChooseStep(tools, memory, self)
        self.compare = CompareStep(tools, memory, self)
        self.steps: dict[GuideStep, Step] = {
            GuideStep.WELCOME: WelcomeStep(tools, memory, self),
            GuideStep.CHECK: CheckStep(tools, memory, self),
            GuideStep.RECORD: self.record,
            GuideStep.CHOOSE: self.choose,
            GuideStep.COMPARE: self.compare,
        }
        self.stepper = Stepper(tools.theme, [step_name(each) for each in GuideStep], self)
        self.heading = QLabel("", self)
        self.sentence = QLabel("", self)
        self.notices = Notices(tools.theme, 1, self)
        self.offers = OfferRow(tools.theme, self)
        self.leave = QPushButton(self.tr("Leave the guide"), self)
        self.back = QPushButton(self.tr("Back"), self)
        self.next = QPushButton("", self)
        self._is_calm = False
        self._is_replay = self._is_recording = False
        self._suggested: QPushButton | None = None
        self._area = StepArea(self)
        self._build()
        self._connect()
        self.show_step(memory.progress.step)

    def _build(self) -> None:
        sizes = self._tools.theme.sizes
        self.heading.setProperty("role", "pageTitle")
        self.sentence.setProperty("role", "muted")
        for label in (self.heading, self.sentence):
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
        self.leave.setProperty("role", "link")
        self.next.setIconSize(QSize(sizes.px(16), sizes.px(16)))
        for step in self.steps.values():
            self._area.add(step)
        card = self._card = QFrame(self)
        card.setProperty("role", "card")
        self._inner = inner = QVBoxLayout(card)
        self.set_width_class(WidthClass.WIDE)
        inner.setSpacing(sizes.px(4))
        inner.addWidget(self.heading)
        inner.addWidget(self.sentence)
        inner.addSpacing(sizes.px(10))
        inner.addWidget(self._area, 1)
        column = QWidget(self)
        column.setMaximumWidth(sizes.px(_WIDTH_PX))
        layout = QVBoxLayout(column)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GAP)
        layout.addStretch(1)
        layout.addWidget(self.stepper)
        layout.addWidget(self.notices)
        layout.addWidget(card, _CARD_FIRST)
        layout.addLayout(self._footer())
        layout.addWidget(self.offers)
        layout.addStretch(2)
        outer = QHBoxLayout(self)
        side, top = PAGE_MARGIN
        outer.setContentsMargins(side, top, side, top)
        outer.addStretch(1)
        outer.addWidget(column, 100)
        outer.addStretch(1)

    def _footer(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(self._tools.theme.sizes.px(8))
        row.addWidget(self.leave)
        row.addStretch(1)
        row.addWidget(self.back)
        row.addWidget(self.next)
        return row

    def _connect(self) -> None:
        self.leave.clicked.connect(self.left)
        self.back.clicked.connect(self._go_back)
        self.stepper.back_requested.connect(self._go_back_to)
        self.next.clicked.connect(self._next_clicked)
        self._memory.not_kept.connect(self._not_kept)
        self._tools.theme.changed.connect(self._show_texts)
        if self._tools.tuning is not None:
            self._tools.tuning.changed.connect(self._follow_trial)
        self._area.resized.connect(self._fit_card)
        for step in self.steps.values():
            step.changed.connect(self._step_changed)
            step.finished.connect(self._step_finished)
        for recording in (self.record, self.compare):
            recording.record_requested.connect(self.record_requested)
            recording.record_requested.connect(self.take_focus)  # "Record again" goes away
            recording.stop_requested.connect(self.stop_requested)
        self.compare.sessions_requested.connect(self.comparison_requested)
        self.compare.cause_requested.connect(self.cause_requested)
        self.compare.next_cause.connect(self._look_on)
        self.choose.cause_requested.connect(self.cause_requested)

    # --- what it shows -----------------------------------------------------------------------

    @property
    def step(self) -> GuideStep:
        return self._memory.progress.step

    def show_step(self, step: GuideStep) -> None:
        self._memory.keep(replace(self._memory.progress, step=step))
        self._area.show_step(self.steps[step])
        self.stepper.show_step(step.number - 1)
        self.steps[step].entered()
        self._show_texts()

    @Slot()
    def _step_changed(self) -> None:
        if self.sender() is self.steps[self.step]:
            self._show_texts()

    @Slot()
    def _show_texts(self) -> None:
        step = self.steps[self.step]
        for label, text in ((self.heading, step.heading), (self.sentence, step.sentence)):
            if label.text() != text:
                label.setText(text)
        self.sentence.setVisible(bool(step.sentence))
        self.next.setText(step.next_text)
        is_way_on = bool(step.next_text) and step.can_go_on
        was_way_on = self.next.isEnabled() and not self.next.isHidden()
        if not is_way_on and self.next.hasFocus():
            # Else Qt gives it to whatever comes next: the helper's sign in the corner. On "Leave"
            # who presses Enter to go on would go away.
            self.setFocus(Qt.FocusReason.OtherFocusReason)
        self.next.setVisible(bool(step.next_text))
        self.next.setEnabled(step.can_go_on)  # what cannot be used takes no focus
        if is_way_on and not was_way_on and (self.hasFocus() or self.leave.hasFocus()):
            # The focus went there while there was nothing to go on with.
            self.next.setFocus(Qt.FocusReason.OtherFocusReason)
        self._follow_suggestion(step.suggested)
        self.back.setVisible(self.step is not GuideStep.WELCOME)
        is_suggested = step.suggested is None and not self._is_calm
        mark_suggested(self.next, is_suggested=is_suggested)
        tokens, size = self._tools.theme.tokens, self._tools.theme.sizes.px(16)
        color = tokens.on_accent if is_suggested else tokens.text
        icon = self._tools.theme.icons.icon("lock", color, size, tokens.faint)
        self.next.setIcon(icon if step.needs_rights else type(icon)())
        self._fit_card()

    @property
    def main(self) -> QPushButton:
        """The button that is suggested, or the one that there always is."""
        step = self.steps[self.step]
        is_way_on = bool(step.next_text) and step.can_go_on
        return step.suggested or (self.next if is_way_on else self.leave)

    def take_focus(self) -> None:
        """Whoever comes to the page stands on what is suggested, and needs no mouse; on no button
        while there is only the one that leaves."""
        main = self if self.main is self.leave else self.main
        main.setFocus(Qt.FocusReason.OtherFocusReason)

    def _follow_suggestion(self, suggested: QPushButton | None) -> None:
        """So does who waited for a verdict."""
        was, self._suggested = self._suggested, suggested
        if suggested is not None and suggested is not was and self.next.hasFocus():
            suggested.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def _fit_card(self) -> None:
        """As high in every step, so that nothing moves from one to the next; higher for one that
        needs it, and in a small window less: then the step scrolls."""
        layout = self._card.layout()
        if layout is None:
            return
        around = layout.totalMinimumHeightForWidth(self._card.width())
        needed = around - self._area.minimumSizeHint().height() + self._area.needed_height
        usual = self._tools.theme.sizes.px(_USUAL_HEIGHT_PX)
        self._card.setMaximumHeight(max(usual, needed))

    # --- going on ----------------------------------------------------------------------------

    @Slot()
    def _next_clicked(self) -> None:
        self.steps[self.step].go_on()

    @Slot()
    def _step_finished(self) -> None:
        if self.step is GuideStep.COMPARE:
            # Who has gone through it is not new here.
            self._memory.keep(GuideProgress(is_declined=True))
            self.show_step(GuideStep.WELCOME)
            self.left.emit()
        else:
            self.show_step(self.step.moved(1))
            self.take_focus()

    @Slot()
    def _look_on(self) -> None:
        """What the second recording still has is looked at as the first one's was."""
        self.show_step(GuideStep.CHOOSE)
        self.take_focus()

    @Slot()
    def _go_back(self) -> None:
        self.show_step(self.step.moved(-1))

    @Slot(int)
    def _go_back_to(self, number: int) -> None:
        self.show_step(tuple(GuideStep)[number])

    @Slot()
    def _follow_trial(self) -> None:
        """What another page tries with the game is the choice of this step: "No setting helps"
        stood below the verdict "Smoother" of what was tried from the page of causes."""
        tuning, progress = self._tools.tuning, self._memory.progress
        trial = None if tuning is None else tuning.trial
        is_chosen_here = progress.step is not GuideStep.CHOOSE or self.choose.is_asking
        if trial is None or not trial.is_tried_in_game or is_chosen_here:
            return
        tried = tuple(each.change for each in trial.changes if each.change is not None)
        if not (progress.baseline and self._is_recording) or self.choose.is_remembered(tried):
            return  # who came back from the next step to look here stays
        self.choose.remember(tried)
        self.show_step(GuideStep.COMPARE)

    @Slot(object)
    def _not_kept(self, reason: Statement) -> None:
        text = self.tr("The guide will not remember this step")
        self.notices.show_notice(Notice("not-kept", "warn", text, said_line(reason)))

    # --- the window's news -------------------------------------------------------------------

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Measurements, for the steps that count them; a recording that is played is none."""
        if not self._is_replay:
            self.show_present(snapshot)

    def show_present(self, snapshot: Snapshot) -> None:
        for step in self.steps.values():
            step.show_snapshot(snapshot)

    def show_feed_state(self, state: FeedState) -> None:
        self._is_replay = state.kind is FeedKind.REPLAY

    def show_recording(self, state: RecordingState) -> None:
        self._is_recording = state.is_recording
        for step in self.steps.values():
            step.show_recording(state)
        self._follow_trial()
        if state.failure is not None:
            text = self.tr("The recording ended by itself")
            self.notices.show_notice(Notice("failed", "bad", text, said_line(state.failure)))

    def set_width_class(self, width_class: WidthClass) -> None:
        """A narrow window is low as well, and on a low one the page scrolled, and its steps."""
        pads = (18, 12, 8) if width_class is WidthClass.NARROW else (26, 26, 18)
        side, top, bottom = (self._tools.theme.sizes.px(pad) for pad in pads)
        self._inner.setContentsMargins(side, top, side, bottom)
        for step in (self.record, self.compare):
            step.panel.set_small(is_small=width_class is WidthClass.NARROW)

    def show_covered(self, *, is_covered: bool) -> None:
        """Suggest nothing while a banner above the page does."""
        self._is_calm = is_covered
        for step in self.steps.values():
            step.set_calm(is_calm=is_covered)
        self._show_texts()

    def show_helper(self, status: HelperStatus) -> None:
        check = self.steps[GuideStep.CHECK]
        if isinstance(check, CheckStep):
            check.show_helper(status)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.shown.emit()

    def begin_anew(self) -> None:
        check = self.steps[GuideStep.CHECK]
        if isinstance(check, CheckStep):
            check.begin_anew()
