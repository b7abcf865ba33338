# SPDX-License-Identifier: GPL-3.0-or-later
"""Has the lender's name on a bus and lies, until its input ends: ADDRESS LIE.

"drips": a signal each fifth of a second instead of a list of tasks, which comes after four
seconds. "sends": before each answer a signal with a socket that lingers; "null": with a device.
Says "ready" and the error that a signal met.
"""

import os
import sys
from collections.abc import Iterator

import dbus
from dbus import lowlevel
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

from destutter_helper.api import lending
from tests.support.played_bus import Lingering

DRIP_MS, DRIPS = 200, 20
_HANDLED, _NOT_YET = 0, 1


class Liar:
    """Answers to everything but the truth."""

    def __init__(self, address: str, lie: str) -> None:
        self._bus = dbus.bus.BusConnection(address, mainloop=DBusGMainLoop())
        self._lie = lie
        self._lingering = Lingering()
        self._bus.add_message_filter(self._take)
        self._bus.request_name(lending.BUS_NAME)

    def _take(self, _bus: object, message: lowlevel.Message) -> int:
        if isinstance(message, lowlevel.ErrorMessage):
            print(message.get_error_name(), flush=True)  # the bus did not deliver a signal
            return _HANDLED
        if message.get_interface() != lending.INTERFACE:
            return _NOT_YET
        if self._lie in ("sends", "null"):
            self._send(message.get_sender())
        if self._lie == "drips" and message.get_member() == "ListTasks":
            left = iter(range(DRIPS))
            GLib.timeout_add(DRIP_MS, lambda: self._drip(message, left))
        else:
            self._answer(message)
        return _HANDLED

    def _answer(self, message: lowlevel.Message) -> None:
        answer = lowlevel.MethodReturnMessage(message)
        answer.append("[7]", signature="s")
        self._bus.send_message(answer)

    def _drip(self, message: lowlevel.Message, left: Iterator[int]) -> bool:
        if next(left, None) is None:
            self._answer(message)
            return False
        signal = lowlevel.SignalMessage("/x", "a.b", "C")
        signal.set_destination(message.get_sender())
        self._bus.send_message(signal)
        return True

    def _send(self, to: str) -> None:
        signal = lowlevel.SignalMessage("/x", "a.b", "C")
        signal.set_destination(to)
        # One that the bus refuses, of which this has the last copy, must not linger.
        with self._lingering.make() if self._lie == "sends" else open(os.devnull) as waiting:
            sent = dbus.types.UnixFd(waiting.fileno())
        signal.append(sent, signature="h")
        os.close(sent.take())
        self._bus.send_message(signal)
        self._bus.flush()


def main(arguments: list[str]) -> None:
    """Lie until nobody listens."""
    loop = GLib.MainLoop()
    liar = Liar(*arguments)
    GLib.io_add_watch(0, GLib.IO_HUP | GLib.IO_IN, lambda *_: loop.quit())
    print("ready", flush=True)
    loop.run()
    del liar


if __name__ == "__main__":
    main(sys.argv[1:])
