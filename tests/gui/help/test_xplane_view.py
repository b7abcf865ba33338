# SPDX-License-Identifier: GPL-3.0-or-later
"""Connecting an X-Plane by its address: what is typed, what is said, and how it is forgotten."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale, QObject
from PySide6.QtWidgets import QApplication

from destutter.application.opening import open_window
from destutter.application.running_window import RunningWindow
from destutter.application.window_options import WindowOptions
from destutter.bridge.followed_frames import FollowedFrames
from destutter.bridge.kept_settings import KeptSettings
from destutter.core.statement import Statement
from destutter.sampling.installed.library import GameLibrary
from destutter.settings import Places, Settings, load_settings
from destutter.ui.help.connect_view import ConnectView
from destutter.ui.help.frames_view import FramesView
from destutter.ui.words.quantities import Quantities
from tests.gui.live_window import make_live, snapshots_of
from tests.support.installed_games import LIBRARY, wait_for_games
from tests.support.simulator import Simulator
from tests.support.window_kit import make_theme

__all__ = ["make_live"]

_WAIT_MS = 60_000


@pytest.fixture
def make_view(qtbot, qapp):
    """Makes a view, and what it follows."""

    def make(library=LIBRARY, xplane=""):
        locale = QLocale(QLocale.Language.English, QLocale.Country.UnitedStates)
        followed = FollowedFrames(xplane=xplane, parent=qapp)
        view = ConnectView(make_theme(qapp), Quantities(locale), lambda: library, followed)
        qtbot.addWidget(view)
        view.resize(320, 700)
        view.show()
        return wait_for_games(view), followed

    return make


def _type(view, address):
    view.xplane.open_button.click()
    view.xplane.edit.setText(address)
    view.xplane.connect_button.click()


def _without_frames(**changes):
    return replace(snapshots_of("whole_computer")[-1], frames=(), **changes)


def test_an_address_is_typed_waited_for_and_forgotten(make_view, qtbot):
    """The port may be left out; who is waited for stands first, with the way out below."""
    view, followed = make_view()
    assert view.arriving.text.full_text == "Waiting for the first frame…"
    assert not view.xplane.form.isVisible()
    with qtbot.waitSignal(followed.changed):
        _type(view, " 192.0.2.7 ")
    assert followed.xplane == "192.0.2.7:49000"
    assert view.arriving.text.full_text == "Waiting for X-Plane at 192.0.2.7:49000…"
    assert view.xplane.forget.hasFocus()
    QApplication.processEvents()
    assert view.xplane.y() < view.list.y()
    assert not view.xplane.form.isVisible()
    view.xplane.forget.click()
    assert not followed.xplane
    assert view.arriving.text.full_text == "Waiting for the first frame…"
    QApplication.processEvents()
    assert view.xplane.y() > view.list.y()
    assert view.xplane.open_button.hasFocus()
    assert not view.xplane.forget.isVisible()


def test_what_is_no_address_is_said_and_followed_by_nobody(make_view, qtbot):
    """Neither what no address looks like, nor a computer that nobody knows."""
    view, followed = make_view()
    _type(view, "192.0.2.7:port")
    assert view.xplane.problem.full_text == "An address is like 192.168.1.5:49000."
    view.xplane.edit.setText("no such host.invalid:49000")
    view.xplane.edit.returnPressed.emit()
    qtbot.waitUntil(lambda: view.xplane.problem.full_text.startswith("No such host"))
    assert view.xplane.connect_button.isEnabled()
    assert not followed.xplane


def test_why_no_frame_comes_stands_where_it_was_waited_for(make_view):
    """And gives way to the frames, when they come."""
    view, _followed = make_view(xplane="192.0.2.7:49000")
    reason = Statement("sampling.xplane_silent", {"address": "192.0.2.7:49000"})
    view.show_snapshot(_without_frames(troubles={"frames": reason}))
    assert view.arriving.text.full_text == "Waiting for X-Plane at 192.0.2.7:49000…"
    assert view.arriving.why_not.isVisible()
    assert view.arriving.why_not.full_text == (
        "Nobody answers at 192.0.2.7:49000: X-Plane has to run there, and its network settings "
        "must not disable incoming traffic."
    )
    for snapshot in snapshots_of("stuttering")[-8:]:
        view.show_snapshot(snapshot)
    assert view.arriving.is_arriving
    assert view.arriving.text.full_text.startswith("Frames arrive: ")
    assert not view.arriving.why_not.isVisible()


@pytest.mark.parametrize(
    ("library", "names"),
    [
        (GameLibrary(), ["X-Plane"]),
        (GameLibrary(LIBRARY.games[:1]), ["X-Plane", "Baldur's Gate 3"]),
        (GameLibrary(LIBRARY.games[-1:]), ["X-Plane 12"]),
    ],
)
def test_an_xplane_that_runs_has_one_entry(make_view, library, names):
    """Wherever it is installed; and its own address is offered."""
    view, _followed = make_view(library)
    view.show_snapshot(_without_frames(facts={"game.name": "X-Plane-x86_64", "game.pid": "7"}))
    assert [view.list.item(row).toolTip() for row in range(view.list.count())] == names
    view.xplane.open_button.click()
    assert view.xplane.edit.text() == "127.0.0.1:49000"


def test_a_folder_and_an_address_do_not_go_together(make_live):
    """Who chooses one leaves the other."""
    live = make_live("stuttering").live
    live.panels.show_lane_advice("wakeup")
    view, followed = live.panel.content, live.panels.followed
    assert isinstance(view, FramesView)
    view.use("/logs")
    followed.follow(xplane="192.0.2.7:49000")
    assert not view.leave.isVisible()
    assert view.connect_game.xplane.forget.isVisible()
    view.use("/logs")
    assert view.leave.isVisible()
    assert not view.connect_game.xplane.forget.isVisible()


@pytest.fixture
def running(qtbot, qapp: QApplication, tmp_path: Path) -> Iterator[RunningWindow]:
    """The whole window over the real sampler, measuring this computer."""
    places = Places(tmp_path / "config", tmp_path / "data")
    keeping = KeptSettings(places, Settings(measures_wakeups=False, on_close="quit"))
    owner = QObject()
    opened = open_window(qapp, WindowOptions(), keeping, owner)
    made = RunningWindow(opened, WindowOptions(), keeping)
    window = made.window
    window.show()
    made.start()
    qtbot.waitUntil(lambda: window.live._snapshot is not None, timeout=_WAIT_MS)
    yield made
    made.close()
    for each in (window, made, owner):
        each.deleteLater()
    for _ in range(5):
        qapp.processEvents()


def test_frames_of_a_simulator_reach_the_window_and_its_address_the_settings(running, qtbot):
    """Typed once, asked at once, remembered for the next start, and forgotten by one click."""
    live, places = running.window.live, running._settings.places
    live.panels.show_lane_advice("wakeup")
    view = wait_for_games(live.panel.content)
    with Simulator() as simulator:
        _type(view, f"localhost:{simulator.port}")
        simulator.socket.settimeout(_WAIT_MS / 1000)
        qtbot.waitUntil(lambda: bool(running._followed.xplane), timeout=_WAIT_MS)
        address = f"127.0.0.1:{simulator.port}"
        assert view.arriving.text.full_text == f"Waiting for X-Plane at {address}…"
        assert load_settings(places.settings_file).xplane_address == address
        simulator.socket.setblocking(False)
        asked: list[tuple[int, int, str]] = []

        def arrives() -> bool:
            if len(asked) < 2:
                try:
                    asked.extend(simulator.requests(1))
                except BlockingIOError:
                    return False
            simulator.send((0, 0.02), (1, 0.0))
            return view.arriving.is_arriving

        qtbot.waitUntil(arrives, timeout=_WAIT_MS)
        assert view.arriving.text.full_text.endswith(" a second, told by X-Plane")
        view.xplane.forget.click()
    assert load_settings(places.settings_file).xplane_address == ""
    assert view.arriving.text.full_text == "Waiting for the first frame…"
