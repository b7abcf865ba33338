# SPDX-License-Identifier: GPL-3.0-or-later
"""The page of causes: findings, their proof, what can be changed, and every way that may end."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel

from destutter.analysis.changes.tuning_state import GameProcess, OutcomeKind
from destutter.bridge.helper_client import Availability
from destutter.bridge.owned_trial import AbsentHelperError, LostHelperError
from destutter.core.statement import Statement, told
from destutter.diagnosis.finding import Group
from destutter.tuning.presets import GENERAL
from destutter.ui.causes.action_bar import BarState
from destutter.ui.causes.setting_rows import RowState
from destutter.ui.pages.feed_state import FeedKind, FeedState
from destutter.ui.pages.said_alike import trial_needs
from destutter_helper.api.names import HelperError
from destutter_helper.api.statement import Said
from tests.support import live_scenes, tuning_scenes
from tests.support.causes_window import fill, open_causes, settle
from tests.support.known_snapshots import snapshots_of
from tests.support.window_kit import make_theme

WIDE, NARROW = (1440, 900), (1024, 740)
SIM = GameProcess(77, "4711", "sim")
SCALE, BOOST = "vm.watermark_scale_factor", "vm.watermark_boost_factor"


@pytest.fixture
def make(qtbot, qapp) -> Iterator[Callable[..., Any]]:
    """Opens windows on the page; closes them at the end."""
    made = []

    def open_page(scene=live_scenes.whole_computer, size=WIDE, **options):
        window, tuning = open_causes(qapp, make_theme(qapp), size, scene, **options)
        made.append((window, tuning))
        return window.causes, tuning

    yield open_page
    for window, tuning in made:
        window.close()
        window.deleteLater()
        tuning.close()
    settle(qapp)


def fail(tuning, error, method="BeginTrial"):
    """The helper's answer to the last request."""
    tuning.helper.failed.emit(method, error)


def doing(bar):
    """What the bar of actions shows."""
    return bar.shown.state


# --- findings -----------------------------------------------------------------------------------


def test_ranked_and_the_first_is_shown(make):
    """The most explaining finding comes first, with mark, share and confidence in words."""
    page, _ = make(live_scenes.stuttering)
    cards = list(page.list.cards.values())
    assert cards[0].finding.cause == "direct_reclaim"
    assert cards[0].isChecked()
    name = cards[0].accessibleName()
    assert name.startswith("Waiting for free memory: Likely, 2 of 3 stutter")
    assert page.detail.subtitle.full_text == "Memory · Confidence: medium"
    assert [fact.name for fact in page.detail.facts._facts][:2] == [
        "Longest stutter",
        "Stutters explained",
    ]
    assert "/\N{WORD JOINER}proc/\N{WORD JOINER}vmstat" in page.detail.source.text()


def test_a_limit_is_not_explained_as_a_slow_drive(make):
    """A way in which a cause came about has its own name and reason, in list and page alike."""
    page, _ = make(live_scenes.stuttering)
    last = snapshots_of(live_scenes.stuttering)[-1]
    first, *others = last.assessment.findings
    limited = replace(first, cause="slow_device", group=Group.STORAGE, kind="limit")
    later_ns = last.assessment.monotonic_ns + 1_000_000_000  # the page shows each second
    told = replace(last.assessment, monotonic_ns=later_ns, findings=(limited, *others))
    page.window().show_snapshot(replace(last, assessment=told))
    page.list.cards["slow_device"].click()
    assert page.detail.title.full_text == "The game's limit for the drive"
    assert page.list.cards["slow_device"].accessibleName().startswith("The game's limit for the")
    assert "waits before the drive sees it" in page.detail.why.text()


def test_another_card_shows_another_cause(make, qtbot):
    """Clicking a card or going on by arrow keys changes the detail and its explanation."""
    page, _ = make(live_scenes.crowded_host)
    first = page.detail.why.text()
    cards = list(page.list.cards.values())
    cards[0].setFocus()
    qtbot.keyClick(cards[0], Qt.Key.Key_Down)
    assert page._ranking.chosen.cause == cards[1].finding.cause
    assert page.detail.why.text() != first
    assert page.detail.source.text().startswith("Source: ")


def test_narrow_window_has_a_menu(make, qapp):
    """Where there is no room for the list, one line offers the same choice."""
    page, _ = make(live_scenes.crowded_host, NARROW)
    assert not page.list.isVisible()
    assert page.menu.isVisible()
    actions = [each for each in page.menu.menu().actions() if not each.isSeparator()]
    assert len(actions) == len(page.list.cards)
    page.menu.menu().triggered.emit(actions[1])
    assert page._ranking.chosen.cause == actions[1].data()
    scroll = page.window()._pages["causes"]
    assert scroll.horizontalScrollBar().maximum() == 0
    assert scroll.verticalScrollBar().maximum() == 0


def test_tiles_lead_to_their_group(make):
    """A tile shows only its own causes; all of them are one click away."""
    page, _ = make(live_scenes.stuttering)
    window = page.window()
    window.show_page("live")
    window.live.tiles.tile(Group.MEMORY).click()
    assert window.page == "causes"
    assert {card.finding.group for card in page.list.cards.values()} == {Group.MEMORY}
    assert page.show_all.isVisible()
    page.show_all.click()
    assert not page.show_all.isVisible()


def test_group_without_a_cause(make):
    """A group that nothing points to says what is known about it."""
    page, _ = make(live_scenes.stuttering)
    page.show_group(Group.GPU)
    assert page.empty is not None
    assert "GPU" in page.empty.heading
    page.placeholder.buttons["all"].click()
    assert page.empty is None


def test_a_drive_at_the_head_of_a_sentence_keeps_its_name(make):
    """A group's text may begin with a drive: "nvme0n1 answered ...", not "Nvme0n1"."""
    page, _ = make(live_scenes.stuttering)
    page.show_group(Group.STORAGE)
    assert page.empty is not None
    assert page.empty.text.startswith(("nvme", "sd", "vd"))
    assert page.empty.text.endswith(".")


# --- evidence -----------------------------------------------------------------------------------


def test_evidence_has_two_axes_with_units(make):
    """Frame times at the left, the signal at the right with its own unit, around the stutter."""
    page, _ = make(live_scenes.stuttering)
    picture = page.detail.evidence.graph.picture
    assert picture.effect.name == "Frame time"
    assert picture.signal.unit == "pages/s"
    assert picture.signal.series is not picture.effect.series
    assert picture.band is not None
    assert picture.band[1] - picture.band[0] == pytest.approx(0.214, abs=0.001)
    assert not picture.nothing


def test_signal_is_the_buffer_of_the_lanes(make):
    """The graph draws from what the live page keeps: nothing is buffered twice."""
    page, _ = make(live_scenes.stuttering)
    data = page.window().live.card.data
    picture = page.detail.evidence.graph.picture
    assert picture.effect.series is data.frames
    assert picture.signal.series is data.series("memory.direct_reclaim_per_s")


def test_stutters_one_after_the_other(make, qtbot):
    """Previous and next, by button and by arrow key in the graph; the longest comes first."""
    page, _ = make(live_scenes.stuttering)
    card = page.detail.evidence
    assert card.count.text() == "2 of 2"
    assert not card.next.isEnabled()
    card.previous.click()
    assert card.count.text() == "1 of 2"
    assert "182" in card.title.full_text
    card.graph.setFocus()
    qtbot.keyClick(card.graph, Qt.Key.Key_Right)
    assert card.count.text() == "2 of 2"


def test_picked_stutter_stays_while_measuring_goes_on(make, qapp):
    """A stutter that the user went to is not pushed away by news."""
    page, tuning = make(live_scenes.stuttering)
    page.detail.evidence.previous.click()
    moment = page.detail.evidence.moment
    fill(page.window(), tuning, snapshots_of(live_scenes.stuttering)[-1:])
    assert page.detail.evidence.moment == moment


def test_other_measurements_can_be_drawn(make):
    """Each measurement can be the signal of the graph."""
    page, _ = make(live_scenes.stuttering)
    page.detail.measured.drawn.emit(1)
    assert page.detail.evidence.evidence == page._ranking.chosen.evidence[1]
    assert page.detail.evidence.graph.picture.signal.unit == "/s"


def test_text_view_tells_the_same(make, qtbot):
    """The table has time, length, signal and limit of each stutter, and moves the graph."""
    page, _ = make(live_scenes.stuttering)
    card = page.detail.evidence
    card.views.button("text").click()
    assert card.table.isVisible()
    heads = [card.table.horizontalHeaderItem(x).text() for x in range(card.table.columnCount())]
    assert heads[:2] == ["Time", "Length"]
    assert heads[3] == "Limit"
    assert card.table.item(0, 1).text().startswith("182")
    card.table.setCurrentCell(0, 0)
    assert card.count.text() == "1 of 2"


def test_pointer_reads_out_values(make):
    """Values at the pointer stand beside the names; without one those of the stutter."""
    page, _ = make(live_scenes.stuttering)
    card = page.detail.evidence
    of_stutter = card.legends[0].text
    assert "214" in of_stutter
    card.graph.moved.emit(card.graph.picture.centre_s + 6.0)
    assert card.legends[0].text != of_stutter
    card.graph.moved.emit(None)
    assert card.legends[0].text == of_stutter


def test_hidden_page_paints_nothing(make, monkeypatch):
    """While another page is shown, news change no picture; coming back shows them."""
    page, tuning = make(live_scenes.stuttering)
    page.window().show_page("live")
    shown: list[object] = []
    monkeypatch.setattr(page.detail.evidence.graph, "show_picture", shown.append)
    fill(page.window(), tuning, snapshots_of(live_scenes.stutter_storm)[:40])
    assert not shown


# --- empty states -------------------------------------------------------------------------------


def test_nothing_measured_yet(make):
    """Before the first snapshot the page says so."""
    page, _ = make(None)
    assert page.empty.heading == "Nothing measured yet"
    page.placeholder.buttons["live"].click()
    assert page.window().page == "live"


def _no_game():
    """A minute of a computer on which nothing happens and nothing is played."""
    return live_scenes.Scene(has_frames=False, has_game=False, has_gpu=False).run(60.0)


def test_no_game(make):
    """Without a game and without a wish to go without one."""
    page, _ = make(_no_game, watches_computer=False)
    assert page._ranking.chosen is None
    assert page.empty.heading == "No game is running"
    page.window().show_watching(watches_computer=True)
    assert page.empty.heading != "No game is running"


def test_measuring_failed(make, qtbot):
    """What was found stays, with a way to start again."""
    page, _ = make(live_scenes.stuttering)
    assert page.restart.isHidden()
    page.show_feed_state(FeedState(FeedKind.FAILED, why=Statement("bridge.sampler_ended")))
    assert page.empty is None
    assert page.subtitle.full_text.startswith("Measuring stopped.")
    with qtbot.waitSignal(page.window().restart_requested):
        page.restart.click()
    page.show_feed_state(FeedState(FeedKind.LIVE))
    assert page.restart.isHidden()


def test_measuring_failed_before_anything_was_found(make, qtbot):
    """The reason and a way to start again."""
    page, _ = make(live_scenes.smooth)
    page.show_feed_state(FeedState(FeedKind.FAILED, why=Statement("bridge.sampler_ended")))
    assert page.empty.text == "The measuring process ended by itself."
    with qtbot.waitSignal(page.window().restart_requested):
        page.placeholder.buttons["restart"].click()


# --- changing -----------------------------------------------------------------------------------


def test_one_answer_is_shown_once(make, monkeypatch):
    """Rows, bar and banner are built once for the answer to a request."""
    page, tuning = make()
    page.detail.action_bar.try_out.click()
    shown = []
    show_rows = page.detail.table.show_rows

    def show_and_count(rows, **options):
        shown.append(rows)
        show_rows(rows, **options)

    monkeypatch.setattr(page.detail.table, "show_rows", show_and_count)
    tuning.helper.finish("BeginTrial")
    assert len(shown) == 1


def test_in_a_small_window_the_changes_are_in_sight(make, qapp):
    """At 1024x740 both that are ticked stand above the buttons, in a player's units alone."""
    page, _ = make(size=NARROW)
    detail = page.detail
    bottom = detail.scroll_area.viewport().height()
    for id_ in (SCALE, BOOST):
        check = detail.table.views[id_].check
        assert check.isChecked()
        at = check.mapTo(detail.scroll_area.viewport(), check.rect().bottomLeft()).y()
        assert 0 < at < bottom
    cells = detail.table.views[SCALE].cells
    words = " ".join(each.text() for cell in cells for each in cell.findChildren(QLabel))
    assert "0.1\u00a0%" in words
    assert not {"10", SCALE} & set(words.split())


def test_apply_asks_for_what_is_ticked(make):
    """Suggested rows are ticked and counted; what belongs together is ticked together."""
    page, tuning = make()
    table, bar = page.detail.table, page.detail.action_bar
    assert {row.state for row in table.rows if row.change} == {RowState.OFFERED}
    assert [change.id for change in table.chosen] == [SCALE, BOOST]
    table.views[BOOST].check.click()
    together = "vm.watermark_scale_factor" in table.views[BOOST].row.advice.with_others
    assert bar.shown.count == (0 if together else 1)
    table.views[BOOST].check.click()
    bar.apply.click()
    method, (changes, _) = tuning.helper.asked[-1]
    assert method == "BeginTrial"
    assert {change.id for change in changes} == {SCALE, BOOST}


@pytest.mark.parametrize(
    ("preset", "words"),
    [("flight_sim", "Try for this flight"), ("open_world", "Try for this game")],
)
def test_while_a_game_runs_the_suggested_button_tries_for_as_long(make, preset, words):
    """A minute proves nothing about a stutter that comes every five."""
    page, tuning = make()
    bar = page.detail.action_bar
    assert not bar.for_game.isVisible()
    tuning.model.set_preset(replace(GENERAL, id=preset))
    tuning.model.accept_game(SIM)
    assert bar.for_game.text() == words
    assert bar.for_game.property("role") == "suggested"
    assert bar.apply.property("role") != "suggested"
    assert not bar.try_out.isVisible()
    assert "ends with sim" in bar.note.text()
    assert bar.note.text().endswith(trial_needs())
    bar.for_game.click()
    assert tuning.helper.asked[-1][0] == "BeginTrial"
    tuning.helper.give_state(tuning_scenes.four_changes()[0], is_ours=True)
    tuning.helper.trial_begun.emit(tuning.helper.trial)
    assert tuning.helper.asked[-1] == ("Bind", SIM)
    tuning.model.accept_game(None)
    assert not bar.for_game.isVisible()


def test_nothing_ticked_nothing_to_apply(make):
    """Without a tick Apply and Try are off; the commands of all can still be copied."""
    page, _ = make()
    for view in page.detail.table.views.values():
        if view.check.isChecked():
            view.check.click()
    bar = page.detail.action_bar
    assert not bar.apply.isEnabled()
    assert not bar.try_out.isEnabled()
    bar.copy.click()
    text = QGuiApplication.clipboard().text()
    assert f"sudo sysctl -w {SCALE}=" in text
    assert BOOST in text


def test_waiting_for_a_password(make, qapp):
    """Buttons are off, the wait is named, later where to look; cancelling brings them back."""
    page, tuning = make()
    bar = page.detail.action_bar
    bar.apply.click()
    assert doing(bar) is BarState.ASKING
    assert bar.note.text() == "Waiting for your password…"
    assert not bar.apply.isEnabled()
    assert not page.detail.table.views[SCALE].check.isEnabled()
    assert bar._search.isActive()
    bar._search.timeout.emit()
    assert "behind" in bar.note.text()
    bar.cancel.click()
    assert doing(bar) is BarState.READY
    assert not bar._search.isActive()
    assert page.banner.isHidden()
    assert tuning.model.outcome.kind is OutcomeKind.CANCELLED


def test_dialog_that_was_closed_says_nothing(make):
    """A cancelled dialog is no news: buttons return without a banner."""
    page, tuning = make()
    page.detail.action_bar.apply.click()
    fail(tuning, HelperError("Dismissed", "the password dialog was closed"))
    assert page.banner.isHidden()
    assert page.detail.action_bar.apply.isEnabled()


@pytest.mark.parametrize(
    ("error", "headline", "detail"),
    [
        (HelperError("NotAuthorized", "this user may not do this"), "Not changed", "account"),
        (
            HelperError("NotAuthorized", Said("helper.right.no_dialog")),
            "Not changed",
            "polkit agent",
        ),
        (
            HelperError("NotAuthorized", Said("helper.right.polkit_failed")),
            "Not changed",
            "does not work",
        ),
        (
            HelperError("Refused", "the kernel refused the value", id=SCALE),
            "Not changed",
            f"{SCALE}: the kernel refused the value. Nothing else was applied.",
        ),
        (AbsentHelperError(told("nobody answers")), "Not changed: the helper", "Nobody answers."),
        (LostHelperError(told("it left the bus")), "The helper stopped", "It left the bus."),
    ],
    ids=["denied", "no agent", "polkit", "refused", "absent", "lost"],
)
def test_failures_are_said_and_can_be_closed(make, error, headline, detail):
    """Each failure has one banner with its reason; it goes when it is closed."""
    page, tuning = make()
    page.detail.action_bar.apply.click()
    fail(tuning, error)
    assert page.banner.isVisible()
    assert page.banner.headline.full_text.startswith(headline)
    assert detail in page.banner.detail.full_text
    page.banner.buttons[-1].click()
    assert page.banner.isHidden()


def test_denied_offers_the_commands(make):
    """Who may not change settings gets the commands for somebody who may."""
    page, tuning = make()
    page.detail.action_bar.apply.click()
    fail(tuning, HelperError("NotAuthorized", "this user may not do this"))
    page.banner.buttons[0].click()
    assert SCALE in QGuiApplication.clipboard().text()


def test_refusal_can_be_reported(make):
    """The report names the error, the reason and what was wished for."""
    page, tuning = make()
    page.detail.action_bar.try_out.click()
    fail(tuning, HelperError("Refused", "the kernel refused the value", id=SCALE))
    details, copy, _ = page.banner.buttons
    copy.click()
    text = QGuiApplication.clipboard().text()
    assert "error: Refused" in text
    assert f"wanted: {SCALE}=" in text
    details.click()
    assert page.banner.report.isVisible()
    assert page.banner.report.text() == text
    details.click()
    assert not page.banner.report.isVisible()


def test_refused_setting_says_so_on_its_row(make):
    """Which one, and why; the next request takes the words away."""
    page, tuning = make()
    page.detail.action_bar.apply.click()
    fail(tuning, HelperError("Refused", "the kernel refused the value", id=SCALE))
    rows = {row.key: row for row in page.detail.table.rows}
    assert str(rows[SCALE].failure) == "the kernel refused the value"
    assert {row.failure for key, row in rows.items() if key != SCALE} == {None}
    texts = [label.text() for label in page.detail.table.findChildren(QLabel)]
    assert "Not changed: the kernel refused the value" in texts
    page.detail.action_bar.apply.click()
    assert page.detail.table.views[SCALE].row.failure is None


def test_rows_follow_trial_kept_and_drift(make, qapp):
    """On trial, applied with undo, changed by something else: each row says so."""
    page, tuning = make()
    tuning.give(*tuning_scenes.four_changes(), is_ours=True)
    table, bar = page.detail.table, page.detail.action_bar
    assert table.views[SCALE].row.state is RowState.ON_TRIAL
    assert bar.shown.state is BarState.TRIAL
    tuning.give(*tuning_scenes.kept_changes())
    view = table.views[SCALE]
    assert view.row.state is RowState.APPLIED
    assert view.row.advice is not None
    view.button.click()
    method, request = tuning.helper.asked[-1]
    assert (method, request.ids) == ("Undo", (SCALE,))
    tuning.helper.failed.emit("Undo", HelperError("Dismissed", "closed"))
    tuning.give(*tuning_scenes.drifted())
    view = table.views[SCALE]
    assert view.row.state is RowState.DRIFTED
    view.button.click()
    assert page.window().page == "changes"


@pytest.mark.parametrize(
    ("availability", "reason", "note"),
    [
        (Availability.ABSENT, None, "not installed"),
        (Availability.MISMATCH, Statement("bridge.helper.older"), "older"),
        (Availability.BROKEN, told("it crashed"), "It crashed."),
        (Availability.NO_BUS, Statement("bridge.helper.no_bus"), "cannot be changed by a click"),
    ],
)
def test_without_a_helper_commands_are_suggested(make, availability, reason, note):
    """Nothing can be applied; copying is the one suggested action, and the reason is told."""
    page, _ = make(availability=availability, reason=reason)
    bar = page.detail.action_bar
    assert not bar.apply.isVisible()
    assert bar.copy.property("role") == "suggested"
    assert note in bar.note.text()


def test_link_explains_the_helper(make):
    """The link beside the reason leads to what the helper is for."""
    page, _ = make(availability=Availability.ABSENT)
    page.detail.action_bar.link.click()
    assert page.window().live.panel.isVisible()


def test_details_open_and_stay_open(make):
    """Reason, cost, risk, when not and who set it stand behind the arrow of a row."""
    page, tuning = make()
    view = page.detail.table.views[SCALE]
    view.more.click()
    assert view.details.isVisible()
    assert any(f"{SCALE}: 10 → " in each.text() for each in view.details.findChildren(QLabel))
    tuning.give(*tuning_scenes.kept_changes())
    assert not page.detail.table.views[SCALE].details.isHidden()


def test_ticks_stay_when_values_are_read_again(make):
    """A tick that the user took away does not come back by itself."""
    page, tuning = make()
    page.detail.table.views[SCALE].check.click()
    tuning.give(tuning_scenes.IDLE, tuning_scenes.reading(vm__swappiness="61"))
    tuning.give(tuning_scenes.IDLE, tuning_scenes.reading(vm__watermark_boost_factor="14000"))
    assert not page.detail.table.views[SCALE].check.isChecked()


def test_recording_of_another_computer(make):
    """Its own settings and advice; nothing to tick, nothing to apply, and the page says why."""
    page, tuning = make(live_scenes.stuttering)
    page.show_feed_state(FeedState(FeedKind.REPLAY, "test-flight.destutter"))
    page.trial_requests.follow_recording(None, tuning.model)
    page.show_cause()
    assert page.subtitle.full_text == "Recording test-flight.destutter"
    assert all(view.check.isHidden() for view in page.detail.table.views.values())
    bar = page.detail.action_bar
    assert not bar.apply.isVisible()
    assert "another computer" in bar.note.text()
    page.begin_anew()
    assert page._ranking.chosen is None


def test_one_suggested_button(make, qapp):
    """At most one filled button at a time."""
    from PySide6.QtWidgets import QPushButton

    for options in (
        {},
        {"availability": Availability.ABSENT},
        {"scene": live_scenes.first_seconds},
    ):
        page, _ = make(**options)
        filled = [
            each
            for each in page.findChildren(QPushButton)
            if each.isVisible() and each.property("role") == "suggested"
        ]
        assert len(filled) <= 1


def test_focus_stays_at_the_bar_while_a_password_is_asked(make):
    """A button that cannot be used any more does not throw the focus across the window."""
    page, tuning = make()
    bar = page.detail.action_bar
    bar.try_out.setFocus()
    bar.try_out.click()
    assert bar.cancel.hasFocus()
    fail(tuning, HelperError("Dismissed", "closed"))
    focus = page.window().focusWidget()
    assert focus is bar or focus in bar.children()
