# SPDX-License-Identifier: GPL-3.0-or-later
"""A session's metrics second by second, and folded into minutes.

Everything that a comparison or a report tells about the computer follows from these series. A
second in which a metric was not measured is NaN, never 0.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

import numpy as np

from destutter.analysis.examining.summary import MOST_SECONDS, Series
from destutter.core.metric_table import METRIC_BY_ID
from destutter.core.metrics import Metrics, MetricSpec
from destutter.diagnosis.history.drives import of_drives
from destutter.diagnosis.stutters.spikes import WAKEUP_LIMIT_MS

SLOW_IO_MS = 5.0
"""The X-Plane study counts requests that take longer; here a tenth of a second in which the
requests of a drive took longer on average."""

_MINUTE_S = 60
_LEAST_SHARE = 0.5
# Longer than the slowest source's ten seconds (SLOW_PERIODS_S); beyond it a rate is not
# taken to have held.
_LONGEST_STEP_S = 15.0


class How(Enum):
    """How the values of a second, or of a minute, become one."""

    TOTAL = "what a rate adds up to"
    PEAK = "the highest"
    LEAST = "the lowest"
    MEAN = "the average"
    OVER = "how many values are above the limit"
    EXCESS = "the sum of the values above the limit"


_COUNTS = (How.OVER, How.EXCESS)  # a drive that rests has none; that is measured, too


@dataclass(frozen=True, slots=True)
class Tally:
    """One series: which metric it follows, and how. ``instance`` None: all together."""

    id: str
    metric: str
    how: How
    instance: str | None = None
    scale: float = 1.0
    limit: float = math.inf


TALLIES: tuple[Tally, ...] = (
    Tally("memory.allocation_stalls", "memory.allocstall_per_s", How.TOTAL),
    Tally("memory.direct_pages", "memory.direct_reclaim_per_s", How.TOTAL),
    Tally("memory.direct_pages_per_s", "memory.direct_reclaim_per_s", How.PEAK),
    Tally("memory.kswapd_pages", "memory.kswapd_reclaim_per_s", How.TOTAL),
    Tally("memory.swap_in_pages", "memory.swap_in_per_s", How.TOTAL),
    Tally("memory.major_faults", "memory.major_faults_per_s", How.TOTAL),
    Tally("memory.allocated_bytes", "memory.alloc_bytes_per_s", How.TOTAL),
    Tally("memory.available_bytes", "memory.available_bytes", How.LEAST),
    Tally("memory.cached_bytes", "memory.cached_bytes", How.MEAN),
    Tally("memory.anonymous_bytes", "memory.anonymous_bytes", How.MEAN),
    Tally("memory.dirty_bytes", "memory.dirty_bytes", How.PEAK),
    Tally("pressure.memory_ms", "pressure.some_pct", How.TOTAL, "memory", 10.0),
    Tally("pressure.io_ms", "pressure.some_pct", How.TOTAL, "io", 10.0),
    Tally("pressure.cpu_ms", "pressure.some_pct", How.TOTAL, "cpu", 10.0),
    Tally("disk.read_bytes", "disk.read_bytes_per_s", How.TOTAL),
    Tally("disk.written_bytes", "disk.write_bytes_per_s", How.TOTAL),
    Tally("disk.read_ms", "disk.read_await_ms", How.PEAK),
    Tally("disk.write_ms", "disk.write_await_ms", How.PEAK),
    Tally("disk.slow_reads", "disk.read_await_ms", How.OVER, limit=SLOW_IO_MS),
    Tally("disk.slow_writes", "disk.write_await_ms", How.OVER, limit=SLOW_IO_MS),
    Tally("cpu.busy_pct", "cpu.busy_pct", How.MEAN),
    Tally("cpu.steal_pct", "cpu.steal_pct", How.MEAN),
    Tally("game.run_delay_ms", "game.run_delay_ms_per_s", How.TOTAL),
    Tally("game.rss_bytes", "game.rss_bytes", How.PEAK),
    Tally("throttle.ms", "throttle.package_ms_per_s", How.TOTAL),
    Tally("temperature.celsius", "temperature.celsius", How.PEAK),
    Tally("gpu.busy_pct", "gpu.busy_pct", How.MEAN),
    Tally("wakeup.worst_ms", "wakeup.worst_ms", How.PEAK),
    Tally("wakeup.late", "wakeup.worst_ms", How.OVER, limit=WAKEUP_LIMIT_MS),
    Tally("wakeup.late_ms", "wakeup.worst_ms", How.EXCESS, limit=WAKEUP_LIMIT_MS),
)
"""Every series of the computer. Ids are in the JSON of ``compare``: never rename one."""

SPREAD_METRICS = ("disk.read_await_ms", "disk.write_await_ms", "wakeup.worst_ms")
"""Of these every value is kept, for percentiles."""

_BY_METRIC: Mapping[str, tuple[Tally, ...]] = {
    metric: tuple(tally for tally in TALLIES if tally.metric == metric)
    for metric in {tally.metric for tally in TALLIES}
}
HOW_BY_ID: Mapping[str, How] = {tally.id: tally.how for tally in TALLIES}
WATCHED: tuple[MetricSpec, ...] = tuple(
    METRIC_BY_ID[metric] for metric in sorted({tally.metric for tally in TALLIES})
)
"""What a ``Deriver`` must derive for the tallies, where nothing else is wanted."""


class SessionTally:
    """Takes in metrics in order of time and keeps one value a second of each tally."""

    def __init__(self) -> None:
        self._start_ns: int | None = None
        self._cells: dict[str, dict[int, tuple[float, float]]] = {t.id: {} for t in TALLIES}
        self._spread: dict[str, list[tuple[int, float]]] = {name: [] for name in SPREAD_METRICS}
        self._last_ns: dict[str, int] = {}

    def accept_metrics(self, metrics: Metrics) -> None:
        if self._start_ns is None:
            self._start_ns = metrics.monotonic_ns
        second = (metrics.monotonic_ns - self._start_ns) // 1_000_000_000
        if not 0 <= second < MOST_SECONDS:
            return
        for metric in _BY_METRIC.keys() & (metrics.values.keys() | metrics.instanced.keys()):
            tallies = _BY_METRIC[metric]
            step_s = self._step_s(metric, metrics)
            for tally in tallies:
                values = _values(metrics, tally)
                if values or tally.how in _COUNTS:
                    self._add(tally, second, values, step_s)
            if metric in self._spread:
                self._spread[metric] += [(second, v) for v in _all_values(metrics, metric)]

    def seconds(self, length: int) -> dict[str, Series]:
        """One value a second for so many seconds, of everything that was ever measured."""
        return {
            id_: _series(cells, length, is_mean=HOW_BY_ID[id_] is How.MEAN)
            for id_, cells in self._cells.items()
            if cells
        }

    def spread(self, metric: str) -> tuple[Series, Series]:
        """Every value of one of ``SPREAD_METRICS``: the second of each, and the values."""
        kept = np.array(self._spread[metric], dtype=np.float64).reshape(-1, 2)
        return kept[:, 0], kept[:, 1]

    def _step_s(self, metric: str, metrics: Metrics) -> float:
        """How long a rate held: since its source was read before."""
        last_ns = self._last_ns.get(metric)
        self._last_ns[metric] = metrics.monotonic_ns
        if last_ns is None or metrics.gap is not None:
            return metrics.elapsed_s if metrics.elapsed_s < _LONGEST_STEP_S else 0.0
        return min((metrics.monotonic_ns - last_ns) / 1e9, _LONGEST_STEP_S)

    def _add(self, tally: Tally, second: int, values: list[float], step_s: float) -> None:
        cells = self._cells[tally.id]
        before, count = cells.get(second, (0.0, 0.0))
        if tally.how is How.PEAK:
            new = max(before, *values) if count else max(values)
        elif tally.how is How.LEAST:
            new = min(before, *values) if count else min(values)
        else:
            new = before + _addition(tally, values, step_s)
        cells[second] = (new, count + 1)


def _addition(tally: Tally, values: list[float], step_s: float) -> float:
    """What the values of one sample add to their second."""
    if tally.how is How.TOTAL:
        return sum(values) * tally.scale * step_s
    if tally.how is How.MEAN:
        return sum(values) / len(values)
    over = [value for value in values if value >= tally.limit]
    return float(len(over)) if tally.how is How.OVER else sum(over)


def fold_minutes(series: Series, how: How) -> Series:
    """Seconds as whole minutes. A minute of which less than half was measured is NaN; of totals
    and counts that lack some seconds, the minute is extrapolated. Less than a minute is taken
    as one that went on like this."""
    if not series.size:
        return np.zeros(0)
    size = min(series.size, _MINUTE_S)
    whole = series[: series.size // size * size].reshape(-1, size)
    known = ~np.isnan(whole)
    share = known.mean(axis=1)
    filled = np.where(known, whole, 0.0)
    result: Series
    if how is How.PEAK:
        result = np.where(known, whole, -np.inf).max(axis=1, initial=-np.inf)
    elif how is How.LEAST:
        result = np.where(known, whole, np.inf).min(axis=1, initial=np.inf)
    elif how is How.MEAN:
        result = filled.sum(axis=1) / np.maximum(known.sum(axis=1), 1)
    else:
        result = filled.sum(axis=1) / np.maximum(share, 1e-9) * (_MINUTE_S / size)
    return np.where(share >= _LEAST_SHARE, result, np.nan)


def minutes_of(seconds: Mapping[str, Series], hows: Mapping[str, How]) -> dict[str, Series]:
    return {id_: fold_minutes(series, hows[id_]) for id_, series in seconds.items()}


def percentile_by_minute(
    at_s: Series, values: Series, minutes: int, percentile: float, least: int = 20
) -> Series:
    """A percentile of each whole minute; NaN where it has fewer than ``least`` values."""
    result = np.full(minutes, np.nan)
    order = np.argsort(at_s, kind="stable")
    edges = np.searchsorted(at_s[order], np.arange(minutes + 1) * _MINUTE_S)
    for minute in range(minutes):
        chosen = values[order[edges[minute] : edges[minute + 1]]]
        if chosen.size >= least:
            result[minute] = np.percentile(chosen, percentile)
    return result


def _series(cells: Mapping[int, tuple[float, float]], length: int, *, is_mean: bool) -> Series:
    result = np.full(length, np.nan)
    for second, (value, count) in cells.items():
        if second < length:
            result[second] = value / count if is_mean else value
    return result


def _values(metrics: Metrics, tally: Tally) -> list[float]:
    if tally.instance is None:
        return _all_values(metrics, tally.metric)
    value = metrics.instanced.get(tally.metric, {}).get(tally.instance)
    return [] if value is None else [value]


def _all_values(metrics: Metrics, metric: str) -> list[float]:
    value = metrics.values.get(metric)
    if value is not None:
        return [value]
    instances = metrics.instanced.get(metric, {})
    if metric.startswith("disk."):
        instances = of_drives(instances)
    return [each for each in instances.values() if each is not None]
