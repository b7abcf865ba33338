# SPDX-License-Identifier: GPL-3.0-or-later
"""A minute of one measurement as a small line without axes."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from destutter.ui.look.theme import Theme


class Sparkline(QWidget):
    """A line that fills its height; dashes at the bottom where nothing is measured."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._tone = "faint"
        self._runs: list[list[tuple[float, float]]] = []
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        # It changes every second; what lies below need not be drawn again for it.
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)

    def sizeHint(self) -> QSize:
        """As wide as there is room."""
        return QSize(80, self._theme.sizes.px(26))

    def show_values(self, points: Sequence[tuple[float, float | None]], token: str) -> None:
        """Show values over the last minute.

        ``points``: (share of the width, value), in order; a value None breaks the line.
        """
        runs: list[list[tuple[float, float]]] = []
        is_open = False
        for share, value in points:
            if value is None:
                is_open = False
                continue
            if not is_open:
                runs.append([])
                is_open = True
            runs[-1].append((share, value))
        if runs != self._runs or token != self._tone:
            self._runs, self._tone = runs, token
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the line, from zero or from the smallest value if that is far from zero."""
        del event
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.color("surface"))
        values = [value for run in self._runs for _, value in run]
        if not values:
            self._draw_nothing(painter)
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        high, low = max(values), min(0.0, *values)
        scale = (self.height() - 4) / (high - low) if high > low else 0.0
        painter.setPen(QPen(QColor(getattr(self._theme.tokens, self._tone)), 1))
        for run in self._runs:
            line = [
                QPointF(share * self.width(), self.height() - 2 - (value - low) * scale)
                for share, value in run
            ]
            painter.drawPolyline(line)

    def _draw_nothing(self, painter: QPainter) -> None:
        pen = QPen(self._theme.color("border_strong"), 1)
        pen.setDashPattern([3, 3])
        painter.setPen(pen)
        y = self.height() - 2
        painter.drawLine(0, y, self.width(), y)
