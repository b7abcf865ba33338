# SPDX-License-Identifier: GPL-3.0-or-later
"""Trials for as long as a game runs, with recordings that are the flights that a test says."""

from collections.abc import Callable
from pathlib import Path

from destutter.analysis.changes.tuning_state import GameProcess, TuningReading
from destutter.bridge.recorded_trials import RecordedTrials
from destutter.bridge.session_services import SessionServices
from destutter_helper.api.payload import Change, State
from tests.support.long_flights import STOCK, TUNED, Flight, write_flight
from tests.support.sessions import HERE
from tests.support.tuning_scenes import TuningScene, four_changes, kept_changes

SIM = GameProcess(77, "4711", "X-Plane 12")
BEFORE = Flight(12, 6.0, wall_time=1_795_266_060.0)
BETTER = Flight(12, 0.0, wall_time=1_795_299_060.0, seed=2)
WORSE = Flight(12, 30.0, wall_time=1_795_299_060.0, seed=4)
SAME = Flight(12, 6.0, wall_time=1_795_299_060.0, seed=3)
OTHER_GAME = Flight(12, 6.0, game="Other Game")


class Recordings:
    """A recording that is there when it is stopped."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.flight = Flight(12, 6.0)
        self.tunables = STOCK
        self.made = self.flight, self.tunables
        self.is_running = False
        self.count = 0
        self.started: Callable[[str], None] = lambda _path: None

    @property
    def path(self) -> Path:
        return self.folder / f"flight {self.count}.destutter"

    def start(self, _game: str = "") -> None:
        self.count += 1
        self.is_running = True
        self.made = self.flight, self.tunables
        self.started(str(self.path))

    def stop(self) -> None:
        if self.is_running:
            self.is_running = False
            write_flight(self.path, *self.made)


class Flights:
    """The trial and what is recorded."""

    def __init__(self, folder: Path) -> None:
        self.scene = TuningScene()
        self.models = SessionServices(folder, {}, HERE)
        self.recordings = Recordings(folder)
        self.tried: tuple[Change, ...] = ()
        self.trials = RecordedTrials(
            self.scene.model,
            self.models,
            lambda: self.recordings,  # type: ignore[arg-type,return-value]
        )
        self.recordings.started = self.trials.recording_started

    def record_before(self, flight: Flight) -> None:
        """A recording without the changes, made by hand earlier."""
        self.recordings.flight, self.recordings.tunables = flight, STOCK
        self.recordings.start()
        self.recordings.stop()

    def fly(self, flight: Flight, at_end: tuple[State, TuningReading] | None = None) -> None:
        """A trial that ends with the game; ``at_end`` is what helper and kernel say then."""
        self.scene.model.accept_game(SIM)
        self.recordings.flight, self.recordings.tunables = flight, TUNED
        self.scene.give(*four_changes(), is_ours=True, game=SIM)
        assert self.recordings.is_running
        trial = self.scene.model.trial
        assert trial is not None
        self.tried = tuple(each.change for each in trial.changes if each.change)
        self.scene.give(*(at_end or kept_changes()))
        assert not self.recordings.is_running

    def close(self) -> None:
        self.models.stop()
        self.scene.close()
        self.trials.deleteLater()
        # Else Python may end it in the thread of a job of the next test.
        self.models.deleteLater()
