# SPDX-License-Identifier: GPL-3.0-or-later
"""What recommendations rest on besides the causes: the demand for memory, and for writing."""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence

from destutter.core.metrics import Metrics
from destutter.diagnosis.circumstances.kernel_time import PAGED
from destutter.diagnosis.finding import OWN_LIMIT, Confidence, Finding
from destutter.tuning.recommendation import Measured

_NS = 1_000_000_000
_MIB = 2.0**20
_LEAST_SECONDS = 30  # of fewer a single load is the demand
# The session's 99th percentile is what the formula of the lead takes.
_PERCENTILE = 0.99
_BUSY_WRITES_BYTES = 1 << 20  # a second: who only gets logs is no drive that advice is for
_HELD_BACK_PCT = 50.0  # of both limits together, as the metric table has it
_LEAST_HELD_S = 1.0  # of less the first requests decide

DEMAND_METRICS = (
    "memory.free_bytes",
    "memory.available_bytes",
    "memory.kswapd_reclaim_per_s",
    "memory.direct_reclaim_per_s",
    "memory.dirty_of_sum_pct",
    "disk.write_bytes_per_s",
)


class MeasuredDemand:
    """How fast memory was asked for, how little was left, and which drives were written to.

    The demand of a second is what was reclaimed in it and by how much free memory fell: both
    together are what programs took.
    """

    def __init__(self, page_bytes: int = 4096, keep_s: int | None = None) -> None:
        """``keep_s``: forget what is older than this; None keeps everything."""
        self.page_bytes = page_bytes
        self._keep_s = keep_s
        self._reclaimed: dict[int, list[float]] = defaultdict(list)
        self._free: dict[int, float] = {}
        self._least_available: float | None = None
        self._busy: set[str] = set()
        self._held_s = 0.0
        self._held_bytes: dict[str, float] = defaultdict(float)

    def accept_metrics(self, metrics: Iterable[Metrics]) -> None:
        """Take in what samples say, in order of time."""
        for each in metrics:
            second = each.monotonic_ns // _NS
            free = each.values.get("memory.free_bytes")
            if free is not None:
                self._free.setdefault(second, free)
            available = each.values.get("memory.available_bytes")
            if available is not None:
                self._least_available = min(self._least_available or available, available)
            by_kswapd = each.values.get("memory.kswapd_reclaim_per_s")
            by_tasks = each.values.get("memory.direct_reclaim_per_s")
            if by_kswapd is not None and by_tasks is not None:
                self._reclaimed[second].append(by_kswapd + by_tasks)
            for name, written in each.instanced.get("disk.write_bytes_per_s", {}).items():
                if written is not None and written >= _BUSY_WRITES_BYTES:
                    self._busy.add(name)
            self._accept_writing(each)
        self._forget()

    def peak_mib_per_s(self) -> float | None:
        """The 99th percentile of the demand; None below half a minute of measurements."""
        demands = sorted(
            max(self._mean(second) - (self._free[second + 1] - free), 0.0)
            for second, free in self._free.items()
            if second + 1 in self._free and second in self._reclaimed
        )
        if len(demands) < _LEAST_SECONDS:
            return None
        place = math.ceil(len(demands) * _PERCENTILE) - 1
        return demands[place] / _MIB or None

    def write_mib_per_s(self) -> dict[str, float]:
        """How fast the drive was written to that had most to write while writers were held back.

        They sleep until it has written enough (balance_dirty_pages in mm/page-writeback.c), so it
        writes as fast as it can: what its kind tells of no drive of a virtual machine. Empty
        where nobody was held back for long enough.
        """
        name = max(self._held_bytes, key=self._held_bytes.__getitem__, default=None)
        if name is None or self._held_s < _LEAST_HELD_S:
            return {}
        speed = self._held_bytes[name] / self._held_s / _MIB
        return {name: speed} if speed > 0 else {}

    def measured(self, findings: Sequence[Finding]) -> Measured:
        """What recommendations may rest on; findings of low confidence are no evidence.

        Nor is what met no stutter while there were some, or only came with another cause, nor a
        limit of the game's own group: no setting of the computer lifts it. Nor does any keep
        another program from paging the game out (MADV_PAGEOUT asks for no swappiness).
        """
        return Measured(
            causes={
                finding.cause: _devices(finding)
                for finding in findings
                if finding.confidence is not Confidence.LOW
                and finding.is_answer
                and finding.kind not in (OWN_LIMIT, PAGED)
            },
            peak_mib_per_s=self.peak_mib_per_s() if findings else None,
            least_available_mib=None
            if self._least_available is None
            else self._least_available / _MIB,
            write_mib_per_s=self.write_mib_per_s(),
            busy_drives=frozenset(self._busy),
        )

    def _accept_writing(self, metrics: Metrics) -> None:
        share = metrics.values.get("memory.dirty_of_sum_pct")
        if share is None or share < _HELD_BACK_PCT:
            return
        self._held_s += metrics.elapsed_s
        for name, written in metrics.instanced.get("disk.write_bytes_per_s", {}).items():
            if written is not None:
                self._held_bytes[name] += written * metrics.elapsed_s

    def _forget(self) -> None:
        if self._keep_s is None or not self._free:
            return
        oldest = next(reversed(self._free)) - self._keep_s
        for seconds in (self._free, self._reclaimed):
            while seconds and (first := next(iter(seconds))) < oldest:
                del seconds[first]

    def _mean(self, second: int) -> float:
        rates = self._reclaimed[second]
        return sum(rates) / len(rates) * self.page_bytes


def _devices(finding: Finding) -> frozenset[str]:
    """The drives that a finding is about."""
    about = {each.instance for each in finding.evidence if each.metric.startswith("disk.")}
    return frozenset(each for each in about if each)
