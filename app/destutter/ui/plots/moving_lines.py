# SPDX-License-Identifier: GPL-3.0-or-later
"""The lines of a lane as a kept picture that moves with time, of which only the end is drawn.

Five lanes with twelve lines, four times a second, two cores: drawn whole 2.0 % of a core, moved
1.3 to 1.6 %.
"""

from collections.abc import Iterable

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPixmap

from destutter.ui.plots.curve import LaneCurve

_MARGIN_PX = 3  # half a pen and half a dot reach over the point that they are drawn at


class MovingLines:
    """A transparent picture of the rectangle of a graph, in which lines are drawn."""

    def __init__(self) -> None:
        self._pixmap = QPixmap()
        self._area = QRectF()
        self._key: object = None
        self._column = 0

    def move_to(self, column: int, area: QRectF, ratio: float, key: object) -> int | None:
        """Let the right edge be at this pixel column of time.

        Returns by how many pixels the lines moved to the left; None where all is to be drawn.
        ``key`` is whatever else the lines depend on. ``ratio``: pixels of the screen for one of
        the window; a picture can only be moved by whole ones of them.
        """
        by, self._column = column - self._column, column
        wanted = (area.getRect(), ratio, key)
        if wanted == self._key and 0 <= by < area.width() and (by * ratio).is_integer():
            if by:
                self._pixmap.scroll(-int(by * ratio), 0, self._pixmap.rect())
            return by
        self._key, self._area = wanted, QRectF(area)
        self._pixmap = QPixmap((area.size() * ratio).toSize())
        self._pixmap.setDevicePixelRatio(ratio)
        self._pixmap.fill(Qt.GlobalColor.transparent)
        return None

    def draw(self, curves: Iterable[LaneCurve], from_px: float) -> None:
        """Draw these lines anew from a pixel of the lane on."""
        area = self._area
        left = max(0, int(from_px - area.left()) - _MARGIN_PX)
        anew = QRect(left, 0, int(area.width()) - left, int(area.height()))
        painter = QPainter(self._pixmap)
        painter.setClipRect(anew)
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Source)
        painter.fillRect(anew, Qt.GlobalColor.transparent)
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
        painter.translate(-area.topLeft())
        for curve in curves:
            curve.paint(painter)
        painter.end()

    def paint(self, painter: QPainter) -> None:
        """Show it in its place."""
        painter.drawPixmap(self._area.topLeft(), self._pixmap)
