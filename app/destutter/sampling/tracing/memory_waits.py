# SPDX-License-Identifier: GPL-3.0-or-later
"""Waits of threads for memory, paired by the thread that both records carry."""

from collections.abc import Iterator
from functools import partial

from destutter.core.traced import COMPACTION, DIRTY_PAUSE, MEMCG_RECLAIM, RECLAIM, THROTTLED
from destutter.sampling.tracing.formats import Unpack, text_of_field
from destutter.sampling.tracing.found import LONG_WAIT_NS, Found, FoundWait
from destutter.sampling.tracing.pages import Handle
from destutter.sampling.tracing.wanted import WantedEvent, shorten

_PAIRS = {
    RECLAIM: ("vmscan/mm_vmscan_direct_reclaim_begin", "vmscan/mm_vmscan_direct_reclaim_end"),
    MEMCG_RECLAIM: ("vmscan/mm_vmscan_memcg_reclaim_begin", "vmscan/mm_vmscan_memcg_reclaim_end"),
    COMPACTION: ("compaction/mm_compaction_begin", "compaction/mm_compaction_end"),
}
_MOST_OPEN = 4096  # threads in the middle of it; more than any computer has at work


class MemoryWaits:
    """Reclaim, compaction, and pauses that the kernel imposes on who writes or allocates."""

    def __init__(self, found: Found) -> None:
        self._found = found
        self._begun: dict[str, dict[int, int]] = {kind: {} for kind in _PAIRS}

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
        for begun in self._begun.values():
            begun.clear()

    def limit(self) -> None:
        """Give up the oldest of too many whose end never came."""
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

        return handle

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
