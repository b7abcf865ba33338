# SPDX-License-Identifier: GPL-3.0-or-later
"""Plays the tray of a desktop: says on standard output which icons register.

`python -m tests.support.fake_tray`, on the session bus of the environment, until its input ends.
"""

import sys

import dbus
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

NAME, PATH = "org.kde.StatusNotifierWatcher", "/StatusNotifierWatcher"


class Watcher(dbus.service.Object):
    """The part of the interface that a program with an icon calls."""

    @dbus.service.method(NAME, in_signature="s", out_signature="")
    def RegisterStatusNotifierItem(self, service: str) -> None:
        """An icon comes."""
        print("icon", service, flush=True)

    @dbus.service.method("org.freedesktop.DBus.Properties", in_signature="ss", out_signature="v")
    def Get(self, _interface: str, name: str) -> object:
        """Somebody shows icons."""
        return 0 if name == "ProtocolVersion" else True


def main() -> None:
    """Serve until the input ends."""
    dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
    bus = dbus.SessionBus()
    watcher = Watcher(bus, PATH)
    name = dbus.service.BusName(NAME, bus)
    loop = GLib.MainLoop()
    GLib.io_add_watch(sys.stdin.fileno(), GLib.IO_HUP, lambda *_: loop.quit())
    loop.run()
    del watcher, name


if __name__ == "__main__":
    main()
