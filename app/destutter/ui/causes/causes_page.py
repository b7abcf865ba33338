# SPDX-License-Identifier: GPL-3.0-or-later
"""The page of causes: what made the game stutter, the proof, and what to change."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from destutter.analysis.examining.longest_waits import LongestWaits
from destutter.analysis.examining.pipeline import Snapshot
from destutter.diagnosis.closer_look import is_worth_a_closer_look
from destutter.diagnosis.finding import HORIZON_S, Assessment, Finding, Group, Spike
from destutter.diagnosis.findings.time_lost import told_as_lost
from destutter.diagnosis.wording import named_as
from destutter.tuning.presets import GENERAL
from destutter.ui.causes.cause_detail import CauseDetail
from destutter.ui.causes.cause_list import CauseList, CauseMenu
from destutter.ui.causes.empty_states import (
    GO_TO_LIVE,
    SHOW_ALL,
    SHOW_MISSING,
    START_AGAIN,
    EmptyText,
    empty_text,
)
from destutter.ui.causes.finding_ranking import FindingRanking
from destutter.ui.causes.finding_words import CountedSince
from destutter.ui.causes.listed_moments import explained_by
from destutter.ui.causes.replayed import Replayed
from destutter.ui.causes.tab_order import TabOrder, detail_stops
from destutter.ui.causes.trial_requests import TrialRequests
from destutter.ui.controls.banner import Banner
from destutter.ui.controls.elided import ElidedLabel, WrappedLabel
from destutter.ui.controls.placeholder import Placeholder
from destutter.ui.look.theme import Theme
from destutter.ui.look.tokens import GAP, PAGE_MARGIN
from destutter.ui.pages.feed_state import FeedKind, FeedState
from destutter.ui.pages.page import Page
from destutter.ui.pages.page_sources import PageSources
from destutter.ui.pages.said_alike import start_again
from destutter.ui.pages.trace_row import TraceRow
from destutter.ui.pages.width_class import WidthClass
from destutter.ui.words.change_words import ChangeWords
from destutter.ui.words.explanation_pages import Explanation, ExplanationError, ExplanationPages
from destutter.ui.words.quantities import Quantities, WallClock
from destutter.ui.words.setting_words import SettingWords
from destutter.ui.words.words import Words

if TYPE_CHECKING:
    from destutter.ui.plots.lane_data import LaneData

_LIST_FROM_PX = 1100  # narrower, list and table cut each other's texts
_SECOND_NS = 1_000_000_000


class CausesPage(Page):
    """Shows the findings of snapshots.

    ``read_data`` gives the measurements that the live page keeps. Signals: ``page_requested(str)``
    with the id of a page, ``moment_requested(int)`` for a time in the live graphs,
    ``missing_requested()`` for what is not measured, ``helper_requested()`` for how to get the
    helper, ``restart_requested()`` after measuring has failed.
    """

    page_requested = Signal(str)
    moment_requested = Signal(object)  # int would be cut to 32 bits
    missing_requested = Signal()
    helper_requested = Signal()
    restart_requested = Signal()

    def __init__(
        self,
        theme: Theme,
        quantities: Quantities,
        explanations: ExplanationPages,
        read_data: Callable[[], LaneData | None],
        sources: PageSources | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme = theme
        self._quantities = quantities
        self._explanations = explanations
        self._words = Words(quantities)
        self._clock = WallClock(quantities.locale)
        self._feed = FeedState(FeedKind.STARTING)
        self._snapshot: Snapshot | None = None
        self._ranking = FindingRanking()
        self._longest = LongestWaits()
        sources = sources or PageSources()
        tuning = sources.tuning
        self.replayed = Replayed(
            sources.read_machine, lambda: GENERAL if tuning is None else tuning.preset
        )
        self._read_folders = sources.read_folders
        self._tabs = TabOrder()
        self._second_ns = 0
        self._game = ""
        self._watches_computer = False
        self._empty: EmptyText | None = None
        self._is_covered = self._is_trace_offered = False
        self.header = QLabel(self.tr("Causes"), self)
        self.header.setProperty("role", "pageTitle")
        self.subtitle = ElidedLabel("", "muted", self, most_lines=2)
        self.lost = WrappedLabel("small", self)
        self.own_help = WrappedLabel("small", self)
        self.show_all = QPushButton(self.tr("Show all causes"), self)
        self.restart = QPushButton(start_again(), self)
        self.banner = Banner(theme, self)
        self.trace_row = TraceRow(theme, sources.trace, self)
        self.list = CauseList(theme, self._words, self)
        self.menu = CauseMenu(theme, self._words, self)
        settings = SettingWords(quantities, explanations)
        words = (self._words, ChangeWords(quantities, settings))
        self.detail = CauseDetail(theme, words, quantities, self._clock, read_data, self)
        self.trial_requests = TrialRequests(self.detail, self.banner, tuning, quantities, self)
        self.placeholder: Placeholder | None = None
        self._stack = QStackedWidget(self)
        self._build()
        self._connect()
        self._show()

    def _build(self) -> None:
        side, top = PAGE_MARGIN
        texts = QVBoxLayout()
        texts.setSpacing(0)
        texts.addWidget(self.header)
        texts.addWidget(self.subtitle)
        head = QHBoxLayout()
        head.setSpacing(GAP)
        head.addLayout(texts, 1)
        for button in (self.show_all, self.restart):
            head.addWidget(button, 0, Qt.AlignmentFlag.AlignVCenter)
        found = QWidget(self)
        row = QHBoxLayout(found)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(self._theme.sizes.px(14))
        row.addWidget(self.list)
        row.addWidget(self.detail, 1)
        self._found = found
        self._stack.addWidget(found)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(side, top, side, top)
        layout.setSpacing(GAP)
        layout.addLayout(head)
        layout.addWidget(self.lost)
        layout.addWidget(self.own_help)
        layout.addWidget(self.banner)
        layout.addWidget(self.trace_row)
        layout.addWidget(self.menu)
        layout.addWidget(self._stack, 1)

    def _connect(self) -> None:
        self.list.chosen.connect(self._choose)
        self.menu.chosen.connect(self._choose)
        self.show_all.clicked.connect(self._show_all)
        self.restart.clicked.connect(self.restart_requested)
        self.trace_row.helper_requested.connect(self.helper_requested)
        self.detail.moment_chosen.connect(self.moment_requested)
        self.detail.table.selection_changed.connect(self._order_tabs)
        self.detail.table.changes_requested.connect(self._open_changes)
        self.detail.action_bar.link_clicked.connect(self.helper_requested)

    # --- what it is told ------------------------------------------------------------------------

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Take in a batch of measurements; shown once a second, if somebody looks."""
        self._snapshot = snapshot
        if snapshot.header is not None:
            self._clock.set_reference(snapshot.header.monotonic_ns, snapshot.header.wall_time)
        if self._feed.kind is FeedKind.STARTING:
            self._feed = FeedState(FeedKind.LIVE)
        game = snapshot.facts.get("game.pid", "")
        if game and game != self._game:
            self._ranking.forget()
        self._game = game or self._game
        self._ranking.accept_findings(snapshot.assessment.findings)
        self._longest.accept_looks(snapshot.looks, game)
        self._offer_trace(snapshot.assessment)
        if self._feed.kind is FeedKind.REPLAY:
            self.replayed.accept_snapshot(snapshot)
            self.trial_requests.follow_recording(snapshot, self.replayed.settings)
        now_ns = snapshot.assessment.monotonic_ns
        if now_ns - self._second_ns >= _SECOND_NS or now_ns < self._second_ns:
            self._second_ns = now_ns
            self._show_if_seen()

    def _offer_trace(self, assessment: Assessment) -> None:
        """What was offered once stays while there are stutters: the line came and went with each
        new one, and a click on the list below it missed.
        """
        is_worth = self._is_trace_offered or is_worth_a_closer_look(assessment)
        self._is_trace_offered = is_worth and bool(assessment.spikes)
        self.trace_row.offer(is_offered=self._is_trace_offered)

    def show_feed_state(self, state: FeedState) -> None:
        self._feed = state
        self.trace_row.keep_back(is_kept_back=state.kind is FeedKind.REPLAY)
        if state.kind is not FeedKind.REPLAY:
            self.trial_requests.follow_recording(None, None)
        self._show_if_seen()

    def set_width_class(self, width_class: WidthClass) -> None:
        self.detail.set_width_class(width_class)

    def show_covered(self, *, is_covered: bool) -> None:
        """Suggest nothing while a banner above the page does."""
        self._is_covered = is_covered
        self.detail.action_bar.set_calm(is_calm=is_covered)
        if self.placeholder is not None:
            self.placeholder.set_calm(is_calm=is_covered)

    def begin_anew(self) -> None:
        """Measurements of another time follow: a recording instead of now, or the reverse."""
        self._snapshot = None
        self._is_trace_offered = False
        self._ranking = FindingRanking()
        self._longest = LongestWaits()
        self.replayed.begin_anew()
        self.trial_requests.follow_recording(None, None)
        self._show_if_seen()

    def show_watching(self, *, watches_computer: bool) -> None:
        """Whether the computer is watched while no game runs."""
        self._watches_computer = watches_computer
        self._show_if_seen()

    def show_cause(self, cause: str = "") -> None:
        """Show this cause, or (empty) the most likely one, among all."""
        self._ranking.group = None
        self._ranking.choose(cause)
        self._show_if_seen()

    def show_group(self, group: Group) -> None:
        """Show only the findings of a group."""
        self._ranking.group = group
        self._ranking.choose("")
        self._show_if_seen()

    def show_spike(self, spike: Spike) -> None:
        """Show the cause of one stutter, at that stutter."""
        self.show_cause(spike.cause or "")
        if spike.cause is not None:
            self._show()
            self.detail.evidence.pick_time(spike.monotonic_ns)

    # --- what it shows --------------------------------------------------------------------------

    @property
    def empty(self) -> EmptyText | None:
        """What is said in place of findings; None while there are any."""
        return self._empty

    def _show_if_seen(self) -> None:
        if self.isVisible() and not self.window().isMinimized():
            self._show()

    def _show(self) -> None:
        is_read = self._feed.read_share is None
        finding = self._ranking.chosen if is_read else None
        # Without a finding the empty page offers it.
        self.show_all.setVisible(self._ranking.group is not None and finding is not None)
        self.restart.setVisible(self._feed.kind is FeedKind.FAILED and finding is not None)
        self.subtitle.set_full_text(self._subtitle())
        self._show_lost()
        if finding is None:
            self._show_empty()
            return
        self._empty = None
        self._stack.setCurrentWidget(self._found)
        self._show_choice()
        findings = self._ranking.shown
        verdict = None if self._snapshot is None else self._snapshot.assessment.verdict
        has_game = verdict is None or not verdict.is_of_computer
        self.list.show_findings(findings, finding.cause, has_game=has_game)
        self.menu.show_findings(findings, finding.cause, has_game=has_game)
        spikes = () if self._snapshot is None else self._snapshot.assessment.spikes
        page = self._page_of(finding)
        self.detail.show_finding(finding, spikes, page, has_game=has_game, counted=self._counted)
        explained = self._longest.within(explained_by(finding, spikes))
        self.detail.show_traced(explained, self._folders_of)
        self.trial_requests.show_finding(finding)
        self._order_tabs()

    @Slot()
    def _order_tabs(self) -> None:
        cards = self.list.cards.values()
        heads = (self.show_all, self.restart, self.trace_row.link, self.menu)
        self._tabs.follow([*heads, *cards, *detail_stops(self.detail)])

    def _page_of(self, finding: Finding) -> Explanation | None:
        try:
            return self._explanations.cause(named_as(finding))
        except ExplanationError:
            return None

    def _show_choice(self) -> None:
        """The list at the side where there is room, else the menu."""
        has_room = self.width() >= self._theme.sizes.px(_LIST_FROM_PX)
        self.list.setVisible(has_room)
        self.menu.setVisible(not has_room and self._empty is None)

    def _subtitle(self) -> str:
        if self._feed.kind is FeedKind.REPLAY:
            return self.tr("Recording {name}").format(name=self._feed.name)
        if self._feed.kind is FeedKind.FAILED and self._ranking.chosen is not None:
            return self.tr("Measuring stopped. This is what was found until then.")
        group = self._ranking.group
        if group is not None:
            return self.tr("Only causes of the group {group}").format(
                group=self._words.group(group)
            )
        assessment = None if self._snapshot is None else self._snapshot.assessment
        blames_game = assessment is not None and assessment.verdict.blames_game
        if assessment is not None and blames_game and self._ranking.chosen is not None:
            return self._words.text(assessment.verdict.headline)
        if assessment is not None and assessment.is_of_computer:
            # In the words and by the count of the live page: nothing here is of a game.
            return self._words.text(assessment.verdict.headline)
        spikes = () if assessment is None or blames_game else assessment.spikes
        if assessment is not None and spikes and assessment.verdict.is_of_computer:
            return self.tr("What made the game that ran before stutter")
        if assessment is None or not spikes:
            return self.tr("What made the game stutter, ranked by the time that it cost")
        known = sum(spike.cause is not None and not spike.is_guess for spike in spikes)
        number = self._quantities.number
        if self._counted is CountedSince.GAME:
            of_game = self.tr(
                "A cause is known for {count} of %n stutter(s) since the game started",
                "",
                len(spikes),
            )
            return of_game.format(count=number(known))
        told = self.tr(
            "A cause is known for {count} of %n stutter(s) in the last {minutes} minutes",
            "",
            len(spikes),
        )
        return told.format(count=number(known), minutes=number(HORIZON_S // 60))

    @property
    def _counted(self) -> CountedSince | None:
        """Since when stutters of the game are; None where they are hiccups of the computer."""
        if self._snapshot is not None and self._snapshot.assessment.is_of_computer:
            return None
        is_replay = self._feed.kind is FeedKind.REPLAY
        return CountedSince.of(self._snapshot, is_replay=is_replay)

    def _folders_of(self, drive: str) -> Sequence[str]:
        """Of this computer; where the drives of a recording were mounted nobody knows."""
        return () if self._feed.kind is FeedKind.REPLAY else self._read_folders(drive)

    def _show_lost(self) -> None:
        snapshot = self._snapshot if self._feed.read_share is None else None
        assessment = None if snapshot is None else snapshot.assessment
        helps = None if assessment is None else assessment.verdict.helps
        self.own_help.set_full_text("" if helps is None else self._words.text(helps))
        # The empty page says it itself.
        self.own_help.setVisible(helps is not None and self._ranking.chosen is not None)
        lost = None if assessment is None else told_as_lost(assessment.lost)
        self.lost.set_full_text("" if lost is None else self._words.text(lost))
        self.lost.setVisible(lost is not None)

    def _show_empty(self) -> None:
        text = empty_text(
            self._words,
            self._snapshot,
            self._feed,
            self._ranking.group,
            watches_computer=self._watches_computer,
        )
        self.trial_requests.show_nothing()
        self.menu.hide()
        if text == self._empty:
            return
        self._empty = text
        before = self.placeholder
        had_focus = before is not None and any(b.hasFocus() for b in before.buttons.values())
        made = Placeholder(
            self._theme, text.icon, text.heading, text.text, text.actions, self._stack
        )
        made.clicked.connect(self._empty_action)
        made.set_calm(is_calm=self._is_covered)
        self._stack.addWidget(made)
        self._stack.setCurrentWidget(made)
        self.placeholder = made
        if before is not None:
            self._stack.removeWidget(before)
            before.deleteLater()
        if had_focus and made.buttons:
            next(iter(made.buttons.values())).setFocus()

    # --- events ---------------------------------------------------------------------------------

    @Slot(str)
    def _choose(self, cause: str) -> None:
        self._ranking.choose(cause)
        self._show()

    @Slot()
    def _show_all(self) -> None:
        self.show_cause()

    @Slot()
    def _open_changes(self) -> None:
        self.page_requested.emit("changes")

    @Slot(str)
    def _empty_action(self, action: str) -> None:
        if action == GO_TO_LIVE:
            self.page_requested.emit("live")
        elif action == SHOW_ALL:
            self.show_cause()
        elif action == SHOW_MISSING:
            self.missing_requested.emit()
        elif action == START_AGAIN:
            self.restart_requested.emit()

    def showEvent(self, event: QShowEvent) -> None:
        """What arrived while nobody looked is shown now."""
        super().showEvent(event)
        self.trial_requests.set_seen(is_seen=True)
        self._show()

    def hideEvent(self, event: QHideEvent) -> None:
        """Values of settings need not be read while nobody looks; who comes back from another
        page meets all causes, for the group was one of an earlier question.
        """
        super().hideEvent(event)
        if not event.spontaneous():
            self._ranking.group = None
        self.trial_requests.set_seen(is_seen=False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The list gives way to a menu in a narrow window."""
        super().resizeEvent(event)
        self._show_choice()
