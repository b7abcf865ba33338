# SPDX-License-Identifier: GPL-3.0-or-later
"""Each state of the live page says what it should."""

from dataclasses import replace
from itertools import product

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QPushButton

from destutter.core.statement import Statement, told
from destutter.diagnosis.finding import Group, Spike, TileState
from destutter.ui.controls.column_rows import PARTS
from destutter.ui.controls.signs import state_name
from destutter.ui.help.advice_view import CommandRow
from destutter.ui.help.frames_view import FramesView
from destutter.ui.live.tile import Tile
from destutter.ui.live.tile_row import TileRow
from destutter.ui.pages.feed_state import FeedKind, FeedState, RecordingState
from destutter.words.catalogue import texts
from tests.gui.live_window import NARROW, make_live, settle, snapshots_of
from tests.support.flatpak_sandbox import sandbox_this_process
from tests.support.installed_games import wait_for_games
from tests.support.sampled import sampled
from tests.support.window_kit import SEEN, make_theme

__all__ = ["make_live"]


def test_stutter_names_the_cause_and_offers_it(make_live):
    """The banner says how many stutters there were and why, and opens the cause."""
    window = make_live("stuttering")
    live = window.live
    assert "3 stutters" in live.banner.headline.full_text
    assert "memory" in live.banner.headline.full_text
    assert live.tiles.tile(Group.MEMORY).state is TileState.LIKELY
    (button,) = live.banner.buttons
    button.click()
    assert window.page == "causes"
    assert window.causes.detail.title.full_text == "Waiting for free memory"


def test_only_the_last_moment_before_the_page_is_put_into_words(make_live, monkeypatch):
    """A page that is made late takes in what came before; nobody could read words of that."""
    told = []
    show = TileRow.show_assessment

    def note(row, assessment):
        told.append(assessment)
        show(row, assessment)

    monkeypatch.setattr(TileRow, "show_assessment", note)
    live = make_live("stuttering").live
    earlier = {id(each.assessment) for each in snapshots_of("stuttering")[: -SEEN - 1]}
    assert told
    assert not [each for each in told if id(each) in earlier]
    assert "3 stutters" in live.banner.headline.full_text


def test_smooth_offers_a_baseline(make_live, qtbot):
    """Without stutters the banner is green and offers to record a baseline."""
    window = make_live("smooth")
    shown = window.live.banner.shown
    assert shown is not None
    assert shown.kind == "ok"
    with qtbot.waitSignal(window.record_requested):
        window.live.banner.buttons[0].click()


def test_without_a_game_nobody_is_accused(make_live):
    """Grey and in words, with the cause one click away; no tile says that it made stutter."""
    window = make_live("whole_computer")
    live = window.live
    shown = live.banner.shown
    assert shown.kind == "info"
    assert shown.headline.startswith("No game is measured. The computer itself had 2 hiccups in")
    tile = live.tiles.tile(Group.MEMORY)
    assert tile.state is TileState.NOTED
    assert tile.chip.text == "Noticed"
    assert "stutter" not in tile.reason.text
    (button,) = live.banner.buttons
    button.click()
    assert window.page == "causes"
    assert {card.chip.text for card in window.causes.list.cards.values()} == {"Noticed"}
    assert window.causes.detail.chip.text == "Noticed"


def test_first_seconds_count_down(make_live):
    """Before the first result nothing is called clear: seconds left, and dashes."""
    live = make_live("first_seconds").live
    assert "first result in" in live.banner.headline.full_text
    assert {live.tiles.tile(group).state for group in Group} == {None}
    assert live.tiles.tile(Group.CPU).chip.text == "–"


def test_no_game_offers_two_ways(make_live, qtbot):
    """Without a game the page offers the whole computer or a program."""
    window = make_live("whole_computer", watches_computer=False)
    live = window.live
    assert live.placeholder.isVisible()
    assert not live.banner.isVisible()
    with qtbot.waitSignal(window.watch_computer_requested):
        live.placeholder.buttons["watch"].click()
    window.show_watching(watches_computer=True)
    assert not live.placeholder.isVisible()
    assert live.banner.isVisible()
    assert live.header.subtitle.full_text == "No game is running"


def test_a_program_can_be_chosen(make_live, qtbot):
    """The list of busy programs leads to a process id."""
    window = make_live("whole_computer", watches_computer=False, latest=0)
    window.live.placeholder.buttons["choose"].click()
    chooser = window.live.panel.content
    assert chooser.list.count() == 3
    chooser.filter.setText("flight")
    assert chooser.list.count() == 1
    assert not chooser.watch.isEnabled()
    chooser.list.setCurrentRow(0)
    buttons = [each for each in window.findChildren(QPushButton) if each.isVisible()]
    suggested = [each.text() for each in buttons if each.property("role") == "suggested"]
    assert suggested == ["Watch the whole computer"]
    with qtbot.waitSignal(window.game_chosen) as signal:
        chooser.watch.click()
    assert signal.args == [4242]
    assert window.live.panel.isHidden()


def test_the_list_of_stutters_names_each_cause_in_full(make_live, qapp):
    """Also beside the graphs of the smallest window: the cause has a line of its own."""
    live = make_live("stuttering", size=NARROW).live
    live.card.list_requested.emit()
    settle(qapp)
    stutters = live.panel.content.list
    item = stutters.item(0)
    parts = item.data(PARTS)
    assert parts[1:] == ("214\u00a0ms", "Waiting for free memory")
    row = stutters.visualItemRect(item).adjusted(12, 0, -12, 0)
    *above, cause = stutters.itemDelegate()._boxes(row, parts)
    assert all(each.bottom() < cause.top() for each in above)
    assert cause.height() >= stutters.fontMetrics().height()
    advance = stutters.fontMetrics().horizontalAdvance
    assert [
        name for name in map(str, texts("en", "cause").values()) if advance(name) > cause.width()
    ] == []


def test_no_line_of_the_list_contradicts_the_verdict(make_live):
    """ "The game itself took the time" stood above "No cause found" in every line."""
    live = make_live("stuttering").live
    live.card.list_requested.emit()
    content = live.panel.content
    spikes = (Spike(10**9, 90.0, "mangohud"), Spike(2 * 10**9, 80.0, "mangohud", "cpu_steal"))
    content.show_spikes(spikes)
    assert content.list.item(1).text().endswith("No cause found")
    content.show_spikes(spikes, is_game=True)
    assert content.list.item(1).text().endswith("Nothing outside the game found")
    assert not content.list.item(0).text().endswith("found")


def test_a_menu_has_its_arrow_from_right_to_left(make_live):
    """Qt leaves it out there: at the far edge of the button something is drawn."""
    button = make_live("stuttering").live.header.game
    button.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    arrow = button.grab(QRect(8, button.height() // 2 - 7, 14, 14)).toImage()
    colors = {arrow.pixelColor(x, y).rgb() for x in range(14) for y in range(14)}
    assert len(colors) > 2


def test_without_frame_times_the_probe_takes_over(make_live):
    """The first lane becomes the wake-up delay and says what frame times need."""
    live = make_live("whole_computer").live
    assert live.card.rows[0].title == "CPU wake-up delay"
    live.card.rows[0].gutter.link.click()
    assert live.panel.title.full_text == "Connect your game"


def test_with_few_frame_times_the_probe_takes_over(make_live):
    """What decides is shown, with a word about the log and the way to a whole one."""
    live = make_live("sampled_log").live
    row = live.card.rows[0]
    assert row.title == "CPU wake-up delay"
    assert "leaves out most frames" in row.gutter._note.text()
    row.gutter.link.click()
    assert live.panel.title.full_text == "Connect your game"


def test_with_frame_times_the_game_is_named(make_live):
    """The first lane shows frame times under the name of the game."""
    row = make_live("stuttering").live.card.rows[0]
    assert row.title == "Frame time"
    assert row.gutter.text.startswith("Test Flight")


def test_kernel_without_pressure_says_so(make_live):
    """The lane gives way to a sentence with a way out; the other lanes go on."""
    live = make_live("no_pressure").live
    row = live.card.rows[3]
    assert row.is_missing
    assert "PSI" in row.missing.title.full_text
    assert not live.card.rows[4].is_missing
    row.missing.button.click()
    assert live.panel.title.full_text == "Turn on pressure (PSI)"


def test_virtual_machine_is_said(make_live):
    """A guest reads that its host may interfere, and how much time it takes now."""
    live = make_live("virtual_machine").live
    assert "virtual machine" in live.notes.text.full_text
    assert "%" in live.notes.text.full_text
    assert live.tiles.tile(Group.POWER).state is TileState.NOT_MEASURED


def test_without_graphics_card_the_tile_stays(make_live):
    """The GPU tile is never hidden; it says "Not measured" and draws no line."""
    tile = make_live("virtual_machine").live.tiles.tile(Group.GPU)
    assert tile.isVisible()
    assert tile.chip.text == "Not measured"
    assert not tile.sparkline._runs


def test_refused_source_is_named(make_live):
    """What the kernel does not let the user read is said in one line; the graphs go on."""
    live = make_live("refused").live
    assert "Permission denied" in live.notes.text.full_text
    live.notes.link.click()
    assert live.panel.title.full_text == "Not measured"


def test_sleep_is_a_hatched_span(make_live):
    """A suspend is a gap with its length on the strip and its reason in words."""
    card = make_live("asleep").live.card
    (gap,) = card.data.gaps
    assert gap.reason == "suspend"
    strip = card.strip_row.strip
    assert "computer slept" in strip.notes[0].tip


def test_marker_is_on_the_strip(make_live):
    """A moment that somebody marked has a label with its text and its time."""
    strip = make_live("marked").live.card.strip_row.strip
    (note,) = strip.notes
    assert (note.icon, note.text) == ("marker", "landing")
    assert ":" in note.tip


def test_failed_measuring_can_start_again(make_live, qtbot):
    """A failure outranks the verdict and offers to start again."""
    window = make_live("stuttering")
    window.show_feed_state(FeedState(FeedKind.FAILED, why=Statement("bridge.sampler_ended")))
    assert window.live.banner.headline.full_text == "Measuring stopped"
    assert not window.live.header.record.isVisible()
    with qtbot.assertNotEmitted(window.record_requested):
        qtbot.keyClick(window, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)
    with qtbot.waitSignal(window.restart_requested):
        window.live.banner.buttons[0].click()


def test_recording_shows_its_time_and_a_marker(make_live, qtbot):
    """While recording: time, Stop and a marker; a recording that broke off says why."""
    window = make_live("smooth")
    header = window.live.header
    now_ns = snapshots_of("smooth")[-1].assessment.monotonic_ns
    window.show_recording(RecordingState(now_ns - 42 * 10**9, "a.destutter"))
    assert "0:42" in header.record.text()
    assert header.marker.isVisible()
    with qtbot.waitSignal(window.stop_requested):
        header.record.click()
    with qtbot.waitSignal(window.marker_requested):
        header.marker.click()
    window.show_recording(RecordingState(failure=told("The disk is full.")))
    assert "Record session" in header.record.text()
    assert window.live.banner.detail.full_text == "The disk is full."
    window.live.banner.buttons[0].click()
    assert window.live.banner.headline.full_text.startswith("Smooth")


def test_recording_that_is_played_cannot_be_recorded(make_live):
    """A replay names its file and offers no recording."""
    window = make_live("stuttering")
    window.show_feed_state(FeedState(FeedKind.REPLAY, "flight.destutter"))
    assert "flight.destutter" in window.live.header.subtitle.full_text
    assert not window.live.header.record.isVisible()


def test_recording_can_be_stopped_after_the_game_has_ended(make_live, qapp):
    """The page that asks for a game waits: the button that ends the recording stays."""
    window = make_live("smooth", watches_computer=False)
    window.show_recording(RecordingState(1, "flight.destutter"))
    last = snapshots_of("smooth")[-1]
    assessment = replace(last.assessment, monotonic_ns=last.assessment.monotonic_ns + 10**9)
    window.show_snapshot(replace(last, assessment=assessment, facts={}))
    settle(qapp)
    assert window.live.header.record.isVisible()
    assert window.live.header.record.accessibleName() == "Stop the recording"
    window.show_recording(RecordingState(file_name="flight.destutter"))
    settle(qapp)
    assert window.live.placeholder.isVisible()


@pytest.mark.parametrize(
    ("theme", "scene"),
    sampled(
        product(("dark", "light"), ("stuttering", "whole_computer", "virtual_machine", "asleep")),
        [("dark", "stuttering"), ("light", "asleep")],
        "-".join,
    ),
)
def test_every_scene_paints(make_live, qapp, scene, theme):
    """Each scene can be painted in both themes, graphs included, without a word from Qt."""
    window = make_live(scene, theme=theme)
    window.live.card._repaint()
    settle(qapp)
    image = window.grab().toImage()
    assert image.width() == window.width()
    line = {image.pixel(x, y) for x in range(470, 1400, 2) for y in range(300, 860, 7)}
    assert len(line) > 20


def test_what_arrives_before_the_graphs_is_not_lost(make_live, qtbot):
    """Measurements from before the graphs were loaded are in them."""
    window = make_live(None, is_shown=False)
    for snapshot in snapshots_of("smooth")[:40]:
        window.show_snapshot(snapshot)
    window.show()
    qtbot.waitUntil(lambda: window.live.card is not None)
    assert len(window.live.card.data.frames) > 400


def test_in_a_flatpak_no_game_is_said_to_be_absent(make_live):
    """It may well run: neither the title nor the list of programs takes itself for everything."""
    window = make_live(None)
    live = window.live
    live.show_feed_state(FeedState(FeedKind.LIVE))
    for snapshot in snapshots_of("whole_computer"):
        header = snapshot.header
        assert header is not None
        hidden = replace(header, machine={**header.machine, "sandbox": "flatpak"})
        window.show_snapshot(replace(snapshot, header=hidden))
    assert live.header.subtitle.full_text == (
        "The whole computer; the Flatpak's sandbox hides games"
    )
    live.panels.show_programs()
    texts = [label.text() for label in live.panel.findChildren(QLabel)]
    assert any(text.startswith("The Flatpak's sandbox hides all other") for text in texts)


def test_folder_of_frame_logs_is_chosen_in_the_panel(make_live, qtbot):
    """The window is told which folder to follow, and that none is any more."""
    live = make_live("stuttering").live
    live.panels.show_lane_advice("wakeup")
    view = live.panel.content
    assert isinstance(view, FramesView)
    assert not view.leave.isVisible()
    followed = live.panels.followed
    with qtbot.waitSignal(followed.changed):
        view.use("/home/me/mangohud")
    assert followed.folder == "/home/me/mangohud"
    live.panels.show_lane_advice("wakeup")
    again = live.panel.content
    assert isinstance(again, FramesView)
    assert again.followed.full_text == "Followed: /home/me/mangohud"
    with qtbot.waitSignal(followed.changed):
        again.leave.click()
    assert not followed.folder


def test_flatpak_names_the_folder_that_all_programs_may_write_into(
    make_live, tmp_path, monkeypatch
):
    """Its own folder of data; a command of a terminal outside is no use in it."""
    sandbox_this_process(tmp_path, monkeypatch)
    live = make_live("stuttering").live
    live.panels.show_lane_advice("wakeup")
    wait_for_games(live.panel.content.connect_game)
    texts = " ".join(each.line for each in live.panel.findChildren(CommandRow))
    folder = "~/.var/app/io.github.destutter.Destutter/data/destutter/mangohud"
    assert f"output_folder={folder}," in texts
    assert "/tmp" not in texts


def test_a_line_of_advice_is_copied_by_its_button(make_live, qapp):
    """Nobody selects eighty letters in a narrow panel."""
    live = make_live("stuttering").live
    live.panels.show_lane_advice("wakeup")
    wait_for_games(live.panel.content.connect_game)
    steam, launchers = live.panel.findChildren(CommandRow)
    steam.copy_button.click()
    text = QGuiApplication.clipboard().text()
    assert text == (
        "MANGOHUD_CONFIG=output_folder=~/.local/share/destutter/mangohud,"
        "autostart_log=1,log_interval=0 mangohud %command%"
    )
    assert launchers.line == text.removesuffix(" mangohud %command%")
    assert steam.copy_button.accessibleName() == f"Copy: {text}"


def test_tiles_of_a_narrow_window_keep_the_word_of_their_state(qapp, qtbot):
    """Not only a sign: it fits where a window is 1024 pixels wide."""
    for state in TileState:
        tile = Tile(make_theme(qapp), Group.MEMORY, "Memory")
        qtbot.addWidget(tile)
        tile.set_compact(is_compact=True)
        tile.show_state(state, "because")
        tile.resize(170, tile.sizeHint().height())
        tile.show()
        assert tile.word.isVisible()
        assert tile.word.full_text == state_name(state)
        assert not tile.word.is_cut
        tile.set_compact(is_compact=False)
        assert not tile.word.isVisible()


def test_a_card_that_has_no_room_for_the_word_says_it_with_the_reason(qapp, qtbot):
    """As at 1280x800, where "Not measured" does not fit beside a name."""
    tile = Tile(make_theme(qapp), Group.MEMORY, "Memory")
    qtbot.addWidget(tile)
    tile.show_state(TileState.NOT_MEASURED, "No reading came.")
    tile.show()
    tile.resize(400, 120)
    assert tile.reason.text == "No reading came."
    tile.resize(150, 120)
    assert tile.reason.text == "Not measured: No reading came."
