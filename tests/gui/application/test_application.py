# SPDX-License-Identifier: GPL-3.0-or-later
"""The whole window as a process of its own: it opens, measures, records and leaves nothing."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from destutter.application.window_options import refusal, refuse_xwayland
from destutter.core.sample import Header, Layout, Reading, Sample
from destutter.session.recorder import Recorder
from destutter.session.replay import ReplaySource
from destutter.settings import Settings, save_settings
from tests.support.sampled import sampled

_RUN = """
import sys
from PySide6.QtCore import QTimer
from destutter import cli
from destutter.application import presence, running_window

class Probe(running_window.RunningWindow):
    def start(self):
        super().start()
        self.window.record_requested.emit()
        self._seen = 0
        self._ready = QTimer(self, interval=100, singleShot=False)
        self._ready.timeout.connect(self._look)
        self._ready.start()

    def _look(self):
        if self._recording is not None and not self._recording.is_running:
            self._record()
        elif self._recording is None or self._recording.is_running:
            self._seen += 1
            if self._seen == 15:
                print("running", flush=True)

presence.Presence._ask = lambda self: print("asked", flush=True)
running_window.RunningWindow = Probe
sys.exit(cli.main([part for path in sys.argv[1:] for part in ("--replay", path)]))
"""


@contextmanager
def _running(environment: dict[str, str], *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """The window's process; killed at the end when it is still there."""
    with subprocess.Popen(
        [sys.executable, "-c", _RUN, *arguments],
        env=os.environ | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def _children(pid: int) -> list[int]:
    listed = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    return [int(word) for word in listed.split()]


def _wait_gone(pids: list[int]) -> list[int]:
    deadline = time.monotonic() + 10
    left = pids
    while left and time.monotonic() < deadline:
        time.sleep(0.05)
        left = [pid for pid in left if Path(f"/proc/{pid}").exists()]
    return left


def _first_line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline()


@pytest.mark.timeout(120)
@pytest.mark.parametrize("on_close", sampled(["ask", "background"], ["ask"]))
def test_window_measures_records_and_leaves_on_a_signal(tmp_path: Path, on_close: str) -> None:
    """SIGTERM ends it whatever the close button does: no child left, the recording whole."""
    save_settings(tmp_path / "conf" / "destutter" / "settings.json", Settings(on_close=on_close))
    places = {"XDG_DATA_HOME": str(tmp_path / "data"), "XDG_CONFIG_HOME": str(tmp_path / "conf")}
    with _running(places) as process:
        assert _first_line(process) == "running\n"
        children = _children(process.pid)
        process.send_signal(signal.SIGTERM)
        said, errors = process.communicate(timeout=30)
    assert (process.returncode, said, errors) == (0, "", "")
    assert len(children) == 2
    assert _wait_gone(children) == []
    (session,) = (tmp_path / "data" / "destutter" / "sessions").iterdir()
    replay = ReplaySource(session)
    assert any(isinstance(message, Sample) for message in replay.messages())
    assert replay.problems == ()
    assert "vm.swappiness" in replay.header.tunables
    replay.close()


@pytest.mark.timeout(120)
def test_window_plays_a_recording_without_measuring(tmp_path: Path) -> None:
    """A replay starts no sampler, and Ctrl-C closes it."""
    path = tmp_path / "flight.destutter"
    header = Header(0, 0.0, 100, {"cpus": 2})
    recorder = Recorder(path, header)
    recorder.accept_message(Layout("pressure", ("some_us", "full_us"), ("cpu",)))
    for at in range(0, 20_000_000_000, 100_000_000):
        recorder.accept_message(Sample(at, 0, 5, 0, (Reading("pressure", at, (at // 1000, 0)),)))
    recorder.close()
    with _running({}, str(path)) as process:
        assert _first_line(process) == "running\n"
        assert _children(process.pid) == []
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=30) == ("", "")
    assert process.returncode == 0


def test_recording_that_is_none_is_told_in_one_line(tmp_path: Path) -> None:
    """No window opens for a file that cannot be played."""
    path = tmp_path / "other.destutter"
    path.write_text("hello")
    with _running({}, str(path)) as process:
        _, errors = process.communicate(timeout=30)
    assert process.returncode == 1
    assert errors.startswith("destutter: ")
    assert errors.count("\n") == 1


@pytest.mark.parametrize(
    ("environment", "pyside", "python", "words"),
    [
        ({}, "6.11.3", (3, 11), "destutter watch"),
        ({"DISPLAY": ":0"}, "6.12.0", (3, 11), "6.11.3"),
        ({"DISPLAY": ":0"}, "6.12.0", (3, 12), None),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "6.11.3", (3, 11), None),
        ({"QT_QPA_PLATFORM": "offscreen"}, "6.11.3", (3, 11), None),
        ({"DISPLAY": ":9"}, "6.11.3", (3, 11), "The display :9 does not let"),
        ({"DISPLAY": ":9", "WAYLAND_DISPLAY": "wayland-0"}, "6.11.3", (3, 11), None),
    ],
)
def test_what_cannot_work_is_refused_in_one_sentence(
    environment: dict[str, str], pyside: str, python: tuple[int, int], words: str | None
) -> None:
    """No display gets the command-line equivalent, a known crash gets its remedy."""
    told = refusal(environment, pyside, python, lambda display: display == ":9")
    if words is None:
        assert told is None
    else:
        assert told is not None
        assert words in str(told)
        assert "\n" not in str(told)


def test_a_flatpak_says_how_xwayland_is_opened_to_it() -> None:
    """There it is the sandbox that has no X server, not the desktop."""
    assert refuse_xwayland({"DISPLAY": ":0", "FLATPAK_ID": "x"}) is None
    told = refuse_xwayland({"FLATPAK_ID": "io.github.destutter.Destutter"})
    assert told is not None
    assert str(told).endswith("flatpak run --socket=x11 io.github.destutter.Destutter")
    assert "DISPLAY" in str(refuse_xwayland({}))
