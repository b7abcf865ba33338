# SPDX-License-Identifier: GPL-3.0-or-later
"""Looks at all rings: their records in the order of time, paired into waits and requests.

Each ring is in order, but a pair may be of two processors. So the records of a look are sorted,
and those that are younger than its beginning stay for the next, when older ones of other rings can
no longer come.
"""

import time
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import astuple
from operator import itemgetter

from destutter.core.kernel_files import KernelFiles
from destutter.core.statement import Statement
from destutter.core.traced import TraceLook, TraceLoss
from destutter.sampling.tracing.core_waits import CoreWaits
from destutter.sampling.tracing.formats import TraceFormatError, check_formats, record_layout
from destutter.sampling.tracing.found import Found
from destutter.sampling.tracing.memory_waits import MemoryWaits
from destutter.sampling.tracing.moments import RareMoments
from destutter.sampling.tracing.names import TraceNames
from destutter.sampling.tracing.pages import KnownEvent, PageReader, Record
from destutter.sampling.tracing.requests import DriveRequests
from destutter.sampling.tracing.rings import MOST_PAGES, Ring
from destutter.sampling.tracing.wanted import TraceSubject
from destutter_helper.api.tracing import Formats

INTERVAL_NS = 250_000_000
FLOOD_WINDOW_NS = 10_000_000
"""Of each interval so much is measured while there is more than can be read, the rest is skipped:
the oldest pages of the rings are of different times then, and nothing could be paired."""

_FLOOD_PAGES = 256  # of all rings in one look; some 17,000 records, which take 20 ms
_TIME = itemgetter(0)


class TraceReader:
    """Reads the descriptors of a trace, in the order in which the helper gives them.

    ``game`` is the process whose waits for a core are told. While it ``is_flooded``, ``skip`` has
    to be called ``FLOOD_WINDOW_NS`` before each look. ``unusable`` says which events this
    program does not understand, and why; nothing is measured of them. Raises ``TraceFormatError``
    where nothing can be read at all.
    """

    def __init__(
        self,
        formats: Formats,
        descriptors: Sequence[int],
        files: KernelFiles,
        clock: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        check_formats(formats)
        if len(descriptors) != len(formats.cpus) * len(formats.instances):
            raise TraceFormatError(Statement("tracing.wrong_files", {"count": len(descriptors)}))
        self.game: int | None = None
        self.is_flooded = False
        self._is_window = False
        self.unusable: list[Statement] = []
        self._clock = clock
        self._found = Found(TraceNames(files))
        self._subjects: tuple[TraceSubject, ...] = (
            MemoryWaits(self._found),
            DriveRequests(self._found),
            RareMoments(self._found, formats.tick_ns),
            CoreWaits(self._found),
        )
        self._pages = PageReader(formats.page, self._known_events(formats))
        self._rings = [Ring(each, self._pages, clock) for each in descriptors]
        self._records: list[Record] = []
        self._losses: list[TraceLoss] = []
        self._untold_losses: list[TraceLoss] = []
        self._looked_ns = self._told_ns = clock()

    def look(self) -> bool:
        """Read what is new; whether there is something to tell. Raises ``OSError`` when the trace
        is gone.
        """
        now_ns, records, losses = self._clock(), self._records, self._losses
        held, known = len(records), len(losses)
        counts = [ring.read(records, losses) for ring in self._rings]
        self._note_flood(counts)
        self._looked_ns = now_ns
        if records or losses:
            self._found.counts["events"] += len(records) - held
            self._untold_losses += losses[known:]
            self._pair(now_ns)
        return self._found.is_long or bool(self._untold_losses)

    def skip(self) -> None:
        """In a flood, some time before a look: begin anew with all rings at once.

        What the look then finds is complete, and of the same time for all of them. Raises
        ``OSError``.
        """
        known = len(self._losses)
        for ring in self._rings:
            ring.skip(self._losses)
        self._untold_losses += self._losses[known:]
        self._is_window = True

    def _note_flood(self, counts: Sequence[int]) -> None:
        share = FLOOD_WINDOW_NS / INTERVAL_NS if self._is_window else 1.0
        self._is_window = False
        self.is_flooded = max(counts) >= MOST_PAGES * share or sum(counts) >= _FLOOD_PAGES * share

    def tell(self) -> TraceLook:
        """What ended since it was told the last time."""
        found, begin_ns = self._found, self._told_ns
        self._told_ns = self._looked_ns
        found.counts["unknown"], self._pages.unknown = self._pages.unknown, 0
        look = TraceLook(
            begin_ns,
            self._looked_ns,
            -time.monotonic_ns() + time.clock_gettime_ns(time.CLOCK_BOOTTIME),
            time.process_time_ns() // 1000,
            waits=found.told_waits(self.game),
            requests=found.told_requests(),
            commits=tuple(found.commits),
            moments=tuple(found.moments),
            losses=_joined(self._untold_losses),
            untold=found.untold,
            counts=dict(+found.counts),
        )
        found.clear()
        self._untold_losses.clear()
        return look

    def take_troubles(self) -> Iterable[Statement]:
        """What was wrong with pages since the last call."""
        for ring in self._rings:
            if ring.damage is not None:
                yield ring.damage
                ring.damage = None

    def _known_events(self, formats: Formats) -> dict[int, KnownEvent]:
        known: dict[str, KnownEvent] = {}
        refused: dict[str, Statement] = {}
        for subject in self._subjects:
            for name, fields, make, is_whole in subject.events():
                event = formats.events.get(name)
                if event is None or name in known:
                    continue
                try:
                    size, unpack = record_layout(name, event, fields)
                except TraceFormatError as error:
                    refused[name] = error.statement
                else:
                    known[name] = KnownEvent(size, make(unpack), is_whole)
        self.unusable = [why for name, why in refused.items() if name not in known]
        return {formats.events[name].id: event for name, event in known.items()}

    def _pair(self, now_ns: int) -> None:
        records = self._records
        records.sort(key=_TIME)
        count = bisect_right(records, now_ns, key=_TIME)
        at = 0
        for loss in sorted(self._losses, key=lambda each: each.begin_ns):
            first = bisect_right(records, loss.begin_ns, at, count, key=_TIME)
            after = bisect_left(records, loss.end_ns, first, count, key=_TIME)
            _run(records, at, first)
            self._forget()
            # What is not told by one record alone may be half of two different pairs.
            _run([each for each in records[first:after] if each[1].is_whole], 0, after - first)
            self._forget()
            at = after
        _run(records, at, count)
        del records[:count]
        # One may go on beyond this look, with what is younger than it.
        self._losses = [each for each in self._losses if each.end_ns > now_ns]
        for subject in self._subjects:
            subject.limit()

    def _forget(self) -> None:
        for subject in self._subjects:
            subject.forget()


def _joined(losses: Sequence[TraceLoss]) -> tuple[TraceLoss, ...]:
    """Times that overlap as one: a loss of one ring is one of all."""
    joined: list[TraceLoss] = []
    for loss in sorted(losses, key=lambda each: each.begin_ns):
        if joined and loss.begin_ns <= joined[-1].end_ns:
            begin_ns, end_ns, events = astuple(joined.pop())
            known = events is not None and loss.events is not None
            count = events + loss.events if known else None
            joined.append(TraceLoss(begin_ns, max(end_ns, loss.end_ns), count))
        else:
            joined.append(loss)
    return tuple(joined)


def _run(records: Sequence[Record], begin: int, end: int) -> None:
    for time_ns, known, page, at in records[begin:end]:
        known[1](time_ns, page, at)
