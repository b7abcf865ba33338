# SPDX-License-Identifier: GPL-3.0-or-later
"""The card with the graph: title, what is read from it, and the choice of the view."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QVBoxLayout, QWidget

from destutter.analysis.examining.summary import SessionSummary
from destutter.ui.controls.elided import WrappedLabel
from destutter.ui.controls.legend import Legend
from destutter.ui.controls.segments import Segments
from destutter.ui.look.theme import Theme
from destutter.ui.sessions.graph_data import TONES, GraphView, SessionLane, curves_of, lane_of
from destutter.ui.sessions.graph_ticks import share_read
from destutter.ui.sessions.session_rows import RowTexts
from destutter.ui.words.quantities import Quantities

if TYPE_CHECKING:
    from destutter.ui.sessions.graph import SessionGraph

_LEAST_NAME_PX = 160
"""Room that a name keeps beside a longer one."""


class GraphPanel(QFrame):
    """Shows one session, or two."""

    def __init__(
        self, theme: Theme, quantities: Quantities, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        self._theme = theme
        self._quantities = quantities
        self._lane: SessionLane | None = None
        self._names: dict[str, str] = {}
        self._shaded = ""  # which of two has its phases drawn
        self.title = WrappedLabel("strong", self)
        self.reading = WrappedLabel("small", self)
        least = theme.sizes.px(_LEAST_NAME_PX)
        self.legends = {badge: Legend(theme, self, least_name=least) for badge in ("A", "B")}
        self.views = Segments(
            self.tr("View"),
            (
                (GraphView.OVERLAY, self.tr("Overlay")),
                (GraphView.SIDE_BY_SIDE, self.tr("Side by side")),
                (GraphView.DISTRIBUTION, self.tr("Distribution")),
            ),
            self,
        )
        self.views.choose(GraphView.OVERLAY)
        self.views.chosen.connect(self._view_chosen)
        self._build()

    @cached_property
    def graph(self) -> "SessionGraph":
        """Made for the first session: pyqtgraph takes 0.15 s and 30 MB, and a list needs none."""
        from destutter.ui.sessions.graph import SessionGraph

        graph = SessionGraph(self._theme, self._quantities, self)
        graph.pointed.connect(self._pointed)
        self._column.addWidget(graph, 1)
        self.setTabOrder(self.views.button(GraphView.DISTRIBUTION), graph)
        return graph

    def _build(self) -> None:
        theme = self._theme
        texts = QVBoxLayout()
        texts.setSpacing(0)
        texts.addWidget(self.title)
        texts.addWidget(self.reading)
        legends = QHBoxLayout()
        legends.setSpacing(theme.sizes.px(18))
        for legend in self.legends.values():
            legends.addWidget(legend)
        legends.addStretch(1)
        self.head = head = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        head.setSpacing(theme.sizes.px(12))
        head.addLayout(texts, 1)
        head.addWidget(self.views)
        layout = self._column = QVBoxLayout(self)
        pad = theme.sizes.px(14)
        layout.setContentsMargins(pad, theme.sizes.px(9), theme.sizes.px(9), theme.sizes.px(4))
        layout.setSpacing(theme.sizes.px(4))
        layout.addLayout(head)
        layout.addLayout(legends)

    def show_summaries(self, summaries: tuple[SessionSummary, ...]) -> None:
        """Draw these: one, or A and B. Hidden when there is nothing that both have."""
        self._lane = lane_of(summaries)
        self._names = self._names_of(summaries)
        self.setVisible(self._lane is not None)
        curves = () if self._lane is None else curves_of(summaries, self._lane)
        self.graph.show_curves(curves)
        self._shaded = next((curve.badge for curve in curves if curve.phases), "")
        beside = self.views.button(GraphView.SIDE_BY_SIDE)
        beside.setVisible(len(summaries) > 1)
        if len(summaries) == 1 and self.graph.view is GraphView.SIDE_BY_SIDE:
            self.views.choose(GraphView.OVERLAY)
            self.graph.show_view(GraphView.OVERLAY)
        overlay = self.views.button(GraphView.OVERLAY)
        overlay.setText(self.tr("Overlay") if len(summaries) > 1 else self.tr("Over time"))
        self._show_texts()

    def _show_texts(self) -> None:
        is_frames = self._lane is SessionLane.FRAMES
        if self.graph.view is GraphView.DISTRIBUTION:
            title = (
                self.tr("How many frames are longer")
                if is_frames
                else self.tr("How many wake-ups are later")
            )
        else:
            title = (
                self.tr("Longest frame in each second")
                if is_frames
                else self.tr("Latest wake-up in each second")
            )
        self.title.set_full_text(title)
        self.graph.setAccessibleName(title)
        self._show_reading()

    @Slot(str)
    def _view_chosen(self, view: str) -> None:
        self.graph.show_view(GraphView(view))
        self._show_texts()

    def _names_of(self, summaries: tuple[SessionSummary, ...]) -> dict[str, str]:
        """What A and B are; empty for one session."""
        if len(summaries) < 2:
            return {}
        texts = RowTexts(self._quantities)
        return {
            badge: f"{badge}  {texts.name(Path(summary.path).stem, summary.started_at)}"
            for badge, summary in zip(self.legends, summaries, strict=True)
        }

    @Slot(object)
    def _pointed(self, place: float | None) -> None:
        del place
        self._show_reading()

    def _show_reading(self) -> None:
        """What is read in the graph: of one session in a sentence, of two beside their names."""
        values = {badge: self._value(value) for badge, value in self.graph.readings()}
        text = self._reading(values.get("", ""))
        self.reading.set_full_text(text)
        for badge, legend in self.legends.items():
            legend.setVisible(bool(self._names))
            legend.show_line(self._names.get(badge, ""), values.get(badge, ""), TONES[badge])
        spoken = [legend.text for legend in self.legends.values() if self._names]
        self.graph.setAccessibleDescription(" · ".join([text, *spoken]))

    def _reading(self, value: str) -> str:
        second, length_ms = self.graph.second, self.graph.length_ms
        if second is not None:
            at = self._quantities.clock(second)
            if self._names:
                return self.tr("At {time}").format(time=at)
            return self.tr("At {time}: {values}").format(time=at, values=value)
        if length_ms is not None:
            return self._length_reading(self._quantities.milliseconds(length_ms), value)
        return self._usual_reading()

    def _length_reading(self, length: str, share: str) -> str:
        is_frames = self._lane is SessionLane.FRAMES
        if self._names:
            of_both = (
                self.tr("Frames longer than {length}:")
                if is_frames
                else self.tr("Wake-ups later than {length}:")
            )
            return of_both.format(length=length)
        text = (
            self.tr("Longer than {length}: {share} of the frames")
            if is_frames
            else self.tr("Later than {length}: {share} of the wake-ups")
        )
        return text.format(length=length, share=share)

    def _usual_reading(self) -> str:
        if self.graph.view is GraphView.DISTRIBUTION:
            return self.tr("Point at the graph to read how many took longer than the time below")
        if self._shaded:
            return self.tr("Shaded: the phases of {badge}").format(badge=self._shaded)
        return self.tr("Point at the graph to read values")

    def _value(self, value: float | None) -> str:
        if value is None:
            return self.tr("not measured")
        if self.graph.view is not GraphView.DISTRIBUTION:
            return self._quantities.milliseconds(value)
        return share_read(value, self._quantities) if value else self.tr("none")

    @contextmanager
    def as_picture(self) -> Iterator[None]:
        """Without what only a pointer can use, while it is drawn into a file."""
        shown = [widget for widget in (self.views, self.reading) if not widget.isHidden()]
        for widget in shown:
            widget.hide()
        self.graph.set_picture(is_picture=True)
        self._column.activate()
        try:
            yield
        finally:
            self.graph.set_picture(is_picture=False)
            for widget in shown:
                widget.show()
            self._column.activate()
