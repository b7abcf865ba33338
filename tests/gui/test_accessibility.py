# SPDX-License-Identifier: GPL-3.0-or-later
"""For everybody: names for screen readers, order of Tab, sizes, long texts, large text."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QFont, QFontMetricsF
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget

from destutter.diagnosis.finding import Group
from destutter.ui.controls.elided import ElidedLabel
from destutter.ui.controls.segments import Segments
from destutter.ui.pages.feed_state import RecordingState
from destutter.ui.shell import main_window
from tests.gui.live_window import NARROW, WIDE, make_live, settle
from tests.support.pseudo_language import LongTexts, MirroredTexts

pytestmark = pytest.mark.long

__all__ = ["make_live"]

PANELS = {
    "none": lambda live: None,
    "list": lambda live: live.card.list_requested.emit(),
    "programs": lambda live: live.panels.show_programs(),
    "advice": lambda live: live.panels.show_lane_advice("wakeup"),
    "lanes": lambda live: live.lanes.show_panel(),
}


def focusable(window):
    """Everything that is visible and can be reached by Tab."""
    return [
        widget
        for widget in window.findChildren(QWidget)
        if widget.isVisible()
        and widget.isEnabled()
        and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
    ]


def name_of(widget):
    """What a screen reader calls it."""
    interface = QAccessible.queryAccessibleInterface(widget)
    return interface.text(QAccessible.Text.Name)


@pytest.mark.parametrize("panel", PANELS)
@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_everything_that_takes_the_focus_has_a_name(make_live, qapp, size, panel):
    """Each control says what it is: a text, not the name of a class, without stray spaces."""
    window = make_live(size=size)
    PANELS[panel](window.live)
    settle(qapp)
    wrong = [
        (type(widget).__name__, name)
        for widget in focusable(window)
        if not (name := name_of(widget)) or name == type(widget).__name__ or name != name.strip()
    ]
    assert not wrong


def test_settings_have_names(make_live, qapp):
    """The settings page, too."""
    window = make_live()
    window.show_page("settings")
    settle(qapp)
    choices = window.findChildren(Segments)[-1]
    names = [name_of(choices.button(choice)) for choice in ("auto", "light", "dark")]
    assert names == ["Appearance: As the desktop", "Appearance: Light", "Appearance: Dark"]


def test_arrows_choose_within_a_row_of_buttons(make_live, qapp, qtbot):
    """Tab stops once at a row of which one is chosen; arrows choose among the others."""
    window = make_live()
    nav = window.sidebar.button("live")
    nav.setFocus()
    qtbot.keyClick(nav, Qt.Key.Key_Down)
    assert window.page == "causes"
    qtbot.keyClick(window.sidebar.button("causes"), Qt.Key.Key_Up)
    assert window.page == "live"
    two = window.live.header.spans.button("120")
    two.setFocus()
    qtbot.keyClick(two, Qt.Key.Key_Right)
    assert window.live.card.view.span_s == 600.0


def test_tab_goes_from_the_top_to_the_graphs(make_live, qapp):
    """Navigation, header, banner, tiles, strip, graphs: each once, in the order of reading."""
    window = make_live("whole_computer")
    settle(qapp)
    order = []
    widget = window.sidebar.button("live")
    reachable = set(focusable(window))
    while widget not in order:
        if widget in reachable:
            order.append(widget)
        widget = widget.nextInFocusChain()
        if widget is window.sidebar.button("live"):
            break
    names = [name_of(each).split(":")[0] for each in order]
    assert names == [
        "Live",
        "Watched",
        "Time in view",
        "Pause",
        "Record session",
        "Show the cause",
        "Memory",
        "Storage",
        "CPU",
        "GPU",
        "Power",
        "Show the stutters as a list",
        "Set up frame times…",
        "CPU wake-up delay graph",
        "Drive delay graph",
        "Waiting for free memory graph",
        "Time spent waiting graph",
        "Unwritten data graph",
        "Choose the lanes",
        "Help",
    ]


@pytest.mark.parametrize("panel", PANELS)
@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_targets_are_large_enough(make_live, qapp, size, panel):
    """What can be clicked is at least 24 by 24 pixels; primary actions are 32 high."""
    window = make_live("whole_computer", size=size)
    PANELS[panel](window.live)
    settle(qapp)
    small = [
        (name_of(widget), widget.width(), widget.height())
        for widget in focusable(window)
        if widget.width() < 24 or widget.height() < 24
    ]
    assert not small
    for button in (window.live.header.record, window.live.header.pause):
        assert button.height() >= 32


def test_a_graph_tells_its_values(make_live, qapp):
    """A graph that has the focus is described by its read-outs."""
    window = make_live()
    lane = window.live.card.rows[0].lane
    window.activateWindow()
    lane.setFocus()
    window.live.card.follow()
    settle(qapp)
    assert lane.accessibleDescription().startswith("Test Flight")


def cut_labels(window):
    """Labels whose text is wider or higher than they are, without an ellipsis and a tool tip."""
    wrong = []
    for label in window.findChildren(QLabel):
        if not label.isVisible() or not label.text() or isinstance(label, ElidedLabel):
            continue
        room = label.contentsRect()
        if label.wordWrap():
            is_cut = label.heightForWidth(label.width()) > label.height() + 1
        else:
            is_cut = label.fontMetrics().horizontalAdvance(label.text()) > room.width() + 1
        if is_cut:
            wrong.append(label.text())
    for button in window.findChildren(QPushButton):
        if not button.isVisible() or not button.text() or button.menu() is not None:
            continue
        if button.sizeHint().width() > button.width() + 1:
            wrong.append(button.text())
    return wrong


def shortened(window):
    """Texts that end in an ellipsis."""
    labels = window.findChildren(ElidedLabel)
    return [label.full_text for label in labels if label.isVisible() and label.is_cut]


@pytest.mark.parametrize("panel", PANELS)
@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_long_texts_are_not_cut(make_live, qapp, size, panel):
    """With every text 40 % longer nothing is cut off without an ellipsis and a tool tip."""
    translator = LongTexts(qapp)
    qapp.installTranslator(translator)
    try:
        window = make_live("whole_computer", size=size)
        PANELS[panel](window.live)
        settle(qapp)
        assert not cut_labels(window)
    finally:
        qapp.removeTranslator(translator)


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_large_text_is_not_cut(make_live, qapp: QApplication, size):
    """With a desktop font of 20 px instead of 13 nothing is cut; the page scrolls instead."""
    before = qapp.font()
    large = QFont("Inter")
    large.setPixelSize(20)
    qapp.setFont(large)
    try:
        window = make_live("whole_computer", size=size)
        settle(qapp)
        assert window.live.header.record.height() >= 48
        assert not cut_labels(window)
        assert all(row.gutter.width() > 250 for row in window.live.card.rows)
    finally:
        qapp.setFont(before)


def test_titles_begin_where_the_text_below_them_begins(make_live, qapp):
    """A rule of the style with a box around its text would make Qt indent a label."""
    window = make_live("smooth")
    header = window.live.header
    labels = [each for each in header.findChildren(QLabel) if each.isVisible() and each.text()]
    assert {each.frameWidth() for each in labels} == {0}
    assert header._title.x() == header.subtitle.x()


def test_labels_of_every_size_begin_at_the_same_edge(make_live, qapp):
    """Title, sentence and note of a page stand in one line, one below the other."""
    make_live()
    for role in ("pageTitle", "cardTitle", "strong", "muted", "small", "smallStrong", "mono"):
        label = ElidedLabel("|||", role)
        label.resize(120, 40)
        label.show()
        settle(qapp)
        image = label.grab().toImage()
        empty_px = QFontMetricsF(label.font()).leftBearing("|")
        ground = image.pixelColor(118, 2)
        inked = [x for x in range(60) if image.pixelColor(x, 20) != ground]
        label.close()
        label.deleteLater()
        assert inked
        assert inked[0] <= empty_px + 1, role


def test_a_cut_text_can_be_read(qapp):
    """A label that is too narrow ends in an ellipsis and has all of its text as a tool tip."""
    label = ElidedLabel("A sentence that is far too long for this label")
    label.resize(80, 20)
    label.show()
    assert label.text().endswith("…")
    assert label.toolTip() == label.full_text == label.accessibleName()
    label.resize(800, 20)
    assert label.text() == label.full_text
    assert label.toolTip() == ""
    label.close()
    label.deleteLater()


def test_states_are_not_told_by_colour_alone(make_live):
    """Each state has its own sign and its own word."""
    tiles = make_live().live.tiles
    told = {(tiles.tile(g).chip.text, tiles.tile(g).chip.icon) for g in Group}
    assert {("Likely", "causing"), ("Clear", "clear")} <= told
    assert ("Not measured", "not-measured") in told
    assert len({icon for _, icon in told}) == len({text for text, _ in told})


def test_right_to_left_mirrors_all_but_the_graphs(make_live, qapp):
    """The navigation is at the right; time still runs to the right."""
    translator = MirroredTexts(qapp)
    qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    qapp.installTranslator(translator)
    try:
        window = make_live()
        settle(qapp)
        assert window.sidebar.x() > window.width() / 2
        card = window.live.card
        assert card.layoutDirection() == Qt.LayoutDirection.LeftToRight
        row = card.rows[0]
        assert row.gutter.x() < row.lane.mapTo(row, row.lane.rect().topLeft()).x()
        assert "\u2068" in row.gutter.text
    finally:
        qapp.removeTranslator(translator)
        qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


def test_recording_is_announced(make_live, monkeypatch):
    """Begin and end of a recording are said to the screen reader, once each."""
    window = make_live("smooth")
    said: list[str] = []
    monkeypatch.setattr(main_window, "announce", lambda _window, text: said.append(text))
    window.show_recording(RecordingState(1))
    window.show_recording(RecordingState(1))
    window.show_recording(RecordingState())
    assert said == ["Recording started", "Recording stopped"]


def test_announcement_reaches_qt(make_live, monkeypatch):
    """The real announcement is an accessibility event with the words, and Qt accepts it."""
    window = make_live("smooth")
    told: list[tuple[QAccessible.Event, str]] = []
    accept = QAccessible.updateAccessibility

    def note(event: QAccessibleAnnouncementEvent) -> None:
        told.append((event.type(), event.message()))
        accept(event)

    monkeypatch.setattr(QAccessible, "updateAccessibility", note)
    window.show_recording(RecordingState(1))
    assert told == [(QAccessible.Event.Announcement, "Recording started")]
