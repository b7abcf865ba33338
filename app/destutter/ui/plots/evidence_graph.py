# SPDX-License-Identifier: GPL-3.0-or-later
"""A stutter and the suspected signal on one time axis, ten seconds to either side.

It is drawn only when what it shows has changed and somebody looks: nothing in it moves.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import isnan, nan

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFont,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from destutter.ui.look.theme import Theme
from destutter.ui.plots.crisp import on_pixel, screen_ratio, thin_pen
from destutter.ui.plots.evidence_axis import SPAN_S, EvidenceLine
from destutter.ui.plots.ground import Threshold, draw_threshold
from destutter.ui.plots.scale import Extent, lowest_of
from destutter.ui.plots.series import Floats, Outline

_FILL_ALPHA, _BAND_ALPHA = 48, 40
_DOT_PX = 3.0
_HIGH_PX, _LOW_PX = 156, 112  # choices: an axis of four decades, or one that is still read
_MARGIN_S = 0.6  # measurements beyond the edges, so that lines do not end before them


@dataclass(frozen=True, slots=True)
class EvidencePicture:
    """What the graph shows. Times are seconds on the clock of the series.

    ``band`` is the stutter that was chosen, from its beginning to its end; ``stutters`` are
    (end, length in ms) of those in view that the finding explains, ``others`` of those that it
    does not, which accuse nobody here. ``ticks`` are (time, label) pairs.
    """

    effect: EvidenceLine
    signal: EvidenceLine | None
    centre_s: float
    band: tuple[float, float] | None
    stutters: tuple[tuple[float, float], ...]
    others: tuple[tuple[float, float], ...]
    ticks: tuple[tuple[float, str], ...]
    nothing: str = ""


class EvidenceGraph(QWidget):
    """Shows an ``EvidencePicture``.

    ``stepped(int)`` asks for the stutter before (-1) or after (1), ``moved(object)`` tells the
    moment in seconds under the pointer; None: it went away.
    """

    stepped = Signal(int)
    moved = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._is_low = False
        self._picture: EvidencePicture | None = None
        self._outlines: list[tuple[EvidenceLine, Outline, Extent]] = []
        self._pointer_x: float | None = None
        self._drawn_width = 0
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        theme.changed.connect(self.update)

    @property
    def picture(self) -> EvidencePicture | None:
        return self._picture

    def sizeHint(self) -> QSize:
        """As wide as there is room."""
        return QSize(400, self._theme.sizes.px(_LOW_PX if self._is_low else _HIGH_PX))

    def set_low(self, *, is_low: bool) -> None:
        """Take less height, where what stands below it matters more."""
        self._is_low = is_low
        self.updateGeometry()

    def minimumSizeHint(self) -> QSize:
        """Both axes and a little between them."""
        return QSize(self._theme.sizes.px(260), self.sizeHint().height())

    def show_picture(self, picture: EvidencePicture) -> None:
        self._picture = picture
        self._outlines.clear()
        self.update()

    def plot(self) -> QRectF:
        """The rectangle of the data."""
        sizes = self._theme.sizes
        top, bottom = sizes.px(20), sizes.px(22)
        width = max(1.0, self.width() - 2.0 * sizes.axis)
        return QRectF(sizes.axis, top, width, max(1, self.height() - top - bottom))

    def x_of(self, time_s: float) -> float:
        """The horizontal pixel of a moment."""
        assert self._picture is not None  # noqa: S101  only called while one is shown
        plot = self.plot()
        return plot.left() + (time_s - self._left_s()) / SPAN_S * plot.width()

    def _left_s(self) -> float:
        assert self._picture is not None  # noqa: S101  only called while one is shown
        return self._picture.centre_s - SPAN_S / 2

    # --- painting -------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw ground, signal, effect and signs, in this order."""
        del event
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.color("sunken"))
        if self._picture is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._picture.nothing:
            self._draw_nothing(painter, self._picture.nothing)
        else:
            self._prepare()
            self._draw_ground(painter, self._picture)
            painter.save()
            painter.setClipRect(self.plot().adjusted(0, -4, 0, 1))
            self._draw_band(painter, self._picture)
            for line, outline, extent in reversed(self._outlines):
                self._draw_line(painter, line, outline, extent)
            self._draw_dots(painter, self._picture)
            self._draw_pointer(painter)
            painter.restore()
        if self.hasFocus():
            painter.setPen(QPen(self._theme.color("focus"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 5, 5)

    def _draw_nothing(self, painter: QPainter, text: str) -> None:
        painter.setFont(self._theme.sized(self._theme.sizes.small))
        painter.setPen(self._theme.color("muted"))
        flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
        painter.drawText(QRectF(self.rect()).adjusted(20, 8, -20, -8), flags, text)

    def _prepare(self) -> None:
        """Look up what is in view, once for each picture and width."""
        picture = self._picture
        if picture is None or (self._outlines and self._drawn_width == self.width()):
            return
        self._drawn_width = self.width()
        columns, height = int(self.plot().width()), int(self.plot().height())
        left = self._left_s()
        self._outlines = []
        for line in (picture.effect, picture.signal):
            if line is None:
                continue
            outline = line.outline(left - _MARGIN_S, left + SPAN_S + _MARGIN_S, columns)
            lowest = lowest_of(outline.y)
            highest = float(np.fmax.reduce(outline.y)) if len(outline.y) else nan
            told = (*picture.stutters, *picture.others)
            if line is picture.effect and told:
                longest = max(length for _, length in told)
                highest = longest if isnan(highest) else max(highest, longest)
            self._outlines.append((line, outline, line.scale.extent(lowest, highest, height)))

    def _draw_ground(self, painter: QPainter, picture: EvidencePicture) -> None:
        plot, theme = self.plot(), self._theme
        ratio = screen_ratio(painter)
        painter.setPen(thin_pen(theme.color("grid"), ratio))
        for time_s, _ in picture.ticks:
            x = on_pixel(self.x_of(time_s), ratio)
            painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()))
        for index, (line, _, extent) in enumerate(self._outlines):
            self._draw_axis(
                painter, line, extent, is_right=line is picture.signal, is_grid=not index
            )
        painter.setFont(theme.sized(theme.sizes.caption))
        painter.setPen(theme.color("faint"))
        for time_s, text in picture.ticks:
            box = QRectF(self.x_of(time_s) - 70, plot.bottom() + 3, 140, theme.sizes.px(18))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
        signal = picture.signal
        if signal is not None and signal.threshold is not None:
            # Its words stand in the legend: here lines would run through them.
            threshold = Threshold(signal.threshold, "", signal.color)
            y = self._y(signal.scale.position(signal.threshold), self._outlines[-1][2])
            draw_threshold(painter, theme, plot, threshold, y, "sunken")

    def _draw_axis(
        self,
        painter: QPainter,
        line: EvidenceLine,
        extent: Extent,
        *,
        is_right: bool,
        is_grid: bool,
    ) -> None:
        plot, theme = self.plot(), self._theme
        font = theme.sized(theme.sizes.caption)
        height = QFontMetricsF(font).height()
        painter.setFont(font)
        flags = Qt.AlignmentFlag.AlignVCenter
        flags |= Qt.AlignmentFlag.AlignLeft if is_right else Qt.AlignmentFlag.AlignRight
        left = plot.right() + 6 if is_right else 0.0
        for position, value in extent.ticks:
            ratio = screen_ratio(painter)
            y = on_pixel(self._y(position, extent), ratio)
            if is_grid:
                painter.setPen(thin_pen(theme.color("grid"), ratio))
                painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y))
            painter.setPen(theme.color(line.color if is_right else "faint"))
            text = line.label(value)
            room = plot.left() - 8
            painter.setFont(_fitting(font, text, room))
            painter.drawText(QRectF(left, y - height / 2, room, height), flags, text)
        painter.setFont(font)
        if line.unit:
            # Above the highest label, in the same column.
            width = QFontMetricsF(font).horizontalAdvance(line.unit)
            x = min(left, self.width() - width - 2) if is_right else 0.0
            box = QRectF(x, 0, max(width + 1, plot.left() - 6), height + 2)
            painter.drawText(box, flags, line.unit)

    def _draw_band(self, painter: QPainter, picture: EvidencePicture) -> None:
        if picture.band is None:
            return
        plot = self.plot()
        low, high = (self.x_of(time_s) for time_s in picture.band)
        width = max(high - low, 6.0)
        box = QRectF(high - width, plot.top(), width, plot.height())
        painter.fillRect(box, self._theme.color("accent", _BAND_ALPHA))

    def _draw_line(
        self, painter: QPainter, line: EvidenceLine, outline: Outline, extent: Extent
    ) -> None:
        if not len(outline.x):
            return
        plot = self.plot()
        x = (outline.x - self._left_s()) * (plot.width() / SPAN_S) + plot.left()
        y = self._ys(line.scale.positions(outline.y), extent)
        width = 1.0 * self.devicePixelRatioF() + self._theme.tokens.pen_extra_px
        pen = QPen(self._theme.color(line.color), width)
        pen.setCosmetic(True)
        for low, high in _runs(y):
            points = [QPointF(a, b) for a, b in zip(x[low:high], y[low:high], strict=True)]
            if line.is_filled:
                base = self._y(line.scale.position(0.0), extent)
                area = QPainterPath(QPointF(x[low], base))
                for point in points:
                    area.lineTo(point)
                area.lineTo(QPointF(x[high - 1], base))
                painter.fillPath(area, self._theme.color(line.color, _FILL_ALPHA))
            painter.setPen(pen)
            # One segment at a time: a long path is drawn far more slowly.
            for first, second in pairwise(points):
                painter.drawLine(first, second)
        for alone_x, alone_y in zip(outline.alone_x, outline.alone_y, strict=True):
            at = self._y(line.scale.position(float(alone_y)), extent)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color(line.color))
            painter.drawEllipse(QPointF(self.x_of(float(alone_x)), at), 1.8, 1.8)

    def _draw_dots(self, painter: QPainter, picture: EvidencePicture) -> None:
        _, _, extent = self._outlines[0]
        painter.setBrush(self._theme.color("sunken"))
        painter.setPen(QPen(self._theme.color("muted"), 1))
        for kind in (picture.others, picture.stutters):
            for end_s, length_ms in kind:
                y = self._y(picture.effect.scale.position(length_ms), extent)
                painter.drawEllipse(QPointF(self.x_of(end_s), y), _DOT_PX, _DOT_PX)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color("bad"))

    def _draw_pointer(self, painter: QPainter) -> None:
        if self._pointer_x is None:
            return
        plot = self.plot()
        painter.setPen(QPen(self._theme.color("text", 190), 1))
        x = round(self._pointer_x) + 0.5
        painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()))

    def _y(self, position: float, extent: Extent) -> float:
        plot = self.plot()
        share = (position - extent.low) / (extent.high - extent.low)
        return plot.bottom() - share * plot.height()

    def _ys(self, positions: Floats, extent: Extent) -> Floats:
        plot = self.plot()
        scale = plot.height() / (extent.high - extent.low)
        return plot.bottom() - (positions - extent.low) * scale

    # --- events ---------------------------------------------------------------------------------

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        plot, x = self.plot(), event.position().x()
        if self._picture is None or self._picture.nothing:
            return
        is_inside = plot.left() <= x <= plot.right()
        self._point_at(x if is_inside else None)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._point_at(None)

    def _point_at(self, x_px: float | None) -> None:
        if x_px == self._pointer_x:
            return
        self._pointer_x = x_px
        plot = self.plot()
        moment = None
        if x_px is not None:
            moment = self._left_s() + (x_px - plot.left()) / plot.width() * SPAN_S
        self.moved.emit(moment)
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left and right go to the stutter before and after."""
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        step = steps.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
        else:
            self.stepped.emit(step)


def _fitting(font: QFont, text: str, room_px: float) -> QFont:
    """A smaller font for a label that is too long: a cut number would be another number."""
    width = QFontMetricsF(font).horizontalAdvance(text)
    if width <= room_px:
        return font
    smaller = QFont(font)
    smaller.setPixelSize(max(7, int(font.pixelSize() * room_px / width)))
    return smaller


def _runs(values: Floats) -> Sequence[tuple[int, int]]:
    """The spans of at least two neighbouring values that are numbers, as (first, end)."""
    is_value = np.concatenate(([False], ~np.isnan(values), [False]))
    edges = np.flatnonzero(is_value[1:] != is_value[:-1])
    pairs = zip(edges[0::2].tolist(), edges[1::2].tolist(), strict=True)
    return [(low, high) for low, high in pairs if high - low > 1]
