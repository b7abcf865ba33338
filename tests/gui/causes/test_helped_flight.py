# SPDX-License-Identifier: GPL-3.0-or-later
"""After a flight that was better the page of causes asks for how long its changes are kept."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from destutter.bridge.helped_flight import Helped
from destutter.ui.causes.action_bar import BarState
from destutter_helper.api.names import HelperError
from destutter_helper.api.payload import Change
from tests.support import live_scenes
from tests.support.causes_window import open_causes, settle
from tests.support.window_kit import make_theme

TRIED = (
    Change("vm.watermark_scale_factor", "125"),
    Change("vm.watermark_boost_factor", "0"),
)
HELPED = Helped("X-Plane 12", TRIED, "Smoother: 9.1 s → 0.6 s lost")


@pytest.fixture
def make(qapp) -> Iterator[Callable[..., Any]]:
    """Opens windows on the page, behind a flight that was better; closes them at the end."""
    made = []

    def open_page(helped=HELPED, size=(1440, 900)):
        window, tuning = open_causes(qapp, make_theme(qapp), size, live_scenes.whole_computer)
        made.append((window, tuning))
        tuning.model.games.is_offered = True
        tuning.model.helped.offer(helped)
        settle(qapp)
        return window.causes, tuning

    yield open_page
    for window, tuning in made:
        window.close()
        window.deleteLater()
        tuning.close()
    settle(qapp)


def offered(bar):
    """What the buttons that are there say, and which of them is suggested."""
    there = [each for each in bar.stops if each.isVisible()]
    suggested = [each.text() for each in there if each.property("role") == "suggested"]
    return [each.text() for each in there], suggested


def doing(bar):
    """What the bar of actions shows."""
    return bar.shown.state


def test_the_bar_offers_what_the_banner_does(make):
    """In its words, with the verdict, and instead of trying the same once more."""
    page, _ = make()
    bar = page.detail.action_bar
    assert doing(bar) is BarState.HELPED
    words = ["Keep for every start", "Keep for this game", "Take back"]
    assert offered(bar) == (words, ["Keep for this game"])
    assert bar.note.text() == HELPED.verdict


def test_below_a_banner_it_suggests_nothing(make):
    """That says the same, and one suggestion is enough."""
    page, _ = make()
    page.show_covered(is_covered=True)
    assert offered(page.detail.action_bar)[1] == []
    page.show_covered(is_covered=False)
    assert offered(page.detail.action_bar)[1] == ["Keep for this game"]


def test_each_button_asks_for_what_was_tried(make):
    """Not for what is ticked now; a closed dialog leaves the question."""
    page, tuning = make()
    bar = page.detail.action_bar
    bar.this_game.click()
    assert tuning.helper.asked[-1] == ("KeepForGame", ("X-Plane 12", TRIED))
    assert doing(bar) is BarState.ASKING
    tuning.helper.failed.emit("KeepForGame", HelperError("Dismissed", "no"))
    assert doing(bar) is BarState.HELPED
    bar.always.click()
    method, (changes, _seconds) = tuning.helper.asked[-1]
    assert (method, changes) == ("BeginTrial", TRIED)


def test_taken_back_it_can_be_tried_again(make):
    """Nothing is asked of the helper: with the game the values have gone back."""
    page, tuning = make()
    asked = list(tuning.helper.asked)
    page.detail.action_bar.back.click()
    assert tuning.helper.asked == asked
    assert tuning.model.helped.shown is None
    assert doing(page.detail.action_bar) is BarState.READY
    assert page.detail.action_bar.apply.isVisible()


@pytest.mark.parametrize(
    "helped", [Helped("X", (Change("vm.page-cluster", "0"),), "Smoother"), None]
)
def test_a_cause_that_the_changes_are_not_about_keeps_its_own_bar(make, helped):
    """What helped against something else is asked there, and above every page."""
    page, _ = make(helped)
    assert doing(page.detail.action_bar) is BarState.READY


def test_a_helper_that_knows_no_games_offers_two(make):
    """Nor is it offered twice what is kept for the game already."""
    page, tuning = make()
    tuning.model.games.is_offered = False
    tuning.model.games.changed.emit()
    assert offered(page.detail.action_bar)[0] == ["Keep for every start", "Take back"]
