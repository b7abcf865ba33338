# SPDX-License-Identifier: GPL-3.0-or-later
"""A whole recording as one line: where it stands, and where its stutters are."""

from collections.abc import Iterable

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QSlider, QWidget

from destutter.ui.look.theme import Theme

_STEP_S, _PAGE_S = 5, 60
_KNOB_PX, _MARK_PX = 8, 9


class SeekBar(QSlider):
    """Its value is in whole seconds. ``sought(float)`` with the second that somebody chose."""

    sought = Signal(float)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._theme = theme
        self._stutters: tuple[float, ...] = ()
        self._read_s: float | None = None
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # as in the graphs
        self.setSingleStep(_STEP_S)
        self.setPageStep(_PAGE_S)
        self.setAccessibleName(self.tr("Position in the recording"))
        self.setToolTip(self.tr("Click to go there; the marks are stutters"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    @property
    def stutters(self) -> tuple[float, ...]:
        """The marks, in seconds from the beginning."""
        return self._stutters

    def show_stutters(self, seconds: Iterable[float]) -> None:
        """Mark these, in seconds from the beginning."""
        self._stutters = tuple(seconds)
        self.update()

    @property
    def read_s(self) -> float | None:
        """Up to which second it is read, while it stands at one that is not read yet."""
        return self._read_s

    def show_read(self, read_s: float | None) -> None:
        """Up to here it is read, and the knob is hollow; None: up to the knob."""
        self._read_s = read_s
        self.update()

    def show_position(self, at_s: float) -> None:
        """Where it stands; while somebody drags the knob that decides."""
        if not self.isSliderDown():
            self.setValue(round(at_s))

    def sizeHint(self) -> QSize:
        return QSize(self._theme.sizes.px(240), self._theme.sizes.px(26))

    def minimumSizeHint(self) -> QSize:
        return QSize(self._theme.sizes.px(80), self._theme.sizes.px(26))

    # --- events ------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take the knob to the place of the click."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.setSliderDown(True)
            self.setSliderPosition(self._second_at(event.position().x()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag the knob along; playing goes on until it is let go."""
        if self.isSliderDown():
            self.setSliderPosition(self._second_at(event.position().x()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Go to where it was let go."""
        if self.isSliderDown():
            self.setSliderDown(False)
            self.sought.emit(float(self._second_at(event.position().x())))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows move by five seconds, Page Up and Down by a minute."""
        before = self.value()
        super().keyPressEvent(event)
        if self.value() != before:
            self.sought.emit(float(self.value()))

    def paintEvent(self, event: QPaintEvent) -> None:
        """A track as far as it is read, a mark for each stutter, and the knob."""
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle, at = self.height() / 2, self._x_of(self.sliderPosition())
        left, right = self._x_of(self.minimum()), self._x_of(self.maximum())
        done = at if self._read_s is None else min(at, self._x_of(self._read_s))
        for begin, end, tone in ((left, right, "border_strong"), (left, done, "accent")):
            painter.setPen(QPen(self._theme.color(tone), 3))
            painter.drawLine(QPointF(begin, middle), QPointF(end, middle))
        painter.setPen(QPen(self._theme.color("bad"), 2))
        for second in self._stutters:
            x = self._x_of(second)
            painter.drawLine(QPointF(x, middle - _MARK_PX), QPointF(x, middle + _MARK_PX))
        is_hollow = self._read_s is not None
        edge = "focus" if self.hasFocus() else "accent" if is_hollow else "surface"
        painter.setPen(QPen(self._theme.color(edge), 2))
        painter.setBrush(self._theme.color("surface" if is_hollow else "accent"))
        knob = QRectF(at - _KNOB_PX, middle - _KNOB_PX, 2 * _KNOB_PX, 2 * _KNOB_PX)
        painter.drawEllipse(knob)

    def _x_of(self, second: float) -> float:
        length = max(1, self.maximum() - self.minimum())
        share = (second - self.minimum()) / length
        return _KNOB_PX + 1 + share * (self.width() - 2 * _KNOB_PX - 2)

    def _second_at(self, x: float) -> int:
        share = (x - _KNOB_PX - 1) / max(1, self.width() - 2 * _KNOB_PX - 2)
        length = self.maximum() - self.minimum()
        return self.minimum() + round(min(1.0, max(0.0, share)) * length)
