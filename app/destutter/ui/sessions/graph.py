# SPDX-License-Identifier: GPL-3.0-or-later
"""The graph of one session, or of two: over time with shaded phases, beside each other, or as
a distribution.

It stands still, so Qt paints it as it is; the same painting makes pictures and SVG files.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from PySide6.QtCore import QEvent, QLineF, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from destutter.analysis.examining.summary import Series
from destutter.ui.look.theme import Theme
from destutter.ui.plots.ground import Ground, draw_grid
from destutter.ui.plots.scale import Extent
from destutter.ui.sessions.graph_data import SessionCurve, exceedance, peaks, value_at
from destutter.ui.sessions.phase_words import phase_name
from destutter.ui.words.quantities import Quantities

TONES = {"A": "cpu", "B": "storage", "": "storage"}
# Only here, where a picture is drawn once: live graphs have 1 px, the other is 50 to 200 times as
# slow.
_PEN_PX = 1.4
_BOTTOM, _RIGHT = 26, 14
_TIME_STEPS_S = (5, 10, 15, 30, 60, 120, 240, 300, 600, 1200, 1800, 3600, 7200, 14400)
_LEAST_TICK_PX = 84
_WHOLE_MINUTES_S = 90  # from here on, spans are written in minutes
_DECADES = (100.0, 10.0, 1.0, 0.1, 0.01, 0.001)
_LEVELS_MS = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000)
_LEAST_LEVEL_PX = 44
_LENGTHS_MS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000)


class GraphView(StrEnum):
    """How two sessions are drawn."""

    OVERLAY = "overlay"
    SIDE_BY_SIDE = "side"
    DISTRIBUTION = "distribution"


@dataclass(frozen=True, slots=True)
class _Plot:
    """A rectangle with a time axis."""

    area: QRectF
    span_s: float
    top_ms: float

    def x(self, second: float) -> float:
        return self.area.left() + second / self.span_s * self.area.width()

    def second(self, x: float) -> float:
        return (x - self.area.left()) / self.area.width() * self.span_s


def time_words(times_s: Sequence[float], quantities: Quantities) -> list[str]:
    """What stands at the marks of a time axis: no two the same. Seconds from the beginning."""
    # "2 min" three times would be the rounded words of 1:30, 1:45 and 2:00.
    is_fine = bool(times_s) and times_s[-1] >= _WHOLE_MINUTES_S and times_s[0] % 60 != 0
    return [(quantities.clock if is_fine else quantities.span)(each) for each in times_s]


class SessionGraph(QWidget):
    """Draws curves. ``pointed(object)`` with the second under the pointer, None: none."""

    pointed = Signal(object)

    def __init__(
        self, theme: Theme, quantities: Quantities, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._quantities = quantities
        self._curves: tuple[SessionCurve, ...] = ()
        self._view = GraphView.OVERLAY
        self._second: float | None = None
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumHeight(theme.sizes.px(190))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """Wide, and as high as there is room."""
        return QSize(600, self._theme.sizes.px(200))

    @property
    def curves(self) -> tuple[SessionCurve, ...]:
        return self._curves

    @property
    def view(self) -> GraphView:
        return self._view

    @property
    def second(self) -> float | None:
        """The moment that is read, in seconds from the beginning."""
        return self._second

    def show_curves(self, curves: Sequence[SessionCurve]) -> None:
        self._curves = tuple(curves)
        self._point(None)
        self.update()

    def show_view(self, view: GraphView) -> None:
        self._view = view
        self._point(None)
        self.update()

    # --- painting ----------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        self.draw(painter)
        if self.hasFocus():
            painter.setPen(QPen(self._theme.color("focus"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 5, 5)

    def draw(self, painter: QPainter) -> None:
        """Draw it with any painter, for example into a file."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        if self._is_distribution:
            self._draw_distribution(painter)
            return
        for plot, curves in self._plots():
            self._draw_plot(painter, plot, curves)
        self._draw_moment(painter)

    def _area(self) -> QRectF:
        left, top = self._theme.sizes.px(64), self._theme.sizes.px(6)
        if any(curve.phases for curve in self._curves) and not self._is_distribution:
            top = self._theme.sizes.px(24)
        width, height = self.width() - left - _RIGHT, self.height() - top - _BOTTOM
        return QRectF(left, top, max(1, width), max(1, height))

    @property
    def _is_distribution(self) -> bool:
        return self._view is GraphView.DISTRIBUTION

    def _plots(self) -> list[tuple[_Plot, tuple[SessionCurve, ...]]]:
        if not self._curves:
            return []
        area, gap = self._area(), self._theme.sizes.px(56)
        span = float(max(1, *(curve.length_s for curve in self._curves)))
        top = self._extent(area).high
        if self._view is GraphView.OVERLAY or len(self._curves) == 1:
            return [(_Plot(area, span, top), self._curves)]
        width = (area.width() - gap) / 2
        first = QRectF(area.left(), area.top(), width, area.height())
        return [
            (_Plot(first.translated(index * (width + gap), 0), span, top), (curve,))
            for index, curve in enumerate(self._curves)
        ]

    def _extent(self, area: QRectF) -> Extent:
        highest = [float(np.fmax.reduce(c.worst_ms)) for c in self._curves if c.length_s]
        longest = max((value for value in highest if not np.isnan(value)), default=0.0)
        top = max(longest, 40.0 if longest > 5 else 1.0)
        most = max(2.0, area.height() / self._theme.sizes.px(_LEAST_LEVEL_PX))
        step = next((s for s in _LEVELS_MS if top / s <= most), _LEVELS_MS[-1])
        levels = np.arange(step, top + 1e-9, step)
        return Extent(0.0, 1.06 * top, tuple((float(each), float(each)) for each in levels))

    def _draw_plot(self, painter: QPainter, plot: _Plot, curves: tuple[SessionCurve, ...]) -> None:
        area, extent = plot.area, self._extent(plot.area)
        self._draw_phases(painter, plot, curves)
        ticks = [
            (self._y(plot, position), self._quantities.round_milliseconds(value))
            for position, value in extent.ticks
        ]
        times = self._time_ticks(plot)
        grid = [plot.x(second) - area.left() for second in times]
        draw_grid(painter, self._theme, Ground(area, self.height(), grid, ()))
        self._draw_values(painter, plot, ticks)
        self._draw_times(painter, plot, times)
        for curve in curves:
            self._draw_curve(painter, plot, curve)
        if self._view is GraphView.SIDE_BY_SIDE and curves[0].badge:
            self._draw_badge(painter, area, curves[0].badge)

    def _y(self, plot: _Plot, value: float) -> float:
        return plot.area.bottom() - value / plot.top_ms * plot.area.height()

    def _draw_values(self, painter: QPainter, plot: _Plot, ticks: list[tuple[float, str]]) -> None:
        theme, area = self._theme, plot.area
        font = theme.sized(theme.sizes.caption)
        painter.setFont(font)
        height = QFontMetricsF(font).height()
        for y, text in ticks:
            painter.setPen(QPen(theme.color("grid"), 1))
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
            painter.setPen(theme.color("faint"))
            box = QRectF(area.left() - 70, y - height / 2, 64, height)
            painter.drawText(
                box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text
            )
        painter.setPen(QPen(theme.color("border_strong"), 1))
        painter.drawLine(area.bottomLeft(), area.bottomRight())

    def _draw_phases(
        self, painter: QPainter, plot: _Plot, curves: tuple[SessionCurve, ...]
    ) -> None:
        phases = next((curve.phases for curve in curves if curve.phases), ())
        theme = self._theme
        font = theme.sized(theme.sizes.caption, 500)
        metrics = QFontMetricsF(font)
        for index, span in enumerate(phases):
            left, right = plot.x(span.start_s), min(plot.x(span.end_s), plot.area.right())
            box = QRectF(left, 2, max(0.0, right - left), plot.area.bottom() - 2)
            if index % 2 == 0:
                painter.fillRect(box, theme.color("border", 90))
            room = box.adjusted(7, 3, -4, 0)
            text = metrics.elidedText(
                phase_name(span.phase), Qt.TextElideMode.ElideRight, room.width()
            )
            if room.width() > metrics.averageCharWidth() * 4:
                painter.setFont(font)
                painter.setPen(theme.color("muted"))
                painter.drawText(room, Qt.AlignmentFlag.AlignLeft, text)

    def _time_ticks(self, plot: _Plot) -> list[float]:
        most = max(1.0, plot.area.width() / self._theme.sizes.px(_LEAST_TICK_PX))
        step = next((s for s in _TIME_STEPS_S if plot.span_s / s <= most), _TIME_STEPS_S[-1])
        return [float(s) for s in range(step, int(plot.span_s) + 1, step)]

    def _draw_times(self, painter: QPainter, plot: _Plot, times: list[float]) -> None:
        for second, text in zip(times, time_words(times, self._quantities), strict=True):
            self._draw_below(painter, plot.area, plot.x(second), text)

    def _draw_below(self, painter: QPainter, area: QRectF, x: float, text: str) -> None:
        theme = self._theme
        font = theme.sized(theme.sizes.caption)
        metrics = QFontMetricsF(font)
        width = metrics.horizontalAdvance(text) + 2
        left = min(x - width / 2, self.width() - width - 2)
        painter.setFont(font)
        painter.setPen(theme.color("faint"))
        box = QRectF(left, area.bottom() + 5, width, metrics.height())
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)

    def _draw_curve(self, painter: QPainter, plot: _Plot, curve: SessionCurve) -> None:
        seconds, values = peaks(curve.worst_ms, max(2, int(plot.area.width())))
        x = plot.area.left() + seconds / plot.span_s * plot.area.width()
        y = plot.area.bottom() - values / plot.top_ms * plot.area.height()
        self._draw_line(painter, TONES[curve.badge], x, y)

    def _draw_line(self, painter: QPainter, tone: str, x: Series, y: Series) -> None:
        """Separate lines: Qt draws a joined one that is wider than a pixel far more slowly."""
        pen = QPen(self._theme.color(tone), _PEN_PX + self._theme.tokens.pen_extra_px)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        is_value = ~np.isnan(y)
        joined = np.flatnonzero(is_value[:-1] & is_value[1:])
        painter.drawLines(
            [
                QLineF(x0, y0, x1, y1)
                for x0, y0, x1, y1 in zip(
                    x[joined], y[joined], x[joined + 1], y[joined + 1], strict=True
                )
            ]
        )
        padded = np.concatenate(([False], is_value, [False]))
        alone = np.flatnonzero(padded[1:-1] & ~padded[:-2] & ~padded[2:])
        painter.drawPoints([QPointF(x[i], y[i]) for i in alone])

    def _draw_badge(self, painter: QPainter, area: QRectF, badge: str) -> None:
        size = self._theme.sizes.px(20)
        circle = QRectF(area.right() - size - 6, area.top() + 6, size, size)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color(TONES[badge]))
        painter.drawEllipse(circle)
        painter.setPen(self._theme.color("surface"))
        painter.setFont(self._theme.sized(self._theme.sizes.caption, 700))
        painter.drawText(circle, Qt.AlignmentFlag.AlignCenter, badge)

    def _draw_moment(self, painter: QPainter) -> None:
        if self._second is None:
            return
        painter.setPen(QPen(self._theme.color("text", 190), 1))
        for plot, _ in self._plots():
            x = plot.x(self._second)
            painter.drawLine(QPointF(x, plot.area.top()), QPointF(x, plot.area.bottom()))

    # --- the distribution --------------------------------------------------------------------

    def _draw_distribution(self, painter: QPainter) -> None:
        found = [(c.badge, *exceedance(c.histogram)) for c in self._curves if c.histogram]
        found = [each for each in found if each[1].size]
        if not found:
            return
        area = self._area()
        longest = max(float(lengths[-1]) for _, lengths, _ in found)
        least = min(float(shares[-1]) for _, _, shares in found)
        low = next((d for d in _DECADES if d <= least), _DECADES[-1])
        shortest = _begin_of([(lengths, shares) for _, lengths, shares in found])
        width = np.log10(max(2.0, longest / shortest))

        def x_of(length_ms: Series) -> Series:
            part: Series = np.log10(np.maximum(length_ms, shortest) / shortest) / width
            return area.left() + part * area.width()

        def y_of(share: Series) -> Series:
            depth = np.log10(100.0 / np.maximum(share, low)) / np.log10(100.0 / low)
            result: Series = area.top() + depth * area.height()
            return result

        self._draw_shares(painter, area, [d for d in _DECADES if d >= low], y_of)
        ticks = [length for length in _LENGTHS_MS if shortest <= length <= longest]
        places = x_of(np.array(ticks, dtype=np.float64))
        draw_grid(
            painter,
            self._theme,
            Ground(area, self.height(), [x - area.left() for x in places], ()),
        )
        for place, length in zip(places, ticks, strict=True):
            text = self._quantities.round_milliseconds(length)
            self._draw_below(painter, area, float(place), text)
        for badge, lengths, shares in found:
            self._draw_line(painter, TONES[badge], x_of(lengths), y_of(shares))

    def _draw_shares(
        self,
        painter: QPainter,
        area: QRectF,
        shares: list[float],
        y_of: Callable[[Series], Series],
    ) -> None:
        plot = _Plot(area, 1.0, 1.0)
        ticks = []
        for share in shares:
            decimals = max(0, round(-np.log10(share)))
            text = self._quantities.percent(share, decimals)
            ticks.append((float(y_of(np.array([share]))[0]), text))
        self._draw_values(painter, plot, ticks)

    # --- reading values ----------------------------------------------------------------------

    def _point(self, second: float | None) -> None:
        if second != self._second:
            self._second = second
            self.pointed.emit(second)
            self.update()

    def readings(self) -> list[tuple[str, float | None]]:
        """The badges and values at the moment that is read."""
        if self._second is None:
            return []
        return [(curve.badge, value_at(curve, self._second)) for curve in self._curves]

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._view is GraphView.DISTRIBUTION:
            return
        for plot, _ in self._plots():
            if plot.area.left() <= event.position().x() <= plot.area.right():
                self._point(plot.second(event.position().x()))
                return
        self._point(None)

    def leaveEvent(self, event: QEvent) -> None:
        self._point(None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows move the moment that is read; Escape forgets it."""
        plots = self._plots()
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        if event.key() in steps and plots and self._view is not GraphView.DISTRIBUTION:
            span = plots[0][0].span_s
            step = max(1.0, span / 200) * steps[Qt.Key(event.key())]
            before = -step if self._second is None and step > 0 else self._second
            start = span if before is None else before
            self._point(min(max(0.0, start + step), span - 1))
        elif event.key() == Qt.Key.Key_Escape and self._second is not None:
            self._point(None)
        else:
            super().keyPressEvent(event)


def _begin_of(shares: list[tuple[Series, Series]]) -> float:
    """Where the axis of a distribution begins: at the last tick before any curve falls."""
    falls = [float(lengths[share > 99.5][-1]) for lengths, share in shares if share.size]
    least = min(falls, default=1.0)
    return float(max((length for length in _LENGTHS_MS if length <= least), default=1))
