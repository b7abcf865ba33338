# SPDX-License-Identifier: GPL-3.0-or-later
"""One line of a lane: pyqtgraph's curve in pixel coordinates, without its search for bounds."""

from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen

from destutter.ui.plots.series import EMPTY, Floats, Outline

pg.setConfigOptions(antialias=True, segmentedLineMode="on", useOpenGL=False)

_FILL_ALPHA = 48
_ALONE_PX = 3.0


class LaneCurve(pg.PlotCurveItem):
    """A line, optionally with the area below it, inside a rectangle that it never leaves.

    pyqtgraph asks a curve for its bounds four times per repaint and searches all points for
    them. The rectangle of the graph is known, so this curve answers with that.
    """

    def __init__(self) -> None:
        self._area = QRectF()
        self._alone: list[QPointF] = []
        super().__init__()

    def set_look(self, color: QColor, width_px: float, *, is_filled: bool) -> None:
        """Use this colour; ``width_px`` is in device pixels."""
        pen = QPen(color, width_px)
        pen.setCosmetic(True)
        self.setPen(pen)
        soft = QColor(color)
        soft.setAlpha(_FILL_ALPHA)
        self.setBrush(QBrush(soft) if is_filled else None)

    def set_area(self, area: QRectF) -> None:
        """Draw inside this rectangle of the scene."""
        if area != self._area:
            self.prepareGeometryChange()
            self._area = QRectF(area)
            self.opts["fillLevel"] = area.bottom() if self.opts["brush"] is not None else None

    def show_outline(self, line: Outline, x: Floats, y: Floats, alone: list[QPointF]) -> None:
        """Draw these points, already in pixels of the scene."""
        self._alone = alone
        self.setData(
            x=x,
            y=y,
            connect="finite" if line.has_breaks else "all",
            skipFiniteCheck=not line.has_breaks,
        )

    def clear_outline(self) -> None:
        """Draw nothing."""
        self._alone = []
        self.setData(x=EMPTY.x, y=EMPTY.y)

    def boundingRect(self) -> QRectF:
        """The rectangle of the graph."""
        return self._area

    def viewRangeChanged(self) -> None:
        """Pixels do not depend on a view's range."""

    def viewTransformChanged(self) -> None:
        """Pixels do not depend on a view's transformation."""

    def informViewBoundsChanged(self) -> None:
        """There is no view that would choose its range by this curve."""

    def paint(self, painter: QPainter, option: Any, widget: Any) -> None:
        """Draw the line, and the points that have no neighbour to be joined with."""
        painter.setClipRect(self._area)
        super().paint(painter, option, widget)
        if self._alone:
            pen = QPen(self.opts["pen"].color(), _ALONE_PX)
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            painter.setPen(pen)
            painter.drawPoints(self._alone)
