# SPDX-License-Identifier: GPL-3.0-or-later
"""The compact strip: what it shows, its keys, and its flags on a real X server."""

import subprocess
from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QLocale, QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QApplication, QLabel, QPushButton

from destutter.diagnosis.finding import Group, TileState
from destutter.ui.strip.strip import Strip
from destutter.ui.words.quantities import Quantities
from tests.gui.live_window import snapshots_of
from tests.support.pseudo_language import LongTexts
from tests.support.window_kit import make_theme
from tests.support.x11_programs import on_x11, program_on_x11

MakeStrip = Callable[..., Strip]

# Said by the offscreen platform for every tool window that shows.
pytestmark = pytest.mark.qt_log_ignore("does not support raise", extend=True)


@pytest.fixture
def make_strip(qapp: QApplication, qtbot) -> Iterator[MakeStrip]:
    """Makes strips with a scene in them."""
    made: list[Strip] = []

    def make(scene: str | None = None, *, platform: str = "xcb") -> Strip:
        locale = QLocale(QLocale.Language.English, QLocale.Country.UnitedStates)
        strip = Strip(make_theme(qapp), Quantities(locale), platform=platform)
        made.append(strip)
        for snapshot in snapshots_of(scene) if scene else ():
            strip.show_snapshot(snapshot)
        strip.show()
        return strip

    yield make
    for strip in made:
        strip.hide()
        strip.deleteLater()


def test_strip_shows_frame_time_groups_and_the_last_stutter(make_strip: MakeStrip):
    """The newest frame time, every group's state, and the newest stutter with its cause."""
    strip = make_strip("stuttering")
    assert strip.what.full_text == "frame time"
    assert strip.value.full_text.endswith("\N{NO-BREAK SPACE}ms")
    assert set(strip.signs.states) == set(Group)
    assert strip.signs.states[Group.MEMORY] is TileState.LIKELY
    assert strip.event_text.full_text.startswith("Memory, ")
    assert "ago" in strip.event_note.full_text
    assert strip.line._runs


def test_strip_says_that_nothing_stutters(make_strip: MakeStrip):
    """Smooth: the words say so, and no colour of alarm is used."""
    strip = make_strip("smooth")
    assert strip.event_text.full_text == "No stutter"


def test_strip_without_frame_times_shows_the_probe(make_strip: MakeStrip):
    """Without a game that tells its frame times, the wake-up delay is shown and named."""
    assert make_strip("whole_computer").what.full_text == "wake-up delay"


@pytest.mark.parametrize(("scene", "tone"), [("stuttering", "bad"), ("whole_computer", "text")])
def test_only_what_a_game_felt_is_red(make_strip: MakeStrip, qapp: QApplication, scene, tone):
    """Hiccups of a computer without a game are told, and accuse nobody."""
    strip = make_strip(scene)
    assert strip.event_text.full_text.startswith("Memory, ")
    color = getattr(make_theme(qapp).tokens, tone)
    assert strip.event_text.styleSheet() == f"color: {color}"


def test_strip_before_the_first_measurement_claims_nothing(make_strip: MakeStrip):
    """No number, no line, no claim of smoothness, and none that nothing will be measured."""
    strip = make_strip()
    assert (strip.value.full_text, strip.what.full_text) == ("–", "measuring")
    assert not strip.line._runs
    assert strip.event_text.full_text == "–"


def test_strip_measures_before_it_judges(make_strip: MakeStrip):
    """In the first seconds no group has a state, and smoothness is not claimed."""
    strip = make_strip("first_seconds")
    assert strip.signs.states == {}
    assert strip.event_text.full_text == "–"


@pytest.mark.parametrize(
    ("key", "signal"),
    [
        (Qt.Key.Key_Return, "window_requested"),
        (Qt.Key.Key_F8, "marker_requested"),
        (Qt.Key.Key_Escape, "closed"),
    ],
)
def test_strip_works_by_keyboard(make_strip: MakeStrip, qtbot, key, signal):
    """Enter opens the window, F8 marks, Esc closes."""
    strip = make_strip("smooth")
    with qtbot.waitSignal(getattr(strip, signal), timeout=5000):
        qtbot.keyClick(strip, key)


def test_controls_have_names_and_are_large_enough(make_strip: MakeStrip):
    """Every button has a name for readers of the screen and at least 24 pixels."""
    strip = make_strip("smooth")
    for button in strip.findChildren(QPushButton):
        assert button.accessibleName()
        assert min(button.width(), button.height()) >= 24
    assert strip.signs.accessibleName().startswith("Memory: ")


def test_wayland_offers_no_pin(make_strip: MakeStrip):
    """Where a window cannot keep itself on top, there is no button; the menu explains."""
    strip = make_strip("smooth", platform="wayland")
    assert strip.pin.isHidden()
    assert not strip.windowFlags() & Qt.WindowType.WindowStaysOnTopHint
    texts = [action.text() for action in strip.menu().actions()]
    assert any("Keep Above Others" in text for text in texts)


def test_nothing_is_drawn_below_a_full_screen_window(make_strip: MakeStrip, qtbot):
    """Covered or hidden it keeps the data and draws nothing; then it shows the newest."""
    strip = make_strip()
    qtbot.waitUntil(lambda: strip.windowHandle().isExposed())
    snapshots = snapshots_of("stuttering")
    strip.set_covered(is_covered=True)
    for snapshot in snapshots[:-1]:
        strip.show_snapshot(snapshot)
    assert not strip.updatesEnabled()
    assert strip.value.full_text == "–"
    strip.set_covered(is_covered=False)
    assert strip.updatesEnabled()
    assert strip.value.full_text.endswith("ms")
    shown = strip.event_note.full_text
    strip.hide()
    strip.show_snapshot(snapshots[-1])
    assert strip.event_note.full_text == shown


def test_wayland_keeps_no_place(make_strip: MakeStrip, qtbot):
    """A window there does not know where it is, so nothing is kept."""
    strip = make_strip("smooth", platform="wayland")
    with qtbot.assertNotEmitted(strip.left):
        strip.close()


def test_pin_is_told_and_kept(make_strip: MakeStrip, qtbot):
    """Unpinning takes the hint away, keeps the strip visible, and is reported."""
    strip = make_strip("smooth")
    with qtbot.waitSignal(strip.pin_changed, timeout=5000) as told:
        qtbot.mouseClick(strip.pin, Qt.MouseButton.LeftButton)
    assert told.args == [False]
    assert strip.isVisible()
    assert not strip.windowFlags() & Qt.WindowType.WindowStaysOnTopHint


def test_menu_follows_the_recording(make_strip: MakeStrip):
    """The menu offers to stop while a recording runs."""
    strip = make_strip("smooth")
    assert "Record session" in [action.text() for action in strip.menu().actions()]
    strip.set_recording(is_recording=True)
    assert "Stop recording" in [action.text() for action in strip.menu().actions()]


def test_long_texts_end_in_an_ellipsis(make_strip: MakeStrip, qapp: QApplication):
    """Longer words than English has do not widen the strip, nor are they cut without a sign."""
    translator = LongTexts(qapp)
    qapp.installTranslator(translator)
    strip = make_strip("stuttering")
    qapp.processEvents()
    qapp.removeTranslator(translator)
    assert strip.width() == 620
    for label in strip.findChildren(QLabel):
        assert label.fontMetrics().horizontalAdvance(label.text()) <= label.width() + 1


_ON_X11 = """
import sys
from PySide6.QtCore import QLocale, QTimer
from PySide6.QtWidgets import QApplication
from destutter.ui.words.quantities import Quantities
from destutter.ui.strip.strip import Strip
from tests.support.window_kit import make_theme
app = QApplication([])
strip = Strip(make_theme(app), Quantities(QLocale()))
strip.show()
print(int(strip.winId()), flush=True)
sys.stdin.readline()
"""


def test_flags_on_an_x_server(x_display: str):
    """On X11 the strip asks to stay above, as a utility, and not to be focused when it shows."""
    environment = on_x11(x_display)
    with program_on_x11(_ON_X11, environment) as (process, lines):
        window = lines.readline().strip()
        seen = subprocess.run(
            ["xprop", "-id", window], env=environment, capture_output=True, text=True, check=True
        ).stdout
        process.communicate("\n", timeout=20)
    assert "_NET_WM_STATE_ABOVE" in seen
    assert "_NET_WM_WINDOW_TYPE_UTILITY" in seen


def test_corners_are_cut_on_an_x_server(x_display: str):
    """Without a compositor what is translucent was black."""
    asked = "print(int(strip.winId())", "print(strip.mask().contains(strip.rect().topLeft())"
    with program_on_x11(_ON_X11.replace(*asked), on_x11(x_display)) as (process, lines):
        assert lines.readline().strip() == "False"
        process.communicate("\n", timeout=20)


def test_it_is_in_a_corner_at_first(qapp: QApplication, qtbot) -> None:
    """Also where nobody would see it at the place that was kept."""
    screen = qapp.primaryScreen().availableGeometry()
    for place in (None, QPoint(90_000, 90_000)):
        quantities = Quantities(QLocale("en_US"))
        strip = Strip(make_theme(qapp), quantities, platform="xcb", place=place)
        qtbot.addWidget(strip)
        assert screen.contains(strip.geometry())
        assert screen.bottomRight().x() - strip.geometry().right() < 40
        assert screen.bottomRight().y() - strip.geometry().bottom() < 40


def test_at_first_it_leaves_the_window_free_where_there_is_room(qapp: QApplication) -> None:
    """It covered the time axis; beside a window that fills the screen it is in its corner."""
    screen = qapp.primaryScreen().availableGeometry()
    upper = QRect(screen.topLeft(), QSize(screen.width(), screen.height() // 2))
    lower = upper.translated(0, screen.height() // 2)
    places = []
    for beside in (upper, lower, screen):
        strip = Strip(
            make_theme(qapp), Quantities(QLocale()), platform="xcb", place=None, beside=beside
        )
        places.append(QRect(strip.pos(), strip.size()))
        strip.deleteLater()
    assert not places[0].intersects(upper)
    assert not places[1].intersects(lower)
    assert places[2] == places[0]
