# SPDX-License-Identifier: GPL-3.0-or-later
"""Texts of any length in the lines that there are: what fits is whole, what does not says so."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLabel, QWidget
from pytestqt.qtbot import QtBot

from destutter.ui.controls.elided import ElidedLabel
from destutter.ui.controls.lines_of_text import broken, unbroken_paths
from destutter.ui.controls.segments import Segments

_WORDS = st.text("abc iÄ中文…-—.\xa0", max_size=80)
_ELLIPSIS = "…"


def _letters(text: str) -> str:
    return "".join(text.split())


@given(_WORDS, st.integers(1, 400), st.integers(1, 4))
@settings(deadline=None)
def test_lines_fit_and_lose_nothing_silently(qapp: QApplication, text, width, most):
    """Never more lines than wanted; a text is whole, or its last line ends in an ellipsis."""
    font = QFont()
    font.setPixelSize(13)
    lines = broken(text, font, width, most)
    assert len(lines) <= most
    whole = _letters("".join(lines)) == _letters(text)
    assert whole or any(line.endswith(_ELLIPSIS) or not line for line in lines)
    metrics = QFontMetrics(font)
    if width > metrics.horizontalAdvance("W" + _ELLIPSIS):
        assert all(metrics.horizontalAdvance(line) <= width for line in lines)


@pytest.mark.parametrize("most", [1, 2])
def test_label_grows_before_it_cuts(qtbot: QtBot, most):
    """With two lines it is higher in a narrow place, and one line high again in a wide one."""
    label = ElidedLabel("most likely cause: memory", "muted", most_lines=most)
    qtbot.addWidget(label)
    label.show()  # a widget that was never shown does not hear of its size
    width = label.sizeHint().width()
    label.resize(width, 40)
    assert label.text() == label.full_text
    one = label.sizeHint().height()
    label.resize(width * 2 // 3, 40)
    assert label.is_cut is (most == 1)
    assert (label.sizeHint().height() > one) is (most == 2)
    assert bool(label.toolTip()) is label.is_cut
    label.resize(width, 40)
    assert (label.text(), label.sizeHint().height()) == (label.full_text, one)


def test_no_line_ends_within_a_path(qapp: QApplication):
    """A path of the kernel stands in one line where it fits into one; the rest stays as it is."""
    font = QFont()
    font.setPixelSize(11)
    text = "Source: mm/vmscan.c; counters of /proc/vmstat and /proc/zoneinfo."
    whole = unbroken_paths(text)
    assert whole.replace("\N{WORD JOINER}", "") == text
    for width in range(120, 420, 7):
        lines = [line.replace("\N{WORD JOINER}", "") for line in broken(whole, font, width, 9)]
        assert all(any(path in line for line in lines) for path in ("/proc/vmstat", "/proc/zone"))


def test_a_tall_title_does_not_stretch_the_buttons_beside_it(qtbot: QtBot):
    """The title and its sentence are higher in Chinese than the row of buttons."""
    row = QWidget()
    qtbot.addWidget(row)
    layout = QHBoxLayout(row)
    title, buttons = QLabel("Live"), Segments("Time in view", [("30", "30 s"), ("120", "2 min")])
    title.setMinimumHeight(120)
    layout.addWidget(title)
    layout.addWidget(buttons)
    row.show()
    assert buttons.height() == buttons.sizeHint().height()
