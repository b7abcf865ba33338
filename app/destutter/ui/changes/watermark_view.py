# SPDX-License-Identifier: GPL-3.0-or-later
"""The memory reserve and the distance of its marks, drawn zone by zone as they would be.

The numbers are the kernel's own arithmetic (``destutter.tuning.watermarks``): what is drawn for
a value is what /proc/zoneinfo prints after it was set.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSignalBlocker, QSize, Qt, Signal, Slot
from PySide6.QtGui import QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import (
    QGridLayout,
    QLabel,
    QSizePolicy,
    QSlider,
    QVBoxLayout,
    QWidget,
)

from destutter.tuning.advice_memory import USUAL_PEAK_MIB_PER_S
from destutter.tuning.machine_profile import MachineProfile
from destutter.tuning.watermarks import (
    MarksTotal,
    ZoneMarks,
    available_loss_bytes,
    total_marks,
    zone_marks,
)
from destutter.ui.controls.leading import lead
from destutter.ui.look.theme import Theme
from destutter.ui.words.quantities import Quantities
from destutter.ui.words.setting_words import SettingWords
from destutter_helper.api.safe_values import safe_range
from destutter_helper.api.tunables import BY_ID

RESERVE, DISTANCE = "vm.min_free_kbytes", "vm.watermark_scale_factor"
MARK_IDS = frozenset({RESERVE, DISTANCE})
MARK_TOKENS = ("bad", "cpu", "memory")
"""The colours up to min, from min to low, and from low to high."""

_STEPS = 400  # of a slider: over a range of 1 to 300 each is 1.4 %
_MIB = 2.0**20


@dataclass(frozen=True, slots=True)
class MarkValues:
    """Both settings: KiB kept free, and the distance in ten-thousandths of a zone."""

    reserve_kib: int
    scale_factor: int


class ZoneBars(QWidget):
    """One bar per zone: up to min, min to low (the lead of the background), low to high.

    Each bar has its own scale, a power of two that holds all of its marks, written at its end;
    a thin line shows where the marks are now.
    """

    def __init__(
        self, theme: Theme, quantities: Quantities, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._quantities = quantities
        self._now: Mapping[str, ZoneMarks] = {}
        self._new: Mapping[str, ZoneMarks] = {}
        self._page_bytes = 4096
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def show_marks(
        self, now: Mapping[str, ZoneMarks], new: Mapping[str, ZoneMarks], page_bytes: int
    ) -> None:
        """Draw these; both have the same zones."""
        self._now, self._new, self._page_bytes = now, new, page_bytes
        self.setAccessibleName(self.tr("Marks of each memory zone"))
        self.setAccessibleDescription("; ".join(self._words(zone) for zone in new))
        self.updateGeometry()
        self.update()

    def _words(self, zone: str) -> str:
        marks = self._new[zone]
        return self.tr("{zone}: min {min}, low {low}, high {high}").format(
            zone=zone,
            min=self._size(marks.min),
            low=self._size(marks.low),
            high=self._size(marks.high),
        )

    def _size(self, pages: int) -> str:
        return self._quantities.size(pages * self._page_bytes)

    def _full_scale(self, pages: int) -> str:
        return self._quantities.round_size(pages * self._page_bytes)

    def sizeHint(self) -> QSize:
        """A line of words and a bar for each zone."""
        return QSize(self._theme.sizes.px(240), self._row * max(len(self._new), 1))

    @property
    def _row(self) -> int:
        return self._theme.sizes.px(54)

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for index, zone in enumerate(self._new):
            self._paint_zone(painter, index * self._row, zone)

    def _paint_zone(self, painter: QPainter, top: int, zone: str) -> None:
        sizes, theme = self._theme.sizes, self._theme
        now, new = self._now[zone], self._new[zone]
        scale = _scale(max(now.high, new.high))
        room = QRectF(0, top, self.width(), sizes.px(16))
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # amounts grow to the right
        painter.setFont(theme.sized(sizes.caption, 600))
        painter.setPen(theme.color("text"))
        painter.drawText(room, Qt.AlignmentFlag.AlignLeft, zone)
        painter.setFont(theme.sized(sizes.caption))
        painter.setPen(theme.color("faint"))
        painter.drawText(room, Qt.AlignmentFlag.AlignRight, self._full_scale(scale))
        bar = QRectF(0, top + sizes.px(18), self.width(), sizes.px(12))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("sunken"))
        painter.drawRoundedRect(bar, 3, 3)
        left = 0.0
        for end, token in zip((new.min, new.low, new.high), MARK_TOKENS, strict=True):
            right = bar.width() * end / scale
            painter.setBrush(theme.color(token))
            painter.drawRect(QRectF(left, bar.top(), max(right - left, 0.0), bar.height()))
            left = right
        painter.setPen(theme.color("text"))
        for mark in (now.min, now.low, now.high):
            at = bar.width() * mark / scale
            painter.drawLine(round(at), round(bar.top()) - 2, round(at), round(bar.bottom()) + 2)
        words = QRectF(0, bar.bottom() + 2, self.width(), sizes.px(16))
        painter.setPen(theme.color("muted"))
        text = self.tr("min {min} · low {low} · high {high}").format(
            min=self._size(new.min), low=self._size(new.low), high=self._size(new.high)
        )
        painter.setLayoutDirection(self.layoutDirection())
        shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, self.width())
        painter.drawText(words, Qt.AlignmentFlag.AlignLeft, shown)


class MarkLegend(QWidget):
    """What the parts of a bar mean, each with its colour."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.squares: list[QLabel] = []
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(theme.sizes.px(7))
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(1, 1)
        texts = (
            self.tr("below min, programs free memory themselves and wait"),
            self.tr("the lead: the background frees memory, nobody waits"),
            self.tr("the background works until this much is free"),
            self.tr("the marks of now"),
        )
        for row, words in enumerate(texts):
            square, label = QLabel(self), QLabel(words, self)
            label.setProperty("role", "caption")
            label.setWordWrap(True)
            grid.addWidget(square, row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(label, row, 1)
            self.squares.append(square)
        theme.changed.connect(self._draw)
        self._draw()

    @Slot()
    def _draw(self) -> None:
        size = self._theme.sizes.px(10)
        parts = [(color, size) for color in MARK_TOKENS]
        for square, (color, width) in zip(self.squares, [*parts, ("text", 2)], strict=True):
            pixmap = QPixmap(width, size)
            pixmap.fill(self._theme.color(color))
            square.setPixmap(pixmap)
            square.setFixedWidth(size)
            square.setContentsMargins(0, 2, 0, 0)


class WatermarkView(QWidget):
    """Two sliders, the bars, and what it means. ``moved(str, str)``: setting and its new value."""

    moved = Signal(str, str)

    def __init__(
        self,
        theme: Theme,
        settings: SettingWords,
        quantities: Quantities,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._settings = settings
        self._quantities = quantities
        self._profile = MachineProfile()
        self._now = MarkValues(0, 1)
        self._new = MarkValues(0, 1)
        self._peak_mib_per_s: float | None = None
        self.bars = ZoneBars(theme, quantities, self)
        self.legend = MarkLegend(theme, self)
        self.lead = QLabel(self)
        self.lead.setWordWrap(True)
        self.cost = QLabel(self)
        self.cost.setWordWrap(True)
        self.cost.setProperty("role", "muted")
        self._labels = {RESERVE: lead(QLabel(self)), DISTANCE: lead(QLabel(self))}
        self.sliders = {RESERVE: self._slider(RESERVE), DISTANCE: self._slider(DISTANCE)}
        grid = QGridLayout()
        grid.setHorizontalSpacing(theme.sizes.px(10))
        for row, id_ in enumerate((RESERVE, DISTANCE)):
            self._labels[id_].setProperty("role", "small")
            self._labels[id_].setWordWrap(True)
            grid.addWidget(self._labels[id_], row * 2, 0)
            grid.addWidget(self.sliders[id_], row * 2 + 1, 0)
        for id_, slider in self.sliders.items():
            slider.setAccessibleName(settings.name(id_))
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(theme.sizes.px(8))
        box.addLayout(grid)
        box.addWidget(self.bars)
        box.addWidget(self.legend)
        box.addWidget(self.lead)
        box.addWidget(self.cost)

    def _slider(self, id_: str) -> QSlider:
        slider = QSlider(Qt.Orientation.Horizontal, self)
        slider.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # as the bars below it
        slider.setRange(0, _STEPS)
        slider.setPageStep(_STEPS // 10)
        slider.setMinimumHeight(self._theme.sizes.px(24))
        slider.setProperty("setting", id_)
        slider.valueChanged.connect(self._slide)
        return slider

    def show_values(
        self,
        profile: MachineProfile,
        now: MarkValues,
        new: MarkValues,
        peak_mib_per_s: float | None = None,
    ) -> None:
        """Show the marks of now and those of new values; ``peak`` is the measured demand."""
        self._profile, self._now, self._new = profile, now, new
        self._peak_mib_per_s = peak_mib_per_s
        for id_, value in ((RESERVE, new.reserve_kib), (DISTANCE, new.scale_factor)):
            slider = self.sliders[id_]
            with QSignalBlocker(slider):
                slider.setValue(_step(value, *self._limits(id_)))
        self._show()

    def _limits(self, id_: str) -> tuple[int, int]:
        memory_kib = self._profile.memory_kib or 0
        low, high = safe_range(BY_ID[id_], memory_kib) or (1, 1)
        return max(low, 1), max(high, 2)

    @Slot(int)
    def _slide(self, step: int) -> None:
        id_ = str(self.sender().property("setting"))
        value = _value(step, *self._limits(id_))
        new = self._new
        self._new = MarkValues(
            value if id_ == RESERVE else new.reserve_kib,
            value if id_ == DISTANCE else new.scale_factor,
        )
        self._show()
        self.moved.emit(id_, str(value))

    def _marks(self, values: MarkValues) -> dict[str, ZoneMarks]:
        profile = self._profile
        return zone_marks(
            profile.managed, values.reserve_kib, values.scale_factor, profile.page_kib
        )

    def _show(self) -> None:
        page_kib = self._profile.page_kib
        now, new = self._marks(self._now), self._marks(self._new)
        zones = [zone for zone in new if self._profile.managed[zone]]
        self.bars.show_marks(
            {zone: now[zone] for zone in zones},
            {zone: new[zone] for zone in zones},
            page_kib * 1024,
        )
        before, after = total_marks(now, page_kib), total_marks(new, page_kib)
        name, value = self._settings.name, self._settings.value
        self._labels[RESERVE].setText(
            self.tr("{setting}: {value}").format(
                setting=name(RESERVE), value=value(RESERVE, str(self._new.reserve_kib))
            )
        )
        share = self._quantities.percent(self._new.scale_factor / 100, 2)
        self._labels[DISTANCE].setText(
            self.tr("{setting}: {share} of each zone").format(setting=name(DISTANCE), share=share)
        )
        self._show_meaning(before, after)

    def _show_meaning(self, before: MarksTotal, after: MarksTotal) -> None:
        rate = self._peak_mib_per_s or USUAL_PEAK_MIB_PER_S
        seconds = after.lead_bytes / _MIB / rate
        values = {
            "lead": self._quantities.size(after.lead_bytes),
            "time": self._quantities.milliseconds(seconds * 1000),
            "rate": self._quantities.round_size(rate * _MIB),
        }
        measured = self.tr(
            "Lead: {lead}. It lasts {time} at the highest demand measured here, {rate}/s."
        )
        example = self.tr("Lead: {lead}. At a demand of {rate}/s, for example, it lasts {time}.")
        self.lead.setText((measured if self._peak_mib_per_s else example).format(**values))
        cache_bytes = self._profile.cache_kib * 1024
        loss = available_loss_bytes(before, after, cache_bytes)
        if loss > 0:
            text = self.tr("Cost: {size} less memory for programs and files.")
        elif loss < 0:
            text = self.tr("Gain: {size} more memory for programs and files.")
        else:
            text = self.tr("Costs nothing more than now.")
        self.cost.setText(text.format(size=self._quantities.size(abs(loss))))


def _scale(pages: int) -> int:
    """The next power of two that holds the marks with some room."""
    return 1 << max(math.ceil(math.log2(max(pages, 1) * 1.1)), 3)


def _value(step: int, low: int, high: int) -> int:
    """The value of a slider's step: each step multiplies by the same factor."""
    return round(low * math.pow(high / low, step / _STEPS))


def _step(value: int, low: int, high: int) -> int:
    inside = min(max(value, low), high)
    return round(_STEPS * math.log(inside / low) / math.log(high / low))
