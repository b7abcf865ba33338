# SPDX-License-Identifier: GPL-3.0-or-later
"""Recordings in the window: their page, and playing one in the Live page and coming back."""

import os
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from destutter.analysis.examining.summary import SessionSummary
from destutter.analysis.reading.reading_apart import APART
from destutter.analysis.report.redaction import secrets_of
from destutter.application.playback import USUAL_START_S, Playback
from destutter.bridge.background_jobs import Job, Jobs
from destutter.bridge.session_services import SessionServices
from destutter.core.statement import Statement
from destutter.diagnosis.finding import HORIZON_S, Finding
from destutter.session.format import RecordingError, without_path
from destutter.session.replay import ReplaySource
from destutter.tuning.presets import GENERAL
from destutter.ui.look.theme import Theme
from destutter.ui.pages.feed_state import FeedKind, FeedState
from destutter.ui.pages.page import Page
from destutter.ui.pages.pages import SESSIONS
from destutter.ui.shell.main_window import MainWindow
from destutter.ui.words.quantities import Quantities

_BEHIND_S = 2.0  # what is found of a stutter is told a moment later


class SessionsWiring(QObject):
    """Owns the models of the page and what is played.

    ``ended()`` when somebody wants to see the present again: what measures it is not here.
    """

    ended = Signal()

    def __init__(self, window: MainWindow, folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._window = window
        self.folder = folder
        self.models = SessionServices(folder, secrets_of(os.environ), APART, self)
        self._jobs = Jobs(self)
        self._opening: Job | None = None
        self._is_of_cause = False
        self.playback = Playback(window, self._summarize, self)
        window.offer(SESSIONS, self._make)
        window.live_requested.connect(self.back_to_live)

    def _make(self, theme: Theme, quantities: Quantities) -> Page:
        from destutter.ui.sessions.sessions_page import SessionsPage

        page = SessionsPage(theme, quantities, self.models)
        page.record_requested.connect(self._window.record_requested)
        page.stop_requested.connect(self._window.stop_requested)
        page.replay_requested.connect(self.open)
        page.cause_requested.connect(self.show_cause)
        return page

    def compare(self, *names: str) -> None:
        """Show these recordings, given by their file names, on their page."""
        from destutter.ui.sessions.sessions_page import SessionsPage

        self._window.show_page(SESSIONS)
        page = self._window.page_of(SESSIONS)
        if isinstance(page, SessionsPage):
            page.show_sessions([self.folder / name for name in names])

    # --- playing -----------------------------------------------------------------------------

    @property
    def is_playing(self) -> bool:
        """Whether the window shows a recording instead of the present."""
        return self.playback.feed is not None

    @property
    def shows_cause(self) -> bool:
        """Whether the recording is played for a cause of it, and not for itself."""
        return self.is_playing and self._is_of_cause

    @Slot(object)
    def open(self, path: Path) -> None:
        """Play a recording in the Live page; it is opened outside the window's thread."""
        self._open_until(path, USUAL_START_S, "")

    @Slot(object, object)
    def show_cause(self, session: SessionSummary, finding: Finding) -> None:
        """Read a recording to its end, on the page of causes, so that this has the figures that
        it had where it was asked for; play a longer one than counts at once from where it was
        found last.

        "20 of 30" counted on while it was read, beside the guide's 20 of 33.
        """
        start_s = session.duration_s
        if start_s > HORIZON_S:
            until_s = (finding.last_ns - session.start_ns) / 1e9 + _BEHIND_S
            start_s = max(_BEHIND_S, until_s)
        self._open_until(Path(session.path), start_s, finding.cause)

    def _open_until(self, path: Path, start_s: float, cause: str) -> None:
        self._is_of_cause = bool(cause)
        if self._opening is not None:
            self._opening.cancel()
        job = self._jobs.start(lambda _job: ReplaySource(path), RecordingError)
        self._opening = job
        job.done.connect(partial(self.play, start_s=start_s, cause=cause))
        job.failed.connect(lambda reason: self._not_opened(path, reason))

    def play(self, source: ReplaySource, start_s: float = USUAL_START_S, cause: str = "") -> None:
        """Play from ``start_s`` on in the Live page, or with a ``cause`` on the page of those."""
        self.playback.play(source, start_s, cause)

    @Slot()
    def back_to_live(self) -> None:
        if self.is_playing:
            self.playback.stop()
            self._window.live.lanes.return_to_present()
            self._window.begin_anew()
            self._window.show_feed_state(FeedState(FeedKind.STARTING))
            self.ended.emit()

    def stop(self) -> None:
        self.playback.close()
        self._jobs.stop()
        self.models.stop()

    def _not_opened(self, path: Path, reason: Statement) -> None:
        self.models.examiner.failed.emit(path, without_path(reason, path))

    def _summarize(self, job: Job, path: Path, length_s: float) -> SessionSummary:
        """What is known of a whole recording, read now if the page has not read it."""
        known = self.models.examiner.known(path)
        return known or APART.examine(path, length_s, job.progress, GENERAL)
