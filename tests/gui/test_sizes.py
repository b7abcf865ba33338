# SPDX-License-Identifier: GPL-3.0-or-later
"""Every page on every screen: nothing is cut, overlaps, lies outside, or scrolls sideways.

From 1024 pixels on no text ends in an ellipsis, be it of a label, drawn, or in a cell of a table.
"""

from collections.abc import Callable, Iterator
from itertools import combinations, product

import pytest
from PySide6.QtCore import QMargins, QPoint, QRect, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QScrollArea,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from destutter.ui.shell.main_window import MainWindow
from tests.gui.conftest import Speak
from tests.gui.live_window import settle
from tests.gui.test_accessibility import cut_labels, shortened
from tests.screenshots.every_state import EveryState
from tests.support.sampled import sampled

SIZES = (
    (640, 400),  # 1280x800 at 200 %
    (640, 480),
    (1024, 740),
    (1280, 800),
    (1440, 900),
    (1920, 1080),
    (3440, 1440),
)
THEMES, LANGUAGES = ("dark", "light"), ("en", "de", "zh_CN")
STATES = (
    "live",
    "live-lanes",
    "live-frame-advice",
    "live-recording",
    "live-trial",
    "empty-no-game",
    "causes",
    "causes-game",
    "causes-helped-above",
    "causes-no-game",
    "changes",
    "changes-games",
    "settings-all",
    "sessions",
    "sessions-one",
    "guide-1-welcome",
    "guide-2-missing",
    "guide-3-recording",
    "guide-4-choose",
    "guide-4-nothing",
    "guide-5-changed",
    "system",
    "preferences",
)
_AT_A_DESK = (
    *("live", "causes", "changes", "settings-all", "sessions-one"),
    *("guide-1-welcome", "system", "preferences"),
)
_LOOKS = tuple(product(THEMES, LANGUAGES))
_TEXTS = (QLabel, QAbstractButton, QLineEdit, QComboBox)
_TOUCH_PX = 2  # frames of neighbours may share a line, and a line of text has as much air
_UNCUT_FROM_PX = 1024
_BOX_AND_AIR_PX = 24  # beside the text of a cell that can be ticked

Open = Callable[[str, str], MainWindow]


@pytest.fixture(scope="module")
def every_state() -> Iterator[EveryState]:
    """The states that have a picture, by their names."""
    made = EveryState()
    yield made
    made.close()


@pytest.fixture
def open_state(qapp: QApplication, every_state: EveryState) -> Iterator[Open]:
    """Opens a state in a theme; closes it at the end."""
    made = []

    def make(name: str, theme: str) -> MainWindow:
        window, close = every_state.open(qapp, name, theme, SIZES[3])
        made.append((window, close))
        return window

    yield make
    for _window, close in made:
        close()
    settle(qapp)


@pytest.fixture
def drawn_shorter(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every text that somebody had shortened, to be emptied by whoever wants the next ones."""
    texts: list[str] = []
    whole = QFontMetrics.elidedText

    def note(metrics: QFontMetrics, text: str, *how: object) -> str:
        short: str = whole(metrics, text, *how)  # type: ignore[arg-type]
        if short != text:
            texts.append(text)
        return short

    monkeypatch.setattr(QFontMetrics, "elidedText", note)
    return texts


def _parents(widget: QWidget, window: QWidget) -> Iterator[QWidget]:
    parent = widget.parentWidget()
    while parent is not None:
        yield parent
        if parent is window:
            return
        parent = parent.parentWidget()


def _seen(widget: QWidget, window: QWidget) -> QRect:
    """What of it lies in everything around it, in the window's pixels."""
    found = _place(widget, window)
    for parent in _parents(widget, window):
        found &= _place(parent, window)
    return found


def _place(widget: QWidget, window: QWidget) -> QRect:
    return QRect(widget.mapTo(window, QPoint(0, 0)), widget.size())


def _name(widget: QWidget) -> str:
    text = widget.text() if isinstance(widget, QLabel | QAbstractButton | QLineEdit) else ""
    return f"{type(widget).__name__} {text or widget.accessibleName() or widget.objectName()!r}"


def _told(window: MainWindow) -> list[QWidget]:
    """Everything visible that can be read or used, but what holds others of it."""
    return [
        each
        for each in window.findChildren(QWidget)
        if isinstance(each, _TEXTS)
        and each.isVisible()
        and not (isinstance(each, QLabel) and not each.text())
        and not isinstance(each.parentWidget(), QLineEdit)
    ]


def outside(window: MainWindow) -> list[str]:
    """What an edge cuts and nobody can scroll to."""
    air = QMargins(_TOUCH_PX, _TOUCH_PX, _TOUCH_PX, _TOUCH_PX)
    wrong = []
    for widget in _told(window):
        whole = _place(widget, window)
        is_scrolled = False
        for parent in _parents(widget, window):
            around = _place(parent, window) + air
            is_scrolled = is_scrolled or isinstance(parent.parentWidget(), QScrollArea)
            sides = whole.left() >= around.left() and whole.right() <= around.right()
            ends = whole.top() >= around.top() and whole.bottom() <= around.bottom()
            if not sides or not (ends or is_scrolled):
                where = f"{whole.getRect()} in {around.getRect()}"
                wrong.append(f"{_name(widget)} in {type(parent).__name__}: {where}")
                break
    return wrong


def overlapping(window: MainWindow) -> list[str]:
    """Texts and buttons that lie on each other."""
    places = [(each, _seen(each, window)) for each in _told(window)]
    wrong = []
    for (one, here), (other, there) in combinations(places, 2):
        common = here & there
        is_inside = one.isAncestorOf(other) or other.isAncestorOf(one)
        if min(common.width(), common.height()) > _TOUCH_PX and not is_inside:
            wrong.append(f"{_name(one)} and {_name(other)}: {common.getRect()}")
    return wrong


def _rows(tree: QTreeWidget) -> Iterator[QTreeWidgetItem]:
    for place in range(tree.topLevelItemCount()):
        head = tree.topLevelItem(place)
        rows = (head.child(at) for at in range(head.childCount())) if head is not None else ()
        yield from filter(None, rows)


def cut_cells(window: MainWindow) -> list[str]:
    """Texts of trees that need more room than their cell has."""
    wrong = []
    for tree in window.findChildren(QTreeWidget):
        for item in _rows(tree) if tree.isVisible() else ():
            for column in range(tree.columnCount()):
                cell = tree.visualRect(tree.indexFromItem(item, column))
                is_seen = not tree.isColumnHidden(column) and not cell.isEmpty()
                if not is_seen or not item.text(column) or item.isFirstColumnSpanned():
                    continue
                if item.data(column, Qt.ItemDataRole.CheckStateRole) is not None:
                    cell.setWidth(cell.width() - _BOX_AND_AIR_PX)
                flags = Qt.TextFlag.TextWordWrap
                wanted = tree.fontMetrics().boundingRect(cell, flags, item.text(column))
                if wanted.height() > cell.height() or wanted.width() > cell.width():
                    wrong.append(item.text(column))
    return wrong


def shortened_texts(window: MainWindow, drawn_shorter: list[str]) -> list[str]:
    """What ends in an ellipsis."""
    window.grab()  # lays out what is hidden, too, which nobody sees
    drawn_shorter.clear()
    window.grab()
    return [*shortened(window), *drawn_shorter, *cut_cells(window)]


def _check(window: MainWindow, qapp: QApplication, drawn_shorter: list[str]) -> None:
    wrong = []
    for size in SIZES:
        window.resize(*size)
        settle(qapp)
        found = [f"cut: {text}" for text in cut_labels(window)]
        found += [f"outside: {text}" for text in outside(window)]
        found += [f"overlap: {text}" for text in overlapping(window)]
        if size[0] >= _UNCUT_FROM_PX:
            found += [f"shortened: {text}" for text in shortened_texts(window, drawn_shorter)]
        if (window.width(), window.height()) != size:
            found.append("the window is larger")
        wrong += [f"{size[0]}x{size[1]} {text}" for text in found]
    assert not wrong, "\n".join(wrong)


def _look_of(state: str) -> tuple[str, str]:
    """One theme and one language of a state, so that all pages together have them all."""
    return _LOOKS[STATES.index(state) % len(_LOOKS)]


@pytest.mark.parametrize("state", sampled(STATES, _AT_A_DESK))
def test_a_page_fits_every_screen(
    open_state: Open, qapp: QApplication, speak: Speak, drawn_shorter: list[str], state: str
) -> None:
    """In one of the themes and languages."""
    theme, language = _look_of(state)
    speak(language)
    _check(open_state(state, theme), qapp, drawn_shorter)


@pytest.mark.long
@pytest.mark.parametrize(("theme", "language"), _LOOKS)
@pytest.mark.parametrize("state", STATES)
def test_a_page_fits_every_screen_in_every_look(
    open_state: Open,
    qapp: QApplication,
    speak: Speak,
    drawn_shorter: list[str],
    state: str,
    theme: str,
    language: str,
) -> None:
    """Dark and light, in every language."""
    speak(language)
    _check(open_state(state, theme), qapp, drawn_shorter)
