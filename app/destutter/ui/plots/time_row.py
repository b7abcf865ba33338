# SPDX-License-Identifier: GPL-3.0-or-later
"""The last row of the card: the choice of lanes, how far the view is behind, the time axis."""

from PySide6.QtCore import QSize, Signal, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QWidget

from destutter.ui.controls.elided import ElidedLabel
from destutter.ui.look.theme import Theme
from destutter.ui.look.tokens import CARD_RADIUS
from destutter.ui.plots.time_axis import AxisTick, TimeAxis
from destutter.ui.plots.time_ticks import Ticks


class TimeRow(QFrame):
    """ "0:42 behind" with a way back, and the axis. ``back_clicked`` is that way;
    ``lanes_clicked``: other lanes are wanted."""

    back_clicked = Signal()
    lanes_clicked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.axis = TimeAxis(theme, self)
        self.behind = ElidedLabel("", "smallStrong", self)
        self._lanes_text = self.tr("Lanes…")
        self.lanes = QPushButton(self)
        self.lanes.setProperty("role", "link")
        self.lanes.setAccessibleName(self.tr("Choose the lanes"))
        self.lanes.setToolTip(self.tr("Choose which graphs are shown, and their order"))
        self.lanes.setIconSize(QSize(theme.sizes.px(14), theme.sizes.px(14)))
        self.lanes.clicked.connect(self.lanes_clicked)
        self.back = QPushButton(self.tr("Back to now"), self)
        self.back.setProperty("role", "link")
        self.back.clicked.connect(self.back_clicked)
        self.setFixedHeight(theme.sizes.px(28))
        gutter = QWidget(self)
        gutter.setFixedWidth(theme.sizes.gutter + theme.sizes.axis // 2)
        inner = QHBoxLayout(gutter)
        inner.setContentsMargins(theme.sizes.px(10), 0, 0, 2)
        inner.setSpacing(4)
        inner.addWidget(self.lanes)
        inner.addWidget(self.behind, 1)
        inner.addWidget(self.back)
        layout = QHBoxLayout(self)
        # The axis paints its own ground: it must not cover the round corner of the card.
        layout.setContentsMargins(0, 0, CARD_RADIUS, 1)
        layout.setSpacing(0)
        layout.addWidget(gutter)
        layout.addWidget(self.axis, 1)
        self._offset = theme.sizes.axis // 2
        theme.changed.connect(self._draw_icon)
        self._draw_icon()
        self.show_behind(None)

    @property
    def stops(self) -> tuple[QWidget, ...]:
        """What can take the focus, in the order of reading."""
        return self.lanes, self.back

    @Slot()
    def _draw_icon(self) -> None:
        size = self._theme.sizes.px(14)
        icon = self._theme.icons.icon("sliders", self._theme.tokens.accent, size)
        self.lanes.setIcon(icon)

    def show_behind(self, behind: str | None) -> None:
        """Say how far behind the view is; empty: not worth a word; None: it follows."""
        # What is behind has the room of the word; the sign stays.
        text = self._lanes_text if behind is None else ""
        if text != self.lanes.text():
            self.lanes.setText(text)
        if behind is None:
            self.behind.hide()
            self.back.hide()
            return
        said = self.tr("{time} behind").format(time=behind) if behind else self.tr("Paused")
        self.behind.set_full_text(said)
        self.behind.show()
        self.back.show()

    def show_ticks(self, ticks: Ticks, flag: tuple[float, str] | None, left_px: float) -> None:
        """Show labels and the flag; ``left_px`` is where the data of the lanes begin."""
        offset = left_px - self._offset
        marks = [AxisTick(x + offset, text) for x, text in ticks]
        self.axis.show_ticks(marks, None if flag is None else AxisTick(flag[0] + offset, flag[1]))
