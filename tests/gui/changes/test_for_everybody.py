# SPDX-License-Identifier: GPL-3.0-or-later
"""Every state of the Changes page for everybody: names, sizes, long and large texts, mirrored."""

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from destutter.ui.changes.changes_page import ChangesPage
from destutter.ui.shell.main_window import MainWindow
from tests.gui.live_window import NARROW, WIDE, settle
from tests.gui.test_accessibility import cut_labels, focusable, name_of
from tests.screenshots.changes_states import CHANGES_STATES, ChangesState, open_changes
from tests.support.pseudo_language import LongTexts, MirroredTexts
from tests.support.tuning_scenes import TuningScene
from tests.support.window_kit import make_theme

pytestmark = pytest.mark.long

_STATES = pytest.mark.parametrize("state", CHANGES_STATES, ids=lambda state: state.name)
OpenState = Callable[..., MainWindow]


@pytest.fixture
def open_state(qtbot, qapp: QApplication) -> Iterator[OpenState]:
    """Opens the window in a state of the page; closes it at the end."""
    made: list[tuple[MainWindow, TuningScene]] = []

    def make(state: ChangesState, size: tuple[int, int]) -> MainWindow:
        made.append(open_changes(qapp, state, make_theme(qapp), size))
        settle(qapp)
        return made[-1][0]

    yield make
    for window, scene in made:
        window.close()
        scene.close()
        window.deleteLater()
    settle(qapp)


@_STATES
def test_controls_have_names_and_are_large_enough(
    open_state: OpenState, state: ChangesState
) -> None:
    """A text and no class name for each; 24 by 24 pixels at least."""
    window = open_state(state, NARROW)
    wrong = [
        (type(each).__name__, name, each.width(), each.height())
        for each in focusable(window)
        if not (name := name_of(each))
        or name == type(each).__name__
        or name != name.strip()
        or min(each.width(), each.height()) < 24
    ]
    assert not wrong


@_STATES
def test_long_texts_are_not_cut(
    open_state: OpenState, qapp: QApplication, state: ChangesState
) -> None:
    """40 % longer in a small window: shortened with a tool tip, or in more lines, never cut."""
    translator = LongTexts(qapp)
    qapp.installTranslator(translator)
    try:
        assert not cut_labels(open_state(state, NARROW))
    finally:
        qapp.removeTranslator(translator)


def test_tab_goes_from_the_banner_to_the_history(open_state: OpenState) -> None:
    """Navigation, trial, header, views, rows, what was left alone, history: as one reads."""
    state = next(each for each in CHANGES_STATES if each.name == "changes")
    window = open_state(state, WIDE)
    reachable = set(focusable(window))
    order: list[str] = []
    start: QWidget = window.sidebar.button("changes")
    widget = start.nextInFocusChain()
    while widget is not None and widget is not start:
        if widget in reachable:
            order.append(name_of(widget))
        widget = widget.nextInFocusChain()
    first = order.index(next(name for name in order if name.endswith("more")))
    assert order[first : first + 15] == [
        "60\N{NO-BREAK SPACE}s more",
        "Revert now",
        "Keep for every start",
        "Keep until restart",
        "Export…",
        "Undo all changes",
        "View: Changed by Destutter",
        "Undo Memory kept free in reserve",
        "Undo How early memory is freed",
        "Undo When writing to drives begins (in MB)",
        "Undo Whom the drive serves first",
        "Details of vm.swappiness",
        "Details of vm.max_map_count",
        "Details of thp.enabled",
        "Show the list",
    ]


@pytest.mark.parametrize("name", ["changes", "changes-drift", "settings-edited"])
def test_large_text_is_not_cut(open_state: OpenState, qapp: QApplication, name: str) -> None:
    """With a desktop font of 20 px instead of 13 nothing is cut; the page scrolls instead."""
    before = qapp.font()
    large = QFont("Inter")
    large.setPixelSize(20)
    qapp.setFont(large)
    state = next(each for each in CHANGES_STATES if each.name == name)
    try:
        assert not cut_labels(open_state(state, WIDE))
    finally:
        qapp.setFont(before)


@pytest.mark.parametrize("name", ["changes", "settings-edited"])
def test_mirrored_page_keeps_marks_and_names(
    open_state: OpenState, qapp: QApplication, name: str
) -> None:
    """From right to left: the table mirrors and its texts begin at the right; bars do not."""
    translator = MirroredTexts(qapp)
    qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    qapp.installTranslator(translator)
    state = next(each for each in CHANGES_STATES if each.name == name)
    try:
        page = open_state(state, WIDE).page_of("changes")
        assert isinstance(page, ChangesPage)
        marks = page.tunables.detail.marks
        for slider in marks.sliders.values():
            assert slider.layoutDirection() == Qt.LayoutDirection.LeftToRight
        for square in marks.legend.squares if marks.legend.isVisible() else ():
            assert square.x() > marks.legend.width() / 2
        for row in page.changes.table.rows.values():
            assert row.undo.x() < row.name.x()
            for label in (row.name, row.key, row.origin, row.value, row.who, row.when):
                assert label.alignment() & Qt.AlignmentFlag.AlignRight
        for text in page.tunables.detail.findChildren(QLabel):
            if text.text().isascii() and text.text():
                assert text.alignment() & Qt.AlignmentFlag.AlignRight, text.text()
    finally:
        qapp.removeTranslator(translator)
        qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
