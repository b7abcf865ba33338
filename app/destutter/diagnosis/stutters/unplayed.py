# SPDX-License-Identifier: GPL-3.0-or-later
"""When a game that tells its frames was not played: paused, loading, silent, or not running.

A loading screen in the midst of a flight is one frame of many seconds, in which the game reads and
computes. Stutters are freezes of up to 2 s, so one of 3 s and more that does both is no stutter:
one of 12 s was "the worst", and most of what was lost. One that waits for memory or for a drive
computes next to nothing, or its computer frees memory meanwhile, and stays what it is.
"""

from bisect import bisect_right
from collections import deque
from collections.abc import Iterator
from operator import attrgetter
from typing import NamedTuple

from destutter.core.metrics import Metrics
from destutter.core.sample import Frames
from destutter.diagnosis.unplayed_span import Unplayed, UnplayedSpan

LOADING_MS = 3_000.0
UNPLAYED_METRICS = frozenset(
    {
        "game.cpu_ms_per_s",
        "game.system_ms_per_s",
        "game.read_bytes_per_s",
        "pressure.some_pct",
    }
)
_LEAST_NS = 2_000_000_000  # shorter, a tick or a packet may have come late
_SILENT_NS = 10_000_000_000  # while it goes on: a frame may yet come that is as long
_KEPT_NS = 130_000_000_000  # X-Plane's longest frame is 60 s
# Of a core: the 12 s had 0.70, others 0.47, who waits for a drive hardly any. By itself, without
# the kernel's work for it: 0.58 and 0.24; who frees memory has next to none of that.
_COMPUTED, _BY_ITSELF = 0.3, 0.15
_READ_PER_S = 4e6  # bytes: the 12 s had 193 MB/s; less is no loading but computing
_MEMORY_PCT = 10.0  # of the time somebody waited for memory: what is read then was evicted


class _Rates(NamedTuple):
    """What the game did in one tick, a second: milliseconds of computing, with and without the
    kernel's work for it, and bytes; memory's pressure in ms."""

    cpu_ms: float
    own_ms: float
    read_bytes: float
    memory_ms: float


class _Sum(NamedTuple):
    """All ticks until one: how long they were, and what the game did in them."""

    end_ns: int
    length_s: float
    done: _Rates


_NOTHING = _Rates(0.0, 0.0, 0.0, 0.0)


class UnplayedTimes:
    """Takes in a stream, and knows the spans of its last ``horizon_ns``; None: of all of it."""

    def __init__(self, horizon_ns: int | None) -> None:
        self._horizon_ns = horizon_ns
        self._sums = deque([_Sum(0, 0.0, _NOTHING)])
        self._spans: deque[UnplayedSpan] = deque()
        self._loading_ends: set[int] = set()
        self._since_ns: int | None = None
        self._has_frames = self._has_had_game = False
        self._game = ""
        self._is_paused = False
        self._last = _NOTHING

    @property
    def loading_ends(self) -> frozenset[int]:
        """The ends of the frames that were loading screens."""
        return frozenset(self._loading_ends)

    def accept_state(self, now_ns: int, game: str, *, is_paused: bool) -> None:
        """What is watched from now on: the game's number, empty for none."""
        if (game, is_paused) == (self._game, self._is_paused):
            return
        self._has_had_game = self._has_had_game or bool(game)
        if self._since_ns is not None:
            self._close(now_ns)
            self._since_ns = now_ns
        if game != self._game:
            self._sums = deque([_Sum(0, 0.0, _NOTHING)])
            self._last = _NOTHING
        self._game, self._is_paused = game, is_paused

    def accept_metrics(self, metrics: Metrics) -> None:
        """Remember what the game did in a tick; its files are read less often than the tick."""
        if self._since_ns is None:
            self._since_ns = metrics.monotonic_ns
        if metrics.elapsed_s <= 0:
            return
        values, length_s = metrics.values, metrics.elapsed_s
        cpu, system = values.get("game.cpu_ms_per_s"), values.get("game.system_ms_per_s")
        memory = metrics.instanced.get("pressure.some_pct", {}).get("memory")
        last, before = self._last, self._sums[-1]
        self._last = last = _Rates(
            *((last.cpu_ms, last.own_ms) if cpu is None else (cpu, cpu - (system or 0.0))),
            values.get("game.read_bytes_per_s", last.read_bytes) or 0.0,
            last.memory_ms if memory is None else memory * 10.0,
        )
        done = map(lambda sum_, rate: sum_ + rate * length_s, before.done, last)
        self._sums.append(
            _Sum(metrics.monotonic_ns, before.length_s + length_s, _Rates._make(done))
        )
        while self._sums[1].end_ns < metrics.monotonic_ns - _KEPT_NS:
            self._sums.popleft()

    def accept_frames(self, frames: Frames) -> None:
        """Frames in order of time; what lies between them was not drawn."""
        for end_ns, frame_us in zip(frames.monotonic_ns, frames.frame_us, strict=True):
            start_ns = end_ns - 1000 * frame_us
            self._close(start_ns)
            self._has_frames = True
            self._since_ns = max(end_ns, self._since_ns or end_ns)
            if frame_us >= 1e3 * LOADING_MS and self._is_loading(start_ns, end_ns):
                self._loading_ends.add(end_ns)
                self._spans.append(UnplayedSpan(Unplayed.LOADING, start_ns, end_ns))

    def spans(self, now_ns: int) -> tuple[UnplayedSpan, ...]:
        """In order of time; empty as long as no frame has told of a game."""
        if not self._has_frames:
            return ()
        if self._horizon_ns is not None:
            while self._spans and self._spans[0].end_ns < now_ns - self._horizon_ns:
                self._loading_ends.discard(self._spans.popleft().end_ns)
        return (*self._spans, *self._open(now_ns))

    def _open(self, now_ns: int) -> Iterator[UnplayedSpan]:
        """What goes on."""
        since_ns = now_ns if self._since_ns is None else self._since_ns
        if now_ns - since_ns < _LEAST_NS:
            return
        kind = self._kind(now_ns)
        is_told = kind in (Unplayed.PAUSED, Unplayed.NO_GAME)
        if is_told or now_ns - since_ns >= _SILENT_NS:
            yield UnplayedSpan(kind, since_ns, now_ns)

    def _close(self, now_ns: int) -> None:
        since_ns = self._since_ns
        if since_ns is not None and now_ns - since_ns >= _LEAST_NS:
            self._spans.append(UnplayedSpan(self._kind(now_ns), since_ns, now_ns))

    def _kind(self, now_ns: int) -> Unplayed:
        if self._has_had_game and not self._game:
            return Unplayed.NO_GAME
        if self._is_paused:
            return Unplayed.PAUSED
        is_loading = self._since_ns is not None and self._is_loading(self._since_ns, now_ns)
        return Unplayed.LOADING if is_loading else Unplayed.NO_FRAMES

    def _is_loading(self, start_ns: int, end_ns: int) -> bool:
        """Whether the game read and computed all the while, as far as that was measured."""
        first, last = self._until(start_ns), self._until(end_ns)
        length_s = last.length_s - first.length_s
        if length_s < (end_ns - start_ns) / 2e9:
            return False
        cpu, own, read, memory = (
            (after - before) / length_s
            for before, after in zip(first.done, last.done, strict=True)
        )
        is_computed = cpu >= 1e3 * _COMPUTED and own >= 1e3 * _BY_ITSELF
        return is_computed and read >= _READ_PER_S and memory < 10.0 * _MEMORY_PCT

    def _until(self, end_ns: int) -> _Sum:
        """Of all ticks that had ended by then: adding them up anew, at each look at a game that
        is paused, took a tenth of what the window uses."""
        at = bisect_right(self._sums, end_ns, key=attrgetter("end_ns"))
        return self._sums[max(at - 1, 0)]
