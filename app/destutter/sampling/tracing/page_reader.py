# SPDX-License-Identifier: GPL-3.0-or-later
"""Records out of the pages of the kernel's ring buffer, as ``trace_pipe_raw`` gives them.

The format is that of include/linux/ring_buffer.h and kernel/trace/ring_buffer.c. A page begins
with the time of its first record and the length of its data. Each record begins with four bytes:
the lower 5 bits are its kind, the other 27 the time since the record before.
"""

import struct
from collections.abc import Callable, Mapping
from typing import NamedTuple

from destutter.core.statement import Statement, StatementError
from destutter.sampling.tracing.formats import MOST_BYTES
from destutter_helper.api.tracing import RingPage

Handle = Callable[[int, bytes, int], None]
"""Takes a record: its time, the page, and where in it the record begins."""

_PADDING, _TIME_EXTEND = 29, 30  # and 31, a time stamp; below, a length in words of 4 bytes or 0
_MISSED, _MISSED_STORED = 1 << 31, 1 << 30
_DELTA_BITS = 27
_SMALLEST_RECORD = 8
_HEAD = struct.Struct("<IH").unpack_from  # the four bytes, and the event's number behind them
_WORD = struct.Struct("<I").unpack_from


class KnownEvent(NamedTuple):
    """What to do with the records of an event.

    ``size`` is how many bytes one has at least. ``is_whole``: a record says everything by itself,
    and stays true where records before it were lost.
    """

    size: int
    handle: Handle
    is_whole: bool = False


Record = tuple[int, KnownEvent, bytes, int]
"""A record before it is looked at: time, event, page, and where in the page it begins."""


class PageSpan(NamedTuple):
    """The time of a page, from its first record to its last.

    ``missed``: how many records were lost before it; 0 none, None when nobody counted them.
    """

    begin_ns: int
    end_ns: int
    missed: int | None


class DamagedPageError(StatementError):
    """Bytes that are no page of this kernel's ring buffer."""


class PageReader:
    """Takes pages apart. ``unknown`` counts records of events that nobody asked for."""

    def __init__(self, page: RingPage, events: Mapping[int, KnownEvent]) -> None:
        (stamp_at, _), (commit_at, commit_size) = page.timestamp, page.commit
        self.page_bytes = page.size
        self.unknown = 0
        self._data = page.data
        self._events = events
        self._stamp = struct.Struct(f"<{stamp_at}xQ").unpack_from
        # Only its lower half says anything, on 64 bits as well.
        self._commit = struct.Struct(f"<{commit_at}xI").unpack_from
        self._count = struct.Struct("<Q" if commit_size == 8 else "<I")

    def read(self, page: bytes, records: list[Record]) -> PageSpan:
        """Append the page's records of known events.

        Raises ``DamagedPageError``; nothing of such a page is appended.
        """
        if len(page) != self.page_bytes:
            raise DamagedPageError(Statement("tracing.short_page"))
        begin_ns: int = self._stamp(page)[0]
        commit: int = self._commit(page)[0]
        end = self._data + (commit & MOST_BYTES)
        if end > self.page_bytes:
            raise DamagedPageError(Statement("tracing.damaged_page"))
        before = len(records)
        try:
            end_ns = self._take(page, end, begin_ns, records)
        except DamagedPageError:
            del records[before:]
            raise
        return PageSpan(begin_ns, end_ns, self._missed(page, commit, end))

    def _missed(self, page: bytes, commit: int, end: int) -> int | None:
        if not commit & _MISSED:
            return 0
        if not commit & _MISSED_STORED or end + self._count.size > self.page_bytes:
            return None
        count: int = self._count.unpack_from(page, end)[0]
        return count

    def _take(self, page: bytes, end: int, time_ns: int, records: list[Record]) -> int:
        """Walk along the records; returns the time of the last."""
        # Plain names, one call for head and number of a record: this loop is what reading costs.
        find, append, unpack = self._events.get, records.append, _HEAD
        at, last = self._data, end - _SMALLEST_RECORD
        while at <= last:
            head, number = unpack(page, at)
            kind = head & 31
            if kind >= _PADDING:
                at, time_ns = _passed(page, at, end, head, time_ns)
                continue
            time_ns += head >> 5
            if kind:
                start, length = at + 4, kind << 2
            else:
                start, length, number = _long_record(page, at, end)
            at = start + length
            known = find(number)
            if known is None:
                self.unknown += 1
            elif length < known[0]:
                raise DamagedPageError(Statement("tracing.damaged_page"))
            else:
                append((time_ns, known, page, start))
        # A record that goes beyond the data, or bytes that are too few for one.
        if at != end:
            raise DamagedPageError(Statement("tracing.damaged_page"))
        return time_ns


def _passed(page: bytes, at: int, end: int, head: int, time_ns: int) -> tuple[int, int]:
    """Where the next record is behind one without data, and the time that it starts from."""
    kind, delta = head & 31, head >> 5
    (rest,) = _WORD(page, at + 4)
    if kind == _PADDING:
        # With no time it fills what is left of the page, else it was a record that is taken back.
        return (at + 4 + rest, time_ns + delta) if delta else (end, time_ns)
    # A time stamp has 59 bits, which 18 years without a restart would fill.
    since_ns = time_ns if kind == _TIME_EXTEND else 0
    return at + 8, since_ns + delta + (rest << _DELTA_BITS)


def _long_record(page: bytes, at: int, end: int) -> tuple[int, int, int]:
    """Where a record begins whose length stands before it, that length, and its event's number."""
    (rest,) = _WORD(page, at + 4)
    if rest < _SMALLEST_RECORD or at + 4 + rest > end:
        raise DamagedPageError(Statement("tracing.damaged_page"))
    return at + 8, rest - 4, _WORD(page, at + 8)[0] & 0xFFFF
