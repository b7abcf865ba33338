# SPDX-License-Identifier: GPL-3.0-or-later
"""The page of changes and its banner, with a scripted helper."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeDatabase, QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from destutter.analysis.changes.tuning_state import GameProcess
from destutter.bridge.helper_client import Availability, HelperStatus
from destutter.core.statement import Statement
from destutter.ui.changes.changes_page import ALL, CHANGED
from destutter.ui.changes.changes_view import INSTALL
from destutter.ui.changes.tunable_tree import NOW
from destutter.ui.controls.elided import ElidedLabel
from destutter.ui.pages.outcome_banners import DISMISS
from destutter.ui.pages.said_alike import trial_needs
from destutter.ui.shell import main_window
from destutter_helper.api.names import HELPER_VERSION, HelperError
from destutter_helper.api.payload import Change, Results, UndoRequest
from destutter_helper.api.statement import Said, told
from tests.gui.changes.changes_kit import MakePage
from tests.support import tuning_scenes

# A file dialog opens the list of file types, and Qt keeps it open until the process ends.
QMimeDatabase().mimeTypeForName("inode/directory")


# --- the banner of a trial -----------------------------------------------------------------------


def test_trial_stands_above_every_page_with_the_helpers_seconds(open_page: MakePage) -> None:
    """It counts what the helper says, on the page of changes and on every other one."""
    opened = open_page()
    assert not opened.banner.isVisible()
    opened.give(tuning_scenes.four_changes, is_ours=True)
    for page in ("changes", "live", "settings"):
        opened.window.show_page(page)
        opened.settle()
        assert opened.banner.isVisible()
    assert "Reverting in" in opened.banner.headline.full_text
    assert any(
        f"{left}\N{NO-BREAK SPACE}s" in opened.banner.headline.full_text for left in (46, 47)
    )


def test_buttons_of_the_banner_ask_the_helper(open_page: MakePage) -> None:
    """Longer, revert, keep: one request each, and none while one is under way."""
    opened = open_page()
    opened.give(tuning_scenes.four_changes, is_ours=True)
    opened.banner.longer.click()
    assert opened.scene.helper.asked == [("Extend", 60)]
    assert not opened.banner.keep.isEnabled()
    opened.scene.helper.answered.emit("Extend", 60)
    opened.scene.helper.state_taken.emit(opened.scene.helper.now)
    opened.banner.keep.click()
    assert opened.scene.helper.asked[-1] == ("Keep", "restart")
    opened.scene.helper.failed.emit("Keep", HelperError("Dismissed", "closed"))
    opened.banner.revert.click()
    assert [method for method, _ in opened.scene.helper.asked] == ["Extend", "Keep", "Revert"]


def test_a_trial_for_a_game_has_no_countdown_and_two_answers(open_page: MakePage) -> None:
    """It names the game; it can be stopped, or kept for every start, and not until the restart."""
    opened = open_page()
    opened.give(tuning_scenes.four_changes, is_ours=True, game=GameProcess(7, "11", "Sim 12"))
    assert opened.banner.isVisible()
    assert opened.banner.headline.full_text.endswith(" on trial for as long as Sim 12 runs")
    assert opened.banner.detail.text().startswith(trial_needs())
    assert "when Sim 12 or Destutter ends" in opened.banner.detail.text()
    shown = [each for each in opened.banner.stops if each.isVisible()]
    assert shown == [opened.banner.revert, opened.banner.always]
    assert opened.banner.revert.text() == "Stop the trial"
    opened.banner.revert.click()
    assert opened.scene.helper.asked[-1] == ("Revert", None)
    opened.scene.helper.failed.emit("Revert", HelperError("Busy", "later"))
    opened.give(tuning_scenes.four_changes, is_ours=True)
    assert "Reverting in" in opened.banner.headline.full_text
    assert opened.banner.longer.isVisible()


def test_only_a_high_risk_is_confirmed_and_only_for_every_start(open_page: MakePage) -> None:
    """A large reserve asks once more in its place; an ordinary value does not."""
    opened = open_page()
    opened.give(tuning_scenes.four_changes, is_ours=True)
    opened.banner.always.click()
    assert opened.scene.helper.asked == [("Keep", "always")]
    opened.scene.helper.failed.emit("Keep", HelperError("Dismissed", "closed"))
    state, given = tuning_scenes.four_changes()
    risky = replace(state.changed[0], value="1048576")
    opened.scene.give(replace(state, changed=(risky, *state.changed[1:])), given, is_ours=True)
    opened.banner.always.click()
    assert opened.banner._is_confirming
    assert len(opened.scene.helper.asked) == 1
    opened.banner.revert.click()  # "Go back"
    assert not opened.banner._is_confirming
    opened.banner.always.click()
    opened.banner.always.click()
    assert opened.scene.helper.asked[-1] == ("Keep", "always")


def test_trial_of_another_program_can_only_be_taken_back(open_page: MakePage) -> None:
    """Begun elsewhere: no keep, no longer; revert asks by an undo of nothing else."""
    opened = open_page()
    opened.give(tuning_scenes.four_changes)
    banner = opened.banner
    assert [each.isVisible() for each in (banner.longer, banner.always, banner.keep)] == [
        False
    ] * 3
    banner.revert.click()
    assert opened.scene.helper.asked == [("Undo", UndoRequest(()))]


def test_screen_readers_hear_start_last_seconds_and_end(open_page: MakePage) -> None:
    """Announced: the trial, twenty seconds before its end, and that it ended."""
    opened = open_page()
    heard: list[str] = []
    opened.banner.announced.connect(heard.append)
    opened.give(tuning_scenes.four_changes, is_ours=True)
    assert len(heard) == 1
    assert "on trial" in heard[0]
    state, given = tuning_scenes.four_changes()
    opened.scene.give(replace(state, seconds_left=12), given, is_ours=True)
    opened.banner._show_time()
    assert "Reverting in" in heard[-1]


def test_screen_readers_hear_how_a_request_ended(
    open_page: MakePage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Kept, and refused with its reason; a closed dialog is silent."""
    said: list[str] = []
    monkeypatch.setattr(main_window, "announce", lambda _window, text: said.append(text))
    opened = open_page()
    opened.give(tuning_scenes.four_changes, is_ours=True)
    said.clear()
    opened.banner.keep.click()
    opened.scene.helper.finish("Keep")
    assert len(said) == 1
    assert "kept until the restart" in said[0]
    opened.banner.always.click()
    opened.scene.helper.failed.emit("Keep", HelperError("Dismissed", "closed"))
    assert len(said) == 1
    opened.banner.keep.click()
    opened.scene.helper.failed.emit("Keep", HelperError("Refused", "no room"))
    assert "no room" in said[-1]


# --- what was changed ----------------------------------------------------------------------------


def test_rows_tell_setting_values_who_when_and_how_long(open_page: MakePage) -> None:
    """Plain name and kernel's name, original and now, the user, and the chip."""
    opened = open_page()
    opened.give(tuning_scenes.four_changes, is_ours=True)
    rows = opened.page.changes.table.rows
    assert len(rows) == 4
    row = rows["block.scheduler@nvme0n1"]
    assert row.key.full_text == "nvme0n1 · queue/scheduler"
    assert (row.origin.full_text, row.value.full_text) == ("none", "kyber")
    assert row.lasts.text == "Every start"
    assert row.when.full_text
    assert rows["vm.min_free_kbytes"].lasts.text.startswith("Trial, ")
    assert rows["vm.dirty_background_bytes"].origin.full_text.endswith("of memory")


def test_there_is_nothing_to_redo_of_what_comes_again_by_itself(open_page: MakePage) -> None:
    """What was kept for the game that runs: the button did nothing, twice."""
    opened = open_page()
    state, given = tuning_scenes.four_changes()
    on_trial = tuple(each for each in state.changed if each.until == "trial")
    opened.give(lambda: (replace(state, changed=on_trial), given), is_ours=True)
    opened.page.undo_all.click()
    opened.scene.helper.finish("Undo", replace(on_trial[0], outcome="restored"))
    opened.settle()
    shown = opened.page.banner.shown
    assert shown is not None
    assert shown.headline.startswith("Undid")
    assert [each.id for each in shown.actions] == [DISMISS]


def test_undo_of_one_row_names_it_alone(open_page: MakePage) -> None:
    """One setting goes back; afterwards the page offers to redo it for ten seconds."""
    opened = open_page()
    opened.give(tuning_scenes.kept_changes)
    opened.page.changes.table.rows["block.scheduler@nvme0n1"].undo.click()
    request = UndoRequest(("block.scheduler@nvme0n1",))
    assert opened.scene.helper.asked == [("Undo", request)]
    done = tuning_scenes.result("block.scheduler@nvme0n1", "none", "none", "", "restored")
    opened.scene.helper.finish("Undo", done)
    opened.settle()
    assert opened.page.banner.isVisible()
    assert opened.page._fade.isActive()
    assert opened.page._fade.interval() == 10_000
    opened.page.banner.buttons[0].click()
    change = Change("block.scheduler", "kyber", "nvme0n1")
    assert opened.scene.helper.asked[-1] == ("BeginTrial", ((change,), 60))


def test_what_the_kernel_refused_is_told_on_its_row(open_page: MakePage) -> None:
    """An undo that failed for one setting: the banner has the report, the row the reason."""
    opened = open_page()
    opened.give(tuning_scenes.kept_changes)
    key = "block.scheduler@nvme0n1"
    row = opened.page.changes.table.rows[key]
    row.undo.click()
    failed = tuning_scenes.failed(key, "none", "kyber", told("no room"))
    opened.scene.helper.finish("Undo", failed)
    opened.settle()
    assert key in opened.page.banner.detail.full_text
    assert row.note.isVisible()
    assert row.note.full_text == "Not changed: no room"
    assert not row.keep_theirs.isVisible()
    opened.page.banner.buttons[1].click()
    assert f"result: {key} failed" in QGuiApplication.clipboard().text()
    opened.page.banner.cross.click()
    opened.settle()
    assert [each.isVisible() for each in (opened.page.banner, row.note)] == [False, False]


def test_drift_offers_theirs_or_mine_and_no_plain_undo(open_page: MakePage) -> None:
    """Keep theirs names it twice for the helper, which first has to see the conflict."""
    opened = open_page()
    opened.give(tuning_scenes.drifted)
    row = opened.page.changes.table.rows["vm.watermark_scale_factor"]
    assert row.drift.isVisible()
    assert not row.undo.isEnabled()
    assert (row.keep_theirs.text(), row.restore.text()) == (
        "Keep 0.6\u00a0%",
        "Restore 0.1\u00a0%",
    )
    row.restore.click()
    request = opened.scene.helper.asked[-1][1]
    assert request.force == ("vm.watermark_scale_factor",)
    opened.scene.helper.failed.emit("Undo", HelperError("Dismissed", "closed"))
    row.keep_theirs.click()
    request = opened.scene.helper.asked[-1][1]
    assert request.accept == request.ids == ("vm.watermark_scale_factor",)
    opened.scene.helper.finish("Undo")
    assert opened.scene.helper.asked[-1][1] == UndoRequest((), (), ("vm.watermark_scale_factor",))


def test_values_of_others_are_listed_with_their_file(open_page: MakePage) -> None:
    """What somebody chose is left alone; Details leads to it in the list of all settings."""
    opened = open_page()
    card = opened.page.changes.left_alone
    assert card.isVisible()
    card.details_clicked.emit("vm.swappiness")
    assert opened.page.views.choice == ALL
    assert "vm.swappiness" in opened.page.tunables.detail.key.full_text


def test_heads_stand_above_their_columns(open_page: MakePage) -> None:
    """Also the last ones, which every pixel too much on the way moves further."""
    opened = open_page()
    opened.give(tuning_scenes.kept_changes)
    table = opened.page.changes.table
    row = table.rows["vm.min_free_kbytes"]
    heads = {
        each.full_text: each.mapTo(table, QPoint()).x()
        for each in table.findChildren(ElidedLabel)[:4]
    }
    for head, cell in zip(heads.values(), (row.name, row.origin, row.who, row.lasts), strict=True):
        assert abs(head - cell.mapTo(table, QPoint()).x()) <= 1


def test_what_stands_open_of_the_helper_follows_it(open_page: MakePage) -> None:
    """It was told how to install it, and does so in a terminal beside the window."""
    opened = open_page(Availability.ABSENT, Statement("bridge.helper.absent"))
    opened.page.changes.asked.emit(INSTALL)
    before = opened.page.panel.content
    opened.window.show_helper(HelperStatus(Availability.READY, version=HELPER_VERSION, place="/x"))
    assert opened.page.panel.content is not before
    assert not opened.page.panel.isHidden()


def test_escape_closes_the_panel_and_ends_a_search(open_page: MakePage) -> None:
    """Wherever the focus is, one at a time."""
    opened = open_page(Availability.ABSENT)
    placeholder = opened.page.changes.placeholder
    assert placeholder is not None
    button = placeholder.buttons["install"]
    button.click()
    assert opened.page.panel.isVisible()
    QTest.keyClick(button, Qt.Key.Key_Escape)
    assert not opened.page.panel.isVisible()
    opened.page.choose_view(ALL)
    search = opened.page.tunables.search
    search.setText("dirty")
    QTest.keyClick(search, Qt.Key.Key_Escape)
    assert not search.text()


def test_what_was_changed_is_no_higher_than_its_rows(open_page: MakePage) -> None:
    """Two changes scrolled over the height of all settings, and lay below the banner."""
    opened = open_page()
    opened.give(tuning_scenes.four_changes)
    page = opened.page
    page.choose_view(ALL)
    opened.settle()
    page.choose_view(CHANGED)
    opened.settle()
    assert not page.tunables.isVisible()
    assert page.changes.isVisible()
    page.tunables.setMinimumHeight(5000)
    opened.settle()
    assert page.minimumSizeHint().height() < 5000


def test_value_that_is_not_in_force_is_no_value(open_page: MakePage) -> None:
    """Of a share and its twin in bytes only one counts; the kernel says 0 for the other."""
    opened = open_page()
    opened.give(tuning_scenes.kept_changes)
    opened.page.choose_view(ALL)
    tree = opened.page.tunables.tree
    assert tree.item("vm.dirty_background_ratio").text(NOW) == "not in force"
    assert tree.item("vm.dirty_background_bytes").text(NOW) == "256\N{NO-BREAK SPACE}MB"


def test_history_is_a_line_and_a_list(open_page: MakePage) -> None:
    """Closed at first; opened it has one line per event, the newest first."""
    opened = open_page()
    opened.give(tuning_scenes.kept_changes)
    card = opened.page.changes.history
    assert not card.list.isVisible()
    card.toggle.click()
    assert card.list.topLevelItemCount() == 6
    first = card.list.topLevelItem(0)
    assert first is not None
    assert first.text(1) == "on trial"


def test_a_history_that_cannot_be_read_is_told_and_not_taken_for_none(open_page: MakePage) -> None:
    """The line says why, there is no list to open; what can be read again takes its place."""
    opened = open_page()
    opened.give(tuning_scenes.kept_changes)
    card = opened.page.changes.history
    why = Said("helper.history.unreadable", {"error": "Input/output error"})
    opened.scene.helper.failed.emit("GetReport", HelperError("JournalUnavailable", why))
    assert card.isVisible()
    assert card.line.full_text == "The history cannot be read: Input/output error."
    assert not card.toggle.isVisible()
    opened.give(tuning_scenes.kept_changes)
    assert card.toggle.isVisible()
    assert "cannot be read" not in card.line.full_text


@pytest.mark.parametrize("availability", list(Availability))
def test_every_state_of_the_helper_has_its_words_and_a_way_on(
    open_page: MakePage, availability: Availability
) -> None:
    """Absent, broken, too old, no bus, ready, unknown: a heading and a button, no empty page."""
    opened = open_page(availability, Statement("core.told", {"text": "The reason."}))
    place = opened.page.changes.placeholder
    assert place is not None
    assert place.isVisible()
    assert "all-settings" in place.buttons
    place.buttons["all-settings"].click()
    assert opened.page.tunables.isVisible()
    assert opened.page.tunables.apply.isVisible() == (availability is Availability.READY)


def test_lost_journal_is_no_clean_slate(open_page: MakePage) -> None:
    """What was changed is not known then; the helper can be told to forget it and goes on."""
    opened = open_page()
    damaged = replace(
        tuning_scenes.IDLE, state="read-only", notices=(told("the journal was damaged: what"),)
    )
    opened.give(lambda: (damaged, tuning_scenes.reading()))
    place = opened.page.changes.placeholder
    assert place is not None
    assert opened.page.banner.detail.full_text == "The journal was damaged: what."
    texts = [label.text() for label in place.findChildren(QLabel)]
    assert "What was changed is not known" in texts
    next(iter(place.buttons.values())).click()
    assert opened.scene.helper.asked[-1] == ("Undo", UndoRequest())
    opened.scene.helper.now = tuning_scenes.IDLE
    opened.scene.helper.finish("Undo")
    opened.give(lambda: (tuning_scenes.IDLE, tuning_scenes.reading()))
    assert opened.page.banner.headline.full_text == "Nothing is left to undo"


def test_denial_offers_the_commands(open_page: MakePage) -> None:
    """Not changed: what was wished for is in the clipboard after one click."""
    opened = open_page()
    opened.page.choose_view(ALL)
    opened.page.tunables.tree.set_wish("vm.swappiness", "10")
    opened.page.tunables.try_out.click()
    assert opened.scene.model.busy == "asking"
    assert not opened.page.tunables.apply.isEnabled()
    error = HelperError("NotAuthorized", "this user may not do this")
    opened.scene.helper.failed.emit("BeginTrial", error)
    opened.settle()
    opened.page.banner.buttons[0].click()
    assert QGuiApplication.clipboard().text() == "sudo sysctl -w vm.swappiness=10"
    assert opened.page.tunables.tree.wish("vm.swappiness") == "10"


def test_closed_dialog_says_nothing(open_page: MakePage) -> None:
    """Cancelled: the buttons are back, no banner."""
    opened = open_page()
    opened.page.choose_view(ALL)
    opened.page.tunables.tree.set_wish("vm.swappiness", "10")
    opened.page.tunables.try_out.click()
    opened.scene.helper.failed.emit("BeginTrial", HelperError("Dismissed", "closed"))
    opened.settle()
    assert not opened.page.banner.isVisible()
    assert opened.page.tunables.apply.isEnabled()


def test_waiting_for_a_password_can_be_given_up(open_page: MakePage) -> None:
    """Stop waiting: the buttons are back; a password typed after all is answered by a revert."""
    opened = open_page()
    opened.page.choose_view(ALL)
    view = opened.page.tunables
    view.tree.set_wish("vm.swappiness", "10")
    view.try_out.click()
    assert view.clear.text() == "Stop waiting"
    assert "password" in view.note.text()
    view.clear.click()
    assert view.apply.isEnabled()
    opened.scene.helper.trial_begun.emit(None)
    assert opened.scene.helper.asked[-1][0] == "Revert"


def test_value_that_came_back_is_told(open_page: MakePage) -> None:
    """Another program took our old value for the original: which one."""
    opened = open_page()
    back = tuning_scenes.result("vm.swappiness", "60", "10", "", "resurrected")
    opened.scene.helper.answered.emit("Verify", Results((back,)))
    opened.settle()
    assert "vm.swappiness" in opened.page.banner.detail.full_text
    opened.page.banner.buttons[0].click()
    opened.settle()
    assert not opened.page.banner.isVisible()


def test_export_writes_script_and_files_into_the_folder(
    open_page: MakePage, tmp_path: Path
) -> None:
    """Both kinds; a folder that cannot be written is told on the page."""
    opened = open_page()
    opened.give(tuning_scenes.kept_changes)
    button = opened.page.export
    button._kind = "script"
    button.write_into(str(tmp_path))
    assert "vm/swappiness" not in (tmp_path / "destutter-settings.sh").read_text()
    assert (tmp_path / "destutter-settings.sh").stat().st_mode & 0o111
    button._kind = "files"
    button.write_into(str(tmp_path))
    assert {path.name for path in tmp_path.iterdir()} == {
        "destutter-settings.sh",
        "99-zz-destutter.conf",
        "99-zz-destutter.rules",
    }
    opened.settle()
    assert "written" in opened.page.banner.headline.full_text
    button.write_into(str(tmp_path / "nowhere"))
    opened.settle()
    assert opened.page.banner.headline.full_text == "Nothing was written"


def test_folder_is_asked_for_in_a_dialog_of_the_window(
    open_page: MakePage, tmp_path: Path
) -> None:
    """Export asks where; the folder that is chosen gets the files, and nothing blocks."""
    opened = open_page()
    opened.give(tuning_scenes.kept_changes)
    opened.page.export.ask_for_files()
    dialog = opened.page.export.dialog
    assert dialog is not None
    assert dialog.isVisible()
    dialog.fileSelected.emit(str(tmp_path))
    dialog.close()
    opened.settle()
    assert (tmp_path / "99-zz-destutter.conf").exists()
    assert not (tmp_path / "destutter-settings.sh").exists()


def test_key_takes_the_last_change_back(open_page: MakePage) -> None:
    """Ctrl+Z on another page: what was kept together last."""
    opened = open_page()
    opened.give(tuning_scenes.kept_changes)
    opened.window.show_page("settings")
    opened.window.activateWindow()
    opened.settle()
    QTest.keyClick(opened.window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    opened.settle()
    assert opened.scene.helper.asked == [("Undo", UndoRequest(("vm.dirty_background_bytes",)))]
