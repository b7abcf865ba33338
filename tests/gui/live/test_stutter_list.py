# SPDX-License-Identifier: GPL-3.0-or-later
"""The list of stutters beside the graphs: what is chosen in it, and what only has the focus."""

from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QApplication

from destutter.diagnosis.finding import Spike
from destutter.ui.live.live_page import LivePage
from destutter.ui.live.stutter_list import StutterList
from tests.gui.live_window import make_live

__all__ = ["make_live"]


def _chosen(live: LivePage) -> Spike | None:
    assert live.card is not None
    return live.card.choice.selected


def test_opening_the_list_leaves_the_graphs_where_they_are(make_live, qtbot):
    """Its first row got the focus and with it was chosen: the graphs jumped there and stopped."""
    live = make_live("stuttering").live
    live.panels.show_stutters()
    shown = live.panel.findChild(StutterList)
    QApplication.sendEvent(shown.list, QFocusEvent(QFocusEvent.Type.FocusIn))
    assert shown.list.count() > 1
    assert shown.list.currentRow() == 0
    assert live.card.view.is_live
    assert _chosen(live) is None
    qtbot.keyClick(shown.list, Qt.Key.Key_Down)
    (row,) = shown.list.selectedItems()
    assert _chosen(live) == row.data(Qt.ItemDataRole.UserRole)


def test_the_row_with_the_focus_can_be_chosen(make_live):
    """A click on it is no change of the current row."""
    live = make_live("stuttering").live
    live.panels.show_stutters()
    rows = live.panel.findChild(StutterList).list
    rows.setCurrentRow(0, QItemSelectionModel.SelectionFlag.NoUpdate)
    assert _chosen(live) is None
    rows.setCurrentRow(0)
    assert _chosen(live) is not None
