# SPDX-License-Identifier: GPL-3.0-or-later
"""The page of causes for everybody: names, sizes, keyboard, long and mirrored texts."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QApplication, QWidget

from destutter.bridge.helper_client import Availability
from destutter.words.language import LANGUAGES
from tests.gui.test_accessibility import cut_labels, shortened
from tests.screenshots.causes_states import CAUSES_STATES, open_state
from tests.support import live_scenes
from tests.support.causes_window import settle
from tests.support.pseudo_language import LongTexts, MirroredTexts
from tests.support.window_kit import make_theme

pytestmark = pytest.mark.long

SIZES = {"wide": (1440, 900), "narrow": (1024, 740)}
STATES = {state.name: state for state in CAUSES_STATES}
SOME = (
    "causes",
    "causes-details",
    "causes-text",
    "causes-denied",
    "causes-helped",
    "causes-no-helper",
)


@pytest.fixture
def make(qapp):
    """Opens the states that have pictures; closes them at the end."""
    made = []

    def open_page(name, size="wide"):
        window, scene = open_state(qapp, STATES[name], make_theme(qapp), SIZES[size])
        made.append((window, scene))
        return window

    yield open_page
    for window, scene in made:
        window.close()
        window.deleteLater()
        scene.close()
    settle(qapp)


def focusable(widget: QWidget) -> list[QWidget]:
    """Everything visible that Tab reaches."""
    return [
        each
        for each in widget.findChildren(QWidget)
        if each.isVisible() and each.isEnabled() and each.focusPolicy() & Qt.FocusPolicy.TabFocus
    ]


def name_of(widget: QWidget) -> str:
    """What a screen reader calls it."""
    return QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)


@pytest.mark.parametrize("name", [*SOME, "causes-applied", "causes-asking", "causes-empty-group"])
def test_controls_have_names_and_are_large_enough(make, name):
    """Each control says what it is, and is at least 24 by 24 pixels."""
    page = make(name).causes
    controls = focusable(page)
    assert controls
    assert not [
        type(each).__name__
        for each in controls
        if not name_of(each).strip() or name_of(each) == type(each).__name__
    ]
    assert not [
        (name_of(each), each.width(), each.height())
        for each in controls
        if each.width() < 24 or each.height() < 24
    ]


def test_tab_goes_in_reading_order(make):
    """List, evidence, changes, measurements, actions."""
    page = make("causes").causes
    first = next(iter(page.list.cards.values()))
    order, widget, reachable = [], first, set(focusable(page))
    while widget not in order:
        if widget in reachable:
            order.append(widget)
        widget = widget.nextInFocusChain()
        if widget is first:
            break
    detail = page.detail
    wanted = [
        first,
        detail.evidence.graph,
        next(iter(detail.table.views.values())).check,
        detail.action_bar.apply,
    ]
    places = [order.index(each) for each in wanted]
    assert places == sorted(places)


@pytest.mark.parametrize("name", SOME)
@pytest.mark.parametrize("size", SIZES)
def test_long_texts_fit(make, qapp, size, name):
    """With every text 40 % longer nothing is cut and nothing scrolls sideways."""
    translator = LongTexts(qapp)
    qapp.installTranslator(translator)
    try:
        window = make(name, size)
        assert not cut_labels(window.causes)
        scroll = window._pages["causes"]
        assert scroll.horizontalScrollBar().maximum() == 0
        inner = window.causes.detail.scroll_area
        assert inner.widget().minimumSizeHint().width() <= inner.viewport().width()
    finally:
        qapp.removeTranslator(translator)


@pytest.mark.parametrize("name", ["causes", "causes-applied", "causes-drift"])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_facts_and_settings_are_not_shortened(make, speak, language, size, name):
    """They take more lines instead, also beside buttons."""
    speak(language)
    detail = make(name, size).causes.detail
    for part in (detail.facts, detail.table, detail.measured):
        assert not shortened(part)
        assert not cut_labels(part)


def test_facts_stand_in_lines(make, speak, qapp: QApplication):
    """The numbers are on one line, whatever their names need."""
    speak("de")
    facts = make("causes", "narrow").causes.detail.facts
    # Too narrow for the longest name in any font.
    facts.setFixedWidth(80 * facts.fontMetrics().averageCharWidth())
    settle(qapp)
    values = [column.value for column in facts._columns]
    assert len({value.y() for value in values}) == 1
    assert facts._columns[3].name.height() > facts._columns[0].name.fontMetrics().height() * 1.5


@pytest.mark.parametrize("name", SOME)
def test_mirrored_page(make, qapp: QApplication, name):
    """From right to left the list stands at the right; time still runs to the right."""
    translator = MirroredTexts(qapp)
    qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    qapp.installTranslator(translator)
    try:
        page = make(name).causes
        assert page.list.x() > page.detail.x()
        graph = page.detail.evidence.graph
        picture = graph.picture
        assert graph.x_of(picture.centre_s) < graph.x_of(picture.centre_s + 5.0)
    finally:
        qapp.removeTranslator(translator)
        qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


@pytest.mark.parametrize(
    "direction", [Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft]
)
def test_the_menu_of_causes_shows_that_it_opens(make, qapp: QApplication, direction):
    """An arrow stands where the line ends, in either direction."""
    qapp.setLayoutDirection(direction)
    try:
        menu = make("causes", "narrow").causes.menu
        image = menu.grab().toImage()
        is_mirrored = menu.layoutDirection() == Qt.LayoutDirection.RightToLeft
        ends = range(6, 26) if is_mirrored else range(image.width() - 26, image.width() - 6)
        ground = image.pixelColor(30 if is_mirrored else image.width() - 30, image.height() // 2)
        heights = range(8, image.height() - 8)
        assert any(image.pixelColor(x, y) != ground for x in ends for y in heights)
    finally:
        qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


def test_states_without_colour(make):
    """Marks, risks and states of rows are told by sign and word."""
    page = make("causes-applied").causes
    for view in page.detail.table.views.values():
        assert view.check.accessibleName() or view.sign.accessibleName()
    assert page.detail.chip.text


def test_states_are_all_different():
    """Every picture has its own name, and one of each availability is among them."""
    assert len(STATES) == len(CAUSES_STATES)
    assert {Availability.READY, Availability.ABSENT, Availability.MISMATCH} <= {
        state.availability for state in CAUSES_STATES
    }
    assert live_scenes.smooth in {state.scene for state in CAUSES_STATES}
