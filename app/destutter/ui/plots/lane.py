# SPDX-License-Identifier: GPL-3.0-or-later
"""One graph of the card: its grid and axis, its lines, and what is drawn across all lanes.

Everything is painted by hand in pixels of the widget. The grid, the axis labels and the threshold
change rarely and are a kept picture; a new pixel column only redraws the lines and the signs that
move with them. (pyqtgraph's view took as much again for its scene, and 31 MB.)
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil, inf, isnan, nan

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QHideEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from destutter.ui.look.theme import Theme
from destutter.ui.look.tokens import GRAPH_RIGHT_MARGIN
from destutter.ui.plots.curve import LaneCurve
from destutter.ui.plots.envelope import Envelope
from destutter.ui.plots.ground import Ground, Threshold, draw_grid, draw_threshold
from destutter.ui.plots.moving_lines import MovingLines
from destutter.ui.plots.scale import Extent, Formatter, Scale, lowest_of
from destutter.ui.plots.series import Floats, LaneSeries, Outline
from destutter.ui.plots.signs import Signs, SignsPainter
from destutter.ui.plots.time_view import RETENTION_S, TimeView

_TOP_MARGIN, _BOTTOM_MARGIN = 6, 5
_JOINED_PX = 5  # a line is drawn from the point before the first that is anew
_END_S = 0.5  # the newest measurement is a batch of 250 ms and a tick old


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a lane: where its values come from and how it looks."""

    key: tuple[str, str]
    series: LaneSeries
    color: str
    is_filled: bool = False


@dataclass(frozen=True, slots=True)
class LaneContent:
    """What a lane draws: which lines, on which axis."""

    scale: Scale
    formatter: Formatter
    lines: tuple[Line, ...]
    threshold: Threshold | None = None


class Lane(QWidget):
    """A graph over the shared time axis.

    Signals: ``hovered(float)`` with the pixel position inside the plot, ``left()`` when the
    pointer went away, ``pressed(float)`` for a click, ``dragged(float)`` with the pixels moved,
    ``wheeled(float, float)`` with steps and position.
    """

    hovered = Signal(float)
    left = Signal()
    pressed = Signal(float)
    dragged = Signal(float)
    wheeled = Signal(float, float)

    def __init__(self, theme: Theme, view: TimeView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._view = view
        self._content: LaneContent | None = None
        self._extent = Extent(0.0, 1.0, ())
        self._envelopes: list[Envelope] = []
        self._curves: dict[tuple[str, str], LaneCurve] = {}
        self._lines = MovingLines()
        self._ends: list[tuple[int, float]] = []
        self._signs = SignsPainter(theme)
        self._ground: QPixmap | None = None
        self._plot = QRectF(0, 0, 1, 1)
        self._columns = 1
        self._still: object = None
        self._dots: Sequence[tuple[float, float]] = ()
        self._grid_x: tuple[float, ...] = ()
        self._press_x: float | None = None
        self._drag_x: float | None = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumHeight(theme.sizes.px(60))
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)

    def sizeHint(self) -> QSize:
        """As large as there is room; the card gives the proportions."""
        return QSize(300, self.minimumHeight())

    @property
    def plot(self) -> QRectF:
        """The rectangle of the data, in pixels of the widget."""
        return self._plot

    @property
    def columns(self) -> int:
        return self._columns

    def curves(self) -> tuple[LaneCurve, ...]:
        """The curves that are drawn, in the order of the lines."""
        return tuple(self._curves.values())

    def _measure(self) -> None:
        left = self._theme.sizes.axis
        width = max(1, self.width() - left - GRAPH_RIGHT_MARGIN)
        height = max(1, self.height() - _TOP_MARGIN - _BOTTOM_MARGIN)
        self._plot = QRectF(left, _TOP_MARGIN, width, height)
        self._columns = width

    def set_content(self, content: LaneContent) -> None:
        """Draw these lines from the next ``refresh`` on."""
        previous, self._content = self._content, content
        known = {id(one.series): one for one in self._envelopes}
        self._envelopes = [
            known.get(id(line.series)) or Envelope(line.series, RETENTION_S)
            for line in content.lines
        ]
        curves = self._curves
        self._curves = {line.key: curves.get(line.key) or LaneCurve() for line in content.lines}
        is_new_look = previous is None or [(line.key, line.color) for line in previous.lines] != [
            (line.key, line.color) for line in content.lines
        ]
        self._forget_lines()
        if is_new_look:
            self.apply_theme()
        if previous is None or previous.threshold != content.threshold:
            self.redraw_background()

    def apply_theme(self) -> None:
        """Take colours and pens from the theme, and their width from the screen."""
        width = self.devicePixelRatioF() * 1.0 + self._theme.tokens.pen_extra_px
        for line in self._content.lines if self._content else ():
            curve = self._curves[line.key]
            curve.set_look(self._theme.color(line.color), width, is_filled=line.is_filled)
        self._fit_areas()
        self._forget_lines()
        self.redraw_background()

    def _forget_lines(self) -> None:
        """Let the next ``refresh`` draw them whole."""
        self._still = None
        self._ends = []

    def set_grid(self, positions_px: Sequence[float]) -> None:
        """Draw vertical grid lines at these distances from the left edge of the data."""
        positions = tuple(positions_px)
        if positions != self._grid_x:
            self._grid_x = positions
            self.redraw_background()

    @property
    def signs(self) -> Signs:
        """What is drawn across the lines."""
        return self._signs.signs

    def set_signs(self, signs: Signs) -> None:
        """Draw these. Only what changed is drawn anew: the cross-hair moves often."""
        old, self._signs.signs = self._signs.signs, signs
        if old == signs:
            return
        if replace(old, cross_px=None) != replace(signs, cross_px=None):
            self.update()
            return
        for x in (old.cross_px, signs.cross_px):
            if x is not None:
                self.update(QRect(round(x) - 1, 0, 3, self.height()))

    def redraw_background(self) -> None:
        self._ground = None
        self.update()

    def refresh(self, dots: Sequence[tuple[float, float]] | None = None) -> None:
        """Draw the lines for the present view.

        ``dots``: moments and values to mark, the longest frames; None leaves them as they are.
        """
        if dots is not None:
            self._dots = dots
        content = self._content
        if content is None:
            return
        outlines = self._outlines()
        self._fit_extent(content, [one.y for one in outlines])
        if self._is_still(outlines):
            return
        self._draw_lines(outlines)
        self._signs.dots = [
            QPointF(self.x_of(t), self.y_of(v)) for t, v in self._dots if self._is_visible(t)
        ]
        self.update()

    def _outlines(self) -> list[Outline]:
        view, columns = self._view, self.columns
        column_s = view.span_s / columns
        return [
            envelope.outline(view.left_s - column_s, view.right_s, column_s, columns)
            for envelope in self._envelopes
        ]

    def points(self) -> list[tuple[Floats, Floats]]:
        """What is in view of each line: x and y in pixels, y NaN at a break."""
        scale, offset = self._horizontal()
        return [(one.x * scale + offset, self._ys(one.y)) for one in self._outlines()]

    def _draw_lines(self, outlines: Sequence[Outline]) -> None:
        """Let the lines that are drawn move on, and draw what is new at their ends."""
        view = self._view
        key = (self._extent, view.span_s, [one.is_reduced for one in outlines])
        column = view.column(view.right_s, self._columns)
        moved = self._lines.move_to(column, self._plot, self.devicePixelRatioF(), key)
        ends = [self._end_of(*each) for each in zip(self._envelopes, outlines, strict=True)]
        from_s = -inf if moved is None else _changed_from(self._ends, ends)
        if moved:  # a view that stands still may be pulled towards what is there already
            from_s = min(from_s, view.right_s - (moved + 1) * view.span_s / self._columns)
        self._ends = ends
        if from_s == inf:
            return
        scale, offset = self._horizontal()
        begin_s = from_s - _JOINED_PX / scale
        for curve, one in zip(self.curves(), outlines, strict=True):
            low = max(0, int(one.x.searchsorted(begin_s)) - 1)
            x, y = one.x[low:] * scale + offset, self._ys(one.y[low:])
            curve.show_line(x, y, self._alone(one, begin_s), has_breaks=one.has_breaks)
        self._lines.draw(self.curves(), max(self._plot.left(), from_s * scale + offset))

    def _alone(self, one: Outline, begin_s: float) -> list[QPointF]:
        low = int(one.alone_x.searchsorted(begin_s))
        places = zip(one.alone_x[low:], one.alone_y[low:], strict=True)
        return [QPointF(self.x_of(t), self.y_of(v)) for t, v in places]

    def _end_of(self, envelope: Envelope, one: Outline) -> tuple[int, float]:
        """How much was measured for a line, and from when on it changes with the next value."""
        measured = envelope.series.forgotten + len(envelope.series)
        if not len(one.x):
            return measured, -inf
        # Of the last column both points may change, and so does what joins it with the one before.
        return measured, float(one.x[max(0, len(one.x) - 4) if one.is_reduced else -1])

    def _is_still(self, outlines: Sequence[Outline]) -> bool:
        """Whether the picture stays as it is: level lines from edge to edge, as before.

        A resting lane, such as reclaim on a computer with enough memory, then costs nothing.
        """
        key = (self._extent, self._view.span_s, self._plot.getRect())
        levels = [_level(one, self._view.left_s, self._view.right_s) for one in outlines]
        still = None if self._dots or None in levels else (key, tuple(levels))
        is_same = still is not None and still == self._still
        self._still = still
        return is_same

    def x_of(self, time_s: float) -> float:
        """The horizontal pixel of a moment. Columns of the data lie on whole pixels."""
        scale, offset = self._horizontal()
        return time_s * scale + offset

    def _horizontal(self) -> tuple[float, float]:
        """Factor and summand that turn seconds into pixels."""
        right = self._view.column(self._view.right_s, self._columns) + 1
        scale = self._columns / self._view.span_s
        return scale, self._plot.left() + self._columns - right

    def y_of(self, value: float) -> float:
        """The vertical pixel of a value."""
        if self._content is None or isnan(value):
            return nan
        return self._y(self._content.scale.position(value))

    def _is_visible(self, time_s: float) -> bool:
        return self._view.left_s <= time_s <= self._view.right_s

    def _ys(self, values: Floats) -> Floats:
        assert self._content is not None  # noqa: S101  only called while drawing a content
        plot, extent = self.plot, self._extent
        scale = plot.height() / (extent.high - extent.low)
        return plot.bottom() - (self._content.scale.positions(values) - extent.low) * scale

    def _y(self, position: float) -> float:
        plot, extent = self.plot, self._extent
        share = (position - extent.low) / (extent.high - extent.low)
        return plot.bottom() - share * plot.height()

    def _fit_extent(self, content: LaneContent, values: Sequence[Floats]) -> None:
        lowest, highest = nan, nan
        for one in values:
            if len(one):
                lowest = float(np.fmin(lowest, lowest_of(one)))
                highest = float(np.fmax(highest, np.fmax.reduce(one)))
        extent = content.scale.extent(lowest, highest, int(self.plot.height()))
        if extent != self._extent:
            self._extent = extent
            self.redraw_background()

    def _fit_areas(self) -> None:
        for curve in self._curves.values():
            curve.set_area(self._plot)
        self._signs.area = self._plot

    # --- painting ------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        """The kept ground, and what moves, as far as this event asks for it."""
        if self._ground is None or self._ground.devicePixelRatio() != self.devicePixelRatioF():
            self._ground = self._drawn_ground()
        painter = QPainter(self)
        painter.drawPixmap(0, 0, self._ground)
        painter.setClipRect(self._plot.intersected(event.rect()))
        self._signs.draw_under(painter)
        self._lines.paint(painter)
        self._signs.draw_over(painter)
        painter.end()

    def _drawn_ground(self) -> QPixmap:
        """Ground, grid, axis labels and threshold."""
        ratio = self.devicePixelRatioF()
        # A pixel more: at 125 % the widget ends within a pixel of the screen.
        pixmap = QPixmap(ceil(self.width() * ratio), ceil(self.height() * ratio))
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(self._theme.color("surface"))
        painter = QPainter(pixmap)
        self._draw_ground(painter)
        painter.end()
        return pixmap

    def _draw_ground(self, painter: QPainter) -> None:
        content = self._content
        ground = Ground(
            self._plot,
            self.height(),
            self._grid_x,
            [
                (self._y(position), "" if content is None else content.formatter(value))
                for position, value in self._extent.ticks
            ],
        )
        draw_grid(painter, self._theme, ground)
        if content is not None and content.threshold is not None:
            y = self.y_of(content.threshold.value)
            draw_threshold(painter, self._theme, self._plot, content.threshold, y)
        if self.hasFocus():
            painter.setPen(QPen(self._theme.color("focus"), 2))
            painter.drawRect(self._plot.adjusted(1, 1, -1, -1))

    # --- events ------------------------------------------------------------------------------

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show where the keys go."""
        super().focusInEvent(event)
        self.redraw_background()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The keys go elsewhere."""
        super().focusOutEvent(event)
        self.redraw_background()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._measure()
        self._fit_areas()
        self.redraw_background()
        self.refresh()

    def hideEvent(self, event: QHideEvent) -> None:
        """A hidden lane has no pointer."""
        super().hideEvent(event)
        self.left.emit()

    def changeEvent(self, event: QEvent) -> None:
        """Pens follow the resolution of the screen that the window moved to."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self.apply_theme()
            self.refresh()

    def leaveEvent(self, event: QEvent) -> None:
        self.left.emit()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Read values under the pointer, or move the view while a button is down."""
        x = event.position().x()
        if self._press_x is not None and abs(x - self._press_x) > 4:
            self._drag_x = self._press_x if self._drag_x is None else self._drag_x
        if self._drag_x is not None:
            self.dragged.emit(x - self._drag_x)
            self._drag_x = x
        else:
            self.hovered.emit(x - self.plot.left())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            self._press_x = event.position().x()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        if self._drag_x is None and self._press_x is not None:
            self.pressed.emit(event.position().x() - self.plot.left())
        self._press_x = self._drag_x = None

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom around the pointer."""
        steps = event.angleDelta().y() / 120.0
        if steps:
            self.wheeled.emit(steps, event.position().x() - self.plot.left())
            event.accept()


def _changed_from(old: Sequence[tuple[int, float]], new: Sequence[tuple[int, float]]) -> float:
    """The time from which on any of these lines is drawn otherwise than before; inf: none is."""
    if len(old) != len(new):
        return -inf
    pairs = zip(old, new, strict=True)
    return min((end for (count, end), (now, _) in pairs if now != count), default=inf)


def _level(line: Outline, left_s: float, right_s: float) -> float | None:
    """The height of a line that is level from the left edge to the right one; else None."""
    if line.has_breaks or not len(line.x):
        return None
    if line.x[0] > left_s or line.x[-1] < right_s - _END_S:
        return None
    first = float(line.y[0])
    return first if bool((line.y == first).all()) else None
