# SPDX-License-Identifier: GPL-3.0-or-later
"""A check box as the rest of the window looks: a box with an edge, filled when it is ticked."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QCheckBox, QWidget

from destutter.ui.look.theme import Theme

_BOX, _ROOM = 18, 26
_TICK = ((0.24, 0.53), (0.43, 0.71), (0.77, 0.31))


class TickBox(QCheckBox):
    """Without a text of its own: its name is for readers of the screen."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        size = max(theme.sizes.px(_ROOM), 24)
        self.setFixedSize(size, size)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """The box with room for the focus."""
        return self.size()

    def hitButton(self, pos: object) -> bool:
        """All of it can be clicked."""
        del pos
        return True

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        size = self._theme.sizes.px(_BOX)
        corner = QPointF((self.width() - size) / 2, (self.height() - size) / 2)
        box = QRectF(corner.x() + 0.5, corner.y() + 0.5, size - 1, size - 1)
        if self.hasFocus():
            painter.setPen(QPen(self._theme.color("focus"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box.adjusted(-3, -3, 3, 3), 6, 6)
        is_filled = self.isChecked() and self.isEnabled()
        edge = "border_strong" if self.isEnabled() else "border"
        painter.setPen(QPen(self._theme.color("accent_fill" if is_filled else edge), 1.4))
        painter.setBrush(self._theme.color("accent_fill" if is_filled else "surface"))
        painter.drawRoundedRect(box, 4, 4)
        if self.isChecked():
            painter.setPen(self._tick_pen(is_filled=is_filled))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            points = [QPointF(corner.x() + x * size, corner.y() + y * size) for x, y in _TICK]
            painter.drawPolyline(QPolygonF(points))

    def _tick_pen(self, *, is_filled: bool) -> QPen:
        color = self._theme.color("on_accent" if is_filled else "faint")
        pen = QPen(color, 2.0)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        return pen
