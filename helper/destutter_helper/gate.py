# SPDX-License-Identifier: GPL-3.0-or-later
"""The door: looks at a message before it is unpacked, and lets in what the contract knows.

It is a message filter of libdbus, so nothing else of dbus-python ever sees a call. Unpacking
first and checking later would let any user fill the helper's memory with one message.
"""

import itertools
import traceback
from collections.abc import Callable
from typing import Any

from dbus import lowlevel

from destutter_helper.api.names import (
    ERROR_PREFIX,
    INTERFACE,
    OBJECT_PATH,
    REQUEST_MAX_BYTES,
    HelperError,
)
from destutter_helper.log import Log

PROPERTIES = "org.freedesktop.DBus.Properties"
INTROSPECTABLE = "org.freedesktop.DBus.Introspectable"

SIGNATURES: dict[tuple[str, str], tuple[str, str]] = {
    (INTERFACE, "GetState"): ("", "s"),
    (INTERFACE, "ListTunables"): ("", "s"),
    (INTERFACE, "Preview"): ("s", "s"),
    (INTERFACE, "BeginTrial"): ("sib", "sh"),
    (INTERFACE, "Extend"): ("si", "u"),
    (INTERFACE, "Keep"): ("ssb", "s"),
    (INTERFACE, "Revert"): ("s", "s"),
    (INTERFACE, "Undo"): ("s", "s"),
    (INTERFACE, "Verify"): ("", "s"),
    (INTERFACE, "Recover"): ("", "s"),
    (INTERFACE, "GetReport"): ("", "s"),
    (INTERFACE, "OpenTrace"): ("sb", "sh"),
    (PROPERTIES, "Get"): ("ss", "v"),
    (PROPERTIES, "GetAll"): ("s", "a{sv}"),
    (INTROSPECTABLE, "Introspect"): ("", "s"),
}
"""What may be called: arguments in, values out. What is not here does not exist."""

_incidents = itertools.count(1)


class Call:
    """One call: who asks for what, and the way back."""

    def __init__(self, connection: Any, message: Any, log: Log) -> None:
        """Know the message; nothing of it is unpacked yet."""
        self._connection = connection
        self._message = message
        self._log = log
        self.key = (message.get_interface(), message.get_member())
        self.sender = str(message.get_sender())
        self.allows_dialog = bool(message.get_allow_interactive_authorization())
        self.arguments: tuple[Any, ...] = ()

    def unpack(self) -> None:
        """Take the arguments, whose types the signature has promised."""
        values = self._message.get_args_list()
        self.arguments = tuple(_plain(value) for value in values)
        for value in self.arguments:
            if isinstance(value, str) and len(value.encode()) > REQUEST_MAX_BYTES:
                raise HelperError("TooLarge", f"a text is longer than {REQUEST_MAX_BYTES} bytes")

    def reply(self, *values: Any) -> None:
        """Answer with values of the contract's types."""
        answer = lowlevel.MethodReturnMessage(self._message)
        answer.append(*values, signature=SIGNATURES[self.key][1])
        self._send(answer)

    def fail(self, error: HelperError) -> None:
        """Answer with a named error."""
        self._send(lowlevel.ErrorMessage(self._message, ERROR_PREFIX + error.name, str(error)))

    def run(self, work: Callable[[], None]) -> None:
        """Do the work; whatever it raises becomes an answer without a trace of our insides."""
        try:
            work()
        except HelperError as error:
            self.fail(error)
        except Exception as error:  # noqa: BLE001 (the last line: log it here, tell only a number)
            number = next(_incidents)
            self._log.alert(f"incident {number}: {describe(error)}")
            self.fail(HelperError("Internal", f"incident {number}, see the system's log"))

    def _send(self, answer: Any) -> None:
        if not self._message.get_no_reply():
            self._connection.send_message(answer)


class Gate:
    """Filters the messages of one connection and hands calls of the contract to `serve`."""

    def __init__(self, connection: Any, serve: Callable[[Call], None], log: Log) -> None:
        """Answer on `connection`; `serve` may answer at once or later, or raise HelperError."""
        self._connection = connection
        self._serve = serve
        self._log = log

    def filter(self, _connection: Any, message: Any) -> int:
        """Answer every method call here; leave all other messages to libdbus."""
        if message.get_type() != lowlevel.MESSAGE_TYPE_METHOD_CALL:
            return int(lowlevel.HANDLER_RESULT_NOT_YET_HANDLED)
        call = Call(self._connection, message, self._log)
        call.run(lambda: self._admit(message, call))
        return int(lowlevel.HANDLER_RESULT_HANDLED)

    def _admit(self, message: Any, call: Call) -> None:
        if message.get_path() != OBJECT_PATH or call.key not in SIGNATURES:
            raise HelperError("InvalidArgument", "there is no such method here")
        expected, _out = SIGNATURES[call.key]
        if message.get_signature() != expected:
            raise HelperError("InvalidArgument", f"the arguments must be {expected or 'none'!r}")
        call.unpack()
        self._serve(call)


def describe(error: BaseException) -> str:
    """Name an error and its place; not its text, which may hold what a client wrote."""
    places = [
        f"{frame.name}:{frame.lineno}" for frame in traceback.extract_tb(error.__traceback__)
    ]
    return f"{type(error).__name__} at {' > '.join(places)}"


def _plain(value: Any) -> Any:
    """The plain value of a str, int or bool of D-Bus (its Boolean is a kind of int)."""
    if isinstance(value, str):
        return str(value)
    return bool(value) if type(value).__name__ == "Boolean" else int(value)
