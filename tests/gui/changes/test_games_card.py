# SPDX-License-Identifier: GPL-3.0-or-later
"""What is kept for games, on the page of changes."""

import os
from dataclasses import replace

from destutter.analysis.changes.tuning_state import GameProcess
from destutter_helper.api.names import HelperError
from destutter_helper.api.payload import Change, GameSet, GameSets
from destutter_helper.api.statement import Said
from tests.gui.changes.changes_kit import MakePage, Opened
from tests.support.tuning_scenes import four_changes, kept_changes

SIM = GameProcess(77, "4711", "sim")
KEPT = GameSet("1" * 32, "sim", (Change("vm.swappiness", "10"),), runs=False, uid=os.getuid())


def tell(opened: Opened, *sets: GameSet, trouble: Said | None = None) -> None:
    """The helper's list."""
    opened.scene.helper.kept_for_games = sets
    opened.scene.helper.answered.emit("ListForGames", GameSets(sets, trouble))
    opened.settle()


def texts(opened: Opened) -> list[str]:
    """What the rows say."""
    return [each.full_text for each in opened.page.changes.games.texts]


def test_without_any_there_is_no_card(open_page: MakePage) -> None:
    """Nothing to say."""
    assert open_page().page.changes.games.isHidden()


def test_a_row_says_for_which_game_what_and_when(open_page: MakePage) -> None:
    """Also where nothing is changed now; that of another user is not shown, to root neither."""
    opened = open_page()
    tell(opened, KEPT, replace(KEPT, id="2" * 32, game="other", uid=os.getuid() + 1))
    assert opened.page.changes.games.isVisible()
    assert len(texts(opened)) == 1
    assert texts(opened)[0].startswith("Set when it runs: ")
    tell(opened, replace(KEPT, runs=True))
    assert texts(opened)[0].startswith("On now, while it runs: ")


def test_what_was_taken_back_comes_again(open_page: MakePage) -> None:
    """Its game runs on without it: "set when it runs" stood there."""
    opened = open_page()
    tell(opened, KEPT)
    opened.scene.model.games.accept_game(SIM)
    opened.scene.helper.answered.emit("BeginForGame", None)
    tell(opened, replace(KEPT, runs=True))
    tell(opened, KEPT)
    assert texts(opened)[0].startswith("Taken back; set again at its next start: ")


def test_remove_keeps_it_no_more(open_page: MakePage) -> None:
    """By its number; what became of it is said."""
    opened = open_page()
    tell(opened, KEPT)
    opened.page.changes.games.removes[0].click()
    assert opened.scene.helper.asked[-1] == ("ForgetForGame", KEPT.id)
    opened.scene.helper.kept_for_games = ()
    opened.scene.helper.answered.emit("ForgetForGame", None)
    opened.scene.helper.state_taken.emit(opened.scene.helper.now)
    opened.settle()
    assert opened.page.changes.games.isHidden()
    shown = opened.page.banner.shown
    assert shown is not None
    assert shown.headline == "Nothing is kept for sim any more"


def test_what_could_not_be_set_says_why(open_page: MakePage) -> None:
    """A drive that is gone, in the row of its game."""
    opened = open_page()
    tell(opened, KEPT)
    opened.scene.model.games.accept_game(SIM)
    absent = HelperError("DeviceGone", Said("helper.absent.device"), id="a.b", device="sda")
    opened.scene.helper.failed.emit("BeginForGame", absent)
    opened.settle()
    assert texts(opened)[0].startswith("Not set: a.b on sda: ")


def test_a_damaged_file_is_told(open_page: MakePage) -> None:
    """There may have been something in it."""
    opened = open_page()
    tell(opened, trouble=Said("helper.game.damaged"))
    assert opened.page.changes.games.isVisible()
    assert "is damaged" in opened.page.changes.games.trouble.full_text


def test_what_is_set_now_lasts_while_the_game_runs(open_page: MakePage) -> None:
    """Its rows are to be taken back as those on trial; no banner counts down or asks."""
    opened = open_page()
    opened.give(four_changes, is_ours=True, game=SIM, set_id=KEPT.id)
    row = opened.page.changes.table.rows["vm.min_free_kbytes"]
    assert row.lasts.text == "While sim runs"
    assert opened.banner.isHidden()
    assert opened.window.sidebar.helper.accessibleName().endswith(" for sim")
    row.undo.click()
    assert opened.scene.helper.asked[-1] == ("Revert", None)
    opened.give(kept_changes)
    assert opened.banner.isHidden()


def test_a_long_name_of_a_game_is_cut_where_there_is_no_room(open_page: MakePage) -> None:
    """In the column of how long something lasts."""
    opened = open_page()
    opened.give(four_changes, is_ours=True, game=SIM._replace(name="A simulator of everything"))
    row = opened.page.changes.table.rows["vm.min_free_kbytes"]
    assert row.lasts.text == "While A simulator of… runs"
