# SPDX-License-Identifier: GPL-3.0-or-later
"""How sure a finding is: three segments and the word. No percentage, which nobody measured."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from destutter.diagnosis.finding import Confidence
from destutter.ui.look.theme import Theme

_FILLED = {Confidence.LOW: 1, Confidence.MEDIUM: 2, Confidence.HIGH: 3}


class ConfidenceMeter(QWidget):
    """One, two or three of three segments."""

    def __init__(
        self, theme: Theme, confidence: Confidence, text: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._filled = 0
        self.show_confidence(confidence, text)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_confidence(self, confidence: Confidence, text: str) -> None:
        """Show this; ``text`` is what readers of the screen hear."""
        self._filled = _FILLED[confidence]
        self.setAccessibleName(text)
        self.update()

    def sizeHint(self) -> QSize:
        """Three short bars."""
        return QSize(self._theme.sizes.px(48), self._theme.sizes.px(8))

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        width = (self.width() - 6) / 3
        for index in range(3):
            tone = "accent" if index < self._filled else "border_strong"
            painter.setBrush(self._theme.color(tone, 255 if index < self._filled else 110))
            painter.drawRoundedRect(QRectF(index * (width + 3), 1, width, self.height() - 2), 2, 2)
