# SPDX-License-Identifier: GPL-3.0-or-later
"""The last seconds of the metrics that rules look at, in constant memory.

Rules have thresholds per second, so ticks are gathered into seconds. A second ends with the first
tick at or after its full length: the rates of that tick cover the time before it, and after a
freeze the one late tick belongs to the second that was frozen.
"""

import math
import statistics
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from destutter.core.catalog import SLOW_PERIODS_S
from destutter.core.metrics import Metrics
from destutter.diagnosis.finding import HORIZON_S
from destutter.diagnosis.history.idle_waits import IdleWaits

Key = tuple[str, str | None]
"""A metric's id and its instance (None for a metric without instances)."""

SECOND_NS = 1_000_000_000
LOOK_BACK_S = 3
"""For what is read once a second, which may miss a second of ours."""

KEPT_S = 30
"""As far as any rule looks back: whoever asks for more gets less, without a word."""

_ENOUGH_FOR_MEDIAN = 10  # seconds: of fewer a load is what is usual
_MAX_WEIGHT_S = max(SLOW_PERIODS_S.values())  # a gap weighs no more than the slowest source

_WEIGHED_BY = {
    "disk.read_await_ms": "disk.reads_per_s",
    "disk.write_await_ms": "disk.writes_per_s",
    "disk.flush_await_ms": "disk.flushes_per_s",
}
"""Averages per event: a tick with many events weighs more than one with few."""

_KEPT_BY_TICK = frozenset(
    {
        "game.run_delay_ms_per_s",
        "game.pressure_some_pct",
        "game.journal_wait_pct",
        "game.dirty_wait_pct",
        "game.blocked_pct",
    }
)
"""How long the game waited: compared with the very time of a stutter."""


@dataclass(slots=True)
class Stat:
    """One metric within one second. ``mean`` is weighed by time, or by events where it must.

    ``ticks`` are the end of each tick and the value times its length, for few metrics only.
    """

    total: float = 0.0
    weight: float = 0.0
    peak: float = -math.inf
    peak_at_ns: int = 0
    low: float = math.inf
    last: float = 0.0
    ticks: list[tuple[int, float]] | None = None

    def add(self, value: float, weight: float, monotonic_ns: int) -> None:
        self.total += value * weight
        self.weight += weight
        self.last = value
        if value < self.low:
            self.low = value
        if value > self.peak:
            self.peak, self.peak_at_ns = value, monotonic_ns
        if self.ticks is not None:
            self.ticks.append((monotonic_ns, value * weight))

    @property
    def mean(self) -> float:
        """The weighed average."""
        return self.total / self.weight if self.weight > 0 else self.last


@dataclass(slots=True)
class Second:
    """What happened from ``start_ns`` (excluded) to ``end_ns`` (included).

    ``stats`` by metric, then by instance (None for a metric without instances).
    """

    start_ns: int
    end_ns: int
    stats: dict[str, dict[str | None, Stat]] = field(default_factory=dict)


class Window:
    """Gathers ticks into seconds and answers what rules ask.

    ``wanted`` are the metrics to keep, ``remembered`` those of which the averages of the last ten
    minutes are kept too, for medians. Spans are counted in completed seconds, newest first.
    """

    def __init__(self, wanted: Iterable[str], remembered: Iterable[str] = ()) -> None:
        self._wanted = frozenset(wanted)
        self._remembered = frozenset(remembered)
        self._seconds: deque[Second] = deque(maxlen=KEPT_S)
        self._open: Second | None = None
        self._last_ns: dict[str, int] = {}
        self._history: dict[Key, deque[float]] = {}
        self._names: dict[tuple[str, int], Sequence[str]] = {}
        self.facts: dict[str, str] = {}
        self.idle_waits = IdleWaits()

    @property
    def newest(self) -> Second | None:
        """The last completed second."""
        return self._seconds[-1] if self._seconds else None

    def accept_metrics(self, metrics: Metrics) -> Second | None:
        """Take in one tick; returns the second that it completes, if it does."""
        if metrics.gap is not None and metrics.gap.is_blind:
            self._open = None
            self._last_ns.clear()
        if self._open is None:
            self._open = Second(metrics.monotonic_ns, metrics.monotonic_ns)
        self._gather(self._open, metrics)
        self.idle_waits.accept_metrics(metrics)
        self._open.end_ns = max(self._open.end_ns, metrics.monotonic_ns)
        if metrics.monotonic_ns - self._open.start_ns < SECOND_NS:
            return None
        done, self._open = self._open, Second(metrics.monotonic_ns, metrics.monotonic_ns)
        self._seconds.append(done)
        self._names.clear()  # rules ask for the same again and again
        self._remember(done)
        return done

    def has_any(self, metrics: Iterable[str]) -> bool:
        """Whether any of the metrics was measured in the seconds that are kept."""
        return not self._last_ns.keys().isdisjoint(metrics)

    def mean(self, metric: str, instance: str | None = None, seconds: int = 1) -> float | None:
        """The average over the last seconds; None when nothing was measured in them."""
        found = self._find(metric, instance, seconds)
        weight = total = 0.0
        for stat in found:
            weight += stat.weight
            total += stat.total
        if weight > 0:
            return total / weight
        return found[-1].last if found else None

    def peak(
        self, metric: str, instance: str | None = None, seconds: int = 1
    ) -> tuple[float, int] | None:
        """The highest tick of the last seconds and its time."""
        found = self._find(metric, instance, seconds)
        return max(((stat.peak, stat.peak_at_ns) for stat in found), default=None)

    def ticks(
        self, metric: str, instance: str | None = None, seconds: int = 1
    ) -> list[tuple[int, float]]:
        """The last seconds' ticks: when each ended, and the value times its length in s.

        Only of waits of the game; nothing of others.
        """
        return [
            tick for stat in self._find(metric, instance, seconds) for tick in stat.ticks or ()
        ]

    def low(self, metric: str, instance: str | None = None, seconds: int = 1) -> float | None:
        """The lowest tick of the last seconds."""
        return min((stat.low for stat in self._find(metric, instance, seconds)), default=None)

    def last(self, metric: str, instance: str | None = None, seconds: int = 10) -> float | None:
        """The newest value, at most so many seconds old; for sources that are read seldom."""
        found = self._find(metric, instance, seconds)
        return found[-1].last if found else None

    def instances(self, metric: str, seconds: int = 1) -> Sequence[str]:
        """The instances that had a value of the metric in the last seconds, sorted."""
        known = self._names.get((metric, seconds))
        if known is not None:
            return known
        names: set[str] = set()
        for second in self._latest(seconds):
            of_metric = second.stats.get(metric)
            if of_metric:
                names.update(name for name in of_metric if name is not None)
        found = self._names[metric, seconds] = tuple(sorted(names))
        return found

    def median(
        self, metric: str, instance: str | None = None, seconds: int = HORIZON_S
    ) -> float | None:
        """The median of the last measured seconds; None before ten were measured."""
        history = list(self._history.get((metric, instance), ()))[-seconds:]
        return statistics.median(history) if len(history) >= _ENOUGH_FOR_MEDIAN else None

    def _gather(self, second: Second, metrics: Metrics) -> None:
        now, wanted, stats = metrics.monotonic_ns, self._wanted, second.stats
        isfinite = math.isfinite  # called for every value of every tick
        for metric, value in metrics.values.items():
            if metric in wanted:
                seconds = self._seconds_since(metric, now)
                if value is not None and isfinite(value):
                    _stat(stats, metric, None).add(value, seconds, now)
        for metric, row in metrics.instanced.items():
            if metric in wanted:
                seconds = self._seconds_since(metric, now)
                events = metrics.instanced.get(_WEIGHED_BY.get(metric, ""))
                for instance, value in row.items():
                    if value is not None and isfinite(value):
                        weight = seconds if events is None else _weight(events, instance, seconds)
                        _stat(stats, metric, instance).add(value, weight, now)

    def _seconds_since(self, metric: str, now_ns: int) -> float:
        before_ns = self._last_ns.get(metric, now_ns)
        self._last_ns[metric] = now_ns
        seconds = (now_ns - before_ns) / SECOND_NS
        return 0.0 if seconds < 0 else seconds if seconds < _MAX_WEIGHT_S else _MAX_WEIGHT_S

    def _remember(self, second: Second) -> None:
        for metric in self._remembered & second.stats.keys():
            for instance, stat in second.stats[metric].items():
                history = self._history.setdefault((metric, instance), deque(maxlen=HORIZON_S))
                history.append(stat.mean)

    def _latest(self, seconds: int) -> Iterable[Second]:
        if seconds == 1:
            return (self._seconds[-1],) if self._seconds else ()
        return list(self._seconds)[-seconds:]

    def _find(self, metric: str, instance: str | None, seconds: int) -> list[Stat]:
        found = []
        for second in self._latest(seconds):
            of_metric = second.stats.get(metric)
            if of_metric is not None:
                stat = of_metric.get(instance)
                if stat is not None:
                    found.append(stat)
        return found


def _stat(stats: dict[str, dict[str | None, Stat]], metric: str, instance: str | None) -> Stat:
    of_metric = stats.get(metric)
    if of_metric is None:
        of_metric = stats[metric] = {}
    stat = of_metric.get(instance)
    if stat is None:
        stat = of_metric[instance] = Stat(ticks=[] if metric in _KEPT_BY_TICK else None)
    return stat


def _weight(events: Mapping[str, float | None], instance: str, seconds: float) -> float:
    return max(seconds * (events.get(instance) or 0.0), 0.0)
