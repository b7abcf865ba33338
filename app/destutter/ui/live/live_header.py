# SPDX-License-Identifier: GPL-3.0-or-later
"""The head of the live page: title, what is watched, the span, pause and recording."""

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QBoxLayout,
    QHBoxLayout,
    QLabel,
    QMenu,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from destutter.ui.controls.elided import ElidedLabel
from destutter.ui.controls.menu_button import MenuButton
from destutter.ui.controls.segments import Segments
from destutter.ui.controls.shortcuts import MARK, RECORD, key_text
from destutter.ui.controls.suggested import mark_suggested
from destutter.ui.look.theme import Theme
from destutter.ui.pages.feed_state import RecordingState
from destutter.ui.pages.watched_game import WatchedGame
from destutter.ui.pages.width_class import WidthClass, stack_when_narrow
from destutter.ui.words.quantities import Quantities

SPANS = {"30": 30.0, "120": 120.0, "600": 600.0}


class LiveHeader(QWidget):
    """The controls that belong to the whole page.

    Signals: ``span_chosen(float)`` in seconds, ``pause_clicked()``, ``record_clicked()``,
    ``stop_clicked()``, ``marker_clicked()``, ``choose_clicked()`` for another program,
    ``computer_clicked()`` for the whole computer.
    """

    span_chosen = Signal(float)
    pause_clicked = Signal()
    record_clicked = Signal()
    stop_clicked = Signal()
    marker_clicked = Signal()
    choose_clicked = Signal()
    computer_clicked = Signal()

    def __init__(
        self, theme: Theme, quantities: Quantities, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._quantities = quantities
        self._game: WatchedGame | None = None
        self._game_time = ""
        self._is_paused = False
        self._is_compact = False
        self._is_narrow = False
        self._is_calm = False
        self._recording = RecordingState()
        self._title = QLabel(self.tr("Live"), self)
        self._title.setProperty("role", "pageTitle")
        self.subtitle = ElidedLabel("", "muted", self, most_lines=2)
        self.game = MenuButton(theme, self)
        self.game.setProperty("role", "chip")
        self._menu = QMenu(self.game)
        choose = self._menu.addAction(self.tr("Choose a program…"))
        choose.triggered.connect(self.choose_clicked)
        computer = self._menu.addAction(self.tr("Watch the whole computer"))
        computer.triggered.connect(self.computer_clicked)
        self.game.setMenu(self._menu)
        self.spans = Segments(
            self.tr("Time in view"),
            [(key, quantities.span(span)) for key, span in SPANS.items()],
            self,
        )
        self.spans.chosen.connect(self._span_chosen)
        self.pause = QPushButton(self)
        self.pause.clicked.connect(self.pause_clicked)
        self.marker = QPushButton(self)
        self.marker.setAccessibleName(self.tr("Mark this moment"))
        tip = self.tr("Mark this moment in the recording ({keys})")
        self.marker.setToolTip(tip.format(keys=key_text(MARK)))
        self.marker.clicked.connect(self.marker_clicked)
        self.record = QPushButton(self)
        self.record.clicked.connect(self._record_clicked)
        self._build()
        theme.changed.connect(self._draw)
        self.spans.choose("120")
        self._draw()

    def _build(self) -> None:
        texts = QVBoxLayout()
        texts.setSpacing(0)
        texts.addWidget(self._title)
        texts.addWidget(self.subtitle)
        first, second = QHBoxLayout(), QHBoxLayout()
        self._lines = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._lines.setContentsMargins(0, 0, 0, 0)
        for layout in (self._lines, first, second):
            layout.setSpacing(self._theme.sizes.px(8))
        first.addLayout(texts, 1)
        first.addWidget(self.game)
        second.addWidget(self.spans, 1)
        self._lines.addLayout(first, 1)
        self._lines.addLayout(second)
        icon = QSize(self._theme.sizes.px(16), self._theme.sizes.px(16))
        self.game.setIconSize(icon)
        for button in (self.pause, self.marker, self.record):
            second.addWidget(button)
            button.setIconSize(icon)

    def show_subtitle(self, text: str) -> None:
        self.subtitle.set_full_text(text)

    def show_game(self, game: WatchedGame | None, running_s: float | None) -> None:
        """What is watched, and for how long it has been running; None: the whole computer."""
        time = ""
        if running_s is not None and not self._is_compact:
            time = self.tr("running {time}").format(time=self._quantities.span(running_s))
        if (game, time) != (self._game, self._game_time) or not self.game.text():
            self._game, self._game_time = game, time
            self._draw_game()

    def show_span(self, span_s: float) -> None:
        """Mark the span that is in view; none of them while it is another one."""
        key = next((key for key, span in SPANS.items() if abs(span - span_s) < 0.01), None)
        self.spans.choose(key)

    def show_paused(self, *, is_paused: bool) -> None:
        self._is_paused = is_paused
        self._draw()

    def show_replay(self, *, is_replay: bool) -> None:
        """Whether a recording is played, which has a bar of its own."""
        self.pause.setVisible(not is_replay)
        self.game.setEnabled(not is_replay)

    def show_recording(self, state: RecordingState, elapsed_s: float, *, can_record: bool) -> None:
        """Whether a recording runs, and for how long."""
        is_change = state.is_recording != self._recording.is_recording
        self._recording = state
        if is_change:
            self._draw()
        self.record.setVisible(can_record)
        if state.is_recording:
            time = self._quantities.clock(elapsed_s)
            text = self.tr("Stop  {time}").format(time=time)
            if text != self.record.text():
                self.record.setText(text)
                self.record.setToolTip(state.file_name)

    def set_calm(self, *, is_calm: bool) -> None:
        """Suggest nothing while a banner above the page does: two would compete."""
        self._is_calm = is_calm
        self._draw()

    def set_width_class(self, width_class: WidthClass) -> None:
        """Leave out what there is no room for; two lines in a narrow window."""
        self._is_compact = width_class is not WidthClass.WIDE
        self._is_narrow = width_class is WidthClass.NARROW
        stack_when_narrow(self._lines, width_class)
        self._draw()

    @Slot()
    def _draw(self) -> None:
        tokens, icons, size = self._theme.tokens, self._theme.icons, self._theme.sizes.px(16)
        is_recording = self._recording.is_recording
        pause = self.tr("Resume") if self._is_paused else self.tr("Pause")
        self.pause.setText("" if self._is_narrow else pause)
        self.pause.setAccessibleName(pause)
        self.pause.setIcon(icons.icon("play" if self._is_paused else "pause", tokens.text, size))
        self.pause.setToolTip(self.tr("The graphs stand still; measuring goes on (Space)"))
        self.marker.setIcon(icons.icon("marker", tokens.text, size))
        self.marker.setVisible(is_recording)
        is_suggested = not is_recording and not self._is_calm
        mark_suggested(self.record, is_suggested=is_suggested)
        color = tokens.on_accent if is_suggested else tokens.bad
        self.record.setIcon(icons.icon("record", color, size))
        if is_recording:
            self.record.setAccessibleName(self.tr("Stop the recording"))
        else:
            self.record.setText(self.tr("Record session"))
            self.record.setAccessibleName(self.tr("Record session"))
            self.record.setToolTip(key_text(RECORD))
        self._draw_game()

    def _draw_game(self) -> None:
        tokens, sizes = self._theme.tokens, self._theme.sizes
        icon = "computer" if self._game is None else "game"
        self.game.setIcon(self._theme.icons.icon(icon, tokens.text, sizes.px(18)))
        name = self.tr("Whole computer") if self._game is None else self._game.name
        limit = sizes.px(140 if self._is_compact else 190)
        metrics = self.game.fontMetrics()
        short = metrics.elidedText(name, Qt.TextElideMode.ElideRight, limit)
        self.game.setText(f"{short}   {self._game_time}" if self._game_time else short)
        self.game.setToolTip(name)
        self.game.setAccessibleName(self.tr("Watched: {name}").format(name=name))

    @Slot(str)
    def _span_chosen(self, key: str) -> None:
        self.span_chosen.emit(SPANS[key])

    @Slot()
    def _record_clicked(self) -> None:
        if self._recording.is_recording:
            self.stop_clicked.emit()
        else:
            self.record_clicked.emit()
