# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads that were slow just after a drive had rested: the mark of drives that fall asleep.

Only the first read after a rest wakes the drive; those of the same tick behind it are as quick as
ever. So what the others take by their usual time is taken off before it is told what it took.
"""

import statistics
from collections import deque
from dataclasses import dataclass

from destutter.core.metrics import Metrics

SPAN_NS = 300_000_000_000
SLOW_MS = 5.0
_FEW_READS = 5.0
_TICK_S = 0.2  # a longer tick is no measurement of one pause
_RESTS_BELOW_PCT = 0.5
_MOST = 400
_USUAL_WEIGHT = 0.1

IDLE_METRICS = (
    "disk.reads_per_s",
    "disk.writes_per_s",
    "disk.busy_pct",
    "disk.read_await_ms",
)


@dataclass(frozen=True, slots=True)
class SlowRead:
    """A tick whose few reads took ``await_ms`` on average; ``rest_s`` is the pause before."""

    monotonic_ns: int
    await_ms: float
    rest_s: float


class IdleWaits:
    """Keeps the slow reads of the last five minutes per drive, with the rest before each."""

    def __init__(self) -> None:
        self._rest_since: dict[str, int] = {}
        self._slow: dict[str, deque[SlowRead]] = {}
        self._usual_ms: dict[str, float] = {}
        self.now_ns = 0

    def accept(self, metrics: Metrics) -> None:
        """Take in one tick of the drives; ticks without them are ignored."""
        reads = metrics.instanced.get("disk.reads_per_s")
        if reads is None:
            return
        self.now_ns = now_ns = metrics.monotonic_ns
        if metrics.gap is not None:
            self._rest_since.clear()
        writes = metrics.instanced.get("disk.writes_per_s", {})
        busy = metrics.instanced.get("disk.busy_pct", {})
        for name, rate in reads.items():
            if not rate and not writes.get(name) and (busy.get(name) or 0.0) < _RESTS_BELOW_PCT:
                self._rest_since.setdefault(name, now_ns)
                continue
            rested_ns = self._rest_since.pop(name, now_ns)
            if rate and metrics.elapsed_s <= _TICK_S and rate * metrics.elapsed_s <= _FEW_READS:
                self._note(name, metrics, (now_ns - rested_ns) / 1e9)

    def slow_reads(self, name: str) -> list[SlowRead]:
        """Those of a drive within the last five minutes, in order of time."""
        kept = self._slow.get(name)
        if kept is None:
            return []
        while kept and kept[0].monotonic_ns < self.now_ns - SPAN_NS:
            kept.popleft()
        return list(kept)

    def _note(self, name: str, metrics: Metrics, rest_s: float) -> None:
        await_ms = metrics.instanced.get("disk.read_await_ms", {}).get(name)
        rate = metrics.instanced["disk.reads_per_s"][name]
        if await_ms is None or rate is None:
            return
        usual_ms = self._usual_ms.get(name)
        if rest_s > 0:
            count = max(round(rate * metrics.elapsed_s), 1)
            if usual_ms is not None:
                await_ms = await_ms * count - (count - 1) * usual_ms
        elif usual_ms is None:
            self._usual_ms[name] = await_ms
        else:
            self._usual_ms[name] = usual_ms + _USUAL_WEIGHT * (await_ms - usual_ms)
        if await_ms >= SLOW_MS:
            slow = SlowRead(metrics.monotonic_ns, await_ms, rest_s)
            self._slow.setdefault(name, deque(maxlen=_MOST)).append(slow)


def spread(values: list[float]) -> float:
    """The coefficient of variation: standard deviation over mean; 0 for fewer than two."""
    if len(values) < 2:
        return 0.0
    mean = statistics.fmean(values)
    return statistics.pstdev(values) / mean if mean > 0 else 0.0
