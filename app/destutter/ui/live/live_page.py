# SPDX-License-Identifier: GPL-3.0-or-later
"""The live page: verdict, five groups at a glance, and the graphs that prove it.

Graphs come after the window's first picture (``prepare_graphs``): their library loads longest.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QStackedWidget, QVBoxLayout, QWidget

from destutter.analysis.examining.pipeline import Snapshot
from destutter.core.statement import Statement
from destutter.diagnosis.finding import Spike
from destutter.ui.controls.banner import Banner
from destutter.ui.controls.note_row import NoteRow
from destutter.ui.controls.offer_row import OfferRow
from destutter.ui.controls.own_keys import OwnKeys
from destutter.ui.controls.placeholder import Placeholder
from destutter.ui.controls.side_panel import SidePanel
from destutter.ui.live import live_banner
from destutter.ui.live.awaited_program import AwaitedProgram
from destutter.ui.live.beside_panel import BesidePanel
from destutter.ui.live.live_header import LiveHeader
from destutter.ui.live.live_lanes import LiveLanes
from destutter.ui.live.live_notes import live_notes
from destutter.ui.live.live_panels import LivePanels
from destutter.ui.live.live_subtitle import live_subtitle
from destutter.ui.live.tile_row import TileRow
from destutter.ui.look.theme import Theme
from destutter.ui.look.tokens import GAP, PAGE_MARGIN
from destutter.ui.pages.feed_state import FeedKind, FeedState, RecordingState
from destutter.ui.pages.page import Page
from destutter.ui.pages.said_alike import no_game
from destutter.ui.pages.unseen_snapshots import UnseenSnapshots
from destutter.ui.pages.watched_game import WatchedGame
from destutter.ui.pages.width_class import WidthClass
from destutter.ui.plots.time_view import TimeView
from destutter.ui.words.quantities import Quantities, WallClock
from destutter.ui.words.words import Words

if TYPE_CHECKING:
    from destutter.bridge.helper_client import HelperStatus
    from destutter.ui.plots.graph_card import GraphCard

_WATCH, _CHOOSE = "watch", "choose"
_SECOND_NS = 1_000_000_000


class LivePage(Page):
    """Shows snapshots. Everything that it cannot do itself, it asks for by a signal.

    Signals: ``record_requested()``, ``stop_requested()``, ``marker_requested()``,
    ``pause_changed(bool)``, ``game_chosen(int)`` with a process id,
    ``watch_computer_requested()``, ``restart_requested()`` after measuring has failed,
    ``cause_requested(str)`` for what is behind the verdict, ``group_requested(Group)`` for what
    is behind a tile, ``spike_requested(Spike)`` for what is behind a stutter.
    """

    record_requested = Signal()
    stop_requested = Signal()
    marker_requested = Signal()
    pause_changed = Signal(bool)
    game_chosen = Signal(int)
    watch_computer_requested = Signal()
    restart_requested = Signal()
    cause_requested = Signal(str)
    group_requested = Signal(object)
    spike_requested = Signal(object)

    def __init__(
        self,
        theme: Theme,
        quantities: Quantities,
        *,
        watches_computer: bool = False,
        refresh_hz: float = 60.0,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme = theme
        self._quantities = quantities
        self._watches_computer = watches_computer
        self._words = Words(quantities)
        self._clock = WallClock(quantities.locale)
        self._feed = FeedState(FeedKind.STARTING)
        self._recording = RecordingState()
        self._awaited = AwaitedProgram()
        self._snapshot: Snapshot | None = None
        self._unseen = UnseenSnapshots()
        self._second_ns = 0
        self._told: tuple[Statement, ...] = ()
        self._was_shown = False
        self._is_covered = False
        self.card: GraphCard | None = None
        self.header = LiveHeader(theme, quantities, self)
        self.banner = Banner(theme, self, is_steady=True)
        self.tiles = TileRow(theme, self._words, self)
        self.offers = OfferRow(theme, self)
        self.notes = NoteRow(theme, self)
        self.panel = SidePanel(theme, self)
        self.panels = LivePanels(theme, self._words, quantities, self._clock, self.panel)
        self.lanes = LiveLanes(theme, quantities, refresh_hz, self.panel)
        self.placeholder = self._make_placeholder()
        self._empty_card = QFrame(self)
        self._empty_card.setProperty("role", "card")
        self._body = QStackedWidget(self)
        self._keys = OwnKeys(self)
        self._keys.add(self.tr("Let the graphs stand still, or go on"), self.toggle_pause, "Space")
        self._build()
        self._connect()
        self._show_texts()

    # --- construction ------------------------------------------------------------------------

    def _make_placeholder(self) -> Placeholder:
        return Placeholder(
            self._theme,
            "game",
            no_game(),
            self.tr(
                "Start a game and Destutter will notice it. Or watch the whole computer now: "
                "memory, disk and CPU delays are measured either way."
            ),
            (
                (_WATCH, self.tr("Watch the whole computer")),
                (_CHOOSE, self.tr("Choose a program…")),
            ),
            self,
        )

    def _build(self) -> None:
        self._body.addWidget(self._empty_card)
        self._body.addWidget(self.placeholder)
        self.middle = BesidePanel(self._theme, self._body, self.panel)
        self.quiet = QVBoxLayout()
        self.quiet.setSpacing(0)
        self.quiet.addWidget(self.offers)
        self.quiet.addWidget(self.notes)
        layout = QVBoxLayout(self)
        side, top = PAGE_MARGIN
        layout.setContentsMargins(side, top, side, top)
        layout.setSpacing(GAP)
        for widget in (self.header, self.banner, self.tiles):
            layout.addWidget(widget)
        layout.addLayout(self.quiet)
        layout.addLayout(self.middle, 1)

    def _connect(self) -> None:
        header = self.header
        header.record_clicked.connect(self.record_requested)
        header.stop_clicked.connect(self.stop_requested)
        header.marker_clicked.connect(self.marker_requested)
        header.pause_clicked.connect(self.toggle_pause)
        header.span_chosen.connect(self._span_chosen)
        header.choose_clicked.connect(self.panels.show_programs)
        header.computer_clicked.connect(self.watch_computer_requested)
        self.banner.action_clicked.connect(self._banner_action)
        self.tiles.opened.connect(self.group_requested)
        self.notes.clicked.connect(self.panels.show_missing)
        self.placeholder.clicked.connect(self._placeholder_action)
        self.panels.spike_chosen.connect(self._select_spike)
        self.panels.program_chosen.connect(self._program_chosen)
        self.panel.closed.connect(self._panel_closed)

    def prepare_graphs(self) -> None:
        """Load the graphs, and give them what was measured meanwhile. Once."""
        if self.card is not None:
            return
        card = self.lanes.make_card(self._clock, self)
        card.paused_changed.connect(self._paused_changed)
        card.span_changed.connect(self._span_changed)
        card.spike_chosen.connect(self.panels.mark_spike)
        card.cause_requested.connect(self._show_selected_cause)
        card.list_requested.connect(self.panels.show_stutters)
        card.link_clicked.connect(self.panels.show_lane_advice)
        self.card = card
        self.header.show_span(card.view.span_s)  # that of a short recording was another
        self._body.insertWidget(0, card)
        unseen = self._unseen.take()
        card.accept_snapshots(unseen)
        for snapshot in unseen:
            self.lanes.accept_snapshot(snapshot)
        self._show_body()

    # --- what it shows -----------------------------------------------------------------------

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Take in a batch of measurements and show it if somebody looks."""
        self.take_in(snapshot)
        if self._feed.kind is FeedKind.STARTING:
            self._feed = FeedState(FeedKind.LIVE)
        now_ns, verdict = snapshot.assessment.monotonic_ns, snapshot.assessment.verdict
        told = verdict.headline, *verdict.below
        # Graphs count at each batch: the banner's number must not be that of a second ago.
        if not 0 <= now_ns - self._second_ns < _SECOND_NS or told != self._told:
            self._second_ns, self._told = now_ns, told
            if self.isVisible() and self.updatesEnabled() and not self.window().isMinimized():
                self._show_texts()

    def take_in(self, snapshot: Snapshot) -> None:
        """Take in what was measured, without words: nobody reads those of an earlier moment."""
        self._snapshot = snapshot
        self._awaited.accept_snapshot(snapshot)
        if snapshot.header is not None:
            self._clock.set_reference(snapshot.header.monotonic_ns, snapshot.header.wall_time)
        self.tiles.accept_metrics(snapshot.metrics)
        self.panels.show_snapshot(snapshot)
        if self.card is None:
            self._unseen.append(snapshot)
        else:
            self.card.accept_snapshots((snapshot,))
            self.lanes.accept_snapshot(snapshot)

    def show_present(self, snapshot: Snapshot) -> None:
        self.lanes.show_present(snapshot)

    def begin_anew(self) -> None:
        """Forget what was measured: measurements of another time follow."""
        self._snapshot = self._awaited.game = None
        self._unseen.take()
        self._second_ns = 0
        self.panel.close_panel()
        self.panels.forget()
        self.tiles.begin_anew()
        if self.card is not None:
            card, self.card = self.card, None
            self._body.removeWidget(card)
            card.deleteLater()
            self.prepare_graphs()
            self.header.show_paused(is_paused=False)
        self._show_texts()

    def show_feed_state(self, state: FeedState) -> None:
        self._feed = state
        self.header.show_replay(is_replay=state.kind is FeedKind.REPLAY)
        self._show_texts()

    def show_recording(self, state: RecordingState) -> None:
        self._recording = state
        self._show_texts()

    def show_helper(self, status: HelperStatus) -> None:
        self.panels.renew_helper_advice(status)

    def show_watching(self, *, watches_computer: bool) -> None:
        """Whether the computer is watched while no game runs."""
        self._watches_computer = watches_computer
        self._show_texts()

    def show_covered(self, *, is_covered: bool) -> None:
        """While a banner stands above the page, its own gives way to the line below the title."""
        self._is_covered = is_covered
        self.header.set_calm(is_calm=is_covered)
        self.placeholder.set_calm(is_calm=is_covered)
        self.offers.keep_back(is_kept_back=is_covered)
        self._show_texts()

    def set_width_class(self, width_class: WidthClass) -> None:
        for each in (self.header, self.tiles, self.middle):
            each.set_width_class(width_class)
        self._show_texts()

    def _game(self) -> WatchedGame | None:
        facts = {} if self._snapshot is None else self._snapshot.facts
        return self._awaited.game or WatchedGame.from_facts(facts)

    def _is_idle(self) -> bool:
        """Whether there is nothing to watch: measuring, but no game and no wish to go without."""
        return (
            self._snapshot is not None
            and self._feed.kind is FeedKind.LIVE
            and not self._watches_computer
            and not self._recording.is_recording  # which has to be stopped somewhere
            and self._game() is None
        )

    def _show_texts(self) -> None:
        snapshot = self._snapshot if self._feed.read_share is None else None
        assessment = None if snapshot is None else snapshot.assessment
        verdict = None if assessment is None else assessment.verdict
        banner = live_banner.live_banner(
            self._words, verdict, self._feed, self._recording, self._awaited.game
        )
        self.banner.show_text(banner)
        self.tiles.show_assessment(assessment)
        self._show_header()
        self._show_notes()
        self._show_body()
        self.panels.update()

    def _show_header(self) -> None:
        now_ns = 0 if self._snapshot is None else self._snapshot.assessment.monotonic_ns
        game = self._game()
        started_ns = None if game is None else game.started_ns
        running_s = None if started_ns is None else (now_ns - started_ns) / 1e9
        self.header.show_game(game, running_s)
        since_ns = self._recording.started_ns
        elapsed_ns = 0 if since_ns is None else (now_ns or time.monotonic_ns()) - since_ns
        self.header.show_recording(
            self._recording, max(0.0, elapsed_ns / 1e9), can_record=self._feed.can_be_recorded
        )
        self.header.show_subtitle(self._subtitle())

    def _subtitle(self) -> str:
        said = self.banner.shown
        if self._is_covered and said is not None:
            return said.headline
        view = TimeView() if self.card is None else self.card.view
        has_game = self._game() is not None
        return live_subtitle(self._feed, self._snapshot, view, self._quantities, has_game=has_game)

    def _show_notes(self) -> None:
        notes = live_notes(self._snapshot, self._quantities)
        more = len(notes) - 1
        link = self.tr("What is not measured")
        if more > 0:
            link = self.tr("{count} more").format(count=self._quantities.number(more))
        self.notes.show_notes([] if self._is_idle() else notes, link)

    def _show_body(self) -> None:
        is_idle = self._is_idle()
        for widget in (self.header, self.banner, self.tiles):
            widget.setVisible(not is_idle and not (widget is self.banner and self._is_covered))
        shown: QWidget = self._empty_card if self.card is None else self.card
        self._body.setCurrentWidget(self.placeholder if is_idle else shown)

    # --- what the user does --------------------------------------------------------------------

    @Slot()
    def toggle_pause(self) -> None:
        """Let the graphs stand still, or follow again. Measuring goes on."""
        if self.card is None:
            return
        if self.card.view.is_live:
            self.card.hold()
        else:
            self.card.follow()

    @Slot()
    def toggle_recording(self) -> None:
        """Ask for the beginning or the end of a recording."""
        if self._recording.is_recording:
            self.stop_requested.emit()
        elif self._feed.can_be_recorded:
            self.record_requested.emit()

    @Slot()
    def mark(self) -> None:
        """Ask for a marker, while a recording runs."""
        if self._recording.is_recording:
            self.marker_requested.emit()

    @Slot(bool)
    def _paused_changed(self, is_paused: bool) -> None:  # noqa: FBT001  a Qt slot
        self.header.show_paused(is_paused=is_paused)
        self.header.show_subtitle(self._subtitle())
        self.pause_changed.emit(is_paused)

    @Slot(float)
    def _span_chosen(self, span_s: float) -> None:
        if self.card is not None:
            self.card.set_span(span_s)

    @Slot(float)
    def _span_changed(self, span_s: float) -> None:
        self.header.show_span(span_s)
        self.header.show_subtitle(self._subtitle())

    @Slot(str)
    def _placeholder_action(self, action: str) -> None:
        if action == _WATCH:
            self.watch_computer_requested.emit()
        else:
            self.panels.show_programs()

    @Slot(int, str)
    def _program_chosen(self, pid: int, name: str) -> None:
        self._awaited.wait_for(pid, name, self._snapshot)
        self.panel.close_panel()
        self._show_texts()
        self.game_chosen.emit(pid)

    @Slot(str)
    def _banner_action(self, action: str) -> None:
        actions = {
            live_banner.SHOW_CAUSE: self._request_cause,
            live_banner.SHOW_STUTTERS: self.panels.show_stutters,
            live_banner.SHOW_MISSING: self.panels.show_missing,
            live_banner.RECORD_BASELINE: self.record_requested.emit,
            live_banner.START_AGAIN: self.restart_requested.emit,
            live_banner.DISMISS: self._dismiss_failure,
        }
        actions[action]()

    def _dismiss_failure(self) -> None:
        self.show_recording(RecordingState())

    def _request_cause(self) -> None:
        verdict = None if self._snapshot is None else self._snapshot.assessment.verdict
        finding = None if verdict is None else verdict.finding
        self.cause_requested.emit("" if finding is None else finding.cause)

    @Slot()
    def _show_selected_cause(self) -> None:
        """What is behind the chosen stutter; where no cause is known, all stutters."""
        chosen = None if self.card is None else self.card.choice.selected
        found = () if self._snapshot is None else self._snapshot.assessment.spikes
        spike = next((s for s in found if chosen and s.monotonic_ns == chosen.monotonic_ns), None)
        if spike is None or spike.cause is None:
            self.panels.show_stutters()
        else:
            self.spike_requested.emit(spike)

    def show_moment(self, monotonic_ns: int) -> None:
        """Bring a moment (CLOCK_MONOTONIC, nanoseconds) into view."""
        if self.card is not None:
            self.card.show_moment(monotonic_ns)

    @Slot(object)
    def _select_spike(self, spike: Spike) -> None:
        if self.card is not None:
            self.card.select(spike)

    @Slot()
    def _panel_closed(self) -> None:
        if self.card is not None and self.card.isVisible():
            self.card.setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape closes the panel; others are the page's own."""
        if event.key() == Qt.Key.Key_Escape and not self.panel.isHidden():
            self.panel.close_panel()
        elif not self._keys.press(event):
            super().keyPressEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        """What arrived while nobody looked is shown now."""
        super().showEvent(event)
        self._show_texts()
        if not self._was_shown:
            # The keys of the page work at once, and no control looks chosen.
            self._was_shown = True
            self.setFocus(Qt.FocusReason.OtherFocusReason)
