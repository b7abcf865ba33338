# SPDX-License-Identifier: GPL-3.0-or-later
"""The keys that work on every page."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from destutter.ui.controls.own_keys import named_shortcut
from destutter.ui.controls.shortcuts import MARK, NTH_PAGE, QUIT, RECORD

if TYPE_CHECKING:
    from destutter.ui.shell.main_window import MainWindow

translate = QCoreApplication.translate


def name_keys(window: MainWindow) -> None:
    """Let them work; the live page, which two of them ask, is made when it is needed."""
    record = translate("Keys", "Record, or stop")
    mark = translate("Keys", "Mark this moment in the recording")
    named_shortcut(window, RECORD, record, lambda: window.live.toggle_recording())  # noqa: PLW0108
    named_shortcut(window, MARK, mark, lambda: window.live.mark())  # noqa: PLW0108
    page = translate("Keys", "Go to the page with this number")
    for number in range(1, 10):
        keys = NTH_PAGE.format(number=number)
        named_shortcut(window, keys, page, partial(window.show_nth, number))
    quit_ = translate("Keys", "Quit Destutter")
    named_shortcut(window, QUIT, quit_, window.quit_requested.emit)
