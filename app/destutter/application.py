# SPDX-License-Identifier: GPL-3.0-or-later
"""Composition of the window: builds the objects, connects them, runs the event loop."""

import logging
import os
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import PySide6
from PySide6.QtCore import QEvent, QObject, Slot
from PySide6.QtDBus import QDBusConnection
from PySide6.QtWidgets import QApplication

from destutter.bridge.feed import FeedOptions, LiveFeed
from destutter.bridge.helper_client import HelperClient
from destutter.bridge.pipeline import Pipeline, Snapshot
from destutter.bridge.recording import SessionRecording
from destutter.bridge.replay_feed import ReplayFeed
from destutter.core.kernel_files import KernelFiles
from destutter.diagnosis.assessor import Assessor
from destutter.interruption import interruptible
from destutter.sampling.own_cost import cost_of_this_process
from destutter.session.format import RecordingError
from destutter.session.replay import ReplaySource
from destutter.settings import (
    Places,
    Settings,
    SettingsError,
    environment_places,
    load_settings,
    save_settings,
)
from destutter.tuning.current import as_mapping, read_current
from destutter.ui.desktop_scheme import DesktopScheme
from destutter.ui.feed_state import FeedKind, FeedState, RecordingState
from destutter.ui.icons import Icons
from destutter.ui.main_window import MainWindow
from destutter.ui.resource_folder import resource_folder
from destutter.ui.theme import Theme

log = logging.getLogger("destutter.application")

APPLICATION_ID = "io.github.destutter.Destutter"
_BATCH_MS = 250
_HIDDEN_BATCH_MS = 1000
_BACKGROUND_NICE = 19
_USUAL_REFRESH_HZ = 60.0


@dataclass(frozen=True, slots=True)
class WindowOptions:
    """What the command line asks of the window."""

    root: str = "/"
    pid: int | None = None
    replay: Path | None = None
    frames: str | None = None
    xplane: str | None = None


def run_window(options: WindowOptions) -> int:
    """Open the window and stay until it closes. Returns the exit status."""
    reason = refusal(os.environ, PySide6.__version__, sys.version_info[:2])
    if reason is not None:
        print(f"destutter: {reason}", file=sys.stderr)
        return 1
    try:
        replay = None if options.replay is None else ReplaySource(options.replay)
    except RecordingError as error:
        print(f"destutter: {error}", file=sys.stderr)
        return 1
    qt = QApplication(sys.argv[:1])
    qt.setApplicationName("Destutter")
    qt.setDesktopFileName(APPLICATION_ID)
    places = environment_places()
    running = RunningWindow(qt, options, load_settings(places.settings_file), places, replay)
    running.start()
    with interruptible(qt.quit):
        status = qt.exec()
    running.stop()
    return status


class RunningWindow(QObject):
    """The window with its feed: live measurements, or a recording."""

    def __init__(
        self,
        qt: QApplication,
        options: WindowOptions,
        settings: Settings,
        places: Places,
        replay: ReplaySource | None = None,
    ) -> None:
        super().__init__()
        self._options = options
        self._settings = settings
        self._settings_file = places.settings_file
        self._replay = replay
        self._files = KernelFiles(options.root)
        self._pipeline = Pipeline(Assessor())
        self._desktop = DesktopScheme(qt.styleHints(), QDBusConnection.sessionBus(), self)
        self._theme = Theme(
            qt, self._desktop, Icons(resource_folder() / "icons"), settings.theme, self
        )
        screen = qt.primaryScreen()
        self.window = MainWindow(
            self._theme,
            cost_of_this_process,
            watches_computer=settings.watches_whole_computer or options.root != "/",
            refresh_hz=screen.refreshRate() or _USUAL_REFRESH_HZ,
        )
        self._live: LiveFeed | None = None
        self._recording: SessionRecording | None = None
        self._playback: ReplayFeed | None = None
        self._sessions = places.sessions
        self._game = ""
        self._helper = HelperClient(QDBusConnection.systemBus(), self._read_tunables, self)
        self._connect()

    def start(self) -> None:
        """Show the window and begin to measure, or to play."""
        self.window.show()
        self._desktop.ask_portal()
        if self._replay is None:
            self._measure()
            self._helper.refresh()
        else:
            self._play(self._replay)

    def stop(self) -> None:
        """End the measurement; a recording that runs is closed with what it has."""
        if self._recording is not None:
            self._recording.stop()
        for feed in (self._live, self._playback):
            if feed is not None:
                feed.stop()

    def _connect(self) -> None:
        window = self.window
        window.installEventFilter(self)
        window.game_chosen.connect(self._watch)
        window.watch_computer_requested.connect(self._watch_computer)
        window.record_requested.connect(self._record)
        window.stop_requested.connect(self._stop_recording)
        window.marker_requested.connect(self._mark)
        window.pause_changed.connect(self._pause)
        window.restart_requested.connect(self._measure_again)
        window.theme_chosen.connect(self._keep_theme)
        self._helper.status_changed.connect(window.show_helper)

    def _measure(self) -> None:
        wanted = self._options
        options = FeedOptions(
            wanted.root,
            self._settings.interval_ms,
            _BATCH_MS,
            wanted.pid,
            wanted.frames,
            wanted.xplane,
        )
        feed = LiveFeed(self._pipeline, options.programs(), self)
        feed.snapshot_taken.connect(self._show)
        feed.ended.connect(self._feed_ended)
        recording = SessionRecording(
            feed, self._pipeline, self._sessions, self._read_tunables, self
        )
        recording.started.connect(self._recording_started)
        recording.stopped.connect(self._recording_stopped)
        recording.failed.connect(self._recording_failed)
        self._live, self._recording = feed, recording
        self.window.show_feed_state(FeedState(FeedKind.STARTING))
        feed.start()

    def _play(self, replay: ReplaySource) -> None:
        feed = ReplayFeed(self._pipeline, replay, parent=self)
        feed.snapshot_taken.connect(self.window.show_snapshot)
        self._playback = feed
        name = Path(replay.file.path).name
        self.window.show_feed_state(FeedState(FeedKind.REPLAY, name))
        feed.start()

    @Slot(object)
    def _show(self, snapshot: Snapshot) -> None:
        game = snapshot.facts.get("game.name", "")
        if game != self._game:
            self._game = game
            if game:
                _step_back()
        self.window.show_snapshot(snapshot)

    @Slot(str)
    def _feed_ended(self, reason: str) -> None:
        if self._recording is not None:
            self._recording.stop()
        self.window.show_feed_state(FeedState(FeedKind.FAILED, reason))

    @Slot()
    def _measure_again(self) -> None:
        self.stop()
        self._pipeline = Pipeline(Assessor())
        self._measure()

    @Slot(int)
    def _watch(self, pid: int) -> None:
        if self._live is not None:
            self._live.watch(pid)

    @Slot()
    def _watch_computer(self) -> None:
        self._keep(replace(self._settings, watches_whole_computer=True))

    @Slot()
    def _record(self) -> None:
        if self._recording is not None:
            self._recording.start(self._game)

    @Slot()
    def _stop_recording(self) -> None:
        if self._recording is not None:
            self._recording.stop()

    @Slot()
    def _mark(self) -> None:
        if self._live is not None:
            self._live.mark("mark")

    @Slot(bool)
    def _pause(self, is_paused: bool) -> None:  # noqa: FBT001  a Qt slot
        if self._playback is not None:
            self._playback.set_paused(is_paused)

    @Slot(str)
    def _recording_started(self, path: str) -> None:
        state = RecordingState(time.monotonic_ns(), Path(path).name)
        self.window.show_recording(state)

    @Slot(str)
    def _recording_stopped(self, path: str) -> None:
        self.window.show_recording(RecordingState(file_name=Path(path).name))

    @Slot(str)
    def _recording_failed(self, reason: str) -> None:
        self.window.show_recording(RecordingState(failure=reason))

    @Slot(str)
    def _keep_theme(self, choice: str) -> None:
        self._keep(replace(self._settings, theme=choice))

    def _keep(self, settings: Settings) -> None:
        self._settings = settings
        try:
            save_settings(self._settings_file, settings)
        except SettingsError as error:
            log.warning("%s", error)

    def _read_tunables(self) -> dict[str, str]:
        return as_mapping(read_current(self._files))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802  Qt's name
        """Let the children hand over less often while nobody looks."""
        kinds = (QEvent.Type.WindowStateChange, QEvent.Type.Show, QEvent.Type.Hide)
        if watched is self.window and event.type() in kinds and self._live is not None:
            is_seen = self.window.isVisible() and not self.window.isMinimized()
            self._live.set_batch_ms(_BATCH_MS if is_seen else _HIDDEN_BATCH_MS)
        return super().eventFilter(watched, event)


def _step_back() -> None:
    """Let the game have the cores: the window may wait, the sampler and the probe may not.

    They run already and keep their priority; an ordinary user cannot raise it again, so the
    window stays behind until it closes.
    """
    os.setpriority(os.PRIO_PROCESS, 0, _BACKGROUND_NICE)


def refusal(environment: Mapping[str, str], pyside: str, python: tuple[int, ...]) -> str | None:
    """Why a window cannot open here, in one line; None when it can."""
    if pyside == "6.12.0" and python < (3, 12):
        return (
            "PySide6 6.12.0 crashes on Python older than 3.12. "
            "Install PySide6-Essentials 6.11.3, or use Python 3.12."
        )
    has_display = any(environment.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))
    if not has_display and not environment.get("QT_QPA_PLATFORM"):
        return "There is no display here. In a terminal, 'destutter watch' shows the same."
    return None
