# SPDX-License-Identifier: GPL-3.0-or-later
"""The graph of one session, or of two: over time with shaded phases, beside each other, or as
a distribution. It can be zoomed and moved; pictures and SVG files show what is in view.

Only ``GraphPanel`` imports this module, when the first session is shown: pyqtgraph takes memory
and time that no other page needs.
"""

from collections.abc import Iterator, Sequence

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, QSizeF, Qt, Signal, Slot
from PySide6.QtGui import (
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from destutter.ui.controls.own_keys import OwnKeys
from destutter.ui.look.theme import Theme
from destutter.ui.sessions.graph_axis import RIGHT_PX
from destutter.ui.sessions.graph_data import (
    Distribution,
    GraphView,
    SessionCurve,
    distribution_of,
    length_near,
    points_in,
    share_longer,
    shares_in,
    top_of,
    value_at,
)
from destutter.ui.sessions.graph_plot import GraphPlot
from destutter.ui.sessions.graph_ticks import (
    length_marks,
    level_marks,
    share_marks,
    time_marks,
)
from destutter.ui.words.quantities import Quantities

_ZOOM_STEP = 1.5
_LEAST_SPAN_S = 10.0  # each second has a value: fewer make no curve
_LEAST_DECADE = 0.2  # a histogram has about twenty steps in a whole one
_BESIDE_PX = 4  # around the way back
_MOST_ABOVE = 0.4  # of a low graph
_ANY_SIZE = QSizeF(1e6, 1e6)


class SessionGraph(pg.GraphicsView):
    """Draws curves. ``pointed(object)`` with what is read, on the axis below: a second, or the
    decimal logarithm of a length in ms; None: nothing."""

    pointed = Signal(object)

    def __init__(
        self, theme: Theme, quantities: Quantities, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent, useOpenGL=False, background=None)
        self._theme = theme
        self._curves: tuple[SessionCurve, ...] = ()
        self._view = GraphView.OVERLAY
        self._place: float | None = None
        self._is_picture = False
        self._distribution: Distribution | None = None
        in_ms, in_s = level_marks(quantities), time_marks(quantities)
        self._times = tuple(GraphPlot(theme, in_ms, in_s) for _ in "AB")
        longer, lengths = share_marks(quantities), length_marks(quantities)
        self._shares = GraphPlot(theme, longer, lengths)
        self.whole = QPushButton(self.tr("Whole recording"), self)
        self.whole.setProperty("role", "overGraph")
        self.whole.hide()
        self.whole.clicked.connect(self.show_whole)
        self._build()
        self.keys = OwnKeys(self)
        self._name_keys()
        theme.changed.connect(self._dress)

    def _build(self) -> None:
        self.setCacheMode(self.CacheModeFlag.CacheNone)  # its picture would be one in every SVG
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumHeight(self._theme.sizes.px(190))
        # In this order: the inner one hands its policy on to the other.
        self.viewport().setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setAutoFillBackground(False)
        both = pg.GraphicsLayout()
        both.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        # With every plot hidden it would be as small as its margins, and stay so.
        both.setMaximumSize(_ANY_SIZE)
        both.layout.setContentsMargins(0, 0, RIGHT_PX, 0)
        both.layout.setSpacing(0)
        for column, plot in enumerate((*self._times, self._shares)):
            both.addItem(plot, 0, column)
            plot.hide()
        self.setCentralItem(both)
        for plot in self._times:
            plot.view.sigXRangeChanged.connect(self._moved)
            plot.view.sigResized.connect(self._draw)
        for changed in (self._shares.view.sigXRangeChanged, self._shares.view.sigResized):
            changed.connect(self._draw)

    def _name_keys(self) -> None:
        add = self.keys.add
        add(self.tr("Read the value to the left"), lambda: self._step(-1), "Left")
        add(self.tr("Read the value to the right"), lambda: self._step(1), "Right")
        add(self.tr("Closer"), lambda: self.zoom(1 / _ZOOM_STEP), "+", "=")
        add(self.tr("Farther"), lambda: self.zoom(_ZOOM_STEP), "-")
        add(self.tr("Whole recording"), self.show_whole, "Home")

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
        return None if self._is_distribution else self._place

    @property
    def length_ms(self) -> float | None:
        """The length that is read in a distribution."""
        return 10**self._place if self._is_distribution and self._place is not None else None

    @property
    def plots(self) -> tuple[GraphPlot, ...]:
        """What is shown, from left to right."""
        return tuple(plot for plot in (*self._times, self._shares) if plot.isVisible())

    @property
    def in_view(self) -> tuple[float, float]:
        """From which second to which is shown, or which lengths as decimal logarithms of ms."""
        low, high = self._leading.view.viewRange()[0]
        return low, high

    @property
    def is_zoomed(self) -> bool:
        return bool(self._curves) and self._leading.view.is_zoomed

    def show_curves(self, curves: Sequence[SessionCurve]) -> None:
        """Draw these instead, all of each. Those that are drawn stay as they are: further runs
        confirm a comparison while somebody has a close look."""
        before = [(each.badge, id(each.worst_ms), each.phases) for each in self._curves]
        if before and before == [(each.badge, id(each.worst_ms), each.phases) for each in curves]:
            return
        self._curves = tuple(curves)
        span = float(max(1, *(curve.length_s for curve in curves))) if curves else 1.0
        for plot in self._times:
            plot.view.show_whole(0.0, span, _LEAST_SPAN_S)
        found = self._distribution = distribution_of(self._curves)
        if found is not None:
            self._shares.view.show_whole(found.left, found.right, _LEAST_DECADE)
        self._arrange()

    def show_view(self, view: GraphView) -> None:
        self._view = view
        self._arrange()

    def set_picture(self, *, is_picture: bool) -> None:
        """Whether to leave out what only somebody before it can use."""
        self._is_picture = is_picture
        self._offer_whole()

    # --- what is drawn -----------------------------------------------------------------------

    @property
    def _is_distribution(self) -> bool:
        return self._view is GraphView.DISTRIBUTION

    @property
    def _leading(self) -> GraphPlot:
        """The plot that is shown, or the left one."""
        return self._shares if self._is_distribution else self._times[0]

    def _over_time(self) -> Iterator[tuple[GraphPlot, tuple[SessionCurve, ...]]]:
        """The plots over time that are shown, with their curves."""
        if self._is_distribution or not self._curves:
            return
        if self._view is GraphView.OVERLAY or len(self._curves) == 1:
            yield self._times[0], self._curves
        else:
            for plot, curve in zip(self._times, self._curves, strict=True):
                yield plot, (curve,)

    def _arrange(self) -> None:
        """Show the plots of this view."""
        over_time = dict(self._over_time())
        has_phases = any(curve.phases for curve in self._curves)
        for plot in self._times:
            curves = over_time.get(plot, ())
            plot.setVisible(bool(curves))
            phases = next((curve.phases for curve in curves if curve.phases), ())
            plot.bands.show_phases(phases, is_high=has_phases)
            plot.badge.show_letter(curves[0].badge if len(over_time) > 1 else "")
        self._shares.setVisible(self._is_distribution and self._distribution is not None)
        self.read(None)
        self._draw()

    def _draw(self, *_view: object) -> None:
        """What is in view; over time as many points as there is room, and the highest one fits."""
        low, high = self.in_view
        for plot, curves in self._over_time():
            plot.view.setYRange(0, self._above(0, top_of(self._curves, low, high)), padding=0)
            plot.show_lines([points_in(each, low, high, plot.columns) for each in curves])
        if self._is_distribution and self._distribution is not None:
            rare, usual = shares_in(self._distribution, low, high)
            self._shares.view.setYRange(rare, self._above(rare, usual), padding=0)
            self._shares.show_lines(self._distribution.lines)
        self._mark_place()
        self._offer_whole()

    def _moved(self, _view: object, seen: Sequence[float]) -> None:
        """Two plots beside each other show the same time."""
        for plot in self._times:
            plot.view.setXRange(*seen, padding=0)
        self._draw()

    def _above(self, low: float, top: float) -> float:
        """The upper end of the axis: with room for the way back above the curves."""
        if not self.is_zoomed:
            return top
        height = float(self._leading.view.rect().height())
        taken = self.whole.sizeHint().height() + 2 * _BESIDE_PX
        return low + (top - low) / (1 - min(taken / max(1.0, height), _MOST_ABOVE))

    def _offer_whole(self) -> None:
        """The way back stands in the upper right corner, which no curve reaches then."""
        if self.plots:
            corner = self.plots[-1].view.sceneBoundingRect().topRight()
            beside = self.plots[-1].badge.room
            self.whole.adjustSize()
            left = int(corner.x()) - self.whole.width() - 6 - beside
            self.whole.move(left, int(corner.y()) + _BESIDE_PX)
        self.whole.setVisible(self.is_zoomed and not self._is_picture)

    @Slot()
    def _dress(self) -> None:
        for plot in (*self._times, self._shares):
            plot.dress()
        self._draw()
        self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.hasFocus() and not self._is_picture:
            painter = QPainter(self.viewport())
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(self._theme.color("focus"), 2))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 5, 5)

    # --- zoom --------------------------------------------------------------------------------

    @Slot()
    def show_whole(self) -> None:
        """Show all there is again."""
        self._leading.view.back()

    def zoom(self, factor: float) -> None:
        """See so many times as much, below 1 less, around what is read."""
        view = self._leading.view
        low, high = self.in_view
        if self._place is not None and low <= self._place <= high:
            view.zoom(factor, QPointF(self._place, 0))
        else:
            view.zoom(factor)

    # --- reading values ----------------------------------------------------------------------

    def read(self, place: float | None) -> None:
        """Read the values at this second, or at the length next to this one; None: nowhere."""
        if place is not None and self._is_distribution:
            found = self._distribution
            place = None if found is None else length_near(found, place)
        if place != self._place:
            self._place = place
            self.pointed.emit(place)
            self._mark_place()

    def _mark_place(self) -> None:
        """The line where values are read: in the middle of its second, as the value is."""
        second = self.second
        middle = self._place if second is None else int(second) + 0.5
        for plot in self.plots:
            plot.show_moment(middle)

    def readings(self) -> list[tuple[str, float | None]]:
        """The badges and values at what is read: the longest frame in ms, or how many percent
        are longer."""
        place = self._place
        if place is None:
            return []
        value = share_longer if self._is_distribution else value_at
        return [(curve.badge, value(curve, place)) for curve in self._curves]

    def _step(self, direction: int) -> None:
        """Read the next value, and bring it into view."""
        low, high = self.in_view
        beside = self._length_beside if self._is_distribution else self._moment_beside
        place = beside(direction)
        if place is None:
            return
        self.read(place)
        room = 0.0 if self._is_distribution else 1.0
        beyond = min(0.0, place - low) + max(0.0, place + room - high)
        if beyond:
            self._leading.view.translateBy(x=beyond)

    def _moment_beside(self, direction: int) -> float | None:
        low, high = self.in_view
        step = max(1.0, (high - low) / 200) * direction
        start = (low - step if step > 0 else high) if self._place is None else self._place
        last = max(curve.length_s for curve in self._curves) - 1.0
        return min(max(0.0, start + step), max(0.0, last))

    def _length_beside(self, direction: int) -> float | None:
        if self._distribution is None:
            return None
        if self._place is None:
            return length_near(self._distribution, self.in_view[0 if direction > 0 else 1])
        return length_near(self._distribution, self._place, direction)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        places = (plot.x_at(event.position()) for plot in self.plots)
        self.read(next((place for place in places if place is not None), None))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Back to all there is."""
        self.show_whole()
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.read(None)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape forgets what is read, and shows all again."""
        if event.key() == Qt.Key.Key_Escape and (self._place is not None or self.is_zoomed):
            self.read(None)
            self.show_whole()
        elif not (self._curves and self.keys.press(event)):
            event.ignore()
