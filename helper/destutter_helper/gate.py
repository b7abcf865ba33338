# SPDX-License-Identifier: GPL-3.0-or-later
"""The door: looks at a message before it is unpacked, and lets in what the contract knows.

It is a message filter of libdbus, so nothing else of dbus-python ever sees a call. Unpacking
first and checking later would let any user fill the helper's memory with one message.
"""

import functools
import itertools
import traceback
from collections.abc import Callable
from typing import Any

import dbus
from dbus import lowlevel

from destutter_helper.api import methods, names
from destutter_helper.api.names import HelperError
from destutter_helper.log import Log
from destutter_helper.profiles import SERVICES

DRIVER = "org.freedesktop.DBus"
LOGIND = "org.freedesktop.login1"
SIGNALS = {(name, "ProfileReleased"): "u" for name, _path in SERVICES}
SIGNALS[f"{LOGIND}.Manager", "PrepareForSleep"] = "b"
"""By interface and member, the signatures of the signals that others may send us."""

_incidents = itertools.count(1)


class Call:
    """One call: who asks for what, and the way back. Arguments are empty until `unpack`."""

    def __init__(self, connection: Any, message: Any, log: Log) -> None:
        self._connection = connection
        self._message = message
        self._log = log
        self.key = (message.get_interface(), message.get_member())
        self.sender = str(message.get_sender())
        self.allows_dialog = bool(message.get_allow_interactive_authorization())
        self.arguments: tuple[Any, ...] = ()

    @functools.cached_property
    def uid(self) -> int:
        """The user behind the connection, as the bus daemon knows it from the kernel."""
        try:
            return int(self._connection.get_unix_user(self.sender))
        except dbus.DBusException:
            raise HelperError("NotAuthorized", "the caller has left the bus") from None

    def unpack(self) -> None:
        """Take the arguments, if they are what the contract says."""
        if self._message.get_path() != names.OBJECT_PATH or self.key not in methods.METHODS:
            raise HelperError("InvalidArgument", "there is no such method here")
        expected = methods.METHODS[self.key].takes
        if self._message.get_signature() != expected:
            raise HelperError("InvalidArgument", f"the arguments must be {expected or 'none'!r}")
        self.arguments = tuple(_plain(value) for value in self._message.get_args_list())
        limit = names.REQUEST_MAX_BYTES
        if any(len(str(value).encode()) > limit for value in self.arguments):
            raise HelperError("TooLarge", f"a text is longer than {limit} bytes")

    def reply(self, *values: Any) -> None:
        """Answer with values of the contract's types."""
        answer = lowlevel.MethodReturnMessage(self._message)
        answer.append(*values, signature=methods.METHODS[self.key].gives)
        self._send(answer)

    def fail(self, error: HelperError) -> None:
        """Answer with a named error."""
        name = names.ERROR_PREFIX + error.name
        self._send(lowlevel.ErrorMessage(self._message, name, str(error)))

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


def gate(connection: Any, serve: Callable[[Call], None], log: Log) -> Callable[[Any, Any], int]:
    """The filter that hands calls of the contract to `serve` and answers all others itself."""

    def admit(_connection: Any, message: Any) -> int:
        if message.get_type() == lowlevel.MESSAGE_TYPE_SIGNAL and not _is_wanted(message):
            return int(lowlevel.HANDLER_RESULT_HANDLED)
        if message.get_type() != lowlevel.MESSAGE_TYPE_METHOD_CALL:
            return int(lowlevel.HANDLER_RESULT_NOT_YET_HANDLED)
        call = Call(connection, message, log)
        call.run(lambda: serve(call))
        return int(lowlevel.HANDLER_RESULT_HANDLED)

    return admit


def _is_wanted(message: Any) -> bool:
    """Whether a signal has the form of one that somebody here listens to.

    Anybody may send a signal straight to us. dbus-python asks only later who sent it, and not at
    all before it knows who owns the name that was waited for; until then it unpacks the body.
    """
    if message.get_sender() == DRIVER:
        return True
    form = (message.get_interface(), message.get_member())
    return SIGNALS.get(form) == message.get_signature()


def describe(error: BaseException) -> str:
    """Name an error and its place; not its text, which may hold what a client wrote."""
    frames = traceback.extract_tb(error.__traceback__)
    places = " > ".join(f"{frame.name}:{frame.lineno}" for frame in frames)
    return f"{type(error).__name__} at {places}"


def _plain(value: Any) -> Any:
    """The plain value of a str, int or bool of D-Bus (its Boolean is a kind of int)."""
    if isinstance(value, str):
        return str(value)
    return bool(value) if isinstance(value, dbus.Boolean) else int(value)
