# SPDX-License-Identifier: GPL-3.0-or-later
"""What runs through all lanes: stutters, markers, cross-hair, chosen span, spans without data."""

from dataclasses import dataclass

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QFontMetricsF, QPainter, QPen

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


class SignsPainter:
    """Draws ``signs``, those below the lines and those above them, inside ``area``.

    ``dots`` are the points to mark: the longest frame of each stutter.
    """

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self.area = QRectF()
        self.signs = Signs()
        self.dots: list[QPointF] = []

    def draw_under(self, painter: QPainter) -> None:
        """What the lines pass over."""
        self._draw_blanks(painter)
        self._draw_band(painter)
        self._draw_markers(painter)

    def draw_over(self, painter: QPainter) -> None:
        """What no line may hide."""
        self._draw_events(painter)
        self._draw_dots(painter)
        self._draw_cross(painter)

    def _draw_events(self, painter: QPainter) -> None:
        if not self.signs.events:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        usual = _ALPHA if len(self.signs.events) <= _FEW else _ALPHA_OF_MANY
        ratio = screen_ratio(painter)
        looks: dict[tuple[bool, str], list[QLineF]] = {}
        for event in self.signs.events:
            x = on_pixel(event.x_px, ratio)
            line = QLineF(x, self.area.top(), x, self.area.bottom())
            looks.setdefault((event.is_selected, event.color), []).append(line)
        # The chosen one last, so that it lies above the others.
        for (is_selected, color), lines in sorted(looks.items(), key=lambda each: each[0]):
            pen = thin_pen(self._theme.color(color, usual), ratio)
            if is_selected:
                pen = QPen(self._theme.color(color, 230), 1.6)
            painter.setPen(pen)
            painter.drawLines(lines)

    def _draw_dots(self, painter: QPainter) -> None:
        if not self.dots:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("bad"))
        for dot in self.dots:
            painter.drawEllipse(dot, 3.0, 3.0)

    def _draw_cross(self, painter: QPainter) -> None:
        if self.signs.cross_px is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        painter.setPen(QPen(self._theme.color("text", 190), 1))
        x = round(self.signs.cross_px)
        painter.drawLine(QPointF(x, self.area.top()), QPointF(x, self.area.bottom()))

    def _draw_band(self, painter: QPainter) -> None:
        if self.signs.band_px is None:
            return
        low, high = self.signs.band_px
        box = QRectF(low, self.area.top(), max(2.0, high - low), self.area.height())
        painter.fillRect(box, self._theme.color("accent", 40))

    def _draw_markers(self, painter: QPainter) -> None:
        """Below the data, which they must not hide; dashed, as the colour of a drive is near."""
        if not self.signs.markers:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        painter.setPen(QPen(self._theme.color("accent"), 1, Qt.PenStyle.DashLine))
        top, bottom = round(self.area.top()), round(self.area.bottom())
        painter.drawLines([QLineF(x, top, x, bottom) for x in self.signs.markers])

    def _draw_blanks(self, painter: QPainter) -> None:
        if not self.signs.blanks:
            return
        metrics = QFontMetricsF(self._theme.sized(self._theme.sizes.caption))
        for blank in self.signs.blanks:
            width = max(2.0, blank.to_px - blank.from_px)
            box = QRectF(blank.from_px, self.area.top(), width, self.area.height())
            hatch = QBrush(self._theme.color("border_strong", 110), Qt.BrushStyle.BDiagPattern)
            painter.fillRect(box, hatch)
            self._draw_reason(painter, box.intersected(self.area), blank.text, metrics)

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
