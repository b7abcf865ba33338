# SPDX-License-Identifier: GPL-3.0-or-later
"""Faults in the running window: each is said on its page, and nothing freezes or falls."""

import contextlib
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, QProcess
from PySide6.QtWidgets import QApplication

from destutter.application.opening import open_window
from destutter.application.running_window import RunningWindow
from destutter.application.window_options import WindowOptions
from destutter.bridge.feed import LiveFeed
from destutter.bridge.kept_settings import KeptSettings
from destutter.bridge.recording import SessionRecording
from destutter.core.sample import Marker, Sample
from destutter.session.replay import ReplaySource
from destutter.settings import Places, Settings
from destutter.ui.pages.feed_state import FeedKind

_WAIT_MS = 60_000


@pytest.fixture
def running(qtbot, qapp: QApplication, tmp_path: Path) -> Iterator[RunningWindow]:
    """The whole window over the real sampler, measuring this computer."""
    places = Places(tmp_path / "config", tmp_path / "data")
    keeping = KeptSettings(places, Settings(watches_whole_computer=True, on_close="quit"))
    owner = QObject()
    opened = open_window(qapp, WindowOptions(), keeping, owner)
    made = RunningWindow(opened, WindowOptions(), keeping)
    window = made.window
    window.show()
    made.start()
    qtbot.waitUntil(lambda: window.live._snapshot is not None, timeout=_WAIT_MS)
    yield made
    made.close()
    window.close()
    window.deleteLater()
    made.deleteLater()
    owner.deleteLater()
    for _ in range(5):
        qapp.processEvents()


def _pid_of(running: RunningWindow, number: int) -> int:
    """The process of the sampler, or of a probe."""
    assert running._live is not None
    return int(running._live._children[number]._process.processId())


def _recording(running: RunningWindow) -> Path:
    (file,) = (running._settings.sessions).glob("*.destutter")
    return file


def test_sampler_that_is_killed_can_be_started_again(running, qtbot):
    """The banner says so and offers it; the recording is closed and whole; measuring goes on."""
    live = running.window.live
    running.window.record_requested.emit()
    qtbot.waitUntil(lambda: live._recording.is_recording, timeout=_WAIT_MS)
    before = live._snapshot
    qtbot.waitUntil(lambda: live._snapshot is not before, timeout=_WAIT_MS)
    os.kill(_pid_of(running, 0), signal.SIGKILL)
    qtbot.waitUntil(lambda: live._feed.kind is FeedKind.FAILED, timeout=_WAIT_MS)
    assert live.banner.headline.full_text == "Measuring stopped"
    assert not live._recording.is_recording
    replay = ReplaySource(_recording(running))
    assert any(isinstance(message, Sample) for message in replay.messages())
    assert replay.problems == ()
    replay.close()
    before = live._snapshot
    live.banner.buttons[0].click()
    qtbot.waitUntil(lambda: live._snapshot is not before, timeout=_WAIT_MS)
    assert live._feed.kind is not FeedKind.FAILED
    assert live.banner.headline.full_text != "Measuring stopped"


def test_markers_are_taken_again_after_a_failure(running, qtbot):
    """A window that still counts itself as failed leaves out every marker, also of the key."""
    live = running.window.live
    os.kill(_pid_of(running, 0), signal.SIGKILL)
    qtbot.waitUntil(lambda: live._feed.kind is FeedKind.FAILED, timeout=_WAIT_MS)
    before = live._snapshot
    live.banner.buttons[0].click()
    qtbot.waitUntil(lambda: live._snapshot is not before, timeout=_WAIT_MS)
    running.window.record_requested.emit()
    qtbot.waitUntil(lambda: live._recording.is_recording, timeout=_WAIT_MS)
    running.window.marker_requested.emit()

    def has_marker() -> bool:
        with contextlib.closing(ReplaySource(_recording(running))) as replay:
            return any(isinstance(message, Marker) for message in replay.messages())

    qtbot.waitUntil(has_marker, timeout=_WAIT_MS)


def test_probe_that_is_killed_leaves_the_rest(running, qtbot, caplog):
    """What it delivered is named as not measured; the sampler goes on."""
    with caplog.at_level(logging.CRITICAL, "destutter.feed"):
        os.kill(_pid_of(running, 1), signal.SIGKILL)
        live = running.window.live
        qtbot.waitUntil(lambda: "wakeup" in live._snapshot.troubles, timeout=_WAIT_MS)
    before = live._snapshot
    qtbot.waitUntil(lambda: live._snapshot is not before, timeout=_WAIT_MS)
    assert live._feed.kind is not FeedKind.FAILED


def test_disk_that_fills_while_recording_is_told(running, qtbot):
    """The recording ends by itself, with its reason on the page; measuring goes on."""
    live = running.window.live
    running.window.record_requested.emit()
    qtbot.waitUntil(lambda: live._recording.is_recording, timeout=_WAIT_MS)
    full = os.open("/dev/full", os.O_WRONLY)
    os.dup2(full, running._live._recorder._descriptor)
    os.close(full)
    qtbot.waitUntil(lambda: bool(live._recording.failure), timeout=_WAIT_MS)
    assert live.banner.headline.full_text == "The recording ended by itself"
    assert "disk is full" in live.banner.detail.full_text
    assert live._feed.kind is not FeedKind.FAILED


def test_folder_of_recordings_that_goes_away_is_told(running, qtbot):
    """Recording into a place that is no folder any more: one line, no frozen window."""
    folder = running._settings.sessions
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.write_text("in the way")
    running.window.record_requested.emit()
    live = running.window.live
    qtbot.waitUntil(lambda: bool(live._recording.failure), timeout=_WAIT_MS)
    assert not live._recording.is_recording


def test_measuring_anew_keeps_nothing_of_before_and_closing_waits_for_both(running, qtbot):
    """The old feed, its recording and its buffers go when its processes have ended."""
    old = running._live
    with qtbot.waitSignal(old.destroyed, timeout=_WAIT_MS):
        running.window.restart_requested.emit()
    assert running.findChildren(LiveFeed) == [running._live]
    assert running.findChildren(SessionRecording) == [running._recording]
    leaving = [child._process for child in running._live._children]
    running.window.restart_requested.emit()
    running.stop()
    assert {each.state() for each in leaving} == {QProcess.ProcessState.NotRunning}


def test_sampler_started_anew_during_a_game_keeps_its_priority(tmp_path):
    """The window steps back behind the game; who measures does not, started before or after."""
    command = [sys.executable, "-m", "tests.support.window_behind_game", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.stderr == ""
    own = os.getpriority(os.PRIO_PROCESS, 0)
    assert done.stdout.split() == [str(max(own, 19)), *[str(own)] * 4]
