# SPDX-License-Identifier: GPL-3.0-or-later
"""Started with the desktop: the choice, the desktop's entry, and a start that nobody sees."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import dbus
import psutil
import pytest

from destutter.application.start_with_desktop import StartWithDesktop
from destutter.autostart import Autostart
from destutter.bridge.kept_settings import KeptSettings
from destutter.core.running_instance import BUS_NAME
from destutter.menu_entry import ID
from destutter.settings import Places, Settings, load_settings
from tests.house.source_tree import ROOT
from tests.support.bus_kit import eventually
from tests.support.session_bus import session_bus, wait_for_name


@pytest.fixture
def settings(tmp_path: Path) -> Iterator[KeptSettings]:
    """Settings in a file of the test's own."""
    made = KeptSettings(Places(tmp_path / "config", tmp_path / "data"), Settings())
    yield made
    made.deleteLater()


@pytest.fixture
def entry(tmp_path: Path) -> Autostart:
    """The entry of a command that is there."""
    return Autostart(tmp_path / "config/autostart/program.desktop", sys.executable)


def test_the_choice_makes_and_removes_the_entry(qapp, settings, entry):
    """And only a choice does: nothing is there before."""
    made = StartWithDesktop(settings, entry, lambda: None, settings)
    made.start()
    assert not entry.is_on
    settings.change(starts_with_desktop=True)
    assert entry.is_on
    settings.change(starts_with_desktop=False)
    assert not entry.file.exists()


def test_the_desktops_own_list_is_believed(qapp, settings, entry):
    """Switched off there, it is not switched on again, and the settings say so."""
    settings.change(starts_with_desktop=True)
    entry.put()
    entry.file.write_text(entry.file.read_text() + "Hidden=true\n")
    made = StartWithDesktop(settings, entry, lambda: None, settings)
    made.start()
    assert not settings.value.starts_with_desktop
    assert not entry.is_on
    assert not load_settings(settings.places.settings_file).starts_with_desktop


def test_what_cannot_be_written_is_told_and_not_chosen(qapp, settings, entry, qtbot):
    """The tick would promise what no desktop knows of."""
    entry.file.parent.parent.mkdir(parents=True, exist_ok=True)
    entry.file.parent.write_text("a file where the folder should be\n")
    made = StartWithDesktop(settings, entry, lambda: None, settings)
    with qtbot.waitSignal(settings.failed, timeout=10_000) as told:
        settings.change(starts_with_desktop=True)
    assert str(entry.file.parent) in str(told.args[0])
    assert not settings.value.starts_with_desktop
    made.deleteLater()


def test_a_flatpak_asks_its_desktop(qapp, settings):
    """Each time the choice changes, and not for another one."""
    asked: list[bool] = []
    made = StartWithDesktop(
        settings, None, lambda: asked.append(settings.value.starts_with_desktop), settings
    )
    made.start()
    settings.change(starts_with_desktop=True)
    settings.change(notifies=False)
    settings.change(starts_with_desktop=False)
    assert asked == [True, False]


def _measures(pid: int) -> bool:
    return any("--sampler" in each.cmdline() for each in psutil.Process(pid).children())


@pytest.mark.long
def test_a_start_that_nobody_sees_measures_and_comes_when_it_is_called(tmp_path):
    """The real program, on a bus of its own: no window, one measuring program, and a second start
    brings the window; started so again, nothing comes. The entry that started it is what the
    settings say."""
    with session_bus(tmp_path) as address:
        environment = {
            **os.environ,
            "DBUS_SESSION_BUS_ADDRESS": address,
            "QT_QPA_PLATFORM": "offscreen",
            "HOME": str(tmp_path),
        }
        environment.pop("XDG_CONFIG_HOME", None)
        environment.pop("XDG_DATA_HOME", None)
        entry = Autostart(tmp_path / f".config/autostart/{ID}.desktop", sys.executable)
        entry.put()
        words = [sys.executable, "-m", "destutter"]
        program = subprocess.Popen([*words, "--hidden"], env=environment, cwd=ROOT)
        try:
            wait_for_name(dbus.bus.BusConnection(address), BUS_NAME)
            eventually(lambda: _measures(program.pid), 30)

            def second(*options: str) -> str:
                done = subprocess.run(
                    [*words, *options],
                    env=environment,
                    cwd=ROOT,
                    capture_output=True,
                    text=True,
                    timeout=60,
                    check=True,
                )
                return done.stdout

            kept = tmp_path / ".config/destutter/settings.json"
            eventually(lambda: kept.exists() and load_settings(kept).starts_with_desktop, 30)
            assert "runs already" in second("--hidden")
            assert program.poll() is None
            assert "comes to the front" in second()
            assert "ends" in second("--quit")
            assert program.wait(60) == 0
        finally:
            program.kill()
            program.wait(60)
