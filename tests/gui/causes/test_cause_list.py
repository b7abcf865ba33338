# SPDX-License-Identifier: GPL-3.0-or-later
"""The list of causes beside the pointer of who is about to click."""

from dataclasses import replace

from PySide6.QtCore import QEvent, QLocale, QPoint, QPointF, Qt
from PySide6.QtGui import QEnterEvent

from destutter.diagnosis.finding import Group
from destutter.ui.causes.cause_list import CauseList, CauseMenu
from destutter.ui.words.quantities import Quantities
from destutter.ui.words.words import Words
from tests.support import live_scenes
from tests.support.known_snapshots import snapshots_of
from tests.support.window_kit import make_theme


def test_cards_keep_their_places_below_the_pointer(qtbot, qapp):
    """A click would meet another cause than the one that was aimed at; later they are ranked."""
    first = snapshots_of(live_scenes.stuttering)[-1].assessment.findings[0]
    second = replace(first, cause="slow_device", group=Group.STORAGE)
    causes = CauseList(make_theme(qapp), Words(Quantities(QLocale(QLocale.Language.English))))
    qtbot.addWidget(causes)
    causes.show()
    causes.show_findings((first, second), first.cause)
    middle = QPointF(QPoint(20, 20))
    qapp.sendEvent(causes, QEnterEvent(middle, middle, middle))
    causes.setAttribute(Qt.WidgetAttribute.WA_UnderMouse)
    causes.show_findings((second, first), first.cause)
    assert list(causes.cards) == [first.cause, second.cause]
    causes.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, on=False)
    qapp.sendEvent(causes, QEvent(QEvent.Type.Leave))
    assert list(causes.cards) == [second.cause, first.cause]
    order = [item.widget() for at in range(2) if (item := causes._box.itemAt(at)) is not None]
    assert order == [causes.cards[second.cause], causes.cards[first.cause]]


def test_without_a_game_they_are_hiccups_of_the_computer(qtbot, qapp):
    """In the list as in its one line; "2 of 2 stutters" stood beside "Hiccups explained"."""
    finding = snapshots_of(live_scenes.stuttering)[-1].assessment.findings[0]
    words = Words(Quantities(QLocale(QLocale.Language.English)))
    causes, menu = CauseList(make_theme(qapp), words), CauseMenu(make_theme(qapp), words)
    for widget in (causes, menu):
        qtbot.addWidget(widget)
    for has_game, word in ((True, "stutters"), (False, "hiccups")):
        causes.show_findings((finding,), finding.cause, has_game=has_game)
        menu.show_findings((finding,), finding.cause, has_game=has_game)
        share = causes.cards[finding.cause].share.full_text
        assert share == f"2 of 3 {word}"
        assert share in menu.text()
