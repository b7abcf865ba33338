# SPDX-License-Identifier: GPL-3.0-or-later
"""Ends the process when nobody needs it, without losing a call that is already on its way.

The name is given back first. From then on the bus starts a new helper for new calls, and what it
had sent to us before lies in our queue and is still answered.
"""

from collections.abc import Callable
from typing import Any

from gi.repository import GLib

from destutter_helper.api.names import BUS_NAME

DO_NOT_QUEUE, PRIMARY_OWNER = 4, 1  # D-Bus specification, RequestName


class IdleExit:
    """Quits the loop after a while without work."""

    def __init__(
        self,
        connection: Any,
        is_needed: Callable[[], bool],
        leave: Callable[[], None],
        idle_ms: int,
    ) -> None:
        """Call `leave` when the name is given back and nobody needs us any more."""
        self._connection = connection
        self._is_needed = is_needed
        self._leave = leave
        self._idle_ms = idle_ms
        self.was_used = False
        GLib.timeout_add(idle_ms, self._look)

    def _look(self) -> bool:
        """Leave after a whole period in which nothing was asked and nothing ran."""
        if not self.was_used and not self._is_needed() and not self._is_wanted_again():
            self._leave()
            return bool(GLib.SOURCE_REMOVE)
        self.was_used = False
        return bool(GLib.SOURCE_CONTINUE)

    def _is_wanted_again(self) -> bool:
        """Give the name back, answer what came before, take it again if that began something."""
        self._connection.release_name(BUS_NAME)
        context = GLib.MainContext.default()
        while context.iteration(may_block=False):
            pass
        if not self._is_needed():
            return False
        return bool(self._connection.request_name(BUS_NAME, DO_NOT_QUEUE) == PRIMARY_OWNER)
