# SPDX-License-Identifier: GPL-3.0-or-later
"""A button that opens a menu, with its arrow in either reading direction."""

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QPushButton, QWidget

from destutter.ui.look.theme import Theme


class MenuButton(QPushButton):
    """Draws the arrow where Qt leaves it out: from right to left."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    def paintEvent(self, event: QPaintEvent) -> None:
        """The button as the style draws it, then its arrow."""
        super().paintEvent(event)
        if self.layoutDirection() == Qt.LayoutDirection.RightToLeft:
            size = self._theme.sizes.px(14)
            corner = QPointF(self._theme.sizes.px(8), (self.height() - size) / 2)
            painter = QPainter(self)
            self._theme.icons.paint(painter, "expand", self._theme.tokens.muted, corner, size)
