# SPDX-License-Identifier: GPL-3.0-or-later
"""The place of a page: it scrolls in a small window, and comes to where the keys lead."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from destutter.ui.pages.page import Page

_AIR_PX = 8


class PageScroll(QScrollArea):
    """Scrolls ``page`` where the window is too small for it."""

    def __init__(self, page: Page, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.page = page
        self.setObjectName("page")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(page)


def bring_into_view(widget: QWidget) -> None:
    """Scroll everything around a widget so that it can be seen.

    Qt does so only within an area, not for who comes into it from elsewhere.
    """
    area: QWidget | None = widget.parentWidget()
    while area is not None:
        if isinstance(area, QScrollArea):
            area.ensureWidgetVisible(widget, 0, _AIR_PX)
        area = area.parentWidget()
