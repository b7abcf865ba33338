# SPDX-License-Identifier: GPL-3.0-or-later
"""The head of the page: title, import, and the same recording button as on the Live page."""

import time

from PySide6.QtCore import QSize, QTimer, Signal, Slot
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from destutter.ui.controls.elided import ElidedLabel
from destutter.ui.controls.shortcuts import RECORD, key_text
from destutter.ui.controls.suggested import mark_suggested
from destutter.ui.look.theme import Theme
from destutter.ui.pages.feed_state import RecordingState
from destutter.ui.words.quantities import Quantities


class RecordButton(QPushButton):
    """Starts and stops a recording. Signals: ``record_clicked()``, ``stop_clicked()``."""

    record_clicked = Signal()
    stop_clicked = Signal()

    def __init__(
        self, theme: Theme, quantities: Quantities, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._quantities = quantities
        self._state = RecordingState()
        self._is_calm = False
        self._timer = QTimer(self)
        self._timer.setInterval(1000)
        self._timer.timeout.connect(self._show_time)
        self.setIconSize(QSize(theme.sizes.px(16), theme.sizes.px(16)))
        self.clicked.connect(self._clicked)
        theme.changed.connect(self._draw)
        self._draw()

    def show_recording(self, state: RecordingState) -> None:
        self._state = state
        self._draw()
        self._run_timer()

    def set_calm(self, *, is_calm: bool) -> None:
        """Be no suggestion, since something else is."""
        self._is_calm = is_calm
        self._draw()

    @Slot()
    def _clicked(self) -> None:
        if self._state.is_recording:
            self.stop_clicked.emit()
        else:
            self.record_clicked.emit()

    @Slot()
    def _draw(self) -> None:
        is_recording = self._state.is_recording
        tokens = self._theme.tokens
        is_suggested = not is_recording and not self._is_calm
        mark_suggested(self, is_suggested=is_suggested)
        color = tokens.on_accent if is_suggested else tokens.bad
        size = self._theme.sizes.px(16)
        self.setIcon(self._theme.icons.icon("record", color, size, tokens.faint))
        if is_recording:
            self.setAccessibleName(self.tr("Stop the recording"))
            self.setToolTip(self._state.file_name)
            self._show_time()
        else:
            self.setText(self.tr("Record session"))
            self.setAccessibleName(self.tr("Record session"))
            self.setToolTip(key_text(RECORD))

    @Slot()
    def _show_time(self) -> None:
        if self._state.started_ns is not None:
            elapsed_s = max(0.0, (time.monotonic_ns() - self._state.started_ns) / 1e9)
            elapsed = self._quantities.clock(elapsed_s)
            self.setText(self.tr("Stop  {time}").format(time=elapsed))

    def _run_timer(self) -> None:
        if self._state.is_recording and self.isVisible():
            self._timer.start()
        else:
            self._timer.stop()

    def showEvent(self, event: QShowEvent) -> None:
        """The time goes on while somebody looks."""
        super().showEvent(event)
        self._show_time()
        self._run_timer()

    def hideEvent(self, event: QHideEvent) -> None:
        """Nobody looks."""
        super().hideEvent(event)
        self._timer.stop()


class SessionsHeader(QWidget):
    """Title and the actions of the whole page. ``import_clicked()``."""

    import_clicked = Signal()

    def __init__(
        self, theme: Theme, quantities: Quantities, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        title = QLabel(self.tr("Sessions"), self)
        title.setProperty("role", "pageTitle")
        self.subtitle = ElidedLabel("", "muted", self, most_lines=2)
        self.show_importing("")
        self.import_button = QPushButton(self.tr("Import…"), self)
        self.import_button.setToolTip(
            self.tr("Logs of MangoHud and CapFrameX, and recordings of Destutter")
        )
        self.import_button.clicked.connect(self.import_clicked)
        self.record = RecordButton(theme, quantities, self)
        texts = QVBoxLayout()
        texts.setSpacing(0)
        texts.addWidget(title)
        texts.addWidget(self.subtitle)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.sizes.px(8))
        layout.addLayout(texts, 1)
        layout.addWidget(self.import_button)
        layout.addWidget(self.record)

    def show_importing(self, name: str) -> None:
        """A file is being imported, which may take a while; empty: none is."""
        text = self.tr("Record a game before and after a change, then compare")
        if name:
            text = self.tr("Importing {name}…").format(name=name)
        self.subtitle.set_full_text(text)
