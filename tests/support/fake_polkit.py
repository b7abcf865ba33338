# SPDX-License-Identifier: GPL-3.0-or-later
"""A scripted stand-in for polkit on a private bus, for tests that need no root.

JSON lines on stdin and stdout. Modes per action: yes, no, ask (a dialog that is granted),
type (a dialog that waits for "answer"), flooded (so does every question but the first), dismiss (a
dialog that is closed), hang, error, wrong-type. It proves nothing about polkit itself; the tests
on the bus kit do that with the real one.
"""

import json
import os
import sys
from typing import Any

import dbus
import dbus.lowlevel
import dbus.mainloop.glib
from gi.repository import GLib

ALLOW_DIALOG = 1


class FakePolkit:
    """Answers CheckAuthorization and remembers every question."""

    def __init__(self, bus: Any, loop: Any) -> None:
        """Say no to everything until told otherwise."""
        self._bus = bus
        self._loop = loop
        self._modes: dict[str, str] = {}
        self._questions: list[dict[str, Any]] = []
        self._open: dict[str, Any] = {}
        self._cancelled: list[str] = []
        self._partial = b""
        bus.add_message_filter(self._on_message)
        GLib.io_add_watch(0, GLib.IO_IN | GLib.IO_HUP, self._on_input)

    def _on_input(self, descriptor: int, _condition: int) -> bool:
        data = os.read(descriptor, 1 << 20)
        if not data:
            self._loop.quit()
            return False
        *lines, self._partial = (self._partial + data).split(b"\n")
        for line in lines:
            self._obey(json.loads(line))
        return True

    def _obey(self, command: dict[str, Any]) -> None:
        result: dict[str, Any] = {}
        if command["op"] == "mode":
            self._modes[command["action"]] = command["mode"]
        elif command["op"] == "questions":
            result = {"questions": self._questions, "cancelled": self._cancelled}
        elif command["op"] == "is_there":
            result = {"is_there": bool(self._bus.name_has_owner(command["name"]))}
        elif command["op"] == "answer":
            for message in list(self._open.values()):
                self._reply(message, command["mode"], flags=ALLOW_DIALOG)
            self._open.clear()
        print(json.dumps({"id": command["id"], **result}), flush=True)

    def _on_message(self, _connection: Any, message: Any) -> int:
        if message.get_type() != dbus.lowlevel.MESSAGE_TYPE_METHOD_CALL:
            return int(dbus.lowlevel.HANDLER_RESULT_NOT_YET_HANDLED)
        if message.get_member() == "CheckAuthorization":
            self._check(message)
        elif message.get_member() == "CancelCheckAuthorization":
            (cancellation,) = message.get_args_list()
            self._cancelled.append(str(cancellation))
            self._open.pop(str(cancellation), None)
            self._bus.send_message(dbus.lowlevel.MethodReturnMessage(message))
        return int(dbus.lowlevel.HANDLER_RESULT_HANDLED)

    def _check(self, message: Any) -> None:
        subject, action, details, flags, cancellation = message.get_args_list()
        question = {
            "kind": str(subject[0]),
            "subject": {str(key): str(value) for key, value in subject[1].items()},
            "action": str(action),
            "details": {str(key): str(value) for key, value in details.items()},
            "flags": int(flags),
            "cancellation": str(cancellation),
        }
        self._questions.append(question)
        mode = self._modes.get(str(action), "no")
        before = [one["action"] for one in self._questions[:-1]]
        is_held = mode == "flooded" and str(action) in before
        if mode == "hang" or is_held or (mode == "type" and flags & ALLOW_DIALOG):
            self._open[str(cancellation)] = message
        else:
            self._reply(message, mode, int(flags))

    def _reply(self, message: Any, mode: str, flags: int) -> None:
        if mode == "error":
            name = "org.freedesktop.PolicyKit1.Error.Failed"
            self._bus.send_message(dbus.lowlevel.ErrorMessage(message, name, "broken"))
            return
        reply = dbus.lowlevel.MethodReturnMessage(message)
        needs_dialog = mode in ("ask", "dismiss", "type", "flooded") and not flags & ALLOW_DIALOG
        is_authorized = mode == "yes" or (mode == "ask" and not needs_dialog)
        was_dismissed = mode == "dismiss" and not needs_dialog
        details = {"polkit.dismissed": "true"} if was_dismissed else {}
        result = (is_authorized, needs_dialog, dbus.Dictionary(details, signature="ss"))
        reply.append(result, signature="(bba{ss})")
        self._bus.send_message(reply)


def main() -> None:
    """Own polkit's name on the bus of argv, then obey until stdin ends."""
    dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
    bus = dbus.bus.BusConnection(sys.argv[1])
    bus.set_exit_on_disconnect(False)
    loop = GLib.MainLoop()
    FakePolkit(bus, loop)
    bus.request_name("org.freedesktop.PolicyKit1")
    print(json.dumps({"id": 0, "name": str(bus.get_unique_name())}), flush=True)
    loop.run()


if __name__ == "__main__":
    main()
