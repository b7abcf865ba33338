# SPDX-License-Identifier: GPL-3.0-or-later
"""The window opens within its screen, and next time as it was left."""

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from destutter.settings import Settings
from destutter.ui.shell.window_place import USUAL, WindowPlace


@pytest.fixture
def opened(qapp):
    """Opens a window where it was left; what it says when it is hidden."""
    made: list[QWidget] = []

    def open_at(last: str) -> tuple[QWidget, list[str]]:
        window = QWidget()
        told: list[str] = []
        made.append(window)
        WindowPlace(window, last).left.connect(told.append)
        window.show()
        qapp.processEvents()
        return window, told

    yield open_at
    for window in made:
        window.close()
        window.deleteLater()


def room() -> QRect:
    """What the screen leaves."""
    return QGuiApplication.primaryScreen().availableGeometry()


def test_it_is_no_larger_than_the_screen(opened):
    """It opened with 1440x900 on a screen of 1280x800, with its buttons outside."""
    window, _ = opened("")
    # With borders at its sides, of which nobody knows before it is shown.
    assert min(USUAL.width(), room().width()) - 10 < window.width() < room().width()
    assert window.height() < room().height()
    larger, _ = opened("9000,9000,0,0")
    assert room().contains(QRect(larger.pos(), larger.size()))


def test_it_comes_back_as_it_was_left(opened):
    """Its size and its place; what is told is what can be opened."""
    window, told = opened("700,500,20,30")
    assert (window.width(), window.height()) == (700, 500)
    window.resize(690, 510)
    window.hide()
    (left,) = told
    assert left.startswith("690,510,")
    again, _ = opened(left)
    assert (again.size(), again.pos()) == (window.size(), window.pos())


def test_it_fills_the_screen_again_and_knows_its_size_before(opened):
    """Maximised, and what it goes back to."""
    window, told = opened("700,500,20,30,max")
    assert window.isMaximized()
    window.hide()
    assert told[0].endswith(",max")
    assert Settings.from_mapping({"window_place": told[0]}).window_place == told[0]


def test_a_screen_that_is_gone_leaves_the_size(opened):
    """Its place would be out of sight."""
    window, _ = opened("700,500,20000,20000")
    assert (window.width(), window.height()) == (700, 500)
    assert room().contains(window.pos())


@pytest.mark.parametrize("text", ["x", "700,500", "700,500,1,2,3", "-1,5,0,0"])
def test_nonsense_in_the_file_is_the_usual_place(text):
    """A file may hold anything."""
    assert Settings.from_mapping({"window_place": text}).window_place == ""
