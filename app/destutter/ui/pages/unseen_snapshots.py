# SPDX-License-Identifier: GPL-3.0-or-later
"""Measurements that arrive before there is a page for them: a start as a strip, or in the tray."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from destutter.analysis.examining.pipeline import Snapshot

KEPT_NS = 120_000_000_000
"""As much as the live page shows when it opens."""


class UnseenSnapshots:
    """The snapshots of the last two minutes, in order of time."""

    def __init__(self) -> None:
        self._snapshots: deque[Snapshot] = deque()

    def __len__(self) -> int:
        return len(self._snapshots)

    def append(self, snapshot: Snapshot) -> None:
        """Keep one, and forget what has become too old."""
        self._snapshots.append(snapshot)
        oldest_ns = snapshot.assessment.monotonic_ns - KEPT_NS
        while self._snapshots[0].assessment.monotonic_ns < oldest_ns:
            self._snapshots.popleft()

    def take(self) -> tuple[Snapshot, ...]:
        """All of them; nothing is kept any more."""
        taken = tuple(self._snapshots)
        self._snapshots.clear()
        return taken
