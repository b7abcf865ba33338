# SPDX-License-Identifier: GPL-3.0-or-later
"""The states of the Causes page that have a picture."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QApplication

from destutter.analysis.changes.tuning_state import GameProcess
from destutter.bridge.helped_flight import Helped
from destutter.bridge.helper_client import Availability
from destutter.bridge.owned_trial import LostHelperError
from destutter.core.statement import Statement, told
from destutter.diagnosis.finding import Group
from destutter.tuning.presets import GENERAL
from destutter.ui.causes.causes_page import CausesPage
from destutter.ui.controls.banner import BannerAction, BannerText, Urgency
from destutter.ui.look.theme import Theme
from destutter.ui.pages.feed_state import FeedKind, FeedState
from destutter.ui.pages.outcome_banners import dismiss
from destutter.ui.pages.said_alike import keep_always, keep_for_game, take_back
from destutter.ui.shell.main_window import MainWindow
from destutter_helper.api.names import HelperError
from destutter_helper.api.statement import Said
from tests.support import live_scenes, tuning_scenes
from tests.support.causes_window import open_causes, settle
from tests.support.engine_scenes import (
    OWN_WORK,
    WAITS_FOR_DRIVE,
    EngineScene,
    busy_storage,
    engine,
    hitches,
    passed_trouble,
)
from tests.support.live_scenes import Scene
from tests.support.tuning_scenes import TuningScene

SIM = GameProcess(77, "4711", "X-Plane-x86_64")

Do = Callable[[CausesPage, TuningScene], None]


@dataclass(frozen=True)
class CausesState:
    """One picture: what was measured, what helper and kernel say, what the user did."""

    name: str
    scene: Callable[[], Scene | EngineScene] | None
    do: Do
    availability: Availability = Availability.READY
    reason: Statement | None = None
    watches_computer: bool = True


def _nothing(_page: CausesPage, _scene: TuningScene) -> None:
    """As it comes."""


def _down(page: CausesPage, _scene: TuningScene) -> None:
    bar = page.detail.scroll_area.verticalScrollBar()
    QApplication.processEvents()
    bar.setValue(bar.maximum())


def _opened(page: CausesPage, scene: TuningScene) -> None:
    for view in page.detail.table.views.values():
        view.more.click()
    _down(page, scene)


def _as_text(page: CausesPage, _scene: TuningScene) -> None:
    page.detail.evidence.views.button("text").click()


def _minor(page: CausesPage, _scene: TuningScene) -> None:
    page.show_cause("cpu_steal")


def _asking(page: CausesPage, _scene: TuningScene) -> None:
    page.detail.action_bar.apply.click()


def _playing(page: CausesPage, scene: TuningScene) -> None:
    """A flight: changes can be tried for as long as it lasts."""
    scene.model.set_preset(replace(GENERAL, id="flight_sim"))
    scene.model.accept_game(SIM)
    _down(page, scene)


def _on_trial_for_game(page: CausesPage, scene: TuningScene) -> None:
    _playing(page, scene)
    scene.give(*tuning_scenes.four_changes(), is_ours=True, game=SIM)


def _helped(page: CausesPage, scene: TuningScene) -> None:
    """After a flight that was better, whose banner was closed."""
    tried = page.detail.table.chosen
    scene.model.games.is_offered = True
    verdict = "Smoother: 9.1 s \u2192 0.6 s lost in 10 minutes"
    scene.model.helped.offer(Helped("X-Plane 12", tried, verdict))
    _down(page, scene)


def _helped_above(page: CausesPage, scene: TuningScene) -> None:
    """The same, with the banner that asks."""
    _helped(page, scene)
    window = page.window()
    assert isinstance(window, MainWindow)
    asked = (
        BannerAction("keep", keep_always(), is_primary=True),
        *(BannerAction("", text()) for text in (keep_for_game, take_back)),
        BannerAction("show", QCoreApplication.translate("GameTrials", "Show the comparison")),
        dismiss(),
    )
    detail = "The trial with X-Plane 12 is over: 12 minutes with the changes against 12 before."
    said = "Smoother: 9.1 s \u2192 0.6 s lost in 10 minutes"
    banner = window.banner_area.banner(Urgency.TRIAL)
    banner.show_text(BannerText("ok", "clear", said, detail, Urgency.TRIAL, asked))
    banner.show()


def _on_trial(page: CausesPage, scene: TuningScene) -> None:
    scene.give(*tuning_scenes.four_changes(), is_ours=True)
    _down(page, scene)


def _live_on_trial(page: CausesPage, scene: TuningScene) -> None:
    window = page.window()
    assert isinstance(window, MainWindow)
    window.show_page("live")
    scene.give(*tuning_scenes.four_changes(), is_ours=True)
    QApplication.processEvents()
    assert window.live.card is not None
    window.live.card._repaint()


def _applied(page: CausesPage, scene: TuningScene) -> None:
    scene.give(*tuning_scenes.kept_changes())
    _down(page, scene)


def _drifted(page: CausesPage, scene: TuningScene) -> None:
    scene.give(*tuning_scenes.drifted())
    _down(page, scene)


def _denied(page: CausesPage, scene: TuningScene) -> None:
    page.detail.action_bar.apply.click()
    error = HelperError("NotAuthorized", "this user may not do this")
    scene.helper.failed.emit("BeginTrial", error)


def _no_agent(page: CausesPage, scene: TuningScene) -> None:
    page.detail.action_bar.apply.click()
    error = HelperError("NotAuthorized", "a password is needed, but no dialog may open")
    scene.helper.failed.emit("BeginTrial", error)


def _refused(page: CausesPage, scene: TuningScene) -> None:
    page.detail.action_bar.try_out.click()
    reason = Said("helper.kernel.not_taken", {"value": "163", "error": "Invalid argument"})
    error = HelperError("Refused", reason, id="vm.watermark_scale_factor")
    scene.helper.failed.emit("BeginTrial", error)


def _lost(page: CausesPage, scene: TuningScene) -> None:
    page.detail.action_bar.apply.click()
    scene.helper.failed.emit("BeginTrial", LostHelperError(told("the helper left the bus")))


def _empty_group(page: CausesPage, _scene: TuningScene) -> None:
    page.show_group(Group.GPU)


def _one_group(page: CausesPage, _scene: TuningScene) -> None:
    page.show_group(Group.STORAGE)


def _failed(page: CausesPage, _scene: TuningScene) -> None:
    page.show_feed_state(FeedState(FeedKind.FAILED, why=Statement("bridge.sampler_ended")))


def _replayed(page: CausesPage, scene: TuningScene) -> None:
    page.show_feed_state(FeedState(FeedKind.REPLAY, "test-flight.destutter"))
    page.trial_requests.follow_recording(None, scene.model)
    page.show_cause()


CAUSES_STATES = (
    CausesState("causes", live_scenes.whole_computer, _nothing),
    CausesState("causes-low", live_scenes.stuttering, _nothing),
    CausesState("causes-worker", lambda: engine(WAITS_FOR_DRIVE, ("io",)), _nothing),
    CausesState("causes-own-work", lambda: engine(OWN_WORK), _nothing),
    CausesState("causes-earlier", passed_trouble, _nothing),
    CausesState("causes-busy", busy_storage, _nothing),
    CausesState("causes-hitches", hitches, _nothing),
    CausesState("causes-minor", live_scenes.crowded_host, _minor),
    CausesState("causes-details", live_scenes.whole_computer, _opened),
    CausesState("causes-text", live_scenes.stuttering, _as_text),
    CausesState("causes-many", live_scenes.crowded_host, _nothing),
    CausesState("causes-group", live_scenes.stuttering, _one_group),
    CausesState("causes-asking", live_scenes.whole_computer, _asking),
    CausesState("causes-game", live_scenes.stuttering, _playing),
    CausesState("causes-game-trial", live_scenes.whole_computer, _on_trial_for_game),
    CausesState("causes-helped", live_scenes.whole_computer, _helped),
    CausesState("causes-helped-above", live_scenes.whole_computer, _helped_above),
    CausesState("causes-trial", live_scenes.whole_computer, _on_trial),
    CausesState("live-trial", live_scenes.stuttering, _live_on_trial),
    CausesState("causes-applied", live_scenes.whole_computer, _applied),
    CausesState("causes-drift", live_scenes.whole_computer, _drifted),
    CausesState("causes-denied", live_scenes.whole_computer, _denied),
    CausesState("causes-no-agent", live_scenes.whole_computer, _no_agent),
    CausesState("causes-refused", live_scenes.whole_computer, _refused),
    CausesState("causes-lost", live_scenes.whole_computer, _lost),
    CausesState("causes-replay", live_scenes.stuttering, _replayed),
    CausesState(
        "causes-no-helper",
        live_scenes.whole_computer,
        _nothing,
        Availability.ABSENT,
        Statement("bridge.helper.absent"),
    ),
    CausesState(
        "causes-old-helper",
        live_scenes.whole_computer,
        _nothing,
        Availability.MISMATCH,
        Statement("bridge.helper.older"),
    ),
    CausesState("causes-none", live_scenes.smooth, _nothing),
    CausesState("causes-empty-group", live_scenes.stuttering, _empty_group),
    CausesState("causes-measuring", live_scenes.first_seconds, _nothing),
    CausesState("causes-nothing", None, _nothing),
    CausesState("causes-no-game", live_scenes.virtual_machine, _nothing, watches_computer=False),
    CausesState("causes-failed", live_scenes.stuttering, _failed),
    CausesState("causes-failed-early", live_scenes.smooth, _failed),
)


def open_state(
    app: QApplication, state: CausesState, theme: Theme, size: tuple[int, int]
) -> tuple[MainWindow, TuningScene]:
    """A window on the Causes page in this state; close both."""
    window, scene = open_causes(
        app,
        theme,
        size,
        state.scene,
        availability=state.availability,
        reason=state.reason,
        watches_computer=state.watches_computer,
        latest=0,
    )
    state.do(window.causes, scene)
    settle(app)
    return window, scene
