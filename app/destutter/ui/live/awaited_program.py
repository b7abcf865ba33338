# SPDX-License-Identifier: GPL-3.0-or-later
"""The program that somebody chose to be watched, until the measurements tell of it. No Qt."""

from destutter.analysis.examining.pipeline import Snapshot
from destutter.ui.pages.watched_game import WatchedGame

_MOST_NS = 30_000_000_000  # a busy computer took 10 s; a program that has gone never comes


class AwaitedProgram:
    """``game`` is the one that was chosen; None: nobody waits for one."""

    def __init__(self) -> None:
        self.game: WatchedGame | None = None
        self._until_ns = 0

    def wait_for(self, pid: int, name: str, last: Snapshot | None) -> None:
        """It is chosen now; ``last`` is what was measured last."""
        self.game = WatchedGame(pid, name)
        self._until_ns = _MOST_NS + (0 if last is None else last.assessment.monotonic_ns)

    def accept_snapshot(self, snapshot: Snapshot) -> None:
        """Wait no longer where this is about it, or where it should long have come."""
        if self.game is None:
            return
        has_come = snapshot.facts.get("game.pid") == str(self.game.pid)
        if has_come or snapshot.assessment.monotonic_ns > self._until_ns:
            self.game = None
