# SPDX-License-Identifier: GPL-3.0-or-later
"""The rings of the processors: pages are read without waiting, at most so many in one look.

A ring that has more is emptied all the same, and what is over counts as lost: read later, it would
be sorted behind what the other rings have had to say since, and paired wrongly. Emptying costs a
hundredth of taking apart.
"""

import errno
import os
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from destutter.core.statement import Statement
from destutter.core.traced import TraceLoss
from destutter.sampling.tracing.page_reader import DamagedPageError, PageReader, Record

MOST_PAGES = 64
_MOST_EMPTIED = 4096  # 16 MB: more than the helper lends, and an end to racing a busy writer

_NOTHING = frozenset({errno.EAGAIN, errno.ENODEV})
"""Nothing new; a processor that has never run, or is switched off."""


class Ring:
    """The ring of one processor behind a descriptor, which stays the caller's."""

    def __init__(self, descriptor: int, pages: PageReader, clock: Callable[[], int]) -> None:
        self.descriptor = descriptor
        self._next = partial(os.read, descriptor, pages.page_bytes)
        self._pages = pages
        self._clock = clock
        self._seen_ns = clock()  # until when everything is known
        self.damage: Statement | None = None
        with suppress(OSError):  # as with a file of a test
            os.set_blocking(descriptor, False)

    def read(self, records: list[Record], losses: list[TraceLoss]) -> int:
        """Append what is new, and the times that were not measured in full; how many pages it was.

        Raises ``OSError`` when there is no trace behind the descriptor any more.
        """
        for count in range(MOST_PAGES):
            page = self._page()
            if not page:
                return count
            self._take(page, records, losses)
        self.skip(losses)
        return MOST_PAGES

    def skip(self, losses: list[TraceLoss]) -> None:
        """Empty it without looking at what there is; that counts as lost. Raises ``OSError``."""
        for count in range(_MOST_EMPTIED):
            if not self._page():
                if count:
                    self._lose(losses, None)
                return
        self._lose(losses, None)

    def _page(self) -> bytes:
        try:
            return self._next()
        except OSError as error:
            if error.errno in _NOTHING:
                return b""
            raise

    def _take(self, page: bytes, records: list[Record], losses: list[TraceLoss]) -> None:
        try:
            begin_ns, end_ns, missed = self._pages.read(page, records)
        except DamagedPageError as error:
            self.damage = error.statement
            self._lose(losses, None)
            return
        if missed != 0:
            losses.append(TraceLoss(min(self._seen_ns, begin_ns), begin_ns, missed))
        self._seen_ns = max(self._seen_ns, end_ns)

    def _lose(self, losses: list[TraceLoss], events: int | None) -> None:
        now_ns = self._clock()
        losses.append(TraceLoss(min(self._seen_ns, now_ns), now_ns, events))
        self._seen_ns = now_ns
