# SPDX-License-Identifier: GPL-3.0-or-later
"""What the kernel's trace told of the stutters of a finding: one line for a wait or a request."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QGridLayout, QLabel, QPushButton, QWidget

from destutter.core.traced import SlowRequest, TracedWait
from destutter.ui.controls.elided import ElidedLabel
from destutter.ui.controls.emptying import empty
from destutter.ui.look.theme import Theme
from destutter.ui.words.quantities import Quantities, WallClock
from destutter.words.renderer import Renderer
from destutter.words.traced import TracedWords, request_words, wait_words


@dataclass(frozen=True, slots=True)
class _Row:
    begin_ns: int
    length: str
    told: TracedWords


class TracedTable(QWidget):
    """``moment_chosen(int)`` for a time (CLOCK_MONOTONIC, nanoseconds) on the live page."""

    moment_chosen = Signal(object)  # int would be cut to 32 bits

    def __init__(
        self,
        theme: Theme,
        words: Renderer,
        quantities: Quantities,
        clock: WallClock,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._words = words
        self._quantities = quantities
        self._clock = clock
        self._rows: tuple[_Row, ...] = ()
        self.links: list[QPushButton] = []
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(theme.sizes.px(16))
        self._grid.setVerticalSpacing(0)
        for column, share in enumerate((0, 0, 4, 4, 8)):
            self._grid.setColumnStretch(column, share)

    @property
    def texts(self) -> list[str]:
        """Each line as it is read aloud."""
        return [self._spoken(row) for row in self._rows]

    def show_waits(self, waits: Sequence[TracedWait]) -> None:
        """Show these waits of threads, and nothing for none."""
        self._show([self._row(each, wait_words(self._words, each)) for each in waits])

    def show_requests(
        self, requests: Sequence[SlowRequest], folders_of: Callable[[str], Sequence[str]]
    ) -> None:
        """Show these requests to drives, and nothing for none; ``folders_of`` a drive are where
        its file systems are mounted."""
        folders = {drive: folders_of(drive) for drive in {each.device for each in requests}}
        self._show(
            [
                self._row(each, request_words(self._words, each, folders[each.device]))
                for each in requests
            ]
        )

    def _row(self, each: TracedWait | SlowRequest, told: TracedWords) -> _Row:
        length = self._quantities.milliseconds(each.duration_ns / 1e6)
        return _Row(each.begin_ns, length, told)

    def _show(self, rows: Sequence[_Row]) -> None:
        if tuple(rows) == self._rows:
            return
        focus = next((at for at, link in enumerate(self.links) if link.hasFocus()), None)
        self._rows = tuple(rows)
        self.links.clear()
        empty(self._grid)
        for at, row in enumerate(rows):
            self._add(at, row)
        if focus is not None and self.links:
            self.links[min(focus, len(self.links) - 1)].setFocus()

    def _add(self, at: int, row: _Row) -> None:
        moment = QPushButton(self._clock.time(row.begin_ns, tenths=True), self)
        moment.setProperty("role", "link")
        moment.setProperty("monotonic_ns", row.begin_ns)
        moment.setMinimumHeight(self._theme.sizes.px(24))
        moment.setToolTip(self.tr("Show this moment on the live page"))
        moment.setAccessibleName(self._spoken(row))
        moment.clicked.connect(self._moment_clicked)
        self.links.append(moment)
        length = QLabel(row.length, self)
        length.setProperty("role", "strong")
        centre = Qt.AlignmentFlag.AlignVCenter
        self._grid.addWidget(moment, at, 0, centre)
        self._grid.addWidget(length, at, 1, Qt.AlignmentFlag.AlignTrailing | centre)
        for column, (text, role) in enumerate(
            ((row.told.what, "small"), (row.told.who, "small"), (row.told.more, "small"))
        ):
            self._grid.addWidget(ElidedLabel(text, role, self), at, column + 2)

    def _spoken(self, row: _Row) -> str:
        time = self._clock.time(row.begin_ns, tenths=True)
        return self._words.enumerated(part for part in (time, row.length, *row.told) if part)

    @Slot()
    def _moment_clicked(self) -> None:
        self.moment_chosen.emit(self.sender().property("monotonic_ns"))
