# SPDX-License-Identifier: GPL-3.0-or-later
"""Names, as of devices and recordings, in a window that is read from right to left."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

_RIGHT_TO_LEFT = "\N{RIGHT-TO-LEFT MARK}"
_FIRST_STRONG, _END = "\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"


def leading(widget: QWidget, text: str) -> str:
    """The text so that it begins where reading begins, even when it is all Latin letters."""
    is_mirrored = widget.layoutDirection() == Qt.LayoutDirection.RightToLeft
    return _RIGHT_TO_LEFT + text if is_mirrored and text else text


def isolated(text: str, direction: Qt.LayoutDirection) -> str:
    """A text that is drawn in a line of this direction, in its own: the ellipsis of a shortened
    name stands where the name goes on, not at the end of the line."""
    is_mirrored = direction == Qt.LayoutDirection.RightToLeft
    return f"{_FIRST_STRONG}{text}{_END}" if is_mirrored and text else text
