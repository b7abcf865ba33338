# SPDX-License-Identifier: GPL-3.0-or-later
"""A place for one banner above every page; without something to say it takes no room."""

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QVBoxLayout, QWidget

from destutter.ui.banner import Banner
from destutter.ui.theme import Theme
from destutter.ui.tokens import PAGE_MARGIN


def banner_above(column: QVBoxLayout, theme: Theme) -> Banner:
    """A banner at the top of the column of pages, hidden until it is shown."""
    place = _Place(theme, column.parentWidget())
    column.insertWidget(0, place)
    return place.banner


class _Place(QWidget):
    """The margins around a banner, which come and go with it."""

    def __init__(self, theme: Theme, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.banner = Banner(theme, self)
        side, top = PAGE_MARGIN
        layout = QVBoxLayout(self)
        layout.setContentsMargins(side, top, side, 0)
        layout.addWidget(self.banner)
        self.hide()
        self.banner.hide()
        self.banner.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the banner."""
        if event.type() == QEvent.Type.ShowToParent:
            self.show()
        elif event.type() == QEvent.Type.HideToParent:
            self.hide()
        return super().eventFilter(watched, event)
