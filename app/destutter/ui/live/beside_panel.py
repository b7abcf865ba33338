# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the panel of the live page opens."""

from PySide6.QtWidgets import QBoxLayout, QWidget

from destutter.ui.controls.side_panel import SidePanel
from destutter.ui.look.theme import Theme
from destutter.ui.look.tokens import GAP, NO_LIMIT_PX
from destutter.ui.pages.width_class import WidthClass

_WIDTHS_PX = {WidthClass.WIDE: 340, WidthClass.COMPACT: 316}
_ABOVE_PX = 290  # less than a low window, so that its end can be seen


class BesidePanel(QBoxLayout):
    """The graphs with the panel beside them, or above them in a narrow window: who has asked for
    something would not see it below.
    """

    def __init__(self, theme: Theme, graphs: QWidget, panel: SidePanel) -> None:
        super().__init__(QBoxLayout.Direction.LeftToRight)
        self._theme = theme
        self._panel = panel
        self.setSpacing(GAP)
        self.addWidget(graphs, 1)
        self.addWidget(panel)

    def set_width_class(self, width_class: WidthClass) -> None:
        """Place the panel."""
        width = _WIDTHS_PX.get(width_class)
        is_above = width is None
        above, beside = QBoxLayout.Direction.BottomToTop, QBoxLayout.Direction.LeftToRight
        self.setDirection(above if is_above else beside)
        px = self._theme.sizes.px
        self._panel.setMinimumSize(px(width or 0), px(_ABOVE_PX) if is_above else 0)
        self._panel.setMaximumWidth(NO_LIMIT_PX if width is None else px(width))
