# SPDX-License-Identifier: GPL-3.0-or-later
"""Bringing the window to the front, with the permission that the desktop gave."""

import os

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


def bring_to_front(window: QWidget, token: str = "") -> None:
    """Show a window and ask for the focus.

    ``token`` is that of xdg-activation: Qt takes it from the environment when it activates.
    """
    window.show()
    window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
    if token:
        os.environ["XDG_ACTIVATION_TOKEN"] = token
    window.raise_()
    window.activateWindow()
