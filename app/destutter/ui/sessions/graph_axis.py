# SPDX-License-Identifier: GPL-3.0-or-later
"""The axes of a session's graph with our marks, fonts and colours, and its phases."""

from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QGraphicsSceneWheelEvent

from destutter.diagnosis.runs.phases import PhaseSpan
from destutter.ui.look.theme import Theme
from destutter.ui.sessions.graph_ticks import Marks
from destutter.ui.sessions.phase_words import phase_name

RIGHT_PX = 14
"""Beside the graph, where the last word of the axis below may reach into."""
_LEFT_PX, _BOTTOM_PX = 64, 26
_BEHIND = -1000.0  # pyqtgraph draws the grid of an axis above the lines
_WORD_PX = 80  # of a mark's words beyond the axis
_TOP_PX, _NAMES_PX = 6, 24


class GraphAxis(pg.AxisItem):
    """An axis with a grid, at the side "left" or "bottom"."""

    def __init__(self, side: str, theme: Theme, marks: Marks) -> None:
        super().__init__(side)
        self._theme = theme
        self._marks = marks
        self.setZValue(_BEHIND)
        self.enableAutoSIPrefix(enable=False)
        self.setGrid(255)
        if side == "left":
            self.setWidth(theme.sizes.px(_LEFT_PX))
        else:
            self.setHeight(_BOTTOM_PX)
        self.dress()

    def dress(self) -> None:
        """Take the colours and the size of letters of the theme."""
        theme = self._theme
        grid = theme.color("grid")
        is_left = self.orientation == "left"
        self.setStyle(
            tickFont=theme.sized(theme.sizes.caption),
            tickAlpha=grid.alpha(),
            tickTextOffset=6 if is_left else 5,
        )
        self.setPen(QPen(Qt.PenStyle.NoPen) if is_left else QPen(theme.color("border_strong"), 1))
        self.setTickPen(QPen(grid, 1))
        self.setTextPen(QPen(theme.color("faint")))

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        least_px = self._theme.sizes.px(self._marks.least_px)
        return [(1.0, self._marks.places(min(low, high), max(low, high), size / least_px))]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        del scale, spacing
        return self._marks.words(values)

    def boundingRect(self) -> QRectF:
        """With the words that reach beyond the ends: pyqtgraph leaves them out otherwise."""
        rect: QRectF = super().boundingRect()
        return rect.adjusted(-_WORD_PX, -_BOTTOM_PX, _WORD_PX, _BOTTOM_PX)

    def generateDrawSpecs(self, p: QPainter) -> Any:
        """As pyqtgraph has it, but no word is cut by the edge of the window, and the grid has a
        line where the data end."""
        specs = super().generateDrawSpecs(p)
        if specs is None or self.orientation == "left":
            return specs
        line, ticks, words = specs
        right = self.size().width()
        for rect, _flags, _word in words:
            rect.moveRight(min(rect.right(), right + RIGHT_PX - 2))
        view = self.linkedView()
        top = view.mapRectToItem(self, view.rect()).top()
        edge = (self.tickPen(), QPointF(right - 1, top), QPointF(right - 1, 0))
        return line, [*ticks, edge], words

    def paint(self, painter: QPainter, *_how: object) -> None:
        """Without pyqtgraph's QPicture, which takes words apart where their direction changes."""
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        specs = self.generateDrawSpecs(painter)
        if specs is not None:
            self.drawPicture(painter, *specs)

    def wheelEvent(self, event: QGraphicsSceneWheelEvent) -> None:
        """Beside the graph the wheel moves the page."""
        event.ignore()


class PhaseBands(pg.GraphicsWidget):
    """Shades every other phase behind a view, and names them above it."""

    def __init__(self, theme: Theme, view: pg.ViewBox) -> None:
        super().__init__()
        self._theme = theme
        self._view = view
        self._phases: tuple[PhaseSpan, ...] = ()
        self.setZValue(_BEHIND - 1)
        view.sigXRangeChanged.connect(self._moved)
        view.sigResized.connect(self._moved)
        self.show_phases((), is_high=False)

    def show_phases(self, phases: tuple[PhaseSpan, ...], *, is_high: bool) -> None:
        """Shade these. ``is_high``: with room for names, as the plot beside it has."""
        self._phases = phases
        height = self._theme.sizes.px(_NAMES_PX if is_high else _TOP_PX)
        self.setMinimumHeight(height)
        self.setMaximumHeight(height)
        self.update()

    def _moved(self, *_changed: object) -> None:
        self.prepareGeometryChange()
        self.update()

    def boundingRect(self) -> QRectF:
        behind: QRectF = self.mapRectFromItem(self._view, self._view.rect())
        return behind.united(self.rect())

    def paint(self, painter: QPainter, *_how: object) -> None:
        theme, whole = self._theme, self.boundingRect()
        low, high = self._view.viewRange()[0]
        scale = whole.width() / (high - low)
        font = theme.sized(theme.sizes.caption, 500)
        metrics = QFontMetricsF(font)
        painter.setFont(font)
        painter.setPen(theme.color("muted"))
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        for index, span in enumerate(self._phases):
            left = max(0.0, (span.start_s - low) * scale)
            right = min(whole.width(), (span.end_s - low) * scale)
            if right <= left:
                continue
            box = QRectF(left, 2, right - left, whole.bottom() - 2)
            if index % 2 == 0:
                painter.fillRect(box, theme.color("border", 90))
            room = box.adjusted(7, 3, -2, 0)
            if room.width() > metrics.averageCharWidth() * 4:
                name = phase_name(span.phase)
                text = metrics.elidedText(name, Qt.TextElideMode.ElideRight, room.width())
                painter.drawText(room, Qt.AlignmentFlag.AlignLeft, text)
