# SPDX-License-Identifier: GPL-3.0-or-later
"""One plot of a session's graph: lines in a view that can be zoomed and moved, and two axes."""

from collections.abc import Sequence
from math import sqrt

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QGraphicsItem, QGraphicsSceneWheelEvent

from destutter.ui.look.theme import Theme
from destutter.ui.sessions.graph_axis import GraphAxis, PhaseBands
from destutter.ui.sessions.graph_data import TONES, Points, cut, dots
from destutter.ui.sessions.graph_ticks import Marks

_PEN_PX = 1.4
_SAME = 1e-6  # of the whole: what adding and subtracting makes of the ends of a view
_ABOVE = 10.0


class ZoomView(pg.ViewBox):
    """What is seen of the data: some of it, never anything beside it."""

    def __init__(self) -> None:
        super().__init__(enableMenu=False, defaultPadding=0.0)
        self._whole = QRectF(0, 0, 1, 1)
        self.setMouseEnabled(x=True, y=False)
        self.disableAutoRange()

    def show_whole(self, left: float, right: float, least: float) -> None:
        """Show all from left to right, and never less than ``least`` of it."""
        self._whole = QRectF(left, 0, right - left, 1)
        self.setLimits(xMin=left, xMax=right, minXRange=min(least, right - left))
        self.back()

    def back(self) -> None:
        """Show all there is."""
        self.setXRange(self._whole.left(), self._whole.right(), padding=0)

    @property
    def is_zoomed(self) -> bool:
        return bool(self.viewRect().width() < self._whole.width() * (1 - _SAME))

    def zoom(self, factor: float, around: QPointF | None = None) -> None:
        """See so many times as much, below 1 less; the point stays where it is."""
        self.scaleBy((factor, None), around)

    def wheelEvent(self, event: QGraphicsSceneWheelEvent, axis: int | None = None) -> None:
        """Out of the whole there is no way farther: then the page moves."""
        is_vertical = event.orientation() == Qt.Orientation.Vertical
        if not is_vertical or (event.delta() < 0 and not self.is_zoomed):
            event.ignore()
        else:
            super().wheelEvent(event, axis)


def _steady_pen(color: QColor) -> QPen:
    """One that no zoom makes wider."""
    pen = QPen(color)
    pen.setCosmetic(True)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    return pen


def _widen(pen: QPen, width_px: float, painter: QPainter, item: QGraphicsItem) -> None:
    """Make a steady pen so wide on this screen, or in this picture."""
    # The painter's device is the window also while that is drawn into a picture.
    in_window = item.sceneTransform().determinant()
    if in_window:
        pen.setWidthF(width_px * sqrt(abs(painter.deviceTransform().determinant() / in_window)))


class GraphLine(pg.PlotCurveItem):
    """One line, drawn as separate ones: Qt joins those wider than a pixel far more slowly."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(antialias=True, connect="pairs")
        self._theme = theme
        self._badge = ""
        self._dots: list[QPointF] = []
        self.setSegmentedLineMode("on")

    def show_points(self, points: Points, seen: Sequence[Sequence[float]]) -> None:
        """Draw these as far as they are in view, from and to in either direction."""
        self._badge = points.badge
        x, y = cut(points, *seen)
        self.setData(x, y)
        self._dots = [QPointF(*place) for place in dots(points, *seen)]
        self.dress()

    def dress(self) -> None:
        """Take the colour of the theme."""
        self.setPen(_steady_pen(self._theme.color(TONES[self._badge])))

    def paint(self, painter: QPainter, *how: object) -> None:
        pen = self.opts["pen"]
        _widen(pen, _PEN_PX + self._theme.tokens.pen_extra_px, painter, self)
        super().paint(painter, *how)
        painter.setPen(pen)
        painter.drawPoints(self._dots)


class MomentLine(pg.InfiniteLine):
    """Upright, where values are read."""

    def __init__(self) -> None:
        super().__init__(angle=90)
        self.hide()

    def paint(self, painter: QPainter, *how: object) -> None:
        _widen(self.currentPen, 1, painter, self)
        super().paint(painter, *how)


class Badge(QGraphicsItem):
    """The letter of a session in the upper right corner of a view."""

    def __init__(self, theme: Theme, view: pg.ViewBox) -> None:
        super().__init__(view)
        self._theme = theme
        self._view = view
        self._letter = ""
        self.setZValue(_ABOVE)
        self.hide()
        view.sigResized.connect(self._place)

    def show_letter(self, letter: str) -> None:
        self._letter = letter
        self.setVisible(bool(letter))
        self._place()

    @property
    def room(self) -> int:
        """The pixels of a row that it takes."""
        return int(self.boundingRect().width()) + 6 if self.isVisible() else 0

    def _place(self, *_view: object) -> None:
        self.setPos(self._view.rect().width() - self.boundingRect().width() - 6, 6)

    def boundingRect(self) -> QRectF:
        size = self._theme.sizes.px(20)
        return QRectF(0, 0, size, size)

    def paint(self, painter: QPainter, *_how: object) -> None:
        theme, circle = self._theme, self.boundingRect()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color(TONES[self._letter]))
        painter.drawEllipse(circle)
        painter.setPen(theme.color("surface"))
        painter.setFont(theme.sized(theme.sizes.caption, 700))
        painter.drawText(circle, Qt.AlignmentFlag.AlignCenter, self._letter)


class GraphPlot(pg.GraphicsLayout):
    """Lines over two axes, of which the lower one can be zoomed."""

    def __init__(self, theme: Theme, left: Marks, bottom: Marks) -> None:
        super().__init__()
        self._theme = theme
        self.view = ZoomView()
        self.bands = PhaseBands(theme, self.view)
        self.badge = Badge(theme, self.view)
        self._axes = (GraphAxis("left", theme, left), GraphAxis("bottom", theme, bottom))
        self.lines: list[GraphLine] = []
        self._moment = MomentLine()
        self.view.addItem(self._moment, ignoreBounds=True)
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # time runs so in every language
        self.layout.setSpacing(0)
        self.layout.setContentsMargins(0, 0, 0, 0)
        self.addItem(self.bands, 0, 1)
        self.addItem(self._axes[0], 1, 0)
        self.addItem(self.view, 1, 1)
        self.addItem(self._axes[1], 2, 1)
        for axis in self._axes:
            axis.linkToView(self.view)
        self.dress()

    def dress(self) -> None:
        """Take the colours of the theme."""
        dressed: list[GraphAxis | GraphLine] = [*self._axes, *self.lines]
        for each in dressed:
            each.dress()
        self._moment.setPen(_steady_pen(self._theme.color("text", 190)))

    @property
    def columns(self) -> int:
        """The pixels of a row, at least two."""
        return max(2, int(self.view.rect().width()))

    def show_lines(self, lines: Sequence[Points]) -> None:
        """Draw these, as far as they are in view now."""
        while len(self.lines) > len(lines):
            self.view.removeItem(self.lines.pop())
        while len(self.lines) < len(lines):
            self.lines.append(GraphLine(self._theme))
            self.view.addItem(self.lines[-1], ignoreBounds=True)
        for line, points in zip(self.lines, lines, strict=True):
            line.show_points(points, self.view.viewRange())

    def show_moment(self, place: float | None) -> None:
        """Where on the axis below values are read out; None: nowhere."""
        self._moment.setVisible(place is not None)
        if place is not None:
            self._moment.setValue(place)

    def x_at(self, place: QPointF) -> float | None:
        """What lies there on the axis below; None: this is beside the plot."""
        if not self.isVisible() or not self.sceneBoundingRect().contains(place):
            return None
        low, high = self.view.viewRange()[0]
        x = float(self.view.mapSceneToView(place).x())
        return x if low <= x < high else None
