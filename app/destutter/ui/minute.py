# SPDX-License-Identifier: GPL-3.0-or-later
"""The last minute of every metric, for the small graphs of the tiles. No Qt.

Which metric a tile shows may change at any moment, exactly when it becomes interesting; so the
measurements of a minute are kept as they are, and a line is picked from them when it is drawn.
"""

from collections import deque
from collections.abc import Iterable

from destutter.core.metrics import Metrics

_MINUTE_NS = 60_000_000_000
_PARTS = 120
_BREAK = 12


class Minute:
    """The measurements of the last minute."""

    def __init__(self) -> None:
        self._metrics: deque[Metrics] = deque()

    def accept(self, metrics: Iterable[Metrics]) -> None:
        """Take in what was measured, in order, and forget what is older than a minute."""
        self._metrics.extend(metrics)
        if not self._metrics:
            return
        oldest_ns = self._metrics[-1].monotonic_ns - _MINUTE_NS
        while self._metrics[0].monotonic_ns < oldest_ns:
            self._metrics.popleft()

    def line(self, metric: str, instance: str | None) -> list[tuple[float, float | None]]:
        """(share of the minute, value) of a metric, the largest of each half second.

        Six seconds without a value are a break: a value None.
        """
        if not self._metrics:
            return []
        start_ns = self._metrics[-1].monotonic_ns - _MINUTE_NS
        parts: list[float | None] = [None] * (_PARTS + 1)
        for one in self._metrics:
            value = _value(one, metric, instance)
            if value is None:
                continue
            part = (one.monotonic_ns - start_ns) * _PARTS // _MINUTE_NS
            known = parts[part]
            parts[part] = value if known is None else max(known, value)
        return _with_breaks(parts)


def _value(metrics: Metrics, metric: str, instance: str | None) -> float | None:
    if instance is None:
        return metrics.values.get(metric)
    found = metrics.instanced.get(metric)
    return None if found is None else found.get(instance)


def _with_breaks(parts: list[float | None]) -> list[tuple[float, float | None]]:
    points: list[tuple[float, float | None]] = []
    empty = 0
    for index, value in enumerate(parts):
        if value is not None:
            points.append((index / _PARTS, value))
            empty = 0
            continue
        empty += 1
        if empty == _BREAK and points:
            points.append((index / _PARTS, None))
    return points
