# SPDX-License-Identifier: GPL-3.0-or-later
"""Looks at all rings: their records in the order of time, paired into waits and requests.

Each ring is in order, but a pair may be of two processors. So the records of a look are sorted,
and those that are younger than its beginning stay for the next, when older ones of other rings can
no longer come.
"""

import select
import time
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from operator import itemgetter

from destutter.core.kernel_files import KernelFiles
from destutter.core.statement import Statement
from destutter.core.traced import TraceLook, TraceLoss
from destutter.sampling.tracing.core_waits import CoreWaits
from destutter.sampling.tracing.formats import TraceFormatError, check_formats, record_layout
from destutter.sampling.tracing.found import Found
from destutter.sampling.tracing.main_states import MainStates
from destutter.sampling.tracing.memory_waits import MemoryWaits
from destutter.sampling.tracing.names import TraceNames
from destutter.sampling.tracing.own_cores import OwnCoresCount
from destutter.sampling.tracing.page_reader import KnownEvent, PageReader, Record
from destutter.sampling.tracing.rare_moments import RareMoments
from destutter.sampling.tracing.requests import DriveRequests
from destutter.sampling.tracing.rings import MOST_PAGES, Ring
from destutter.sampling.tracing.silence import TraceSilence
from destutter.sampling.tracing.sleeps import Sleeps
from destutter.sampling.tracing.tallies import GameTallies
from destutter.sampling.tracing.wanted import TraceSubject
from destutter_helper.api.tracing import DRIVES, EXPERT, GAME, WAITS, Formats

INTERVAL_NS = 250_000_000
FLOOD_WINDOW_NS = 10_000_000
"""Of each interval so much is measured while there is more than can be read, the rest is skipped:
the oldest pages of the rings are of different times then, and nothing could be paired."""

_FLOOD_PAGES = 256  # of an instance in one look; some 17,000 records, which take 20 ms
_TIME = itemgetter(0)


class TraceReader:
    """Reads the descriptors of a trace, in the order in which the helper gives them.

    ``is_quiet``: the last look found no ring with anything in it. While it ``is_flooded``,
    ``skip`` has to be called ``FLOOD_WINDOW_NS`` before each look. ``unusable`` says which events
    this program does not understand, and why; nothing is measured of them. Raises
    ``TraceFormatError`` where nothing can be read at all.
    """

    def __init__(
        self,
        formats: Formats,
        descriptors: Sequence[int],
        files: KernelFiles,
        clock: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        check_formats(formats)
        count = len(formats.cpus)
        if len(descriptors) != count * len(formats.instances):
            raise TraceFormatError(Statement("tracing.wrong_files", {"count": len(descriptors)}))
        self.unusable: list[Statement] = []
        self._clock = clock
        self._found = Found(TraceNames(files))
        self._main = MainStates()
        self._silence = TraceSilence(files)
        self._sleeps = Sleeps(
            self._found, formats.tick_ns, is_deep_told=EXPERT in formats.instances
        )
        self._own = OwnCoresCount(self._sleeps.turns, len(formats.cpus))
        subjects: dict[str, tuple[TraceSubject, ...]] = {
            WAITS: (MemoryWaits(self._found), RareMoments(self._found, formats.tick_ns)),
            DRIVES: (DriveRequests(self._found),),
            GAME: (CoreWaits(self._found, self._sleeps, self._main),),
            EXPERT: (GameTallies(self._found),),
        }
        self._pages = PageReader(formats.page, self._known_events(formats, subjects))
        rings = [Ring(each, self._pages, clock) for each in descriptors]
        self._polled = select.poll()
        for each in descriptors:
            self._polled.register(each, select.POLLIN)
        self._instances = [
            _InstanceReader(name, rings[at * count : (at + 1) * count], subjects[name])
            for at, name in enumerate(formats.instances)
        ]
        self._untold_losses: list[TraceLoss] = []
        self.is_quiet = False
        self._looked_ns = self._told_ns = clock()

    @property
    def game(self) -> int | None:
        """The process whose waits for a core are told, and of whose main thread all times."""
        return self._found.game

    @game.setter
    def game(self, pid: int | None) -> None:
        self._found.game = pid
        self.lead = pid

    @property
    def lead(self) -> int | None:
        """The thread that shows the game's frames: what is told of its main one is of this."""
        return self._found.lead

    @lead.setter
    def lead(self, tid: int | None) -> None:
        if tid != self._found.lead:
            self._found.lead = tid
            self._sleeps.forget()
            self._main.follow(tid)

    @property
    def is_flooded(self) -> bool:
        """Whether one of the instances has more than can be read."""
        return any(each.is_flooded for each in self._instances)

    def look(self) -> bool:
        """Read what is new; whether there is something to tell. Raises ``OSError`` when the trace
        is gone.
        """
        now_ns = self._looked_ns = self._clock()
        # Asking all of them takes a third of the time that reading them in vain takes.
        full = frozenset(descriptor for descriptor, _ in self._polled.poll(0))
        was_quiet, self.is_quiet = self.is_quiet, not full
        # Behind a look that found nothing, one that finds nothing either has nothing left to pair.
        for instance in () if was_quiet and self.is_quiet else self._instances:
            count, losses = instance.look(now_ns, full)
            if count:
                self._found.counts["events"] += count
            self._untold_losses += losses
        return self._found.is_long or bool(self._untold_losses)

    def skip(self) -> None:
        """In a flood, some time before a look: begin anew with all rings of an instance at once.

        What the look then finds there is complete, and of the same time for all of them. Raises
        ``OSError``.
        """
        for instance in self._instances:
            if instance.is_flooded:
                self._untold_losses += instance.skip()

    def rest(self, seconds: float, until: int) -> None:
        """Sleep until a ring has anything, ``until`` can be read, or so long."""
        self._polled.register(until, select.POLLIN)
        self._polled.poll(seconds * 1000)
        self._polled.unregister(until)

    def tell(self) -> TraceLook:
        """What ended since it was told the last time."""
        found, begin_ns = self._found, self._told_ns
        end_ns = self._told_ns = self._looked_ns
        if self._silence.is_there(self._main.tid, is_heard=self._main.heard):
            self._main.forget()
            where = GAME if found.counts else ""
            self._untold_losses.append(TraceLoss(begin_ns, end_ns, None, where))
        main, own = self._main.tell(end_ns), self._own.tell(end_ns, self._is_own)
        if self._pages.unknown:
            found.counts["unknown"], self._pages.unknown = self._pages.unknown, 0
        suspended_ns = -time.monotonic_ns() + time.clock_gettime_ns(time.CLOCK_BOOTTIME)
        cost_us = time.process_time_ns() // 1000
        if not found.counts and not found.is_long and not self._untold_losses:
            found.names.forget_threads()
            return TraceLook(
                *(begin_ns, end_ns, suspended_ns, cost_us),
                short_ns=found.told_short(),
                main=main,
                own=own,
            )
        look = TraceLook(
            *(begin_ns, end_ns, suspended_ns, cost_us),
            waits=found.told_waits(),
            requests=found.told_requests(),
            commits=tuple(found.commits),
            moments=tuple(found.moments),
            losses=_joined(self._untold_losses),
            untold=found.untold,
            untold_requests=found.untold_requests,
            untold_other_requests=found.untold_other_requests,
            untold_other_waits=found.untold_other_waits,
            counts=dict(+found.counts),
            sleeps=found.told_sleeps(),
            tallies=found.told_tallies(),
            deep_sleeps=found.told_deep_sleeps(),
            short_ns=found.told_short(),
            main=main,
            own=own,
        )
        found.clear()
        self._untold_losses.clear()
        return look

    def _is_own(self, tid: int) -> bool:
        """Whether a thread belongs to the game, or to what it started."""
        born = self._sleeps.turns.newborn.get(tid, ("", False))
        return self._found.is_family(tid, born)

    def take_troubles(self) -> Iterable[Statement]:
        """What was wrong with pages since the last call."""
        for instance in self._instances:
            yield from instance.take_troubles()

    def _known_events(
        self, formats: Formats, subjects: Mapping[str, Sequence[TraceSubject]]
    ) -> dict[int, KnownEvent]:
        known: dict[str, KnownEvent] = {}
        refused: dict[str, Statement] = {}
        wanted = (each.events() for group in subjects.values() for each in group)
        for name, fields, make, is_whole in chain.from_iterable(wanted):
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


class _InstanceReader:
    """The rings of one instance, of which nothing is paired with what another one records."""

    def __init__(self, name: str, rings: Sequence[Ring], subjects: Sequence[TraceSubject]) -> None:
        self.is_flooded = False
        self._name = name
        self._rings = rings
        self._subjects = subjects
        self._is_window = False
        self._records: list[Record] = []
        self._losses: list[TraceLoss] = []

    def look(self, now_ns: int, full: Container[int]) -> tuple[int, Sequence[TraceLoss]]:
        """Read and pair what is new in the rings behind these descriptors; how many records it
        was, and what was lost."""
        records, held = self._records, len(self._records)
        losses: list[TraceLoss] = []
        rings = (ring for ring in self._rings if ring.descriptor in full)
        self._note_flood([ring.read(records, losses) for ring in rings])
        told = self._note(losses)
        count = len(records) - held
        if records or self._losses:
            self._pair(now_ns)
        return count, told

    def skip(self) -> Sequence[TraceLoss]:
        """Empty all rings; what is lost by that."""
        losses: list[TraceLoss] = []
        for ring in self._rings:
            ring.skip(losses)
        self._is_window = True
        return self._note(losses)

    def take_troubles(self) -> Iterable[Statement]:
        """What was wrong with pages since the last call."""
        for ring in self._rings:
            if ring.damage is not None:
                yield ring.damage
                ring.damage = None

    def _note(self, losses: Iterable[TraceLoss]) -> Sequence[TraceLoss]:
        named = [replace(each, instance=self._name) for each in losses]
        self._losses += named
        return named

    def _note_flood(self, counts: Sequence[int]) -> None:
        share = FLOOD_WINDOW_NS / INTERVAL_NS if self._is_window else 1.0
        self._is_window = False
        self.is_flooded = (
            max(counts, default=0) >= MOST_PAGES * share or sum(counts) >= _FLOOD_PAGES * share
        )

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
    """Times of an instance that overlap as one: a loss of one ring is one of all of its rings."""
    joined: list[TraceLoss] = []
    for loss in sorted(losses, key=lambda each: (each.instance, each.begin_ns)):
        last = joined[-1] if joined else loss
        if joined and loss.instance == last.instance and loss.begin_ns <= last.end_ns:
            is_counted = last.events is not None and loss.events is not None
            count = (last.events or 0) + (loss.events or 0) if is_counted else None
            end_ns = max(last.end_ns, loss.end_ns)
            joined[-1] = TraceLoss(last.begin_ns, end_ns, count, loss.instance)
        else:
            joined.append(loss)
    return tuple(sorted(joined, key=lambda each: each.begin_ns))


def _run(records: Sequence[Record], begin: int, end: int) -> None:
    for time_ns, known, page, at in records[begin:end]:
        known[1](time_ns, page, at)
