# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads once what came out of each recording, while somebody looks at their list."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Slot

from destutter.analysis.examining.examination import ExaminationError
from destutter.analysis.examining.frame_import import FrameImportError
from destutter.analysis.examining.outcome import keep_outcome, outcome_of
from destutter.analysis.examining.summary import SessionSummary
from destutter.analysis.reading.session_reader import SessionReading
from destutter.bridge.background_jobs import Job, Jobs
from destutter.bridge.session_examiner import Examined, SessionExaminer
from destutter.bridge.session_library import SessionLibrary
from destutter.core.statement import Statement
from destutter.session.format import RecordingError
from destutter.session.store import StoredSession
from destutter.tuning.presets import GENERAL


class SessionOutcomes(QObject):
    """Keeps the outcome of each recording in ``library`` that has none, the newest first.

    What one of ``examiners`` reads anyhow is not read again. Only while it is ``set_wanted``: a
    recording is read in a process of its own, and a game would have to share its cores.
    """

    def __init__(
        self,
        library: SessionLibrary,
        jobs: Jobs,
        reading: SessionReading,
        examiners: tuple[SessionExaminer, ...],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._library = library
        self._jobs = jobs
        self._reading = reading
        self._job: Job | None = None
        self._is_wanted = False
        self._tried: set[tuple[Path, int]] = set()
        library.changed.connect(self._go_on)
        for examiner in examiners:
            examiner.examined.connect(self._examined)

    def set_wanted(self, *, is_wanted: bool) -> None:
        """Whether somebody looks, and nothing is recorded that would be disturbed."""
        self._is_wanted = is_wanted
        if is_wanted:
            self._go_on()
        else:
            self.cancel()

    def cancel(self) -> None:
        if self._job is not None:
            self._job.cancel()
            self._job = None

    @Slot()
    def _go_on(self) -> None:
        if self._job is not None or not self._is_wanted:
            return
        session = next((each for each in self._library.sessions if self._is_open(each)), None)
        if session is None:
            return
        job = self._jobs.start(
            lambda job: self._read(job, session),
            *(ExaminationError, RecordingError, FrameImportError),
        )
        self._job = job
        job.done.connect(partial(self._take, session))
        job.failed.connect(lambda _why: self._leave(session))

    def _is_open(self, session: StoredSession) -> bool:
        is_known = bool(session.outcome) or session.problem is not None
        return not is_known and (session.path, session.size_bytes) not in self._tried

    def _read(self, job: Job, session: StoredSession) -> SessionSummary | None:
        """In the thread of the jobs; None for a recording that went meanwhile."""
        try:
            length_s = session.duration_s or 0.0
            return self._reading.examine(session.path, length_s, job.progress, GENERAL)
        except OSError:
            return None

    def _take(self, session: StoredSession, summary: SessionSummary | None) -> None:
        self._job = None
        self._tried.add((session.path, session.size_bytes))
        if summary is not None:
            self._keep(session, outcome_of(summary), summary.played_s)
        self._go_on()

    def _leave(self, session: StoredSession) -> None:
        """One that cannot be read now says why when somebody opens it."""
        self._take(session, None)

    @Slot(object)
    def _examined(self, examined: Examined) -> None:
        for summary in examined.summaries:
            session = self._library.session(Path(summary.path))
            outcome = outcome_of(summary)
            known = None if session is None else (session.outcome, session.played_s)
            if session is not None and known != (outcome, summary.played_s):
                self._keep(session, outcome, summary.played_s)

    def _keep(self, session: StoredSession, outcome: tuple[Statement, ...], played_s: int) -> None:
        if not outcome or session.header_time is None:
            return
        self._library.take_outcome(session.path, outcome, played_s)
        folder, when = self._library.folder, session.header_time
        try:
            keep_outcome(folder, when, session.size_bytes, outcome, played_s)
        except RecordingError:
            return  # a folder that takes no file costs only time at the next start
