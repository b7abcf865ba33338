# SPDX-License-Identifier: GPL-3.0-or-later
"""The last seconds of the metrics that rules look at, in constant memory.

Rules have thresholds per second, so ticks are gathered into seconds. A second ends with the first
tick at or after its full length: the rates of that tick cover the time before it, and after a
freeze the one late tick belongs to the second that was frozen.
"""

import math
import statistics
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from destutter.core.metrics import Metrics
from destutter.diagnosis.idle_waits import IdleWaits

Key = tuple[str, str | None]
"""A metric's id and its instance (None for a metric without instances)."""

SECOND_NS = 1_000_000_000
_KEPT = 30
_HISTORY = 600
_ENOUGH_FOR_MEDIAN = 10
_MAX_WEIGHT_S = 10.0

_WEIGHED_BY = {
    "disk.read_await_ms": "disk.reads_per_s",
    "disk.write_await_ms": "disk.writes_per_s",
    "disk.flush_await_ms": "disk.flushes_per_s",
}
"""Averages per event: a tick with many events weighs more than one with few."""


@dataclass(slots=True)
class Stat:
    """One metric within one second. ``mean`` is weighed by time, or by events where it must."""

    total: float = 0.0
    weight: float = 0.0
    peak: float = -math.inf
    peak_at_ns: int = 0
    low: float = math.inf
    last: float = 0.0

    def add(self, value: float, weight: float, monotonic_ns: int) -> None:
        """Take in the value of one tick."""
        self.total += value * weight
        self.weight += weight
        self.last = value
        self.low = min(self.low, value)
        if value > self.peak:
            self.peak, self.peak_at_ns = value, monotonic_ns

    @property
    def mean(self) -> float:
        """The weighed average."""
        return self.total / self.weight if self.weight > 0 else self.last


@dataclass(slots=True)
class Second:
    """What happened from ``start_ns`` (excluded) to ``end_ns`` (included)."""

    start_ns: int
    end_ns: int
    stats: dict[Key, Stat] = field(default_factory=dict)


class Window:
    """Gathers ticks into seconds and answers what rules ask.

    ``wanted`` are the metrics to keep, ``remembered`` those of which the averages of the last ten
    minutes are kept too, for medians. Spans are counted in completed seconds, newest first.
    """

    def __init__(self, wanted: Iterable[str], remembered: Iterable[str] = ()) -> None:
        self._wanted = frozenset(wanted)
        self._remembered = frozenset(remembered)
        self._seconds: deque[Second] = deque(maxlen=_KEPT)
        self._open: Second | None = None
        self._last_ns: dict[str, int] = {}
        self._history: dict[Key, deque[float]] = {}
        self.facts: dict[str, str] = {}
        self.idle_waits = IdleWaits()

    @property
    def newest(self) -> Second | None:
        """The last completed second."""
        return self._seconds[-1] if self._seconds else None

    def accept(self, metrics: Metrics) -> Second | None:
        """Take in one tick; returns the second that it completes, if it does."""
        if metrics.gap is not None and metrics.gap.reason == "suspend":
            self._open = None
            self._last_ns.clear()
        if self._open is None:
            self._open = Second(metrics.monotonic_ns, metrics.monotonic_ns)
        self._gather(self._open, metrics)
        self.idle_waits.accept(metrics)
        self._open.end_ns = max(self._open.end_ns, metrics.monotonic_ns)
        if metrics.monotonic_ns - self._open.start_ns < SECOND_NS:
            return None
        done, self._open = self._open, Second(metrics.monotonic_ns, metrics.monotonic_ns)
        self._seconds.append(done)
        self._remember(done)
        return done

    def mean(self, metric: str, instance: str | None = None, seconds: int = 1) -> float | None:
        """The average over the last seconds; None when nothing was measured in them."""
        found = self._find((metric, instance), seconds)
        weight = sum(stat.weight for stat in found)
        if weight > 0:
            return sum(stat.total for stat in found) / weight
        return found[-1].last if found else None

    def peak(
        self, metric: str, instance: str | None = None, seconds: int = 1
    ) -> tuple[float, int] | None:
        """The highest tick of the last seconds and its time."""
        found = self._find((metric, instance), seconds)
        return max(((stat.peak, stat.peak_at_ns) for stat in found), default=None)

    def low(self, metric: str, instance: str | None = None, seconds: int = 1) -> float | None:
        """The lowest tick of the last seconds."""
        return min((stat.low for stat in self._find((metric, instance), seconds)), default=None)

    def last(self, metric: str, instance: str | None = None, seconds: int = 10) -> float | None:
        """The newest value, at most so many seconds old; for sources that are read seldom."""
        found = self._find((metric, instance), seconds)
        return found[-1].last if found else None

    def instances(self, metric: str, seconds: int = 1) -> list[str]:
        """The instances that had a value of the metric in the last seconds, sorted."""
        return sorted(
            {
                instance
                for second in self._latest(seconds)
                for name, instance in second.stats
                if name == metric and instance is not None
            }
        )

    def median(
        self, metric: str, instance: str | None = None, seconds: int = _HISTORY
    ) -> float | None:
        """The median of the last measured seconds; None before ten were measured."""
        history = list(self._history.get((metric, instance), ()))[-seconds:]
        return statistics.median(history) if len(history) >= _ENOUGH_FOR_MEDIAN else None

    def _gather(self, second: Second, metrics: Metrics) -> None:
        now = metrics.monotonic_ns
        for metric in self._wanted & metrics.values.keys():
            value = metrics.values[metric]
            seconds = self._seconds_since(metric, now)
            if value is not None:
                _add(second, (metric, None), value, seconds, now)
        for metric in self._wanted & metrics.instanced.keys():
            seconds = self._seconds_since(metric, now)
            events = metrics.instanced.get(_WEIGHED_BY.get(metric, ""))
            self._gather_instances(second, metric, metrics, seconds, events)

    def _gather_instances(
        self,
        second: Second,
        metric: str,
        metrics: Metrics,
        seconds: float,
        events: Mapping[str, float | None] | None,
    ) -> None:
        for instance, value in metrics.instanced[metric].items():
            if value is None:
                continue
            weight = seconds if events is None else seconds * (events.get(instance) or 0.0)
            _add(second, (metric, instance), value, weight, metrics.monotonic_ns)

    def _seconds_since(self, metric: str, now_ns: int) -> float:
        before = self._last_ns.get(metric, now_ns)
        self._last_ns[metric] = now_ns
        return min(max(now_ns - before, 0) / SECOND_NS, _MAX_WEIGHT_S)

    def _remember(self, second: Second) -> None:
        for key, stat in second.stats.items():
            if key[0] in self._remembered:
                self._history.setdefault(key, deque(maxlen=_HISTORY)).append(stat.mean)

    def _latest(self, seconds: int) -> list[Second]:
        return list(self._seconds)[-seconds:]

    def _find(self, key: Key, seconds: int) -> list[Stat]:
        return [second.stats[key] for second in self._latest(seconds) if key in second.stats]


def _add(second: Second, key: Key, value: float, weight: float, now_ns: int) -> None:
    if math.isfinite(value):
        second.stats.setdefault(key, Stat()).add(value, max(weight, 0.0), now_ns)
