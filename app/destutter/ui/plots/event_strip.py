# SPDX-License-Identifier: GPL-3.0-or-later
"""The strip above the lanes: one label per stutter, with the sign of its cause and its length."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFontMetricsF,
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
)
from PySide6.QtWidgets import QToolTip, QWidget

from destutter.diagnosis.finding import Spike
from destutter.ui.look.theme import Theme
from destutter.ui.plots.clusters import Cluster, cluster
from destutter.ui.plots.traced_series import CPU, GROUPS, MEMORY, STORAGE
from destutter.ui.words.quantities import Quantities
from destutter.ui.words.words import spoken

_MOST_KEPT = 64
_MARK_PX = 3
_NEAR_PX = 4  # a mark has three pixels, and a hand is not that steady

GROUP_COLORS = {
    "memory": "memory",
    "storage": "storage",
    "cpu": "cpu",
    "gpu": "gpu",
    "power": "power",
}


def color_of(caused: Spike | Cluster) -> str:
    """The token of the group that caused it; neutral while no cause is known."""
    return "other" if caused.group is None else GROUP_COLORS[caused.group.value]


@dataclass(frozen=True, slots=True)
class StripNote:
    """What else is worth a label: a span without data, or a moment that somebody marked.

    ``icon`` is "not-measured" or "marker".
    """

    x_px: float
    icon: str
    text: str
    tip: str


class _LabelLook(NamedTuple):
    """How a label is drawn; also the key under which the drawing is kept."""

    icon: str
    tone: str
    ground: str
    width_px: float
    is_dashed: bool = False


_NOTES = {
    "not-measured": _LabelLook("not-measured", "none", "raised", 1.0, is_dashed=True),
    "marker": _LabelLook("marker", "accent", "raised", 1.0),
}


def _look(one: Cluster, *, is_selected: bool) -> _LabelLook:
    icon = "pulse" if one.group is None else one.group.value
    ground, width = ("accent_soft", 2.0) if is_selected else ("raised", 1.2)
    return _LabelLook(icon, color_of(one), ground, width)


class EventStrip(QWidget):
    """Labels of stutters over the shared time axis. ``chosen(Spike)`` when one is clicked."""

    chosen = Signal(object)

    def __init__(
        self, theme: Theme, quantities: Quantities, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._quantities = quantities
        self._clusters: list[Cluster] = []
        self._selected: Spike | None = None
        self._notes: tuple[StripNote, ...] = ()
        self._waits: tuple[tuple[str, int], ...] = ()
        self._texts: dict[tuple[float, int], str] = {}
        self._widths: dict[str, float] = {}
        self._pixmaps: dict[tuple[_LabelLook, str, float], QPixmap] = {}
        self._font = theme.sized(theme.sizes.caption, 600)
        self._metrics = QFontMetricsF(self._font)
        self.setMouseTracking(True)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)

    def sizeHint(self) -> QSize:
        """As high as a label and its stem."""
        return QSize(200, self._theme.sizes.px(34))

    @property
    def clusters(self) -> tuple[Cluster, ...]:
        """The labels that are shown."""
        return tuple(self._clusters)

    @property
    def notes(self) -> tuple[StripNote, ...]:
        """The spans without data and the markers that are shown."""
        return self._notes

    def show_notes(self, notes: Sequence[StripNote]) -> None:
        if tuple(notes) != self._notes:
            self._notes = tuple(notes)
            self.update()

    @property
    def waits(self) -> tuple[tuple[str, int], ...]:
        """The marks that are shown; see ``wait_marks``."""
        return self._waits

    def show_waits(self, waits: tuple[tuple[str, int], ...]) -> None:
        """Mark where the kernel's trace saw the game wait: below a stutter, what it was for."""
        if waits != self._waits:
            self._waits = waits
            self.update()

    def show_spikes(
        self, spikes: Sequence[Spike], positions_px: Sequence[float], selected: Spike | None
    ) -> None:
        """Show these stutters at these positions (in order, in pixels of this widget)."""
        clusters = cluster(spikes, positions_px, self._widest(), self.width())
        if clusters != self._clusters or selected != self._selected:
            self._clusters, self._selected = clusters, selected
            self.update()

    def _widest(self) -> float:
        """The width of a label that stands for several, and a little air."""
        return self._box(self._write(0.0, 99), 0.0).width() + self._theme.sizes.px(4)

    def label(self, one: Cluster) -> str:
        """What a label says: the length, or how many it stands for."""
        key = (one.spikes[0].duration_ms if len(one.spikes) == 1 else 0.0, len(one.spikes))
        text = self._texts.get(key)
        if text is None:
            text = self._texts[key] = self._write(*key)
        return text

    def _forget_if_many(self) -> None:
        """Hardly two stutters are equally long: what is not shown any more must not stay."""
        if len(self._widths) >= _MOST_KEPT:
            self._texts.clear()
            self._widths.clear()
            self._pixmaps.clear()

    def _write(self, duration_ms: float, count: int) -> str:
        if count == 1:
            return self._quantities.milliseconds(duration_ms)
        return self.tr("{count} stutters").format(count=self._quantities.number(count))

    def _box(self, text: str, x_px: float) -> QRectF:
        advance = self._widths.get(text)
        if advance is None:
            advance = self._widths[text] = self._metrics.horizontalAdvance(text)
        width = advance + self._theme.sizes.px(32)
        height = self._theme.sizes.px(21)
        left = min(max(x_px - width / 2, 1.0), max(1.0, self.width() - width - 1))
        return QRectF(left, self.marks_top - height - 1, width, height)

    @property
    def marks_top(self) -> int:
        """Where the rows of marks begin; the last one ends above the line of the first lane.

        As a line of it of six pixels they looked like something that was cut off.
        """
        return self.height() - self._theme.sizes.px(_MARK_PX) * len(GROUPS) - 1

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the labels, the chosen one last."""
        del event
        self._forget_if_many()
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.color("surface"))
        self._draw_waits(painter)
        for note, text in self.placed_notes():
            self._draw(painter, _NOTES[note.icon], text, note.x_px)
        for one in sorted(self._clusters, key=lambda each: self._selected in each.spikes):
            look = _look(one, is_selected=self._selected in one.spikes)
            self._draw(painter, look, self.label(one), one.x_px)

    def _draw_waits(self, painter: QPainter) -> None:
        """A row for each group at the lower edge, in the colours of the lane of waits."""
        height = self._theme.sizes.px(_MARK_PX)
        for group, x_px in self._waits:
            y = self.marks_top + height * GROUPS.index(group)
            painter.fillRect(x_px - 1, y, 3, height, self._theme.color(GROUP_COLORS[group]))

    def placed_notes(self) -> list[tuple[StripNote, str]]:
        """The notes that have room beside the labels of stutters, and what each says there.

        Where its words would cover another label it is its sign alone; where even that would, the
        hatching and the line in the lanes are left. What somebody marked goes first.
        """
        taken = [self._box(self.label(one), one.x_px) for one in self._clusters]
        placed = []
        for note in sorted(self._notes, key=lambda each: each.icon != "marker"):
            for text in (note.text, ""):
                box = self._box(text, note.x_px)
                if not any(box.intersects(other) for other in taken):
                    taken.append(box)
                    placed.append((note, text))
                    break
        return placed

    def apply_theme(self) -> None:
        """Draw the labels in the colours of the theme."""
        self._pixmaps.clear()
        self.update()

    def _draw(self, painter: QPainter, look: _LabelLook, text: str, x_px: float) -> None:
        """A label and its stem. Labels are drawn once and then only moved."""
        box = self._box(text, x_px)
        painter.setPen(self._theme.color(look.tone))
        x = round(x_px)
        painter.drawLine(x, round(box.bottom()), x, self.height())
        key = (look, text, self.devicePixelRatioF())
        pixmap = self._pixmaps.get(key)
        if pixmap is None:
            pixmap = self._pixmaps[key] = self._label_pixmap(look, text, box)
        painter.drawPixmap(round(box.left()), round(box.top()), pixmap)

    def _label_pixmap(self, look: _LabelLook, text: str, box: QRectF) -> QPixmap:
        ratio = self.devicePixelRatioF()
        pixmap = QPixmap((box.size() * ratio).toSize())
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        style = Qt.PenStyle.DashLine if look.is_dashed else Qt.PenStyle.SolidLine
        painter.setPen(QPen(self._theme.color(look.tone), look.width_px, style))
        painter.setBrush(self._theme.color(look.ground))
        frame = QRectF(0, 0, box.width(), box.height())
        painter.drawRoundedRect(frame.adjusted(1, 1, -1, -1), 6, 6)
        size, pad = self._theme.sizes.px(13), self._theme.sizes.px(7)
        corner = QPointF(pad, (box.height() - size) / 2)
        color = getattr(self._theme.tokens, look.tone)
        self._theme.icons.paint(painter, look.icon, color, corner, size)
        painter.setFont(self._font)
        painter.setPen(self._theme.color("text"))
        flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(frame.adjusted(pad + size + 4, 0, 0, 0), flags, text)
        painter.end()
        return pixmap

    def _at(self, position: QPointF) -> Cluster | None:
        for one in reversed(self._clusters):
            box = self._box(self.label(one), one.x_px)
            if box.adjusted(-2, -6, 2, 8).contains(position):
                return one
        return None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose the stutter below the pointer; of several, the longest."""
        one = self._at(event.position())
        if one is not None and event.button() == Qt.MouseButton.LeftButton:
            self.chosen.emit(one.worst)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show that labels can be clicked."""
        is_label = self._at(event.position()) is not None
        shape = Qt.CursorShape.PointingHandCursor if is_label else Qt.CursorShape.ArrowCursor
        self.setCursor(shape)

    def tip_at(self, position: QPointF) -> str:
        """What a label at this place stands for."""
        one = self._at(position)
        if one is not None:
            lengths = [spike.duration_ms for spike in one.spikes[:12]]
            return spoken().enumerated(self._quantities.milliseconds(length) for length in lengths)
        for note, text in self.placed_notes():
            if self._box(text, note.x_px).contains(position):
                return note.tip
        waited = {group for group, x_px in self._waits if abs(x_px - position.x()) <= _NEAR_PX}
        return self._wait_tip([group for group in GROUPS if group in waited])

    def _wait_tip(self, groups: Sequence[str]) -> str:
        names = {
            MEMORY: self.tr("memory"),
            STORAGE: self.tr("a drive"),
            CPU: self.tr("a core"),
        }
        if not groups:
            return ""
        return self.tr("The kernel saw the game wait for {what}").format(
            what=spoken().enumerated(names[group] for group in groups)
        )

    def event(self, event: QEvent) -> bool:
        """A tool tip tells what a joined label stands for."""
        if isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.tip_at(QPointF(event.pos())), self)
            return True
        return super().event(event)
