# SPDX-License-Identifier: GPL-3.0-or-later
"""The time axis below the lanes, with the flag that names the moment under the cross-hair."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from destutter.ui.look.theme import Theme


@dataclass(frozen=True, slots=True)
class AxisTick:
    """A label and its pixel."""

    x_px: float
    text: str


class TimeAxis(QWidget):
    """Labels of the shared time axis."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._ticks: tuple[AxisTick, ...] = ()
        self._flag: AxisTick | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)

    def sizeHint(self) -> QSize:
        """One line and a little room."""
        return QSize(200, self._theme.sizes.px(26))

    @property
    def ticks(self) -> tuple[AxisTick, ...]:
        """The labels that are shown."""
        return self._ticks

    @property
    def flag(self) -> AxisTick | None:
        """The moment that is named."""
        return self._flag

    def show_ticks(self, ticks: Sequence[AxisTick], flag: AxisTick | None) -> None:
        """Show these labels, and the flag if there is one."""
        if (tuple(ticks), flag) != (self._ticks, self._flag):
            self._ticks, self._flag = tuple(ticks), flag
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw labels and flag; a label below the flag is left out."""
        del event
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.color("surface"))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        font = self._theme.sized(self._theme.sizes.caption)
        strong = self._theme.sized(self._theme.sizes.caption, 600)
        metrics = QFontMetricsF(font)
        flag = QRectF()
        if self._flag is not None:
            flag = self._box(self._flag, QFontMetricsF(strong), 20)
        painter.setFont(font)
        painter.setPen(self._theme.color("faint"))
        for tick in self._ticks:
            box = self._box(tick, metrics, 4)
            if not box.adjusted(-6, 0, 6, 0).intersects(flag):
                painter.drawText(box, Qt.AlignmentFlag.AlignCenter, tick.text)
        if self._flag is not None:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color("flag"))
            painter.drawRoundedRect(flag, 4, 4)
            painter.setPen(self._theme.color("on_flag"))
            painter.setFont(strong)
            painter.drawText(flag, Qt.AlignmentFlag.AlignCenter, self._flag.text)

    def _box(self, tick: AxisTick, metrics: QFontMetricsF, margin: float) -> QRectF:
        width = metrics.horizontalAdvance(tick.text) + margin
        left = min(max(0.0, tick.x_px - width / 2), max(0.0, self.width() - width))
        height = metrics.height() + 4
        return QRectF(left, 2, width, height)
