# SPDX-License-Identifier: GPL-3.0-or-later
"""Help from every page: F1, the list of keys, and what the program is."""

import re

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QLabel, QPushButton

from destutter.ui.controls.own_keys import OwnKeys
from destutter.ui.help.page_help import ISSUES
from destutter.ui.pages.pages import CAUSES, CHANGES, LIVE
from destutter_helper.api.names import HELPER_VERSION
from tests.gui.live_window import settle
from tests.support.tuning_scenes import TuningScene
from tests.support.window_kit import make_theme, make_window


@pytest.fixture
def window(qtbot, qapp):
    """A window with all that a model of settings adds."""
    tuning = TuningScene()
    made = make_window(make_theme(qapp), watches_computer=True, tuning=tuning.model)
    with qtbot.waitSignal(made.drawn, timeout=20_000):
        made.show()
    settle(qapp)
    made.activateWindow()
    yield made
    made.close()
    tuning.close()
    made.deleteLater()
    settle(qapp)


def _told(window) -> list[str]:
    content = window.help.panel.content
    assert content is not None
    return [label.text() for label in content.findChildren(QLabel)]


@pytest.mark.parametrize("page", ["live", "causes", "changes", "settings"])
def test_the_key_of_help_explains_the_page_that_is_shown(window, qtbot, page):
    """What it tells, what its figures mean, what one can do; Escape leads back."""
    window.show_page(page)
    before = window.focusWidget()
    qtbot.keyClick(window, Qt.Key.Key_F1)
    panel = window.help.panel
    assert panel.isVisible()
    assert panel.title.full_text == {"settings": "Settings"}.get(page, page.capitalize())
    assert len(_told(window)) >= 3
    qtbot.keyClick(panel.close_button, Qt.Key.Key_Escape)
    assert not panel.isVisible()
    assert window.focusWidget() is before


def test_the_list_has_every_key_there_is(window, qtbot):
    """It is made of the keys themselves; none of them is without words."""
    window.show_page("changes")
    qtbot.keyClick(window, Qt.Key.Key_Slash, Qt.KeyboardModifier.ControlModifier)
    told = _told(window)
    shortcuts = window.findChildren(QShortcut)
    assert len(shortcuts) > 10
    assert all(each.whatsThis() for each in shortcuts)
    for each in shortcuts:
        owner = each.parent()
        if owner is window or owner.isVisible():
            written = each.key().toString(QKeySequence.SequenceFormat.NativeText)
            ends = [key for line in told for key in re.split(", | … ", line)]
            assert written in ends or re.fullmatch(r"Alt\+[2-8]", written), written
    assert "Undo the last change" in told
    assert "Go to the page with this number" in told
    assert "Back to now" not in told, "the graphs are not on this page"
    window.show_page("live")
    window.help.list_keys()
    told = _told(window)
    assert {"Back to now", "Let the graphs stand still, or go on"} <= {*told}
    for keys in window.live.findChildren(OwnKeys):
        assert all(named.text in told for named in keys.named)


def test_about_tells_version_licence_and_how_to_report(window):
    """From the button at the side, on every page; the command can be copied."""
    window.help.menu.actions()[-1].trigger()
    told = " ".join(_told(window))
    assert HELPER_VERSION in told
    assert "GNU General Public License" in told
    names = [each.accessibleName() for each in window.help.panel.content.findChildren(QPushButton)]
    assert any("destutter capture" in name for name in names)
    assert any(ISSUES in name for name in names)


def test_the_strip_is_asked_for_from_the_window(window, qtbot):
    """Beside the tray, which many desktops have not."""
    (strip,) = [each for each in window.help.menu.actions() if "strip" in each.text()]
    with qtbot.waitSignal(window.strip_requested):
        strip.trigger()


def test_the_drawer_stays_at_its_side(window):
    """It is as high as the window, and never wider."""
    window.help.tell_about()
    for size in ((1440, 900), (640, 400)):
        window.resize(*size)
        panel = window.help.panel.geometry()
        assert (panel.right() + 1, panel.height()) == size


def test_who_read_about_the_helper_is_back_where_he_asked(window, qtbot):
    """The panel is on the page Live: a cause was lost. Who went on meanwhile stays there."""
    window.show_page(CAUSES)
    window.explain_helper()
    assert window.page == LIVE
    qtbot.keyClick(window.live.panel.close_button, Qt.Key.Key_Space)
    assert window.page == CAUSES
    window.explain_helper()
    window.sidebar.button(CHANGES).click()
    window.show_page(LIVE)
    window.live.panel.close_panel()
    assert window.page == LIVE
