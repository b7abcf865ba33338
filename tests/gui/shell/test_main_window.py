# SPDX-License-Identifier: GPL-3.0-or-later
"""The window around the pages: start, navigation, theme, helper and own cost."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from destutter.bridge.helper_client import Availability, HelperStatus
from destutter.bridge.kept_settings import KeptSettings
from destutter.core.statement import Statement, told
from destutter.settings import Places, Settings
from destutter.ui.look.desktop_scheme import DesktopScheme
from destutter.ui.look.fonts import body_font, body_sizes
from destutter.ui.look.theme import Theme
from destutter.ui.look.tokens import DARK, LIGHT
from destutter.ui.pages.feed_state import RecordingState
from destutter.ui.pages.page_sources import PageSources
from destutter.ui.pages.pages import SETTINGS
from destutter.ui.settings.settings_page import SettingsPage
from destutter_helper.api.names import HELPER_VERSION
from tests.gui.live_window import NARROW, WIDE, make_live, settle, snapshots_of
from tests.support.window_kit import icons, make_theme, make_window

__all__ = ["make_live"]


def test_frame_comes_before_the_pages(make_live, qtbot, qapp):
    """The first picture needs no page; page and graphs follow by themselves."""
    window = make_window(make_theme(qapp))
    assert not window._pages
    with qtbot.waitSignal(window.drawn, timeout=20_000):
        window.show()
    assert window.live.card is not None
    window.close()
    window.deleteLater()


def test_only_pages_that_exist_are_offered(make_live):
    """Each entry of the navigation leads somewhere."""
    window = make_live()
    for page in list(window.sidebar._buttons):
        window.sidebar.button(page).click()
        assert window.page == page


def test_alt_and_a_number_go_to_a_page(make_live, qtbot):
    """Alt+1 is the live page from everywhere."""
    window = make_live()
    window.show_page("settings")
    window.activateWindow()
    qtbot.keyClick(window, Qt.Key.Key_1, Qt.KeyboardModifier.AltModifier)
    assert window.page == "live"


def test_control_r_records(make_live, qtbot):
    """Ctrl+R asks for a recording."""
    window = make_live("smooth")
    window.activateWindow()
    with qtbot.waitSignal(window.record_requested):
        qtbot.keyClick(window, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space])
def test_enter_presses_the_button_that_has_the_focus(make_live, qtbot, key):
    """As the space bar does. A player who pressed it on "Start" saw nothing happen."""
    window = make_live()
    button = window.sidebar.button("settings")
    window.activateWindow()
    button.setFocus()
    qtbot.keyClick(button, key)
    assert window.page == "settings"
    qtbot.keyClick(button, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)


def test_enter_elsewhere_presses_nothing(make_live, qtbot):
    """A key that no button has is left to others."""
    window = make_live()
    window.activateWindow()
    window.setFocus()
    qtbot.keyClick(window, Qt.Key.Key_Return)
    assert window.page == "live"


def test_narrow_window_has_a_rail(make_live, qapp):
    """Below 1180 px names give way to icons with tool tips, and tiles to one line each."""
    window = make_live(size=WIDE)
    wide = window.sidebar.width()
    window.resize(*NARROW)
    settle(qapp)
    button = window.sidebar.button("live")
    assert window.sidebar.width() < wide / 2
    assert button.text() == ""
    assert button.toolTip() == "Live"
    assert not window.live.tiles._tiles[next(iter(window.live.tiles._tiles))].reason.isVisible()
    window.resize(*WIDE)
    settle(qapp)
    assert window.sidebar.width() == wide


@pytest.mark.parametrize("size", [WIDE, NARROW])
def test_nothing_needs_scrolling_at_the_usual_sizes(make_live, qapp, size):
    """At 1440 x 900 and at 1024 x 740 the page fits."""
    window = make_live("whole_computer", size=size)
    settle(qapp)
    scroll = window._pages["live"]
    assert scroll.verticalScrollBar().maximum() == 0
    assert scroll.horizontalScrollBar().maximum() == 0


def test_small_window_scrolls(make_live, qapp):
    """In a window that is too small the page keeps its size and scrolls."""
    window = make_live(size=(700, 500))
    settle(qapp)
    assert window._pages["live"].verticalScrollBar().maximum() > 0


@pytest.mark.parametrize(
    ("availability", "text"),
    [
        (Availability.READY, "Helper ready"),
        (Availability.ABSENT, "No helper"),
        (Availability.BROKEN, "Helper fails"),
        (Availability.MISMATCH, "Helper does not fit"),
    ],
)
def test_helper_is_shown(make_live, availability, text):
    """Whether settings can be changed is said below the navigation, and explained on demand."""
    window = make_live("smooth")
    assert window.sidebar.helper.isHidden()
    window.show_helper(HelperStatus(availability, told("Because.")))
    assert text in window.sidebar.helper.accessibleName()
    window.sidebar.helper.click()
    assert window.live.panel.isVisible()
    window.live.panel.close_panel()
    words = window.sidebar._helper_title  # people click on what they read, not on its sign
    QTest.mouseClick(words, Qt.MouseButton.RightButton)
    assert not window.live.panel.isVisible()
    QTest.mouseClick(words, Qt.MouseButton.LeftButton)
    assert window.live.panel.isVisible()


def test_settings_lead_to_the_helper(make_live, tmp_path):
    """Who wants to be rid of it looks there first."""
    window = make_live("smooth")
    kept = KeptSettings(Places(tmp_path / "config", tmp_path / "data"), Settings())
    window.offer_sources(PageSources(settings=kept))
    window.show_page(SETTINGS)
    page = window.page_of(SETTINGS)
    assert isinstance(page, SettingsPage)
    page.helper.click()
    assert window.live.panel.isVisible()


def test_what_stands_open_of_the_helper_follows_it(make_live):
    """Who had just installed it read "the helper is not installed" beside "Helper ready"."""
    window = make_live("smooth")
    absent = HelperStatus(Availability.ABSENT, Statement("bridge.helper.absent"))
    ready = HelperStatus(Availability.READY, version=HELPER_VERSION, place="/opt/destutter/x")

    def words():
        return " ".join(label.text() for label in window.live.panel.findChildren(QLabel))

    window.show_helper(absent)
    window.sidebar.helper.click()
    assert "not installed" in words()
    window.show_helper(ready)
    assert "not installed" not in words()
    assert "It fits this program" in words()
    window.live.panel.close_panel()
    window.show_helper(absent)
    assert window.live.panel.isHidden()


@pytest.mark.parametrize(("version", "text"), [("0.0.1", "older"), ("99.0", "newer")])
def test_helper_of_another_version_is_named(make_live, version, text):
    """It can be used; that it is older or newer is said below the navigation and in the panel."""
    window = make_live("smooth")
    window.show_helper(HelperStatus(Availability.READY, version=version, place="/opt/destutter/x"))
    assert window.sidebar.helper.accessibleName() == f"Helper ready, {text} than this program"
    window.sidebar.helper.click()
    shown = window.live.panel.findChildren(QLabel)
    told = " ".join(label.accessibleName() or label.text() for label in shown)
    assert f"Version {version}. It is {text} than this program" in told
    assert "/opt/destutter/x" in told


def test_own_cost_is_shown(make_live, monkeypatch):
    """After a while the window says what it costs itself."""
    window = make_live("smooth")
    window._cost._every_ns = 0
    window.show_snapshot(snapshots_of("smooth")[-1])
    assert "of one core" in window.sidebar.cost.text()
    assert "MB" in window.sidebar.cost.text()


@pytest.mark.parametrize("size", [(1280, 800), (1440, 900)])
def test_nothing_moves_when_the_own_cost_is_known(make_live, monkeypatch, qapp, size):
    """It comes some seconds after the first picture; a click beside "Settings" went nowhere."""
    window = make_live()
    monkeypatch.setattr(window._cost, "take", lambda: None)
    window.resize(*size)
    window.show()
    qapp.processEvents()

    def places():
        qapp.processEvents()
        return {page: button.y() for page, button in window.sidebar._buttons.items()}

    before = places()
    window.sidebar.show_cost("Destutter uses 14.4 % of one core, 123 MB")
    assert places() == before


def test_theme_follows_the_desktop_when_told_to(qapp):
    """Auto follows the desktop; a choice of the user does not."""
    desktop = DesktopScheme(qapp.styleHints(), None)
    theme = Theme(qapp, desktop, icons(), "auto")
    assert theme.tokens == LIGHT, "without a word of the desktop"
    desktop.take("color-scheme", 1)
    assert theme.tokens == DARK
    desktop.take("color-scheme", 2)
    assert theme.tokens == LIGHT
    theme.choose("dark")
    assert theme.tokens == DARK
    desktop.take("color-scheme", 1)
    desktop.take("color-scheme", 2)
    assert theme.tokens == DARK
    desktop.take("contrast", 1)
    assert theme.tokens.pen_extra_px > 0
    with pytest.raises(ValueError, match="none of"):
        theme.choose("pink")


def test_choice_of_theme_is_reported(make_live, qtbot):
    """The settings page reports the choice, so that it can be kept."""
    window = make_live("smooth")
    window.show_page("settings")
    with qtbot.waitSignal(window.theme_chosen) as signal:
        window._pages["settings"].widget().theme.button("light").click()
    assert signal.args == ["light"]


def test_desktop_font_is_kept():
    """A family and size that the desktop chose are used; a bare session gets 13 px."""
    chosen = QFont("Noto Sans")
    chosen.setPointSizeF(12.0)
    sizes = body_sizes(chosen, 96.0)
    assert sizes.body == 16.0
    assert body_font(chosen, sizes).family() == "Noto Sans"
    assert body_sizes(QFont("Sans Serif"), 96.0).body == 13.0
    huge = QFont("Noto Sans")
    huge.setPixelSize(90)
    assert body_sizes(huge, 96.0).body == 20.0


def test_every_icon_can_be_drawn_in_any_colour(qapp):
    """All icons are there, are not empty, and take their colour."""
    for name in icons().names:
        image = icons().pixmap(name, "#ff0000", 20, 2.0).toImage()
        seen = [image.pixelColor(x, y) for x in range(40) for y in range(40)]
        inked = [color for color in seen if color.alpha() > 200]
        assert inked, name
        assert all(color.red() > 200 and color.green() < 60 for color in inked), name
    with pytest.raises(KeyError):
        icons().pixmap("no-such-icon", "#ff0000", 20, 1.0)


def test_a_recording_is_seen_on_every_page_and_in_the_list_of_windows(make_live, qapp):
    """Whoever looks at the causes, or plays in full screen, knows that it still runs."""
    window = make_live()
    entry = window.sidebar.button("live")
    window.show_page("settings")
    settle(qapp)
    before, quiet = entry.grab().toImage(), entry.accessibleName()
    window.show_recording(RecordingState(1, "Convoy.destutter"))
    assert window.windowTitle() == "● Destutter — recording"
    assert entry.accessibleName() == "Live, a recording runs"
    assert entry.grab().toImage() != before
    window.show_recording(RecordingState())
    assert window.windowTitle() == "Destutter"
    assert entry.accessibleName() == quiet == "Live"
    assert entry.grab().toImage() == before
