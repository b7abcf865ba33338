# SPDX-License-Identifier: GPL-3.0-or-later
"""A desktop's portal for keys, as xdg-desktop-portal speaks it, for a private session bus.

`python -m tests.support.played_portal [--refuse]`, with DBUS_SESSION_BUS_ADDRESS. The method
Press(id) of org.destutter.Test is the key; Bound() gives what was asked for.
"""

import sys
from typing import Any

import dbus
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

NAME, PATH = "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop"
SHORTCUTS = "org.freedesktop.portal.GlobalShortcuts"
TEST = "org.destutter.Test"


class _Request(dbus.service.Object):
    @dbus.service.signal("org.freedesktop.portal.Request", signature="ua{sv}")
    def Response(self, code: int, results: dict[str, Any]) -> None:
        pass


class PlayedPortal(dbus.service.Object):
    """Grants what is asked for, or refuses it."""

    def __init__(self, bus: dbus.bus.BusConnection, *, refuses: bool) -> None:
        super().__init__(bus, PATH)
        self._bus = bus
        self._code = 1 if refuses else 0
        self._session = ""
        self._wanted: list[Any] = []
        self._requests: list[_Request] = []

    def _answer(self, sender: str, options: Any, results: dict[str, Any]) -> str:
        who = sender.removeprefix(":").replace(".", "_")
        self._requests.append(
            _Request(self._bus, f"{PATH}/request/{who}/{options['handle_token']}_{len(results)}")
        )
        made = self._requests[-1]
        GLib.timeout_add(20, lambda: made.Response(dbus.UInt32(self._code), results))
        return str(made.__dbus_object_path__)

    @dbus.service.method(
        SHORTCUTS, in_signature="a{sv}", out_signature="o", sender_keyword="sender"
    )
    def CreateSession(self, options: Any, sender: str) -> str:
        self._session = f"{PATH}/session/1/{options['session_handle_token']}"
        return self._answer(sender, options, {"session_handle": self._session})

    @dbus.service.method(
        SHORTCUTS, in_signature="oa(sa{sv})sa{sv}", out_signature="o", sender_keyword="sender"
    )
    def BindShortcuts(
        self, session: str, shortcuts: Any, _parent: str, options: Any, sender: str
    ) -> str:
        assert session == self._session
        self._wanted = list(shortcuts)
        given = dbus.Array(
            [(id_, {"trigger_description": f"Super+{id_}"}) for id_, _ in shortcuts],
            signature="(sa{sv})",
        )
        return self._answer(sender, options, {"shortcuts": given, "more": True})

    @dbus.service.signal(SHORTCUTS, signature="osta{sv}")
    def Activated(self, session: str, id_: str, at: int, options: Any) -> None:
        pass

    @dbus.service.method("org.freedesktop.DBus.Properties", in_signature="ss", out_signature="v")
    def Get(self, _interface: str, _name: str) -> Any:
        return dbus.UInt32(1)

    @dbus.service.method(TEST, in_signature="s")
    def Press(self, id_: str) -> None:
        other = dbus.Dictionary({}, signature="sv")
        self.Activated("/another/session", id_, dbus.UInt64(0), other)
        self.Activated(self._session, id_, dbus.UInt64(1), other)

    @dbus.service.method(TEST, out_signature="a(ss)")
    def Bound(self) -> list[tuple[str, str]]:
        return [(id_, values["description"]) for id_, values in self._wanted]


def main() -> None:
    """Play until somebody ends it."""
    dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
    bus = dbus.SessionBus()
    portal = PlayedPortal(bus, refuses="--refuse" in sys.argv)
    name = dbus.service.BusName(NAME, bus)
    GLib.MainLoop().run()
    del portal, name


if __name__ == "__main__":
    main()
