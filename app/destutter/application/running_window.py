# SPDX-License-Identifier: GPL-3.0-or-later
"""What fills the window: builds the objects behind it and connects them."""

from __future__ import annotations

import logging
import os
import time
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QObject, QTimer, Slot
from PySide6.QtDBus import QDBusConnection

from destutter.analysis.examining.pipeline import Pipeline, Snapshot
from destutter.application.desktop_integration import DesktopIntegration, WindowParts
from destutter.application.guide_wiring import GuideWiring
from destutter.application.second_start import hand_over
from destutter.application.sessions_wiring import SessionsWiring
from destutter.application.trace_wiring import TraceWiring
from destutter.application.tuning_wiring import TuningWiring
from destutter.bridge.feed import LiveFeed, wanted_probes
from destutter.bridge.followed_frames import FollowedFrames
from destutter.bridge.game_presence import GamePresence
from destutter.bridge.global_keys import GlobalKeys
from destutter.bridge.kernel_trace import KernelTrace
from destutter.bridge.launcher import Launcher
from destutter.bridge.recorded_trials import RecordedTrials
from destutter.bridge.recording import SessionRecording
from destutter.core.computer import kernel_files
from destutter.core.kernel_files import KernelFileError
from destutter.core.running_instance import NOT_TAKEN, RECORDED, SHOWN, session_address
from destutter.core.sandbox import is_sandboxed
from destutter.core.source import BATCH_MS
from destutter.core.statement import Statement
from destutter.diagnosis.assessor import Assessor
from destutter.menu_entry import own_menu_entry
from destutter.sampling.capturing.folder_drive import folders_on_drive
from destutter.sampling.installed.library import GameLibrary, read_library
from destutter.sampling.machine import describe_machine
from destutter.sampling.programs import LiveOptions
from destutter.tuning.current import as_mapping, read_current
from destutter.ui.pages.feed_state import FeedKind, FeedState, RecordingState
from destutter.ui.pages.page_sources import PageSources
from destutter.ui.shell.menu_offer import MenuOffer
from destutter.ui.shell.trial_verdict import TrialVerdict
from destutter.ui.words.words import said

if TYPE_CHECKING:
    from destutter.application.opened_window import OpenedWindow
    from destutter.application.window_options import WindowOptions
    from destutter.bridge.kept_settings import KeptSettings
    from destutter.session.replay import ReplaySource
    from destutter.settings import Settings

log = logging.getLogger("destutter.application")

_HIDDEN_BATCH_MS = 1000
# With nice 19, as with SCHED_IDLE, the window waits instead of the game.
_BACKGROUND_NICE = 19


def _read_games() -> GameLibrary:
    return read_library(os.environ, is_sandboxed=is_sandboxed())


class RunningWindow(QObject):
    """The window with its feed: live measurements, or a recording."""

    def __init__(
        self,
        opened: OpenedWindow,
        options: WindowOptions,
        keeping: KeptSettings,
        replay: ReplaySource | None = None,
    ) -> None:
        super().__init__()
        self._qt = opened.qt
        self._options = options
        self._settings = keeping
        self._replay = replay
        self._files = kernel_files(options.root, os.environ.get("DBUS_SESSION_BUS_ADDRESS", ""))
        self._watched = GamePresence(is_hidden=is_sandboxed(), parent=self)
        self._pipeline = Pipeline(Assessor())
        self._desktop = opened.desktop
        bus = QDBusConnection.systemBus()
        self._tuning = TuningWiring(bus, self._files, self)
        self._tracing = TraceWiring(self)
        self.window = opened.window
        keys = GlobalKeys(session_address(os.environ), self)
        self.window.offer_sources(
            PageSources(
                self._tuning.model,
                self._settings,
                self._read_machine,
                lambda: tuple(self._tuning.presets.values()),
                self._trace_of_here(),
                partial(folders_on_drive, self._files),
                _read_games,
                keys,
            )
        )
        self._frame_logs = keeping.places.frame_logs
        self._followed = FollowedFrames(*options.frames_of(keeping.value), self)
        self._launcher: Launcher | None = None
        self._live: LiveFeed | None = None
        self._recording: SessionRecording | None = None
        self._has_failed = False
        self._sessions = SessionsWiring(self.window, self._settings.sessions, self)
        self._guide = GuideWiring(
            *(self.window, keeping.places.guide_file, self._sessions, self._tuning.model, self),
            read_games=_read_games,
        )
        self._guide.followed = self._followed
        model = self._tuning.model
        self._trials = RecordedTrials(model, self._sessions.models, lambda: self._recording, self)
        self._trial_verdict = TrialVerdict(
            self.window, self._trials, model, self._sessions.compare, self
        )
        self._menu_offer = MenuOffer(self.window, keeping, own_menu_entry(), self)
        inside = WindowParts(
            *(opened.qt, self.window, opened.theme, keeping, self._tuning.model),
            *(self._files, keys, self._trace_of_here()),
        )
        self._around = DesktopIntegration(inside, self._mark_with, self)
        self._connect()

    def _trace_of_here(self) -> KernelTrace | None:
        """On the files of another computer there is nothing of this kernel to look into."""
        return self._tracing.trace if self._options.root == "/" else None

    def start(self) -> None:
        """Begin to measure, or to play; or leave it to a window that was a moment quicker.

        A window on a recording or on another computer's files is one more, not the one.
        """
        if self._options.is_plain and not self._around.instance.take():
            told = hand_over(os.environ, self._options.action)
            if told is not None:
                print(said(told), flush=True)
                QTimer.singleShot(0, self, self._qt.exit)
                return
        self._desktop.ask_portal()
        self._tuning.start(asks_helper=self._options.root == "/")
        if self._options.root == "/":
            # MangoHud writes nothing into a folder that is not there.
            with suppress(OSError):
                self._frame_logs.mkdir(parents=True, exist_ok=True)
        if self._replay is None:
            self._measure()
        else:
            self._sessions.play(self._replay)
        self._around.start(self._options.action)

    def stop(self) -> None:
        """End the measurement; a recording that runs is closed with what it has."""
        if self._recording is not None:
            self._recording.stop()
        for feed in self.findChildren(LiveFeed):
            feed.stop()

    def end(self) -> None:
        """End the program without a question."""
        self._around.presence.quit()

    def close(self) -> None:
        """The window closes: a trial goes back now instead of at its end."""
        self.stop()
        self._around.stop()
        self._sessions.stop()
        self._tracing.stop()
        self._tuning.stop()
        if self._launcher is not None:
            self._launcher.stop()

    def _connect(self) -> None:
        window = self.window
        window.installEventFilter(self)
        self._followed.changed.connect(self._keep_followed)
        self._watched.came.connect(self._step_back)
        self._watched.hiding_changed.connect(self._show_watching)
        window.game_chosen.connect(self._watch)
        window.watch_computer_requested.connect(self._watch_computer)
        window.record_requested.connect(self._record)
        window.stop_requested.connect(self._stop_recording)
        window.marker_requested.connect(self._mark)
        window.restart_requested.connect(self._measure_again)
        window.theme_chosen.connect(self._keep_theme)
        self._sessions.ended.connect(self._show_present)
        self._settings.changed.connect(self._settings_changed)
        window.drawn.connect(self._follow_setup)
        if self._settings.value.workload:
            window.drawn.connect(self._follow_workload)
        self._around.file_opened.connect(self._open_file)
        self._around.seen_changed.connect(self._hurry)
        self._tuning.client.status_changed.connect(window.show_helper)
        self._tuning.client.status_changed.connect(self._tracing.show_helper)

    def _measure(self) -> None:
        wanted = self._options
        options = LiveOptions(
            wanted.root,
            self._settings.value.interval_ms,
            wanted.pid,
            batch_ms=BATCH_MS,
            probes=wanted_probes(self._settings.value),
            frames=self._followed.folder or None,
            xplane=self._followed.xplane or None,
        )
        programs = list(options.programs().values())
        feed = LiveFeed(self._pipeline, programs, self, self._launcher)
        feed.snapshot_taken.connect(self._show)
        feed.ended.connect(self._feed_ended)
        recording = SessionRecording(
            feed, self._pipeline, self._sessions.folder, self._read_tunables, feed
        )
        recording.started.connect(self._recording_started)
        recording.stopped.connect(self._recording_stopped)
        recording.failed.connect(self._recording_failed)
        self._live, self._recording = feed, recording
        self.window.show_feed_state(FeedState(FeedKind.STARTING))
        feed.start()
        self._tracing.use(feed)

    @Slot()
    def _show_present(self) -> None:
        """A recording was played; the present goes on, or begins."""
        if self._live is None or self._has_failed:
            self._measure_again()

    @Slot(object)
    def _show(self, snapshot: Snapshot) -> None:
        self._watched.accept_snapshot(snapshot)
        self._tracing.accept_snapshot(snapshot)
        self._tuning.follow_game(snapshot)
        if not self._sessions.is_playing:
            self._watched.accept_sandbox(snapshot)
            self._tuning.accept_snapshot(snapshot)
            self.window.show_snapshot(snapshot)
        else:
            self.window.show_present(snapshot)
        self._around.accept_snapshot(snapshot)

    @Slot()
    def _step_back(self) -> None:
        """Let the game have the cores: the window may wait, the sampler and the probe may not.

        They keep their priority, those that are started later, too; an ordinary user cannot
        raise it again, so the window stays behind until it closes.
        """
        if self._launcher is None:
            self._launcher = Launcher(self)
            os.setpriority(os.PRIO_PROCESS, 0, _BACKGROUND_NICE)

    @Slot(object)
    def _feed_ended(self, reason: Statement) -> None:
        if self._recording is not None:
            self._recording.stop()
        self._has_failed = True
        if not self._sessions.is_playing:
            self.window.show_feed_state(FeedState(FeedKind.FAILED, why=reason))

    @Slot()
    def _measure_again(self) -> None:
        if self._recording is not None:
            self._recording.stop()
        if self._live is not None:
            self._live.leave()
        self._has_failed = False
        self._watched.begin_anew(is_hidden=is_sandboxed())
        self._pipeline = Pipeline(Assessor())
        self._measure()

    @Slot(int)
    def _watch(self, pid: int) -> None:
        if self._live is not None:
            self._live.watch(pid)

    @Slot()
    def _watch_computer(self) -> None:
        self._settings.change(watches_whole_computer=True)

    @Slot()
    def _record(self) -> None:
        if self._recording is not None:
            self._recording.start(self._watched.name)

    @Slot()
    def _stop_recording(self) -> None:
        if self._recording is not None:
            self._recording.stop()

    @Slot()
    def _mark(self) -> None:
        self._mark_with("mark")

    def _mark_with(self, text: str) -> str:
        """Put a marker into the stream; what became of it."""
        if self._live is None or self._has_failed:
            return NOT_TAKEN
        self._live.mark(text)
        is_recording = self._recording is not None and self._recording.is_running
        return RECORDED if is_recording else SHOWN

    @Slot(str)
    def _recording_started(self, path: str) -> None:
        self._trials.recording_started(path)
        state = RecordingState(time.monotonic_ns(), Path(path).name)
        self.window.show_recording(state)
        self._around.show_recording(state)

    @Slot(str)
    def _recording_stopped(self, path: str) -> None:
        state = RecordingState(file_name=Path(path).name)
        self.window.show_recording(state)
        self._around.show_recording(state, path)

    @Slot(object)
    def _recording_failed(self, reason: Statement) -> None:
        state = RecordingState(failure=reason)
        self.window.show_recording(state)
        self._around.show_recording(state)

    @Slot(str)
    def _keep_theme(self, choice: str) -> None:
        self._settings.change(theme=choice)

    @Slot(object, object)
    def _settings_changed(self, before: Settings, now: Settings) -> None:
        """What changes how is measured begins anew; advice follows what is played."""
        was = before.interval_ms, before.measures_wakeups
        wanted = now.interval_ms, now.measures_wakeups
        if self._live is not None and was != wanted:
            self._measure_again()
        if before.workload != now.workload:
            self._follow_workload()
        if before.watches_whole_computer != now.watches_whole_computer:
            self._show_watching()

    @Slot()
    def _show_watching(self) -> None:
        settings, is_hidden = self._settings.value, self._watched.is_hidden
        watches = self._options.watches_computer(settings, is_hidden=is_hidden)
        self.window.show_watching(watches_computer=watches)

    @Slot()
    def _follow_setup(self) -> None:
        """What is set up on the Live page is there at once: the helper, and frame times."""
        panels = self.window.live.panels
        panels.helper_installed.connect(self._tuning.model.refresh)
        panels.followed = self._followed

    @Slot()
    def _keep_followed(self) -> None:
        """Measure anew with the frames of what was chosen, now and at the next starts."""
        followed = self._followed
        self._settings.change(frames_folder=followed.folder, xplane_address=followed.xplane)
        if self._live is not None:
            self._measure_again()

    @Slot()
    def _follow_workload(self) -> None:
        self._tuning.advise_for(self._settings.value.workload)
        self._sessions.models.set_preset(self._tuning.model.preset)

    @Slot(str)
    def _open_file(self, path: str) -> None:
        self._sessions.open(Path(path))

    def _read_tunables(self) -> dict[str, str]:
        return as_mapping(read_current(self._files))

    def _read_machine(self) -> dict[str, Any]:
        try:
            return describe_machine(self._files)
        except KernelFileError as error:
            log.warning("%s", error)
            return {}

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802  Qt's name
        """Let the children hand over less often while nobody looks."""
        kinds = (QEvent.Type.WindowStateChange, QEvent.Type.Show, QEvent.Type.Hide)
        if watched is self.window and event.type() in kinds:
            self._hurry()
        return super().eventFilter(watched, event)

    @Slot()
    def _hurry(self) -> None:
        if self._live is not None:
            self._live.set_batch_ms(BATCH_MS if self._around.is_seen else _HIDDEN_BATCH_MS)
