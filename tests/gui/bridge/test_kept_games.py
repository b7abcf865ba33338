# SPDX-License-Identifier: GPL-3.0-or-later
"""What is kept for a game comes when that runs and goes with it, without anybody's doing."""

import os
from collections.abc import Iterator
from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from destutter.analysis.changes.tuning_state import GameProcess, OutcomeKind
from destutter.bridge.kept_games import game_name
from destutter_helper.api.names import HelperError
from destutter_helper.api.payload import Change, GameSet, Result, Results
from destutter_helper.api.statement import Said
from tests.gui.bridge.test_game_trials import Playing
from tests.gui.bridge.test_tuning_model import _TEN, World
from tests.support import private_bus
from tests.support.living import living
from tests.support.tuning_scenes import IDLE, TuningScene, four_changes, result

SIM = GameProcess(77, "4711", "sim")
OTHER = GameProcess(78, "4712", "other")
KEPT = GameSet("1" * 32, "sim", _TEN, runs=False, uid=os.getuid())
KEPT_OTHER = GameSet("2" * 32, "other", _TEN, runs=False, uid=os.getuid())
BUSY = HelperError("Busy", Said("helper.trial.busy_game"))


@pytest.fixture
def world(qtbot: QtBot, granted: private_bus.PrivateBus) -> Iterator[World]:
    """The real helper, and polkit granting what is kept."""
    granted.allow("persist")
    made = World(qtbot, granted)
    made.bus.start_helper()
    made.model.refresh()
    made.wait(lambda: made.model.games.is_offered and made.model.values)
    yield made
    made.close()


def test_it_is_set_at_each_start_without_a_question(world: World) -> None:
    """Kept once; two starts of the game have it, and between them the values from before."""
    games = world.model.games
    games.keep("sim", _TEN)
    assert world.end() is OutcomeKind.DONE
    world.wait(lambda: games.has_all("sim", _TEN))
    asked = len(world.bus.questions())
    for _ in range(2):
        with living() as process:
            game = Playing(world, process)
            world.model.forget_outcome()
            games.accept_game(game.identity)
            world.wait(lambda: world.value() == "10")
            world.wait(lambda: world.model.trial is not None and world.model.trial.is_kept)
            world.wait(lambda: games.sets[0].runs)
            game.end()
            games.accept_game(None)
        world.wait(lambda: world.value() == "60" and world.model.trial is None)
    assert world.model.outcome is None
    assert len(world.bus.questions()) == asked
    games.forget(games.sets[0])
    assert world.end() is OutcomeKind.DONE
    world.wait(lambda: not games.sets)


def test_it_is_set_beside_another_game(world: World) -> None:
    """That was there first and is watched; it goes back with its own game."""
    games = world.model.games
    games.keep("sim", _TEN)
    assert world.end() is OutcomeKind.DONE
    with living() as first, living() as second:
        games.accept_game(Playing(world, first).identity._replace(name="chess"))
        mine = Playing(world, second)
        games.accept_beside((mine.identity,))
        world.wait(lambda: world.value() == "10" and games.sets[0].runs)
        mine.end()
        world.wait(lambda: world.value() == "60")
        assert first.poll() is None


def test_removing_it_while_the_game_runs_takes_it_back(world: World) -> None:
    """And it is not set again for the same process, kept anew or not."""
    games = world.model.games
    games.keep("sim", _TEN)
    assert world.end() is OutcomeKind.DONE
    with living() as process:
        games.accept_game(Playing(world, process).identity)
        world.wait(lambda: world.value() == "10" and games.sets[0].runs)
        games.forget(games.sets[0])
        assert world.end() is OutcomeKind.DONE
        world.wait(lambda: world.value() == "60" and not games.sets)


def test_it_ends_with_the_window(world: World) -> None:
    """Destutter closed, the game running on."""
    games = world.model.games
    games.keep("sim", _TEN)
    assert world.end() is OutcomeKind.DONE
    with living() as process:
        games.accept_game(Playing(world, process).identity)
        # What the window knows of: the value is there before the answer to its question is.
        world.wait(lambda: world.value() == "10" and world.model.trial is not None)
        world.model.stop()
        world.wait(lambda: world.value() == "60")
        assert process.poll() is None


@pytest.fixture
def scene(qtbot: QtBot) -> Iterator[TuningScene]:
    """A scripted helper that keeps something for two games."""
    del qtbot
    made = TuningScene()
    made.helper.kept_for_games = (KEPT, KEPT_OTHER)
    made.helper.state_told.emit()
    yield made
    made.close()


def begun(scene: TuningScene) -> list[object]:
    """Which sets were asked for, for which process."""
    return [what for method, what in scene.helper.asked if method == "BeginForGame"]


def test_each_process_is_asked_for_once(scene: TuningScene) -> None:
    """Whatever became of it: stopped by its user, it stays stopped; another start is another."""
    games = scene.model.games
    games.accept_game(SIM)
    scene.helper.state_told.emit()
    games.accept_game(None)
    games.accept_game(SIM)
    assert begun(scene) == [(KEPT.id, SIM)]
    scene.helper.answered.emit("BeginForGame", None)
    games.accept_game(SIM._replace(start="4800"))
    assert len(begun(scene)) == 2


def test_what_is_kept_for_another_game_beside_the_watched_one_is_set(scene: TuningScene) -> None:
    """Whichever was started first; one after the other, and each process once."""
    games = scene.model.games
    stranger = GameProcess(70, "4700", "chess")
    games.accept_game(stranger)
    assert {*games.names} == {"sim", "other"}
    games.accept_beside((SIM, OTHER))
    games.accept_beside((SIM, OTHER))
    assert begun(scene) == [(KEPT.id, SIM)]
    scene.helper.failed.emit("BeginForGame", HelperError("Refused", Said("helper.trial.no_game")))
    assert begun(scene) == [(KEPT.id, SIM), (KEPT_OTHER.id, OTHER)]
    scene.helper.failed.emit("BeginForGame", BUSY)
    assert len(begun(scene)) == 2
    games.accept_game(SIM)  # it is watched from now on, and was asked for already
    assert {*games.names} == {"other"}
    scene.helper.state_told.emit()
    assert begun(scene)[2:] == [(KEPT_OTHER.id, OTHER)]


def test_what_was_taken_back_while_its_game_runs_is_told(scene: TuningScene) -> None:
    """It runs, and has nothing: "set when it runs" was no answer to why."""
    games = scene.model.games
    assert not games.was_taken_back(KEPT)
    games.accept_game(SIM)
    assert not games.was_taken_back(KEPT)  # the helper is asked yet
    scene.helper.answered.emit("BeginForGame", None)
    assert games.was_taken_back(KEPT)
    assert not games.was_taken_back(replace(KEPT, runs=True))
    assert not games.was_taken_back(KEPT_OTHER)
    games.accept_game(None)
    assert not games.was_taken_back(KEPT)


def test_a_game_for_which_nothing_is_kept_is_left_alone(scene: TuningScene) -> None:
    """And so is one for which another user keeps something."""
    scene.helper.kept_for_games = (GameSet("3" * 32, "third", _TEN, False, os.getuid() + 1),)
    scene.helper.state_told.emit()
    for name in ("third", "sim", "nobody's"):
        scene.model.games.accept_game(SIM._replace(name=name))
    assert begun(scene) == []


def test_a_second_game_waits_for_the_first(scene: TuningScene) -> None:
    """The helper says Busy; when it tells that something has ended it is asked once more."""
    games = scene.model.games
    games.accept_game(OTHER)
    scene.helper.failed.emit("BeginForGame", BUSY)
    assert games.not_set[KEPT_OTHER.id].id == "helper.trial.busy_game"
    assert len(begun(scene)) == 1
    scene.helper.state_told.emit()
    assert begun(scene) == [(KEPT_OTHER.id, OTHER)] * 2
    scene.helper.answered.emit("BeginForGame", None)
    assert not games.not_set
    scene.helper.state_told.emit()
    assert len(begun(scene)) == 2


def test_while_something_is_on_trial_nothing_is_asked(scene: TuningScene) -> None:
    """One runs at a time; it is looked for again when that is over."""
    scene.helper.give_state(four_changes()[0], is_ours=True)
    scene.model.games.accept_game(SIM)
    assert begun(scene) == []
    scene.helper.give_state(IDLE)
    scene.helper.state_told.emit()
    assert begun(scene) == [(KEPT.id, SIM)]


def test_a_game_that_was_gone_at_once_is_no_trouble(scene: TuningScene) -> None:
    """Any other reason is kept, for the row of the game."""
    scene.model.games.accept_game(SIM)
    gone = HelperError("Refused", Said("helper.trial.no_game"))
    scene.helper.failed.emit("BeginForGame", gone)
    assert not scene.model.games.not_set


def test_what_is_kept_further_stands_beside_the_rest(scene: TuningScene) -> None:
    """Of one setting the newer value; of a pair the newer member."""
    games = scene.model.games
    games.keep("sim", (Change("vm.page-cluster", "0"),))
    both = (*_TEN, Change("vm.page-cluster", "0"))
    assert scene.helper.asked[-1][1] == ("sim", both)
    scene.helper.failed.emit("KeepForGame", HelperError("Dismissed", "no"))
    games.keep("sim", (Change("vm.swappiness", "20"),))
    assert scene.helper.asked[-1][1] == ("sim", (Change("vm.swappiness", "20"),))


@pytest.mark.parametrize(
    ("reason", "left", "is_news"),
    [
        ("game-ended", (), False),
        ("reverted", (), False),
        ("owner-gone", (), True),
        ("game-ended", (result("vm.swappiness", "60", "77", "", "foreign"),), True),
    ],
)
def test_its_usual_end_is_no_news_and_any_other_is(
    scene: TuningScene, reason: str, left: tuple[Result, ...], *, is_news: bool
) -> None:
    """A banner after each game would nag; a killed helper, or what was left alone, is told."""
    scene.helper.answered.emit("BeginForGame", None)
    scene.helper.trial_ended.emit(reason, Results(left))
    assert (scene.model.outcome is not None) is is_news
    scene.model.forget_outcome()
    scene.helper.trial_ended.emit("game-ended", Results(()))
    assert scene.model.outcome is not None  # of a trial, which was not kept for a game


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("X-Plane 12", "X-Plane 12"),
        (" a\n\u202eb ", "a b"),
        ("x" * 80, "x" * 64),
        ("原神", "原神"),
    ],
)
def test_names_are_made_plain(name: str, plain: str) -> None:
    """As the helper takes them; any program can call itself anything."""
    assert game_name(name) == plain
