# SPDX-License-Identifier: GPL-3.0-or-later
"""For an expert: a look into the kernel for one minute, at what stops the threads of the game."""

from collections.abc import Sequence

from PySide6.QtCore import QTimer, Signal, Slot
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from destutter.analysis.examining.longest_path import LongestPath
from destutter.analysis.examining.pipeline import Snapshot
from destutter.analysis.examining.traced_sums import TracedSums
from destutter.bridge.kernel_trace import KernelTrace, TraceKind, TraceStatus
from destutter.core.traced import MISSING, TracedSleep, TraceLook
from destutter.ui.controls.elided import WrappedLabel
from destutter.ui.look.theme import Theme
from destutter.ui.look.tokens import GAP
from destutter.ui.pages.said_alike import about_helper
from destutter.ui.system.inside import cost_text, inside_sections, path_section
from destutter.ui.system.section import Section
from destutter.ui.system.section_card import SectionCard
from destutter.ui.words.quantities import Quantities
from destutter.ui.words.words import said_sentence
from destutter_helper.api.tracing import EXPERT_MAX_S

_TICK_MS = 500  # a countdown in seconds must not skip one


class InsideView(QWidget):
    """Asks for an expert's trace, ends it, and shows what it added up.

    Without a ``trace``, and while a recording is played, there is nothing to ask for.
    ``helper_requested()`` where there is no helper to ask.
    """

    helper_requested = Signal()

    def __init__(
        self,
        theme: Theme,
        quantities: Quantities,
        trace: KernelTrace | None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._quantities = quantities
        self._trace = trace
        self._sums = TracedSums()
        self._path = LongestPath()
        self._missing: frozenset[str] = frozenset()
        self._is_recording = self._has_game = self._is_replay = False
        self.text = WrappedLabel("small", self)
        self.cost = WrappedLabel("small", self)
        self.act = QPushButton(self)
        self.act.clicked.connect(self._act)
        head = QHBoxLayout()
        head.setSpacing(GAP)
        head.addWidget(self.text, 1)
        head.addWidget(self.act)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(GAP)
        box.addLayout(head)
        box.addWidget(self.cost)
        self.cards = {each.id: SectionCard(theme, self) for each in self.sections}
        for card in self.cards.values():
            box.addWidget(card)
        self._tick = QTimer(self, interval=_TICK_MS)
        self._tick.timeout.connect(self._show_head)
        if trace is not None:
            trace.changed.connect(self._follow)
            trace.path_told.connect(self._take_path)
        self.refresh()

    @property
    def sections(self) -> list[Section]:
        """All cards as data, in their order."""
        path = path_section(
            self._path.known, self._sums, self._quantities, is_replay=self._is_replay
        )
        return [*inside_sections(self._sums, self._missing, self._quantities), path]

    def accept_snapshot(self, snapshot: Snapshot) -> None:
        """Add what was found; a recording may have it too."""
        self._has_game = bool(snapshot.facts.get("game.pid"))
        if self._is_recording or self._is_replay:
            missing = snapshot.facts.get(MISSING, "")
            self._missing = frozenset(missing.split(",")) if missing else frozenset()
            self._sums.accept_looks(snapshot.looks)
            self._ask_for_path(snapshot.looks)

    def _ask_for_path(self, looks: Sequence[TraceLook]) -> None:
        sleep = self._path.wanted(looks)
        if sleep is None:
            return
        if self._is_replay or self._trace is None:
            self._path.accept_path(sleep, ())
        else:
            self._trace.ask_path(sleep)

    @Slot(object, object)
    def _take_path(self, sleep: TracedSleep, functions: tuple[str, ...]) -> None:
        self._path.accept_path(sleep, functions)

    def show_replay(self, *, is_replay: bool) -> None:
        """Whether what comes is a recording's."""
        if is_replay != self._is_replay:
            self._is_replay = is_replay
            self.begin_anew()

    def begin_anew(self) -> None:
        """What was added up is of another time."""
        self._sums = TracedSums()
        self._path = LongestPath()
        self._missing = frozenset()
        self.refresh()

    def refresh(self) -> None:
        """Show what is known now."""
        self._show_head()
        for section in self.sections:
            self.cards[section.id].show_section(section)

    @Slot(object)
    def _follow(self, status: TraceStatus) -> None:
        was_recording = self._is_recording
        self._is_recording = status.kind is TraceKind.RUNNING and status.is_expert
        if self._is_recording and not was_recording:
            self.begin_anew()
        self._run_clock()
        self._show_head()

    @Slot()
    def _act(self) -> None:
        if self._trace is None:
            return
        if self._lacks_helper:
            self.helper_requested.emit()
        elif self._is_expert(TraceKind.ASKING) or self._is_recording:
            self._trace.end()
        else:
            self._trace.ask_as_expert()

    @property
    def _lacks_helper(self) -> bool:
        """Whether there was none to ask: it can be had, and a closer look then."""
        return self._trace is not None and self._trace.status.is_absent

    def _is_expert(self, kind: TraceKind) -> bool:
        status = TraceStatus() if self._trace is None else self._trace.status
        return status.kind is kind and status.is_expert

    @Slot()
    def _show_head(self) -> None:
        trace = self._trace
        self.act.setVisible(trace is not None and not self._is_replay)
        is_asking = self._is_expert(TraceKind.ASKING)
        may_act = self._has_game or is_asking or self._is_recording or self._lacks_helper
        self.act.setEnabled(may_act)
        if is_asking:
            link = self.tr("Cancel")
        elif self._is_recording:
            link = self.tr("Stop")
        elif self._lacks_helper:
            link = about_helper()
        else:
            link = self.tr("Record for one minute")
        self.act.setText(link)
        self.text.set_full_text(self._told())
        cost = cost_text(self._sums, self._quantities)
        self.cost.set_full_text(cost)
        self.cost.setVisible(bool(cost))

    def _told(self) -> str:
        trace = self._trace
        if self._is_replay:
            return self.tr("What the kernel told while this was recorded, if an expert asked.")
        if trace is None:
            return self.tr("These are files of another computer: its kernel cannot be asked.")
        if self._is_expert(TraceKind.ASKING):
            return self.tr("Waiting for your password…")
        if self._is_recording:
            return self.tr("Recording; it ends by itself in {time} at the latest.").format(
                time=self._quantities.duration(trace.left_s)
            )
        if trace.status.why is not None:
            return said_sentence(trace.status.why)
        if not self._has_game:
            return self.tr("Only threads of a game are looked into, and no game runs.")
        if not self._sums.is_empty:
            return self.tr("This was recorded. It ended, and nothing is recorded any more.")
        return self.tr(
            "For {time} at most the kernel records what stops the threads of the game. It takes "
            "a password."
        ).format(time=self._quantities.duration(EXPERT_MAX_S))

    def _run_clock(self) -> None:
        if self._is_recording and self.isVisible():
            self._tick.start()
        else:
            self._tick.stop()

    def showEvent(self, event: QShowEvent) -> None:
        """What arrived while nobody looked is shown now."""
        super().showEvent(event)
        self._run_clock()
        self.refresh()

    def hideEvent(self, event: QHideEvent) -> None:
        """Nobody looks."""
        super().hideEvent(event)
        self._run_clock()
