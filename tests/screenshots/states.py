# SPDX-License-Identifier: GPL-3.0-or-later
"""The states of the live page that have a picture: a stream, and what the user did."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from PySide6.QtCore import Qt

from destutter.bridge.helper_client import Availability, HelperStatus
from destutter.core.statement import Statement
from destutter.guide_progress import GuideProgress
from destutter.sampling.installed.library import GameLibrary
from destutter.ui.guide.offer import offer_notice
from destutter.ui.live.lanes_view import LanesView
from destutter.ui.pages.feed_state import FeedKind, FeedState, RecordingState
from destutter.ui.shell.main_window import MainWindow
from tests.support import live_scenes
from tests.support.engine_scenes import (
    OWN_CROWD,
    OWN_WORK,
    WAITS_FOR_DRIVE,
    EngineScene,
    busy_storage,
    engine,
    hitches,
)
from tests.support.installed_games import LIBRARY, wait_for_games
from tests.support.known_snapshots import snapshots_of
from tests.support.live_scenes import Scene
from tests.support.scripted_source import START_NS

Do = Callable[[MainWindow], None]


@dataclass(frozen=True)
class State:
    """One picture: the stream, and what happens in the window after it."""

    name: str
    scene: Callable[[], Scene | EngineScene]
    do: Do
    watches_computer: bool = True


def _nothing(window: MainWindow) -> None:
    window.show_helper(HelperStatus(Availability.ABSENT))


def _ready(window: MainWindow) -> None:
    window.show_helper(HelperStatus(Availability.READY))


def _select(window: MainWindow) -> None:
    _nothing(window)
    card = window.live.card
    assert card is not None
    card.select(card.choice.spikes[-1])


def _list(window: MainWindow) -> None:
    _nothing(window)
    card = window.live.card
    assert card is not None
    card.list_requested.emit()


def _recording(window: MainWindow) -> None:
    _nothing(window)
    window.show_recording(RecordingState(START_NS + 20 * 10**9, "flight.destutter"))


def _paused(window: MainWindow) -> None:
    _nothing(window)
    card = window.live.card
    assert card is not None
    card.view.pan(-42.0)
    card.paused_changed.emit(True)
    card.set_span(30.0)


def _lanes(window: MainWindow) -> None:
    """The choice of lanes is open, and was used: some came, one went, one leads."""
    _nothing(window)
    view = _open_lanes(window)
    for lane in ("cpu", "gpu"):
        _tick(view, lane)
    view.list.setCurrentRow(4)
    for _ in range(2):
        view.move_row(-1)
    _tick(view, "reclaim")


def _many_lanes(window: MainWindow) -> None:
    """All that can be shown is."""
    _nothing(window)
    view = _open_lanes(window)
    for item in map(view.list.item, range(view.list.count())):
        if item.flags() & Qt.ItemFlag.ItemIsEnabled:
            item.setCheckState(Qt.CheckState.Checked)
    window.live.panel.close_panel()


def _open_lanes(window: MainWindow) -> LanesView:
    card = window.live.card
    assert card is not None
    card.time_row.lanes.click()
    view = window.live.panel.content
    assert isinstance(view, LanesView)
    return view


def _tick(view: LanesView, lane: str) -> None:
    items = map(view.list.item, range(view.list.count()))
    item = next(each for each in items if each.data(Qt.ItemDataRole.UserRole) == lane)
    is_ticked = item.checkState() is Qt.CheckState.Checked
    item.setCheckState(Qt.CheckState.Unchecked if is_ticked else Qt.CheckState.Checked)


def _failed(window: MainWindow) -> None:
    _nothing(window)
    why = Statement("bridge.sampler_ended")
    window.show_feed_state(FeedState(FeedKind.FAILED, why=why))


def _offered(window: MainWindow) -> None:
    _nothing(window)
    notice = offer_notice(GuideProgress())
    assert notice is not None
    window.live.offers.show_notice(notice)


def _help(ask: str) -> Do:
    """Help about the live page: "explain_page", "list_keys" or "tell_about"."""

    def do(window: MainWindow) -> None:
        _nothing(window)
        assert window.help is not None
        getattr(window.help, ask)()

    return do


def _replayed(window: MainWindow) -> None:
    window.show_feed_state(FeedState(FeedKind.REPLAY, "test-flight.destutter"))


def _frame_advice(window: MainWindow) -> None:
    _nothing(window)
    card = window.live.card
    assert card is not None
    card.link_clicked.emit("wakeup")
    wait_for_games(window.live.panel.content)


def _helper_without_bus(window: MainWindow) -> None:
    """The page about the helper, where nothing could call one."""
    why = Statement("bridge.helper.no_bus")
    window.show_helper(HelperStatus(Availability.NO_BUS, why))
    window.explain_helper()


def _connect(window: MainWindow) -> None:
    window.live.panels.read_games = lambda: LIBRARY
    _frame_advice(window)


def _xplane(window: MainWindow) -> None:
    """X-Plane is chosen, and its address is being typed."""
    _connect(window)
    view = wait_for_games(window.live.panel.content)
    view.list.setCurrentRow(view.list.count() - 1)
    view.xplane.open_button.click()
    view.xplane.edit.setText("192.168.1.5:49000")
    view.xplane.edit.deselect()


def _xplane_waits(window: MainWindow) -> None:
    _connect(window)
    window.live.panels.followed.follow(xplane="192.168.1.5:49000")


def _xplane_silent(window: MainWindow) -> None:
    """Five seconds later."""
    _xplane_waits(window)
    snapshot = window.live.panels._snapshot
    assert snapshot is not None
    why = Statement("sampling.xplane_silent", {"address": "192.168.1.5:49000"})
    window.show_snapshot(replace(snapshot, troubles={**snapshot.troubles, "frames": why}))


def _connected(window: MainWindow) -> None:
    """The second game is chosen, which needs nothing more; frames arrive."""
    window.live.panels.read_games = lambda: GameLibrary(LIBRARY.games)
    _frame_advice(window)
    for snapshot in snapshots_of(live_scenes.stuttering):
        window.live.panels.show_snapshot(snapshot)


def _missing(window: MainWindow) -> None:
    _nothing(window)
    window.live.notes.link.click()


def _ten_minutes(window: MainWindow) -> None:
    _nothing(window)
    card = window.live.card
    assert card is not None
    card.set_span(600.0)


def _choose(window: MainWindow) -> None:
    _nothing(window)
    window.live.placeholder.buttons["choose"].click()


def _settings(window: MainWindow) -> None:
    _nothing(window)
    window.show_page("settings")


STATES = (
    State("live", live_scenes.stuttering, _select),
    State("help-page", live_scenes.stuttering, _help("explain_page")),
    State("help-keys", live_scenes.stuttering, _help("list_keys")),
    State("help-about", live_scenes.stuttering, _help("tell_about")),
    State("live-lanes", live_scenes.stuttering, _lanes),
    State("live-lanes-no-psi", live_scenes.no_pressure, _lanes),
    State("live-lanes-many", live_scenes.many_disks, _many_lanes),
    State("live-traced", live_scenes.traced, _nothing),
    State("live-list", live_scenes.stuttering, _list),
    State("live-smooth", live_scenes.smooth, _ready),
    State("live-sampled", live_scenes.sampled_log, _ready),
    State("live-sampled-missing", live_scenes.sampled_log, _missing),
    State("live-measuring", live_scenes.first_seconds, _nothing),
    State("live-whole-computer", live_scenes.whole_computer, _nothing),
    State("live-frame-advice", live_scenes.whole_computer, _frame_advice),
    State("live-helper-no-bus", live_scenes.whole_computer, _helper_without_bus),
    State("live-connect", live_scenes.whole_computer, _connect),
    State("live-xplane", live_scenes.whole_computer, _xplane),
    State("live-xplane-waits", live_scenes.whole_computer, _xplane_waits),
    State("live-xplane-silent", live_scenes.whole_computer, _xplane_silent),
    State("live-connected", live_scenes.whole_computer, _connected),
    State("live-no-psi", live_scenes.no_pressure, _nothing),
    State("live-virtual-machine", live_scenes.virtual_machine, _nothing),
    State("live-not-measured", live_scenes.without_probe, _nothing),
    State("live-missing", live_scenes.virtual_machine, _missing),
    State("live-offer", live_scenes.virtual_machine, _offered),
    State("empty-offer", live_scenes.whole_computer, _offered, watches_computer=False),
    State("live-worker", lambda: engine(WAITS_FOR_DRIVE, ("io",)), _nothing),
    State("live-own-work", lambda: engine(OWN_WORK), _nothing),
    State("live-own-crowd", lambda: engine(OWN_CROWD, ("main_futex",)), _nothing),
    State(
        "live-worker-elsewhere",
        lambda: engine({}, ("main_futex", "worker_server")),
        _nothing,
    ),
    State("live-elsewhere", lambda: engine({}, ("io",)), _nothing),
    State("live-busy", busy_storage, _nothing),
    State("live-hitches", hitches, _nothing),
    State("live-asleep", live_scenes.asleep, _nothing),
    State("live-refused", live_scenes.refused, _nothing),
    State("live-many-disks", live_scenes.many_disks, _nothing),
    State("live-storm", live_scenes.stutter_storm, _nothing),
    State("live-ten-minutes", live_scenes.stutter_storm, _ten_minutes),
    State("live-recording", live_scenes.smooth, _recording),
    State("live-marked", live_scenes.marked, _recording),
    State("live-paused", live_scenes.stuttering, _paused),
    State("live-failed", live_scenes.stuttering, _failed),
    State("live-replay", live_scenes.stuttering, _replayed),
    State("empty-no-game", live_scenes.whole_computer, _nothing, watches_computer=False),
    State("empty-choose", live_scenes.whole_computer, _choose, watches_computer=False),
    State("settings", live_scenes.first_seconds, _settings),
)
