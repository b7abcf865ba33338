# SPDX-License-Identifier: GPL-3.0-or-later
"""Lanes painted by hand, each whole, one polygon per series: what the window would cost without
pyqtgraph. No axes, no words, no zoom: the least that any painting by hand can do.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QVBoxLayout, QWidget
from shiboken6 import VoidPtr

Line = tuple[np.ndarray, np.ndarray]


class PaintedLanes(QWidget):
    """As many lanes as there are lists of lines, in pixels from the left and per 130 of height."""

    def __init__(self, lanes: Sequence[Sequence[Line]]) -> None:
        super().__init__()
        self.resize(1000, 600)
        self._lanes = [_Lane(lines, self) for lines in lanes]
        layout = QVBoxLayout(self)
        layout.setSpacing(0)
        for lane in self._lanes:
            layout.addWidget(lane)
        self._step = 0

    def tick(self) -> None:
        """Draw every line anew, two columns further."""
        self._step += 2
        for lane in self._lanes:
            lane.step = self._step
            lane.update()


class _Lane(QWidget):
    def __init__(self, lines: Sequence[Line], parent: QWidget) -> None:
        super().__init__(parent)
        self.step = 0
        self._lines = [(np.array(x), np.nan_to_num(np.array(y))) for x, y in lines]
        # Twenty times as quick as making a point for each in Python.
        self._polygons = [_polygon(len(x)) for x, _ in self._lines]
        self._pen = QPen(Qt.GlobalColor.white, 1.0)
        self._pen.setCosmetic(True)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), Qt.GlobalColor.black)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self._pen)
        scale = self.height() / 130.0
        for (x, y), (polygon, points) in zip(self._lines, self._polygons, strict=True):
            points[:, 0] = x
            points[:, 1] = self.height() - scale * np.roll(y, -self.step)
            painter.drawPolyline(polygon)
        painter.end()


def _polygon(count: int) -> tuple[QPolygonF, np.ndarray]:
    """A polygon, and its points as an array of rows (x, y) in the same memory."""
    polygon = QPolygonF([QPointF()] * count)
    # Its stubs know neither these arguments nor that it is a buffer.
    memory: Any = VoidPtr(polygon.data(), count * 16, True)  # type: ignore[call-arg, arg-type]
    return polygon, np.frombuffer(memory, np.float64).reshape(count, 2)
