# SPDX-License-Identifier: GPL-3.0-or-later
"""The lender on the session bus: started by the bus when somebody calls, gone a minute later."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import dbus
from dbus import lowlevel
from dbus.bus import BusConnection
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

from destutter_helper.api import lending
from destutter_helper.api.names import HELPER_VERSION
from destutter_lender.callers import DRIVER, BusCallers
from destutter_lender.files import Lender
from destutter_lender.pace import Group, Pace, RefusedError
from destutter_lender.worker import log
from destutter_lender.workers import Caller, Workers

IDLE_MS = 60_000
DO_NOT_QUEUE, PRIMARY_OWNER = 4, 1  # D-Bus specification, RequestName
_HANDLED = int(lowlevel.HANDLER_RESULT_HANDLED)
_NOT_MINE = int(lowlevel.HANDLER_RESULT_NOT_YET_HANDLED)


class LenderService:
    """Answers calls. A message is looked at before it is unpacked, as the helper's gate does."""

    def __init__(self, connection: Any, lender: Lender, end: Callable[[], None]) -> None:
        self._connection = connection
        self._end = end
        self._was_called = True
        self._pace = Pace()
        self.workers = Workers(lender)
        self._callers = BusCallers(
            connection, serve=self._serve, refuse=self._refuse, forget=self.workers.forget
        )

    def take_use(self) -> bool:
        """Whether anybody called since this was asked last, or has a channel."""
        self.workers.reap()
        was_called, self._was_called = self._was_called, False
        return was_called or self.workers.have_channels

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
                self._take(group, message)
        except RefusedError as error:
            self._refuse(message, error)
        except Exception as error:  # noqa: BLE001  the last line: what failed inside is not told
            log(f"{message.get_member()}: {error!r}")
            self._refuse(message, RefusedError("Internal", type(error).__name__))

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

    def _take(self, group: Group, message: Any) -> None:
        member = message.get_member()
        takes, gives = lending.METHODS.get(member, ("", ""))
        if not gives or message.get_interface() != lending.INTERFACE:
            raise RefusedError("InvalidArgument", "there is no such method here")
        if message.get_signature() != takes or message.get_path() != lending.OBJECT_PATH:
            raise RefusedError("InvalidArgument", f"the arguments must be {takes or 'none'!r}")
        if member == "GetVersion":
            self._answer(message, HELPER_VERSION)
            return
        arguments = map(int, message.get_args_list())
        caller = Caller(str(message.get_sender()), group)
        self.workers.ask(caller, member, next(arguments, 0), partial(self._answer, message))

    def _answer(self, message: Any, told: str | RefusedError | Sequence[int]) -> None:
        if isinstance(told, RefusedError):
            self._refuse(message, told)
        elif not message.get_no_reply():
            answer = lowlevel.MethodReturnMessage(message)
            if isinstance(told, str):
                answer.append(told, signature="s")
            else:
                ends = [dbus.types.UnixFd(end) for end in told]
                answer.append(dbus.Array(ends, signature="h"), signature="ah")
            self._connection.send_message(answer)


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
    service.workers.close()
    at_end()
    connection.close()
    return 0
