# SPDX-License-Identifier: GPL-3.0-or-later
"""What was measured for a finding: value, limit and time; each can be drawn in the graph."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QGridLayout, QPushButton, QWidget

from destutter.diagnosis.finding import Evidence
from destutter.ui.controls.elided import ElidedLabel
from destutter.ui.controls.emptying import empty
from destutter.ui.controls.plain_label import plain_label
from destutter.ui.look.theme import Theme
from destutter.ui.words.quantities import WallClock
from destutter.ui.words.words import Words


class MeasuredList(QWidget):
    """One line for each measurement.

    ``drawn(int)`` asks for the signal of a line in the graph, ``moment_chosen(int)`` for a time
    (CLOCK_MONOTONIC, nanoseconds) in the graphs of the live page.
    """

    drawn = Signal(int)
    moment_chosen = Signal(object)  # int would be cut to 32 bits

    def __init__(
        self, theme: Theme, words: Words, clock: WallClock, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._words = words
        self._clock = clock
        self._shown: tuple[tuple[Evidence, ...], int | None] | None = None
        self.links: list[QPushButton] = []
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(theme.sizes.px(16))
        self._grid.setVerticalSpacing(0)
        self._grid.setColumnStretch(0, 1)

    def show_evidence(self, evidence: Sequence[Evidence], drawn: int | None) -> None:
        """Show these; ``drawn`` is the one whose moment the graph draws, None for none of them."""
        if (tuple(evidence), drawn) == self._shown:
            return
        focus = self._focus()
        self._shown = tuple(evidence), drawn
        self.links.clear()
        empty(self._grid)
        for row, one in enumerate(evidence):
            self._add(row, one, is_drawn=row == drawn)
        self._restore(focus)

    def _add(self, row: int, one: Evidence, *, is_drawn: bool) -> None:
        name = self._words.metric(one)
        value = plain_label(self._words.value(one), "strong", self)
        limit = self.tr("from {value}").format(value=self._words.threshold(one))
        moment = self._link(self._clock.time(one.monotonic_ns, tenths=True), f"time {row}")
        moment.setProperty("monotonic_ns", one.monotonic_ns)
        moment.setToolTip(self.tr("Show this moment on the live page"))
        moment.setAccessibleName(
            self.tr("Show {time} on the live page").format(time=moment.text())
        )
        moment.clicked.connect(self._moment_clicked)
        graph = self._link(self.tr("In the graph"), f"graph {row}")
        graph.setProperty("row", row)
        graph.setAccessibleName(self.tr("Show {signal} in the graph").format(signal=name))
        graph.setVisible(not is_drawn)
        drawn = plain_label(self.tr("shown above"), "caption", self)
        drawn.setVisible(is_drawn)
        # As far in as the text of the links above and below.
        drawn.setContentsMargins(4, 0, 4, 0)
        graph.clicked.connect(self._graph_clicked)
        trailing = Qt.AlignmentFlag.AlignTrailing | Qt.AlignmentFlag.AlignVCenter
        label = ElidedLabel(name, "muted", self, most_lines=3)
        self._grid.addWidget(label, row, 0)
        self._grid.addWidget(value, row, 1, trailing)
        limited = plain_label(limit, "caption", self)
        self._grid.addWidget(limited, row, 2, Qt.AlignmentFlag.AlignVCenter)
        self._grid.addWidget(moment, row, 3, Qt.AlignmentFlag.AlignVCenter)
        self._grid.addWidget(graph, row, 4, Qt.AlignmentFlag.AlignVCenter)
        self._grid.addWidget(drawn, row, 4, Qt.AlignmentFlag.AlignVCenter)

    def _link(self, text: str, name: str) -> QPushButton:
        link = QPushButton(text, self)
        link.setProperty("role", "link")
        link.setObjectName(name)
        link.setMinimumHeight(self._theme.sizes.px(24))
        self.links.append(link)
        return link

    def _focus(self) -> str:
        """The name of the link that has the focus: measurements are shown anew each second."""
        return next((link.objectName() for link in self.links if link.hasFocus()), "")

    def _restore(self, name: str) -> None:
        if not name:
            return
        link = next((one for one in self.links if one.objectName() == name), None)
        if link is not None:
            link.setFocus()

    @Slot()
    def _moment_clicked(self) -> None:
        self.moment_chosen.emit(int(self.sender().property("monotonic_ns")))

    @Slot()
    def _graph_clicked(self) -> None:
        self.drawn.emit(int(self.sender().property("row")))
