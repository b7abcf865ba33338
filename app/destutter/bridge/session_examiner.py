# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the recordings that somebody looks at, one or two, outside the window's thread."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from destutter.analysis.comparing.further_runs import Run, further_runs, is_alike
from destutter.analysis.examining.examination import ExaminationError
from destutter.analysis.examining.frame_import import FrameImportError
from destutter.analysis.examining.own_comments import with_own_comment
from destutter.analysis.examining.own_phases import with_own_phases
from destutter.analysis.examining.summary import SessionSummary
from destutter.analysis.reading.read_once import ReadOnce
from destutter.analysis.reading.session_reader import SessionReading, Tell, reason_of
from destutter.bridge.background_jobs import Job, Jobs
from destutter.core.statement import Statement
from destutter.session.format import RecordingError
from destutter.session.replay import ReplaySource
from destutter.tuning.presets import GENERAL, Preset

if TYPE_CHECKING:
    from destutter.analysis.comparing.comparison import Comparison


@dataclass(frozen=True, slots=True)
class Examined:
    """What was read: one summary, or two with their comparison, B against A.

    ``is_of_groups``: somebody chose several runs of a side, and the comparison's confirmation is
    what was asked for.
    """

    summaries: tuple[SessionSummary, ...]
    comparison: Comparison | None
    is_of_groups: bool = False


@dataclass(frozen=True, slots=True)
class _Unreadable:
    path: Path
    reason: Statement


_Groups = tuple[Sequence[Path], Sequence[Path]]
_NO_GROUPS: _Groups = ((), ())


class SessionExaminer(QObject):
    """One question at a time: a new one takes the place of that before.

    Signals: ``progressed(float)`` from 0 to 1, ``examined(Examined)``, and
    ``failed(Path, Statement)`` with the file that could not be read and why. Where further runs of
    the two sides lie in the folder, ``examined`` comes a second time, with what all of them
    confirm.
    """

    progressed = Signal(float)
    examined = Signal(object)
    failed = Signal(object, object)

    def __init__(
        self,
        jobs: Jobs,
        reading: SessionReading,
        read_once: ReadOnce,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._reading = reading
        self._job: Job | None = None
        self._further: Job | None = None
        self._others: tuple[tuple[Path, str], ...] = ()
        self._read_once = read_once
        self._preset: Preset = GENERAL
        self._shown: Callable[[], None] | None = None

    @property
    def is_running(self) -> bool:
        return self._job is not None

    def known(self, path: Path) -> SessionSummary | None:
        """What was read of a recording lately; None for one that was not, or has changed."""
        with contextlib.suppress(OSError):
            return self._read_once.known(_key(path, self._preset))
        return None

    def set_preset(self, preset: Preset) -> None:
        """Advise for what is played; what was examined last is examined once more for it."""
        is_other = preset.id != self._preset.id
        self._preset = preset
        if is_other and self._shown is not None:
            self._shown()

    def examine(
        self,
        paths: Sequence[Path],
        lengths_s: Sequence[float],
        others: Sequence[tuple[Path, str]] = (),
        groups: _Groups = _NO_GROUPS,
    ) -> None:
        """Read these; ``lengths_s`` are their durations as far as known, for the progress.

        ``others`` are files with the name of their game that may be further runs of two that are
        compared, the most welcome first; ``groups`` those that somebody put beside A and B.
        """
        self.cancel()
        self._others = tuple(others)
        wanted, preset = list(zip(paths, lengths_s, strict=True)), self._preset
        self._shown = partial(self.examine, list(paths), list(lengths_s), self._others, groups)
        job = self._jobs.start(lambda job: self._read(job, wanted, groups, preset))
        self._job = job
        job.progressed.connect(self.progressed)
        job.done.connect(self._take)
        job.failed.connect(lambda why: self._take(_Unreadable(paths[0], why)))

    def cancel(self) -> None:
        for job in (self._job, self._further):
            if job is not None:
                job.cancel()
        self._job = self._further = self._shown = None

    @Slot(object)
    def _take(self, answer: object) -> None:
        self._job = None
        if isinstance(answer, _Unreadable):
            self.failed.emit(answer.path, answer.reason)
        elif isinstance(answer, Examined):
            self.examined.emit(answer)
            # Whoever was told may have asked something new.
            if answer.comparison is not None and self._others and not self.is_running:
                self._look_further(answer)

    def _look_further(self, answer: Examined) -> None:
        others = self._others
        job = self._jobs.start(lambda job: self._with_further_runs(job, answer, others))
        self._further = job
        job.done.connect(self._take_further)
        job.failed.connect(lambda _why: self._take_further(None))  # two are compared already

    @Slot(object)
    def _take_further(self, answer: Examined | None) -> None:
        self._further = None
        if answer is not None:
            self.examined.emit(answer)

    def _read(
        self, job: Job, wanted: list[tuple[Path, float]], groups: _Groups, preset: Preset
    ) -> Examined | _Unreadable:
        """In the thread of the jobs."""
        found: list[SessionSummary] = []
        more: list[list[SessionSummary]] = [[], []]
        for at, (path, length_s) in enumerate(wanted):
            done = at / len(wanted)

            def tell(share: float, done: float = done) -> None:
                job.progress(done + share / len(wanted))

            try:
                summary = self._read_once.read(
                    _key(path, preset),
                    partial(self._examine, path, length_s, preset),
                    tell,
                    job.check,
                )
                found.append(with_own_comment(with_own_phases(summary)))
            except (ExaminationError, RecordingError, FrameImportError, OSError) as error:
                return _Unreadable(path, reason_of(error, path))
        for side, group in zip(more, groups, strict=True):
            for path in group:
                try:
                    summary = self._reading.examine_plainly(path, job.check)
                except (ExaminationError, RecordingError, FrameImportError, OSError) as error:
                    return _Unreadable(path, reason_of(error, path))
                side.append(with_own_phases(summary))
        job.check()
        comparison = _compare(found[0], found[1], *more) if len(found) == 2 else None
        return Examined(tuple(found), comparison, any(more))

    def _examine(self, path: Path, length_s: float, preset: Preset, tell: Tell) -> SessionSummary:
        return self._reading.examine(path, length_s, tell, preset)

    def _with_further_runs(
        self, job: Job, answer: Examined, others: Sequence[tuple[Path, str]]
    ) -> Examined | None:
        """The same comparison with all runs of both sides; None when there are no further ones."""
        a, b = answer.summaries
        runs = []
        for path, game in others:
            job.check()
            run = _run_of(path, game)
            if run is not None:
                runs.append(run)
        of_a, of_b = further_runs(a, b, runs)
        more_a, more_b = self._summaries(job, a, of_a), self._summaries(job, b, of_b)
        if not more_a and not more_b:
            return None
        return Examined((a, b), _compare(a, b, more_a, more_b))

    def _summaries(
        self, job: Job, side: SessionSummary, paths: Sequence[Path]
    ) -> list[SessionSummary]:
        """Those of the files that can be read and are runs of that side, without causes."""
        found = []
        for path in paths:
            try:
                summary = self._reading.examine_plainly(path, job.check)
            except (ExaminationError, RecordingError, FrameImportError, OSError):
                continue
            # Only now the version of the game is known.
            if is_alike(side, summary):
                found.append(with_own_phases(summary))
        return found


def _key(path: Path, preset: Preset) -> tuple[str, int, int, str]:
    """What a summary hangs on. Raises ``OSError``."""
    status = path.stat()
    return str(path), status.st_size, status.st_mtime_ns, preset.id


def _compare(a: SessionSummary, b: SessionSummary, *more: Sequence[SessionSummary]) -> Comparison:
    # Loaded when somebody compares: random numbers bring a library of cryptography with them.
    from destutter.analysis.comparing.comparison import compare_sessions

    return compare_sessions(a, b, *more)


def _run_of(path: Path, game: str) -> Run | None:
    """What a file's header tells; None when it cannot be read."""
    try:
        source = ReplaySource(path)
    except (RecordingError, OSError):
        return None
    try:
        return Run(path, SessionSummary(str(path), source.header, 0.0, 0, game=game))
    finally:
        source.close()
