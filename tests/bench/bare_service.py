# SPDX-License-Identifier: GPL-3.0-or-later
"""The least that a D-Bus service in Python can be: the helper's cost is measured against it."""

import sys

import dbus
import dbus.bus
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

NAME = "io.github.destutter.Bare1"
PATH = "/io/github/destutter/Bare1"


class Bare(dbus.service.Object):
    """One method."""

    @dbus.service.method(NAME, out_signature="s")
    def GetState(self) -> str:
        """Answer."""
        return "idle"


def main() -> None:
    """Serve on the bus of argv, or on the system bus."""
    dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
    bus = dbus.bus.BusConnection(sys.argv[1]) if len(sys.argv) > 1 else dbus.SystemBus()
    bus.set_exit_on_disconnect(True)
    Bare(bus, PATH)
    bus.request_name(NAME)
    GLib.MainLoop().run()


if __name__ == "__main__":
    main()
