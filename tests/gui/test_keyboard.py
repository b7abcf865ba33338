# SPDX-License-Identifier: GPL-3.0-or-later
"""The window by keyboard alone: every page with real keys, from the navigation and back to it."""

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QButtonGroup,
    QComboBox,
    QHeaderView,
    QLineEdit,
    QScrollArea,
    QSlider,
    QWidget,
)

from destutter.ui.shell.main_window import MainWindow
from tests.gui.live_window import NARROW, settle
from tests.screenshots.around_states import AROUND_STATES, AroundScene, open_around
from tests.screenshots.causes_states import CAUSES_STATES, open_state
from tests.screenshots.changes_states import CHANGES_STATES, open_changes
from tests.screenshots.session_states import SESSION_STATES, RecordedFlights, Scene
from tests.support.sampled import sampled
from tests.support.tuning_scenes import TuningScene
from tests.support.window_kit import make_theme

Open = Callable[[str], MainWindow]

_PAGES = (
    "causes",
    "causes-failed",
    "live-trial",
    "changes",
    "settings-edited",
    "sessions",
    "guide-4-choose",
    "system",
    "preferences",
)
_AT_A_DESK = ("causes", "live-trial", "changes", "settings-edited", "preferences")
_MOST_STOPS = 150
_USED = (QAbstractButton, QAbstractItemView, QComboBox, QLineEdit, QSlider)


@pytest.fixture(scope="module")
def flights() -> Iterator[RecordedFlights]:
    """Recordings for the pages that show some, made once."""
    made = RecordedFlights()
    yield made
    made.close()


@pytest.fixture
def open_page(qapp: QApplication, flights: RecordedFlights) -> Iterator[Open]:
    """Opens the states that have pictures; closes them at the end."""
    made = []

    def make(name: str) -> MainWindow:
        theme = make_theme(qapp)
        causes = {each.name: each for each in CAUSES_STATES}
        changes = {each.name: each for each in CHANGES_STATES}
        sessions = {each.name: each for each in SESSION_STATES}
        opened: tuple[MainWindow, TuningScene | Scene | AroundScene]
        if name in causes:
            opened = open_state(qapp, causes[name], theme, NARROW)
        elif name in changes:
            opened = open_changes(qapp, changes[name], theme, NARROW)
        elif name in sessions:
            opened = flights.open_sessions(qapp, sessions[name], theme, NARROW)
        else:
            state = next(each for each in AROUND_STATES if each.name == name)
            opened = open_around(qapp, state, theme, NARROW)
        made.append(opened)
        window = opened[0]
        window.activateWindow()
        window.setFocus()
        settle(qapp)
        return window

    yield make
    for window, scene in made:
        window.close()
        window.deleteLater()
        scene.close()
    settle(qapp)


def _press(qapp: QApplication, key: Qt.Key) -> QWidget:
    """Press a key where the focus is; where it is then."""
    focus = QApplication.focusWidget()
    assert focus is not None
    QTest.keyClick(focus, key)
    settle(qapp)
    focus = QApplication.focusWidget()
    assert focus is not None
    return focus


def _stops(qapp: QApplication, key: Qt.Key) -> list[QWidget]:
    """Every place where the key leads, until one comes again."""
    stops = [_press(qapp, key)]
    while len(stops) < _MOST_STOPS:
        stop = _press(qapp, key)
        if stop in stops:
            assert stop is stops[0], f"a trap at {_name(stop)}"
            return stops
        stops.append(stop)
    raise AssertionError("Tab finds no end")


def _name(widget: QWidget) -> str:
    text = widget.text() if isinstance(widget, QAbstractButton) else ""
    return f"{type(widget).__name__} {text or widget.accessibleName()}"


def _is_shown(widget: QWidget) -> bool:
    """Whether the top of a widget lies inside everything that can scroll it away."""
    top = QRect(QPoint(0, 0), QSize(min(widget.width(), 20), min(widget.height(), 20)))
    parent: QWidget | None = widget.parentWidget()
    while parent is not None:
        if isinstance(parent, QScrollArea):
            area = parent.viewport()
            where = QRect(widget.mapTo(area, top.topLeft()), top.size())
            if not area.rect().contains(where):
                return False
        parent = parent.parentWidget()
    return True


def _picture(window: MainWindow, widget: QWidget) -> QImage:
    frame = QRect(widget.mapTo(window, QPoint(-2, -2)), widget.size() + QSize(4, 4))
    return window.grab(frame).toImage()


def _is_reached(widget: QWidget, stops: list[QWidget]) -> bool:
    """Whether Tab stops there, or the arrows lead there from a neighbour where it stops."""
    if widget in stops or widget.focusProxy() is not None:
        return True
    if not isinstance(widget, QAbstractButton):
        return False
    group: QButtonGroup | None = widget.group()
    return group is not None and group.exclusive() and any(b in stops for b in group.buttons())


def _usable(window: MainWindow) -> list[QWidget]:
    return [
        each
        for each in window.findChildren(QWidget)
        if isinstance(each, _USED)
        and not isinstance(each, QHeaderView)
        and each.isEnabled()
        and each.isVisible()
        # The arrows of a bar and the cross of an input have keys of their own.
        and not isinstance(each.parentWidget(), QLineEdit)
    ]


@pytest.mark.parametrize("page", sampled(_PAGES, _AT_A_DESK))
def test_keys_reach_everything_and_show_where_they_are(
    open_page: Open, qapp: QApplication, page: str
) -> None:
    """Tab leads to all that can be used, shows where it is, and comes back; so does Shift+Tab."""
    window = open_page(page)
    stops = _stops(qapp, Qt.Key.Key_Tab)
    lost = [_name(each) for each in _usable(window) if not _is_reached(each, stops)]
    assert not lost
    hidden, silent = [], []
    for _ in stops:
        stop = _press(qapp, Qt.Key.Key_Tab)
        if not _is_shown(stop):
            hidden.append(_name(stop))
        with_focus = _picture(window, stop)
        stop.clearFocus()
        settle(qapp)
        if _picture(window, stop) == with_focus:
            silent.append(_name(stop))
        stop.setFocus(Qt.FocusReason.TabFocusReason)
        settle(qapp)
    assert not hidden
    assert not silent
    assert set(_stops(qapp, Qt.Key.Key_Backtab)) == set(stops)
