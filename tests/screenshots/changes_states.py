# SPDX-License-Identifier: GPL-3.0-or-later
"""The states of the Changes page that have a picture."""

import os
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtWidgets import QApplication

from destutter.analysis.changes.tuning_state import GameProcess
from destutter.bridge.helper_client import Availability
from destutter.bridge.owned_trial import AbsentHelperError
from destutter.core.statement import Statement, told
from destutter.ui.changes.changes_page import ALL, ChangesPage
from destutter.ui.look.theme import Theme
from destutter.ui.shell.main_window import MainWindow
from destutter_helper.api.names import HelperError
from destutter_helper.api.payload import Change, GameSet, GameSets, Results
from destutter_helper.api.statement import Said
from tests.support import tuning_scenes
from tests.support.tuning_scenes import ScriptedHelper, TuningScene
from tests.support.window_kit import make_window

_BROKEN = Statement(
    "bridge.helper.broken",
    {"reason": "Process io.github.destutter.Helper1 exited with status 1"},
)
Prepare = Callable[[TuningScene], None]
Do = Callable[[ChangesPage, TuningScene], None]


@dataclass(frozen=True)
class ChangesState:
    """One picture: what helper and kernel say, then what the user did."""

    name: str
    prepare: Prepare
    do: Do = lambda _page, _scene: None
    availability: Availability = Availability.READY
    reason: Statement | None = None


def _four(scene: TuningScene) -> None:
    scene.give(*tuning_scenes.four_changes(), is_ours=True)
    scene.helper.give_history(tuning_scenes.history(time.time()))


def _others_trial(scene: TuningScene) -> None:
    scene.give(*tuning_scenes.four_changes())
    scene.helper.give_history(tuning_scenes.history(time.time()))


def _kept(scene: TuningScene) -> None:
    scene.give(*tuning_scenes.kept_changes())
    scene.helper.give_history(tuning_scenes.history(time.time()))


def _games(scene: TuningScene) -> None:
    """One runs, one waits, and of one a drive is gone."""
    _kept(scene)
    mine = os.getuid()
    early = (Change("vm.watermark_scale_factor", "125"), Change("vm.min_free_kbytes", "524288"))
    quick = (Change("block.scheduler", "kyber", "nvme1n1"),)
    long = "A Simulator of Everything That Flies, Floats and Drives"
    scene.helper.kept_for_games = (
        GameSet("1" * 32, "X-Plane", early, runs=True, uid=mine),
        GameSet("2" * 32, long, (*early, *quick), runs=False, uid=mine),
        GameSet("3" * 32, "Kerbal", quick, runs=False, uid=mine),
    )
    scene.helper.answered.emit("ListForGames", GameSets(scene.helper.kept_for_games))
    scene.model.games.accept_game(GameProcess(77, "4711", "Kerbal"))
    why = HelperError(
        "DeviceGone", Said("helper.absent.device"), id="block.scheduler", device="nvme1n1"
    )
    scene.helper.failed.emit("BeginForGame", why)


def _drifted(scene: TuningScene) -> None:
    scene.give(*tuning_scenes.drifted())
    scene.helper.give_history(tuning_scenes.history(time.time()))


def _nothing(_scene: TuningScene) -> None:
    """As it comes."""


def _risky(page: ChangesPage, scene: TuningScene) -> None:
    state, given = tuning_scenes.four_changes()
    risky = replace(state.changed[0], value="1048576")
    scene.give(replace(state, changed=(risky, *state.changed[1:])), given, is_ours=True)
    window = page.window()
    assert isinstance(window, MainWindow)
    assert window.trial is not None
    window.trial.banner.always.click()


def _undo_all(page: ChangesPage, scene: TuningScene) -> None:
    changed = scene.model.journal_changes
    page.undo_all.click()
    scene.helper.now = tuning_scenes.IDLE
    results = [
        tuning_scenes.result(each.key, each.origin or "", each.origin or "", "", "restored")
        for each in changed
    ]
    scene.helper.finish("Undo", *results)
    scene.give(tuning_scenes.IDLE, tuning_scenes.reading())


def _history(page: ChangesPage, _scene: TuningScene) -> None:
    page.changes.history.toggle.click()


def _denied(page: ChangesPage, scene: TuningScene) -> None:
    page.choose_view(ALL)
    page.tunables.tree.set_wish("vm.swappiness", "10")
    page.tunables.try_out.click()
    error = HelperError("NotAuthorized", "this user may not do this")
    scene.helper.failed.emit("BeginTrial", error)


def _lost(page: ChangesPage, scene: TuningScene) -> None:
    page.undo_all.click()
    scene.helper.failed.emit("Undo", AbsentHelperError(told("gone")))


def _all(page: ChangesPage, _scene: TuningScene) -> None:
    page.choose_view(ALL)


def _edited(page: ChangesPage, _scene: TuningScene) -> None:
    page.choose_view(ALL)
    page.tunables.tree.set_wish("vm.watermark_scale_factor", "125")
    page.tunables.tree.set_wish("vm.swappiness", "900")
    page.tunables.select("vm.watermark_scale_factor")


def _waiting(page: ChangesPage, _scene: TuningScene) -> None:
    page.choose_view(ALL)
    page.tunables.tree.set_wish("vm.swappiness", "10")
    page.tunables.select("vm.swappiness")
    page.tunables.try_out.click()


def _searched(page: ChangesPage, _scene: TuningScene) -> None:
    page.choose_view(ALL)
    page.tunables.search.setText("dirty")
    page.tunables.select("vm.dirty_ratio")


def _install(page: ChangesPage, _scene: TuningScene) -> None:
    assert page.changes.placeholder is not None
    page.changes.placeholder.buttons["install"].click()


def _long_history(scene: TuningScene) -> None:
    scene.give(*tuning_scenes.kept_changes())
    now = time.time()
    lines = [line for day in range(60, 0, -1) for line in _history_of(now - day * 86_400)]
    scene.helper.give_history([*lines, *_history_of(now)])


def _history_of(moment: float) -> list[dict[str, Any]]:
    return tuning_scenes.history(moment)


def _many(scene: TuningScene) -> None:
    """Every setting that can be changed here, and another drive with a long name."""
    given = tuning_scenes.reading()
    far = "mmcblk12boot0"
    values = dict(given.values)
    for key, value in given.values.items():
        if key.endswith("@nvme0n1"):
            values[f"{value.id}@{far}"] = replace(value, device=far)
    known = [(key, each.value) for key, each in values.items() if each.value is not None]
    changed = tuple(
        tuning_scenes.result(key, value, value, ("restart", "always")[at % 2])
        for at, (key, value) in enumerate(known)
    )
    state = replace(tuning_scenes.IDLE, state="kept", changed=changed)
    scene.give(state, replace(given, values=values))


def _reverted(page: ChangesPage, scene: TuningScene) -> None:
    trial = scene.model.trial
    assert trial is not None
    scene.model.revert()
    state, given = tuning_scenes.kept_changes()
    results = [
        tuning_scenes.result(each.key, each.origin or "", each.origin or "", "", "restored")
        for each in trial.changes
    ]
    scene.helper.now = replace(state, changed=state.changed[2:])
    scene.helper.finish("Revert", *results)
    scene.give(scene.helper.now, given)


def _ended(_page: ChangesPage, scene: TuningScene) -> None:
    scene.helper.trial_ended.emit("deadline", Results(()))
    scene.give(tuning_scenes.IDLE, tuning_scenes.reading())


def _partly(page: ChangesPage, scene: TuningScene) -> None:
    page.undo_all.click()
    state = scene.helper.now
    left = replace(state.changed[1], outcome="foreign")
    scene.helper.now = replace(state, changed=(state.changed[1],))
    scene.helper.finish("Undo", left)
    scene.model.refresh()
    scene.settle()


def _damaged(scene: TuningScene) -> None:
    note = Said("helper.journal.nothing_known")
    state = replace(tuning_scenes.IDLE, state="read-only", notices=(note,))
    scene.give(state, tuning_scenes.reading())


def _exported(page: ChangesPage, _scene: TuningScene) -> None:
    with tempfile.TemporaryDirectory(prefix="destutter-pictures-") as folder:
        page.export._kind = "files"
        page.export.write_into(folder)


def _moved(page: ChangesPage, _scene: TuningScene) -> None:
    page.choose_view(ALL)
    page.tunables.select("vm.watermark_scale_factor")
    page.tunables.detail.marks.sliders["vm.watermark_scale_factor"].setValue(330)


def _all_on_trial(page: ChangesPage, _scene: TuningScene) -> None:
    page.choose_view(ALL)
    page.tunables.select("block.scheduler@nvme0n1")


def _absent_setting(page: ChangesPage, _scene: TuningScene) -> None:
    page.choose_view(ALL)
    page.tunables.select("nvme.latency_tolerance@nvme0")


CHANGES_STATES = (
    ChangesState("changes", _four),
    ChangesState("changes-kept", _kept),
    ChangesState("changes-games", _games),
    ChangesState("changes-other-program", _others_trial),
    ChangesState("changes-risky", _four, _risky),
    ChangesState("changes-drift", _drifted),
    ChangesState("changes-undone", _kept, _undo_all),
    ChangesState("changes-history", _kept, _history),
    ChangesState("changes-none", _nothing),
    ChangesState("changes-denied", _nothing, _denied),
    ChangesState("changes-lost", _kept, _lost),
    ChangesState("changes-absent", _nothing, availability=Availability.ABSENT),
    ChangesState("changes-install", _nothing, _install, Availability.ABSENT),
    ChangesState(
        "changes-mismatch",
        _nothing,
        availability=Availability.MISMATCH,
        reason=Statement("bridge.helper.older"),
    ),
    ChangesState("changes-broken", _nothing, availability=Availability.BROKEN, reason=_BROKEN),
    ChangesState(
        "changes-no-bus",
        _nothing,
        availability=Availability.NO_BUS,
        reason=Statement("bridge.helper.no_bus"),
    ),
    ChangesState("changes-unknown", _nothing, availability=Availability.UNKNOWN),
    ChangesState("changes-many", _many),
    ChangesState("changes-long-history", _long_history, _history),
    ChangesState("changes-reverted", _four, _reverted),
    ChangesState("changes-ended", _four, _ended),
    ChangesState("changes-partly", _drifted, _partly),
    ChangesState("changes-damaged", _damaged),
    ChangesState("changes-exported", _kept, _exported),
    ChangesState("settings-all", _nothing, _all),
    ChangesState("settings-moved", _nothing, _moved),
    ChangesState("settings-on-trial", _four, _all_on_trial),
    ChangesState("settings-not-here", _nothing, _absent_setting),
    ChangesState("settings-edited", _nothing, _edited),
    ChangesState("settings-waiting", _nothing, _waiting),
    ChangesState("settings-search", _nothing, _searched),
    ChangesState("settings-no-helper", _nothing, _all, Availability.ABSENT),
)


def open_changes(
    app: QApplication, state: ChangesState, theme: Theme, size: tuple[int, int]
) -> tuple[MainWindow, TuningScene]:
    """A window on the Changes page in this state; close both."""
    tuning_scenes.UID = os.getuid()
    scene = TuningScene(ScriptedHelper(state.availability, state.reason))
    scene.settle()
    window = make_window(theme, watches_computer=True, tuning=scene.model)
    window.show_helper(scene.model.status)
    window.resize(*size)
    window.show()
    for _ in range(12):
        app.processEvents()
    window.show_page("changes")
    page = window.page_of("changes")
    assert isinstance(page, ChangesPage)
    state.prepare(scene)
    for _ in range(5):
        app.processEvents()
    state.do(page, scene)
    for _ in range(12):
        app.processEvents()
    return window, scene
