# SPDX-License-Identifier: GPL-3.0-or-later
"""Waits of threads for memory, paired by the thread that both records carry."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from destutter.core.traced import (
    COMPACTION,
    DIRTY_PAUSE,
    LONG_WAIT_NS,
    MEMCG_RECLAIM,
    RECLAIM,
    THROTTLED,
)
from destutter.sampling.tracing.formats import Unpack, text_of_field
from destutter.sampling.tracing.found import Found, FoundWait
from destutter.sampling.tracing.page_reader import Handle
from destutter.sampling.tracing.wanted import WantedEvent, shorten

_PAIRS = {
    RECLAIM: ("vmscan/mm_vmscan_direct_reclaim_begin", "vmscan/mm_vmscan_direct_reclaim_end"),
    MEMCG_RECLAIM: ("vmscan/mm_vmscan_memcg_reclaim_begin", "vmscan/mm_vmscan_memcg_reclaim_end"),
    COMPACTION: ("compaction/mm_compaction_begin", "compaction/mm_compaction_end"),
}
_MOST_OPEN = 4096  # threads in the middle of it; more than any computer has at work
# Memory is freed and moved in steps of 0.05 to 2 ms, and between them a thread only takes the page
# that it got: 500 of them filled stutters of 86 ms in which no single one was long.
_GAP_NS = 1_000_000
_PIECE_NS = 20_000_000  # a run begins where its first step did, and some of it is no wait


@dataclass(slots=True)
class _Run:
    """Short waits of one thread that follow each other at once."""

    begin_ns: int
    end_ns: int
    waited_ns: int


class MemoryWaits:
    """Reclaim, compaction, and pauses that the kernel imposes on who writes or allocates."""

    def __init__(self, found: Found) -> None:
        self._found = found
        self._begun: dict[str, dict[int, int]] = {kind: {} for kind in _PAIRS}
        self._runs: dict[tuple[str, int], _Run] = {}

    def events(self) -> Iterator[WantedEvent]:
        """What these waits are made of."""
        for kind, (begin, end) in _PAIRS.items():
            yield WantedEvent(begin, ("common_pid",), partial(self._begin, self._begun[kind]))
            yield WantedEvent(end, ("common_pid",), partial(self._end, kind))
        throttled = ("common_pid", "usec_delayed")
        yield WantedEvent("vmscan/mm_vmscan_throttled", throttled, self._throttled, is_whole=True)
        paused = ("common_pid", "pause", "bdi")
        name = "writeback/balance_dirty_pages"
        yield WantedEvent(name, paused, self._paused, is_whole=True)

    def forget(self) -> None:
        """Records were lost: an end that comes may belong to a beginning that did not."""
        self._end_runs()
        for begun in self._begun.values():
            begun.clear()

    def limit(self) -> None:
        """Give up the oldest of too many whose end never came, and end all runs of steps."""
        self._end_runs()
        for begun in self._begun.values():
            shorten(begun, _MOST_OPEN)

    def _begin(self, begun: dict[int, int], unpack: Unpack) -> Handle:
        def handle(time_ns: int, page: bytes, at: int) -> None:
            begun[unpack(page, at)[0]] = time_ns

        return handle

    def _end(self, kind: str, unpack: Unpack) -> Handle:
        begun, found = self._begun[kind], self._found

        def handle(time_ns: int, page: bytes, at: int) -> None:
            (tid,) = unpack(page, at)
            begin_ns = begun.pop(tid, None)
            if begin_ns is None:
                return
            found.counts[kind] += 1
            if time_ns - begin_ns >= LONG_WAIT_NS:
                found.waits.append(FoundWait(time_ns - begin_ns, begin_ns, kind, tid))
            else:
                self._note_step((kind, tid), begin_ns, time_ns)

        return handle

    def _note_step(self, key: tuple[str, int], begin_ns: int, end_ns: int) -> None:
        run = self._runs.get(key)
        if run is not None and begin_ns - run.end_ns <= _GAP_NS:
            run.waited_ns += end_ns - begin_ns
            run.end_ns = end_ns
            if end_ns - run.begin_ns >= _PIECE_NS:
                self._end_run(key, self._runs.pop(key))
            return
        if run is not None:
            self._end_run(key, run)
        self._runs[key] = _Run(begin_ns, end_ns, end_ns - begin_ns)

    def _end_run(self, key: tuple[str, int], run: _Run) -> None:
        if run.waited_ns >= LONG_WAIT_NS:
            self._found.runs.append(FoundWait(run.waited_ns, run.begin_ns, *key))
        else:
            self._found.short[key] += run.waited_ns

    def _end_runs(self) -> None:
        for key, run in self._runs.items():
            self._end_run(key, run)
        self._runs.clear()

    def _throttled(self, unpack: Unpack) -> Handle:
        def handle(time_ns: int, page: bytes, at: int) -> None:
            tid, delayed_us = unpack(page, at)
            self._whole(FoundWait(delayed_us * 1000, time_ns - delayed_us * 1000, THROTTLED, tid))

        return handle

    def _paused(self, unpack: Unpack) -> Handle:
        def handle(time_ns: int, page: bytes, at: int) -> None:
            tid, pause_ms, device = unpack(page, at)
            # It is told before the pause, in ms: a signal may end it earlier.
            name = self._found.names.drive_of(text_of_field(device))
            wait = FoundWait(pause_ms * 1_000_000, time_ns, DIRTY_PAUSE, tid, device=name)
            self._whole(wait)

        return handle

    def _whole(self, wait: FoundWait) -> None:
        if wait.duration_ns > 0:
            self._found.counts[wait.kind] += 1
        if wait.duration_ns >= LONG_WAIT_NS:
            self._found.waits.append(wait)
