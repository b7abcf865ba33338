# SPDX-License-Identifier: GPL-3.0-or-later
"""The folder of recordings as the window shows it: list, import, rename, delete with undo.

Everything that reads whole files happens in a thread of its own; what is shown of a file comes
from an index that lies beside the files.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal, Slot

from destutter.analysis.examining.own_comments import keep_comment
from destutter.analysis.reading.session_index import read_sessions
from destutter.analysis.reading.session_reader import SessionReading
from destutter.bridge.background_jobs import Job, Jobs
from destutter.core.compared import LEAST_MINUTES
from destutter.core.statement import Statement
from destutter.core.system_error import system_reason
from destutter.session.format import RecordingError
from destutter.session.new_file import move_without_replacing
from destutter.session.store import StoredSession, rename

DELETED = ".deleted"
_SOON_MS = 300  # a copy changes the folder again and again; each change would have it read anew


class Attempt(StrEnum):
    """What could not be done."""

    LIST = "list"
    IMPORT = "import"
    RENAME = "rename"
    COMMENT = "comment"
    DELETE = "delete"
    RESTORE = "restore"


@dataclass(frozen=True, slots=True)
class LibraryFailure:
    """Something that did not work, for one line on the page: what, with which file, and why."""

    attempt: Attempt
    name: str
    reason: Statement


class SessionLibrary(QObject):
    """The recordings in ``folder``, which need not exist yet.

    Signals: ``changed()`` when the list is new, ``busy_changed()`` when reading or importing
    begins or ends, ``imported(Path)``, ``failed(LibraryFailure)``, ``deleted(Path)`` with the
    place that a file had, and ``restored(Path)`` when that was taken back.
    """

    changed = Signal()
    busy_changed = Signal()
    imported = Signal(object)
    failed = Signal(object)
    deleted = Signal(object)
    restored = Signal(object)

    def __init__(
        self, folder: Path, jobs: Jobs, reading: SessionReading, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.folder = folder
        self._jobs = jobs
        self._take_in = reading.take_in
        self._sessions: tuple[StoredSession, ...] = ()
        self._is_read = False
        self._reading: Job | None = None
        self._imports: list[str] = []
        self._progress = 0.0
        self._deleted: tuple[Path, Path] | None = None
        self._watcher = QFileSystemWatcher(self)
        self._watcher.directoryChanged.connect(self._folder_changed)
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(_SOON_MS)
        self._soon.timeout.connect(self.refresh)

    # --- what is known -----------------------------------------------------------------------

    @property
    def sessions(self) -> Sequence[StoredSession]:
        """The recordings, the newest first."""
        return self._sessions

    @property
    def is_read(self) -> bool:
        """Whether the folder has been read once."""
        return self._is_read

    @property
    def progress(self) -> float:
        """How much of the folder has been read, from 0 to 1, while ``is_reading``."""
        return self._progress

    @property
    def is_reading(self) -> bool:
        return self._reading is not None

    @property
    def importing(self) -> str:
        """The name of the file that is being imported; empty when none is."""
        return self._imports[0] if self._imports else ""

    def session(self, path: Path) -> StoredSession | None:
        """What is known of a file; None when it is not in the list."""
        return next((each for each in self._sessions if each.path == path), None)

    def further_runs(self, a: StoredSession, b: StoredSession) -> list[tuple[Path, str]]:
        """Files of the game of these two that are long enough to confirm something."""
        return [
            (each.path, each.game)
            for each in self._sessions
            if each.path not in (a.path, b.path)
            and each.game in (a.game, b.game)
            and each.problem is None
            and each.length_s >= 60 * LEAST_MINUTES
        ]

    # --- reading -----------------------------------------------------------------------------

    @Slot()
    def refresh(self) -> None:
        """Read the folder anew, without waiting for it."""
        self._soon.stop()
        if self._reading is not None:
            self._reading.cancel()
        self._watch()
        job = self._jobs.start(self._read, RecordingError)
        self._reading, self._progress = job, 0.0
        job.done.connect(partial(self._take, job))
        job.failed.connect(partial(self._unreadable, job))
        job.progressed.connect(self._moved)
        self.busy_changed.emit()

    def _read(self, job: Job) -> tuple[StoredSession, ...]:
        return read_sessions(self.folder, lambda at, count: job.progress(at / count))

    def _watch(self) -> None:
        if not self._watcher.directories() and self.folder.is_dir():
            self._watcher.addPath(os.fspath(self.folder))

    @Slot(str)
    def _folder_changed(self, _path: str) -> None:
        self._soon.start()

    @Slot(float)
    def _moved(self, share: float) -> None:
        self._progress = share
        self.busy_changed.emit()

    def _take(self, job: Job, sessions: tuple[StoredSession, ...]) -> None:
        if job is not self._reading:
            return
        self._reading = None
        # What was found in one while the folder was read is not in what was read.
        found = {(each.path, each.size_bytes): each for each in self._sessions}

        def told(each: StoredSession) -> StoredSession:
            before = found.get((each.path, each.size_bytes), each)
            if each.outcome:
                return each
            return replace(each, outcome=before.outcome, played_s=before.played_s)

        sessions = tuple(map(told, sessions))
        is_new = sessions != self._sessions or not self._is_read
        self._sessions, self._is_read = sessions, True
        if is_new:
            self.changed.emit()
        self.busy_changed.emit()

    def _unreadable(self, job: Job, reason: Statement) -> None:
        if job is not self._reading:
            return
        self._reading, self._is_read = None, True
        self.failed.emit(LibraryFailure(Attempt.LIST, self.folder.name, reason))
        self.changed.emit()
        self.busy_changed.emit()

    # --- changing ----------------------------------------------------------------------------

    def import_from(self, source: Path) -> None:
        """Take a recording or a frame-time log into the folder, without waiting for it."""
        self._imports.append(source.name)
        job = self._jobs.start(
            lambda job: self._take_in(source, self.folder, job.check), RecordingError
        )
        job.done.connect(partial(self._came, source.name))
        job.failed.connect(partial(self._did_not_come, source.name))
        self.busy_changed.emit()

    def _came(self, name: str, path: Path) -> None:
        self._imports.remove(name)
        self.imported.emit(path)
        self.busy_changed.emit()
        self.refresh()

    def _did_not_come(self, name: str, reason: Statement) -> None:
        self._imports.remove(name)
        self.failed.emit(LibraryFailure(Attempt.IMPORT, name, reason))
        self.busy_changed.emit()

    def rename(self, path: Path, name: str) -> Path | None:
        """Give a recording another name; where it is now, or None after ``failed``."""
        session = self.session(path)
        if session is None:
            return None
        try:
            target = rename(session.path, name)
        except RecordingError as error:
            self.failed.emit(LibraryFailure(Attempt.RENAME, session.name, error.statement))
            self.refresh()
            return None
        self.refresh()
        return target

    @Slot(object, str)
    def comment(self, path: Path, text: str) -> None:
        """Keep what somebody wrote about a recording, beside it."""
        session = self.session(path)
        if session is None or session.header_time is None:
            return
        try:
            keep_comment(self.folder, session.header_time, text)
        except RecordingError as error:
            failure = LibraryFailure(Attempt.COMMENT, session.name, error.statement)
            self.failed.emit(failure)
        self.refresh()

    def take_outcome(self, path: Path, outcome: tuple[Statement, ...], played_s: float) -> None:
        """List a recording with what was found in it."""
        self._sessions = tuple(
            replace(each, outcome=outcome, played_s=played_s) if each.path == path else each
            for each in self._sessions
        )
        self.changed.emit()

    def delete(self, path: Path) -> None:
        """Put a recording aside; ``restore`` brings it back until ``forget_deleted``."""
        self.forget_deleted()
        aside = self.folder / DELETED / path.name
        try:
            aside.parent.mkdir(exist_ok=True)
            os.replace(path, aside)
        except FileNotFoundError:
            self.refresh()
            return
        except OSError as error:
            reason = system_reason(error)
            self.failed.emit(LibraryFailure(Attempt.DELETE, path.stem, reason))
            return
        self._deleted = (path, aside)
        self._sessions = tuple(each for each in self._sessions if each.path != path)
        self.changed.emit()
        self.deleted.emit(path)
        self.refresh()

    def restore(self) -> None:
        """Bring back what was deleted last."""
        if self._deleted is None:
            return
        path, aside = self._deleted
        self._deleted = None
        try:
            move_without_replacing(os.fspath(aside), os.fspath(path))
        except OSError as error:
            reason = system_reason(error)
            self.failed.emit(LibraryFailure(Attempt.RESTORE, path.stem, reason))
        else:
            self.restored.emit(path)
        self.refresh()

    def forget_deleted(self) -> None:
        """Delete for good what was put aside, also what an earlier run left there."""
        self._deleted = None
        folder = self.folder / DELETED
        try:
            for path in folder.iterdir():
                path.unlink()
            folder.rmdir()
        except FileNotFoundError:
            return
        except OSError as error:
            reason = system_reason(error)
            self.failed.emit(LibraryFailure(Attempt.DELETE, folder.name, reason))

    def stop(self) -> None:
        """Delete for good what was put aside, and read no more."""
        self._soon.stop()
        self.forget_deleted()
        for folder in self._watcher.directories():
            self._watcher.removePath(folder)
