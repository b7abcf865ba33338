# SPDX-License-Identifier: GPL-3.0-or-later
"""Scripted authentication agent of the bus kit: answers password dialogs without a password.

A root process may register an agent for any process and may answer a challenge itself, so the
real polkitd is asked and decides, and only the human is played. Modes: yes, no, cancel, hang,
wrong (authenticates as somebody who is not an administrator). JSON lines on stdin and stdout.
"""

import json
import os
import sys
from pathlib import Path
from typing import Any

import dbus
import dbus.lowlevel
import dbus.mainloop.glib
from gi.repository import GLib

POLKIT = "org.freedesktop.PolicyKit1"
AUTHORITY = "/org/freedesktop/PolicyKit1/Authority"
AGENT = f"{POLKIT}.AuthenticationAgent"
ADMIN_UID, OTHER_UID = 61003, 61004


def start_time(pid: int) -> int:
    """Return field 22 of /proc/PID/stat: the start time in clock ticks."""
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19])


class Agent:
    """Registrations by object path, each with a mode, and the log of dialogs."""

    def __init__(self, bus: Any, loop: Any) -> None:
        """Answer on `bus`."""
        self._bus = bus
        self._loop = loop
        self._modes: dict[str, str] = {}
        self._dialogs: list[dict[str, Any]] = []
        self._hanging: dict[str, Any] = {}
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
        if command["op"] == "register":
            self._register(int(command["pid"]), command["mode"])
        elif command["op"] == "dialogs":
            result = {"dialogs": self._dialogs}
        elif command["op"] == "answer":
            self._answer_hanging(command["mode"])
        print(json.dumps({"id": command["id"], **result}), flush=True)

    def _register(self, pid: int, mode: str) -> None:
        path = f"/kit/agent{pid}"
        known = path in self._modes
        self._modes[path] = mode
        if known:
            return
        details = {"pid": dbus.UInt32(pid), "start-time": dbus.UInt64(start_time(pid))}
        subject = ("unix-process", dbus.Dictionary(details, signature="sv"))
        self._bus.call_blocking(
            POLKIT,
            AUTHORITY,
            f"{POLKIT}.Authority",
            "RegisterAuthenticationAgent",
            "(sa{sv})ss",
            (subject, "en_GB.UTF-8", path),
        )

    def _on_message(self, _connection: Any, message: Any) -> int:
        if message.get_type() != dbus.lowlevel.MESSAGE_TYPE_METHOD_CALL:
            return int(dbus.lowlevel.HANDLER_RESULT_NOT_YET_HANDLED)
        if message.get_member() == "BeginAuthentication":
            self._begin(message)
        elif message.get_member() == "CancelAuthentication":
            (cookie,) = message.get_args_list()
            self._close(str(cookie))
            self._bus.send_message(dbus.lowlevel.MethodReturnMessage(message))
        return int(dbus.lowlevel.HANDLER_RESULT_HANDLED)

    def _begin(self, message: Any) -> None:
        action, text, _icon, details, cookie, identities = message.get_args_list()
        dialog = {
            "action": str(action),
            "message": str(text),
            "details": {str(key): str(value) for key, value in details.items()},
            "identities": [int(identity[1]["uid"]) for identity in identities],
            "cookie": str(cookie),
            "open": True,
        }
        self._dialogs.append(dialog)
        self._hanging[str(cookie)] = message
        mode = self._modes[message.get_path()]
        if mode != "hang":
            self._respond(str(cookie), mode)

    def _answer_hanging(self, mode: str) -> None:
        for cookie in list(self._hanging):
            self._respond(cookie, mode)

    def _close(self, cookie: str) -> Any:
        for dialog in self._dialogs:
            if dialog["cookie"] == cookie:
                dialog["open"] = False
        return self._hanging.pop(cookie, None)

    def _respond(self, cookie: str, mode: str) -> None:
        message = self._close(cookie)
        if mode == "cancel":
            reply: Any = dbus.lowlevel.ErrorMessage(
                message, f"{POLKIT}.Error.Cancelled", "the user closed the dialog"
            )
        else:
            reply = dbus.lowlevel.MethodReturnMessage(message)
        if mode not in ("yes", "wrong"):
            self._bus.send_message(reply)
            return
        uid = ADMIN_UID if mode == "yes" else OTHER_UID
        identity = ("unix-user", dbus.Dictionary({"uid": dbus.UInt32(uid)}, signature="sv"))

        def finish(*_outcome: Any) -> None:
            self._bus.send_message(reply)

        self._bus.call_async(
            POLKIT,
            AUTHORITY,
            f"{POLKIT}.Authority",
            "AuthenticationAgentResponse",
            "s(sa{sv})",
            (cookie, identity),
            finish,
            finish,
        )


def main() -> None:
    """Obey until stdin ends."""
    dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
    address = sys.argv[1] if len(sys.argv) > 1 else "unix:path=/run/dbus/system_bus_socket"
    bus = dbus.bus.BusConnection(address)
    loop = GLib.MainLoop()
    Agent(bus, loop)
    print(json.dumps({"id": 0, "name": str(bus.get_unique_name())}), flush=True)
    loop.run()


if __name__ == "__main__":
    main()
