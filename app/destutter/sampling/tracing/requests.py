# SPDX-License-Identifier: GPL-3.0-or-later
"""Requests to drives: who asked, how long they waited for the drive, and how long that took.

Somebody asks for sectors (block_bio_queue), the drive is given a request (block_rq_issue), and has
done it (block_rq_complete). Only the first names who asked: a request is often given to the drive
by a thread of the kernel. What is asked may be put together with its neighbours or cut in pieces
on its way, so each request looks for all that begins where it begins or follows at once.
"""

from collections.abc import Iterator

from destutter.core.traced import (
    DISCARD,
    FLUSH,
    OTHER,
    READ,
    REQUEST,
    SLOW_REQUEST_NS,
    WRITE,
)
from destutter.sampling.tracing.formats import Unpack, text_of_field
from destutter.sampling.tracing.found import Found, FoundRequest
from destutter.sampling.tracing.page_reader import Handle
from destutter.sampling.tracing.wanted import WantedEvent, shorten

_ASKED_FIELDS = ("common_pid", "dev", "sector", "nr_sector", "rwbs", "comm")
_ISSUED_FIELDS = ("dev", "sector", "nr_sector", "rwbs")
_DONE_FIELDS = ("dev", "sector", "nr_sector")

_MOST_OPEN = 8192  # of a drive; NVMe takes some thousands at once
_MOST_DRIVES = 256
_NEVER_ISSUES = 4096  # asked for in a row: a drive with work of its own issues long before
_FLUSH_SECTOR = -1
"""A flush is of no sector, and the records say 0, where another request may begin."""

_OPERATIONS = {ord("R"): READ, ord("W"): WRITE, ord("D"): DISCARD, ord("F"): FLUSH}

_PIECE_NS = 10_000_000_000
"""A piece that its other piece precedes by more is of another asking; requests were seen to wait
8.4 s for their turn."""

_Asked = tuple[int, int, bytes, int, bytes, int]
"""When, by which thread, its name, how many sectors, what (``rwbs``), and of the rest of an asking
when the piece before it was given to the drive; 0 otherwise."""


_Issued = tuple[int, int, int | None, _Asked | None, bytes]
"""When, how many sectors, for how long the drive had nothing to do, who asked, and what.

A plain tuple: one with names takes 0.3 µs more to make, and an event about 1 µs in all.
"""


class _OpenRequests:
    """What is open on one drive, by its first sector."""

    __slots__ = ("asked", "issued", "last_ns", "unissued")

    def __init__(self) -> None:
        self.asked: dict[int, _Asked] = {}
        self.issued: dict[int, _Issued] = {}
        self.last_ns: int | None = None
        self.unissued = 0

    @property
    def never_issues(self) -> bool:
        """Whether it only hands on to drives below it, as LVM does, or has none, as zram."""
        return self.unissued >= _NEVER_ISSUES


class DriveRequests:
    """Pairs the records of all drives."""

    def __init__(self, found: Found) -> None:
        self._found = found
        self._drives: dict[int, _OpenRequests] = {}

    def events(self) -> Iterator[WantedEvent]:
        """Asking, giving to the drive, and being done."""
        yield WantedEvent("block/block_bio_queue", _ASKED_FIELDS, self._queue)
        yield WantedEvent("block/block_rq_issue", _ISSUED_FIELDS, self._issue)
        yield WantedEvent("block/block_rq_complete", _DONE_FIELDS, self._complete)

    def forget(self) -> None:
        """Records were lost: the sectors may have been asked for again."""
        for drive in self._drives.values():
            drive.asked.clear()
            drive.issued.clear()
            drive.last_ns = None

    def limit(self) -> None:
        """Give up the oldest of too many, and what a drive that never issues was asked for."""
        shorten(self._drives, _MOST_DRIVES)
        for drive in self._drives.values():
            if drive.never_issues:
                drive.asked.clear()
            else:
                shorten(drive.asked, _MOST_OPEN)
            shorten(drive.issued, _MOST_OPEN)

    def _new(self, device: int) -> _OpenRequests:
        drive = self._drives[device] = _OpenRequests()
        return drive

    def _queue(self, unpack: Unpack) -> Handle:
        drives, new = self._drives, self._new

        def handle(time_ns: int, page: bytes, at: int) -> None:
            tid, device, sector, sectors, rwbs, name = unpack(page, at)
            drive = drives.get(device) or new(device)
            drive.unissued += 1
            if drive.unissued < _NEVER_ISSUES:
                key = sector if sectors else _FLUSH_SECTOR
                drive.asked[key] = (time_ns, tid, name, sectors, rwbs, 0)

        return handle

    def _issue(self, unpack: Unpack) -> Handle:
        drives, new = self._drives, self._new

        def handle(time_ns: int, page: bytes, at: int) -> None:
            device, sector, sectors, rwbs = unpack(page, at)
            drive = drives.get(device) or new(device)
            drive.unissued = 0
            idle_ns = None
            if not drive.issued and drive.last_ns is not None:
                idle_ns = time_ns - drive.last_ns
            key = sector if sectors else _FLUSH_SECTOR
            asked = drive.asked.pop(key, None)
            if asked is not None and asked[5] and time_ns - asked[5] > _PIECE_NS:
                asked = None
            if asked is None:
                # Given to the drive a second time, or a piece before the one it follows.
                again = drive.issued.get(key)
                asked = None if again is None else again[3]
                if asked is None and sectors:
                    _close(drive.asked, sector, sectors)
            elif asked[3] != sectors:
                asked = _matched(drive, (time_ns, sector, sectors), asked)
            drive.issued[key] = (time_ns, sectors, idle_ns, asked, rwbs)

        return handle

    def _complete(self, unpack: Unpack) -> Handle:
        drives, counts, tell = self._drives, self._found.counts, self._tell
        short = self._found.short

        def handle(time_ns: int, page: bytes, at: int) -> None:
            device, sector, sectors = unpack(page, at)
            drive = drives.get(device)
            if drive is None:
                return
            drive.last_ns = time_ns
            key = sector if sectors else _FLUSH_SECTOR
            issued = drive.issued.pop(key, None)
            if issued is None:
                return
            issued_ns, wanted, _, asked, _ = issued
            if 0 < sectors < wanted:
                # Done in part: the rest goes by the sector at which it begins.
                drive.issued[sector + sectors] = (issued_ns, wanted - sectors, *issued[2:])
                return
            counts["requests"] += 1
            begin_ns = issued_ns if asked is None else asked[0]
            if time_ns - begin_ns >= SLOW_REQUEST_NS:
                tell(time_ns, device, sector if sectors else 0, issued)
            elif asked is not None:
                short[REQUEST, asked[1]] += time_ns - begin_ns

        return handle

    def _tell(self, time_ns: int, device: int, sector: int, issued: _Issued) -> None:
        issued_ns, sectors, idle_ns, asked_by, rwbs = issued
        asked, begin_ns, queue_ns = None, issued_ns, None
        if asked_by is not None:
            begin_ns, tid, name, *_ = asked_by
            queue_ns = issued_ns - begin_ns
            asked = tid, text_of_field(name)
        request = FoundRequest(
            time_ns - begin_ns,
            begin_ns,
            queue_ns,
            idle_ns,
            device,
            _operation(rwbs),
            sector,
            sectors,
            asked,
        )
        self._found.requests.append(request)


def _matched(drive: _OpenRequests, given: tuple[int, int, int], first: _Asked) -> _Asked:
    """Who asked first for what a request holds, where it holds less or more than one asking.

    ``given``: when, from which sector on, and how many. What it does not hold of an asking is
    open at the sector where that goes on, or was given to the drive before: whoever wrote the
    same sectors again then "waited" since the first time, 45 s.
    """
    time_ns, sector, sectors = given
    end, at, part = sector + sectors, sector, first
    while at + part[3] < end:
        at += part[3]
        following = drive.asked.pop(at, None)
        if following is None:
            break
        part = following
        first = min(first, part)
    if at + part[3] > end:
        before = drive.issued.get(end)
        if before is None:
            drive.asked[end] = (*part[:3], at + part[3] - end, part[4], time_ns)
        elif before[3] is None:
            drive.issued[end] = (*before[:3], part, before[4])
    return first


def _close(asked: dict[int, _Asked], sector: int, sectors: int) -> None:
    """What a request holds is asked for no more; each is looked at, for it is rare."""
    for each in [each for each in asked if sector < each < sector + sectors]:
        del asked[each]


def _operation(rwbs: bytes) -> str:
    """What the letters of a request mean; F before another is a flush that comes before it."""
    kind = _OPERATIONS.get(rwbs[0], OTHER)
    if kind == FLUSH and rwbs[1:2] in (b"W", b"R", b"D"):
        return _OPERATIONS[rwbs[1]]
    return kind
