# SPDX-License-Identifier: GPL-3.0-or-later
"""The list of all settings, with a scripted helper."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QBoxLayout,
    QLineEdit,
    QScrollArea,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from destutter.analysis.changes.tuning_state import GameProcess
from destutter.tuning.watermarks import zone_marks
from destutter.ui.changes.changes_page import ALL
from destutter.ui.changes.tunable_tree import NAME, NEW, RANGE, SET_BY
from destutter.ui.changes.tunables_view import TunablesView
from destutter_helper.api.payload import Change
from tests.gui.changes.changes_kit import MakePage
from tests.support import tuning_scenes

SIM = GameProcess(77, "4711", "X-Plane 12")


def _type(view: TunablesView, key: str, text: str) -> None:
    """By keys: edit, type over what is there, Enter."""
    view.select(key)
    QTest.keyClick(view.tree, Qt.Key.Key_F2)
    editor = view.tree.findChildren(QLineEdit)[-1]
    editor.selectAll()
    QTest.keyClicks(editor, text)
    QTest.keyClick(editor, Qt.Key.Key_Return)


def test_typed_value_is_checked_at_once_and_chosen(open_page: MakePage) -> None:
    """By keys: edit, type, Enter. In range it can be tried, out of range it says why."""
    opened = open_page()
    opened.page.choose_view(ALL)
    view = opened.page.tunables
    for value, is_fine in (("10", True), ("900", False)):
        _type(view, "vm.swappiness", value)
        opened.settle()
        assert view.tree.wish("vm.swappiness") == value
        assert view.try_out.isEnabled() == is_fine
    assert "0 to 200" in view.note.text()
    view.clear.click()
    assert view.tree.wish("vm.swappiness") == ""


def test_news_do_not_disturb_whoever_types(open_page: MakePage) -> None:
    """New values arrive during an edit: the editor stays, the value is taken."""
    opened = open_page()
    opened.page.choose_view(ALL)
    view = opened.page.tunables
    view.select("vm.swappiness")
    QTest.keyClick(view.tree, Qt.Key.Key_F2)
    editor = view.tree.findChildren(QLineEdit)[-1]
    opened.give(tuning_scenes.kept_changes)
    QTest.keyClicks(editor, "11")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    opened.settle()
    assert view.tree.wish("vm.swappiness") == "11"


def test_box_takes_the_advised_value_and_apply_asks_for_it(open_page: MakePage) -> None:
    """Space on a setting with advice: chosen with that value; Apply keeps it until the restart."""
    opened = open_page()
    opened.page.choose_view(ALL)
    view = opened.page.tunables
    view.select("vm.watermark_boost_factor")
    QTest.keyClick(view.tree, Qt.Key.Key_Space)
    assert view.tree.wishes() == (Change("vm.watermark_boost_factor", "0"),)
    view.apply.click()
    assert opened.scene.helper.asked[-1][0] == "BeginTrial"
    opened.scene.helper.trial_begun.emit(None)
    assert opened.scene.helper.asked[-1] == ("Keep", "restart")


@pytest.mark.parametrize(
    ("size", "hidden"),
    [((1024, 740), {RANGE, SET_BY}), ((1280, 800), {RANGE, SET_BY}), ((1920, 1080), set())],
)
def test_names_have_their_room(
    open_page: MakePage, size: tuple[int, int], hidden: set[int]
) -> None:
    """At 1280x800 five letters of each were left; what goes first stands in the details."""
    opened = open_page(size=size)
    opened.page.choose_view(ALL)
    opened.settle()
    tree = opened.page.tunables.tree
    assert {column for column in range(6) if tree.isColumnHidden(column)} == hidden
    assert tree.columnWidth(NAME) >= 310


def test_search_leaves_what_fits(open_page: MakePage) -> None:
    """Words of name, key and group; nothing else is shown."""
    opened = open_page()
    opened.page.choose_view(ALL)
    tree = opened.page.tunables.tree
    opened.page.tunables.search.setText("dirty ratio")
    assert not tree.item("vm.dirty_ratio").isHidden()
    assert tree.item("vm.swappiness").isHidden()


def test_settings_that_are_not_here_say_why(open_page: MakePage) -> None:
    """Listed at the end, without box and without editing, with the reason."""
    opened = open_page()
    opened.page.choose_view(ALL)
    view = opened.page.tunables
    item = view.tree.item("vm.zone_reclaim_mode")
    assert item.data(NAME, Qt.ItemDataRole.CheckStateRole) is None
    assert not item.flags() & Qt.ItemFlag.ItemIsEditable
    assert item.text(NAME).endswith("this kernel has no such setting")


def test_slider_moves_the_marks_and_the_wish(open_page: MakePage) -> None:
    """The bars are the kernel's arithmetic for the value that the slider stands at."""
    opened = open_page()
    opened.page.choose_view(ALL)
    view = opened.page.tunables
    view.select("vm.watermark_scale_factor")
    marks = view.detail.marks
    assert marks.isVisible()
    marks.sliders["vm.watermark_scale_factor"].setValue(300)
    opened.settle()
    factor = int(view.tree.wish("vm.watermark_scale_factor"))
    expected = zone_marks(tuning_scenes.PROFILE.managed, 67584, factor)
    assert marks.bars._new == expected
    assert "MB" in marks.lead.text() or "GB" in marks.lead.text()
    assert "Cost" in marks.cost.text()
    assert view.tree.item("vm.watermark_scale_factor").checkState(NAME) == Qt.CheckState.Checked


def test_what_is_kept_for_a_game_is_no_trial(open_page: MakePage) -> None:
    """ "A trial is running. Keep it or revert it first" was said of a kept set."""
    opened = open_page()
    opened.page.choose_view(ALL)
    game = GameProcess(77, "4711", "sim")
    opened.give(tuning_scenes.four_changes, is_ours=True, game=game, set_id="1" * 32)
    assert opened.page.tunables.note.text().startswith("What is kept for sim is set.")
    opened.give(tuning_scenes.four_changes, is_ours=True)
    assert opened.page.tunables.note.text().startswith("A trial is running.")


def test_a_new_value_is_told_as_the_present_one(open_page: MakePage) -> None:
    """As a share of memory, beside a share; what is asked for is the kernel's number."""
    opened = open_page()
    opened.page.choose_view(ALL)
    tree = opened.page.tunables.tree
    item = tree.item("vm.watermark_scale_factor")
    item.setText(NEW, "71")
    index = tree.indexFromItem(item, NEW)
    option = QStyleOptionViewItem()
    editor = tree.itemDelegate()
    assert isinstance(editor, QStyledItemDelegate)
    editor.initStyleOption(option, index)
    assert option.text == "0.71\N{NO-BREAK SPACE}%"
    assert tree.wish("vm.watermark_scale_factor") == "71"


def test_click_on_a_new_value_opens_the_editor(open_page: MakePage) -> None:
    """A choice is a list of what the kernel knows."""
    opened = open_page()
    opened.page.choose_view(ALL)
    view = opened.page.tunables
    view.select("thp.defrag")
    tree = view.tree
    rect = tree.visualItemRect(tree.item("thp.defrag"))
    at = QPoint(tree.columnViewportPosition(NEW) + 10, rect.center().y())
    QTest.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=at)
    opened.settle()
    assert tree.is_editing


def test_nothing_is_wider_than_a_small_window(open_page: MakePage) -> None:
    """1024 by 740: no page needs to scroll sideways."""
    opened = open_page(size=(1024, 740))
    opened.give(tuning_scenes.four_changes, is_ours=True)
    for view in ("changed", ALL):
        opened.page.choose_view(view)
        opened.settle()
        for scroll in opened.window.findChildren(QScrollArea):
            if scroll.widget() is opened.page:
                assert scroll.horizontalScrollBar().maximum() == 0


def test_beside_a_game_a_trial_lasts_as_long_as_that(open_page: MakePage) -> None:
    """A minute proves nothing of a stutter every five; the same button as on Causes, and blue."""
    opened = open_page()
    opened.page.choose_view(ALL)
    view, model = opened.page.tunables, opened.scene.model
    view.tree.set_wish("vm.swappiness", "10")
    assert view.try_out.text() == "Try for 60 seconds"
    assert view.apply.property("role") == "suggested"
    model.accept_game(SIM)
    opened.settle()
    assert view.try_out.text() == "Try for this game"
    assert (view.try_out.property("role"), view.apply.property("role")) == ("suggested", "")
    assert "both need 8 minutes" in view.note.text().replace("\N{NO-BREAK SPACE}", " ")
    view.try_out.click()
    helper = opened.scene.helper
    helper.give_state(tuning_scenes.four_changes()[0], is_ours=True)
    helper.trial_begun.emit(helper.trial)
    assert helper.asked[-1] == ("Bind", SIM)


def test_a_value_is_typed_as_the_page_writes_it(open_page: MakePage) -> None:
    """ "512 MB" was "not a whole number", beside a range that is written so."""
    opened = open_page()
    opened.page.choose_view(ALL)
    view = opened.page.tunables
    _type(view, "vm.min_free_kbytes", "512 MB")
    opened.settle()
    assert view.tree.wish("vm.min_free_kbytes") == "524288"
    assert view.try_out.isEnabled()


def test_beside_a_panel_the_details_stand_below_the_list(open_page: MakePage) -> None:
    """Names of one word a line were left beside both; and it stays so, and goes with the panel."""
    opened = open_page(size=(1280, 800))
    opened.page.choose_view(ALL)
    view = opened.page.tunables
    opened.settle()
    beside, below = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
    assert view._body.direction() == beside
    opened.page._explain_helper()
    seen = set()
    for _ in range(5):
        opened.settle()
        seen.add(view._body.direction())
    assert seen == {below}
    assert view.tree.columnWidth(NAME) > 200
    opened.page.panel.close_panel()
    opened.settle()
    assert view._body.direction() == beside
