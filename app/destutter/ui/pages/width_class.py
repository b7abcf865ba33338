# SPDX-License-Identifier: GPL-3.0-or-later
"""How much room a window has from side to side."""

from enum import Enum, auto

from PySide6.QtWidgets import QBoxLayout

from destutter.ui.look.tokens import COMPACT_BELOW_PX, NARROW_BELOW_PX, Sizes


class WidthClass(Enum):
    """``COMPACT``: icons instead of words at the side. ``NARROW``, as on 1280x800 at 200 %: what
    stands beside each other elsewhere stands below each other, and nothing scrolls sideways.
    """

    WIDE = auto()
    COMPACT = auto()
    NARROW = auto()

    @classmethod
    def of(cls, width: int, sizes: Sizes) -> "WidthClass":
        """That of a window of this width, in pixels of the screen's scale."""
        if width < sizes.px(NARROW_BELOW_PX):
            return cls.NARROW
        return cls.COMPACT if width < sizes.px(COMPACT_BELOW_PX) else cls.WIDE


def stack_when_narrow(box: QBoxLayout, width_class: WidthClass) -> None:
    """Place what is in this layout below each other in a narrow window, else beside."""
    below, beside = QBoxLayout.Direction.TopToBottom, QBoxLayout.Direction.LeftToRight
    box.setDirection(below if width_class is WidthClass.NARROW else beside)
