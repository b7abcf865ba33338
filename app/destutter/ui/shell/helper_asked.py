# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel about the helper, which is on the page Live, and the way back from there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from destutter.ui.pages.pages import LIVE

if TYPE_CHECKING:
    from destutter.bridge.helper_client import HelperStatus
    from destutter.ui.shell.main_window import MainWindow


class HelperAsked(QObject):
    """Who read about the helper beside a cause stood on another page afterwards: closing the
    panel leads back to where it was asked for, unless another page was chosen meanwhile."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._from = ""
        self._is_connected = False
        window.sidebar.page_chosen.connect(self._forget)

    def explain(self, status: HelperStatus | None) -> None:
        """Show what the helper is for and how to get it."""
        window, came_from = self._window, self._window.page
        window.show_page(LIVE)
        window.live.panels.show_helper_advice(status)
        self._from = "" if came_from == LIVE else came_from
        if not self._is_connected:
            self._is_connected = True
            window.live.panel.closed.connect(self._go_back)

    @Slot()
    def _go_back(self) -> None:
        page, self._from = self._from, ""
        if page and self._window.page == LIVE:
            self._window.show_page(page)

    @Slot()
    def _forget(self) -> None:
        self._from = ""
