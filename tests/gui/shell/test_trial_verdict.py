# SPDX-License-Identifier: GPL-3.0-or-later
"""What a trial for as long as a game ran came to, above every page, and whether to keep it."""

import os
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QPushButton

from destutter.analysis.comparing import comparison
from destutter.bridge.helped_flight import Helped
from destutter.core.statement import Statement
from destutter.ui.controls.banner import BannerText
from destutter.ui.pages.outcome_banners import DISMISS
from destutter.ui.shell.trial_verdict import (
    KEEP,
    KEEP_FOR_GAME,
    SHOW,
    TAKE_BACK,
    TrialVerdict,
)
from destutter_helper.api.names import HelperError
from destutter_helper.api.payload import Change, GameSet
from tests.gui.live_window import settle
from tests.support.recorded_flights import (
    BEFORE,
    BETTER,
    OTHER_GAME,
    SAME,
    SIM,
    WORSE,
    Flights,
)
from tests.support.tuning_scenes import four_changes, kept_changes
from tests.support.window_kit import make_theme, make_window


class Played(Flights):
    """The window, the trial and what is recorded."""

    def __init__(self, qtbot, qapp, folder: Path) -> None:
        super().__init__(folder)
        self.qtbot, self.app = qtbot, qapp
        self.window = make_window(make_theme(qapp), watches_computer=True, tuning=self.scene.model)
        self.shown: list[tuple[str, str]] = []
        self.told = TrialVerdict(
            self.window,
            self.trials,
            self.scene.model,
            lambda a, b: self.shown.append((a, b)),
            self.window,
        )
        with qtbot.waitSignal(self.window.drawn, timeout=20_000):
            self.window.show()
        settle(qapp)

    def _is_told(self) -> bool:
        banner = self.told.banner
        return not banner.isHidden() and "being compared" not in str(banner.shown)

    def verdict(self) -> BannerText:
        """What stands above every page at the end."""
        self.qtbot.waitUntil(self._is_told, timeout=30_000)
        shown = self.told.banner.shown
        assert shown is not None
        return shown

    def act(self, action: str) -> None:
        """Click on a button of the banner."""
        self.told.banner.action_clicked.emit(action)

    def close(self) -> None:
        self.window.close()
        super().close()
        self.window.deleteLater()
        settle(self.app)


@pytest.fixture
def played(qtbot, qapp, tmp_path: Path) -> Iterator[Played]:
    """A window in which a game is watched."""
    made = Played(qtbot, qapp, tmp_path / "sessions")
    yield made
    made.close()


def actions(shown: BannerText) -> list[str]:
    """What the buttons say."""
    return [each.text for each in shown.actions if not each.is_cross]


def test_what_a_closed_program_may_have_helped_is_not_suggested(
    played: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tester ended the program that filled memory in the middle of a trial, and "Keep for this
    game" was blue."""
    monkeypatch.setattr(comparison, "_gone", lambda *_: ("memhog",))
    played.record_before(BEFORE)
    played.fly(BETTER)
    shown = played.verdict()
    assert shown.headline.startswith("Smoother: ")
    assert "memhog did much less than before as well, which may be what helped" in shown.detail
    assert "Keep for this game" in actions(shown)
    assert not any(each.is_primary for each in shown.actions)


@pytest.mark.parametrize(
    ("warned", "says"),
    [
        (comparison.UNEQUAL_IN_A, "took up much less than before"),
        (comparison.UNEQUAL_IN_B, "took up much more than before"),
        (comparison.UNEQUAL_IN_BOTH, "was not as before"),
    ],
)
def test_what_was_not_alike_is_told_beside_the_verdict(
    played: Played, monkeypatch: pytest.MonkeyPatch, warned: str, says: str
) -> None:
    """It stood on the page of recordings alone, and here the button to keep the cure; and "in one
    of them" left a tester to find out in which."""
    monkeypatch.setattr(comparison, "_moved_by_nothing", lambda *_: [object()])
    monkeypatch.setattr(comparison, "_busier", lambda *_: warned)
    monkeypatch.setattr(comparison, "_gone", lambda *_: ())
    played.record_before(BEFORE)
    played.fly(BETTER)
    shown = played.verdict()
    assert shown.headline.startswith("Smoother: ")
    assert says in shown.detail
    assert "the play may not have been alike" in shown.detail


def test_a_better_flight_offers_to_keep_the_changes(played: Played) -> None:
    """One click keeps for every start what was tried, and nothing else."""
    played.record_before(BEFORE)
    played.fly(BETTER)
    shown = played.verdict()
    assert shown.kind == "ok"
    assert shown.headline.startswith("Smoother: ")
    assert "12 minutes with the changes against 12 minutes before" in shown.detail
    lost = (
        r"Lost in long frames \(over 2\.5 times the usual\) in 10 minutes: \S+\ss → \S+\s(s|ms)\."
    )
    assert re.match(lost, shown.detail)
    assert [each.text for each in shown.actions if each.is_primary] == ["Keep for this game"]
    assert actions(shown)[::2] == ["Keep for every start", "Take back"]
    next(iter(played.told.banner.findChildren(QPushButton))).setFocus()
    played.act(KEEP)
    page = played.window.page_of(played.window.page)
    assert played.window.focusWidget() is page
    helper = played.scene.helper
    method, (changes, _seconds) = helper.asked[-1]
    assert method == "BeginTrial"
    assert changes == played.tried
    assert played.told.banner.isHidden()
    helper.trial_begun.emit(helper.trial)
    helper.finish("Keep")
    helper.state_taken.emit(helper.now)
    assert played.verdict().headline.endswith("kept for every start")
    assert played.scene.model.helped.shown is None


def test_that_a_trial_is_being_compared_is_told_at_once(played: Played) -> None:
    """Nothing said for four minutes that anything was to come."""
    played.record_before(BEFORE)
    played.fly(BETTER)
    shown = played.told.banner.shown
    assert shown is not None
    assert shown.headline == "The trial with X-Plane 12 is over; it is being compared"
    assert not played.told.banner.isHidden()
    assert played.verdict().headline.startswith("Smoother: ")


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
    assert played.told.banner.isHidden()
    assert ("KeepForGame", ("X-Plane 12", played.tried)) in played.scene.helper.asked
    played.scene.helper.answered.emit("KeepForGame", "1" * 32)
    played.scene.helper.state_taken.emit(played.scene.helper.now)
    shown = played.verdict()
    assert (shown.kind, shown.headline) == ("ok", "Kept for X-Plane 12")
    settle(played.app)
    assert played.scene.model.outcome is None, "the page of changes says it once more"
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


def test_what_is_kept_for_a_game_is_not_judged(played: Played) -> None:
    """Nothing asks and nothing nags."""
    played.scene.give(*four_changes(), is_ours=True, game=SIM, set_id="1" * 32)
    assert played.window.trial is not None
    assert played.window.trial.banner.isHidden()
    played.scene.give(*kept_changes())
    assert played.told.banner.isHidden()


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
    assert played.told.banner.isHidden()


def test_a_flight_that_is_worse_is_as_bad_here_as_on_the_page(played: Played) -> None:
    """One tone and one sign for it; the page of the comparison has the same."""
    played.record_before(BEFORE)
    played.fly(WORSE)
    shown = played.verdict()
    assert (shown.kind, shown.icon) == ("bad", "causing")
    assert actions(shown) == ["Show the comparison"]


def test_a_first_flight_says_what_is_missing(played: Played) -> None:
    """There is nothing to compare with, of this game; that of another one is none."""
    played.record_before(OTHER_GAME)
    played.fly(BETTER)
    shown = played.verdict()
    assert "no earlier recording of this game" in shown.detail
    assert actions(shown) == []


def test_what_is_kept_already_is_not_offered_again(played: Played) -> None:
    """ "Keep for every start" was clicked in the banner while the game ran."""
    played.record_before(BEFORE)
    state, given = four_changes()
    kept = tuple(replace(each, until="always") for each in state.changed)
    played.fly(BETTER, at_end=(replace(state, state="kept", seconds_left=0, changed=kept), given))
    shown = played.verdict()
    assert shown.kind == "ok"
    assert actions(shown) == ["Show the comparison"]


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
    assert played.told.banner.isHidden()
