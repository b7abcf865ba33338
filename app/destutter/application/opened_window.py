# SPDX-License-Identifier: GPL-3.0-or-later
"""What is there when the frame of the window is: whoever opens it and whoever fills it agree."""

from dataclasses import dataclass

from PySide6.QtWidgets import QApplication

from destutter.ui.look.desktop_scheme import DesktopScheme
from destutter.ui.look.theme import Theme
from destutter.ui.shell.main_window import MainWindow


@dataclass(frozen=True, slots=True)
class OpenedWindow:
    """The frame, with nothing in it, and what belongs to it."""

    qt: QApplication
    desktop: DesktopScheme
    theme: Theme
    window: MainWindow
