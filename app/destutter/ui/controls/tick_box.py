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
        is_checked, is_enabled = self.isChecked(), self.isEnabled()
        draw_box(painter, self._theme, corner, is_checked=is_checked, is_enabled=is_enabled)


def draw_box(
    painter: QPainter, theme: Theme, corner: QPointF, *, is_checked: bool, is_enabled: bool
) -> None:
    """The box with its tick, for rows of lists as well; ``box_size`` says how large."""
    size = box_size(theme)
    box = QRectF(corner.x() + 0.5, corner.y() + 0.5, size - 1, size - 1)
    is_filled = is_checked and is_enabled
    edge = "border_strong" if is_enabled else "border"
    painter.setPen(QPen(theme.color("accent_fill" if is_filled else edge), 1.4))
    painter.setBrush(theme.color("accent_fill" if is_filled else "surface"))
    painter.drawRoundedRect(box, 4, 4)
    if is_checked:
        painter.setPen(_tick_pen(theme, is_filled=is_filled))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        points = [QPointF(corner.x() + x * size, corner.y() + y * size) for x, y in _TICK]
        painter.drawPolyline(QPolygonF(points))


def box_size(theme: Theme) -> int:
    """Width and height of the box, in pixels."""
    return theme.sizes.px(_BOX)


def _tick_pen(theme: Theme, *, is_filled: bool) -> QPen:
    pen = QPen(theme.color("on_accent" if is_filled else "faint"), 2.0)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    return pen
