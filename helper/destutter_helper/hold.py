# SPDX-License-Identifier: GPL-3.0-or-later
"""Watches over a running trial: the clock, and the descriptor that its owner holds.

The deadline is on CLOCK_BOOTTIME, which goes on during sleep. GLib's timers do not, so the clock
is looked at several times a second instead of once at the end.
"""

import os
from collections.abc import Callable
from typing import Any

from gi.repository import GLib

LOOK_EVERY_MS = 200


class TrialWatch:
    """One trial at a time: `begin`, then `end`."""

    def __init__(self, look: Callable[[], Any], let_go: Callable[[], Any]) -> None:
        """Call `look` regularly, and `let_go` when the hold is closed."""
        self._look = look
        self._let_go = let_go
        self._hold = -1
        self._sources: list[int] = []

    def begin(self, hold: int) -> None:
        """Watch a new trial; `hold` is our end of the pipe whose other end its owner has."""
        self._hold = hold
        gone = GLib.IOCondition.HUP | GLib.IOCondition.ERR
        self._sources = [
            GLib.timeout_add(LOOK_EVERY_MS, self._repeat, self._look),
            GLib.io_add_watch(
                hold, GLib.PRIORITY_DEFAULT, gone, lambda *_: self._repeat(self._let_go)
            ),
        ]

    def end(self) -> None:
        """Watch no longer."""
        while self._sources:
            GLib.source_remove(self._sources.pop())
        if self._hold >= 0:
            os.close(self._hold)
            self._hold = -1

    def _repeat(self, work: Callable[[], Any]) -> bool:
        """Do the work, and again next time; `end` removes the source, also from within."""
        work()
        return bool(GLib.SOURCE_CONTINUE)
