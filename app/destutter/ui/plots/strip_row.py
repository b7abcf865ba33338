# SPDX-License-Identifier: GPL-3.0-or-later
"""The first row of the card: how many stutters there were, and the strip with their labels."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QWidget

from destutter.diagnosis.finding import Spike
from destutter.diagnosis.stutters.hitches import FELT_AS_ONE_NS
from destutter.diagnosis.stutters.spikes import MEDIAN_FACTOR, MOST_AS_ONE_NS, STUTTER_MS
from destutter.ui.controls.elided import ElidedLabel
from destutter.ui.look.theme import Theme
from destutter.ui.look.tokens import CARD_RADIUS
from destutter.ui.plots.event_strip import EventStrip
from destutter.ui.words.quantities import Quantities


class StripRow(QFrame):
    """Gutter and strip. ``list_clicked``: the stutters are wanted as a list."""

    list_clicked = Signal()

    def __init__(
        self, theme: Theme, quantities: Quantities, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._quantities = quantities
        self.strip = EventStrip(theme, quantities, self)
        self._title = QLabel(self.tr("Stutters"), self)
        self._title.setProperty("role", "smallStrong")
        self.count = ElidedLabel("", "small", self)
        self.count.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.list_button = QPushButton(self)
        self.list_button.setProperty("role", "flat")
        self.list_button.setAccessibleName(self.tr("Show the stutters as a list"))
        self.list_button.setToolTip(self.tr("Show the stutters as a list"))
        self.list_button.setFixedWidth(theme.sizes.px(28))
        self.list_button.setIconSize(QSize(theme.sizes.px(16), theme.sizes.px(16)))
        self.list_button.clicked.connect(self.list_clicked)
        self.setFixedHeight(theme.sizes.px(36))
        gutter = QWidget(self)
        gutter.setFixedWidth(theme.sizes.gutter)
        gutter.setToolTip(self._rule())
        inner = QHBoxLayout(gutter)
        inner.setContentsMargins(theme.sizes.px(14), 0, 4, 0)
        inner.addWidget(self._title)
        inner.addWidget(self.count, 1)
        inner.addWidget(self.list_button, 0, Qt.AlignmentFlag.AlignVCenter)
        layout = QHBoxLayout(self)
        # The strip paints its own ground: it must not cover the round corner of the card.
        layout.setContentsMargins(0, 1, CARD_RADIUS, 0)
        layout.setSpacing(0)
        layout.addWidget(gutter)
        layout.addWidget(self.strip, 1)
        self.apply_theme()

    def _rule(self) -> str:
        """What is counted."""
        write = self._quantities
        return self.tr(
            "Frames of more than {limit} and {times} times the usual one; those less than {apart} "
            "apart are one stutter, for {most} at most. Without frame times: how long the game "
            "stood still, or how late the processor woke a program."
        ).format(
            limit=write.round_milliseconds(STUTTER_MS),
            times=write.number(MEDIAN_FACTOR, 1),
            apart=write.round_milliseconds(FELT_AS_ONE_NS / 1e6),
            most=write.round_milliseconds(MOST_AS_ONE_NS / 1e6),
        )

    def apply_theme(self) -> None:
        icon = self._theme.icons.icon("list", self._theme.tokens.muted, self._theme.sizes.px(16))
        self.list_button.setIcon(icon)
        self.strip.apply_theme()

    def show_spikes(
        self,
        spikes: Sequence[Spike],
        positions_px: Sequence[float],
        selected: Spike | None,
    ) -> None:
        self.strip.show_spikes(spikes, positions_px, selected)

    def show_count(self, stutters: int, span_s: float) -> None:
        """How many there were in the span that is in view."""
        span = self._quantities.span(span_s)
        number = self._quantities.number(stutters)
        text = self.tr("{count} in {span}") if stutters else self.tr("none in {span}")
        self.count.set_full_text(text.format(count=number, span=span))
