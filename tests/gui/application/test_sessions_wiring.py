# SPDX-License-Identifier: GPL-3.0-or-later
"""Recordings and the guide inside the window: replay and back, order of pages, the offer."""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from destutter.application.guide_wiring import GuideWiring
from destutter.application.sessions_wiring import SessionsWiring
from destutter.core.statement import Statement
from destutter.guide_progress import GuideProgress, GuideStep, GuideStore
from destutter.settings import Places
from destutter.ui.pages.feed_state import FeedKind
from destutter.ui.pages.pages import GUIDE, SESSIONS
from destutter.ui.plots.lane_data import WAKEUP
from destutter.ui.sessions.sessions_page import SessionsPage
from destutter.ui.shell.main_window import MainWindow
from tests.gui.live_window import settle, snapshots_of
from tests.gui.sessions.page_kit import REAL
from tests.support.tuning_scenes import TuningScene
from tests.support.window_kit import make_theme, make_window


@dataclass
class Wired:
    """A window with both pages over a folder of real recordings."""

    window: MainWindow
    sessions: SessionsWiring
    guide: GuideWiring
    file: Path


@pytest.fixture
def make_wired(qtbot, qapp, tmp_path: Path) -> Iterator[object]:
    """Makes windows; stops everything at the end."""
    folder = tmp_path / "sessions"
    folder.mkdir()
    for name in ("global_reclaim", "quiet"):
        shutil.copy(REAL / f"{name}.destutter", folder)
    made: list[tuple[Wired, TuningScene]] = []

    def make(
        progress: GuideProgress = GuideProgress(),  # noqa: B008  never changed
        page: str = "",
    ) -> Wired:
        file = tmp_path / "guide.json"
        GuideStore(file).keep(progress)
        tuning = TuningScene()
        window = make_window(make_theme(qapp), watches_computer=True, tuning=tuning.model)
        sessions = SessionsWiring(window, folder, window)
        guide = GuideWiring(window, file, sessions, tuning.model, window)
        wired = Wired(window, sessions, guide, file)
        made.append((wired, tuning))
        window.resize(1440, 900)
        if page:
            window.show_page(page)
        with qtbot.waitSignal(window.drawn, timeout=20_000):
            window.show()
        settle(qapp)
        return wired

    yield make
    for wired, tuning in made:
        wired.window.close()
        wired.sessions.stop()
        tuning.close()
        wired.window.deleteLater()
    settle(qapp)


def test_pages_have_their_order_whenever_they_come(make_wired, qtbot):
    """Live, Causes, Changes, Sessions, Guide; Alt and a number go there."""
    window = make_wired().window
    assert window.sidebar.pages[:5] == ("live", "causes", "changes", SESSIONS, GUIDE)
    window.activateWindow()
    qtbot.keyClick(window, Qt.Key.Key_4, Qt.KeyboardModifier.AltModifier)
    assert window.page == SESSIONS
    qtbot.keyClick(window, Qt.Key.Key_5, Qt.KeyboardModifier.AltModifier)
    assert window.page == GUIDE


def _waits(live):
    """(seconds, milliseconds) of the late wake-ups that the graphs have."""
    times, values = live.card.data.series(WAKEUP).span(-1e9, 1e9)
    return list(zip(times.tolist(), values.tolist(), strict=True))


def test_a_recording_plays_in_live_and_leads_back(make_wired, qtbot):
    """What was measured before it, and beside it, is there again on the way back."""
    wired = make_wired()
    window = wired.window
    before, beside = snapshots_of("stuttering")[-4:-2], snapshots_of("stuttering")[-2:]
    for snapshot in before:
        window.show_snapshot(snapshot)
    window.live.prepare_graphs()
    measured = _waits(window.live)
    assert measured
    page = window.page_of(SESSIONS)
    assert isinstance(page, SessionsPage)
    window.show_page(SESSIONS)
    qtbot.waitUntil(lambda: wired.sessions.models.library.is_read)
    page.show_sessions([wired.sessions.folder / "global_reclaim.destutter"])
    qtbot.waitUntil(lambda: not wired.sessions.models.examiner.is_running, timeout=30_000)
    page.details.head.replay.click()
    qtbot.waitUntil(lambda: window.page == "live")
    live = window.live
    assert live._feed.kind is FeedKind.REPLAY
    qtbot.waitUntil(lambda: live.header.game.text().startswith("victim"), timeout=10_000)
    window.show_page(SESSIONS)
    assert wired.sessions.playback.bar.back.isVisible()
    window.show_page("live")
    assert not live.header.record.isVisible()
    assert wired.sessions.playback.feed is not None
    wired.sessions.playback.feed.ended.emit(Statement("bridge.replay_over"))
    assert live._subtitle() == "Recording global_reclaim.destutter. This is its end."
    for snapshot in beside:
        window.show_present(snapshot)
    assert _waits(live)[: len(measured)] != measured
    with qtbot.waitSignal(wired.sessions.ended):
        wired.sessions.playback.bar.back.setFocus()
        wired.sessions.playback.bar.back.click()
    assert wired.window.focusWidget() is wired.window.page_of("live"), "it went to Help"
    assert not wired.sessions.is_playing
    assert not wired.sessions.playback.bar.isVisible()
    assert live._snapshot is None
    assert _waits(live)[: len(measured)] == measured
    assert len(_waits(live)) > len(measured)


def test_the_cause_of_a_recording_is_one_click_away(make_wired, qtbot):
    """It is read to its end, so that the page has the figures of Sessions."""
    wired = make_wired()
    window = wired.window
    window.show_page(SESSIONS)
    page = window.page_of(SESSIONS)
    assert isinstance(page, SessionsPage)
    page.show_sessions([wired.sessions.folder / "global_reclaim.destutter"])
    qtbot.waitUntil(page.details.banner.isVisible, timeout=30_000)
    show, report = page.details.banner.buttons
    assert (show.text(), report.text()) == ("Show the cause", "Make a report")
    show.click()
    qtbot.waitUntil(lambda: window.page == "causes", timeout=20_000)
    qtbot.waitUntil(lambda: window.causes.empty is None, timeout=20_000)
    assert window.causes.list.cards
    chosen = window.causes._ranking.chosen
    assert chosen is not None
    assert chosen.cause == "direct_reclaim"
    bar = wired.sessions.playback.bar
    qtbot.waitUntil(lambda: abs(bar.seek.value() - bar.length_s) <= 1.0, timeout=20_000)
    assert window.causes.subtitle.full_text == "Recording global_reclaim.destutter"
    bar.back.setFocus()
    window.show_page(GUIDE)
    qtbot.waitUntil(lambda: not wired.sessions.is_playing, timeout=20_000)
    assert not bar.isVisible(), "it stood above the guide, with the only blue button there"
    focus = window.focusWidget()
    assert focus is not None
    assert window.page_of(GUIDE).isAncestorOf(focus) or focus is window.page_of(GUIDE)


def test_a_recording_that_is_played_for_itself_goes_on_beside_the_guide(make_wired, qtbot, qapp):
    """Who looks into the guide meanwhile keeps his place in it."""
    wired = make_wired()
    wired.sessions.open(wired.sessions.folder / "quiet.destutter")
    qtbot.waitUntil(lambda: wired.sessions.is_playing, timeout=20_000)
    wired.window.show_page(GUIDE)
    settle(qapp)
    assert wired.sessions.is_playing


def test_a_recording_that_cannot_be_played_is_a_line_on_its_page(make_wired, qtbot):
    """The window stays where it is."""
    wired = make_wired()
    wired.window.show_page(SESSIONS)
    page = wired.window.page_of(SESSIONS)
    assert isinstance(page, SessionsPage)
    wired.sessions.open(wired.sessions.folder / "gone.destutter")
    qtbot.waitUntil(lambda: bool(page.notices.shown))
    assert page.notices.shown[0].text == "gone cannot be read"
    assert wired.window.page == SESSIONS


def test_the_guide_is_offered_and_can_be_declined(make_wired):
    """One line on the Live page; closing it is remembered."""
    wired = make_wired()
    notice = wired.window.live.offers.shown
    assert notice is not None
    assert "guide" in notice.text.lower()
    wired.window.live.offers.close_button.click()
    assert GuideStore(wired.file).progress.is_declined
    again = make_wired(GuideProgress(is_declined=True))
    assert again.window.live.offers.shown is None


def test_who_is_in_the_guide_is_not_asked_whether_he_is_new(make_wired):
    """The very first start opens with it, before the Live page can offer it."""
    window = make_wired(page=GUIDE).window
    assert window.page == GUIDE
    assert window.live.offers.shown is None


def test_the_first_page_is_the_guide_once(make_wired, tmp_path):
    """Its button has the focus; left for another page, it has been seen and does not come back."""
    places = Places(tmp_path, tmp_path)
    was_new = [places.are_new]
    wired = make_wired()
    window = wired.window
    window.activateWindow()
    window.show_page(GUIDE)
    guide = window.page_of(GUIDE)
    assert guide.next.hasFocus()
    assert guide.step is GuideStep.WELCOME
    window.sidebar.button("live").click()
    assert window.page == "live"
    assert wired.file == places.guide_file
    was_new.append(places.are_new)
    assert was_new == [True, False]
    assert GuideStore(wired.file).progress == GuideProgress()


def test_a_guide_that_was_left_is_offered_again(make_wired):
    """The line leads to the step where it was left, and back."""
    wired = make_wired(GuideProgress(GuideStep.RECORD))
    assert wired.window.live.offers.shown is not None
    wired.window.live.offers.link.click()
    assert wired.window.page == GUIDE
    guide = wired.window.page_of(GUIDE)
    guide.leave.click()
    assert wired.window.page == "live"
    assert wired.window.live.offers.shown is not None


def test_recording_is_the_same_action_everywhere(make_wired, qtbot):
    """The page of recordings and the guide ask the window, as the Live page does."""
    wired = make_wired(GuideProgress(GuideStep.RECORD))
    window = wired.window
    page = window.page_of(SESSIONS)
    assert isinstance(page, SessionsPage)
    with qtbot.waitSignal(window.record_requested):
        page.header.record.click()
    guide = window.page_of(GUIDE)
    window.show_snapshot(snapshots_of("smooth")[-1])
    with qtbot.waitSignal(window.record_requested):
        guide.next.click()
