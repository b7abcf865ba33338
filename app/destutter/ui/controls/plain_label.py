# SPDX-License-Identifier: GPL-3.0-or-later
"""A label for words that may come from elsewhere."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget


def plain_label(text: str, role: str, parent: QWidget, *, wraps: bool = False) -> QLabel:
    """Shown as it stands: by itself a QLabel looks into a text for markup, and a program may be
    called "<b>" or have a name that looks like a picture to be fetched.
    """
    label = QLabel(text, parent)
    label.setProperty("role", role)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(wraps)
    return label
