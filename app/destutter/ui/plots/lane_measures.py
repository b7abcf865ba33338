# SPDX-License-Identifier: GPL-3.0-or-later
"""What the lanes beyond the usual ones draw, kept only while somebody has chosen them. No Qt."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from math import nan

from destutter.core.catalog import SLOW_PERIODS_S, SOURCES, Cadence
from destutter.core.metric_table import METRIC_BY_ID
from destutter.core.metrics import Metrics
from destutter.ui.plots.evidence_series import EvidenceSeries
from destutter.ui.plots.series import LaneSeries
from destutter.ui.plots.time_view import RETENTION_S

Values = Collection[float]

BREAK_AFTER_S = 1.5  # what is read once a second has missed a reading by then
_PERIODS_MISSED = 2.5
_UNKNOWN_PERIOD_S = 3.0  # of a source that comes with another one


class Pick(StrEnum):
    """Which instances of a metric make a line."""

    ONLY = "only"
    EACH = "each"
    HIGHEST = "highest"
    LOWEST = "lowest"
    SUM = "sum"


_OF_ALL: Mapping[Pick, Callable[[Values], float]] = {
    Pick.HIGHEST: max,
    Pick.LOWEST: min,
    Pick.SUM: sum,
}


@dataclass(frozen=True, slots=True)
class LaneMetric:
    """One metric as a lane draws it. ``ONLY`` is one of no instances, or of the named one."""

    metric: str
    pick: Pick = Pick.ONLY
    instance: str = ""

    @property
    def key(self) -> tuple[str, str]:
        """What its series is called; each of several instances stands for itself."""
        if self.pick in _OF_ALL:
            return f"{self.metric} {self.pick}", ""
        return self.metric, self.instance


class MeasureSeries:
    """Series of the measures that are wanted. What findings name has been kept anyhow
    (``evidence``), so that a lane that somebody chooses has a past at once."""

    def __init__(self, evidence: EvidenceSeries) -> None:
        self._evidence = evidence
        self._wanted: frozenset[LaneMetric] = frozenset()
        self._series: dict[tuple[str, str], LaneSeries] = {}

    def keep(self, measures: Iterable[LaneMetric]) -> None:
        """Keep these from now on, and forget all others."""
        wanted = frozenset(measures)
        for measure in wanted - self._wanted:
            self._begin(measure)
        for measure in self._wanted - wanted:
            for key in self._keys(measure):
                self._series.pop(key, None)
        self._wanted = wanted

    def _begin(self, measure: LaneMetric) -> None:
        keys = [measure.key]
        if measure.pick is Pick.EACH:
            names = self._evidence.instances(measure.metric)
            keys = [(measure.metric, name) for name in names]
        for key in keys:
            known = self._evidence.find(*key)
            if known is not None:
                self._line(key).extend_arrays(*known.since(0))

    def _keys(self, measure: LaneMetric) -> list[tuple[str, str]]:
        if measure.pick is not Pick.EACH:
            return [measure.key]
        return [key for key in self._series if key[0] == measure.metric]

    def _line(self, key: tuple[str, str]) -> LaneSeries:
        found = self._series.get(key)
        if found is None:
            found = self._series[key] = LaneSeries(RETENTION_S)
        return found

    def lines(self, measure: LaneMetric) -> list[tuple[str, LaneSeries]]:
        """(instance, series) of every line that has something to draw, in order of names."""
        found = [(key[1], self._series[key]) for key in sorted(self._keys(measure)) if key in self]
        return [(name, series) for name, series in found if len(series)]

    def __contains__(self, key: tuple[str, str]) -> bool:
        return key in self._series

    def accept_metrics(self, metrics: Metrics, time_s: float) -> None:
        """Take in one tick, ``time_s`` seconds after the first measurement."""
        for measure in self._wanted:
            metric = measure.metric
            if metric in metrics.values:
                self._add(measure.key, metric, time_s, metrics.values[metric])
            elif metric in metrics.instanced:
                self._accept_instances(measure, metrics.instanced[metric], time_s)

    def _accept_instances(
        self, measure: LaneMetric, values: Mapping[str, float | None], time_s: float
    ) -> None:
        metric, of_all = measure.metric, _OF_ALL.get(measure.pick)
        if of_all is not None:
            known = [value for value in values.values() if value is not None]
            self._add(measure.key, metric, time_s, of_all(known) if known else None)
        elif measure.pick is Pick.EACH:
            for name, value in values.items():
                self._add((metric, name), metric, time_s, value)
        else:
            self._add(measure.key, metric, time_s, values.get(measure.instance))

    def _add(self, key: tuple[str, str], metric: str, time_s: float, value: float | None) -> None:
        if value is None and key not in self._series:
            return
        series = self._line(key)
        last = series.last_s
        if last is not None and time_s - last > break_after_s(metric):
            series.append(last, nan)
        series.append(time_s, nan if value is None else value)

    def forget(self, before_s: float) -> None:
        """Leave out what ended before this time: a drive that left, a card that was taken out."""
        for key, series in list(self._series.items()):
            if series.last_s is not None and series.last_s < before_s:
                del self._series[key]


def break_after_s(metric: str) -> float:
    """After how long without a value no line may join what was before and after."""
    source = SOURCES[METRIC_BY_ID[metric].source]
    if source.cadence is not Cadence.SLOW:
        return BREAK_AFTER_S
    return _PERIODS_MISSED * SLOW_PERIODS_S.get(source.name, _UNKNOWN_PERIOD_S)
