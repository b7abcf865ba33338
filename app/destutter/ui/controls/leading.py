# SPDX-License-Identifier: GPL-3.0-or-later
"""Labels that begin where the line begins, whatever is written in them."""

from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

Label = TypeVar("Label", bound=QLabel)


def lead(label: Label) -> Label:
    """Let a label begin at the leading edge of the window's language.

    Qt aligns a label by the direction of its text: a number or a key of the kernel would stand at
    the left of a column whose other cells stand at the right.
    """
    is_mirrored = label.layoutDirection() == Qt.LayoutDirection.RightToLeft
    edge = Qt.AlignmentFlag.AlignRight if is_mirrored else Qt.AlignmentFlag.AlignLeft
    vertical = label.alignment() & Qt.AlignmentFlag.AlignVertical_Mask
    label.setAlignment(edge | Qt.AlignmentFlag.AlignAbsolute | vertical)
    return label
