# SPDX-License-Identifier: GPL-3.0-or-later
"""Tab goes through the page as it is read, although rows and cards come and go."""

from collections.abc import Iterable
from itertools import pairwise

from PySide6.QtWidgets import QPushButton, QWidget

from destutter.ui.causes.cause_detail import CauseDetail


def detail_stops(detail: CauseDetail) -> list[QWidget]:
    """What can take the focus in the detail, from top to bottom."""
    evidence, bar = detail.evidence, detail.action_bar
    stops: list[QWidget] = [evidence.previous, evidence.next]
    stops += [evidence.views.button(view) for view in evidence.views.ids]
    stops += [evidence.graph, evidence.table]
    for view in detail.table.views.values():
        stops += [view.check, view.button, view.more]
    stops += [*detail.help.findChildren(QPushButton), detail.experts]
    stops += detail.experts_help.findChildren(QPushButton)
    stops += [*detail.waits.links, *detail.requests.links]
    stops += detail.measured.links
    stops += bar.stops
    return stops


class TabOrder:
    """Sets the order anew when the stops have changed."""

    def __init__(self) -> None:
        self._last: list[int] = []

    def follow(self, stops: Iterable[QWidget]) -> None:
        """Let Tab go through these in this order."""
        wanted = list(stops)
        ids = [id(each) for each in wanted]
        if ids == self._last:
            return
        self._last = ids
        for first, second in pairwise(wanted):
            QWidget.setTabOrder(first, second)
