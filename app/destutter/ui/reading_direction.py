# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of devices and settings in a window that is read from right to left."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

_RIGHT_TO_LEFT = "\N{RIGHT-TO-LEFT MARK}"


def leading(widget: QWidget, text: str) -> str:
    """The text so that it begins where reading begins, even when it is all Latin letters."""
    is_mirrored = widget.layoutDirection() == Qt.LayoutDirection.RightToLeft
    return _RIGHT_TO_LEFT + text if is_mirrored and text else text
