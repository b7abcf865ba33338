# SPDX-License-Identifier: GPL-3.0-or-later
"""The theme changes while the window runs: it looks as if it had been opened in that theme."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from destutter.ui.look.desktop_scheme import DesktopScheme
from destutter.ui.look.theme import Theme
from destutter.ui.settings.settings_page import SettingsPage
from destutter.ui.shell.main_window import MainWindow
from tests.gui.live_window import WIDE, settle
from tests.screenshots.around_states import AROUND_STATES, open_around
from tests.screenshots.causes_states import CAUSES_STATES, open_state
from tests.screenshots.changes_states import CHANGES_STATES, open_changes
from tests.screenshots.session_states import SESSION_STATES, RecordedFlights
from tests.support import live_scenes
from tests.support.causes_window import open_causes
from tests.support.pictures import differing, pixels
from tests.support.tuning_scenes import TuningScene
from tests.support.window_kit import icons, make_theme

DARK, LIGHT = 1, 2
"""Answers of the Settings portal for org.freedesktop.appearance color-scheme."""

_MORE_TO_LIGHT = ("causes", "sessions", "guide-2-check", "system")
Paint = Callable[[str, Theme, Callable[[MainWindow], None]], QImage]


@pytest.fixture(scope="module")
def flights() -> Iterator[RecordedFlights]:
    """Recordings for the pages that show some, made once."""
    made = RecordedFlights()
    yield made
    made.close()


@pytest.fixture
def paint(qapp: QApplication, flights: RecordedFlights) -> Paint:
    """Opens a state that has a picture, does something in the window, and takes the picture."""
    known: dict[str, Callable[..., tuple[MainWindow, Any]]] = {
        "live": lambda theme, size: _live(qapp, theme, size),
        **{each.name: partial(open_state, qapp, each) for each in CAUSES_STATES},
        **{each.name: partial(open_changes, qapp, each) for each in CHANGES_STATES},
        **{each.name: partial(flights.open_sessions, qapp, each) for each in SESSION_STATES},
        **{each.name: partial(open_around, qapp, each) for each in AROUND_STATES},
    }

    def take(name: str, theme: Theme, do: Callable[[MainWindow], None]) -> QImage:
        window, scene = known[name](theme, WIDE)
        window.sidebar.show_cost("")
        do(window)
        settle(qapp)
        if window.live.card is not None:
            window.live.card._repaint()
        settle(qapp)
        picture = window.grab().toImage()
        window.close()
        window.deleteLater()
        scene.close()
        settle(qapp)
        return picture

    return take


def _live(
    app: QApplication, theme: Theme, size: tuple[int, int]
) -> tuple[MainWindow, TuningScene]:
    window, scene = open_causes(app, theme, size, live_scenes.stuttering)
    window.show_page("live")
    return window, scene


def _nothing(_window: MainWindow) -> None:
    """As it comes."""


@pytest.mark.parametrize(
    ("page", "before", "after", "name"),
    [
        ("live", DARK, LIGHT, "light"),
        ("settings-edited", DARK, LIGHT, "light"),
        *(
            pytest.param(*case, marks=pytest.mark.long)
            for case in (
                *((page, DARK, LIGHT, "light") for page in _MORE_TO_LIGHT),
                ("live", LIGHT, DARK, "dark"),
            )
        ),
    ],
)
def test_desktop_that_changes_its_scheme_repaints_all(
    paint: Paint, qapp: QApplication, page: str, before: int, after: int, name: str
) -> None:
    """What a page shows after the change is, pixel for pixel, what a fresh start shows.

    But for rounding: Qt cuts lines at the left edge of a graph.
    """
    desktop = DesktopScheme(qapp.styleHints(), None)
    desktop.take("color-scheme", before)
    theme = Theme(qapp, desktop, icons(), "auto")
    changed = paint(page, theme, lambda _window: desktop.take("color-scheme", after))
    fresh = paint(page, make_theme(qapp, name), _nothing)
    assert differing(pixels(changed), pixels(fresh)) == 0


def test_theme_chosen_in_the_settings_repaints_all(paint: Paint, qapp: QApplication) -> None:
    """The choice on the page of settings holds at once, for that page, too."""

    def choose(window: MainWindow) -> None:
        page = window.page_of("settings")
        assert isinstance(page, SettingsPage)
        page.theme.button("light").click()

    changed = paint("preferences", make_theme(qapp, "dark"), choose)
    fresh = paint("preferences", make_theme(qapp, "light"), _nothing)
    assert changed == fresh
