# SPDX-License-Identifier: GPL-3.0-or-later
"""What the window tells its pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum, auto
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

if TYPE_CHECKING:
    from destutter.analysis.examining.pipeline import Snapshot
    from destutter.bridge.helper_client import HelperStatus
    from destutter.ui.pages.feed_state import FeedState, RecordingState
    from destutter.ui.pages.width_class import WidthClass


class Page(QWidget):
    """One page of the window. It is told everything here, and takes up what it needs."""

    def take_focus(self) -> None:
        """It was chosen: its keys work at once, and no control looks chosen."""
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """What was measured, and what follows from it; several times a second."""

    def show_present(self, snapshot: Snapshot) -> None:
        """What is measured now, while ``show_snapshot`` tells of a recording that is played."""

    def show_feed_state(self, state: FeedState) -> None:
        """Where measurements come from, or that they have stopped."""

    def show_recording(self, state: RecordingState) -> None:
        """Whether a recording runs."""

    def show_helper(self, status: HelperStatus) -> None:
        """Whether settings can be changed."""

    def show_watching(self, *, watches_computer: bool) -> None:
        """Whether the whole computer is meant while no game runs."""

    def show_covered(self, *, is_covered: bool) -> None:
        """Whether a banner stands above all pages and takes room."""

    def set_width_class(self, width_class: WidthClass) -> None:
        """How much room the window has from side to side."""

    def begin_anew(self) -> None:
        """Measurements of another time follow: a recording instead of now, or the reverse."""


class News(Enum):
    """The kinds of news; of each the last one holds."""

    SNAPSHOT = auto()
    FEED_STATE = auto()
    RECORDING = auto()
    HELPER = auto()
    WATCHING = auto()
    COVERED = auto()
    WIDTH = auto()


class PageNews:
    """Passes news on to pages; a page that is made later hears the last of each kind."""

    def __init__(self) -> None:
        self._last: dict[News, Callable[[Page], None]] = {}

    def tell(self, pages: Iterable[Page], kind: News, tell_one: Callable[[Page], None]) -> None:
        """Tell each of them, and those that are made later; ``tell_one`` calls a method of one."""
        self._last[kind] = tell_one
        for page in pages:
            tell_one(page)

    def begin_anew(self, pages: Iterable[Page]) -> None:
        """Let pages forget what was measured, and forget it for later ones."""
        self._last.pop(News.SNAPSHOT, None)
        for page in pages:
            page.begin_anew()

    def tell_last(self, page: Page) -> None:
        """Tell a new page what holds now."""
        for tell_one in self._last.values():
            tell_one(page)
