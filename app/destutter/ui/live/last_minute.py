# SPDX-License-Identifier: GPL-3.0-or-later
"""The last minute of every metric that a tile may show, for its small graph. No Qt.

Which one that is may change at any moment, exactly when it becomes interesting; so all of them
are kept, as the largest value of each second.
"""

from collections.abc import Iterable, Mapping

from destutter.core.metrics import Metrics
from destutter.diagnosis.causes.registry import watched_metrics
from destutter.diagnosis.verdict.groups import TILE_METRICS

_SECOND_NS = 1_000_000_000
_SECONDS = 60
_BREAK_S = 6  # what is read every five seconds is one line (temperatures, registry.py)
_MOST_WAITING = 50  # five seconds of ticks

Points = list[tuple[float, float | None]]
_Line = dict[int, float]


class LastMinute:
    """The largest value of each second, by metric and instance."""

    def __init__(self) -> None:
        self._wanted = {"wakeup.worst_ms", *watched_metrics(), *TILE_METRICS}
        self._lines: dict[tuple[str, str | None], _Line] = {}
        self._newest = 0
        self._waiting: list[Metrics] = []

    def accept_metrics(self, metrics: Iterable[Metrics]) -> None:
        """Take in what was measured, in order, and forget what is older than a minute.

        Lines are drawn once a second: looking at many ticks at once costs less than at each.
        """
        self._waiting.extend(metrics)
        if len(self._waiting) >= _MOST_WAITING:
            self._take_in()

    def _take_in(self) -> None:
        for one in self._waiting:
            second = one.monotonic_ns // _SECOND_NS
            if second != self._newest:
                self._newest = second
                self._forget_before(second - _SECONDS)
            for metric in self._wanted & one.values.keys():
                self._add(metric, None, second, one.values[metric])
            for metric in self._wanted & one.instanced.keys():
                self._accept_instances(metric, second, one.instanced[metric])
        self._waiting.clear()

    def _accept_instances(
        self, metric: str, second: int, values: Mapping[str, float | None]
    ) -> None:
        for instance, value in values.items():
            self._add(metric, instance, second, value)

    def _add(self, metric: str, instance: str | None, second: int, value: float | None) -> None:
        if value is None:
            return
        line = self._lines.setdefault((metric, instance), {})
        known = line.get(second)
        if known is None or value > known:
            line[second] = value

    def _forget_before(self, second: int) -> None:
        for key, line in list(self._lines.items()):
            for old in [each for each in line if each < second]:
                del line[old]
            if not line:
                del self._lines[key]

    def line(self, metric: str, instance: str | None) -> Points:
        """(share of the minute, value) of a metric, the largest of each second.

        Six seconds without a value are a break: a value None. A metric that was never asked for
        is kept from now on.
        """
        self._take_in()
        self._wanted.add(metric)
        points: Points = []
        last = None
        first = self._newest - _SECONDS
        for second, value in sorted(self._lines.get((metric, instance), {}).items()):
            if last is not None and second - last > _BREAK_S:
                points.append(((last + 1 - first) / _SECONDS, None))
            points.append(((second - first) / _SECONDS, value))
            last = second
        return points
