# SPDX-License-Identifier: GPL-3.0-or-later
"""Lanes are chosen and ordered in the panel, by mouse and by keys, and the choice is kept."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from destutter.bridge.kept_settings import KeptSettings
from destutter.settings import Places, Settings, load_settings
from destutter.ui.controls.tick_rows import BELOW
from destutter.ui.pages.page_sources import PageSources
from destutter.ui.plots.lane_choice import USUAL
from destutter.ui.plots.lane_models import FrameLane
from tests.gui.live_window import make_live, settle, snapshots_of
from tests.support.window_kit import make_theme, make_window

__all__ = ["make_live"]

USUAL_TITLES = [
    "Frame time",
    "Drive delay",
    "Waiting for free memory",
    "Time spent waiting",
    "Unwritten data",
]
TICKED, EMPTY = Qt.CheckState.Checked, Qt.CheckState.Unchecked


def open_lanes(live):
    """The view of the choice, opened as a user does."""
    live.card.time_row.lanes.click()
    return live.panel.content


def items_of(view):
    return {
        item.data(Qt.ItemDataRole.UserRole): item
        for item in map(view.list.item, range(view.list.count()))
    }


def titles(qapp, live):
    """The titles of the lanes, once they are painted."""
    for _ in range(4):
        settle(qapp)
    return [row.title for row in live.card.rows]


def test_the_usual_lanes_are_there_without_a_choice(make_live, qapp):
    """And the list has them first, ticked, in their order."""
    live = make_live().live
    assert titles(qapp, live) == USUAL_TITLES
    view = open_lanes(live)
    assert view.lanes == USUAL
    assert list(items_of(view))[:5] == list(USUAL)


def test_a_lane_that_is_ticked_is_shown_at_once(make_live, qapp):
    """With what is known of the past; one that is not ticked any more is gone."""
    live = make_live().live
    view = open_lanes(live)
    items_of(view)["cpu"].setCheckState(TICKED)
    items_of(view)["frames"].setCheckState(EMPTY)
    assert titles(qapp, live) == [*USUAL_TITLES[1:], "Processor load"]
    row = live.card.rows[-1]
    assert row.gutter.text.startswith("all cores")
    assert row.lane.points()[0][0].size
    assert live.lanes.choice == "drives reclaim pressure dirty cpu"


def test_the_lane_of_a_drive_has_its_reads_and_writes(make_live, qapp):
    """Each drive that answered can have a lane of its own."""
    live = make_live("many_disks").live
    view = open_lanes(live)
    items_of(view)["drive:sdb"].setCheckState(TICKED)
    assert titles(qapp, live)[-1] == "Drive sdb"
    assert live.card.rows[-1].gutter.text.startswith("reads")


def test_keys_order_the_lanes(make_live, qapp, qtbot):
    """Alt with an arrow moves the present row; the buttons do the same."""
    live = make_live().live
    view = open_lanes(live)
    view.list.setCurrentRow(4)
    for _ in range(4):
        qtbot.keyClick(view.list, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert titles(qapp, live) == ["Unwritten data", *USUAL_TITLES[:4]]
    assert view.list.currentRow() == 0
    assert not view.up.isEnabled()
    view.down.click()
    assert titles(qapp, live)[:2] == ["Frame time", "Unwritten data"]


def test_space_and_the_box_tick_a_row(make_live, qtbot):
    """A click beside the box only chooses the row."""
    live = make_live().live
    view = open_lanes(live)
    item = items_of(view)["reclaim"]
    view.list.setCurrentItem(item)
    qtbot.keyClick(view.list, Qt.Key.Key_Space)
    assert item.checkState() is EMPTY
    place = view.list.visualItemRect(item)
    box = QPoint(place.left() + 18, place.center().y())
    QTest.mouseClick(view.list.viewport(), Qt.MouseButton.LeftButton, pos=box)
    assert item.checkState() is TICKED
    QTest.mouseClick(view.list.viewport(), Qt.MouseButton.LeftButton, pos=place.center())
    assert item.checkState() is TICKED


def test_the_last_lane_stays(make_live, qapp):
    """Something has to be shown, and that is said."""
    live = make_live().live
    view = open_lanes(live)
    for lane in USUAL[1:]:
        items_of(view)[lane].setCheckState(EMPTY)
    items_of(view)["frames"].setCheckState(EMPTY)
    assert view.lanes == ("frames",)
    assert "last one" in view.hint.text()
    assert titles(qapp, live) == ["Frame time"]


def test_reset_brings_the_usual_lanes_back(make_live, qapp):
    """In the graphs and in the list."""
    live = make_live().live
    view = open_lanes(live)
    items_of(view)["gpu"].setCheckState(TICKED)
    view.list.setCurrentRow(0)
    view.move_row(1)
    view.reset.click()
    assert titles(qapp, live) == USUAL_TITLES
    assert view.lanes == USUAL
    assert live.lanes.choice == ""


@pytest.mark.parametrize(
    ("scene", "lane", "why"),
    [
        ("stuttering", "clock", "Not measured here so far."),
        ("virtual_machine", "gpu", "No reading of it came"),
        ("virtual_machine", "power", "No power sensors in this virtual machine."),
    ],
)
def test_what_cannot_be_measured_is_grey_with_its_reason(make_live, scene, lane, why):
    """It stands at the end, and cannot be ticked."""
    view = open_lanes(make_live(scene).live)
    item = items_of(view)[lane]
    assert not item.flags() & Qt.ItemFlag.ItemIsEnabled
    assert item.data(BELOW).startswith(why)
    assert item.data(BELOW) in item.text()
    enabled = [bool(each.flags() & Qt.ItemFlag.ItemIsEnabled) for each in items_of(view).values()]
    assert enabled == sorted(enabled, reverse=True)


def test_what_is_measured_later_can_be_chosen_then(make_live):
    """The open list follows."""
    window = make_live(None)
    live = window.live
    first, *others = snapshots_of("stuttering")
    window.show_snapshot(replace(first, metrics=()))
    view = open_lanes(live)
    is_enabled = [bool(items_of(view)["gpu"].flags() & Qt.ItemFlag.ItemIsEnabled)]
    for snapshot in others[:20]:
        window.show_snapshot(snapshot)
    is_enabled.append(bool(items_of(view)["gpu"].flags() & Qt.ItemFlag.ItemIsEnabled))
    assert is_enabled == [False, True]


def test_a_lane_that_is_missing_here_can_be_taken_away(make_live, qapp):
    """Pressure on a kernel without it: its row says so, and need not stay."""
    live = make_live("no_pressure").live
    view = open_lanes(live)
    item = items_of(view)["pressure"]
    assert item.flags() & Qt.ItemFlag.ItemIsEnabled
    assert "pressure" in item.data(BELOW)
    item.setCheckState(EMPTY)
    assert "Time spent waiting" not in titles(qapp, live)


def test_a_lane_that_comes_back_says_again_what_is_missing(make_live, qapp):
    """Without waiting for the next measurement, which a recording at its end has not."""
    live = make_live("no_pressure").live
    view = open_lanes(live)
    items_of(view)["pressure"].setCheckState(EMPTY)
    items_of(view)["pressure"].setCheckState(TICKED)
    titles(qapp, live)
    assert [row.is_missing for row in live.card.rows].count(True) == 1


def test_the_choice_is_kept_and_comes_back(qapp, qtbot, tmp_path):
    """In the settings; the next window opens with it."""
    kept = KeptSettings(Places(tmp_path, tmp_path), Settings())
    made = []
    for expected in (USUAL, (*USUAL, "gpu")):
        window = make_window(make_theme(qapp), watches_computer=True)
        made.append(window)
        window.offer_sources(PageSources(settings=kept))
        window.show()
        qtbot.waitUntil(lambda window=window: window.is_drawn)
        window.live.prepare_graphs()
        view = open_lanes(window.live)
        assert view.lanes == expected
        for snapshot in snapshots_of("stuttering"):
            window.show_snapshot(snapshot)
        items_of(view)["gpu"].setCheckState(TICKED)
        kept = KeptSettings(kept.places, load_settings(kept.places.settings_file))
    assert kept.value.lanes.split() == [*USUAL, "gpu"]
    for window in made:
        window.close()
        window.deleteLater()
    settle(qapp)


def test_measurements_of_another_time_have_the_chosen_lanes(make_live, qapp):
    """A recording that is opened shows what was chosen."""
    window = make_live()
    items_of(open_lanes(window.live))["gpu"].setCheckState(TICKED)
    window.begin_anew()
    for snapshot in snapshots_of("stuttering"):
        window.show_snapshot(snapshot)
    assert titles(qapp, window.live)[-1] == "Graphics card load"
    assert window.live.card.rows[-1].gutter.text.startswith("0 Scripted card")


def test_tab_passes_the_lanes_from_top_to_bottom(make_live, qapp):
    """Also after they have changed places."""
    live = make_live().live
    view = open_lanes(live)
    items_of(view)["gpu"].setCheckState(TICKED)
    view.list.setCurrentRow(0)
    view.move_row(1)
    titles(qapp, live)
    card = live.card
    stops: list[QWidget] = []
    at = card.strip_row.list_button
    wanted = [row.lane for row in card.rows] + [card.time_row.lanes]
    while len(stops) < len(wanted):
        at = at.nextInFocusChain()
        if at in wanted:
            stops.append(at)
    assert stops == wanted


def test_one_cursor_reads_chosen_lanes_too(make_live, qtbot, qapp):
    """What is read once a second has a value at every moment."""
    live = make_live().live
    view = open_lanes(live)
    for lane in ("cpu", "gpu", "swapping"):
        items_of(view)[lane].setCheckState(TICKED)
    live.panel.close_panel()
    titles(qapp, live)
    lane = live.card.rows[0].lane
    for share in (0.61, 0.7043, 0.9):
        at = QPoint(round(lane.plot.left() + share * lane.columns), 20)
        before = live.card.time_row.axis.flag
        QTest.mouseMove(lane, at)
        qtbot.waitUntil(lambda before=before: live.card.time_row.axis.flag != before)
        assert [row.gutter.text.count("–") for row in live.card.rows[5:]] == [0, 0, 0]


def test_the_first_lane_may_be_any(make_live, qapp):
    """Time, stutters and cross-hair do not need the frame times at the top."""
    live = make_live().live
    view = open_lanes(live)
    items_of(view)["frames"].setCheckState(EMPTY)
    titles(qapp, live)
    assert not any(isinstance(row.model, FrameLane) for row in live.card.rows)
    assert len(live.card.strip_row.strip.clusters) > 0
    lane = live.card.rows[0].lane
    assert abs(lane.x_of(live.card.view.left_s) - lane.plot.left()) < 2
