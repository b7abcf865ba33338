# SPDX-License-Identifier: GPL-3.0-or-later
"""What stands in a row of the changes besides its value: its partner, and what can go wrong."""

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QLabel

from destutter.tuning.recommendation import HIGH
from tests.support import live_scenes
from tests.support.causes_window import open_causes, settle
from tests.support.window_kit import make_theme

BOOST = "vm.watermark_boost_factor"


@pytest.fixture
def view(qapp):
    """A row that is advised together with another one."""
    theme = make_theme(qapp)
    window, tuning = open_causes(qapp, theme, (1440, 900), live_scenes.whole_computer)
    yield window.causes.detail.table.views[BOOST]
    window.close()
    window.deleteLater()
    tuning.close()
    settle(qapp)


def test_a_row_names_the_one_that_is_ticked_with_it(view):
    """Who ticked both of a pair one after the other had ticked none."""
    words = [each.text() for cell in view.cells for each in cell.findChildren(QLabel)]
    assert any("ticked together with “How early memory is freed”" in each for each in words)


def test_less_risk_than_usual_is_not_told_as_the_usual(view):
    """ "Low" stood beside "What can go wrong: Medium"."""
    page = view._words.risk(BOOST)
    assert page in dict(view._parts()).values()
    view.row = replace(view.row, advice=replace(view.row.advice, risk=HIGH))
    assert page not in dict(view._parts()).values()
