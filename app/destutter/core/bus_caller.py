# SPDX-License-Identifier: GPL-3.0-or-later
"""A connection of its own to a message bus, for calls with exact types, for answers with
descriptors, and for signals. Blocks: not for the window's thread.
"""

import os
import select
import socket
import time
from collections import deque
from contextlib import suppress
from typing import Any
from urllib.parse import unquote

from destutter.core.bus_wire import (
    ERROR,
    FIXED_HEADER,
    METHOD_RETURN,
    SIGNAL,
    BusMessage,
    WireError,
    message_length,
    method_call,
)
from destutter.core.foreign_descriptors import DescriptorCloser
from destutter.core.statement import Statement, StatementError, told
from destutter.core.system_error import system_reason

_TIMEOUT_S = 5.0  # the 25 s that are usual on D-Bus are a program that hangs
_MAX_LINE = 4096  # of the greeting: a server that ends none must not fill memory
# All that one message can carry (SCM_MAX_FD in include/net/scm.h; a session's dbus-daemon sets no
# smaller limit). What there is no room for the kernel closes at once, in the thread that reads.
_MOST_DESCRIPTORS = 253
_MOST_SIGNALS = 256  # kept, and read at once: another program may send without an end
BUS = ("org.freedesktop.DBus", "/org/freedesktop/DBus")
"""Name and path of the bus itself."""
SYSTEM_BUS = "unix:path=/run/dbus/system_bus_socket"
"""Where it is unless DBUS_SYSTEM_BUS_ADDRESS says otherwise."""


class BusCallError(StatementError):
    """A call that did not work.

    ``name``: of the error of D-Bus, empty for others; ``values`` are what came with it.
    """

    name = ""
    values: tuple[Any, ...] = ()


class BusCaller:
    """Connects at the first call and again after the bus went away.

    ``address`` is an address of D-Bus such as "unix:path=/run/user/1000/bus", ``timeout_s`` how
    long a whole call may take, connecting included, from the next one on once it is set. With
    ``takes_descriptors`` an "h" of an answer is a descriptor, which the caller closes. What
    ``AddMatch`` asked for is kept for ``signals``.
    """

    def __init__(
        self, address: str, *, timeout_s: float = _TIMEOUT_S, takes_descriptors: bool = False
    ) -> None:
        self._address = address
        self.timeout_s = timeout_s
        self._takes_descriptors = takes_descriptors
        self._descriptors: list[int] = []
        self._closer = DescriptorCloser()
        self._until_s = 0.0
        self._socket: socket.socket | None = None
        self._serial = 0
        self._signals: deque[BusMessage] = deque(maxlen=_MOST_SIGNALS)
        self._is_given_up = False

    def call(
        self,
        destination: str,
        path: str,
        member: tuple[str, str],
        signature: str = "",
        arguments: tuple[Any, ...] = (),
        *,
        gives: str | None = None,
    ) -> list[Any]:
        """The values of the answer; ``member`` is (interface, method).

        Raises ``BusCallError``, also for an answer of another signature than ``gives``.
        """
        self._until_s = time.monotonic() + self.timeout_s
        try:
            if self._socket is None:
                self._connect()
            answer = self._ask(destination, path, member, signature, arguments)
            return self._values(answer, gives)
        except (OSError, WireError) as error:
            # Of half a message nobody knows where the next one begins: the next call connects
            # anew.
            self.close()
            raise _silent(error) from None

    def signals(self) -> list[BusMessage]:
        """What arrived since the last look; waits only for the rest of what has begun to come.

        Raises ``BusCallError`` when the bus has gone.
        """
        self._until_s = time.monotonic() + self.timeout_s
        try:
            for _ in range(_MOST_SIGNALS):
                if self._socket is None or not _is_readable(self._socket):
                    break
                self._keep(BusMessage(self._message()))
        except (OSError, WireError) as error:
            self.close()
            raise _silent(error) from None
        signals = list(self._signals)
        self._signals.clear()
        return signals

    def wait(self, timeout_s: float) -> bool:
        """Whether something came, or the bus went, within this time; ``give_up`` ends it, too."""
        return self._socket is not None and _is_readable(self._socket, timeout_s)

    def give_up(self) -> None:
        """From another thread: the call that waits fails at once, and so does every later one."""
        self._is_given_up = True
        connection = self._socket
        if connection is not None:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self._signals.clear()
        if self._socket is not None:
            if self._takes_descriptors and _has_more(self._socket):
                # Descriptors in it that nobody has read are closed with it, and that may wait.
                self._closer.close((self._socket.detach(),))
            with suppress(OSError):
                self._socket.close()
            self._socket = None
        self._drop_descriptors()

    def _connect(self) -> None:
        target = socket_path(self._address)
        if not target:
            raise WireError(f"{self._address[:80]!r} names no socket of this computer")
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket = connection
        connection.settimeout(self._left_s())
        connection.connect(target)
        if self._is_given_up:  # asked for behind the connection: before, nothing was there to end
            raise WireError("nobody waits for it any more")
        identity = str(os.getuid()).encode().hex()
        connection.sendall(f"\0AUTH EXTERNAL {identity}\r\n".encode())
        if not self._line().startswith(b"OK "):
            raise WireError("it does not accept this user")
        if self._takes_descriptors:
            connection.sendall(b"NEGOTIATE_UNIX_FD\r\n")
            if not self._line().startswith(b"AGREE_UNIX_FD"):
                raise WireError("it passes no descriptors")
        connection.sendall(b"BEGIN\r\n")
        self._ask(*BUS, ("org.freedesktop.DBus", "Hello"), "", ())

    def _ask(
        self,
        destination: str,
        path: str,
        member: tuple[str, str],
        signature: str,
        arguments: tuple[Any, ...],
    ) -> BusMessage:
        assert self._socket is not None  # noqa: S101  set by the caller
        self._serial += 1
        data = method_call(self._serial, destination, path, member, signature, arguments)
        self._socket.settimeout(self._left_s())
        self._socket.sendall(data)
        while True:
            answer = BusMessage(self._message())
            if answer.reply_to != self._serial:
                self._keep(answer)
                continue
            if answer.kind == ERROR:
                said = f"{answer.error}: {' '.join(map(str, answer.values))}"
                error = BusCallError(told(said))
                error.name, error.values = answer.error, tuple(answer.values)
                self._drop_descriptors()
                raise error
            if answer.kind == METHOD_RETURN:
                return answer

    def _keep(self, message: BusMessage) -> None:
        """Nobody waits for it; a signal is kept without what came with it."""
        self._drop_descriptors()
        if message.kind == SIGNAL:
            self._signals.append(message)

    def _values(self, answer: BusMessage, gives: str | None) -> list[Any]:
        """The values, with descriptors in the place of their numbers in the message."""
        if gives not in (None, answer.signature):
            raise WireError("it has another form than was asked for")
        if not self._takes_descriptors:
            return answer.values
        if len(self._descriptors) != answer.descriptors:
            raise WireError("the descriptors of a message are missing")
        values = answer.values_with(self._descriptors)
        self._descriptors = []
        return values

    def _drop_descriptors(self) -> None:
        self._closer.close(self._descriptors)
        self._descriptors = []

    def _message(self) -> bytes:
        head = self._exactly(FIXED_HEADER)
        return head + self._exactly(message_length(head) - FIXED_HEADER)

    def _exactly(self, count: int) -> bytes:
        assert self._socket is not None  # noqa: S101  set by the caller
        parts = bytearray()
        while len(parts) < count:
            part = self._receive(count - len(parts))
            if not part:
                raise WireError("the bus closed the connection")
            parts += part
        return bytes(parts)

    def _receive(self, count: int) -> bytes:
        assert self._socket is not None  # noqa: S101  set by the caller
        # What is left, not the whole time anew: a signal each half second, which any program may
        # send, kept a call of one second waiting for more than 45 s.
        self._socket.settimeout(self._left_s())
        if not self._takes_descriptors:
            return self._socket.recv(count)
        if self._closer.is_behind:
            raise WireError("somebody sends descriptors that nobody asked for")
        data, more, _flags, _from = socket.recv_fds(self._socket, count, _MOST_DESCRIPTORS)
        self._descriptors += more
        return data

    def _left_s(self) -> float:
        left_s = self._until_s - time.monotonic()
        if left_s <= 0:
            raise TimeoutError("timed out")
        return left_s

    def _line(self) -> bytes:
        line = bytearray()
        while not line.endswith(b"\r\n"):
            line += self._exactly(1)
            if len(line) > _MAX_LINE:
                raise WireError("no answer to the greeting")
        return bytes(line)


def _silent(error: OSError | WireError) -> BusCallError:
    """What breaks the protocol of D-Bus is told as it is: it has no words for players."""
    if isinstance(error, FileNotFoundError | ConnectionRefusedError):
        return BusCallError(Statement("core.no_bus"))
    why = system_reason(error) if isinstance(error, OSError) else told(str(error))
    return BusCallError(Statement("core.bus_silent", {"reason": why}))


def _is_readable(connection: socket.socket, timeout_s: float = 0.0) -> bool:
    poll = select.poll()
    poll.register(connection, select.POLLIN)
    return bool(poll.poll(1000 * timeout_s))


def _has_more(connection: socket.socket) -> bool:
    """Whether something lies in it unread. Ends it, so that nothing comes after the look."""
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
        connection.settimeout(0)
        return bool(connection.recv(1, socket.MSG_PEEK))
    return False


def socket_path(address: str) -> str:
    """Where a bus listens, for ``connect``; an abstract name begins with NUL. Empty where the
    address has no socket of this computer."""
    for part in address.split(";"):
        transport, _, options = part.partition(":")
        values = dict(each.partition("=")[::2] for each in options.split(","))
        if transport == "unix" and "path" in values:
            return unquote(values["path"])
        if transport == "unix" and "abstract" in values:
            return "\0" + unquote(values["abstract"])
    return ""
