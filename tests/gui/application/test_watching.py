# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether the pages speak of the whole computer while no game runs: one wish, one answer."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

from destutter.application.opening import open_window
from destutter.application.running_window import RunningWindow
from destutter.application.window_options import WindowOptions
from destutter.bridge.kept_settings import KeptSettings
from destutter.core.statement import Statement
from destutter.settings import Places, Settings
from tests.gui.live_window import settle, snapshots_of

NO_WISH = Settings(watches_whole_computer=False)


class Watching:
    """The whole window, which measures nothing: it is told of a computer without a game."""

    def __init__(self, app: QApplication, folder: Path, options: WindowOptions) -> None:
        self.app = app
        self.keeping = KeptSettings(Places(folder / "config", folder / "data"), NO_WISH)
        self.owner = QObject()
        self.running = RunningWindow(
            open_window(app, options, self.keeping, self.owner), options, self.keeping
        )
        self.window = self.running.window
        self.window.show()
        self.window.show_snapshot(snapshots_of("whole_computer")[-1])

    def asks(self) -> bool:
        """Whether the page asks for a game, or to go without one."""
        return self.window.live.placeholder.isVisible()

    def close(self) -> None:
        self.running.close()
        self.window.close()
        for each in (self.window, self.running, self.owner):
            each.deleteLater()
        settle(self.app)


Open = Callable[[WindowOptions], Watching]


@pytest.fixture
def watching(qtbot, qapp: QApplication, tmp_path: Path) -> Iterator[Open]:
    made: list[Watching] = []

    def make(options: WindowOptions) -> Watching:
        made.append(Watching(qapp, tmp_path, options))
        qtbot.waitUntil(lambda: made[-1].window.is_drawn)
        return made[-1]

    yield make
    for each in made:
        each.close()


def test_the_button_is_a_wish_that_the_settings_keep(watching: Open) -> None:
    """The pages follow the setting, whoever changes it."""
    here = watching(WindowOptions())
    assert here.asks()
    here.window.live.placeholder.buttons["watch"].click()
    assert here.keeping.value.watches_whole_computer
    assert not here.asks()
    here.keeping.change(watches_whole_computer=False)
    assert here.asks()


def test_in_another_computers_files_no_game_is_asked_for(watching: Open, tmp_path: Path) -> None:
    """There none will ever start, whatever is set for this computer."""
    there = watching(WindowOptions(root=str(tmp_path)))
    assert not there.asks()
    there.keeping.change(watches_whole_computer=True)
    there.keeping.change(watches_whole_computer=False)
    assert not there.asks()


def test_what_changes_how_is_measured_begins_anew(
    watching: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The wake-up probe as well as the interval, and nothing else."""
    here, begun = watching(WindowOptions()), []
    monkeypatch.setattr(RunningWindow, "_measure_again", lambda _self: begun.append(True))
    now = here.keeping.value
    with monkeypatch.context() as patch:
        patch.setattr(here.running, "_live", object())
        here.keeping.change(theme="dark")
        assert begun == []
        here.keeping.change(measures_wakeups=not now.measures_wakeups)
        here.keeping.change(interval_ms=2 * now.interval_ms)
    assert begun == [True, True]


class Recording:
    """Runs until it is stopped."""

    is_running = True

    def stop(self) -> None:
        """The file is closed."""
        self.is_running = False


def test_a_recording_ends_with_what_it_records(
    watching: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sampler died: what there is is whole, and nothing waits for more."""
    here, recording = watching(WindowOptions()), Recording()
    with monkeypatch.context() as patch:
        patch.setattr(here.running, "_recording", recording)
        here.running._feed_ended(Statement("bridge.sampler_ended"))
    assert not recording.is_running
