# SPDX-License-Identifier: GPL-3.0-or-later
"""Watches over a running trial: its deadline, and the descriptor that its owner holds.

The deadline is on CLOCK_BOOTTIME, which goes on during sleep; GLib's timers do not, so a timer
looks at the clock at least once a second.
"""

import os
import time
from collections.abc import Callable
from typing import Any

from gi.repository import GLib

LOOK_EVERY_MS = 1000
NS_PER_MS, NS_PER_S = 1_000_000, 1_000_000_000


class TrialWatch:
    """One trial at a time: `begin`, then `end`."""

    def __init__(self, overdue: Callable[[], None], let_go: Callable[[], None]) -> None:
        """Call `overdue` when the deadline has passed, `let_go` when the hold is closed."""
        self._overdue = overdue
        self._let_go = let_go
        self._deadline_ns = 0
        self._hold = -1
        self._hold_source = 0
        self._timer = 0

    def begin(self, deadline_boottime_ns: int) -> int:
        """Watch a new trial; return the descriptor for its owner, which the caller must close."""
        self.end()
        self._hold, theirs = os.pipe()
        gone = GLib.IOCondition.HUP | GLib.IOCondition.ERR
        self._hold_source = GLib.io_add_watch(
            self._hold, GLib.PRIORITY_DEFAULT, gone, self._on_closed
        )
        self.extend(deadline_boottime_ns)
        return theirs

    def extend(self, deadline_boottime_ns: int) -> None:
        """Set the deadline."""
        self._deadline_ns = deadline_boottime_ns
        self._look_later()

    def end(self) -> None:
        """Watch no longer."""
        for source in (self._timer, self._hold_source):
            if source:
                GLib.source_remove(source)
        self._timer = self._hold_source = 0
        if self._hold >= 0:
            os.close(self._hold)
            self._hold = -1

    @property
    def seconds_left(self) -> int:
        """Whole seconds to the deadline; 0 without a trial."""
        return max(0, -(-self._left_ns() // NS_PER_S)) if self._hold >= 0 else 0

    def _left_ns(self) -> int:
        return self._deadline_ns - time.clock_gettime_ns(time.CLOCK_BOOTTIME)

    def _look_later(self) -> None:
        if self._timer:
            GLib.source_remove(self._timer)
        wait_ms = min(max(-(-self._left_ns() // NS_PER_MS), 0), LOOK_EVERY_MS)
        self._timer = GLib.timeout_add(wait_ms, self._look)

    def _look(self) -> bool:
        self._timer = 0
        if self._left_ns() <= 0:
            self._overdue()
        if self._hold >= 0:
            self._look_later()
        return bool(GLib.SOURCE_REMOVE)

    def _on_closed(self, *_event: Any) -> bool:
        self._hold_source = 0
        self._let_go()
        return bool(GLib.SOURCE_REMOVE)
