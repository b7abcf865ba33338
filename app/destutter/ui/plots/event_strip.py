# SPDX-License-Identifier: GPL-3.0-or-later
"""The strip above the lanes: one label per stutter, with the sign of its cause and its length."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QToolTip, QWidget

from destutter.diagnosis.finding import Spike
from destutter.ui.fonts import sized
from destutter.ui.plots.clusters import Cluster, cluster
from destutter.ui.quantities import Quantities
from destutter.ui.theme import Theme

GROUP_COLORS = {
    "memory": "memory",
    "storage": "storage",
    "cpu": "cpu",
    "gpu": "gpu",
    "power": "power",
}


def color_of(spike: Spike) -> str:
    """The token of the group that caused it; neutral while no cause is known."""
    return "other" if spike.group is None else GROUP_COLORS[spike.group.value]


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
        self._font = sized(theme.font, theme.sizes.caption, 600)
        self._metrics = QFontMetricsF(self._font)
        self.setMouseTracking(True)

    def sizeHint(self) -> QSize:
        """As high as a label and its stem."""
        return QSize(200, self._theme.sizes.px(34))

    @property
    def clusters(self) -> tuple[Cluster, ...]:
        """The labels that are shown."""
        return tuple(self._clusters)

    def show_spikes(
        self, spikes: Sequence[Spike], positions_px: Sequence[float], selected: Spike | None
    ) -> None:
        """Show these stutters at these positions (in order, in pixels of this widget)."""
        widest = self._theme.sizes.px(76)
        clusters = cluster(spikes, positions_px, widest)
        if clusters != self._clusters or selected != self._selected:
            self._clusters, self._selected = clusters, selected
            self.update()

    def label(self, one: Cluster) -> str:
        """What a label says: the length, or how many it stands for."""
        if len(one.spikes) == 1:
            return self._quantities.milliseconds(one.spikes[0].duration_ms)
        count = self._quantities.number(len(one.spikes))
        return self.tr("{count} stutters").format(count=count)

    def _box(self, one: Cluster) -> QRectF:
        width = self._metrics.horizontalAdvance(self.label(one)) + self._theme.sizes.px(32)
        height = self._theme.sizes.px(21)
        left = min(max(one.x_px - width / 2, 1.0), max(1.0, self.width() - width - 1))
        return QRectF(left, (self.height() - height) / 2 - 1, width, height)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the labels, the chosen one last."""
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._font)
        for one in sorted(self._clusters, key=lambda each: self._selected in each.spikes):
            self._draw(painter, one, is_selected=self._selected in one.spikes)

    def _draw(self, painter: QPainter, one: Cluster, *, is_selected: bool) -> None:
        box = self._box(one)
        color = self._theme.color(color_of(one.worst))
        painter.setPen(QPen(color, 1))
        painter.drawLine(QPointF(one.x_px, box.bottom()), QPointF(one.x_px, self.height()))
        painter.setPen(QPen(color, 2 if is_selected else 1.2))
        painter.setBrush(self._theme.color("accent_soft" if is_selected else "raised"))
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        size = self._theme.sizes.px(13)
        icon = "pulse" if one.worst.group is None else one.worst.group.value
        pad = self._theme.sizes.px(7)
        name = color_of(one.worst)
        self._theme.icons.paint(
            painter,
            icon,
            getattr(self._theme.tokens, name),
            QPointF(box.left() + pad, box.center().y() - size / 2),
            size,
        )
        painter.setPen(self._theme.color("text"))
        painter.drawText(
            box.adjusted(pad + size + 4, 0, -pad + 4, 0),
            Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter,
            self.label(one),
        )

    def _at(self, position: QPointF) -> Cluster | None:
        for one in reversed(self._clusters):
            if self._box(one).adjusted(-2, -6, 2, 8).contains(position):
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

    def event(self, event: QEvent) -> bool:
        """A tool tip tells what a joined label stands for."""
        if isinstance(event, QHelpEvent):
            one = self._at(QPointF(event.pos()))
            lengths = [] if one is None else [spike.duration_ms for spike in one.spikes]
            text = ", ".join(self._quantities.milliseconds(length) for length in lengths[:12])
            QToolTip.showText(event.globalPos(), text, self)
            return True
        return super().event(event)
