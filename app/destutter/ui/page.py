# SPDX-License-Identifier: GPL-3.0-or-later
"""What the window tells its pages.

A page is any widget; it has those of these methods that it needs:
``show_snapshot(Snapshot)``, ``show_feed_state(FeedState)``, ``show_recording(RecordingState)``,
``show_helper(HelperStatus)``, ``set_compact(is_compact=...)``, ``show_covered(is_covered=...)``
while a banner stands above all pages, and ``begin_anew()`` when the measurements of another time
follow: a recording instead of now, or the reverse.
"""

from collections.abc import Iterable
from functools import partial

from PySide6.QtWidgets import QWidget


class PageNews:
    """Passes news on to pages; a page that is made later hears the last of each kind."""

    def __init__(self) -> None:
        self._last: dict[str, partial[None]] = {}

    def tell(self, pages: Iterable[QWidget], method: str, *args: object, **named: object) -> None:
        """Call this method of every page that has it."""
        news = partial(_call, method, args, named)
        self._last[method] = news
        for page in pages:
            news(page)

    def begin_anew(self, pages: Iterable[QWidget]) -> None:
        """Let pages forget what was measured, and forget it for later ones."""
        self._last.pop("show_snapshot", None)
        for page in pages:
            _call("begin_anew", (), {}, page)

    def tell_last(self, page: QWidget) -> None:
        """Tell a new page what holds now."""
        for news in self._last.values():
            news(page)


def _call(method: str, args: tuple[object, ...], named: dict[str, object], page: QWidget) -> None:
    listener = getattr(page, method, None)
    if listener is not None:
        listener(*args, **named)
