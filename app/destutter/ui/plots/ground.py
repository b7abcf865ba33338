# SPDX-License-Identifier: GPL-3.0-or-later
"""What lies behind the lines of a lane: grid, labels of the axis, and the threshold."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter

from destutter.ui.look.theme import Theme
from destutter.ui.plots.crisp import on_pixel, screen_ratio, thin_pen

_LABEL_GAP = 6


@dataclass(frozen=True, slots=True)
class Threshold:
    """A value worth a dashed line, and why."""

    value: float
    text: str
    color: str


@dataclass(frozen=True, slots=True)
class Ground:
    """Where things are, in pixels of the lane.

    ``plot`` is the rectangle of the data, ``height`` that of the whole lane; ``grid_x`` counts
    from the left edge of the data; ``ticks`` are (vertical pixel, label) pairs.
    """

    plot: QRectF
    height: int
    grid_x: Sequence[float]
    ticks: Sequence[tuple[float, str]]


def draw_grid(painter: QPainter, theme: Theme, ground: Ground) -> None:
    """Grid lines on whole pixels, and the labels beside them."""
    painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    plot = ground.plot
    ratio = screen_ratio(painter)
    pen = thin_pen(theme.color("grid"), ratio)
    painter.setPen(pen)
    for at in (*(plot.left() + x for x in ground.grid_x), plot.right() - 1):
        x = on_pixel(at, ratio)
        painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()))
    height = QFontMetricsF(theme.sized(theme.sizes.caption)).height()
    for y, text in ground.ticks:
        line = on_pixel(y, ratio)
        painter.setPen(pen)
        painter.drawLine(QPointF(plot.left(), line), QPointF(plot.right(), line))
        top = min(max(line - height / 2, 0.0), ground.height - height)
        _draw_label(painter, theme, QRectF(0, top, plot.left() - _LABEL_GAP, height), text)


def _draw_label(painter: QPainter, theme: Theme, box: QRectF, text: str) -> None:
    """A label; a long one is drawn smaller, since a cut number would be another number."""
    font = theme.sized(theme.sizes.caption)
    width = QFontMetricsF(font).horizontalAdvance(text)
    if width > box.width():
        font = QFont(font)
        font.setPixelSize(max(7, int(font.pixelSize() * box.width() / width)))
    painter.setFont(font)
    painter.setPen(theme.color("faint"))
    painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)


def draw_threshold(
    painter: QPainter,
    theme: Theme,
    plot: QRectF,
    threshold: Threshold,
    y_px: float,
    ground: str = "surface",
) -> None:
    """A dashed line with its reason, if any, at the left: at the right measurements appear."""
    if isnan(y_px) or not plot.top() <= y_px <= plot.bottom():
        return
    ratio = screen_ratio(painter)
    y = on_pixel(y_px, ratio)
    if threshold.text:
        _draw_reason(painter, theme, plot, threshold, y, ground)
    pen = thin_pen(theme.color(threshold.color, 210), ratio)
    pen.setDashPattern([4, 3])
    painter.setPen(pen)
    painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y))


def _draw_reason(
    painter: QPainter, theme: Theme, plot: QRectF, threshold: Threshold, y: float, ground: str
) -> None:
    font = theme.sized(theme.sizes.caption, 500)
    metrics = QFontMetricsF(font)
    text = metrics.elidedText(threshold.text, Qt.TextElideMode.ElideRight, plot.width() - 12)
    box = QRectF(plot.left() + 6, y - metrics.height() - 2, 0, metrics.height())
    if box.top() < 0:
        box.moveTop(y + 2)
    box.setWidth(metrics.horizontalAdvance(text) + 1)
    painter.fillRect(box.adjusted(-2, 1, 2, -1), theme.color(ground))
    painter.setFont(font)
    painter.setPen(theme.color(threshold.color))
    painter.drawText(box, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)
