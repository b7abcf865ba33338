# SPDX-License-Identifier: GPL-3.0-or-later
"""The kernel's trace in the window: the feed reads what is lent, of the game that it finds."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Slot

from destutter.bridge.helper_client import Availability
from destutter.bridge.kernel_trace import KernelTrace
from destutter.core.bus_caller import SYSTEM_BUS
from destutter.core.traced import lead_in

if TYPE_CHECKING:
    from destutter.analysis.examining.pipeline import Snapshot
    from destutter.bridge.feed import LiveFeed
    from destutter.bridge.helper_client import HelperStatus
    from destutter.sampling.trace_source import LentTrace


# The reader of the feed before takes its last look when it is told to end, at its next tick: two
# at once would share what the rings hold, and neither would have all of it.
_AFTER_ANOTHER_MS = 2_000


class TraceWiring(QObject):
    """Holds the trace of the window, and hands it to each feed in its turn."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._feed: LiveFeed | None = None
        self._game: int | None = None
        self._lead: int | None = None
        address = os.environ.get("DBUS_SYSTEM_BUS_ADDRESS") or SYSTEM_BUS
        self.trace = KernelTrace(address, self)
        self.trace.lent.connect(self._read)
        self.trace.followed.connect(self._follow)
        self.trace.over.connect(self._stop_reading)
        self._later = QTimer(self, interval=_AFTER_ANOTHER_MS, singleShot=True)
        self._later.timeout.connect(self._go_on)

    def use(self, feed: LiveFeed) -> None:
        """Another feed measures from now on; a trace that runs goes on with it."""
        self._feed = feed
        feed.trace_ended.connect(self.trace.fail)
        if self.trace.reading is not None:
            self._later.start()

    def accept_snapshot(self, snapshot: Snapshot) -> None:
        """Follow the game that is measured now, and see whether the trace has ended."""
        game = snapshot.facts.get("game.pid", "")
        lead = lead_in(snapshot.facts.get("game.lead", ""))
        if lead != self._lead:
            self._lead = lead
            self._follow(self._game)
        self.trace.follow(int(game) if game.isdecimal() else None)
        self.trace.look()

    @Slot(object)
    def show_helper(self, status: HelperStatus) -> None:
        """ "The helper is not installed" stood beside "Helper ready" until it was asked again."""
        if status.availability is Availability.READY:
            self.trace.helper_came()

    def stop(self) -> None:
        """The window closes."""
        self._feed = None
        self._later.stop()
        self.trace.stop()

    @Slot()
    def _go_on(self) -> None:
        reading = self.trace.reading
        if reading is not None:
            self._read(*reading)
            self.trace.follow(None)  # the next snapshot names the game to the new reader

    @Slot(object, object)
    def _read(self, lent: LentTrace, missing: tuple[str, ...]) -> None:
        if self._feed is not None:
            self._feed.read_trace(lent, missing)

    @Slot(object)
    def _follow(self, game: int | None) -> None:
        self._game = game
        if self._feed is not None:
            self._feed.follow(game, self._lead)

    @Slot()
    def _stop_reading(self) -> None:
        self._later.stop()
        if self._feed is not None:
            self._feed.end_trace()
