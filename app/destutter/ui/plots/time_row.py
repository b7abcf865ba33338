# SPDX-License-Identifier: GPL-3.0-or-later
"""The last row of the card: how far the view is behind the present, and the time axis."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QWidget

from destutter.ui.controls.elided import ElidedLabel
from destutter.ui.look.theme import Theme
from destutter.ui.look.tokens import CARD_RADIUS
from destutter.ui.plots.time_axis import AxisTick, TimeAxis
from destutter.ui.plots.time_ticks import Ticks


class TimeRow(QFrame):
    """ "0:42 behind" with a way back, and the axis. ``back_clicked`` is that way."""

    back_clicked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.axis = TimeAxis(theme, self)
        self.behind = ElidedLabel("", "smallStrong", self)
        self.back = QPushButton(self.tr("Back to now"), self)
        self.back.setProperty("role", "link")
        self.back.clicked.connect(self.back_clicked)
        self.setFixedHeight(theme.sizes.px(28))
        gutter = QWidget(self)
        gutter.setFixedWidth(theme.sizes.gutter + theme.sizes.axis // 2)
        inner = QHBoxLayout(gutter)
        inner.setContentsMargins(theme.sizes.px(14), 0, 0, 2)
        inner.setSpacing(6)
        inner.addWidget(self.behind, 1)
        inner.addWidget(self.back)
        layout = QHBoxLayout(self)
        # The axis paints its own ground: it must not cover the round corner of the card.
        layout.setContentsMargins(0, 0, CARD_RADIUS, 1)
        layout.setSpacing(0)
        layout.addWidget(gutter)
        layout.addWidget(self.axis, 1)
        self._offset = theme.sizes.axis // 2
        self.show_behind(None)

    def show_behind(self, behind: str | None) -> None:
        """Say how far behind the view is; empty: not worth a word; None: it follows."""
        if behind is None:
            self.behind.hide()
            self.back.hide()
            return
        text = self.tr("{time} behind").format(time=behind) if behind else self.tr("Paused")
        self.behind.set_full_text(text)
        self.behind.show()
        self.back.show()

    def show_ticks(self, ticks: Ticks, flag: tuple[float, str] | None, left_px: float) -> None:
        """Show labels and the flag; ``left_px`` is where the data of the lanes begin."""
        offset = left_px - self._offset
        marks = [AxisTick(x + offset, text) for x, text in ticks]
        self.axis.show_ticks(marks, None if flag is None else AxisTick(flag[0] + offset, flag[1]))
