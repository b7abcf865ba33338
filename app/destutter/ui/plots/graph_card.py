# SPDX-License-Identifier: GPL-3.0-or-later
"""The card of graphs: strip of stutters, lanes with read-outs, and the time axis.

All lanes share one view of time, one cross-hair and one chosen stutter. A lane is painted when a
new pixel column is due, one lane per turn of the event loop, and never while nobody can see it.
"""

from collections import deque
from collections.abc import Iterable, Sequence
from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QHideEvent, QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from destutter.analysis.examining.pipeline import Snapshot
from destutter.core.metrics import Gap
from destutter.diagnosis.finding import Spike
from destutter.ui.controls.own_keys import OwnKeys
from destutter.ui.look.theme import Theme
from destutter.ui.plots.chosen_moment import ChosenMoment
from destutter.ui.plots.lane import Lane
from destutter.ui.plots.lane_data import TRACED, LaneData
from destutter.ui.plots.lane_row import LaneRow
from destutter.ui.plots.lane_rows import LaneRows
from destutter.ui.plots.lane_show import LaneModel
from destutter.ui.plots.signs_of_view import signs_of_view
from destutter.ui.plots.strip_notes import gap_text, no_text, notes_in_view
from destutter.ui.plots.strip_row import StripRow
from destutter.ui.plots.time_row import TimeRow
from destutter.ui.plots.time_ticks import Ticks, time_ticks
from destutter.ui.plots.time_view import TimeView
from destutter.ui.plots.traced_series import wait_marks
from destutter.ui.words.quantities import Quantities, WallClock

# 30 times a second: following the pointer at 60 Hz took 28 % of a core.
_HOVER_MS = 33
_READ_OUT_EVERY = 4  # numbers that change four times a second cannot be read
_REST_MS = 700  # a choice: without a new picture for so long, numbers are those of the newest
_ZOOM_STEP = 1.25


class GraphCard(QFrame):
    """Graphs over one time axis.

    Signals: ``spike_chosen(Spike)`` when a stutter was selected (None: none is),
    ``cause_requested()`` for Enter on a selected stutter, ``paused_changed(bool)`` when the view
    begins or ends standing still, ``span_changed(float)`` in seconds, ``list_requested()`` for
    the stutters as a list, ``link_clicked(str)`` for the note of a lane, with the source that
    it shows, ``choice_requested()`` for choosing the lanes.
    """

    spike_chosen = Signal(object)
    cause_requested = Signal()
    paused_changed = Signal(bool)
    span_changed = Signal(float)
    list_requested = Signal()
    link_clicked = Signal(str)
    choice_requested = Signal()

    def __init__(
        self,
        theme: Theme,
        quantities: Quantities,
        clock: WallClock,
        models: Sequence[LaneModel],
        parent: QWidget | None = None,
        data: LaneData | None = None,
    ) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        # Time runs to the right in every language; the read-outs stay beside their axis.
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self._quantities = quantities
        self._clock = clock
        self.data = LaneData() if data is None else data
        self.view = TimeView(now_s=self.data.now_s, oldest_s=self.data.oldest_s)
        self.choice = ChosenMoment(self.data, self.view)
        self._painted_column: int | None = None
        self._read_out_turn = 0
        self._in_view: list[Spike] = []
        self._ticks: Ticks = []
        self._ticks_of: tuple[float, int] | None = None
        self._queue: deque[LaneRow] = deque()
        self.strip_row = StripRow(theme, quantities, self)
        self._last: Snapshot | None = None
        self._rows = LaneRows(theme, self.view, self._connect_row, self)
        self._rows.show_models(models)
        self.data.keep(self._rows.measures)
        self.time_row = TimeRow(theme, self)
        self._turn = QTimer(self)
        self._turn.setSingleShot(True)
        self._turn.timeout.connect(self._paint_next)
        self._hover = QTimer(self)
        self._hover.setSingleShot(True)
        self._hover.setInterval(_HOVER_MS)
        self._hover.timeout.connect(self._show_moment)
        # The end of a recording: no painting follows, and the last values are still to be told.
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(_REST_MS)
        self._rest.timeout.connect(self._show_moment)
        self.keys = OwnKeys(self)
        self._name_keys()
        self._build()
        theme.changed.connect(self._apply_theme)

    def _build(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(1, 1, 1, 1)
        layout.setSpacing(0)
        layout.addWidget(self.strip_row)
        layout.addLayout(self._rows, 1)
        layout.addWidget(self.time_row)
        self.strip_row.strip.chosen.connect(self.select)
        self.strip_row.list_clicked.connect(self.list_requested)
        self.time_row.back_clicked.connect(self.follow)
        self.time_row.lanes_clicked.connect(self.choice_requested)

    def _connect_row(self, row: LaneRow) -> None:
        row.lane.hovered.connect(self._hovered)
        row.lane.left.connect(self._unhovered)
        row.lane.pressed.connect(self._pressed)
        row.lane.dragged.connect(self._dragged)
        row.lane.wheeled.connect(self._wheeled)
        row.link_clicked.connect(self.link_clicked)

    def show_lanes(self, models: Sequence[LaneModel]) -> None:
        """These lanes from top to bottom, at least one, from now on; of others nothing is kept."""
        self._queue.clear()
        self._rows.show_models(models)
        self.data.keep(self._rows.measures)
        self._rows.order_tabs(self.strip_row.list_button, self.time_row.stops)
        for row in self._rows:
            row.show()
            if self._last is not None:
                row.accept_snapshot(self._last)
        self._ticks_of = None
        layout = self.layout()
        if layout is not None:
            layout.activate()  # what runs through all lanes is placed by the first of them
        self._repaint()

    # --- data -----------------------------------------------------------------------------------

    @property
    def rows(self) -> tuple[LaneRow, ...]:
        """The lanes from top to bottom."""
        return tuple(self._rows)

    def accept_snapshots(self, snapshots: Iterable[Snapshot]) -> None:
        """Take in what was measured, and paint if a new column is due and somebody looks."""
        for snapshot in snapshots:
            self.data.accept_snapshot(snapshot)
            told = snapshot.assessment
            self.choice.show_spikes(told.spikes, told.uncounted)
            self._last = snapshot
            for row in self._rows:
                row.accept_snapshot(snapshot)
        self.view.oldest_s = self.data.oldest_s
        self.view.advance(self.data.now_s)
        if self._is_seen():
            self._show_counts()
            self._paint_if_due()

    def _show_counts(self) -> None:
        """One number of stutters, in the strip and in the lanes, of one moment.

        With the lanes that are painted, which on a busy computer takes seconds, 32 stood above 30.
        """
        self._in_view = self.choice.visible_spikes()
        stutters = len(self._in_view)
        self.strip_row.show_count(stutters, self.view.span_s)
        for row in self._rows:
            row.show_count(stutters)

    # --- painting -------------------------------------------------------------------------------

    def _is_seen(self) -> bool:
        window = self.window()
        # Without updates a full-screen game lies above the window.
        if not self.isVisible() or window.isMinimized() or not self.updatesEnabled():
            return False
        # Wayland says "not exposed" for windows behind others; other platforms always "exposed".
        return window.windowHandle().isExposed()

    def _paint_if_due(self) -> None:
        if not self.view.is_live and self._painted_column is not None:
            self._show_time()
            return
        column = self.view.column(self.view.right_s, self._rows.first.lane.columns)
        if column != self._painted_column:
            self._painted_column = column
            self._paint_all()

    def _paint_all(self) -> None:
        """Queue all lanes; what runs through them is drawn in the same turns."""
        self._read_out_turn += 1
        self._show_time()
        # What still waits goes first: beside a busy game there is a turn or two between two ticks,
        # and who begins at the top each time never comes to the lower lanes.
        self._queue.extend(row for row in self._rows if row not in self._queue)
        self._turn.start(0)

    @Slot()
    def _paint_next(self) -> None:
        if not self._queue:
            return
        self._paint(self._queue.popleft())
        if self._queue:
            # One lane a turn of the loop: all at once took a core from a game for up to 4 ms, one
            # takes less than 1.
            self._turn.start(0)
        else:
            self._rest.start()

    def _paint(self, row: LaneRow) -> None:
        row.refresh(self.data, self.choice.spikes)
        self._show_signs(row)
        is_due = self._read_out_turn % _READ_OUT_EVERY == 0
        if self.choice.is_reading or is_due:
            row.show_values(self.data, self._moment_s())

    def _repaint(self) -> None:
        if self._is_seen():
            self._painted_column = None
            self._read_out_turn = -1
            self._paint_all()

    @Slot()
    def _apply_theme(self) -> None:
        for row in self._rows:
            row.apply_theme()
        self.strip_row.apply_theme()
        self.time_row.update()
        self._repaint()

    # --- what runs through all lanes ------------------------------------------------------------

    def _moment_s(self) -> float | None:
        return self.choice.moment_s(self._rows.first.lane.columns)

    def _gap_text(self, gap: Gap) -> str:
        return gap_text(gap, self._clock)

    def _show_signs(self, row: LaneRow) -> None:
        signs = signs_of_view(
            row.lane,
            self.data,
            (self._in_view, self.choice.visible_uncounted()),
            self.choice.selected,
            self._moment_s(),
            self._gap_text if row is self._rows.first else no_text,
        )
        row.lane.set_signs(signs)

    def _show_time(self) -> None:
        lane = self._rows.first.lane
        moment = self._moment_s()
        flag = None
        if moment is not None:
            at = self._clock.time(self.data.monotonic_ns(moment), tenths=True)
            flag = (lane.x_of(moment) - lane.plot.left(), at)
        self._show_grid(lane)
        self.time_row.show_ticks(self._ticks, flag, lane.plot.left())
        self.time_row.show_behind(self._behind())
        self._show_counts()
        positions = [lane.x_of(self.data.seconds(s.monotonic_ns)) for s in self._in_view]
        self.strip_row.show_spikes(self._in_view, positions, self.choice.selected)
        where, how = (self.data, self.view, lane.x_of), (self._quantities, self._clock)
        self.strip_row.strip.show_notes(notes_in_view(*where, *how))
        waits = wait_marks(partial(self.data.series, TRACED), self.view, lane.x_of)
        self.strip_row.strip.show_waits(waits)

    def _behind(self) -> str | None:
        if self.view.is_live:
            return None
        behind_s = self.view.behind_s
        return self._quantities.clock(behind_s) if behind_s >= 1 else ""

    def _show_grid(self, lane: Lane) -> None:
        """Ticks and grid lines; while the view follows, they only depend on its size."""
        ticks_of = (self.view.span_s, lane.columns) if self.view.is_live else None
        if ticks_of is not None and ticks_of == self._ticks_of:
            return
        self._ticks_of = ticks_of
        self._ticks = time_ticks(
            self.view, lane.columns, self._quantities, self._clock, self.data.monotonic_ns
        )
        for row in self._rows:
            row.lane.set_grid([x for x, _ in self._ticks])

    # --- choosing a moment ----------------------------------------------------------------------

    @Slot(float)
    def _hovered(self, x_px: float) -> None:
        self.choice.pointer_px = x_px
        if not self._hover.isActive():
            self._hover.start()

    @Slot()
    def _unhovered(self) -> None:
        if self.choice.pointer_px is not None:
            self.choice.pointer_px = None
            self._hover.start()

    @Slot()
    def _show_moment(self) -> None:
        if not self._is_seen():
            return
        self._show_time()
        for row in self._rows:
            self._show_signs(row)
            row.show_values(self.data, self._moment_s())

    @Slot(object)
    def select(self, spike: Spike | None) -> None:
        """Choose a stutter: bring it into view and read out its moment."""
        self.choice.selected = spike
        if spike is not None:
            was_live = self.view.is_live
            self.view.show_moment(self.data.seconds(spike.monotonic_ns))
            self._tell_pause(was_live=was_live)
        self.spike_chosen.emit(spike)
        self._repaint()

    def show_moment(self, monotonic_ns: int) -> None:
        """Bring a moment into view and put the cross-hair there."""
        was_live = self.view.is_live
        moment_s = self.data.seconds(monotonic_ns)
        self.view.show_moment(moment_s)
        self.view.hold()
        self._tell_pause(was_live=was_live)
        lane = self._rows.first.lane
        self.choice.pointer_px = lane.x_of(moment_s) - lane.plot.left()
        self._repaint()

    @Slot(float)
    def _pressed(self, x_px: float) -> None:
        lane = self._rows.first.lane
        self.select(self.choice.spike_near(x_px + lane.plot.left(), lane.x_of))

    def step(self, direction: int) -> None:
        """Choose the next stutter in this direction, or the last one if none is chosen."""
        spike = self.choice.next_spike(direction)
        if spike is not None:
            self.select(spike)

    # --- moving through time --------------------------------------------------------------------

    @Slot()
    def follow(self) -> None:
        """Back to the present."""
        was_live = self.view.is_live
        self.view.follow()
        self._tell_pause(was_live=was_live)
        self._repaint()

    def hold(self) -> None:
        was_live = self.view.is_live
        self.view.hold()
        self._tell_pause(was_live=was_live)
        self._repaint()

    def set_span(self, span_s: float) -> None:
        self.view.set_span(span_s)
        self.span_changed.emit(self.view.span_s)
        self._repaint()

    def zoom(self, factor: float, x_px: float | None = None) -> None:
        """Show ``factor`` times as much time, around a pixel or the right edge."""
        share = 1.0 if x_px is None else x_px / self._rows.first.lane.columns
        self.view.zoom(factor, self.view.left_s + share * self.view.span_s)
        self.span_changed.emit(self.view.span_s)
        self._repaint()

    @Slot(float)
    def _dragged(self, delta_px: float) -> None:
        was_live = self.view.is_live
        self.view.pan(-delta_px * self.view.span_s / self._rows.first.lane.columns)
        self._tell_pause(was_live=was_live)
        self._repaint()

    @Slot(float, float)
    def _wheeled(self, steps: float, x_px: float) -> None:
        self.zoom(_ZOOM_STEP**-steps, x_px)

    def _tell_pause(self, *, was_live: bool) -> None:
        if was_live != self.view.is_live:
            self.paused_changed.emit(not self.view.is_live)

    # --- events ---------------------------------------------------------------------------------

    def _name_keys(self) -> None:
        add, closer, farther = self.keys.add, 1 / _ZOOM_STEP, _ZOOM_STEP
        add(self.tr("The stutter before"), lambda: self.step(-1), "Left")
        add(self.tr("The stutter after"), lambda: self.step(1), "Right")
        add(self.tr("The oldest measurement"), self._go_to_oldest, "Home")
        add(self.tr("Back to now"), self.follow, "End")
        add(self.tr("Closer"), lambda: self.zoom(closer), "+", "=")
        add(self.tr("Farther"), lambda: self.zoom(farther), "-")
        add(self.tr("The cause of the chosen stutter"), self._request_cause, "Return", "Enter")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape forgets the chosen stutter; others are the graphs' own."""
        if event.key() == Qt.Key.Key_Escape and self.choice.selected is not None:
            self.select(None)
        elif not self.keys.press(event):
            super().keyPressEvent(event)

    def _request_cause(self) -> None:
        if self.choice.selected is not None:
            self.cause_requested.emit()

    def _go_to_oldest(self) -> None:
        was_live = self.view.is_live
        self.view.go_to_oldest()
        self._tell_pause(was_live=was_live)
        self._repaint()

    def showEvent(self, event: QShowEvent) -> None:
        """What arrived while nobody looked is painted now."""
        super().showEvent(event)
        self.window().installEventFilter(self)
        # Now, although the window may not be exposed yet: what is painted too early is kept. And
        # all of it: lanes of two moments below each other tell of a connection that is none.
        self._painted_column = None
        self._read_out_turn = -1
        self._paint_all()
        while self._queue:
            self._paint(self._queue.popleft())

    def hideEvent(self, event: QHideEvent) -> None:
        """Nothing is painted for nobody."""
        super().hideEvent(event)
        self._turn.stop()
        self._hover.stop()
        self._rest.stop()
        self._queue.clear()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Other width, other columns."""
        super().resizeEvent(event)
        self._repaint()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The window is shown again after it was minimised."""
        if event.type() == QEvent.Type.WindowStateChange and not self.window().isMinimized():
            self._repaint()
        return super().eventFilter(watched, event)
