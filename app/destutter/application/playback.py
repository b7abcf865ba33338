# SPDX-License-Identifier: GPL-3.0-or-later
"""A recording that is played in the window: from where, how fast, and on which page."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Slot

from destutter.analysis.examining.examination import ExaminationError
from destutter.analysis.examining.frame_import import FrameImportError
from destutter.analysis.examining.pipeline import Pipeline
from destutter.analysis.examining.summary import SessionSummary
from destutter.bridge.background_jobs import Job, Jobs
from destutter.bridge.replay_feed import ReplayFeed
from destutter.core.statement import Statement
from destutter.diagnosis.assessor import Assessor
from destutter.session.format import RecordingError
from destutter.session.replay import ReplaySource, Since
from destutter.ui.pages.feed_state import FeedKind, FeedState
from destutter.ui.pages.pages import LIVE
from destutter.ui.shell.main_window import MainWindow
from destutter.ui.shell.replay_bar import ReplayBar

USUAL_START_S = 120.0  # as much as the graphs show at first
_LEAST_SPAN_S = 10.0

_UNREADABLE = (ExaminationError, RecordingError, FrameImportError)

Summarize = Callable[[Job, Path, float], SessionSummary]
"""Reads a whole recording, given its length in seconds; in a thread of the jobs."""


class Playback(QObject):
    """Plays one recording at a time, with a bar above the pages of ``window``."""

    def __init__(
        self, window: MainWindow, summarize: Summarize, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._jobs = Jobs(self)
        self._summarize = summarize
        self._source: ReplaySource | None = None
        self._marking: Job | None = None
        self._bar: ReplayBar | None = None
        self._has_ended = False
        self.feed: ReplayFeed | None = None
        window.pause_changed.connect(self._pause)

    def play(self, source: ReplaySource, start_s: float = USUAL_START_S, cause: str = "") -> None:
        """Play from ``start_s`` on in the Live page, or with a ``cause`` on the page of those.

        Both say that the recording is read until all before is: at a second in between, of which
        there are many on a busy computer, that page said that the cause explains no stutter.
        """
        self.stop()
        self._window.live.lanes.leave_present()
        self._source = source
        start_ns, end_ns = source.span_ns
        self.bar.show_length((end_ns - start_ns) / 1e9)
        self.bar.show()
        self._start(self._feed(Since(source), start_s), start_s)
        if cause:
            self._window.show_cause(cause)
        else:
            self._window.show_page(LIVE)
        self._mark_stutters(source)

    @Slot(float)
    def seek(self, at_s: float) -> None:
        """Go on from this second; what the graphs show of the time before is read with it."""
        if self._source is None:
            return
        start_ns, _end_ns = self._source.span_ns
        at_ns = start_ns + int(at_s * 1e9)
        since = Since(self._source, at_ns - int(USUAL_START_S * 1e9))
        self._let_go_of_feed()
        self._start(self._feed(since, (at_ns - since.start_ns) / 1e9), at_s)

    def stop(self) -> None:
        """Play no more."""
        self._let_go_of_feed()
        if self._marking is not None:
            self._marking.cancel()
            self._marking = None
        if self._source is not None:
            self._source.close()
            self._source = None
        if self._bar is not None:
            self._leave(self._bar)

    def _leave(self, bar: ReplayBar) -> None:
        """Take the bar away; who clicked in it stands in the page then, not on what Qt finds next:
        "Help", at the window's side."""
        focus = self._window.focusWidget()
        if bar.isAncestorOf(focus):
            self._window.page_of(self._window.page).setFocus(Qt.FocusReason.OtherFocusReason)
        bar.hide()

    def close(self) -> None:
        """Play nothing ever again."""
        self.stop()
        self._jobs.stop()

    @property
    def bar(self) -> ReplayBar:
        """The bar; made now if nothing has been played yet."""
        if self._bar is None:
            self._bar = bar = self._window.put_above_pages(ReplayBar)
            bar.play_clicked.connect(self._play_clicked)
            bar.speed_chosen.connect(self._change_speed)
            bar.seek.sought.connect(self.seek)
            bar.live_clicked.connect(self._window.live_requested)
        return self._bar

    def _feed(self, since: Since, ahead_s: float) -> ReplayFeed:
        pipeline = Pipeline(Assessor(is_of_recording=True))
        return ReplayFeed(pipeline, since, ahead_s, self, begin_ns=since.start_ns)

    def _start(self, feed: ReplayFeed, at_s: float) -> None:
        """Read up to this second of the recording, and play on from there."""
        self._window.begin_anew()
        self._fit_graphs()
        self._has_ended = False
        self.feed = feed
        feed.caught_up.connect(self._show_state)
        feed.snapshot_taken.connect(self._window.show_snapshot)
        feed.moved.connect(self._moved)
        feed.ended.connect(self._ended)
        feed.set_speed(self.bar.speed)
        self.bar.show_paused(is_paused=False)
        self.bar.seek.show_position(at_s)
        self._show_state()
        feed.start()

    @Slot()
    def _show_state(self) -> None:
        share = 1.0 if self.feed is None else self.feed.read_share
        reading = share if share < 1 else None
        self.bar.show_reading(reading)
        self._window.show_feed_state(FeedState(FeedKind.REPLAY, self._name(), read_share=reading))

    def _fit_graphs(self) -> None:
        """A recording that is shorter than what the graphs show at first fills them."""
        card, length_s = self._window.live.card, self.bar.length_s
        if card is not None and 0 < length_s < USUAL_START_S:
            card.set_span(max(_LEAST_SPAN_S, length_s))

    def _name(self) -> str:
        return "" if self._source is None else Path(self._source.file.path).name

    def _let_go_of_feed(self) -> None:
        if self.feed is not None:
            self.feed.stop()
            self.feed.deleteLater()
            self.feed = None

    def _mark_stutters(self, source: ReplaySource) -> None:
        path, (start_ns, end_ns) = Path(source.file.path), source.span_ns
        length_s = (end_ns - start_ns) / 1e9
        self._marking = self._jobs.start(
            lambda job: self._summarize(job, path, length_s), *_UNREADABLE
        )
        self._marking.done.connect(partial(self._show_stutters, start_ns))

    def _show_stutters(self, start_ns: int, summary: SessionSummary) -> None:
        if summary.assessment is not None and self._source is not None:
            spikes = summary.assessment.spikes
            self.bar.seek.show_stutters((each.start_ns - start_ns) / 1e9 for each in spikes)

    @Slot(object)
    def _ended(self, end: Statement) -> None:
        self._has_ended = True
        self.bar.show_reading(None)
        self.bar.show_paused(is_paused=True)
        self._window.show_feed_state(FeedState(FeedKind.REPLAY, self._name(), why=end))

    @Slot(object)
    def _moved(self, clock_ns: int) -> None:
        if self._source is None:
            return
        start_ns, end_ns = self._source.span_ns
        at_s = (min(clock_ns, end_ns) - start_ns) / 1e9
        if self.feed is not None and self.feed.read_share < 1:
            self.bar.seek.show_read(at_s)  # it stands already where this leads to
            self._show_state()
        else:
            self.bar.seek.show_position(at_s)

    @Slot()
    def _play_clicked(self) -> None:
        if self._has_ended:
            self.seek(0.0)
        else:
            self._window.live.toggle_pause()

    @Slot(float)
    def _change_speed(self, times: float) -> None:
        if self.feed is not None:
            self.feed.set_speed(times)

    @Slot(bool)
    def _pause(self, is_paused: bool) -> None:  # noqa: FBT001  a Qt slot
        if self.feed is not None and not self._has_ended:
            self.feed.set_paused(is_paused)
            self.bar.show_paused(is_paused=is_paused)
