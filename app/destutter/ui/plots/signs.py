# SPDX-License-Identifier: GPL-3.0-or-later
"""What runs through all lanes: stutters, markers, cross-hair, chosen span, spans without data."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QGraphicsItem

from destutter.ui.look.theme import Theme
from destutter.ui.plots.crisp import on_pixel, screen_ratio, thin_pen

_FEW, _ALPHA, _ALPHA_OF_MANY = 12, 170, 75
"""Many stutters would hide the lines that explain them: theirs become fainter."""


@dataclass(frozen=True, slots=True)
class EventLine:
    """A stutter: its pixel, the colour of its cause, and whether it is chosen."""

    x_px: float
    color: str
    is_selected: bool = False


@dataclass(frozen=True, slots=True)
class Blank:
    """A span without measurements, in pixels, and why."""

    from_px: float
    to_px: float
    text: str


@dataclass(frozen=True, slots=True)
class Signs:
    """All of it for one view. ``band_px`` is the span of the chosen stutter, ``markers`` are the
    pixels of the moments that somebody marked."""

    events: tuple[EventLine, ...] = ()
    blanks: tuple[Blank, ...] = ()
    markers: tuple[int, ...] = ()
    cross_px: float | None = None
    band_px: tuple[float, float] | None = None


class SignsItem(QGraphicsItem):
    """Draws the part of the signs that lies below the lines, or the part above them."""

    def __init__(self, theme: Theme, *, is_over: bool) -> None:
        super().__init__()
        self._theme = theme
        self._is_over = is_over
        self._area = QRectF()
        self._signs = Signs()
        self._dots: list[QPointF] = []
        self.setVisible(False)

    def set_area(self, area: QRectF) -> None:
        """Draw inside this rectangle of the scene."""
        self.prepareGeometryChange()
        self._area = QRectF(area)

    def show_signs(self, signs: Signs) -> None:
        """Draw these. Only what changed is drawn anew: the cross-hair moves often."""
        old, self._signs = self._signs, signs
        if old == signs:
            return
        self._show_or_hide()
        if self._is_over:
            is_whole = (old.events, old.band_px) != (signs.events, signs.band_px)
            lines = [x for x in (old.cross_px, signs.cross_px) if x is not None]
        else:
            is_whole = (old.blanks, old.band_px) != (signs.blanks, signs.band_px)
            lines = [*{*old.markers} ^ {*signs.markers}]
        if is_whole:
            self.update()
        else:
            self._update_at(lines)

    def _update_at(self, lines_px: Iterable[float]) -> None:
        for x in lines_px:
            self.update(QRectF(x - 1.5, self._area.top(), 3, self._area.height()))

    def show_dots(self, dots: list[QPointF]) -> None:
        """Mark these points: the longest frame of each stutter."""
        if dots != self._dots:
            self._dots = dots
            self._show_or_hide()
            self.update()

    def _show_or_hide(self) -> None:
        """An item without anything to draw costs nothing only when it is hidden."""
        signs = self._signs
        if self._is_over:
            is_needed = bool(signs.events or self._dots or signs.cross_px is not None)
        else:
            is_needed = bool(signs.blanks or signs.band_px or signs.markers)
        if is_needed != self.isVisible():
            self.setVisible(is_needed)

    def boundingRect(self) -> QRectF:
        """The rectangle of the graph."""
        return self._area

    def paint(self, painter: QPainter, option: Any, widget: Any = None) -> None:
        """Draw the part that is this item's."""
        del option, widget
        painter.setClipRect(self._area)
        if self._is_over:
            self._draw_events(painter)
            self._draw_dots(painter)
            self._draw_cross(painter)
        else:
            self._draw_blanks(painter)
            self._draw_band(painter)
            self._draw_markers(painter)

    def _draw_events(self, painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        usual = _ALPHA if len(self._signs.events) <= _FEW else _ALPHA_OF_MANY
        ratio = screen_ratio(painter)
        looks: dict[tuple[bool, str], list[QLineF]] = {}
        for event in self._signs.events:
            x = on_pixel(event.x_px, ratio)
            line = QLineF(x, self._area.top(), x, self._area.bottom())
            looks.setdefault((event.is_selected, event.color), []).append(line)
        # The chosen one last, so that it lies above the others.
        for (is_selected, color), lines in sorted(looks.items(), key=lambda each: each[0]):
            pen = thin_pen(self._theme.color(color, usual), ratio)
            if is_selected:
                pen = QPen(self._theme.color(color, 230), 1.6)
            painter.setPen(pen)
            painter.drawLines(lines)

    def _draw_dots(self, painter: QPainter) -> None:
        if not self._dots:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("bad"))
        for dot in self._dots:
            painter.drawEllipse(dot, 3.0, 3.0)

    def _draw_cross(self, painter: QPainter) -> None:
        if self._signs.cross_px is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        painter.setPen(QPen(self._theme.color("text", 190), 1))
        x = round(self._signs.cross_px)
        painter.drawLine(QPointF(x, self._area.top()), QPointF(x, self._area.bottom()))

    def _draw_band(self, painter: QPainter) -> None:
        if self._signs.band_px is None:
            return
        low, high = self._signs.band_px
        box = QRectF(low, self._area.top(), max(2.0, high - low), self._area.height())
        painter.fillRect(box, self._theme.color("accent", 40))

    def _draw_markers(self, painter: QPainter) -> None:
        """Below the data, which they must not hide; dashed, as the colour of a drive is near."""
        if not self._signs.markers:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        painter.setPen(QPen(self._theme.color("accent"), 1, Qt.PenStyle.DashLine))
        top, bottom = round(self._area.top()), round(self._area.bottom())
        painter.drawLines([QLineF(x, top, x, bottom) for x in self._signs.markers])

    def _draw_blanks(self, painter: QPainter) -> None:
        metrics = QFontMetricsF(self._theme.sized(self._theme.sizes.caption))
        for blank in self._signs.blanks:
            width = max(2.0, blank.to_px - blank.from_px)
            box = QRectF(blank.from_px, self._area.top(), width, self._area.height())
            hatch = QBrush(self._theme.color("border_strong", 110), Qt.BrushStyle.BDiagPattern)
            painter.fillRect(box, hatch)
            self._draw_reason(painter, box.intersected(self._area), blank.text, metrics)

    def _draw_reason(
        self, painter: QPainter, box: QRectF, text: str, metrics: QFontMetricsF
    ) -> None:
        """Say why a span is empty, if its words fit into it."""
        flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
        label = metrics.boundingRect(box.adjusted(4, 0, -4, 0), int(flags), text)
        if not text or label.width() > box.width() - 8 or label.height() > box.height() - 4:
            return
        label.adjust(-4, -1, 4, 1)
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        painter.setFont(self._theme.sized(self._theme.sizes.caption))
        painter.fillRect(label, self._theme.color("surface"))
        painter.setPen(self._theme.color("muted"))
        painter.drawText(label, int(flags), text)
