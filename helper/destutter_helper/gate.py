# SPDX-License-Identifier: GPL-3.0-or-later
"""The door: looks at a message before it is unpacked, and lets in what the contract knows.

It is a message filter of libdbus, so nothing else of dbus-python ever sees a call. Unpacking
first and checking later would let any user fill the helper's memory with one message.
"""

import itertools
import time
import traceback
from collections.abc import Callable
from typing import Any

import dbus
from dbus import lowlevel

from destutter_helper.api import methods, names, payload
from destutter_helper.api.names import HelperError
from destutter_helper.api.statement import Said
from destutter_helper.callers import Callers
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

    uid = -1
    """The user behind the connection, as the bus daemon knows it; set before it is served."""

    was_asked = False
    """Whether a password was typed for this call or for the trial that it keeps."""

    def __init__(self, connection: Any, message: Any, log: Log) -> None:
        self._connection = connection
        self._message = message
        self._log = log
        self.key = (message.get_interface(), message.get_member())
        self.sender = str(message.get_sender())
        self.allows_dialog = bool(message.get_allow_interactive_authorization())
        self.arguments: tuple[Any, ...] = ()

    def unpack(self) -> None:
        """Take the arguments, if they are what the contract says."""
        if self._message.get_path() != names.OBJECT_PATH or self.key not in methods.METHODS:
            raise HelperError("InvalidArgument", Said("helper.request.no_method"))
        expected = methods.METHODS[self.key].takes
        if self._message.get_signature() != expected:
            types = {"types": repr(expected or "none")}
            raise HelperError("InvalidArgument", Said("helper.request.arguments", types))
        self.arguments = tuple(_plain(value) for value in self._message.get_args_list())
        limit = names.REQUEST_MAX_BYTES
        if any(len(str(value).encode()) > limit for value in self.arguments):
            too_long = Said("helper.request.argument_too_long", {"limit": str(limit)})
            raise HelperError("TooLarge", too_long)

    def reply(self, *values: Any) -> None:
        """Answer with values of the contract's types."""
        answer = lowlevel.MethodReturnMessage(self._message)
        answer.append(*values, signature=methods.METHODS[self.key].gives)
        self._send(answer)

    def fail(self, error: HelperError) -> None:
        """Answer with a named error: its English, and the same as id and values."""
        name = names.ERROR_PREFIX + error.name
        answer = lowlevel.ErrorMessage(self._message, name, str(error))
        answer.append(payload.encode(error.whole), signature="s")
        self._send(answer)

    def run(self, work: Callable[[], None]) -> None:
        """Do the work; whatever it raises becomes an answer without a trace of our insides."""
        try:
            work()
        except HelperError as error:
            self.fail(error)
        except Exception as error:  # noqa: BLE001 (the last line: log it here, tell only a number)
            number = next(_incidents)
            self._log.alert(f"incident {number}: {describe(error)}")
            incident = Said("helper.request.incident", {"number": str(number)})
            self.fail(HelperError("Internal", incident))

    def _send(self, answer: Any) -> None:
        if not self._message.get_no_reply():
            self._connection.send_message(answer)


def gate(
    connection: Any, callers: Callers, serve: Callable[[Call], None], log: Log, readers: set[str]
) -> Callable[[Any, Any], int]:
    """The filter that hands calls of the contract to `serve` and answers all others itself.

    ``readers`` are the members that only ask for something: in vain, where no reply is wanted.
    """

    def enter(call: Call, uid: int | None) -> None:
        if uid is None:
            raise HelperError("NotAuthorized", Said("helper.request.caller_left"))
        call.uid = uid
        if call.key[1] not in methods.COSTLY:
            serve(call)
            return
        if callers.is_overdrawn(uid):
            raise HelperError("RateLimited", Said("helper.request.overdrawn"))
        started = time.monotonic()
        try:
            serve(call)
        finally:  # what is refused in the end has cost as much
            callers.charge(uid, time.monotonic() - started)

    def ask(call: Call) -> None:
        call.unpack()
        if not callers.identify(call.sender, lambda uid: call.run(lambda: enter(call, uid))):
            raise HelperError("Busy", Said("helper.request.waiting"))

    def admit(_connection: Any, message: Any) -> int:
        if message.get_type() != lowlevel.MESSAGE_TYPE_METHOD_CALL:
            return drop_signals(_connection, message)
        form = (message.get_interface(), message.get_member())
        if message.get_no_reply() and (form not in methods.METHODS or form[1] in readers):
            return int(lowlevel.HANDLER_RESULT_HANDLED)  # nobody would see what it costs us
        call = Call(connection, message, log)
        call.run(lambda: ask(call))
        return int(lowlevel.HANDLER_RESULT_HANDLED)

    return admit


def drop_signals(_connection: Any, message: Any) -> int:
    """The filter that ends signals which nobody here listens to.

    Anybody may send a signal straight to us. dbus-python asks only later who sent it, and not at
    all before it knows who owns the name that was waited for; until then it unpacks the body.
    """
    is_signal = message.get_type() == lowlevel.MESSAGE_TYPE_SIGNAL
    if is_signal and message.get_sender() != DRIVER:
        form = (message.get_interface(), message.get_member())
        if SIGNALS.get(form) != message.get_signature():
            return int(lowlevel.HANDLER_RESULT_HANDLED)
    return int(lowlevel.HANDLER_RESULT_NOT_YET_HANDLED)


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
