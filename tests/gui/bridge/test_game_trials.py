# SPDX-License-Identifier: GPL-3.0-or-later
"""A trial for as long as the watched game runs, asked for by the model of settings."""

import subprocess
from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from destutter.analysis.changes.tuning_state import GameProcess, OutcomeKind
from destutter.bridge import trial_clock
from destutter_helper.api.names import HelperError
from destutter_helper.api.payload import Results
from tests.gui.bridge.test_tuning_model import _TEN, World
from tests.support import private_bus
from tests.support.living import living
from tests.support.tuning_scenes import TuningScene, four_changes

SIM = GameProcess(77, "4711", "sim")


@pytest.fixture
def playing(qtbot: QtBot, granted: private_bus.PrivateBus) -> Iterator[tuple[World, "Playing"]]:
    """The real helper, and a game that it can see."""
    world = World(qtbot, granted)
    world.bus.start_helper()
    world.model.refresh()
    world.wait(lambda: world.model.state is not None and world.model.values)
    with living() as process:
        game = Playing(world, process)
        world.model.accept_game(game.identity)
        yield world, game
    world.close()


class Playing:
    """A process that plays."""

    def __init__(self, world: World, process: "subprocess.Popen[bytes]") -> None:
        self.process = process
        world.bus.show(process.pid)
        self.identity = GameProcess(process.pid, private_bus.start_of(process.pid), "sim")

    def end(self) -> None:
        """The game ends."""
        self.process.kill()
        self.process.wait()


def test_it_lasts_as_long_as_the_game(playing: tuple[World, Playing]) -> None:
    """It is told with the game's name, and goes back with it; the outcome says why."""
    world, game = playing
    world.model.try_for_game(_TEN)
    assert world.end() is OutcomeKind.DONE
    world.wait(lambda: world.model.trial is not None and world.model.trial.game == "sim")
    assert world.value() == "10"
    game.end()
    world.wait(lambda: world.model.outcome and world.model.outcome.kind is OutcomeKind.ENDED)
    assert world.model.outcome is not None
    assert world.model.outcome.name == "game-ended"
    assert world.value() == "60"
    world.wait(lambda: world.model.trial is None)


def test_it_is_renewed_while_the_window_lives(
    playing: tuple[World, Playing], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before its two minutes are over, and without an outcome for anybody to read."""
    world, _game = playing
    world.model.try_for_game(_TEN)
    assert world.end() is OutcomeKind.DONE
    world.model.forget_outcome()
    world.wait(lambda: world.model.trial is not None)
    assert world.model.trial is not None
    before_ns = world.model.trial.ends_boottime_ns
    monkeypatch.setattr(trial_clock, "_RENEW_BELOW_S", 119)
    world.wait(
        lambda: world.model.trial is not None and world.model.trial.ends_boottime_ns > before_ns
    )
    assert world.model.outcome is None


def test_a_game_that_has_just_ended_leaves_no_trial(playing: tuple[World, Playing]) -> None:
    """The dialog took longer than the game: refused with the reason, and all is as before."""
    world, game = playing
    game.end()
    world.model.try_for_game(_TEN)
    assert world.end() is OutcomeKind.REFUSED
    assert world.model.outcome is not None
    assert world.model.outcome.message is not None
    assert world.model.outcome.message.id == "helper.trial.no_game"
    assert world.value() == "60"
    world.wait(lambda: world.model.trial is None)


def test_without_a_game_nothing_is_asked(qtbot: QtBot) -> None:
    """There is nothing that a trial could last as long as."""
    del qtbot
    scene = TuningScene()
    scene.model.try_for_game(_TEN)
    assert scene.helper.asked == []
    scene.close()


def test_an_older_helper_is_named_as_the_reason(qtbot: QtBot) -> None:
    """It knows only trials of two minutes: its trial is taken back, and not left to run out."""
    del qtbot
    scene = TuningScene()
    scene.model.accept_game(SIM)
    scene.model.try_for_game(_TEN)
    scene.helper.give_state(four_changes()[0], is_ours=True)
    scene.helper.trial_begun.emit(scene.helper.trial)
    assert [what for what, _ in scene.helper.asked] == ["BeginTrial", "Bind"]
    scene.helper.failed.emit("Bind", HelperError("Unsupported", "no such method"))
    assert scene.helper.asked[-1] == ("Revert", None)
    assert scene.model.busy
    scene.helper.trial_ended.emit("reverted", Results(()))
    scene.helper.answered.emit("Revert", Results(()))
    outcome = scene.model.outcome
    assert outcome is not None
    assert (outcome.kind, outcome.what) == (OutcomeKind.REFUSED, "try")
    assert outcome.message is not None
    assert outcome.message.id == "bridge.helper.older"
    scene.close()


def test_what_the_clock_renews_ends_no_other_request(qtbot: QtBot) -> None:
    """A password for "keep" is still waited for when the trial is renewed meanwhile."""
    del qtbot
    scene = TuningScene()
    scene.helper.give_state(four_changes()[0], is_ours=True, game=SIM)
    assert scene.helper.asked[-1] == ("Extend", 120)
    scene.model.keep("always")
    scene.helper.answered.emit("Extend", 120)
    scene.helper.state_taken.emit(scene.helper.now)
    assert scene.model.busy == "asking"
    scene.helper.failed.emit("Extend", HelperError("RateLimited", "too often"))
    assert scene.model.busy == "asking"
    scene.close()


def test_facts_name_the_game_by_number_and_start() -> None:
    """Of an older recording, which has no start, there is none to bind to."""
    facts = {"game.pid": "77", "game.start_ticks": "4711", "game.name": "sim"}
    assert GameProcess.from_facts(facts) == SIM
    assert GameProcess.from_facts({**facts, "game.start_ticks": ""}) is None
    assert GameProcess.from_facts({}) is None
