# SPDX-License-Identifier: GPL-3.0-or-later
"""A trial for as long as a game runs: recorded by itself, compared at its end."""

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from destutter.analysis.changes.tuning_state import GameProcess, TuningReading
from destutter.application.game_trials import (
    KEEP,
    KEEP_FOR_GAME,
    SHOW,
    TAKE_BACK,
    GameTrials,
)
from destutter.bridge.helped_flight import Helped
from destutter.bridge.session_services import SessionServices
from destutter.core.statement import Statement
from destutter.ui.controls.banner import BannerText
from destutter.ui.pages.outcome_banners import DISMISS
from destutter_helper.api.names import HelperError
from destutter_helper.api.payload import Change, GameSet, State
from tests.gui.live_window import settle
from tests.support.long_flights import STOCK, TUNED, Flight, write_flight
from tests.support.sessions import HERE
from tests.support.tuning_scenes import TuningScene, four_changes, kept_changes
from tests.support.window_kit import make_theme, make_window

SIM = GameProcess(77, "4711", "X-Plane 12")


class Recordings:
    """A recording that is there when it is stopped: the flight that the test says."""

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


class Played:
    """The window, the trial and what is recorded."""

    def __init__(self, qtbot, qapp, folder: Path) -> None:
        self.qtbot, self.app = qtbot, qapp
        self.scene = TuningScene()
        self.window = make_window(make_theme(qapp), watches_computer=True, tuning=self.scene.model)
        self.models = SessionServices(folder, {}, HERE)
        self.recordings = Recordings(folder)
        self.tried: tuple[Change, ...] = ()
        self.shown: list[tuple[str, str]] = []
        self.trials = GameTrials(
            self.window,
            self.scene.model,
            self.models,
            lambda: self.recordings,  # type: ignore[arg-type,return-value]
            lambda a, b: self.shown.append((a, b)),
            self.window,
        )
        self.recordings.started = self.trials.recording_started
        with qtbot.waitSignal(self.window.drawn, timeout=20_000):
            self.window.show()
        settle(qapp)

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

    def verdict(self) -> BannerText:
        """What stands above every page at the end."""
        self.qtbot.waitUntil(lambda: not self.trials.banner.isHidden(), timeout=30_000)
        shown = self.trials.banner.shown
        assert shown is not None
        return shown

    def act(self, action: str) -> None:
        """Click on a button of the banner."""
        self.trials.banner.action_clicked.emit(action)

    def close(self) -> None:
        self.window.close()
        self.models.stop()
        self.scene.close()
        # Else Python may end it in the thread of a job of the next test.
        self.models.deleteLater()
        self.window.deleteLater()
        settle(self.app)


@pytest.fixture
def played(qtbot, qapp, tmp_path: Path) -> Iterator[Played]:
    """A window in which a game is watched."""
    made = Played(qtbot, qapp, tmp_path / "sessions")
    yield made
    made.close()


BEFORE = Flight(12, 6.0, wall_time=1_795_266_060.0)
BETTER = Flight(12, 0.0, wall_time=1_795_299_060.0, seed=2)
SAME = Flight(12, 6.0, wall_time=1_795_299_060.0, seed=3)


def actions(shown: BannerText) -> list[str]:
    """What the buttons say."""
    return [each.text for each in shown.actions if not each.is_cross]


def test_a_better_flight_offers_to_keep_the_changes(played: Played) -> None:
    """One click keeps for every start what was tried, and nothing else."""
    played.record_before(BEFORE)
    played.fly(BETTER)
    shown = played.verdict()
    assert shown.kind == "ok"
    assert shown.headline.startswith("Smoother: ")
    assert "12 minutes with the changes against 12 minutes before" in shown.detail
    assert [each.text for each in shown.actions if each.is_primary] == ["Keep for every start"]
    assert actions(shown)[::2] == ["Keep for every start", "Take back"]
    played.act(KEEP)
    helper = played.scene.helper
    method, (changes, _seconds) = helper.asked[-1]
    assert method == "BeginTrial"
    assert changes == played.tried
    assert played.trials.banner.isHidden()
    helper.trial_begun.emit(helper.trial)
    helper.finish("Keep")
    helper.state_taken.emit(helper.now)
    assert played.verdict().headline.endswith("kept for every start")
    assert played.scene.model.helped.shown is None


def test_a_better_flight_can_be_taken_back(played: Played) -> None:
    """The values are those from before already: nothing is asked of the helper."""
    played.record_before(BEFORE)
    played.fly(BETTER)
    assert played.verdict().kind == "ok"
    asked = list(played.scene.helper.asked)
    played.act(TAKE_BACK)
    shown = played.verdict()
    assert shown.headline == "The trial was taken back"
    assert played.scene.helper.asked == asked
    assert played.scene.model.helped.shown is None


def test_what_the_banner_asks_is_asked_on_other_pages_until_it_is_answered(
    played: Played,
) -> None:
    """The cross only takes the banner away; the next trial begins anew."""
    played.record_before(BEFORE)
    played.fly(BETTER)
    verdict = played.verdict().headline
    played.act(DISMISS)
    assert played.scene.model.helped.shown == Helped("X-Plane 12", played.tried, verdict)
    played.scene.give(*four_changes(), is_ours=True, game=SIM)
    assert played.scene.model.helped.shown is None


def test_a_better_flight_can_be_kept_for_its_game(played: Played) -> None:
    """The changes that were tried, by the game's name; where it was asked for stands that it is
    done, and what that means."""
    played.record_before(BEFORE)
    played.fly(BETTER)
    assert actions(played.verdict()) == [
        "Keep for every start",
        "Keep for this game",
        "Take back",
        "Show the comparison",
    ]
    played.act(KEEP_FOR_GAME)
    assert played.trials.banner.isHidden()
    assert ("KeepForGame", ("X-Plane 12", played.tried)) in played.scene.helper.asked
    played.scene.helper.answered.emit("KeepForGame", "1" * 32)
    played.scene.helper.state_taken.emit(played.scene.helper.now)
    shown = played.verdict()
    assert (shown.kind, shown.headline) == ("ok", "Kept for X-Plane 12")
    assert "without a password" in shown.detail


@pytest.mark.parametrize("name", ["Dismissed", "NotAuthorized"])
def test_without_the_password_the_verdict_or_the_reason_is_there(
    played: Played, name: str
) -> None:
    """A closed dialog leaves the question, and a no is told."""
    played.record_before(BEFORE)
    played.fly(BETTER)
    verdict = played.verdict()
    played.act(KEEP_FOR_GAME)
    played.scene.helper.failed.emit("KeepForGame", HelperError(name, "no"))
    shown = played.verdict()
    assert (shown == verdict) is (name == "Dismissed")
    assert (shown.headline == "Not changed") is (name == "NotAuthorized")


TRIED = (
    Change("vm.min_free_kbytes", "524288"),
    Change("vm.watermark_scale_factor", "125"),
)


@pytest.mark.parametrize("is_older", [True, False])
def test_what_is_kept_for_the_game_already_is_not_offered(
    played: Played, *, is_older: bool
) -> None:
    """Nor is it by a helper that does not know how."""
    kept = GameSet("1" * 32, "X-Plane 12", TRIED, runs=False, uid=os.getuid())
    played.scene.helper.kept_for_games = () if is_older else (kept,)
    played.scene.helper.state_told.emit()
    played.scene.model.games.is_offered = not is_older
    played.record_before(BEFORE)
    played.fly(BETTER)
    asked = ["Keep for every start", "Take back", "Show the comparison"]
    assert actions(played.verdict()) == asked
    assert played.tried == TRIED


def test_what_is_kept_for_a_game_is_neither_recorded_nor_judged(played: Played) -> None:
    """Each time that somebody plays would be too often; nothing asks and nothing nags."""
    played.scene.give(*four_changes(), is_ours=True, game=SIM, set_id="1" * 32)
    assert played.recordings.count == 0
    assert played.window.trial is not None
    assert played.window.trial.banner.isHidden()
    played.scene.give(*kept_changes())
    assert played.trials.banner.isHidden()


def test_a_flight_that_is_no_better_is_shown(played: Played) -> None:
    """The values are back anyhow; nothing suggests to keep them."""
    played.record_before(BEFORE)
    played.fly(SAME)
    shown = played.verdict()
    assert shown.kind != "ok"
    assert actions(shown) == ["Show the comparison"]
    played.act(SHOW)
    assert played.shown == [("flight 1.destutter", "flight 2.destutter")]
    played.act(DISMISS)
    assert played.trials.banner.isHidden()


def test_a_first_flight_says_what_is_missing(played: Played) -> None:
    """There is nothing to compare with, of this game; that of another one is none."""
    played.record_before(Flight(12, 6.0, game="Other Game"))
    played.fly(BETTER)
    shown = played.verdict()
    assert "no earlier recording of this game" in shown.detail
    assert actions(shown) == []


def test_what_was_recorded_until_the_trial_is_the_time_before(played: Played) -> None:
    """A recording that runs ends with the begin of the trial, which has a file of its own."""
    played.recordings.flight = BEFORE
    played.recordings.start()
    played.fly(BETTER)
    assert played.verdict().kind == "ok"


def test_what_is_kept_already_is_not_offered_again(played: Played) -> None:
    """ "Keep for every start" was clicked in the banner while the game ran."""
    played.record_before(BEFORE)
    state, given = four_changes()
    kept = tuple(replace(each, until="always") for each in state.changed)
    played.fly(BETTER, at_end=(replace(state, state="kept", seconds_left=0, changed=kept), given))
    shown = played.verdict()
    assert shown.kind == "ok"
    assert actions(shown) == ["Show the comparison"]


def test_a_recording_that_the_user_began_meanwhile_goes_on(played: Played) -> None:
    """Theirs is no part of the trial."""
    played.scene.model.accept_game(SIM)
    played.scene.give(*four_changes(), is_ours=True, game=SIM)
    played.recordings.stop()
    played.recordings.start()
    played.scene.give(*kept_changes())
    assert played.recordings.is_running


def test_a_recording_that_cannot_be_read_is_told(played: Played) -> None:
    """With the reason, and not by silence."""
    played.models.trial_examiner.failed.emit(Path("x"), Statement("session.not_allowed"))
    assert "cannot be compared" in played.verdict().headline


def test_the_next_trial_takes_the_verdict_away(played: Played) -> None:
    """It speaks of the one before."""
    played.record_before(BEFORE)
    played.fly(SAME)
    played.verdict()
    played.scene.give(*four_changes(), is_ours=True, game=SIM)
    assert played.trials.banner.isHidden()


def test_a_trial_of_a_minute_records_nothing(played: Played) -> None:
    """It proves nothing, and nobody asked for a recording."""
    played.scene.give(*four_changes(), is_ours=True)
    played.scene.give(*kept_changes())
    assert played.recordings.count == 0
