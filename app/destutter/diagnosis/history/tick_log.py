# SPDX-License-Identifier: GPL-3.0-or-later
"""The ticks of the last minute, for what happened within a single stutter.

Rules look at whole seconds; a stutter is shorter than one, and what it met must be told apart from
what came before and after it.
"""

import itertools
import math
import statistics
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from destutter.core.metrics import Metrics
from destutter.diagnosis.finding import Spike
from destutter.diagnosis.history.card_log import CardLog

LATE_NS = 150_000_000
"""So late counters may be read: a tick after what they count, by a clock that is a little off."""
LOOK_NS = 30_000_000
"""So far from a stutter a look at threads may seem to be: a log's clock is a little off."""

# A stutter may stay open for 10 s (explanations.py), and what is usual follows from 30 s of ticks.
_KEPT_NS = 60_000_000_000
_ENOUGH = 10  # ticks, a second of them: of fewer a stutter is what is usual
_USUAL_TICKS = 300  # 30 s
_HOLDS_NS = 2_000_000_000  # in a fifteenth of that a median hardly moves
_MOST_USUAL = 2_000  # threads and drives come and go: bounds memory

SCALARS = frozenset(
    {
        "memory.allocstall_per_s",
        "memory.direct_reclaim_per_s",
        "memory.kswapd_reclaim_per_s",
        "memory.compact_stall_per_s",
        "memory.swap_in_per_s",
        "memory.swap_out_per_s",
        "memory.drop_caches_per_s",
        "memory.refault_file_per_s",
        "cgroup.limit_events_per_s",
        "cgroup.cpu_limit_ms_per_s",
        "cgroup.io_limits",
        "cpu.busy_pct",
        "cpu.system_pct",
        "cpu.steal_pct",
        "game.run_delay_ms_per_s",
        "game.main_cpu_ms_per_s",
        "game.cpu_ms_per_s",
        "game.system_ms_per_s",
        "game.major_faults_per_s",
        "game.page_faults_per_s",
        "game.rss_bytes",
        "game.swap_bytes",
        "game.read_bytes_per_s",
        "game.write_bytes_per_s",
        "game.voluntary_switches_per_s",
        "game.timeslices_per_s",
        "game.stopped_pct",
        "game.blocked_pct",
        "game.dirty_wait_pct",
        "game.journal_wait_pct",
        "game.threads",
        "game.threads_stopped",
        "game.threads_waiting_io",
        "game.threads_waiting_memory",
        "game.threads_waiting_dirty",
        "game.threads_waiting_journal",
        "game.threads_waiting_maps",
        "game.threads_waiting_other",
        "game.threads_waiting_frozen",
        "game.main_in_futex",
        "game.main_in_socket",
        "game.main_in_pipe",
        "game.main_in_timer",
        "game.main_in_gpu",
        "game.main_in_events",
        "game.main_in_server",
        "game.main_in_other",
        "game.main_untimed",
    }
)
INSTANCED = frozenset(
    {
        "pressure.some_pct",
        "game.pressure_some_pct",
        "thread.waiting",
        "thread.found_running",
        "thread.found_in_socket",
        "thread.found_in_pipe",
        "thread.found_in_events",
        "thread.found_in_timer",
        "thread.found_in_gpu",
        "thread.found_in_server",
        "thread.found_in_other",
        "holder.traces",
        "holder.locks",
        "holder.serves",
        "holder.child",
        "holder.reads",
        "partner.cpu_ms_per_s",
        "partner.run_delay_ms_per_s",
        "partner.stopped",
        "partner.in_storage",
        "partner.io_bytes_per_s",
        "partner.at_end",
        "partner.asking",
        "partner.napping",
        "worker.cpu_ms_per_s",
        "worker.run_delay_ms_per_s",
        "thread.cpu_ms_per_s",
        "thread.run_delay_ms_per_s",
        "thread.timeslices_per_s",
        "realtime.run_ms_per_s",
        "realtime.cpu_pct",
        "disk.busy_pct",
        "disk.reads_per_s",
        "disk.writes_per_s",
        "disk.read_await_ms",
        "disk.write_await_ms",
        "disk.read_bytes_per_s",
        "disk.write_bytes_per_s",
        "disk.reads_in_flight",
        "disk.writes_in_flight",
        "disk.queue_depth",
        "disk.flushes_per_s",
        "disk.flush_await_ms",
        "cgroup.read_limit_bytes_per_s",
        "cgroup.write_limit_bytes_per_s",
        "cgroup.read_limit_per_s",
        "cgroup.write_limit_per_s",
    }
)
TICK_METRICS = SCALARS | INSTANCED
"""Everything that is kept by the tick."""

Key = tuple[str, str | None]
"""A metric's id and its instance (None for a metric without instances)."""


@dataclass(slots=True)
class Tick:
    """What one sample said of the time from ``start_ns`` to ``end_ns``."""

    start_ns: int
    end_ns: int
    values: dict[str, float] = field(default_factory=dict)
    instanced: dict[str, dict[str, float]] = field(default_factory=dict)

    @property
    def length_s(self) -> float:
        return (self.end_ns - self.start_ns) / 1e9

    def get(self, key: Key) -> float | None:
        """One value; None when it was not measured in this tick."""
        metric, name = key
        if name is None:
            return self.values.get(metric)
        row = self.instanced.get(metric)
        return None if row is None else row.get(name)


class TickLog:
    """Keeps the ticks of the last minute, and the latest wake-ups of the probe.

    ``cores`` is how many processors there are, as they were read last; 0 while unknown.
    ``game_pid`` is the number of the game, and of its main thread; empty while unknown. ``lead``
    is the number and name of the thread that shows its frames, where that is another one.
    ``game_drives`` hold its files; empty while unknown.
    ``ended_pid`` is that of the last one that has ended, which it did before ``ended_ns``.
    ``cards`` is what graphics cards did, ``stutters`` are those that are known so far.
    """

    def __init__(self) -> None:
        self._ticks: deque[Tick] = deque()
        self._wakes: deque[tuple[int, float]] = deque()
        self._usual: dict[Key, tuple[int, float | None]] = {}
        self.cards = CardLog()
        self.stutters: Sequence[Spike] = ()
        self.cores = 0
        self.game_pid = self.ended_pid = self.lead = ""
        self.game_drives = frozenset[str]()
        self.ended_ns = 0

    def follow(self, game_pid: str, now_ns: int) -> None:
        """Take in which game there is from now on; empty for none."""
        if self.game_pid and not game_pid:
            self.ended_pid, self.ended_ns = self.game_pid, now_ns
        self.game_pid = game_pid

    @property
    def main(self) -> str:
        """The number of the thread that is meant by the main one."""
        return self.lead.partition(" ")[0] or self.game_pid

    def game_at(self, spike: Spike) -> str:
        """The game whose stutter it is: the trace of the last second comes behind its end."""
        is_of_ended = not self.game_pid and spike.monotonic_ns <= self.ended_ns
        return self.ended_pid if is_of_ended else self.game_pid

    @property
    def end_ns(self) -> int:
        """The end of the newest tick; 0 before the first."""
        return self._ticks[-1].end_ns if self._ticks else 0

    def accept_metrics(self, metrics: Metrics) -> None:
        """Take in one sample, of the sampler or of the wake-up probe."""
        late_ms = metrics.values.get("wakeup.worst_ms")
        self.cards.accept_metrics(metrics)
        self.cores = len(metrics.instanced.get("core.busy_pct", ())) or self.cores
        if late_ms is not None:
            self._wakes.append((metrics.monotonic_ns, late_ms))
        if metrics.gap is not None and metrics.gap.is_blind:
            self._ticks.clear()
            self._usual.clear()
        elif metrics.elapsed_s > 0:
            self._ticks.append(_tick(metrics))
        for kept in (self._ticks, self._wakes):
            while kept and _time_of(kept[0]) < metrics.monotonic_ns - _KEPT_NS:
                kept.popleft()

    def outside(self) -> Iterator[Tick]:
        """The ticks of the last half minute that no stutter overlaps, the newest first."""
        stutters = list(self.stutters)
        for tick in itertools.islice(reversed(self._ticks), _USUAL_TICKS):
            while stutters and stutters[-1].start_ns - LOOK_NS >= tick.end_ns:
                stutters.pop()
            if not stutters or stutters[-1].monotonic_ns + LOOK_NS < tick.start_ns:
                yield tick

    def between(self, start_ns: int, end_ns: int) -> list[Tick]:
        """The ticks that overlap a span."""
        return [each for each in self._newest_first(start_ns) if each.start_ns < end_ns][::-1]

    def worst_wake_ms(self, start_ns: int, end_ns: int) -> float:
        """The latest wake-up that was read in a span; 0 without one."""
        return max((late for at, late in self._wakes if start_ns <= at <= end_ns), default=0.0)

    def usual(self, key: Key) -> float | None:
        """The median of a value over the last half minute; None while too little is known.

        It moves slowly and is asked for again and again, so an answer holds for two seconds.
        """
        known = self._usual.get(key)
        if known is not None and 0 <= self.end_ns - known[0] < _HOLDS_NS:
            return known[1]
        latest = itertools.islice(reversed(self._ticks), _USUAL_TICKS)
        found = [value for tick in latest if (value := tick.get(key)) is not None]
        usual = statistics.median(found) if len(found) >= _ENOUGH else None
        if len(self._usual) >= _MOST_USUAL:
            self._usual.clear()
        self._usual[key] = (self.end_ns, usual)
        return usual

    def average(self, metric: str) -> float | None:
        """The mean of a rate over the last half minute; None while too little is known.

        Of what is read once a second the other ticks have nothing, which a median would be.
        """
        latest = [
            (value, tick.length_s)
            for tick in itertools.islice(reversed(self._ticks), _USUAL_TICKS)
            if (value := tick.values.get(metric)) is not None
        ]
        length_s = sum(seconds for _, seconds in latest)
        if len(latest) < _ENOUGH or length_s <= 0.0:
            return None
        return sum(value * seconds for value, seconds in latest) / length_s

    def _newest_first(self, start_ns: int) -> Iterator[Tick]:
        for tick in reversed(self._ticks):
            if tick.end_ns <= start_ns:
                break
            yield tick


def _time_of(kept: Tick | tuple[int, float]) -> int:
    return kept.end_ns if isinstance(kept, Tick) else kept[0]


def _tick(metrics: Metrics) -> Tick:
    now_ns = metrics.monotonic_ns
    tick = Tick(now_ns - int(metrics.elapsed_s * 1e9), now_ns)
    for metric in SCALARS & metrics.values.keys():
        value = metrics.values[metric]
        if value is not None and math.isfinite(value):
            tick.values[metric] = value
    for metric in INSTANCED & metrics.instanced.keys():
        row = metrics.instanced[metric]
        tick.instanced[metric] = {
            name: value
            for name, value in row.items()
            if value is not None and math.isfinite(value)
        }
    return tick
