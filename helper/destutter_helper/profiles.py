# SPDX-License-Identifier: GPL-3.0-or-later
"""A power profile held through power-profiles-daemon (or a service that speaks like it).

Governor and energy preference belong to that daemon where it runs. A hold cannot get into a
conflict with it, shows up in the desktop's menu under our name, and ends with this process.
"""

import errno
import functools
from typing import Any

import dbus

from destutter_helper.api.statement import Said
from destutter_helper.api.tunables import NOT_HELD
from destutter_helper.kernel_tree import OwnError

SERVICES = (  # newest name first; interface equals the name
    ("org.freedesktop.UPower.PowerProfiles", "/org/freedesktop/UPower/PowerProfiles"),
    ("net.hadess.PowerProfiles", "/net/hadess/PowerProfiles"),
)
APPLICATION_ID = "io.github.destutter.Destutter"
# power-profiles-daemon shows it to every user, whatever their languages are: root's has no say.
REASON = "A game is running"
# Beside questions to the bus itself the one blocking call of the helper: a power daemon that
# hangs must not hold up its loop.
ANSWER_MAX_S = 2.0
_NO_DAEMON = Said("helper.absent.power_daemon")


class PowerProfileHold:
    """The lease of ``cpu.power_profile``; see `kernel_writer.Hold`."""

    def __init__(self, connection: Any) -> None:
        """Look for the daemon on this bus, and never start it.

        Nobody but the daemon has anything to send to this connection: a blocking call waits for
        the daemon alone, and not behind the helper's callers.
        """
        self._connection = connection
        self._owners: dict[str, str] = {}
        self._has_held = False
        # The profile, the lease's number, and the daemon's unique name: another one knows
        # nothing of our lease.
        self._lease: tuple[str, Any, str] | None = None
        for name, path in SERVICES:
            self._owners[name] = self._ask_owner(name)
            connection.watch_name_owner(name, functools.partial(self._on_owner, name))
            connection.add_signal_receiver(
                self._on_released, "ProfileReleased", name, name, path, sender_keyword="sender"
            )

    def unavailable(self) -> Said | None:
        """None when the daemon runs, or ran when we held: then what is left is "not held"."""
        return None if self._has_held or self._service() else _NO_DAEMON

    def value(self) -> str:
        """The profile that we hold, or NOT_HELD also when the daemon has ended the lease."""
        if self._lease and self._lease[2] not in self._owners.values():
            self._lease = None
        return self._lease[0] if self._lease else NOT_HELD

    def set(self, value: str) -> None:
        """Hold a profile instead of the present one; OSError when the daemon does not agree."""
        self.value()  # forgets the lease of a daemon that is gone: its number is another's now
        service = self._service()
        if service is None:
            if value == NOT_HELD:
                return
            raise OwnError(errno.ENODEV, _NO_DAEMON)
        try:
            if self._lease:
                self._call(service, "ReleaseProfile", "u", (self._lease[1],))
                self._lease = None
            if value != NOT_HELD:
                arguments = (value, REASON, APPLICATION_ID)
                cookie = self._call(service, "HoldProfile", "sss", arguments)
                self._lease, self._has_held = (value, cookie, self._owners[service[0]]), True
        except dbus.DBusException as error:
            said = Said("helper.kernel.power_daemon", {"error": str(error.get_dbus_name())})
            raise OwnError(errno.EIO, said) from error

    def _service(self) -> tuple[str, str] | None:
        return next((service for service in SERVICES if self._owners[service[0]]), None)

    def _on_owner(self, name: str, owner: Any) -> None:
        self._owners[name] = str(owner)

    def _ask_owner(self, name: str) -> str:
        try:
            return str(self._connection.get_name_owner(name))
        except dbus.DBusException:
            return ""

    def _call(self, service: tuple[str, str], method: str, sig: str, values: Any) -> Any:
        name, path = service
        return self._connection.call_blocking(name, path, name, method, sig, values, ANSWER_MAX_S)

    def _on_released(self, cookie: Any, sender: str) -> None:
        if self._lease and (cookie, sender) == self._lease[1:]:
            self._lease = None
