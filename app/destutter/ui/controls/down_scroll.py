# SPDX-License-Identifier: GPL-3.0-or-later
"""An area that scrolls down only, and is as wide as what it holds."""

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtWidgets import QScrollArea, QWidget


class DownScroll(QScrollArea):
    """In a window that is too narrow for its content the page is scrolled sideways as a whole:
    narrower than that this area would cut what nobody can scroll to."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def minimumSizeHint(self) -> QSize:
        content = self.widget()
        least = super().minimumSizeHint()
        if content is None:
            return least
        bar = self.verticalScrollBar().sizeHint().width()
        return least.expandedTo(QSize(content.minimumSizeHint().width() + bar, 0))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow what the content needs."""
        is_done = super().eventFilter(watched, event)
        if watched is self.widget() and event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return is_done
