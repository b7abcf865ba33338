# SPDX-License-Identifier: GPL-3.0-or-later
"""The filled button: one at a time, so that nobody has to choose between two suggestions."""

from PySide6.QtWidgets import QPushButton


def mark_suggested(button: QPushButton, *, is_suggested: bool) -> None:
    """Fill a button, or let it be one among others."""
    role = "suggested" if is_suggested else ""
    if button.property("role") != role:
        button.setProperty("role", role)
        button.style().unpolish(button)
        button.style().polish(button)
