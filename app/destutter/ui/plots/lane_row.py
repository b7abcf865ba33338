# SPDX-License-Identifier: GPL-3.0-or-later
"""One row of the card: read-outs and lane, or a sentence where nothing can be measured."""

from collections.abc import Hashable, Sequence

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QStackedLayout, QWidget

from destutter.analysis.examining.pipeline import Snapshot
from destutter.diagnosis.finding import Spike
from destutter.diagnosis.stutters.spikes import WAKEUP_ORIGIN
from destutter.ui.look.theme import Theme
from destutter.ui.plots.gutter import NOTHING, Gutter, GutterNote
from destutter.ui.plots.lane import Lane
from destutter.ui.plots.lane_data import LaneData
from destutter.ui.plots.lane_show import LEAST_ROWS, LaneModel, LaneShow
from destutter.ui.plots.missing_row import MissingRow
from destutter.ui.plots.series import LaneSeries
from destutter.ui.plots.time_view import TimeView

_NEWEST_AGE_S = 1.5  # behind the newest time: as long as a line holds (lane_data.py)
_FRESH_S = 3.0  # a number that stopped is not shown as that of now
_REACH_S = 0.3  # a moment between two values is that of the next one
_LATE = 1.5  # of how often they come: what comes every five seconds may come after seven
_FEWEST_ROWS = 2  # a lane of one line is as high as others: a graph has to be seen


class LaneRow(QFrame):
    """A lane with its gutter. ``link_clicked(str)`` when the user wants its note explained."""

    link_clicked = Signal(str)

    def __init__(
        self, theme: Theme, view: TimeView, model: LaneModel, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setProperty("role", "row")
        self.model = model
        self._view = view
        self._show: LaneShow | None = None
        self._key: Hashable = None
        self._counted = 0
        self.gutter = Gutter(theme, self)
        self.lane = Lane(theme, view, self)
        self.missing = MissingRow(theme, self)
        right = QWidget(self)
        self._stack = QStackedLayout(right)
        self._stack.addWidget(self.lane)
        self._stack.addWidget(self.missing)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 1, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.gutter)
        layout.addWidget(right, 1)
        self.gutter.link_clicked.connect(self._ask)
        self.missing.clicked.connect(self._ask)

    @Slot()
    def _ask(self) -> None:
        self.link_clicked.emit(self.model.sources[0])

    @property
    def is_missing(self) -> bool:
        """Whether the lane gives way to a sentence."""
        return self._stack.currentWidget() is self.missing

    @property
    def stops(self) -> tuple[QWidget, ...]:
        """What can take the focus, in the order of reading."""
        return self.gutter.link, self.lane, self.missing.button

    @property
    def title(self) -> str:
        return "" if self._show is None else self._show.title

    def show_count(self, stutters: int) -> None:
        """Read out so many stutters at once, if it reads out any; lanes are painted later."""
        self._counted = stutters
        if self._show is not None and self._show.counts_stutters and not self.is_missing:
            self.gutter.set_value(len(self._show.content.lines), str(stutters))

    def accept_snapshot(self, snapshot: Snapshot) -> None:
        """Find out whether the lane can be measured."""
        troubles, sources = snapshot.troubles, self.model.sources
        is_missing = all(source in troubles for source in sources)
        reason = troubles[sources[0]] if is_missing else None
        if reason is not None:
            self.missing.explain(self.model.sources[0], reason)
        wanted: QWidget = self.lane if reason is None else self.missing
        if wanted is not self._stack.currentWidget():
            self._stack.setCurrentWidget(wanted)
            self._show = None

    def refresh(self, data: LaneData, spikes: Sequence[Spike]) -> None:
        rows = self.gutter.rows_that_fit
        key = self.model.key(data, rows)
        if self._show is None or key != self._key:
            self._key, self._show = key, self.model.show(data, rows)
            self._take_over(self._show)
        if not self.is_missing:
            dots = []
            if self._show.counts_stutters:
                dots = [
                    (data.seconds(one.monotonic_ns), one.duration_ms)
                    for one in spikes
                    if not (self._show.without_wakeups and one.origin == WAKEUP_ORIGIN)
                ]
            self.lane.refresh(dots)

    def _take_over(self, show: LaneShow) -> None:
        self.gutter.set_title(show.title, show.tip)
        if self.is_missing:
            self.gutter.set_legends(())
            self.gutter.set_note(GutterNote(self.tr("not available")))
            return
        self.gutter.set_legends(show.legends, show.hidden)
        self.show_count(self._counted)
        self.gutter.set_note(show.note)
        rows = len(show.legends) + bool(show.hidden)
        rows = max(_FEWEST_ROWS, min(rows, LEAST_ROWS))
        self.setMinimumHeight(self.gutter.height_of(rows))
        self.lane.setAccessibleName(self.tr("{lane} graph").format(lane=show.title))
        self.lane.set_content(show.content)

    def apply_theme(self) -> None:
        self.lane.apply_theme()
        self.gutter.update()

    def show_values(self, data: LaneData, moment_s: float | None) -> None:
        """Read out the lines at a moment, or their newest values."""
        show = self._show
        if show is None or self.is_missing:
            return
        column_s = self._view.span_s / max(1, self.lane.columns)
        values = []
        for line in show.content.lines:
            if moment_s is None:
                fresh = max(_FRESH_S, _LATE * show.every_s)
                is_fresh = _is_fresh(line.series, data, fresh)
                value = line.series.newest(_NEWEST_AGE_S) if is_fresh else None
            else:
                value = line.series.highest(moment_s - column_s, moment_s + column_s)
                if value is None:
                    reach = max(_REACH_S, _LATE * show.every_s, column_s)
                    value = line.series.value_at(moment_s, reach)
            values.append(NOTHING if value is None else show.write(value))
        if show.counts_stutters:
            values.append(str(self._counted))
        if show.figures is not None:
            values += show.figures(self._view.left_s, self._view.right_s)
        self.gutter.set_values(values)
        if self.lane.hasFocus():
            self.lane.setAccessibleDescription(self.gutter.text)


def _is_fresh(series: LaneSeries, data: LaneData, fresh_s: float) -> bool:
    last = series.last_s
    return last is not None and data.now_s - last <= fresh_s
