# SPDX-License-Identifier: GPL-3.0-or-later
"""The last minute of every metric, for the small graphs of the tiles. No Qt.

Which metric a tile shows may change at any moment, exactly when it becomes interesting; so the
measurements of a minute are kept as they are, and a line is made from them when it is asked for.
From then on the line only takes in what is new.
"""

from collections import deque
from collections.abc import Iterable

from destutter.core.metrics import Metrics

_PART_NS = 1_000_000_000
_PARTS = 60
_BREAK = 6

Points = list[tuple[float, float | None]]


class _Line:
    """The largest value of a metric in each second, by the number of the second."""

    def __init__(self, metric: str, instance: str | None) -> None:
        self._metric = metric
        self._instance = instance
        self.parts: dict[int, float] = {}

    def accept(self, metrics: Iterable[Metrics]) -> None:
        for one in metrics:
            value = self._value(one)
            if value is None:
                continue
            part = one.monotonic_ns // _PART_NS
            known = self.parts.get(part)
            self.parts[part] = value if known is None else max(known, value)

    def forget_before(self, part: int) -> None:
        for old in [key for key in self.parts if key < part]:
            del self.parts[old]

    def _value(self, metrics: Metrics) -> float | None:
        if self._instance is None:
            return metrics.values.get(self._metric)
        found = metrics.instanced.get(self._metric)
        return None if found is None else found.get(self._instance)


class Minute:
    """The measurements of the last minute."""

    def __init__(self) -> None:
        self._metrics: deque[Metrics] = deque()
        self._lines: dict[tuple[str, str | None], _Line] = {}

    def accept(self, metrics: Iterable[Metrics]) -> None:
        """Take in what was measured, in order, and forget what is older than a minute."""
        new = tuple(metrics)
        self._metrics.extend(new)
        for line in self._lines.values():
            line.accept(new)
        if not self._metrics:
            return
        oldest_ns = self._metrics[-1].monotonic_ns - _PARTS * _PART_NS
        while self._metrics[0].monotonic_ns < oldest_ns:
            self._metrics.popleft()

    def line(self, metric: str, instance: str | None) -> Points:
        """(share of the minute, value) of a metric, the largest of each second.

        Six seconds without a value are a break: a value None.
        """
        if not self._metrics:
            return []
        line = self._lines.get((metric, instance))
        if line is None:
            line = self._lines[metric, instance] = _Line(metric, instance)
            line.accept(self._metrics)
        first = self._metrics[-1].monotonic_ns // _PART_NS - _PARTS
        line.forget_before(first)
        return _with_breaks(line.parts, first)

    def keep_only(self, wanted: Iterable[tuple[str, str | None]]) -> None:
        """Forget the lines that nobody asks for any more; their measurements stay."""
        for key in self._lines.keys() - set(wanted):
            del self._lines[key]


def _with_breaks(parts: dict[int, float], first: int) -> Points:
    points: Points = []
    last = None
    for part in sorted(parts):
        if last is not None and part - last > _BREAK:
            points.append(((last + 1 - first) / _PARTS, None))
        points.append(((part - first) / _PARTS, parts[part]))
        last = part
    return points
