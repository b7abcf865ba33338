# SPDX-License-Identifier: GPL-3.0-or-later
"""The card of graphs: time, cross-hair, stutters, and when it is painted."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest

from destutter.diagnosis.stutters.spikes import WAKEUP_ORIGIN
from destutter.ui.controls.elided import ElidedLabel
from destutter.ui.plots.lane_models import DiskLane
from tests.gui.live_window import make_live, settle, snapshots_of

__all__ = ["make_live"]

OTHER_GAME = {"game.pid": "4712", "game.name": "Convoy"}


def plain(text):
    """A text with ordinary spaces."""
    return text.replace("\u00a0", " ")


def x_in(lane, time_s):
    """The point of a lane at a moment."""
    return QPoint(round(lane.x_of(time_s)), lane.height() // 2)


def test_the_newest_measurement_is_at_the_right(make_live):
    """Now is at the right edge, two minutes ago at the left."""
    card = make_live().live.card
    lane = card.rows[0].lane
    assert lane.plot.right() - lane.x_of(card.view.right_s) < 2
    assert abs(lane.x_of(card.view.left_s) - lane.plot.left()) < 2


def test_stutters_have_labels_and_lines(make_live):
    """Three stutters: three labels on the strip, three lines through each lane."""
    card = make_live().live.card
    assert [len(one.spikes) for one in card.strip_row.strip.clusters] == [1, 1, 1]
    assert card.strip_row.count.full_text.startswith("3 in")


def test_a_marker_is_a_line_through_every_lane(make_live):
    """Below its label, at the same pixel in all of them, and where the moment is."""
    card = make_live("marked").live.card
    (marker,) = card.data.markers
    (note,) = card.strip_row.strip.notes
    assert len(card.rows) >= 5
    for row in card.rows:
        lane = row.lane
        x = round(lane.x_of(card.data.seconds(marker.monotonic_ns)))
        assert x == round(note.x_px)
        image = lane.grab().toImage()
        column = [image.pixelColor(x, y) for y in range(6, lane.height() - 5)]
        drawn = column.count(card.strip_row._theme.color("accent"))
        assert drawn > len(column) / 3, "dashed, from top to bottom, below what is measured"


def test_a_marker_out_of_view_is_drawn_nowhere(make_live, qtbot):
    """One that moves with the time leaves nothing behind, and comes back."""
    card = make_live("marked").live.card
    lane = card.rows[0].lane

    def drawn():
        image = lane.grab().toImage()
        accent = card.strip_row._theme.color("accent")
        row = round(lane.plot.top()) + 1
        return any(
            image.pixelColor(x, y) == accent
            for x in range(round(lane.plot.left()), lane.width())
            for y in (row, row + 1, row + 2)
        )

    assert drawn()
    card.set_span(5.0)
    qtbot.waitUntil(lambda: not drawn())
    card.set_span(120.0)
    qtbot.waitUntil(drawn)


def test_a_storm_of_stutters_shares_labels(make_live):
    """26 stutters in view share at most twelve labels; none is lost."""
    strip = make_live("stutter_storm").live.card.strip_row.strip
    assert sum(len(one.spikes) for one in strip.clusters) == 26
    assert len(strip.clusters) <= 12


def test_clicking_a_label_chooses_the_stutter(make_live, qtbot, qapp):
    """A click on a label chooses the stutter and reads out its moment."""
    card = make_live().live.card
    strip = card.strip_row.strip
    with qtbot.waitSignal(card.spike_chosen) as signal:
        QTest.mouseClick(
            strip,
            Qt.MouseButton.LeftButton,
            pos=QPoint(round(strip.clusters[2].x_px), strip.height() // 2),
        )
    assert signal.args[0].duration_ms == 214.0
    settle(qapp)
    assert "214 ms" in plain(card.rows[0].gutter.text)
    assert "75,000" in card.rows[2].gutter.text


def test_hovering_reads_all_lanes(make_live, qtbot):
    """The pointer in one lane reads out all of them, and leaving brings the newest back."""
    card = make_live().live.card
    lane = card.rows[1].lane
    spike_s = card.data.seconds(card.choice.spikes[0].monotonic_ns)
    newest = card.rows[0].gutter.text
    QTest.mouseMove(lane, x_in(lane, spike_s))
    qtbot.waitUntil(lambda: card.time_row.axis.flag is not None)
    assert "182 ms" in plain(card.rows[0].gutter.text)
    lane.left.emit()
    qtbot.waitUntil(lambda: card.time_row.axis.flag is None)
    assert card.rows[0].gutter.text == newest


def test_values_of_an_idle_moment_are_not_invented(make_live, qtbot):
    """Where nothing was measured, the gutter shows a dash, not a zero."""
    card = make_live("asleep").live.card
    gap = card.data.gaps[0]
    middle = card.data.seconds((gap.start_ns + gap.end_ns) // 2)
    lane = card.rows[1].lane
    QTest.mouseMove(lane, x_in(lane, middle))
    qtbot.waitUntil(lambda: card.time_row.axis.flag is not None)
    assert card.rows[1].gutter.text.count("–") == 4


@pytest.mark.parametrize("scene", ["stuttering", "many_disks", "whole_computer"])
def test_legends_are_not_cut_off_in_low_lanes(make_live, qapp, scene):
    """In a low window with two banners each line of a legend, and "+2 more", is whole."""
    window = make_live(scene, size=(1024, 660))
    settle(qapp)
    for row in window.live.card.rows:
        labels = [label for label in row.gutter.findChildren(ElidedLabel) if label.isVisible()]
        lowest = max(label.geometry().bottom() for label in labels)
        assert lowest <= row.gutter.height(), row.title


def test_dragging_holds_the_view(make_live, qtbot):
    """Dragging to the right goes back in time and says how far; "Back to now" follows again."""
    card = make_live().live.card
    lane = card.rows[0].lane
    with qtbot.waitSignal(card.paused_changed):
        QTest.mousePress(lane, Qt.MouseButton.LeftButton, pos=QPoint(500, 40))
        QTest.mouseMove(lane, QPoint(520, 40))
        QTest.mouseMove(lane, QPoint(500 + 118, 40))
        QTest.mouseRelease(lane, Qt.MouseButton.LeftButton, pos=QPoint(618, 40))
    assert not card.view.is_live
    card.view.advance(card.view.now_s + 42)
    for snapshot in snapshots_of("stuttering")[-1:]:
        card.accept_snapshots([snapshot])
    assert "behind" in card.time_row.behind.full_text
    card.time_row.back.click()
    assert card.view.is_live
    assert card.time_row.back.isHidden()


def test_wheel_zooms(make_live, qtbot):
    """The wheel shows less time, and no preset span is marked any more."""
    window = make_live()
    card = window.live.card
    lane = card.rows[0].lane
    with qtbot.waitSignal(card.span_changed):
        turn(lane, 1)
    assert card.view.span_s == pytest.approx(96.0)
    assert window.live.header.spans.choice is None
    turn(lane, -1)
    assert window.live.header.spans.choice == "120"


def turn(lane, steps):
    """Turn the wheel over the middle of a lane."""
    at = QPointF(lane.rect().center())
    event = QWheelEvent(
        at,
        QPointF(lane.mapToGlobal(at.toPoint())),
        QPoint(0, 0),
        QPoint(0, 120 * steps),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    lane.wheelEvent(event)


def test_span_buttons(make_live):
    """30 s and 10 min show just that; the line below the title follows."""
    window = make_live()
    for key, span_s in (("30", 30.0), ("600", 600.0)):
        window.live.header.spans.button(key).click()
        assert window.live.card.view.span_s == span_s
    assert "10 min" in plain(window.live.header.subtitle.full_text)


def test_keys_of_the_graphs(make_live, qtbot):
    """Arrows step through stutters, Home and End go to the ends, plus and minus zoom."""
    card = make_live().live.card
    card.rows[0].lane.setFocus()
    qtbot.keyClick(card.rows[0].lane, Qt.Key.Key_Left)
    assert card.choice.selected == card.choice.spikes[-1]
    qtbot.keyClick(card.rows[0].lane, Qt.Key.Key_Left)
    assert card.choice.selected == card.choice.spikes[-2]
    qtbot.keyClick(card.rows[0].lane, Qt.Key.Key_Right)
    assert card.choice.selected == card.choice.spikes[-1]
    qtbot.keyClick(card.rows[0].lane, Qt.Key.Key_Escape)
    assert card.choice.selected is None
    qtbot.keyClick(card.rows[0].lane, Qt.Key.Key_Plus)
    assert card.view.span_s == pytest.approx(96.0)
    qtbot.keyClick(card.rows[0].lane, Qt.Key.Key_Minus)
    qtbot.keyClick(card.rows[0].lane, Qt.Key.Key_Home)
    assert not card.view.is_live
    qtbot.keyClick(card.rows[0].lane, Qt.Key.Key_End)
    assert card.view.is_live


def test_enter_opens_the_cause_of_the_chosen_stutter(make_live, qtbot):
    """Enter on a stutter with a cause opens it; on one without, the list of stutters."""
    window = make_live()
    live = window.live
    lane = live.card.rows[0].lane
    qtbot.keyClick(lane, Qt.Key.Key_Left)
    qtbot.keyClick(lane, Qt.Key.Key_Return)
    assert window.page == "causes"
    assert window.causes.detail.title.full_text == "Waiting for free memory"
    chosen = live.card.choice.selected
    assert window.causes.detail.evidence.moment.monotonic_ns == chosen.monotonic_ns
    window.show_page("live")
    qtbot.keyClick(lane, Qt.Key.Key_Left)
    qtbot.keyClick(lane, Qt.Key.Key_Return)
    assert live.panel.title.full_text == "Stutters of the last 10 minutes"


def test_space_holds_and_releases(make_live, qtbot):
    """Space pauses the view, not the measuring, and again goes on."""
    window = make_live()
    with qtbot.waitSignal(window.pause_changed) as signal:
        qtbot.keyClick(window.live, Qt.Key.Key_Space)
    assert signal.args == [True]
    assert window.live.header.pause.text() == "Resume"
    count = len(window.live.card.data.frames)
    for snapshot in snapshots_of("smooth")[-4:]:
        window.show_snapshot(snapshot)
    assert len(window.live.card.data.frames) >= count
    qtbot.keyClick(window.live, Qt.Key.Key_Space)
    assert window.live.card.view.is_live


def test_nothing_is_painted_while_hidden(make_live, qapp, monkeypatch):
    """A hidden or minimised window takes measurements in and paints nothing."""
    window = make_live("smooth")
    painted = []
    for row in window.live.card.rows:
        monkeypatch.setattr(row, "refresh", lambda *args, row=row: painted.append(row))
    window.hide()
    for snapshot in snapshots_of("smooth")[-8:]:
        window.show_snapshot(snapshot)
    settle(qapp)
    assert not painted
    window.show()
    settle(qapp)
    assert painted


def test_one_lane_per_turn(make_live, qapp, monkeypatch):
    """A tick paints each lane once, in turns of their own."""
    window = make_live("smooth")
    card = window.live.card
    turns: list[int] = []
    card._turn.timeout.connect(lambda: turns.append(1))
    card.follow()
    assert not turns
    settle(qapp)
    assert len(turns) == 5


def test_no_repaint_before_the_next_column(make_live, qapp, monkeypatch):
    """In a span of ten minutes a quarter of a second is less than a pixel: nothing is painted."""
    window = make_live("smooth")
    card = window.live.card
    card.set_span(600.0)
    settle(qapp)
    painted = []
    monkeypatch.setattr(card, "_paint_all", lambda: painted.append(1))
    for _ in range(4):
        card.view.advance(card.view.now_s + 0.01)
        card.accept_snapshots([])
    assert len(painted) <= 1


def test_theme_changes_at_once(make_live, qapp):
    """Light instead of dark reaches pens and grounds of the graphs."""
    window = make_live()
    card = window.live.card
    before = card.rows[0].lane.curves()[0].pen.color().name()
    window.show_page("settings")
    window._pages["settings"].widget().theme.button("light").click()
    window.show_page("live")
    settle(qapp)
    after = card.rows[0].lane.curves()[0].pen.color().name()
    assert before == "#d5dbe5"
    assert after == "#2b3442"
    lane = card.rows[0].lane
    assert lane.grab().toImage().pixelColor(2, lane.height() - 2).name() == "#ffffff"


def test_more_disks_than_room(make_live):
    """Two disks are drawn; the others are named in "+4 more"."""
    gutter = make_live("many_disks").live.card.rows[1].gutter
    assert gutter.more.full_text == "+4 more"
    assert "write" in gutter.more.toolTip()


def test_evidence_leads_to_its_moment(make_live):
    """The time of a measurement on the page of causes brings the cross-hair there."""
    window = make_live()
    window.show_cause()
    live = window.live
    moment_ns = window.causes._ranking.chosen.evidence[0].monotonic_ns
    window.causes.detail.measured.moment_chosen.emit(moment_ns)
    assert window.page == "live"
    assert not live.card.view.is_live
    moment_s = live.card.choice.moment_s(live.card.rows[0].lane.columns)
    assert moment_s == pytest.approx(live.card.data.seconds(moment_ns), abs=0.3)


def test_list_and_graphs_choose_together(make_live):
    """The list of stutters and the graphs show the same choice."""
    live = make_live().live
    live.card.list_requested.emit()
    stutters = live.panel.content.list
    assert stutters.count() == 3
    stutters.setCurrentRow(2)
    assert live.card.choice.selected == live.card.choice.spikes[0]
    live.card.step(1)
    assert stutters.currentRow() == 1


def test_resting_lane_is_not_painted_again(make_live, qapp, monkeypatch):
    """A lane of level lines costs nothing until something happens in it."""
    card = make_live("smooth", latest=0).live.card
    reclaim = card.rows[2].lane
    drawn: list[object] = []
    for curve in reclaim.curves():
        monkeypatch.setattr(curve, "show_line", lambda *args, **kwargs: drawn.append(args))
    card.follow()
    settle(qapp)
    assert not drawn
    card.data.series("memory.direct_reclaim_per_s").append(card.data.now_s + 0.2, 500.0)
    card.view.advance(card.data.now_s + 0.2)
    card.follow()
    settle(qapp)
    assert drawn


def test_values_are_told_when_nothing_follows(make_live, qtbot):
    """All of a recording comes at once, and its last values stand beside the lanes."""
    window = make_live(None)
    for snapshot in snapshots_of("stuttering"):
        window.show_snapshot(snapshot)
    row = window.live.card.rows[2]
    qtbot.waitUntil(lambda: row.gutter.text == "pages per second 0, waits per second 0")


def test_latency_below_what_the_kernel_counts_is_not_none(make_live):
    """Requests that took no whole millisecond together: "below 1 ms", never "0 ms"."""
    card = make_live().live.card
    lane = next(row.model for row in card.rows if isinstance(row.model, DiskLane))
    write = lane.show(card.data, 4).write
    assert plain(write(0.0)) == "below 1 ms"
    assert plain(write(0.27)) == "0.27 ms"


def painted_rows(card, monkeypatch):
    """Notes which rows are painted, by their place from the top."""
    painted = []
    for place, row in enumerate(card.rows):
        refresh = row.refresh

        def note(*told, place=place, refresh=refresh):
            painted.append(place)
            refresh(*told)

        monkeypatch.setattr(row, "refresh", note)
    return painted


def test_the_lowest_lane_is_painted_when_time_is_short(make_live, qapp, monkeypatch):
    """A busy computer gives the window a turn or two between two ticks: the lanes below waited
    for ever, because each tick began again at the top."""
    window = make_live(None)
    given = snapshots_of("stuttering")
    for snapshot in given[:-30]:
        window.show_snapshot(snapshot)
    settle(qapp)
    painted = painted_rows(window.live.card, monkeypatch)
    for snapshot in given[-30:]:
        window.show_snapshot(snapshot)
        qapp.processEvents()  # one turn
    counts = [painted.count(place) for place in range(len(window.live.card.rows))]
    assert min(counts) >= max(counts) - 1 > 2


def test_all_lanes_are_of_now_when_the_page_is_shown_again(make_live, qapp, monkeypatch):
    """Who comes back after a minute sees one moment, not the lower lanes as they were left."""
    window = make_live()
    window.show_page("causes")
    settle(qapp)
    painted = painted_rows(window.live.card, monkeypatch)
    window.show_page("live")
    assert {*painted} == {*range(len(window.live.card.rows))}


def paint(card, qapp):
    """Paint all lanes, whether or not a new column is due."""
    card.set_span(30.0)
    card.follow()
    settle(qapp)


def test_the_line_of_a_game_that_has_ended_keeps_its_name(make_live, qapp):
    """Its frames are in view for minutes; named after the tool alone nobody knows whose."""
    window = make_live()
    live, last = window.live, snapshots_of("stuttering")[-1]
    assert live.card is not None
    row, name = live.card.rows[0], last.facts["game.name"]
    assert name in row.gutter.text
    gone = {fact: text for fact, text in last.facts.items() if not fact.startswith("game.")}
    window.show_snapshot(replace(last, frames=(), metrics=(), facts=gone))
    paint(live.card, qapp)
    assert live.header.game.text() != name
    assert name in row.gutter.text
    window.show_snapshot(replace(last, frames=(), metrics=(), facts={**gone, **OTHER_GAME}))
    paint(live.card, qapp)
    assert name not in row.gutter.text
    assert OTHER_GAME["game.name"] in row.gutter.text


def test_late_wakeups_are_dots_where_wakeups_are_drawn(make_live, qapp):
    """On the line of frames their length would be that of a frame which was none."""
    window = make_live()
    last = snapshots_of("stuttering")[-1]
    assert window.live.card is not None
    lane = window.live.card.rows[0].lane
    spikes = last.assessment.spikes
    assert len(lane._dots) == len(spikes)
    late = replace(spikes[-1], origin=WAKEUP_ORIGIN, duration_ms=61.5)
    assessment = replace(last.assessment, spikes=(*spikes[:-1], late))
    window.show_snapshot(replace(last, frames=(), metrics=(), assessment=assessment))
    paint(window.live.card, qapp)
    assert [length for _, length in lane._dots] == [one.duration_ms for one in spikes[:-1]]
    computer = make_live("whole_computer").live.card
    assert computer is not None
    assert len(computer.rows[0].lane._dots) == len(
        snapshots_of("whole_computer")[-1].assessment.spikes
    )


def test_what_was_before_the_game_is_drawn_in_grey_and_not_counted(make_live, qapp):
    """A line through the lanes, and neither a label, nor a dot, nor a number."""
    window = make_live()
    last = snapshots_of("stuttering")[-1]
    card = window.live.card
    assert card is not None
    before, *counted = last.assessment.spikes
    told = replace(last.assessment, spikes=tuple(counted), uncounted=(before,))
    window.show_snapshot(replace(last, frames=(), metrics=(), assessment=told))
    paint(card, qapp)
    card.set_span(120.0)
    settle(qapp)
    lane = card.rows[0].lane
    colors = [event.color for event in lane.signs.events]
    assert colors.count("faint") == 1
    assert len(colors) == len(counted) + 1
    assert len(lane._dots) == len(counted)
    assert plain(card.strip_row.count.full_text).startswith(f"{len(counted)} in")
    assert f"stutter {len(counted)}" in card.rows[0].gutter.text


def test_after_a_recording_the_line_is_still_named_after_the_game(make_live, qapp):
    """It has ended meanwhile; whose frames they are no tool's name tells."""
    window = make_live()
    live, last = window.live, snapshots_of("stuttering")[-1]
    gone = {fact: text for fact, text in last.facts.items() if not fact.startswith("game.")}
    live.lanes.leave_present()
    window.begin_anew()
    live.lanes.return_to_present()
    window.begin_anew()
    window.show_snapshot(replace(last, frames=(), metrics=(), facts=gone))
    assert live.card is not None
    paint(live.card, qapp)
    text = live.card.rows[0].gutter.text
    assert last.facts["game.name"] in text
    assert "mangohud" not in text
