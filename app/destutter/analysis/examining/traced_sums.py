# SPDX-License-Identifier: GPL-3.0-or-later
"""What an expert's trace added up, over all of its looks."""

import dataclasses
from collections.abc import Iterable

from destutter.core.traced import TracedTally, TraceLook

_MOST_KEPT = 2000
_MOST_TOLD = 15  # of a kind


class TracedSums:
    """Sums by kind and name. ``events`` were read, ``cpu_us`` of a core were used for it, within
    ``taken_ns``, of which ``partly_ns`` were not measured in full.
    """

    def __init__(self) -> None:
        self._sums: dict[tuple[str, str], TracedTally] = {}
        self._before: TraceLook | None = None
        self.events = self.cpu_us = self.taken_ns = self.partly_ns = 0

    @property
    def is_empty(self) -> bool:
        """Whether nothing was read yet."""
        return self._before is None

    @property
    def cost_pct(self) -> float:
        """Of a core, for the reading."""
        return self.cpu_us * 1000 / self.taken_ns * 100 if self.taken_ns else 0.0

    def accept_looks(self, looks: Iterable[TraceLook]) -> None:
        """Add what these found."""
        for look in looks:
            self._count(look)
            for each in look.tallies:
                key = each.kind, each.name
                if key in self._sums or len(self._sums) < _MOST_KEPT:
                    self._sums[key] = _added(self._sums.get(key), each)

    def of(self, kind: str) -> tuple[TracedTally, ...]:
        """The most of a kind first."""
        found = (each for each in self._sums.values() if each.kind == kind)
        return tuple(sorted(found, key=lambda one: (-one.total_ns, -one.count))[:_MOST_TOLD])

    def _count(self, look: TraceLook) -> None:
        self.events += look.counts.get("events", 0)
        before, self._before = self._before, look
        # The first look of a reader has what it took to start, and another one begins anew.
        if before is not None and before.cpu_us <= look.cpu_us:
            self.cpu_us += look.cpu_us - before.cpu_us
            self.taken_ns += look.end_ns - before.end_ns
        until_ns = 0  # what several instances lost at once is one time
        for loss in sorted(look.losses, key=lambda one: one.begin_ns):
            self.partly_ns += max(loss.end_ns - max(loss.begin_ns, until_ns), 0)
            until_ns = max(until_ns, loss.end_ns)


def _added(before: TracedTally | None, more: TracedTally) -> TracedTally:
    if before is None:
        return more
    return dataclasses.replace(
        more,
        count=before.count + more.count,
        total_ns=before.total_ns + more.total_ns,
        longest_ns=max(before.longest_ns, more.longest_ns),
    )
