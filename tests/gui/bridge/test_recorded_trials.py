# SPDX-License-Identifier: GPL-3.0-or-later
"""A trial for as long as a game runs: recorded by itself, compared at its end."""

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from destutter_helper.api.payload import Change, GameSet
from tests.support.recorded_flights import BEFORE, BETTER, OTHER_GAME, SIM, Flights
from tests.support.tuning_scenes import four_changes, kept_changes

_WAIT_MS = 30_000
_TRIED = (
    Change("vm.min_free_kbytes", "524288"),
    Change("vm.watermark_scale_factor", "125"),
)


@pytest.fixture
def flights(qtbot: QtBot, tmp_path: Path) -> Iterator[Flights]:
    """A game that is watched."""
    made = Flights(tmp_path / "sessions")
    yield made
    made.close()


def names(flights: Flights) -> list[str]:
    """The files that were compared."""
    assert flights.trials.both is not None
    return [path.name for path in flights.trials.both]


def test_it_is_compared_with_the_time_before(qtbot: QtBot, flights: Flights) -> None:
    """With that of the same game, and not with the newer one of another."""
    flights.record_before(BEFORE)
    flights.record_before(replace(OTHER_GAME, wall_time=BETTER.wall_time - 60.0))
    with qtbot.waitSignal(flights.trials.compared, timeout=_WAIT_MS):
        flights.fly(BETTER)
    assert names(flights) == ["flight 1.destutter", "flight 3.destutter"]
    assert flights.trials.game == "X-Plane 12"


def test_what_was_recorded_until_the_trial_is_the_time_before(
    qtbot: QtBot, flights: Flights
) -> None:
    """A recording that runs ends with the begin of the trial, which has a file of its own."""
    flights.recordings.flight = BEFORE
    flights.recordings.start()
    with qtbot.waitSignal(flights.trials.compared, timeout=_WAIT_MS):
        flights.fly(BETTER)
    assert names(flights) == ["flight 1.destutter", "flight 2.destutter"]


def test_another_trial_is_compared_with_the_time_before_all_of_them(
    qtbot: QtBot, flights: Flights
) -> None:
    """A flight of 4 minutes asks for another one, whose recording before it had the cure too."""
    flights.record_before(BEFORE)
    for later_s in (0.0, 3600.0):
        with qtbot.waitSignal(flights.trials.compared, timeout=_WAIT_MS):
            flights.fly(replace(BETTER, wall_time=BETTER.wall_time + later_s))
    assert names(flights) == ["flight 1.destutter", "flight 3.destutter"]


def test_a_first_one_is_compared_with_nothing(qtbot: QtBot, flights: Flights) -> None:
    """That of another game is none."""
    flights.record_before(OTHER_GAME)
    with qtbot.waitSignal(flights.trials.was_first, timeout=_WAIT_MS):
        flights.fly(BETTER)
    flights.trials.keep()
    assert flights.trials.both is None
    assert "BeginTrial" not in [method for method, _ in flights.scene.helper.asked]


def test_a_recording_that_the_user_began_meanwhile_goes_on(flights: Flights) -> None:
    """Theirs is no part of the trial."""
    flights.scene.model.accept_game(SIM)
    flights.scene.give(*four_changes(), is_ours=True, game=SIM)
    flights.recordings.stop()
    flights.recordings.start()
    flights.scene.give(*kept_changes())
    assert flights.recordings.is_running


def test_a_trial_of_a_minute_records_nothing(flights: Flights) -> None:
    """It proves nothing, and nobody asked for a recording."""
    flights.scene.give(*four_changes(), is_ours=True)
    flights.scene.give(*kept_changes())
    assert flights.recordings.count == 0


def test_what_is_kept_for_a_game_is_not_recorded(flights: Flights) -> None:
    """Each time that somebody plays would be too often."""
    flights.scene.give(*four_changes(), is_ours=True, game=SIM, set_id="1" * 32)
    flights.scene.give(*kept_changes())
    assert flights.recordings.count == 0


def test_what_was_kept_while_the_game_ran_is_known(flights: Flights) -> None:
    """For every start, in the banner of the trial."""
    flights.fly(BETTER)
    assert not flights.trials.is_kept
    state, given = four_changes()
    kept = tuple(replace(each, until="always") for each in state.changed)
    flights.scene.give(replace(state, state="kept", seconds_left=0, changed=kept), given)
    assert flights.trials.is_kept


@pytest.mark.parametrize("kept", [(), _TRIED[:1], _TRIED])
def test_what_is_kept_for_the_game_already_is_not_to_be_kept_again(
    flights: Flights, kept: tuple[Change, ...]
) -> None:
    """All of it: with a part there is something left to keep."""
    there = GameSet("1" * 32, "X-Plane 12", kept, runs=False, uid=os.getuid())
    flights.scene.helper.kept_for_games = (there,)
    flights.scene.helper.state_told.emit()
    flights.fly(BETTER)
    assert flights.tried == _TRIED
    assert flights.trials.may_be_kept_for_game is (kept != _TRIED)
    flights.scene.model.games.is_offered = False
    assert not flights.trials.may_be_kept_for_game
