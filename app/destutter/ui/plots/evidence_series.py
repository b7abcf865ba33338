# SPDX-License-Identifier: GPL-3.0-or-later
"""The measurements that findings name and no lane draws, kept for as long as findings look back.

They come in with those of the lanes and are drawn beside a stutter later. Instances that are not
measured any more (programs that ended, drives that left) are forgotten.
"""

from math import isnan, nan

from destutter.core.metrics import Metrics
from destutter.diagnosis.finding import HORIZON_S
from destutter.diagnosis.history.card_log import stretches_of
from destutter.ui.plots.series import LaneSeries
from destutter.words.catalogue import texts
from destutter.words.language import ENGLISH

_KEPT_S = HORIZON_S + 60.0
# Longer than the longest pause between two readings, that of idle states (10 s): shorter, and what
# is read every five or ten seconds is cut into dots.
_BREAK_AFTER_S = 12.0
_OF_A_THREAD = frozenset({"game.run_delay_ms_per_s", "worker.run_delay_ms_per_s"})
"""The kernel books a wait when it ends, and a thread waits no longer than time passes: 7 s of it
stood in one tick as 7,181 ms a second."""
_SECOND_MS = 1000.0
_LOOK_EVERY_S = 60.0  # programs that ended cost memory until then; a look goes through all series
_REPEAT_S = 1.0
_STRETCH, _APART_S = "gpu_stretch.busy_pct", 0.02
_MOST_WAITING = 50  # five seconds of ticks


class EvidenceSeries:
    """Series by metric and instance. ``drawn`` are metrics that are kept elsewhere."""

    def __init__(self, drawn: frozenset[str]) -> None:
        self._wanted = (
            frozenset(id_.removeprefix("metric.") for id_ in texts(ENGLISH, "metric")) - drawn
        )
        self._series: dict[tuple[str, str], LaneSeries] = {}
        self._last: dict[tuple[str, str], tuple[float, float]] = {}
        self._held: dict[tuple[str, str], float] = {}
        self._waiting: list[tuple[Metrics, float]] = []
        self._looked_s = 0.0

    def __len__(self) -> int:
        self._take_in()
        return len(self._series)

    def find(self, metric: str, instance: str = "") -> LaneSeries | None:
        """The series of a metric; None while nothing was measured."""
        self._take_in()
        key = metric, instance
        held = self._held.pop(key, None)
        if held is not None:
            self._series[key].append(held, self._last[key][1])
        return self._series.get(key)

    def instances(self, metric: str) -> list[str]:
        """The instances of a metric of which something is kept."""
        self._take_in()
        return [name for id_, name in self._series if id_ == metric and name]

    def accept_metrics(self, metrics: Metrics, time_s: float) -> None:
        """Take in one tick, ``time_s`` seconds after the first measurement.

        Hardly anybody looks: many ticks are taken in together, which costs less than one by one.
        """
        self._waiting.append((metrics, time_s))
        if len(self._waiting) >= _MOST_WAITING:
            self._take_in()

    def _take_in(self) -> None:
        for metrics, time_s in self._waiting:
            self._take_in_one(metrics, time_s)
        self._waiting.clear()

    def _take_in_one(self, metrics: Metrics, time_s: float) -> None:
        values = metrics.values
        for metric in self._wanted & values.keys():
            self._add(metric, "", time_s, values[metric])
        instanced = metrics.instanced
        if _STRETCH in instanced:
            self._add_stretches(metrics, time_s)
        for metric in (self._wanted & instanced.keys()) - {_STRETCH}:
            for instance, value in instanced[metric].items():
                self._add(metric, instance, time_s, value)
        if time_s - self._looked_s > _LOOK_EVERY_S:
            self._looked_s = time_s
            self._forget(time_s)

    def _add_stretches(self, metrics: Metrics, time_s: float) -> None:
        """The work of graphics cards at the moments that it was of, which is five in a second."""
        ahead_s = time_s - metrics.monotonic_ns / 1e9
        for card, stretch in stretches_of(metrics.instanced):
            series = self._series.get((_STRETCH, card))
            at_s = stretch.end_ns / 1e9 + ahead_s
            if series is None or at_s > (series.last_s or 0.0) + _APART_S:
                self._add(_STRETCH, card, at_s, 100.0 * stretch.busy)

    def _add(self, metric: str, instance: str, time_s: float, value: float | None) -> None:
        key = metric, instance
        series = self._series.get(key)
        if series is None:
            if value is None:
                return
            series = self._series[key] = LaneSeries(_KEPT_S)
        number = nan if value is None else value
        if metric in _OF_A_THREAD:
            number = min(number, _SECOND_MS)
        before = self._last.get(key)
        if before is not None and isnan(number) and isnan(before[1]):
            return
        if before is not None and before[1] == number and time_s - before[0] < _REPEAT_S:
            # Most signals rest most of the time: of a level run its ends are enough.
            self._held[key] = time_s
            return
        held = self._held.pop(key, None)
        if held is not None and before is not None:
            series.append(held, before[1])
        last = series.last_s
        if last is not None and time_s - last > _BREAK_AFTER_S:
            series.append(last, nan)
        series.append(time_s, number)
        self._last[key] = (time_s, number)

    def _forget(self, now_s: float) -> None:
        gone = [key for key, one in self._series.items() if (one.last_s or 0.0) < now_s - _KEPT_S]
        for key in gone:
            del self._series[key], self._last[key]
            self._held.pop(key, None)
