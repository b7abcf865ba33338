# SPDX-License-Identifier: GPL-3.0-or-later
"""Scripted D-Bus client of the bus kit: JSON commands on stdin, JSON answers on stdout.

It uses the lowest level of dbus-python, so that it can also send what no honest library sends.
Runs inside the kit, as any user, under the system's own interpreter, from a copy in /run/kit.
"""

import json
import os
import socket
import struct
import sys
import threading
import time
from typing import Any

import dbus
import dbus.lowlevel
import dbus.mainloop.glib
from gi.repository import Gio, GLib

DESTINATION = "io.github.destutter.Helper1"
OBJECT = "/io/github/destutter/Helper1"


def plain(value: Any) -> Any:
    """Turn a D-Bus value into JSON; a descriptor becomes {"fd": n}."""
    if isinstance(value, dbus.types.UnixFd):
        return {"fd": value.take()}
    if isinstance(value, dbus.Boolean):
        return bool(value)
    if isinstance(value, str):
        return str(value)
    if isinstance(value, int):
        return int(value)
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value


def argument(value: Any) -> Any:
    """Expand the placeholders that keep huge arguments out of the command itself."""
    if isinstance(value, dict) and "repeat" in value:
        return value["repeat"] * int(value["times"])
    if isinstance(value, dict) and "fd" in value:
        return dbus.types.UnixFd(int(value["fd"]))
    return value


def _unread_connection() -> tuple[socket.socket, socket.socket]:
    """Return the full end of a connection that lingers, and the other, which nobody reads."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        end = socket.create_connection(server.getsockname())
        peer, _address = server.accept()
    end.setblocking(False)
    try:
        while True:
            end.send(bytes(65536))
    except BlockingIOError:
        end.setblocking(True)
    end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 300))
    return end, peer


class Client:
    """One bus connection, steered from outside."""

    def __init__(self, bus: Any, loop: Any) -> None:
        """Collect signals of the helper from the first moment on."""
        self._bus = bus
        self._loop = loop
        self._signals: list[dict[str, Any]] = []
        self._partial = b""
        self._kept: list[Any] = []
        bus.add_signal_receiver(
            self._on_signal, dbus_interface=DESTINATION, member_keyword="member"
        )
        GLib.io_add_watch(0, GLib.IO_IN | GLib.IO_HUP, self._on_input)

    def _on_signal(self, *values: Any, member: str) -> None:
        self._signals.append(
            {"member": str(member), "args": plain(values), "at": time.monotonic()}
        )

    def _on_input(self, descriptor: int, _condition: int) -> bool:
        data = os.read(descriptor, 1 << 20)
        if not data:
            self._loop.quit()
            return False
        *lines, self._partial = (self._partial + data).split(b"\n")
        for line in lines:
            self._obey(json.loads(line))
        return True

    def _answer(self, command: dict[str, Any], **result: Any) -> None:
        print(json.dumps({"id": command["id"], **result}), flush=True)

    def _obey(self, command: dict[str, Any]) -> None:
        work = {
            "call": self._call,
            "flood": self._flood,
            "signals": lambda command: self._answer(command, signals=self._signals),
            "close": self._close,
            "read": self._read,
            "disconnect": self._disconnect,
            "emit": self._emit,
            "linger": self._linger,
            "forge": self._forge,
            "own": self._own,
            "exec": self._exec,
        }
        work[command["op"]](command)

    def _close(self, command: dict[str, Any]) -> None:
        os.close(int(command["fd"]))
        self._answer(command)

    def _read(self, command: dict[str, Any]) -> None:
        """Read a descriptor that was lent: how many bytes came, or the error."""
        try:
            count = len(os.read(int(command["fd"]), int(command["size"])))
        except OSError as error:
            self._answer(command, errno=error.errno)
        else:
            self._answer(command, count=count)

    def _disconnect(self, command: dict[str, Any]) -> None:
        self._bus.close()
        self._answer(command)

    def _message(self, command: dict[str, Any]) -> Any:
        message = dbus.lowlevel.MethodCallMessage(
            command.get("dest", DESTINATION),
            command.get("path", OBJECT),
            command.get("iface", DESTINATION),
            command["member"],
        )
        values = [argument(value) for value in command.get("args", [])]
        if values:
            message.append(*values, signature=command["sig"])
        message.set_allow_interactive_authorization(bool(command.get("flag", False)))
        message.set_auto_start(bool(command.get("autostart", True)))
        return message

    def _call(self, command: dict[str, Any]) -> None:
        started = time.monotonic()

        def done(reply: Any) -> None:
            took_s = time.monotonic() - started
            if reply.get_type() == dbus.lowlevel.MESSAGE_TYPE_ERROR:
                text, said, *_ = [*map(str, reply.get_args_list()), "", ""]
                name = reply.get_error_name()
                self._answer(command, error=name, text=text, said=said, took_s=took_s)
            else:
                self._answer(command, values=plain(reply.get_args_list()), took_s=took_s)

        message = self._message(command)
        if command.get("no_reply"):
            message.set_no_reply(True)
            self._bus.send_message(message)
            self._bus.flush()
            self._answer(command, values=[])
            return
        self._bus.send_message_with_reply(message, done, float(command.get("timeout_s", 30)))

    def _flood(self, command: dict[str, Any]) -> None:
        """Send `count` equal calls without waiting, and count the answers by name."""
        tally: dict[str, int] = {}
        left = [int(command["count"])]

        def done(reply: Any) -> None:
            failed = reply.get_type() == dbus.lowlevel.MESSAGE_TYPE_ERROR
            name = reply.get_error_name() if failed else "ok"
            self._kept.append(None if failed else reply.get_args_list())  # with its descriptors
            tally[name] = tally.get(name, 0) + 1
            left[0] -= 1
            if left[0] == 0:
                self._answer(command, tally=tally)

        for _ in range(left[0]):
            self._bus.send_message_with_reply(self._message(command), done, 60.0)

    def _emit(self, command: dict[str, Any]) -> None:
        signal = dbus.lowlevel.SignalMessage(command["path"], command["iface"], command["member"])
        if command.get("dest"):
            signal.set_destination(command["dest"])
        values = [argument(value) for value in command["args"]]
        signal.append(*values, signature=command["sig"])
        self._bus.send_message(signal)
        self._bus.flush()
        self._answer(command)

    def _linger(self, command: dict[str, Any]) -> None:
        """Send signals, each with a connection whose last owner waits for minutes to close it."""
        for dest in command["dests"]:
            end, peer = _unread_connection()
            self._kept.append(peer)
            signal = dbus.lowlevel.SignalMessage(OBJECT, DESTINATION, "StateChanged")
            signal.set_destination(dest)
            signal.append(dbus.types.UnixFd(end), signature="h")
            self._bus.send_message(signal)
            self._bus.get_name_owner(dbus.BUS_DAEMON_NAME)  # the bus has let go of it, not we
            del signal
            # Whoever is the last waits; not we, who have to answer.
            threading.Thread(target=end.close, daemon=True).start()
        self._answer(command)

    def _forge(self, command: dict[str, Any]) -> None:
        """Say yes for polkit to the calls with these numbers, from a connection of our own."""
        flags = Gio.DBusConnectionFlags
        kind = flags.AUTHENTICATION_CLIENT | flags.MESSAGE_BUS_CONNECTION
        bus = Gio.DBusConnection.new_for_address_sync(command["address"], kind, None, None)
        for serial in range(1, int(command["up_to"])):
            answer = Gio.DBusMessage.new()
            answer.set_message_type(Gio.DBusMessageType.METHOD_RETURN)
            answer.set_reply_serial(serial)
            answer.set_destination(command["dest"])
            answer.set_body(GLib.Variant("((bba{ss}))", ((True, False, {}),)))
            bus.send_message(answer, Gio.DBusSendMessageFlags.NONE)
        bus.flush_sync(None)
        bus.close_sync(None)
        self._answer(command)

    def _own(self, command: dict[str, Any]) -> None:
        try:
            outcome = self._bus.request_name(command["name"], 4)
        except dbus.DBusException as error:
            self._answer(command, error=error.get_dbus_name())
        else:
            self._answer(command, values=[int(outcome)])

    def _exec(self, command: dict[str, Any]) -> None:
        """Send a call, then become another program that keeps the bus connection open."""
        self._bus.send_message(self._message(command))
        self._bus.flush()
        os.set_inheritable(self._bus.get_unix_fd(), True)
        time.sleep(float(command["delay_s"]))  # on purpose: the moment of the attack
        os.execv(command["argv"][0], command["argv"])  # noqa: S606 (the attack itself)


def main() -> None:
    """Say the unique name, then obey until stdin ends."""
    dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
    address = sys.argv[1] if len(sys.argv) > 1 else "unix:path=/run/dbus/system_bus_socket"
    bus = dbus.bus.BusConnection(address)
    bus.set_exit_on_disconnect(False)
    loop = GLib.MainLoop()
    Client(bus, loop)
    print(json.dumps({"id": 0, "name": str(bus.get_unique_name())}), flush=True)
    loop.run()


if __name__ == "__main__":
    main()
