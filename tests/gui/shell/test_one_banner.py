# SPDX-License-Identifier: GPL-3.0-or-later
"""At most one banner and one suggested button at a time: the most urgent has the word."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QPushButton

from destutter.application.guide_wiring import GuideWiring
from destutter.application.sessions_wiring import SessionsWiring
from destutter.ui.controls.banner import BannerText, Urgency
from destutter.ui.controls.notices import Notice
from destutter.ui.pages.pages import GUIDE, LIVE, SESSIONS
from destutter.ui.shell.main_window import MainWindow
from destutter_helper.api.names import HelperError
from tests.support import tuning_scenes
from tests.support.causes_window import open_causes, settle
from tests.support.tuning_scenes import TuningScene
from tests.support.window_kit import make_theme

OpenLive = Callable[[], tuple[MainWindow, TuningScene]]


def _suggested(window: MainWindow) -> list[QPushButton]:
    buttons = window.findChildren(QPushButton)
    return [each for each in buttons if each.isVisible() and each.property("role") == "suggested"]


def test_verdict_gives_way_to_a_trial(open_live: OpenLive, qapp: QApplication) -> None:
    """Its sentence stands below the title, and only "Keep" is suggested, until the trial ends."""
    window, scene = open_live()
    headline = window.live.banner.headline.full_text
    assert window.live.banner.isVisible()
    scene.give(*tuning_scenes.four_changes(), is_ours=True)
    settle(qapp)
    assert window.trial is not None
    assert not window.live.banner.isVisible()
    assert window.live.header.subtitle.full_text == headline
    assert _suggested(window) == [window.trial.banner.keep]
    scene.give(*tuning_scenes.kept_changes())
    settle(qapp)
    assert window.live.banner.isVisible()
    assert window.live.header.subtitle.full_text != headline
    assert _suggested(window) == [window.live.header.record]


def test_verdict_is_whole_in_a_small_window(open_live: OpenLive, qapp: QApplication) -> None:
    """Its last word is the cause; beside the buttons it has a second line for it."""
    window, scene = open_live()
    scene.give(*tuning_scenes.four_changes(), is_ours=True)
    window.resize(1024, 740)
    settle(qapp)
    subtitle = window.live.header.subtitle
    assert "\n" in subtitle.text()
    assert subtitle.text().endswith("memory")
    assert not subtitle.is_cut
    assert subtitle.height() >= 2 * subtitle.fontMetrics().height()
    window.resize(1440, 900)
    settle(qapp)
    assert subtitle.text() == subtitle.full_text


def test_summary_waits_for_the_end_of_a_trial(open_live: OpenLive, qapp: QApplication) -> None:
    """Of two banners above the pages the more urgent is shown, the other one after it."""
    window, scene = open_live()
    summary = window.banner_area.banner(Urgency.STUTTER)
    summary.show_text(BannerText("ok", "clear", "While you played: no stutter.", "", Urgency.INFO))
    summary.show()
    assert summary.isVisible()
    scene.give(*tuning_scenes.four_changes(), is_ours=True)
    settle(qapp)
    assert not summary.isVisible()
    scene.give(*tuning_scenes.kept_changes())
    settle(qapp)
    assert summary.isVisible()
    summary.hide()
    assert not window.banner_area.isVisible()


def test_offer_is_a_quiet_line_that_waits(open_live: OpenLive, qapp: QApplication) -> None:
    """The guide is offered without a second banner, and not at all during a trial."""
    window, scene = open_live()
    offers = window.live.offers
    closed: list[str] = []
    offers.closed.connect(closed.append)
    offers.show_notice(Notice("guide", "info", "New here?", action="Open the guide"))
    assert offers.isVisible()
    assert offers.property("role") != "banner"
    scene.give(*tuning_scenes.four_changes(), is_ours=True)
    settle(qapp)
    assert not offers.isVisible()
    scene.give(*tuning_scenes.kept_changes())
    settle(qapp)
    assert offers.isVisible()
    offers.close_button.click()
    assert not offers.isVisible()
    assert closed == ["guide"]


@pytest.fixture
def open_whole(qapp: QApplication, tmp_path: Path, qtbot) -> Iterator[OpenLive]:
    """Opens windows with every page that has something to suggest."""
    made: list[tuple[MainWindow, TuningScene, SessionsWiring]] = []

    def make() -> tuple[MainWindow, TuningScene]:
        window, scene = open_causes(qapp, make_theme(qapp), (1440, 900), None)
        sessions = SessionsWiring(window, tmp_path / "sessions", window)
        file = tmp_path / "guide.json"
        GuideWiring(window, file, sessions, scene.model, window)
        made.append((window, scene, sessions))
        window.show_page(SESSIONS)
        qtbot.waitUntil(lambda: sessions.models.library.is_read)
        settle(qapp)
        return window, scene

    yield make
    for window, scene, sessions in made:
        window.close()
        sessions.stop()
        scene.close()
        window.deleteLater()
    settle(qapp)


@pytest.mark.parametrize("page", [LIVE, "causes", "changes", SESSIONS, GUIDE])
def test_only_the_trial_suggests(open_whole: OpenLive, qapp: QApplication, page: str) -> None:
    """On every page: one suggestion, and none beside "Keep" while a trial runs."""
    window, scene = open_whole()
    window.show_page(page)
    settle(qapp)
    usual = _suggested(window)
    assert len(usual) == 1
    scene.give(*tuning_scenes.four_changes(), is_ours=True)
    settle(qapp)
    assert window.trial is not None
    assert _suggested(window) == [window.trial.banner.keep]
    for other in (LIVE, "causes", "changes", SESSIONS, GUIDE):
        window.show_page(other)
        settle(qapp)
        assert _suggested(window) == [window.trial.banner.keep]
    scene.give(tuning_scenes.IDLE, tuning_scenes.reading())
    window.show_page(page)
    settle(qapp)
    assert len(_suggested(window)) == 1


def test_who_has_answered_a_trial_is_on_the_page(open_whole: OpenLive, qapp: QApplication) -> None:
    """Keys go to no button that stands there by chance: while the password is asked for, and
    after; a closed dialog gives the question its focus back."""
    window, scene = open_whole()
    window.show_page("changes")
    scene.give(*tuning_scenes.four_changes(), is_ours=True)
    settle(qapp)
    assert window.trial is not None
    always, page = window.trial.banner.always, window.page_of("changes")
    always.setFocus()
    for _ in range(2):
        always.click()
        assert not always.isEnabled()
        settle(qapp)
        assert window.focusWidget() is page
        scene.helper.failed.emit("Keep", HelperError("Dismissed", "closed"))
        settle(qapp)
        assert window.focusWidget() is always
    always.click()
    window.sidebar.button("settings").setFocus()
    scene.helper.failed.emit("Keep", HelperError("Dismissed", "closed"))
    assert window.focusWidget() is not always
    always.setFocus()
    always.click()
    scene.helper.finish("Keep")
    scene.give(*tuning_scenes.kept_changes())
    settle(qapp)
    assert not window.trial.banner.isVisible()
    assert window.focusWidget() is page


def test_a_trial_that_ends_by_itself_leaves_the_focus_on_the_page(
    open_whole: OpenLive, qapp: QApplication
) -> None:
    """And who is elsewhere stays there."""
    window, scene = open_whole()
    window.show_page("changes")
    assert window.trial is None or not window.trial.banner.isVisible()
    for focused in (True, False):
        scene.give(*tuning_scenes.four_changes(), is_ours=True)
        settle(qapp)
        assert window.trial is not None
        elsewhere = window.sidebar.button("settings")
        (window.trial.banner.revert if focused else elsewhere).setFocus()
        scene.give(tuning_scenes.IDLE, tuning_scenes.reading())
        settle(qapp)
        there = window.page_of("changes") if focused else elsewhere
        assert window.focusWidget() is there
        scene.give(*tuning_scenes.four_changes(), is_ours=True)
        assert window.focusWidget() is there
        scene.give(tuning_scenes.IDLE, tuning_scenes.reading())
        settle(qapp)
