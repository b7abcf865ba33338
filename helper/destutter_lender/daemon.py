# SPDX-License-Identifier: GPL-3.0-or-later
"""The lender on the session bus: started by the bus when somebody calls, gone a minute later."""

import contextlib
import json
import os
import sys
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import dbus
from dbus import lowlevel
from dbus.bus import BusConnection
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

from destutter_helper.api import lending
from destutter_helper.api.names import HELPER_VERSION
from destutter_lender.callers import DRIVER, BusCallers
from destutter_lender.channels import Channels
from destutter_lender.files import Lender
from destutter_lender.pace import Group, Pace, RefusedError

IDLE_MS = 60_000
_LISTED_S = 0.2  # one look through /proc for whoever asks within two ticks
DO_NOT_QUEUE, PRIMARY_OWNER = 4, 1  # D-Bus specification, RequestName
_HANDLED = int(lowlevel.HANDLER_RESULT_HANDLED)
_NOT_MINE = int(lowlevel.HANDLER_RESULT_NOT_YET_HANDLED)


class Caller(NamedTuple):
    """Who asks: a connection's name, and those with whom it counts as one."""

    name: str
    group: Group


class LenderService:
    """Answers calls. A message is looked at before it is unpacked, as the helper's gate does."""

    def __init__(self, connection: Any, lender: Lender, end: Callable[[], None]) -> None:
        self._connection = connection
        self._end = end
        self._lender = lender
        self._was_called = True
        self._pace = Pace()
        self._channels = Channels(lender, self._pace)
        self._callers = BusCallers(
            connection, serve=self._serve, refuse=self._refuse, forget=self._channels.forget
        )
        self._listed = 0.0, ""

    def take_use(self) -> bool:
        """Whether anybody called since this was asked last, or has a channel."""
        was_called, self._was_called = self._was_called, False
        return was_called or self._channels.are_open

    def admit(self, _connection: Any, message: Any) -> int:
        """The filter of libdbus: every call is answered here, whatever it is."""
        if message.get_type() != lowlevel.MESSAGE_TYPE_METHOD_CALL:
            return self._hear(message)
        self._was_called = True
        self._callers.take(message)
        return _HANDLED

    def _serve(self, group: Group, message: Any) -> None:
        try:
            self._pace.count(group)
            with self._pace.charging(group):
                answer = self._answer(group, message)
        except RefusedError as error:
            self._refuse(message, error)
            return
        except Exception as error:  # noqa: BLE001  the last line: what failed inside is not told
            _log(f"{message.get_member()}: {error!r}")
            name = lending.ERROR_PREFIX + "Internal"
            answer = lowlevel.ErrorMessage(message, name, type(error).__name__)
        if not message.get_no_reply():
            self._connection.send_message(answer)

    def _refuse(self, message: Any, error: RefusedError) -> None:
        if not message.get_no_reply():
            name = lending.ERROR_PREFIX + error.name
            self._connection.send_message(lowlevel.ErrorMessage(message, name, str(error)))

    def _hear(self, message: Any) -> int:
        """What the bus itself says; of others nothing that is no call."""
        if message.get_sender() not in (DRIVER, None):
            return _HANDLED
        if message.get_member() == "NameOwnerChanged":
            name, _old, new = message.get_args_list()
            if not new:
                self._callers.gone(str(name))
        if message.get_member() == "NameLost" and message.get_args_list() == [lending.BUS_NAME]:
            self._end()  # nobody reaches it any more
        return _NOT_MINE

    def _answer(self, group: Group, message: Any) -> Any:
        member = message.get_member()
        takes, gives = lending.METHODS.get(member, ("", ""))
        if not gives or message.get_interface() != lending.INTERFACE:
            raise RefusedError("InvalidArgument", "there is no such method here")
        if message.get_signature() != takes or message.get_path() != lending.OBJECT_PATH:
            raise RefusedError("InvalidArgument", f"the arguments must be {takes or 'none'!r}")
        caller = Caller(str(message.get_sender()), group)
        values = ANSWERS[member](self, caller, *message.get_args_list())
        answer = lowlevel.MethodReturnMessage(message)
        answer.append(*values, signature=gives)
        return answer

    def list_tasks(self, _caller: Caller, pid: Any) -> tuple[str]:
        """The ids of processes, or of the threads of one."""
        if int(pid):
            return (json.dumps(self._lender.tasks(int(pid)), separators=(",", ":")),)
        since, text = self._listed
        if time.monotonic() - since > _LISTED_S:
            text = json.dumps(self._lender.tasks(0), separators=(",", ":"))
            self._listed = time.monotonic(), text
        return (text,)

    def list_graphics(self, _caller: Caller, pid: Any) -> tuple[str]:
        """The descriptors of a process that lead to graphics cards."""
        return (json.dumps(self._lender.graphics(int(pid))),)

    def name_program(self, _caller: Caller, pid: Any) -> tuple[str]:
        """The name of a program and Steam's number."""
        return (json.dumps(self._lender.program(int(pid))),)

    def open_channel(self, caller: Caller) -> tuple[Any]:
        """Two ends of pipes, for what is told."""
        ends = self._channels.open(caller.name, caller.group)
        try:
            copies = [dbus.types.UnixFd(end) for end in ends]
        finally:
            for end in ends:
                os.close(end)
        return (dbus.Array(copies, signature="h"),)


ANSWERS: dict[str, Callable[..., tuple[Any, ...]]] = {
    "ListTasks": LenderService.list_tasks,
    "ListGraphics": LenderService.list_graphics,
    "NameProgram": LenderService.name_program,
    "OpenChannel": LenderService.open_channel,
    "GetVersion": lambda *_: (HELPER_VERSION,),
}
"""What is answered to whom, by the member and its arguments."""


def _log(text: str) -> None:
    """A line for the session's log; a mistake of ours is told to nobody else."""
    with contextlib.suppress(OSError):
        sys.stderr.write(f"destutter-lender: {text}\n")


def serve(
    lender: Lender,
    *,
    address: str = "",
    idle_ms: int = IDLE_MS,
    at_end: Callable[[], None] = lambda: None,
) -> int:
    """Serve until nobody has called for ``idle_ms``, or the bus or the owning of its name ends.

    Returns 0. ``address``: of the bus; the session's where it is empty. ``at_end`` is called
    before the bus sees the end.
    """
    connection = BusConnection(address or BusConnection.TYPE_SESSION, mainloop=DBusGMainLoop())
    # Else libdbus ends the process when the session's bus goes, as if it had failed.
    connection.set_exit_on_disconnect(False)
    loop = GLib.MainLoop()
    connection.call_on_disconnection(lambda _connection: loop.quit())
    service = LenderService(connection, lender, loop.quit)
    connection.add_message_filter(service.admit)
    if connection.request_name(lending.BUS_NAME, DO_NOT_QUEUE) != PRIMARY_OWNER:
        return 0

    def look() -> bool:
        is_used = service.take_use()
        if not is_used:
            loop.quit()
        return is_used

    GLib.timeout_add(idle_ms, look)
    loop.run()
    at_end()
    connection.close()
    return 0
