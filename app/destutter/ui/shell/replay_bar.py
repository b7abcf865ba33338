# SPDX-License-Identifier: GPL-3.0-or-later
"""The line above every page while a recording is played: play, where it stands, how fast."""

from PySide6.QtCore import QSize, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from destutter.ui.controls.seek_bar import SeekBar
from destutter.ui.controls.segments import Segments
from destutter.ui.look.theme import Theme
from destutter.ui.look.tokens import PAGE_MARGIN
from destutter.ui.pages.said_alike import reading_recording
from destutter.ui.words.quantities import Quantities

SPEEDS = (0.5, 1.0, 2.0, 4.0, 8.0)


class ReplayBar(QWidget):
    """Signals: ``play_clicked()`` to pause or to go on, ``speed_chosen(float)`` and
    ``live_clicked()`` back to now; where to go is asked by ``seek.sought``."""

    play_clicked = Signal()
    live_clicked = Signal()
    speed_chosen = Signal(float)

    def __init__(
        self, theme: Theme, quantities: Quantities, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("pageBody")
        self._theme = theme
        self._quantities = quantities
        self._is_paused = False
        self._length_s = 0.0
        self._speed = SPEEDS[1]
        self._read_share: float | None = None
        self.play = QPushButton(self)
        self.play.clicked.connect(self.play_clicked)
        self.seek = SeekBar(theme, self)
        self.seek.valueChanged.connect(self._show_time)
        self.seek.sliderMoved.connect(self._show_time)
        self.time = QLabel("", self)
        self.time.setProperty("role", "muted")
        times = self.tr("{times}×", "how fast a recording is played")
        names = [
            (f"{speed:g}", times.format(times=quantities.number(speed, 1 if speed < 1 else 0)))
            for speed in SPEEDS
        ]
        self.speeds = Segments(self.tr("Speed"), names, self)
        self.speeds.choose("1")
        self.speeds.chosen.connect(self._choose_speed)
        self.back = QPushButton(self.tr("Back to live"), self)
        self.back.setProperty("role", "suggested")
        self.back.clicked.connect(self.live_clicked)
        layout = QHBoxLayout(self)
        side, top = PAGE_MARGIN
        layout.setContentsMargins(side, top, side, 0)
        layout.setSpacing(theme.sizes.px(10))
        layout.addWidget(self.play)
        layout.addWidget(self.seek, 1)
        layout.addWidget(self.time)
        layout.addWidget(self.speeds)
        layout.addWidget(self.back)
        theme.changed.connect(self._draw)
        self._draw()

    @property
    def speed(self) -> float:
        """How many seconds of the recording pass in a second."""
        return self._speed

    @property
    def length_s(self) -> float:
        return self._length_s

    def show_length(self, length_s: float) -> None:
        """Another recording, of this length; nothing of it is marked yet."""
        self._length_s = length_s
        self.seek.setMaximum(max(1, round(length_s)))
        self.seek.show_stutters(())
        self.seek.show_position(0.0)
        self._show_time(0)

    def show_paused(self, *, is_paused: bool) -> None:
        self._is_paused = is_paused
        self._draw()

    def show_reading(self, share: float | None) -> None:
        """It is read up to where it shall play on, ``share`` of it by now; None: it plays.

        No speed is lit meanwhile: it is read as fast as it can be.
        """
        self._read_share = share
        if share is None:
            self.seek.show_read(None)
        elif self.seek.read_s is None:
            self.seek.show_read(0.0)
        self.speeds.setEnabled(share is None)
        self.speeds.choose(f"{self._speed:g}" if share is None else None)
        self._show_time(self.seek.value())

    @Slot(str)
    def _choose_speed(self, speed: str) -> None:
        self._speed = float(speed)
        self.speed_chosen.emit(self._speed)

    @Slot(int)
    def _show_time(self, at_s: int) -> None:
        if self._read_share is not None:
            self.time.setText(reading_recording(self._read_share, self._quantities))
            return
        # The slider counts whole seconds, and rounds the last one up.
        at = self._quantities.clock(min(at_s, self._length_s))
        length = self._quantities.clock(self._length_s)
        text = self.tr("{at} of {length}").format(at=at, length=length)
        self.time.setText(text)

    @Slot()
    def _draw(self) -> None:
        size = self._theme.sizes.px(16)
        name = self.tr("Play") if self._is_paused else self.tr("Pause")
        icon = "play" if self._is_paused else "pause"
        self.play.setIcon(self._theme.icons.icon(icon, self._theme.tokens.text, size))
        self.play.setIconSize(QSize(size, size))
        self.play.setAccessibleName(name)
        self.play.setToolTip(name)
