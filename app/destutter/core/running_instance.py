# SPDX-License-Identifier: GPL-3.0-or-later
"""How a second process reaches the window that is open: by its name on the session bus.

The object speaks org.freedesktop.Application (Desktop Entry Specification, "D-Bus Activation"),
so that desktops can reach it too, and an interface of its own for markers.
"""

import os
from collections.abc import Mapping, Sequence

from destutter.core.bus_caller import BUS, BusCaller, BusCallError
from destutter.core.bus_wire import Variant

BUS_NAME = "io.github.destutter.Destutter"
OBJECT_PATH = "/io/github/destutter/Destutter"
APPLICATION_INTERFACE = "org.freedesktop.Application"
MARKS_PATH = OBJECT_PATH + "/Marks"
MARKS_INTERFACE = "io.github.destutter.Marks1"

_ANSWER_S = 20.0
"""Somebody marks a freeze while the computer is at its limit: 5 s were too short for a window
beside eight programs on two cores."""

RECORDED, SHOWN, NOT_TAKEN = "recorded", "shown", "not taken"
"""What became of a marker: it is in a recording, it is only shown, or nothing is measured."""


def session_address(environment: Mapping[str, str]) -> str:
    """The address of the user's session bus; empty where none is known."""
    given = environment.get("DBUS_SESSION_BUS_ADDRESS", "")
    runtime = environment.get("XDG_RUNTIME_DIR", "")
    if given or not runtime.startswith("/"):
        return given
    socket = os.path.join(runtime, "bus")
    return f"unix:path={socket}" if os.path.exists(socket) else ""


def platform_data(environment: Mapping[str, str]) -> dict[str, Variant]:
    """What lets the other process come to the front: the tokens that the desktop gave to us."""
    names = (
        ("XDG_ACTIVATION_TOKEN", "activation-token"),
        ("DESKTOP_STARTUP_ID", "desktop-startup-id"),
    )
    return {key: Variant("s", environment[name]) for name, key in names if environment.get(name)}


class RunningInstance:
    """The window that is open in another process. Blocks for moments: not for an event loop."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._address = session_address(environment)
        self._data = platform_data(environment)
        self._caller = BusCaller(self._address, timeout_s=_ANSWER_S)

    @property
    def is_there(self) -> bool:
        """Whether a window is open; False also where there is no session bus."""
        if not self._address:
            return False
        member = ("org.freedesktop.DBus", "NameHasOwner")
        try:
            return self._caller.call(*BUS, member, "s", (BUS_NAME,)) == [True]
        except BusCallError:
            return False

    def activate(self) -> None:
        """Bring its window to the front. Raises ``BusCallError``."""
        self._call("Activate", "a{sv}", (self._data,))

    def run_action(self, name: str) -> None:
        """Run one of its actions: "record", "strip", "mark", "quit". Raises ``BusCallError``."""
        self._call("ActivateAction", "sava{sv}", (name, [], self._data))

    def open(self, uris: Sequence[str]) -> None:
        """Let it open recordings. Raises ``BusCallError``."""
        self._call("Open", "asa{sv}", (list(uris), self._data))

    def mark(self, text: str) -> str:
        """Put a marker into its stream; one of the outcomes above. Raises ``BusCallError``."""
        member = (MARKS_INTERFACE, "Mark")
        (outcome,) = self._caller.call(BUS_NAME, MARKS_PATH, member, "s", (text,))
        return str(outcome)

    def close(self) -> None:
        self._caller.close()

    def _call(self, method: str, signature: str, arguments: tuple[object, ...]) -> None:
        member = (APPLICATION_INTERFACE, method)
        self._caller.call(BUS_NAME, OBJECT_PATH, member, signature, arguments)
