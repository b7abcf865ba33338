# SPDX-License-Identifier: GPL-3.0-or-later
"""The proof of a finding: its stutters one after the other beside the suspected signal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from destutter.diagnosis.finding import Evidence, Finding, Spike
from destutter.ui.causes.evidence_table import EvidenceTable
from destutter.ui.causes.evidence_title import evidence_title
from destutter.ui.causes.listed_moments import (
    ListedMoment,
    longest,
    moment_of,
    moments_of,
    neighbour,
)
from destutter.ui.controls.elided import ElidedLabel
from destutter.ui.controls.legend import Legend
from destutter.ui.controls.segments import Segments
from destutter.ui.look.theme import Theme
from destutter.ui.plots.evidence_axis import SPAN_S, EvidenceLine, effect_line, signal_line
from destutter.ui.plots.evidence_graph import EvidenceGraph, EvidencePicture
from destutter.ui.words.quantities import MINUS, Quantities, WallClock
from destutter.ui.words.words import Words

if TYPE_CHECKING:
    from destutter.ui.plots.lane_data import LaneData

_GRAPH, _TEXT = "graph", "text"
_TICK_S = 5.0
_MEAN_S = 1.0  # rules judge by the second
_HIGHER = 1.1  # times a figure: less is seen in no curve
_READ_S = 0.15  # a tick and a half: what was read just before covers the first moment
WAKEUP_METRIC = "wakeup.worst_ms"


class EvidenceCard(QFrame):
    """Shows a finding's moments. ``read_data`` gives the measurements that the lanes keep.

    ``chosen()`` when another moment or another signal is shown.
    """

    chosen = Signal()

    def __init__(
        self,
        theme: Theme,
        words: Words,
        quantities: Quantities,
        clock: WallClock,
        read_data: Callable[[], LaneData | None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setProperty("role", "well")
        self._theme = theme
        self._words = words
        self._quantities = quantities
        self._clock = clock
        self._read_data = read_data
        self.refresh_hz = 60.0
        self._finding: Finding | None = None
        self._spikes: tuple[Spike, ...] = ()
        self._moments: tuple[ListedMoment, ...] = ()
        self._moment: ListedMoment | None = None
        self._is_picked = False
        self._evidence_index = 0
        self._drawn: object = None
        self.title = ElidedLabel("", "strong", self)
        self.count = QLabel(self)
        self.count.setProperty("role", "small")
        self.previous = self._step_button(self.tr("Stutter before"), -1)
        self.next = self._step_button(self.tr("Stutter after"), 1)
        self.views = Segments(
            self.tr("Evidence as"),
            ((_GRAPH, self.tr("Graph")), (_TEXT, self.tr("Text"))),
            self,
        )
        self.legends = (Legend(theme, self), Legend(theme, self))
        self.graph = EvidenceGraph(theme, self)
        self.graph.setAccessibleName(self.tr("Evidence graph"))
        self.table = EvidenceTable(theme, self)
        self._stack = QStackedWidget(self)
        self._build()
        theme.changed.connect(self._draw_icons)
        self._draw_icons()

    def _step_button(self, name: str, step: int) -> QPushButton:
        button = QPushButton(self)
        button.setProperty("role", "flat")
        button.setAccessibleName(name)
        button.setToolTip(name)
        size = self._theme.sizes.px(16)
        button.setIconSize(QSize(size, size))
        button.setFixedWidth(self._theme.sizes.px(26))
        button.clicked.connect(self._step_back if step < 0 else self._step_on)
        return button

    def _build(self) -> None:
        sizes = self._theme.sizes
        head = QHBoxLayout()
        head.setSpacing(sizes.px(4))
        head.addWidget(self.title, 1)
        for widget in (self.previous, self.count, self.next):
            head.addWidget(widget)
        head.addSpacing(sizes.px(6))
        head.addWidget(self.views)
        legends = QHBoxLayout()
        legends.setSpacing(sizes.px(18))
        for legend in self.legends:
            legends.addWidget(legend)
        legends.addStretch(1)
        self._stack.addWidget(self.graph)
        self._stack.addWidget(self.table)
        self.set_low(is_low=False)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(sizes.px(12), sizes.px(8), sizes.px(8), sizes.px(6))
        layout.setSpacing(sizes.px(4))
        layout.addLayout(head)
        layout.addLayout(legends)
        layout.addWidget(self._stack)
        self.views.choose(_GRAPH)
        self.views.chosen.connect(self._view_chosen)
        self.graph.stepped.connect(self.step)
        self.graph.moved.connect(self._read_out)
        self.table.chosen.connect(self._choose_row)

    # --- what is shown --------------------------------------------------------------------------

    def set_low(self, *, is_low: bool) -> None:
        """Less height for the graph, and for the text in its place."""
        self.graph.set_low(is_low=is_low)
        self._stack.setFixedHeight(self.graph.sizeHint().height())

    @property
    def moment(self) -> ListedMoment | None:
        return self._moment

    @property
    def evidence(self) -> Evidence | None:
        """The measurement whose signal is shown."""
        if self._finding is None or not self._finding.evidence:
            return None
        return self._finding.evidence[min(self._evidence_index, len(self._finding.evidence) - 1)]

    def time_of(self, evidence: Evidence) -> str:
        """When that moment was of which the value is."""
        moment = moment_of(evidence, self._moments)
        return self._clock.time((evidence if moment is None else moment).monotonic_ns)

    def show_finding(self, finding: Finding, spikes: Sequence[Spike]) -> None:
        """Show this finding, or what is new about it; a moment that was picked stays."""
        if self._finding is None or finding.cause != self._finding.cause:
            self._is_picked, self._moment = False, None
            self._evidence_index = _first_suspect(finding)
        self._finding, self._spikes = finding, tuple(spikes)
        self._moments = moments_of(finding, spikes)
        at = None if self._moment is None else self._moment.monotonic_ns
        same = next((one for one in self._moments if one.monotonic_ns == at), None)
        self._moment = same if same is not None and self._is_picked else self._first
        self.refresh()

    @property
    def _first(self) -> ListedMoment | None:
        """What is shown while nobody has gone to another: the moment whose figure the card tells.

        A wait was told as 619 ms/s, and the graph of the longest stutter had 1,000 of the same.
        """
        return moment_of(self.evidence, self._moments) or longest(self._moments)

    @property
    def shows_measured(self) -> bool:
        """Whether the moment that is shown is the one that the measurement is of."""
        return self._moment is not None and self._moment == moment_of(self.evidence, self._moments)

    def pick_time(self, monotonic_ns: int) -> None:
        """Show the moment of the finding that is nearest to this time."""
        near = min(
            self._moments, key=lambda one: abs(one.monotonic_ns - monotonic_ns), default=None
        )
        self._pick(near)

    def pick_evidence(self, index: int) -> None:
        """Draw the signal of another measurement, at the moment that its value is of."""
        self._evidence_index = index
        self._is_picked, self._moment = False, self._first
        self.refresh()
        self.chosen.emit()

    @Slot(int)
    def step(self, direction: int) -> None:
        """To the stutter before or after."""
        found = neighbour(self._moments, self._moment, direction)
        if found is not None:
            self._pick(found)

    def _pick(self, moment: ListedMoment | None) -> None:
        self._is_picked = moment is not None
        self._moment = moment or self._first
        self.refresh()
        self.chosen.emit()

    def refresh(self) -> None:
        """Draw what is new; nothing while nobody looks."""
        if not self.isVisible() or self.window().isMinimized():
            return
        key = self._key()
        if key == self._drawn:
            return
        self._drawn = key
        self._show_head()
        picture = self._picture()
        self.graph.show_picture(picture)
        self._read_out(None)
        if self._stack.currentWidget() is self.table:
            self._show_table(picture)
        self.graph.setAccessibleDescription(self._description(picture))

    def _key(self) -> object:
        """Changes exactly when the picture would."""
        data = self._read_data()
        times = tuple(spike.monotonic_ns for spike in self._spikes)
        evidence, moment = self.evidence, self._moment
        if data is None or moment is None:
            return moment, evidence, data is None
        end_s = data.seconds(moment.monotonic_ns) + SPAN_S / 2
        return (
            moment,
            evidence,
            times,
            self._moments,
            round(min(data.now_s, end_s)),
            (data.frames_origin),
        )

    def _show_head(self) -> None:
        moment = self._moment
        self.title.set_full_text("" if moment is None else self._title(moment))
        has_many = len(self._moments) > 1
        for widget in (self.previous, self.count, self.next):
            widget.setVisible(has_many)
        if has_many and moment is not None:
            at = next(
                i for i, one in enumerate(self._moments) if one.monotonic_ns == moment.monotonic_ns
            )
            text = self.tr("{number} of {count}").format(
                number=self._quantities.number(at + 1),
                count=self._quantities.number(len(self._moments)),
            )
            self.count.setText(text)
            self.previous.setEnabled(at > 0)
            self.next.setEnabled(at + 1 < len(self._moments))

    def _title(self, moment: ListedMoment) -> str:
        is_open = self._finding is not None and self._finding.is_open
        return evidence_title(moment, self._spikes, self._quantities, self._clock, is_open=is_open)

    # --- the graph ------------------------------------------------------------------------------

    def _lines(self) -> tuple[EvidenceLine, EvidenceLine | None]:
        data, evidence, finding = self._read_data(), self.evidence, self._finding
        effect = effect_line(data, self._quantities, self.refresh_hz)
        if evidence is None or finding is None:
            return effect, None
        name = self._words.metric(evidence)
        return effect, signal_line(data, self._quantities, evidence, name, finding.group.value)

    def _picture(self) -> EvidencePicture:
        effect, signal = self._lines()
        data, moment = self._read_data(), self._moment
        if data is None or moment is None:
            nothing = self.tr("Nothing was measured yet.")
            return EvidencePicture(effect, signal, 0.0, None, (), (), (), nothing=nothing)
        centre = data.seconds(moment.monotonic_ns)
        left, right = centre - SPAN_S / 2, centre + SPAN_S / 2
        is_kept = effect.covers(left, right) or (signal is not None and signal.covers(left, right))
        band = None
        if moment.duration_ms is not None:
            band = (data.seconds(moment.start_ns), centre)
        return EvidencePicture(
            effect,
            signal,
            centre,
            band,
            self._dots(left, right, is_explained=True),
            self._dots(left, right, is_explained=False),
            self._ticks(moment, centre),
            "" if is_kept else self.tr("The measurements of that moment are kept no longer."),
        )

    def _dots(
        self, left_s: float, right_s: float, *, is_explained: bool
    ) -> tuple[tuple[float, float], ...]:
        """End and length of those in view that the finding explains, or of the others."""
        data, ends_ns = self._read_data(), () if self._finding is None else self._finding.ends_ns
        mine = [each for each in self._spikes if (each.monotonic_ns in ends_ns) is is_explained]
        ends = [(data.seconds(each.monotonic_ns), each.duration_ms) for each in mine if data]
        return tuple(end for end in ends if left_s <= end[0] <= right_s)

    def _ticks(self, moment: ListedMoment, centre_s: float) -> tuple[tuple[float, str], ...]:
        ticks = [(centre_s, self._clock.time(moment.monotonic_ns, tenths=True))]
        for step in (1.0, 2.0):
            span = self._quantities.span(step * _TICK_S)
            if step * _TICK_S < SPAN_S / 2:
                ticks.append((centre_s - step * _TICK_S, f"{MINUS}{span}"))
                ticks.append((centre_s + step * _TICK_S, f"+{span}"))
        return tuple(ticks)

    def _threshold_text(self, value: float | None) -> str:
        evidence = self.evidence
        if evidence is None:
            return ""
        if value is None:
            return self.tr("not measured then")
        is_less = value < evidence.threshold
        told = (
            self.tr("too little to count, from {value}")
            if is_less
            else self.tr("on average, counts from {value}")
            if self._is_mean(value)
            else self.tr("counts from {value}")
        )
        return told.format(value=self._words.threshold(evidence))

    def _is_mean(self, value: float | None) -> bool:
        """Whether it is the figure of a span in which the curve beside it goes well higher."""
        evidence, data, picture = self.evidence, self._read_data(), self.graph.picture
        if evidence is None or value != evidence.value or data is None or picture is None:
            return False
        at_s = data.seconds(evidence.monotonic_ns)
        highest = (
            None
            if picture.signal is None
            else picture.signal.highest(at_s - _MEAN_S, at_s + _READ_S)
        )
        return highest is not None and highest > _HIGHER * value

    def _value_at(self, moment: ListedMoment, signal: EvidenceLine) -> float | None:
        """What the signal was at a moment: the measurement's own value where it is of that one."""
        data, evidence = self._read_data(), self.evidence
        if evidence is not None and moment == moment_of(evidence, self._moments):
            return evidence.value
        if data is None:
            return None
        start, end = data.seconds(moment.start_ns), data.seconds(moment.monotonic_ns)
        return signal.highest(start - _READ_S, end)

    @Slot(object)
    def _read_out(self, moment_s: float | None) -> None:
        """Values at the pointer, else those of the moment itself."""
        data, moment, picture = self._read_data(), self._moment, self.graph.picture
        if data is None or moment is None or picture is None:
            return
        low, high = data.seconds(moment.start_ns) - _READ_S, data.seconds(moment.monotonic_ns)
        if moment_s is not None:
            low, high = moment_s - _READ_S, moment_s
        values = [picture.effect.highest(low, high), None]
        if picture.signal is not None:
            at_pointer = picture.signal.highest(low, high)
            values[1] = self._value_at(moment, picture.signal) if moment_s is None else at_pointer
        if moment_s is None and moment.duration_ms is not None and not moment.is_by_pace:
            values[0] = moment.duration_ms
        notes = ("", self._threshold_text(values[1]))
        for legend, line, value, note in zip(
            self.legends, (picture.effect, picture.signal), values, notes, strict=True
        ):
            legend.setVisible(line is not None)
            if line is not None:
                text = "–" if value is None else line.write(value)
                legend.show_line(line.name, text, line.color, note)

    def _description(self, picture: EvidencePicture) -> str:
        parts = [legend.text for legend in self.legends if not legend.isHidden()]
        return picture.nothing or ". ".join(parts)

    def _show_table(self, picture: EvidencePicture) -> None:
        signal = picture.signal
        heads = [self.tr("Time"), self.tr("Length")]
        if signal is not None:
            heads += [signal.name, self.tr("Limit")]
        rows = [self._table_row(one, signal) for one in self._moments]
        at = next((i for i, one in enumerate(self._moments) if one == self._moment), -1)
        self.table.show_rows(heads, rows, at)

    def _table_row(self, moment: ListedMoment, signal: EvidenceLine | None) -> list[str]:
        length = "–"
        if moment.duration_ms is not None:
            length = self._quantities.milliseconds(moment.duration_ms)
        row = [self._clock.time(moment.monotonic_ns, tenths=True), length]
        if signal is not None and self.evidence is not None:
            # A limit beside what did not reach it, or beside nothing, reads like a proof.
            value = self._value_at(moment, signal)
            if value is None or value < self.evidence.threshold:
                return [*row, "", self._threshold_text(value)]
            row += [signal.write(value), self._words.threshold(self.evidence)]
        return row

    @Slot()
    def _step_back(self) -> None:
        self.step(-1)

    @Slot()
    def _step_on(self) -> None:
        self.step(1)

    @Slot(int)
    def _choose_row(self, row: int) -> None:
        if 0 <= row < len(self._moments) and self._moments[row] != self._moment:
            self._pick(self._moments[row])

    @Slot(str)
    def _view_chosen(self, view: str) -> None:
        self._stack.setCurrentWidget(self.table if view == _TEXT else self.graph)
        self._drawn = None
        self.refresh()

    @Slot()
    def _draw_icons(self) -> None:
        tokens, size = self._theme.tokens, self._theme.sizes.px(16)
        names = ["previous", "next"]
        if self.layoutDirection() == Qt.LayoutDirection.RightToLeft:
            names.reverse()
        for button, name in zip((self.previous, self.next), names, strict=True):
            button.setIcon(self._theme.icons.icon(name, tokens.text, size, tokens.border_strong))


def _first_suspect(finding: Finding) -> int:
    """The first measurement that is not the delay itself, which the left axis shows."""
    places = (i for i, one in enumerate(finding.evidence) if one.metric != WAKEUP_METRIC)
    return next(places, 0)
