# SPDX-License-Identifier: GPL-3.0-or-later
"""A banner shows all that it says, and stays as high as it was while only its figures change."""

import pytest
from PySide6.QtWidgets import QVBoxLayout, QWidget

from destutter.ui.controls.banner import Banner, BannerAction, BannerText, Urgency
from tests.gui.live_window import settle
from tests.support.window_kit import make_theme

LONG = "Its thread SkyHarvest waited 312 ms for the drive vda. At 7 of 9 it was seen to. " * 2


def _text(detail, kind="bad"):
    action = BannerAction("cause", "Show the cause")
    return BannerText(kind, "causing", "9 stutters", detail, Urgency.STUTTER, (action,))


@pytest.fixture
def banner(qapp):
    """A banner that is steady, above something that takes what is left of a page."""
    page = QWidget()
    made = Banner(make_theme(qapp), page, is_steady=True)
    box = QVBoxLayout(page)
    box.addWidget(made)
    box.addWidget(QWidget(page), 1)
    page.resize(700, 400)
    page.show()
    yield made
    page.close()


def test_a_long_sentence_is_whole(banner, qapp):
    """It ended in an ellipsis before it had told how sure it was."""
    banner.show_text(_text(LONG))
    settle(qapp)
    assert banner.detail.text() == LONG
    assert banner.detail.height() >= banner.detail.heightForWidth(banner.detail.width())


def test_a_shorter_sentence_of_the_same_kind_moves_nothing_below(banner, qapp):
    """The verdict is written anew every second; another kind, or width, begins anew."""
    banner.show_text(_text(LONG))
    settle(qapp)
    high = banner.height()
    banner.show_text(_text("Short."))
    settle(qapp)
    assert banner.height() == high
    banner.show_text(_text("Short.", kind="ok"))
    settle(qapp)
    assert banner.height() < high
    banner.show_text(_text(LONG, kind="ok"))
    settle(qapp)
    banner.show_text(_text("Short.", kind="ok"))
    banner.window().resize(900, 400)
    settle(qapp)
    assert banner.height() < high
