# SPDX-License-Identifier: GPL-3.0-or-later
"""Which lanes the graphs have: the choice, what could be chosen here, and why the rest cannot.

Graphs load longest of all: what they are made of is imported when they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from destutter.analysis.examining.pipeline import Snapshot
from destutter.core.metrics import Metrics
from destutter.diagnosis.causes.coverage import name_of_source
from destutter.ui.controls.side_panel import SidePanel
from destutter.ui.live.lanes_view import LanesView
from destutter.ui.look.theme import Theme
from destutter.ui.plots.lane_choice import USUAL, LaneOffer, chosen_lanes, written_choice
from destutter.ui.words.quantities import Quantities, WallClock
from destutter.ui.words.words import said_sentence

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from destutter.ui.plots.graph_card import GraphCard
    from destutter.ui.plots.lane_catalogue import LaneCatalogue
    from destutter.ui.plots.lane_data import LaneData


class LiveLanes(QObject):
    """Makes the card of graphs with the lanes of ``choice``, the text of the settings, and shows
    the choice in the panel. ``chosen(str)`` with the new text."""

    chosen = Signal(str)

    def __init__(
        self, theme: Theme, quantities: Quantities, refresh_hz: float, panel: SidePanel
    ) -> None:
        super().__init__(panel)
        self._theme = theme
        self._quantities = quantities
        self._refresh_hz = refresh_hz
        self._panel = panel
        self._catalogue: LaneCatalogue | None = None
        self._card: GraphCard | None = None
        self._present: LaneData | None = None  # goes on while a recording is played
        self._returning: LaneData | None = None
        self._snapshot: Snapshot | None = None
        self._unseen: set[str] = set()
        self.choice = ""

    def make_card(self, clock: WallClock, parent: QWidget) -> GraphCard:
        """A new card; what was measured before is of another time, unless that returns."""
        from destutter.ui.plots.graph_card import GraphCard
        from destutter.ui.plots.lane_catalogue import LaneCatalogue

        self._catalogue = LaneCatalogue(self._quantities, self._refresh_hz)
        models = map(self._catalogue.model, self._catalogue.ids())
        self._unseen = {one.metric for model in models for one in model.measures}
        self._snapshot = None
        shown = [self._catalogue.model(lane) for lane in self.lanes]
        data, self._returning = self._returning, None
        self._card = GraphCard(self._theme, self._quantities, clock, shown, parent, data)
        self._card.choice_requested.connect(self.show_panel)
        return self._card

    def leave_present(self) -> None:
        """A recording follows; what was measured until now comes back after it."""
        from destutter.ui.plots.lane_data import LaneData

        if self._present is None:
            self._present = LaneData() if self._card is None else self._card.data

    def show_present(self, snapshot: Snapshot) -> None:
        """Keep what is measured while a recording is shown."""
        if self._present is not None:
            self._present.accept_snapshot(snapshot)

    def return_to_present(self) -> None:
        """The next card shows what was measured before a recording and beside it."""
        self._returning, self._present = self._present, None

    @property
    def lanes(self) -> tuple[str, ...]:
        """The ids of the lanes that are shown, from top to bottom."""
        known = self._catalogue
        return USUAL if known is None else chosen_lanes(self.choice, known.is_known)

    def accept_snapshot(self, snapshot: Snapshot) -> None:
        """Note what is measured here, as long as something was not."""
        self._snapshot = snapshot
        before = len(self._unseen)
        for metrics in snapshot.metrics if self._unseen else ():
            self._unseen -= _measured(metrics, self._unseen)
        content = self._panel.content
        if len(self._unseen) < before and isinstance(content, LanesView):
            content.update_offers(self._offers())

    @Slot()
    def show_panel(self) -> None:
        view = LanesView(self._theme)
        view.show_lanes(self._offers(), self.lanes)
        view.chosen.connect(self._choose)
        view.reset_clicked.connect(self._reset)
        self._panel.show_content(self.tr("Lanes"), view)
        view.list.setFocus()

    @Slot(tuple)
    def _choose(self, lanes: tuple[str, ...]) -> None:
        if self._catalogue is None or self._card is None or lanes == self.lanes:
            return
        self.choice = written_choice(lanes, self.choice, self._catalogue.is_known)
        self._card.show_lanes([self._catalogue.model(lane) for lane in self.lanes])
        self.chosen.emit(self.choice)

    @Slot()
    def _reset(self) -> None:
        self._choose(USUAL)
        content = self._panel.content
        if isinstance(content, LanesView):
            content.show_lanes(self._offers(), self.lanes)

    def _offers(self) -> list[LaneOffer]:
        if self._catalogue is None or self._card is None:
            return []
        known = self._catalogue
        drives = self._card.data.measured_drives()
        ids = dict.fromkeys((*known.ids(drives), *self.lanes))
        return [LaneOffer(lane, known.title(lane), self._why_not(lane)) for lane in ids]

    def _why_not(self, lane: str) -> str:
        """Why a lane has nothing to show; empty where it has, or where it says so itself."""
        assert self._catalogue is not None  # noqa: S101  only called for its own lanes
        assert self._card is not None  # noqa: S101
        model = self._catalogue.model(lane)
        wanted = {one.metric for one in model.measures if not one.instance}
        named = [one for one in model.measures if one.instance]
        if wanted - self._unseen or any(self._card.data.lines(one) for one in named):
            return ""
        if named:
            return self.tr("This drive was not used so far, or is not there.")
        return self._reason(model.sources, is_usual=lane in USUAL)

    def _reason(self, sources: tuple[str, ...], *, is_usual: bool) -> str:
        snapshot = self._snapshot
        if snapshot is None:
            return ""
        missing = () if is_usual else snapshot.assessment.not_measured
        named = {one.what: one.why for one in missing}
        for source in sources:
            why = snapshot.troubles.get(source) or named.get(name_of_source(source))
            if why is not None:
                return said_sentence(why)
        return "" if is_usual else self.tr("Not measured here so far.")


def _measured(metrics: Metrics, wanted: set[str]) -> set[str]:
    values, instanced = metrics.values, metrics.instanced
    found = {metric for metric in wanted & values.keys() if values[metric] is not None}
    for metric in wanted & instanced.keys():
        if any(value is not None for value in instanced[metric].values()):
            found.add(metric)
    return found
