# SPDX-License-Identifier: GPL-3.0-or-later
"""Recording the live stream into the folder of sessions, started and stopped from a window."""

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from destutter.analysis.examining.pipeline import Pipeline
from destutter.bridge.feed import LiveFeed
from destutter.core.statement import Statement, told
from destutter.session.format import RecordingError
from destutter.session.recorder import Recorder
from destutter.session.recording_name import free_path


class SessionRecording(QObject):
    """At most one recording at a time.

    Signals: ``started(str)`` with the file's path, ``stopped(str)`` with it again, and
    ``failed(Statement)`` with the reason when it could not start or had to end.
    """

    started = Signal(str)
    stopped = Signal(str)
    failed = Signal(object)

    def __init__(
        self,
        feed: LiveFeed,
        pipeline: Pipeline,
        folder: Path,
        read_tunables: Callable[[], Mapping[str, str]],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._feed = feed
        self._pipeline = pipeline
        self._folder = folder
        self._read_tunables = read_tunables
        self._recorder: Recorder | None = None
        feed.recording_ended.connect(self._ended)

    @property
    def is_running(self) -> bool:
        return self._recorder is not None

    def start(self, game: str = "") -> None:
        """Record from now on; the file is named by the date and the game."""
        header = self._pipeline.header
        if self._recorder is not None or header is None:
            return
        now = replace(
            header,
            monotonic_ns=time.monotonic_ns(),
            wall_time=datetime.now().astimezone().timestamp(),
            tunables=dict(self._read_tunables()),
        )
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._recorder = Recorder(free_path(self._folder, game), now)
            self._feed.record_to(self._recorder)
        except (RecordingError, OSError) as error:
            self._recorder = None
            why = error.statement if isinstance(error, RecordingError) else told(str(error))
            self.failed.emit(Statement("session.not_started", {"reason": why}))
            return
        self.started.emit(self._recorder.path)

    def stop(self) -> None:
        """End the recording; what has been measured until now is in the file."""
        recorder, self._recorder = self._recorder, None
        if recorder is None:
            return
        self._feed.stop_recording()
        try:
            recorder.close()
        except RecordingError as error:
            self.failed.emit(error.statement)
            return
        self.stopped.emit(recorder.path)

    @Slot(object)
    def _ended(self, reason: Statement) -> None:
        self._recorder = None
        self.failed.emit(reason)
