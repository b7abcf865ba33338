# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the keys go when what had them goes away: Qt would choose any control of the window."""

from destutter.ui.pages.page import Page
from destutter.ui.shell.main_window import MainWindow


def focus_page(window: MainWindow) -> None:
    """Give them to the page that is shown; none of its controls looks chosen."""
    page = window.page_of(window.page)
    if isinstance(page, Page):
        page.take_focus()
