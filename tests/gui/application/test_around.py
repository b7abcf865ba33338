# SPDX-License-Identifier: GPL-3.0-or-later
"""The window among others: second start, background, tray, full-screen games."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import dbus
import pytest
from PySide6.QtCore import QLocale, Qt
from PySide6.QtWidgets import QApplication

from destutter.application.presence import Presence
from destutter.bridge.game_cover import GameCover, Played
from destutter.bridge.kept_settings import KeptSettings
from destutter.bridge.x11_screen import Rect, X11Error, X11Screen
from destutter.core.running_instance import BUS_NAME
from destutter.diagnosis.findings.time_lost import lost_ms
from destutter.settings import Places, Settings, load_settings
from destutter.ui.pages.feed_state import RecordingState
from destutter.ui.shell.main_window import MainWindow
from destutter.ui.shell.played import played_summary
from destutter.ui.words.quantities import Quantities
from destutter.ui.words.words import Words
from tests.gui.live_window import make_live, snapshots_of
from tests.house.source_tree import ROOT
from tests.support.session_bus import session_bus, wait_for_name
from tests.support.window_kit import make_theme
from tests.support.x11_programs import on_x11, program_on_x11

__all__ = ["make_live"]

# Said by the offscreen platform for every window that is to come to the front.
pytestmark = pytest.mark.qt_log_ignore("does not support raise", extend=True)


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """A session bus."""
    with session_bus(tmp_path) as made:
        yield made


@pytest.fixture
def settings(tmp_path: Path) -> Iterator[KeptSettings]:
    """Settings in a file of the test's own."""
    made = KeptSettings(Places(tmp_path / "config", tmp_path / "data"), Settings())
    yield made
    made.deleteLater()


class Ending:
    """Stands for the application: remembers whether it was told to end."""

    has_ended = False
    ends_with_last_window = True

    def quit(self) -> None:
        """End."""
        self.has_ended = True

    def setQuitOnLastWindowClosed(self, is_on: bool) -> None:
        """Whether closing the last window ends the program."""
        self.ends_with_last_window = is_on

    def isSavingSession(self) -> bool:
        """No session manager asks."""
        return False


@pytest.fixture
def around(make_live, qapp, settings, qtbot) -> Iterator[tuple[MainWindow, Presence, Ending]]:
    """A window with what is around it, without a bus."""
    window = make_live("smooth", size=(1024, 740))
    ending = Ending()
    presence = Presence(ending, window, make_theme(qapp), settings, lambda: False)  # type: ignore[arg-type]
    yield window, presence, ending
    presence.quit()
    if presence.strip is not None:
        presence.strip.close()
        presence.strip.deleteLater()


# --- closing ---------------------------------------------------------------------------------


def test_closing_asks_once_in_the_page(around, settings, qtbot):
    """The first close asks above the page; "Keep measuring" hides the window and is kept."""
    window, presence, ending = around
    window.close()
    assert window.isVisible()
    assert presence.question.isVisible()
    qtbot.mouseClick(presence.question.buttons[0], Qt.MouseButton.LeftButton)
    assert not window.isVisible()
    assert (settings.value.on_close, ending.ends_with_last_window) == ("background", False)
    assert load_settings(settings.places.settings_file).on_close == "background"
    presence.show_window()
    assert window.isVisible()
    assert not presence.question.isVisible()
    assert ending.ends_with_last_window


def test_quitting_is_the_other_answer(around, settings, qtbot):
    """ "Quit" closes the window and is kept as the choice."""
    window, presence, _ = around
    window.close()
    qtbot.mouseClick(presence.question.buttons[1], Qt.MouseButton.LeftButton)
    assert not window.isVisible()
    assert settings.value.on_close == "quit"


@pytest.mark.parametrize(("button", "is_kept_open"), [(0, True), (1, False)])
def test_a_recording_is_not_ended_by_an_earlier_answer(
    around, settings, qtbot, button, is_kept_open
):
    """It is asked again, and that answer is for this once."""
    window, presence, ending = around
    settings.change(on_close="quit")
    presence.show_recording(RecordingState(started_ns=1))
    window.close()
    assert window.isVisible()
    assert presence.question.isVisible()
    qtbot.mouseClick(presence.question.buttons[button], Qt.MouseButton.LeftButton)
    assert not window.isVisible()
    assert ending.ends_with_last_window is not is_kept_open
    assert settings.value.on_close == "quit"


def test_background_is_told_for_the_desktops_leave(around, settings, qtbot):
    """A Flatpak asks its portal then; the settings have the answer already."""
    window, presence, _ = around
    settings.change(on_close="background")
    with qtbot.waitSignal(presence.went_to_background, timeout=10_000):
        window.close()
    assert not window.isVisible()


def test_closing_twice_closes(around):
    """Whoever closes the window while it asks wants it closed; nothing is kept."""
    window, _, _ = around
    window.close()
    window.close()
    assert not window.isVisible()


def test_keys_quit_without_asking(around, qtbot):
    """Ctrl+Q ends the program whatever is chosen."""
    window, presence, ending = around
    qtbot.keyClick(window, Qt.Key.Key_Q, Qt.KeyboardModifier.ControlModifier)
    assert ending.has_ended
    assert not presence.question.isVisible()


def test_recording_is_named_in_the_question(around):
    """While a recording runs, the question says what happens to it."""
    window, presence, _ = around
    presence.show_recording(RecordingState(1, "flight.destutter"))
    window.close()
    shown = presence.question.shown
    assert shown is not None
    assert "recording" in shown.detail
    assert presence.tray.record.text() == "Stop recording"


def test_strip_comes_and_asks_for_the_window(around, qtbot):
    """The strip opens the window; what was measured before it is not shown as nothing."""
    window, presence, _ = around
    presence.show_strip()
    strip = presence.strip
    assert strip is not None
    for snapshot in snapshots_of("smooth"):
        presence.accept_snapshot(snapshot)
    assert strip.data.groups
    window.hide()
    assert not presence.is_window_seen
    qtbot.keyClick(strip, Qt.Key.Key_Return)
    assert window.isVisible()


def test_closing_the_strip_leaves_the_tray(around, monkeypatch):
    """Where an icon of the program is left, the strip is not all that shows of it."""
    window, presence, _ = around
    presence.show_strip()
    window.hide()
    monkeypatch.setattr(type(presence.tray), "is_shown", True)
    presence.strip.close()
    assert not window.isVisible()


def test_strip_comes_back_where_it_was(around, settings):
    """Its place is kept when it closes; a place that no screen has any more does not count."""
    _, presence, _ = around
    presence.show_strip()
    presence.strip.move(40, 120)
    presence.strip.close()
    assert settings.value.strip_place == "40,120"
    again = presence._make_strip()
    assert (again.x(), again.y()) == (40, 120)
    again.deleteLater()
    settings.change(strip_place="9000,9000")
    lost = presence._make_strip()
    assert (lost.x(), lost.y()) != (9000, 9000)
    lost.deleteLater()


# --- the whole program -----------------------------------------------------------------------


@contextmanager
def program(
    address: str, tmp_path: Path, *options: str, has_display: bool = True
) -> Iterator[subprocess.Popen[str]]:
    """Destutter as a process of its own, on this session bus."""
    displays = () if has_display else ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    environment = {name: text for name, text in os.environ.items() if name not in displays} | {
        "DBUS_SESSION_BUS_ADDRESS": address,
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "XDG_DATA_HOME": str(tmp_path / "data"),
    }
    with subprocess.Popen(
        [sys.executable, "-m", "destutter", *options],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def said(
    address: str, tmp_path: Path, *options: str, has_display: bool = True
) -> tuple[int, str, str]:
    """What a start with these options says."""
    with program(address, tmp_path, *options, has_display=has_display) as process:
        output, errors = process.communicate(timeout=60)
    return process.returncode, output, errors


@pytest.mark.timeout(180)
def test_second_start_hands_over_and_the_first_can_be_ended(address, tmp_path):
    """A second start says one line and ends with 0; a marker arrives; --quit ends the first."""
    bus = dbus.bus.BusConnection(address)
    with program(address, tmp_path) as first:
        wait_for_name(bus, BUS_NAME)
        status, output, errors = said(address, tmp_path)
        assert (status, errors) == (0, "")
        assert output == "Destutter is open already; its window comes to the front.\n"
        status, output, errors = said(address, tmp_path, "mark", "here")
        assert (status, output, errors) == (
            0,
            "Marked in the window, which records nothing now: here\n",
            "",
        )
        # From a terminal without a display, as over ssh.
        quit_ = said(address, tmp_path, "--quit", has_display=False)
        assert quit_ == (0, "Destutter ends.\n", "")
        output, errors = first.communicate(timeout=60)
        errors = errors.replace("This plugin does not support raise()\n", "")
        assert (first.returncode, output, errors) == (0, "", "")
    bus.close()


@pytest.mark.long
@pytest.mark.timeout(180)
def test_two_starts_in_the_same_moment_open_one_window(address, tmp_path):
    """Neither finds a window, both open theirs; the later one hands over and ends with 0."""
    bus = dbus.bus.BusConnection(address)
    with program(address, tmp_path) as one, program(address, tmp_path) as other:
        wait_for_name(bus, BUS_NAME)
        give_up = time.monotonic() + 60
        while one.poll() is None and other.poll() is None and time.monotonic() < give_up:
            time.sleep(0.05)
        late, first = (one, other) if one.poll() is not None else (other, one)
        assert late.poll() == 0
        output, _errors = late.communicate(timeout=10)
        assert output == "Destutter is open already; its window comes to the front.\n"
        assert first.poll() is None
        assert said(address, tmp_path, "--quit") == (0, "Destutter ends.\n", "")
        first.communicate(timeout=60)
        assert first.returncode == 0
    bus.close()


# --- tray ------------------------------------------------------------------------------------

_TRAY = """
import sys
import time
from PySide6.QtCore import QLocale, QTimer
from PySide6.QtDBus import QDBusConnection
from PySide6.QtWidgets import QApplication, QWidget
from destutter.bridge.tray_watch import TrayWatch
from destutter.ui.words.quantities import Quantities
from destutter.ui.shell.tray import Tray
from destutter.ui.words.words import Words
from tests.support.window_kit import make_theme
app = QApplication([])
owner = QWidget()
tray = Tray(make_theme(app), Words(Quantities(QLocale())), owner)
watch = TrayWatch(QDBusConnection.sessionBus())
watch.absent.connect(lambda: print("absent", flush=True))
watch.appeared.connect(lambda: (tray.show(), print("shown", tray.is_shown, flush=True)))
watch.vanished.connect(lambda: (tray.hide(), app.quit()))
watch.ask()
sys.exit(app.exec())
"""


@pytest.mark.timeout(120)
def test_tray_comes_when_the_desktop_has_one(address, x_display):
    """No tray at first: nothing is shown; when the desktop's watcher appears, the icon does."""
    environment = on_x11(x_display, {"DBUS_SESSION_BUS_ADDRESS": address})
    with program_on_x11(_TRAY, environment) as (process, lines):
        assert lines.readline() == "absent\n"
        with subprocess.Popen(
            [sys.executable, "-m", "tests.support.fake_tray"],
            env=environment,
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as tray:
            assert tray.stdout is not None
            assert lines.readline() == "shown True\n"
            assert tray.stdout.readline().startswith("icon ")
            tray.communicate(timeout=20)
        process.wait(timeout=30)
    assert process.returncode == 0


# --- full-screen games -----------------------------------------------------------------------


def xprop(display: str, *arguments: str) -> str:
    """Run xprop on that display."""
    done = subprocess.run(
        ["xprop", "-display", display, *arguments],
        capture_output=True,
        text=True,
        check=True,
        timeout=20,
    )
    return done.stdout


_GAME = """
import sys
import time
from PySide6.QtWidgets import QApplication, QWidget
app = QApplication([])
window = QWidget()
window.setGeometry(0, 0, 800, 600)
window.show()
print(int(window.winId()), flush=True)
sys.stdin.readline()
"""


@pytest.mark.timeout(120)
def test_full_screen_window_is_seen_on_an_x_server(x_display):
    """The window in front counts when it says that it fills a screen, and only then."""
    screen = X11Screen(x_display)
    assert screen.full_screen() is None
    assert not screen.has_tray()
    with program_on_x11(_GAME, on_x11(x_display)) as (game, lines):
        window = lines.readline().strip()
        front = ("-root", "-f", "_NET_ACTIVE_WINDOW", "32x", "-set", "_NET_ACTIVE_WINDOW")
        xprop(x_display, *front, hex(int(window)))
        assert screen.full_screen() is None
        state = ("-f", "_NET_WM_STATE", "32a", "-set", "_NET_WM_STATE")
        xprop(x_display, "-id", window, *state, "_NET_WM_STATE_FULLSCREEN")
        assert screen.full_screen() == Rect(0, 0, 800, 600)
        game.communicate("\n", timeout=20)
    # It has gone, and the root still names it.
    assert screen.full_screen() is None
    screen.close()


def test_without_an_x_server_the_reason_is_told():
    """A display that does not exist is an error in words, not the end of the program."""
    with pytest.raises(X11Error, match="does not answer"):
        X11Screen(":978")


def test_window_on_another_screen_is_not_covered():
    """A game on the left screen does not cover a window on the right one."""
    left, right = Rect(0, 0, 1920, 1080), Rect(1920, 0, 2560, 1440)
    assert left.centre_in(left)
    assert not left.centre_in(right)


def test_stutters_behind_a_game_are_counted(qapp: QApplication, qtbot):
    """From the moment the game covers the window until it no longer does."""
    is_covered = False
    cover = GameCover(lambda: is_covered)
    snapshots = snapshots_of("stuttering")
    cover.accept_snapshot(snapshots[0])
    cover.set_playing(is_playing=True)
    is_covered = True
    with qtbot.waitSignal(cover.covered, timeout=5000):
        cover.look()
    for snapshot in snapshots:
        cover.accept_snapshot(snapshot)
    with qtbot.waitSignal(cover.uncovered, timeout=5000) as told:
        cover.set_playing(is_playing=False)
    (played,) = told.args
    assert played.stutters == len(snapshots[-1].assessment.spikes)
    assert dict(played.by_cause)["direct_reclaim"] == 2
    spikes = snapshots[-1].assessment.spikes
    assert played.lost_ms == pytest.approx(sum(map(lost_ms, spikes)))
    assert played.seconds > 60
    cover.stop()


def test_summary_says_it_in_one_sentence(qapp: QApplication):
    """How many, and how many of them from the most frequent cause; short quiet is not told."""
    quantities = Quantities(QLocale(QLocale.Language.English, QLocale.Country.UnitedStates))
    words = Words(quantities)
    causes = (("link_power", 18), ("direct_reclaim", 1))
    played = Played(600.0, 22, causes, lost_ms=9100.0)
    text = played_summary(played, words, quantities)
    assert text is not None
    assert text.headline == (
        "While you played: 22 stutter(s), 9.1\u00a0s lost. "
        "18 of them: The link to the drive sleeps."
    )
    unknown = played_summary(replace(played, by_cause=()), words, quantities)
    assert unknown is not None
    assert unknown.headline == "While you played: 22 stutter(s), 9.1\u00a0s lost."
    assert played_summary(Played(20.0, 0, ()), words, quantities) is None
    smooth = played_summary(replace(played, stutters=0, by_cause=()), words, quantities)
    assert smooth is not None
    assert smooth.headline == "While you played: no stutter."
    unmeasured = replace(played, stutters=0, by_cause=(), is_measured=False)
    assert played_summary(unmeasured, words, quantities) is None


def test_nothing_is_painted_behind_a_game(make_live, qapp: QApplication):
    """While the window takes no updates the graphs are not drawn; afterwards they catch up."""
    window = make_live(None)
    snapshots = snapshots_of("stuttering")
    window.setUpdatesEnabled(False)
    card = window.live.card
    assert card is not None
    for snapshot in snapshots[:-1]:
        window.show_snapshot(snapshot)
    qapp.processEvents()
    assert not card._is_seen()
    window.setUpdatesEnabled(True)
    window.show_snapshot(snapshots[-1])
    qapp.processEvents()
    assert card._is_seen()
    assert window.live.banner.headline.full_text
