# SPDX-License-Identifier: GPL-3.0-or-later
"""One line of a lane: pyqtgraph's curve in pixels, without its search for bounds."""

from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from destutter.ui.plots.envelope import run_starts
from destutter.ui.plots.primitives import Primitives
from destutter.ui.plots.series import Floats

# No OpenGL: it would take time of the graphics card from the game. Segmented: a path of 1,840
# points took 108 ms with a pen of 1.4 px, and 1.5 ms as separate lines; one of 1 px 0.5.
pg.setConfigOptions(antialias=True, segmentedLineMode="on", useOpenGL=False)

_FILL_ALPHA = 48
_ALONE_PX = 3.0
_EMPTY: Floats = np.empty(0)


class LaneCurve(pg.PlotCurveItem):
    """A line, optionally with the area below it, inside a rectangle that it never leaves.

    pyqtgraph asks a curve for its bounds four times per repaint and searches all points for
    them. The rectangle of the graph is known, so this curve answers with that, and prepares what
    is drawn once instead of at each question. The area is drawn as upright boxes on whole pixels:
    filling a path takes Qt twenty times as long.
    """

    def __init__(self) -> None:
        self._area = QRectF()
        self._alone: list[QPointF] = []
        self._fill: QColor | None = None
        self._boxes = Primitives(QRectF)
        self._segments = Primitives(QLineF)
        self._segments_count = 0
        super().__init__()

    def set_look(self, color: QColor, width_px: float, *, is_filled: bool) -> None:
        """Use this colour; ``width_px`` is in device pixels."""
        pen = QPen(color, width_px)
        pen.setCosmetic(True)
        self.setPen(pen)
        self._fill = None
        if is_filled:
            self._fill = QColor(color)
            self._fill.setAlpha(_FILL_ALPHA)

    def set_area(self, area: QRectF) -> None:
        """Draw inside this rectangle of the scene."""
        if area != self._area:
            self.prepareGeometryChange()
            self._area = QRectF(area)

    def show_line(self, x: Floats, y: Floats, alone: list[QPointF], *, has_breaks: bool) -> None:
        """Draw these points, in pixels of the scene; NaN breaks the line."""
        self._alone = alone
        if self._fill is not None:
            self._fit_boxes(x, y)
        self._fit_segments(x, y, has_breaks=has_breaks)
        self.xData, self.yData = x, y
        self.update()

    def clear_line(self) -> None:
        if self._segments_count:
            self.show_line(_EMPTY, _EMPTY, [], has_breaks=False)

    def boundingRect(self) -> QRectF:
        """The rectangle of the graph."""
        return self._area

    def viewRangeChanged(self) -> None:
        """Pixels do not depend on a view's range."""

    def viewTransformChanged(self) -> None:
        """Pixels do not depend on a view's transformation."""

    def paint(self, painter: QPainter, option: Any, widget: Any) -> None:
        """Draw the area, the line, and the points that have no neighbour to be joined with."""
        del option, widget
        painter.setClipRect(self._area)
        if self._fill is not None and len(self._boxes):
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._fill)
            painter.drawRects(*self._boxes.drawn())
        if not self._segments_count:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pen = self.opts["pen"]
        painter.setPen(pen)
        painter.drawLines(*self._segments.drawn())
        if self._alone:
            dot = QPen(pen.color(), _ALONE_PX)
            dot.setCapStyle(Qt.PenCapStyle.RoundCap)
            painter.setPen(dot)
            painter.drawPoints(self._alone)

    def _fit_segments(self, x: Floats, y: Floats, *, has_breaks: bool) -> None:
        """One segment between each two neighbours that are both numbers.

        Segments, because Qt draws a joined line of many points far more slowly.
        """
        count = max(0, len(x) - 1)
        joined = None
        if has_breaks:
            is_value = ~np.isnan(y)
            joined = np.flatnonzero(is_value[:-1] & is_value[1:])
            count = len(joined)
        self._segments_count = count or len(self._alone)
        memory = self._segments.resize(count)
        if not count:
            return
        if joined is None:
            memory[:, 0], memory[:, 1] = x[:-1], y[:-1]
            memory[:, 2], memory[:, 3] = x[1:], y[1:]
        else:
            memory[:, 0], memory[:, 1] = x[joined], y[joined]
            memory[:, 2], memory[:, 3] = x[joined + 1], y[joined + 1]

    def _fit_boxes(self, x: Floats, y: Floats) -> None:
        """One box for every run of pixel columns in which the line has the same height."""
        left, base = self._area.left(), self._area.bottom()
        if not len(x) or np.fmin.reduce(y) > base - 1:
            self._boxes.resize(0)
            return
        columns = np.arange(max(0.0, np.ceil(x[0] - left)), min(self._area.width(), x[-1] - left))
        tops = np.floor(np.interp(columns + left, x, y))
        tops[np.isnan(tops)] = base
        starts = run_starts(tops)
        ends = np.append(starts[1:], len(tops))
        is_drawn = tops[starts] < base - 0.5
        starts, ends = starts[is_drawn], ends[is_drawn]
        memory = self._boxes.resize(len(starts))
        memory[:, 0] = columns[starts] + left
        memory[:, 1] = tops[starts]
        memory[:, 2] = ends - starts
        memory[:, 3] = base - tops[starts]
