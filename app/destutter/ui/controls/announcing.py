# SPDX-License-Identifier: GPL-3.0-or-later
"""Speaking to those who hear the window instead of seeing it."""

from PySide6.QtWidgets import QWidget


def announce(widget: QWidget, text: str) -> None:
    """Say something through the screen reader, without moving the focus."""
    from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent

    QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, text))
