# SPDX-License-Identifier: GPL-3.0-or-later
"""Which programs asked GameMode to be treated as a game (com.feralinteractive.GameMode).

GameMode's daemon is asked only where it runs already: a call by its name would start it. Its
signals GameRegistered and GameUnregistered keep the list up to date. The wire format is that of
the D-Bus Specification; the sampler's process loads no library for these four messages.
"""

import os
import socket
import struct
from collections.abc import Iterator
from typing import NamedTuple

from destutter.core.bus_caller import socket_path

_NAME = "com.feralinteractive.GameMode"
_PATH = "/com/feralinteractive/GameMode"
_BUS, _BUS_PATH = "org.freedesktop.DBus", "/org/freedesktop/DBus"
_CALL, _RETURN, _ERROR, _SIGNAL = 1, 2, 3, 4
_MEMBER, _REPLY_SERIAL, _INTERFACE = 3, 5, 2
_HEAD = 16
_MOST_BYTES = 1 << 20
_TIMEOUT_S = 1.0
_TRIES_APART = 6


class GameModeError(Exception):
    """The bus cannot be used, in words."""


class Message(NamedTuple):
    """A message that arrived: type, fields of its header by number, and its body."""

    kind: int
    fields: dict[int, str | int]
    body: bytes


class GameModeWatch:
    """The processes that are registered. ``address`` is that of the session bus.

    Used from one thread, which may wait a second for the bus. ``problem`` says in words why
    nothing is known; empty where the bus answers, or where there is none.
    """

    def __init__(self, address: str) -> None:
        self._path = socket_path(address)
        self._socket: socket.socket | None = None
        self._rest = b""
        self._serial = 0
        self._registered: set[int] = set()
        self._wait = 0
        self.problem = ""

    def pids(self) -> frozenset[int]:
        """The processes that are registered now."""
        if not self._path:
            return frozenset()
        if self._socket is None and self._wait > 0:
            self._wait -= 1
            return frozenset()
        try:
            if self._socket is None:
                self._connect()
            for message in self._arrived():
                self._note(message)
        except (OSError, GameModeError, struct.error, IndexError) as error:
            self.problem = f"GameMode cannot be asked: {error}"
            self.close()
            self._wait = _TRIES_APART
        return frozenset(self._registered)

    def close(self) -> None:
        """Leave the bus."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None
        self._rest = b""
        self._registered.clear()

    def _connect(self) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC)
        self._socket.settimeout(_TIMEOUT_S)
        self._socket.connect(self._path)
        identity = str(os.getuid()).encode().hex().encode()
        self._socket.sendall(b"\0AUTH EXTERNAL " + identity + b"\r\n")
        if not self._socket.recv(256).startswith(b"OK "):
            raise GameModeError("the bus refused us")
        self._socket.sendall(b"BEGIN\r\n")
        self._ask(_BUS, _BUS_PATH, _BUS, "Hello")
        for rule in (
            f"type='signal',interface='{_NAME}',path='{_PATH}'",
            f"type='signal',sender='{_BUS}',member='NameOwnerChanged',arg0='{_NAME}'",
        ):
            self._ask(_BUS, _BUS_PATH, _BUS, "AddMatch", rule)
        answer = self._ask(_BUS, _BUS_PATH, _BUS, "NameHasOwner", _NAME)
        if answer.body[:4] != bytes(4):
            self._list()
        self.problem = ""

    def _list(self) -> None:
        """Ask for those that registered before we listened."""
        answer = self._ask(_NAME, _PATH, _NAME, "ListGames")
        self._registered = set(_listed(answer.body))

    def _note(self, message: Message) -> None:
        if message.kind != _SIGNAL:
            return
        member = message.fields.get(_MEMBER)
        if message.fields.get(_INTERFACE) == _BUS:
            if member == "NameOwnerChanged":
                self._registered.clear()
        elif member == "GameRegistered":
            self._registered.add(*struct.unpack_from("<i", message.body))
        elif member == "GameUnregistered":
            self._registered.discard(*struct.unpack_from("<i", message.body))

    def _ask(self, name: str, path: str, interface: str, member: str, text: str = "") -> Message:
        """Call a method and wait for its answer; signals that come before it are noted."""
        if self._socket is None:
            raise GameModeError("not connected")
        self._serial += 1
        self._socket.sendall(method_call(self._serial, (name, path, interface, member), text))
        while True:
            for message in self._messages():
                if message.fields.get(_REPLY_SERIAL) != self._serial:
                    self._note(message)
                    continue
                if message.kind == _ERROR:
                    raise GameModeError(f"{member} was refused")
                return message
            self._receive()

    def _arrived(self) -> Iterator[Message]:
        """What came since the last look, without waiting."""
        if self._socket is None:
            return
        self._socket.settimeout(0)
        try:
            while True:
                self._receive()
        except BlockingIOError:
            yield from self._messages()
        finally:
            if self._socket is not None:
                self._socket.settimeout(_TIMEOUT_S)

    def _receive(self) -> None:
        if self._socket is None:
            raise GameModeError("not connected")
        data = self._socket.recv(1 << 16)
        if not data:
            raise GameModeError("the bus hung up")
        self._rest += data
        if len(self._rest) > 2 * _MOST_BYTES:
            raise GameModeError("the bus sent too much")

    def _messages(self) -> Iterator[Message]:
        """The whole messages of what was received, each taken away before it is handed out."""
        while (length := message_length(self._rest)) is not None:
            data, self._rest = self._rest[:length], self._rest[length:]
            yield parse_message(data)


def method_call(serial: int, target: tuple[str, str, str, str], text: str = "") -> bytes:
    """A call of (name, path, interface, method) with one text or nothing as its argument."""
    name, path, interface, member = target
    fields = b""
    for code, kind, value in (
        (1, b"o", path),
        (2, b"s", interface),
        (3, b"s", member),
        (6, b"s", name),
    ):
        fields = _aligned(fields, 8) + bytes((code, 1)) + kind + b"\0"
        fields = _aligned(fields, 4) + _text(value)
    body = b""
    if text:
        fields = _aligned(fields, 8) + b"\x08\x01g\x00\x01s\x00"
        body = _text(text)
    head = struct.pack("<BBBBIII", ord("l"), _CALL, 0, 1, len(body), serial, len(fields))
    return _aligned(head + fields, 8) + body


def message_length(data: bytes) -> int | None:
    """How long the message is that ``data`` begins with; None while not all of it is there.

    Raises ``GameModeError`` for what cannot be a message.
    """
    if len(data) < _HEAD:
        return None
    if data[:1] not in (b"l", b"B") or data[3] != 1:
        raise GameModeError("the bus sent no message")
    order = "<" if data[:1] == b"l" else ">"
    body, _, fields = struct.unpack_from(f"{order}III", data, 4)
    length = _HEAD + (int(fields) + 7) // 8 * 8 + int(body)
    if length > _MOST_BYTES:
        raise GameModeError("the bus sent too long a message")
    return length if len(data) >= length else None


def parse_message(data: bytes) -> Message:
    """A whole message. Raises ``GameModeError`` for one that makes no sense."""
    if data[:1] != b"l":
        raise GameModeError("the bus has another byte order")
    (size,) = struct.unpack_from("<I", data, 12)
    fields: dict[int, str | int] = {}
    at, end = _HEAD, _HEAD + size
    while at < end:
        at = (at + 7) // 8 * 8
        code = data[at]
        signature = data[at + 2 : at + 2 + data[at + 1]]
        at = at + 3 + data[at + 1]
        if signature == b"g":
            at += 2 + data[at]
            continue
        at = (at + 3) // 4 * 4
        (number,) = struct.unpack_from("<I", data, at)
        at += 4
        if signature == b"u":
            fields[code] = number
        elif signature in (b"s", b"o"):
            fields[code] = data[at : at + number].decode("utf-8", "replace")
            at += number + 1
        else:
            raise GameModeError("the bus sent an unknown field")
    return Message(data[1], fields, data[(end + 7) // 8 * 8 :])


def _listed(body: bytes) -> Iterator[int]:
    """The process numbers of an array of (number, object path)."""
    (size,) = struct.unpack_from("<I", body)
    at, end = 8, 8 + size
    while at < end:
        at = (at + 7) // 8 * 8
        pid, length = struct.unpack_from("<iI", body, at)
        yield pid
        at += 8 + length + 1


def _aligned(data: bytes, step: int) -> bytes:
    return data + bytes(-len(data) % step)


def _text(value: str) -> bytes:
    data = value.encode()
    return struct.pack("<I", len(data)) + data + b"\0"
