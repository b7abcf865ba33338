# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the recordings that somebody looks at, one or two, outside the window's thread."""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from destutter.bridge.background_jobs import Job, Jobs
from destutter.bridge.comparing import Comparison, compare_sessions
from destutter.bridge.examination import (
    ExaminationError,
    Examiner,
    examine_log,
    feed_recording,
    is_recording,
)
from destutter.bridge.frame_import import FrameImportError
from destutter.bridge.session_summary import SessionSummary
from destutter.session.format import RecordingError

_KEPT = 4


@dataclass(frozen=True, slots=True)
class Examined:
    """What was read: one summary, or two with their comparison, B against A."""

    summaries: tuple[SessionSummary, ...]
    comparison: Comparison | None


@dataclass(frozen=True, slots=True)
class _Unreadable:
    path: Path
    reason: str


_Key = tuple[str, int, int]


class SessionExaminer(QObject):
    """One question at a time: a new one takes the place of that before.

    Signals: ``progressed(float)`` from 0 to 1, ``examined(Examined)``, and ``failed(Path, str)``
    with the file that could not be read and why.
    """

    progressed = Signal(float)
    examined = Signal(object)
    failed = Signal(object, str)

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._job: Job | None = None
        self._known: OrderedDict[_Key, SessionSummary] = OrderedDict()

    @property
    def is_running(self) -> bool:
        """Whether files are being read."""
        return self._job is not None

    def examine(self, paths: Sequence[Path], lengths_s: Sequence[float]) -> None:
        """Read these; ``lengths_s`` are their durations as far as known, for the progress."""
        self.cancel()
        wanted = list(zip(paths, lengths_s, strict=True))
        job = self._jobs.start(lambda job: self._read(job, wanted))
        self._job = job
        job.progressed.connect(self.progressed)
        job.done.connect(lambda answer: self._take(job, answer))

    def cancel(self) -> None:
        """Read no further."""
        if self._job is not None:
            self._job.cancel()
            self._job = None

    def _take(self, job: Job, answer: object) -> None:
        if job is not self._job:
            return
        self._job = None
        if isinstance(answer, _Unreadable):
            self.failed.emit(answer.path, answer.reason)
        else:
            self.examined.emit(answer)

    def _read(self, job: Job, wanted: list[tuple[Path, float]]) -> Examined | _Unreadable:
        """In the thread of the jobs."""
        found: list[SessionSummary] = []
        for at, (path, length_s) in enumerate(wanted):
            done = at / len(wanted)

            def tell(share: float, done: float = done) -> None:
                job.progress(done + share / len(wanted))

            try:
                found.append(self._summary(path, length_s, tell))
            except (ExaminationError, RecordingError, FrameImportError, OSError) as error:
                return _Unreadable(path, reason_of(error, path))
        job.check()
        comparison = compare_sessions(*found) if len(found) == 2 else None
        return Examined(tuple(found), comparison)

    def _summary(
        self, path: Path, length_s: float, tell: Callable[[float], None]
    ) -> SessionSummary:
        status = path.stat()
        key = (str(path), status.st_size, status.st_mtime_ns)
        known = self._known.get(key)
        if known is None:
            known = examine_session(path, length_s, tell)
            self._known[key] = known
            while len(self._known) > _KEPT:
                self._known.popitem(last=False)
        self._known.move_to_end(key)
        return known


def examine_session(path: Path, length_s: float, tell: Callable[[float], None]) -> SessionSummary:
    """Read a recording or a frame log, and tell how far it is; ``tell`` may raise to end it.

    Raises ``ExaminationError``, ``RecordingError`` or ``FrameImportError`` in words.
    """
    if not is_recording(str(path)):
        return examine_log(str(path))
    examiner = Examiner()

    def is_wanted() -> bool:
        tell(min(1.0, examiner.duration_s / length_s) if length_s > 0 else 0.0)
        return True

    problems = feed_recording(str(path), examiner, None, is_wanted)
    return examiner.summary(str(path), problems)


def reason_of(error: Exception, path: Path) -> str:
    """The words of an error without the path, which the page shows itself."""
    if isinstance(error, FileNotFoundError):
        return "there is no such file any more"
    if isinstance(error, OSError):
        return error.strerror or str(error)
    return str(error).removeprefix(f"{path}: ")
