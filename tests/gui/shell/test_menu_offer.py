# SPDX-License-Identifier: GPL-3.0-or-later
"""The AppImage's offer to be in the menu, beside that of the guide, and its switch."""

import pytest

from destutter.bridge.kept_settings import KeptSettings
from destutter.settings import Places, Settings, load_settings
from destutter.ui.controls.notices import Notice
from destutter.ui.pages.pages import GUIDE
from destutter.ui.settings.settings_page import SettingsPage
from destutter.ui.shell import menu_offer
from destutter.ui.shell.menu_offer import OFFER, MenuOffer
from tests.gui.guide.guide_kit import make_guide
from tests.gui.sessions.page_kit import flights, folder
from tests.support.window_kit import make_theme
from tests.unit.test_menu_entry import image_in

__all__ = ["flights", "folder", "make_guide"]


@pytest.fixture
def kept(tmp_path):
    """Settings in a file of the test's own."""
    made = KeptSettings(Places(tmp_path / "config", tmp_path / "data"), Settings())
    yield made
    made.deleteLater()


@pytest.fixture
def open_offer(qapp, kept, tmp_path, open_live):
    """A window of an AppImage that has just been started, with the entry that it may have."""

    def start():
        entry = image_in(tmp_path)
        window, _scene = open_live()
        made = MenuOffer(window, kept, entry, window)
        made._begin()
        return window.live.offers, entry

    return start


def test_taken_offer_puts_it_there(open_offer, qtbot, monkeypatch):
    """One click; the line says that it is done, and goes."""
    monkeypatch.setattr(menu_offer, "_TOLD_MS", 300)
    offers, entry = open_offer()
    assert offers.shown.id == OFFER
    offers.link.click()
    assert entry.is_there
    assert "in your desktop's menu now" in offers.shown.text
    assert offers.link.isHidden(), "an empty frame stood where the button had been"
    qtbot.waitUntil(lambda: offers.shown is None, timeout=10_000)


def test_at_the_first_start_the_guide_has_it_too(
    kept, tmp_path, open_live, make_guide, monkeypatch
):
    """Nobody has seen the Live page then; taken in one place, it is gone from both."""
    window, _scene = open_live()
    guide = make_guide().page
    monkeypatch.setattr(type(window), "page", GUIDE)
    monkeypatch.setattr(window, "page_of", lambda _page: guide)
    entry = image_in(tmp_path)
    made = MenuOffer(window, kept, entry, window)
    made._begin()
    assert not guide.offers.isHidden()
    assert guide.offers.shown == window.live.offers.shown
    guide.offers.link.click()
    assert entry.is_there
    assert guide.offers.shown == window.live.offers.shown
    assert guide.offers.shown.kind == "ok"


def test_closed_offer_does_not_come_back(open_offer, kept):
    """Not at the next start either; the switch in Settings stays."""
    offers, entry = open_offer()
    offers.close_button.click()
    assert not entry.is_there
    assert not load_settings(kept.places.settings_file).offers_menu_entry
    offers, _entry = open_offer()
    assert offers.shown is None


def test_failure_is_told_and_can_be_tried_again(open_offer, tmp_path):
    """A home that cannot be written."""
    offers, entry = open_offer()
    entry.data.write_text("in the way")
    offers.link.click()
    assert "Not in the menu" in offers.shown.text
    entry.data.unlink()
    offers.link.click()
    assert entry.is_there


def test_guide_is_offered_first_and_the_menu_after_it(open_offer):
    """One line at a time."""
    offers, _entry = open_offer()
    offers.remove(OFFER)
    offers.show_notice(Notice("guide", "info", "New here?", action="Open"))
    offers.show_notice(Notice(OFFER, "info", "Not in the menu", action="Add"))
    assert offers.shown.id == "guide"
    offers.close_button.click()
    assert offers.shown.id == OFFER
    assert offers.text.text() == "Not in the menu"


def test_switch_in_settings_puts_it_there_and_takes_it_out(qapp, kept, tmp_path):
    """It says what holds, also when the entry was made elsewhere; other windows have none."""
    entry = image_in(tmp_path)
    page = SettingsPage(make_theme(qapp), kept, (), entry)
    page.show()
    switch = page.checks["menu"]
    assert not switch.isChecked()
    switch.click()
    assert entry.is_there
    switch.click()
    assert not entry.is_there
    page.hide()
    entry.add()
    page.show()
    assert switch.isChecked()
    page.hide()
    page.deleteLater()
    assert "menu" not in SettingsPage(make_theme(qapp), kept).checks
