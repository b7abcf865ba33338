# SPDX-License-Identifier: GPL-3.0-or-later
"""One line of a lane, in pixels of its widget."""

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from destutter.ui.plots.envelope import run_starts
from destutter.ui.plots.primitives import Primitives
from destutter.ui.plots.series import Floats

_FILL_ALPHA = 48
_ALONE_PX = 3.0


class LaneCurve:
    """A line, optionally with the area below it, inside a rectangle that it never leaves.

    What is drawn is prepared once for each new set of points, not at each painting. The area is
    drawn as upright boxes on whole pixels: filling a path takes Qt twenty times as long.
    """

    def __init__(self) -> None:
        self.pen = QPen()
        self._area = QRectF()
        self._alone: list[QPointF] = []
        self._fill: QColor | None = None
        self._boxes = Primitives(QRectF)
        self._segments = Primitives(QLineF)

    def set_look(self, color: QColor, width_px: float, *, is_filled: bool) -> None:
        """Use this colour; ``width_px`` is in device pixels."""
        self.pen = QPen(color, width_px)
        self.pen.setCosmetic(True)
        self._fill = None
        if is_filled:
            self._fill = QColor(color)
            self._fill.setAlpha(_FILL_ALPHA)

    def set_area(self, area: QRectF) -> None:
        """Draw inside this rectangle."""
        self._area = QRectF(area)

    def show_line(self, x: Floats, y: Floats, alone: list[QPointF], *, has_breaks: bool) -> None:
        """Draw these points, in pixels; NaN breaks the line."""
        self._alone = alone
        if self._fill is not None:
            self._fit_boxes(x, y)
        self._fit_segments(x, y, has_breaks=has_breaks)

    def paint(self, painter: QPainter) -> None:
        """Draw the area, the line, and the points that have no neighbour to be joined with."""
        if self._fill is not None and len(self._boxes):
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._fill)
            painter.drawRects(*self._boxes.drawn())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if len(self._segments):
            painter.setPen(self.pen)
            painter.drawLines(*self._segments.drawn())
        if self._alone:
            dot = QPen(self.pen.color(), _ALONE_PX)
            dot.setCapStyle(Qt.PenCapStyle.RoundCap)
            painter.setPen(dot)
            painter.drawPoints(self._alone)

    def _fit_segments(self, x: Floats, y: Floats, *, has_breaks: bool) -> None:
        """One segment between each two neighbours that are both numbers.

        Segments, because Qt draws a joined line of many points far more slowly: a path of 1,840
        points took 108 ms with a pen of 1.4 px, and 1.5 ms as separate lines.
        """
        count = max(0, len(x) - 1)
        joined = None
        if has_breaks:
            is_value = ~np.isnan(y)
            joined = np.flatnonzero(is_value[:-1] & is_value[1:])
            count = len(joined)
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
