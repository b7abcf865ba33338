# SPDX-License-Identifier: GPL-3.0-or-later
"""Ends the process when nobody needs it, without losing a call that is already on its way.

The name is given back first. From then on the bus starts a new helper for new calls, and what it
had sent to us before lies in our queue and is still answered.
"""

from collections.abc import Callable
from typing import Any

from gi.repository import GLib

from destutter_helper.api.names import BUS_NAME

IDLE_MS = 60_000
DO_NOT_QUEUE, PRIMARY_OWNER = 4, 1  # D-Bus specification, RequestName


class IdleExit:
    """Quits the loop after a while without work."""

    def __init__(
        self,
        connection: Any,
        is_needed: Callable[[], bool],
        leave: Callable[[], None],
        idle_ms: int = IDLE_MS,
    ) -> None:
        """Call `leave` when the name is given back and nobody needs us any more."""
        self._connection = connection
        self._is_needed = is_needed
        self._leave = leave
        self._idle_ms = idle_ms
        self._last_touch_ms = 0
        self.touch()
        self._look_in(idle_ms)

    def touch(self) -> None:
        """Something was asked: wait for the whole time again."""
        self._last_touch_ms = GLib.get_monotonic_time() // 1000

    def _look_in(self, wait_ms: int) -> None:
        GLib.timeout_add(wait_ms, self._look)

    def _look(self) -> bool:
        left_ms = self._last_touch_ms + self._idle_ms - GLib.get_monotonic_time() // 1000
        if left_ms > 0 or self._is_needed():
            self._look_in(left_ms if left_ms > 0 else self._idle_ms)
        else:
            self._go()
        return bool(GLib.SOURCE_REMOVE)

    def _go(self) -> None:
        self._connection.release_name(BUS_NAME)
        context = GLib.MainContext.default()
        while context.iteration(may_block=False):
            pass  # answers what came before the name was gone
        is_ours = self._is_needed() and self._take_name() == PRIMARY_OWNER
        if is_ours:
            self._look_in(self._idle_ms)  # one of these calls began something
        else:
            self._leave()

    def _take_name(self) -> int:
        return int(self._connection.request_name(BUS_NAME, DO_NOT_QUEUE))
