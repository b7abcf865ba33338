# SPDX-License-Identifier: GPL-3.0-or-later
"""A program that behaves on a bus as GameMode's daemon does: `fake_game_mode.py ADDRESS`.

It prints "ready", then obeys lines on its standard input: "add PID", "remove PID".
"""

import sys
from typing import Any

import dbus
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

NAME, PATH = "com.feralinteractive.GameMode", "/com/feralinteractive/GameMode"


class GameMode(dbus.service.Object):
    """The object of the daemon, as far as a listener sees it."""

    def __init__(self, bus: Any) -> None:
        super().__init__(bus, PATH)
        self.games: dict[int, str] = {}

    @dbus.service.method(NAME, in_signature="", out_signature="a(io)")
    def ListGames(self) -> list[tuple[int, str]]:
        """Every registered game."""
        return list(self.games.items())

    @dbus.service.signal(NAME, signature="io")
    def GameRegistered(self, pid: int, path: str) -> None:
        """A game came."""

    @dbus.service.signal(NAME, signature="io")
    def GameUnregistered(self, pid: int, path: str) -> None:
        """A game went."""

    def obey(self, line: str) -> None:
        """Do what a line of the input says, and answer when it is done."""
        command, pid = line.split()[0], int(line.split()[1])
        if command == "add":
            self.games[pid] = f"{PATH}/Games/{pid}"
            self.GameRegistered(pid, self.games[pid])
        else:
            self.GameUnregistered(pid, self.games.pop(pid))
        print("done", flush=True)


def main() -> None:
    """Serve until the input ends."""
    dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
    bus = dbus.bus.BusConnection(sys.argv[1])
    name = dbus.service.BusName(NAME, bus)
    service = GameMode(bus)
    loop = GLib.MainLoop()

    def heard(_source: Any, _condition: Any) -> bool:
        line = sys.stdin.readline()
        if line:
            service.obey(line)
        else:
            loop.quit()
        return bool(line)

    GLib.io_add_watch(0, GLib.PRIORITY_DEFAULT, GLib.IOCondition.IN | GLib.IOCondition.HUP, heard)
    print("ready", flush=True)
    loop.run()
    del name


if __name__ == "__main__":
    main()
