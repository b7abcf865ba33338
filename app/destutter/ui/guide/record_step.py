# SPDX-License-Identifier: GPL-3.0-or-later
"""Step 3: a recording of how it is now."""

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QPushButton, QWidget

from destutter.analysis.examining.pipeline import Snapshot
from destutter.bridge.session_examiner import Examined
from destutter.core.compared import LEAST_MINUTES
from destutter.session.being_recorded import is_being_recorded
from destutter.ui.controls.shortcuts import MARK, key_text
from destutter.ui.guide.record_panel import RecordPanel
from destutter.ui.guide.step import GuideMemory, GuideTools, Step
from destutter.ui.pages.feed_state import RecordingState
from destutter.ui.pages.watched_game import WatchedGame


class RecordStep(Step):
    """``record_requested()`` and ``stop_requested()`` are the same as on the Live page."""

    record_requested = Signal()
    stop_requested = Signal()

    def __init__(
        self, tools: GuideTools, memory: GuideMemory, parent: QWidget | None = None
    ) -> None:
        super().__init__(tools, memory, parent)
        self._game = ""
        self._recording_file = ""
        self._is_ours = False
        self._is_elsewhere = False
        self._can_measure = False
        self.panel = RecordPanel(tools.theme, tools.quantities, self)
        self.again = QPushButton(self.tr("Record again"), self)
        self.again.setProperty("role", "link")
        self.again.clicked.connect(self._record)
        tools.models.library.changed.connect(self._show_length)
        tools.models.guide_examiner.examined.connect(self._show_read)
        self.body.addWidget(self.panel)
        self.body.addWidget(self.again, 0, Qt.AlignmentFlag.AlignLeading)
        self.body.addStretch(1)

    @property
    def heading(self) -> str:
        if self.panel.is_recording:
            return self.tr("Play as usual")
        if self._file_name:
            return self.tr("The recording is there")
        return self.tr("Record how it is now")

    @property
    def sentence(self) -> str:
        if self.panel.is_recording:
            return self.tr(
                "Switch to the game and play for {minutes} minutes or more. Stutters are found by "
                "themselves; {keys} in this window marks a moment of your own."
            ).format(minutes=LEAST_MINUTES, keys=key_text(MARK))
        if self._file_name:
            return self.tr("Go on with it, or record again.")
        if not self._can_measure:
            return self.tr("Measuring has not begun yet.")
        if self._game:
            words = self.tr("{game} runs. Start the recording, then play the part that stutters.")
            return words.format(game=self._game)
        return self.tr(
            "Start the game first: Destutter notices it within half a minute. If it does not, "
            "choose it on the Live page, at the top. Without a game, the whole computer is "
            "recorded."
        )

    @property
    def next_text(self) -> str:
        if self.panel.is_recording:
            return self.tr("Stop and analyse")
        return self.tr("Analyse") if self._file_name else self.tr("Start recording")

    @property
    def can_go_on(self) -> bool:
        """Whether there is something to record."""
        return self._can_measure or self.panel.is_recording or bool(self._file_name)

    @property
    def _file_name(self) -> str:
        """The recording that this step is about; empty while there is none."""
        return "" if self._is_elsewhere else self.memory.progress.baseline

    def entered(self) -> None:
        """Show the recording that is there; not one that another window has not ended."""
        path = self.tools.models.library.folder / self.memory.progress.baseline
        self._is_elsewhere = not self.panel.is_recording and is_being_recorded(path)
        if not self._file_name and not self.panel.is_recording:
            self.panel.begin_anew()
        self._show_stored()

    def go_on(self) -> None:
        """Start, stop, or go on with what is there."""
        if self.panel.is_recording:
            self._is_ours = True
            self._keep(self._recording_file)
            self.stop_requested.emit()
            self.finished.emit()
        elif self._file_name:
            self.finished.emit()
        else:
            self._record()

    @Slot()
    def _record(self) -> None:
        self._is_ours = True
        self.record_requested.emit()

    def show_snapshot(self, snapshot: Snapshot) -> None:
        game = WatchedGame.from_facts(snapshot.facts)
        name = "" if game is None else game.name
        self.panel.show_snapshot(snapshot)
        if name != self._game or not self._can_measure:
            self._game, self._can_measure = name, True
            self.changed.emit()

    def show_recording(self, state: RecordingState) -> None:
        """Whether a recording runs; one that this step asked for is the baseline."""
        if state.is_recording:
            self._recording_file = state.file_name
            if self._is_ours:
                self._keep(state.file_name)
        elif self._is_ours:
            self._is_ours = False
        self.panel.show_recording(state)
        self.again.setVisible(bool(self._file_name) and not state.is_recording)
        self.changed.emit()

    @Slot(object)
    def _show_read(self, examined: Examined) -> None:
        """The figures are those of the next step."""
        for session in examined.summaries:
            if self._file_name and Path(session.path).name == self._file_name:
                self.panel.show_read(session)

    def _keep(self, file_name: str) -> None:
        self._is_elsewhere = False
        self.memory.keep(replace(self.memory.progress, baseline=file_name, second="", changes=()))

    @property
    def _is_stored(self) -> bool:
        return bool(self._file_name) and not self.panel.is_recording

    def _show_stored(self) -> None:
        self.again.setVisible(self._is_stored)
        library = self.tools.models.library
        if self._is_stored and not library.is_read and not library.is_reading:
            library.refresh()
        self._show_length()
        self.changed.emit()

    @Slot()
    def _show_length(self) -> None:
        """Of the recording that is there, once the folder has been read."""
        library = self.tools.models.library
        session = library.session(library.folder / self._file_name)
        if self._is_stored and session is not None and session.duration_s is not None:
            self.panel.show_length(session.length_s)
