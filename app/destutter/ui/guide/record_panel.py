# SPDX-License-Identifier: GPL-3.0-or-later
"""A recording while it runs: timer, how much is needed, what was found so far."""

import time

import numpy as np
from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLabel, QProgressBar, QVBoxLayout, QWidget

from destutter.analysis.examining.pipeline import Snapshot
from destutter.analysis.examining.summary import SessionSummary
from destutter.core.compared import LEAST_MINUTES
from destutter.diagnosis.unplayed_span import not_counted
from destutter.ui.controls.leading import lead
from destutter.ui.controls.sparkline import Sparkline
from destutter.ui.guide.record_counts import RecordCounts
from destutter.ui.look.theme import Theme
from destutter.ui.pages.feed_state import RecordingState
from destutter.ui.words.quantities import Quantities
from destutter.ui.words.words import said, spoken

WANTED_S = 60.0 * LEAST_MINUTES  # so much of each a verdict over two wants, and says
_LEAST_SPAN_S = 60
_LEAST_POINTS = 4  # below a line that nobody sees yet a caption speaks of nothing
_STILL_S = 8  # a freeze of up to 5 s is play, and its frame comes behind it, by a log in pieces
_APART_S = 5  # less is the rounding of whole seconds, and what has not been read yet
_POINTS = 240  # more than the line has pixels is not seen


class Figure(QWidget):
    """A number with a name above it and a note below."""

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.name = lead(QLabel(name, self))
        self.name.setProperty("role", "small")
        self.name.setWordWrap(True)
        self.value = lead(QLabel("–", self))
        self.value.setFont(theme.sized(theme.sizes.px(20), 650))
        self.value.setWordWrap(True)
        self.note = lead(QLabel("", self))
        self.note.setProperty("role", "small")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(1)
        for label in (self.name, self.value, self.note):
            layout.addWidget(label)
        layout.addStretch(1)
        self._tone = "text"
        theme.changed.connect(self._draw)

    def show_value(self, value: str, note: str = "", *, tone: str = "text") -> None:
        """Show this in the colour of a token; the note says the same in words."""
        self.value.setText(value)
        self.note.setText(note)
        self._tone = tone
        self.setAccessibleName(f"{self.name.text()}: {value} {note}".strip())
        self._draw()

    @Slot()
    def _draw(self) -> None:
        self.value.setStyleSheet(f"color: {getattr(self._theme.tokens, self._tone)};")


class RecordPanel(QWidget):
    """Follows a recording by the window's news."""

    def __init__(
        self, theme: Theme, quantities: Quantities, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._quantities = quantities
        self._state = RecordingState()
        self._length_s = 0.0
        self.counts: RecordCounts | None = None
        self._read: SessionSummary | None = None
        self.timer = QLabel("", self)
        self.timer.setFont(theme.sized(theme.sizes.px(40), 600))
        self.timer.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.note = QLabel("", self)
        self.note.setProperty("role", "muted")
        self.note.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.apart = QLabel("", self)
        self.apart.setProperty("role", "small")
        self.apart.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.apart.setWordWrap(True)
        self.apart.hide()
        self.bar = QProgressBar(self)
        self.bar.setRange(0, 1000)
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(theme.sizes.px(6))
        self.bar.setAccessibleName(self.tr("How much of the recording is done"))
        self.stutters = Figure(theme, self.tr("Stutters found"), self)
        self.longest = Figure(theme, self.tr("Longest frame"), self)
        self.disk = Figure(theme, self.tr("Slowest drive"), self)
        self.memory = Figure(theme, self.tr("Short of memory for"), self)
        self.line = Sparkline(theme, self)
        self.line.setFixedHeight(theme.sizes.px(52))
        self.caption = QLabel("", self)
        self.caption.setProperty("role", "small")
        self._theme = theme
        self._head = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._second = QTimer(self)
        self._second.setInterval(1000)
        self._second.timeout.connect(self.show_now)
        self._build(theme)
        self.show_now()

    def _build(self, theme: Theme) -> None:
        figures = QHBoxLayout()
        figures.setSpacing(theme.sizes.px(20))
        for figure in (self.stutters, self.longest, self.disk, self.memory):
            figures.addWidget(figure, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.sizes.px(5))
        self._head.setContentsMargins(0, 0, 0, 0)
        self._head.setSpacing(theme.sizes.px(5))
        for label in (self.timer, self.note):
            self._head.addWidget(label)
        layout.addLayout(self._head)
        layout.addWidget(self.apart)
        layout.addWidget(self.bar)
        layout.addSpacing(theme.sizes.px(8))
        layout.addLayout(figures)
        layout.addSpacing(theme.sizes.px(8))
        layout.addWidget(self.line)
        layout.addWidget(self.caption)

    def set_small(self, *, is_small: bool) -> None:
        """In a low window the clock takes one line with its note: of 400 pixels the count of
        stutters had none, and the longest frame half of its height."""
        way = QBoxLayout.Direction.LeftToRight if is_small else QBoxLayout.Direction.TopToBottom
        self._head.setDirection(way)
        self.note.setWordWrap(is_small)
        size = self._theme.sizes.px(22 if is_small else 40)
        self.timer.setFont(self._theme.sized(size, 600))
        self.caption.setVisible(not is_small)

    @property
    def is_recording(self) -> bool:
        return self._state.is_recording

    @property
    def length_s(self) -> float:
        """How much of it counts for the comparison: play that was measured."""
        if not self.is_recording:
            return self._length_s
        return 0.0 if self.counts is None else float(len(self.counts.counted))

    @property
    def _passed_s(self) -> float:
        """Since the recording began, whatever happened; of one that is over, what counts."""
        if self._state.started_ns is None:
            return self._length_s
        return max(0.0, (time.monotonic_ns() - self._state.started_ns) / 1e9)

    @property
    def _told_s(self) -> float:
        """Since it began, as far as measurements have come: on a computer that is busy they come
        ten seconds late, and a game that flew "stood still" for two minutes."""
        if self.counts is None or not self.counts.told_ns:
            return self._passed_s
        return min(self._passed_s, (self.counts.told_ns - self.counts.since_ns) / 1e9)

    @property
    def _stands_still(self) -> bool:
        """Whether nothing has counted for a while."""
        if not self.is_recording or self.counts is None:
            return False
        return self._told_s - max(self.counts.counted, default=0) > _STILL_S

    def begin_anew(self) -> None:
        """Show none: the figures of another recording are not those of the next."""
        self.counts, self._read, self._length_s = None, None, 0.0
        self.apart.hide()
        for figure in (self.stutters, self.longest, self.disk, self.memory):
            figure.show_value("–")
        self.line.show_values([], "storage")
        self.caption.clear()
        self.show_now()

    def show_length(self, length_s: float) -> None:
        """Show a recording that is there already, of which only the length is known."""
        self._length_s = length_s
        self.apart.hide()
        self.show_now()

    def show_read(self, session: SessionSummary) -> None:
        """Show what was read of it: at its end the last stutters were still open, and what the
        game had written last was not there yet. 127 were told here, and 135 in the next step."""
        if not self.is_recording:
            self._read, self._length_s = session, float(session.played_s)
            self.show_now()

    def show_recording(self, state: RecordingState) -> None:
        if state.is_recording and not self._state.is_recording and state.started_ns is not None:
            self.counts, self._read = RecordCounts(state.started_ns), None
        if not state.is_recording and self._state.is_recording:
            self._length_s = self.length_s
        self._state = state
        self._run_timer()
        self.show_now()

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Measurements, while a recording runs."""
        if self.counts is not None and self._state.is_recording:
            self.counts.accept_snapshot(snapshot)

    @Slot()
    def show_now(self) -> None:
        quantities = self._quantities
        self.timer.setText(quantities.clock(self.length_s))
        wanted = quantities.clock(WANTED_S)
        is_enough = self.length_s >= WANTED_S
        short = self.tr("recorded; at least {time} are needed").format(time=wanted)
        text = self.tr("recorded, which is enough") if is_enough else short
        if is_enough and self.is_recording:
            text = self.tr("recorded, which is enough: it can be stopped")
        if self._stands_still and not is_enough:
            text = self.tr("stands still: no frames come (pause, loading, or no game)")
        self.note.setText(text)
        self.bar.setValue(round(1000 * min(1.0, self.length_s / WANTED_S)))
        if self.counts is not None:
            self._show_counts(self.counts)
            if self.is_recording:
                self._show_apart(self.counts)
        if self._read is not None:
            self._show_figures(self._read)

    def _show_apart(self, counts: RecordCounts) -> None:
        """Why this clock is behind that of the recording, where it is."""
        passed_s = self._told_s
        apart_s = passed_s - self.length_s
        self.apart.setVisible(apart_s >= _APART_S)
        if apart_s < _APART_S:
            return
        clock = self._quantities.clock
        told = self.tr("{counted} of {passed} count.").format(
            counted=clock(self.length_s), passed=clock(passed_s)
        )
        why = not_counted(counts.unplayed.values(), counts.since_ns)
        reason = self.tr("In the rest nothing was measured.") if why is None else said(why)
        self.apart.setText(spoken().sentences((told, reason)))

    def _show_figures(self, session: SessionSummary) -> None:
        """Of frames; what the drives and the memory did was measured to the end."""
        worst = session.seconds.get("frame.worst_ms")
        if session.frames is None or worst is None:
            return
        quantities = self._quantities
        self.stutters.show_value(quantities.number(session.frame_stutters))
        at_s = float(np.nanargmax(worst))
        self.longest.name.setText(self.tr("Longest frame"))
        self._show_longest(session.frames.worst_ms, at_s, is_bad=bool(session.frame_stutters))

    def _show_longest(self, worst_ms: float, at_s: float, *, is_bad: bool) -> None:
        """On the clock of the recording: the one above counts only play, 5:52 at 6:16."""
        at = self.tr("{time} after the start").format(time=self._quantities.clock(at_s))
        value = self._quantities.milliseconds(worst_ms)
        self.longest.show_value(value, at, tone="bad" if is_bad else "text")

    def _show_counts(self, counts: RecordCounts) -> None:
        quantities = self._quantities
        note = self.tr("so far") if self.is_recording else ""
        if counts.markers:
            note = self.tr("{count} marked by you").format(count=quantities.number(counts.markers))
        self.stutters.show_value(quantities.number(len(counts.stutters)), note)
        name = self.tr("Longest stutter") if counts.stutters else self.tr("Latest wake-up")
        self.longest.name.setText(self.tr("Longest frame") if counts.has_frames else name)
        if counts.worst_by_second:
            is_bad = bool(counts.stutters)
            self._show_longest(counts.worst_ms, counts.worst_at_s, is_bad=is_bad)
        else:
            self.longest.show_value("–")
        name, disk_ms = counts.slowest_disk or ("", None)
        self.disk.show_value("–" if disk_ms is None else quantities.milliseconds(disk_ms), name)
        short_s = counts.short_of_memory_s
        is_short = round(short_s) > 0
        self.memory.show_value(quantities.span(short_s), tone="bad" if is_short else "text")
        passed_s = max(self._passed_s, max(counts.worst_by_second, default=0))
        points = _points(counts, passed_s)
        self.line.show_values(points, "storage")
        if len(points) > _LEAST_POINTS:
            frames = self.tr("The longest frames, from the start until now")
            wakes = self.tr("The latest wake-ups, from the start until now")
            self.caption.setText(frames if counts.has_frames else wakes)

    def _run_timer(self) -> None:
        if self._state.is_recording and self.isVisible():
            self._second.start()
        else:
            self._second.stop()

    def showEvent(self, event: QShowEvent) -> None:
        """The time goes on while somebody looks."""
        super().showEvent(event)
        self._run_timer()
        self.show_now()

    def hideEvent(self, event: QHideEvent) -> None:
        """Nobody looks."""
        super().hideEvent(event)
        self._second.stop()


def _points(counts: RecordCounts, length_s: float) -> list[tuple[float, float | None]]:
    """The longest of each piece of the recording, over its whole width."""
    span = max(_LEAST_SPAN_S, int(length_s) + 1)
    piece = max(1, span // _POINTS)
    found: dict[int, float | None] = {}
    for second, value in counts.worst_by_second.items():
        at = second // piece
        found[at] = max(found.get(at) or 0.0, value)
    for at in list(found):
        # A pause is a gap: a slope led through it as if the game had run.
        if at + 1 not in found and at + 2 not in found and at < max(found):
            found[at + 1] = None
    return [((at + 0.5) * piece / span, value) for at, value in sorted(found.items())]
