# SPDX-License-Identifier: GPL-3.0-or-later
"""Where in the guide one is: five circles with their names; those behind lead back."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFontMetrics, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from destutter.ui.look.theme import Theme

_RADIUS_PX, _NAME_PX = 13, 118


class Stepper(QWidget):
    """Draws the steps: those that are done with a tick, the present one filled.

    A click on one that is done asks for it: every tester took the circles for buttons. Keys have
    the button "Back".
    """

    back_requested = Signal(int)
    """The step that was clicked, from 0; always one before the present one."""

    def __init__(self, theme: Theme, names: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._names = tuple(names)
        self._at = 0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMouseTracking(True)
        theme.changed.connect(self._draw)
        self.show_step(0)

    @Slot()
    def _draw(self) -> None:
        self.update()

    @property
    def step(self) -> int:
        """The present step, from 0."""
        return self._at

    def show_step(self, at: int) -> None:
        """This is the present step, counted from 0."""
        self._at = at
        name = self.tr("Step {number} of {count}: {name}").format(
            number=at + 1, count=len(self._names), name=self._names[at]
        )
        self.setAccessibleName(name)
        self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Only what leads somewhere has the hand of a link."""
        if self._behind(event.position()) is None:
            self.unsetCursor()
            self.setToolTip("")
        else:
            self.setCursor(Qt.CursorShape.PointingHandCursor)
            self.setToolTip(self.tr("Back to this step"))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        step = self._behind(event.position())
        if step is not None and event.button() is Qt.MouseButton.LeftButton:
            self.back_requested.emit(step)

    def _behind(self, at: QPointF) -> int | None:
        """Which step that is done lies there, with its name; None where there is none."""
        half = self._theme.sizes.px(_NAME_PX) / 2
        centres = self._centres(self._theme.sizes.px(_RADIUS_PX))
        near = (step for step in range(self._at) if abs(centres[step].x() - at.x()) <= half)
        return next(near, None)

    def sizeHint(self) -> QSize:
        """A circle and a name below it."""
        sizes = self._theme.sizes
        return QSize(sizes.px(600), sizes.px(54))

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        radius = self._theme.sizes.px(_RADIUS_PX)
        centres = self._centres(radius)
        for at in range(len(centres) - 1):
            tone = "accent" if at < self._at else "border_strong"
            painter.setPen(QPen(self._theme.color(tone), 2 if at < self._at else 1))
            start, end = sorted((centres[at].x(), centres[at + 1].x()))
            y = centres[at].y()
            painter.drawLine(QPointF(start + radius + 4, y), QPointF(end - radius - 4, y))
        for at, centre in enumerate(centres):
            self._draw_circle(painter, at, centre, radius)
            self._draw_name(painter, at, centre, radius)

    def _centres(self, radius: int) -> list[QPointF]:
        count = len(self._names)
        margin = self._theme.sizes.px(60)
        step = (self.width() - 2 * margin) / max(1, count - 1)
        xs = [margin + at * step for at in range(count)]
        if self.layoutDirection() == Qt.LayoutDirection.RightToLeft:
            xs.reverse()
        return [QPointF(x, radius + 2) for x in xs]

    def _draw_circle(self, painter: QPainter, at: int, centre: QPointF, radius: int) -> None:
        theme = self._theme
        is_done, is_now = at < self._at, at == self._at
        edge = "accent" if is_done or is_now else "border_strong"
        ground = "accent_fill" if is_now else "accent_soft" if is_done else "surface"
        painter.setPen(QPen(theme.color(edge), 1.4))
        painter.setBrush(theme.color(ground))
        painter.drawEllipse(centre, radius, radius)
        if is_done:
            painter.setPen(QPen(theme.color("accent"), 1.8))
            painter.drawPolyline(
                [
                    centre + QPointF(-radius * 0.42, radius * 0.04),
                    centre + QPointF(-radius * 0.1, radius * 0.36),
                    centre + QPointF(radius * 0.46, -radius * 0.34),
                ]
            )
            return
        painter.setFont(theme.sized(theme.sizes.small, 700))
        painter.setPen(theme.color("on_accent" if is_now else "muted"))
        box = QRectF(centre.x() - radius, centre.y() - radius, 2 * radius, 2 * radius)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, str(at + 1))

    def _draw_name(self, painter: QPainter, at: int, centre: QPointF, radius: int) -> None:
        theme = self._theme
        is_now = at == self._at
        font = theme.sized(theme.sizes.small, 600 if is_now else 400)
        room = theme.sizes.px(_NAME_PX)
        text = QFontMetrics(font).elidedText(self._names[at], Qt.TextElideMode.ElideRight, room)
        painter.setFont(font)
        painter.setPen(theme.color("text" if is_now else "muted"))
        box = QRectF(centre.x() - room / 2, centre.y() + radius + 5, room, theme.sizes.px(18))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
