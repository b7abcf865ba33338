# SPDX-License-Identifier: GPL-3.0-or-later
"""What strangers send to the helper: messages of any kind, well formed for the bus or not.

Standard library only: a bus library would refuse to write most of it. Whoever the bus throws out
for a message comes back.
"""

import os
import random
import socket
import struct
from contextlib import suppress

from destutter_helper.api.methods import METHODS
from tests.support.tiny_messages import (
    BUS,
    DESTINATION,
    DRIVER,
    HELPER,
    INTERFACE,
    MEMBER,
    NO_REPLY,
    OBJECT,
    PATH,
    connect,
    padded,
)

ERROR_NAME, REPLY_SERIAL, SIGNATURE, UNIX_FDS = 4, 5, 8, 9
CALL, RETURN, ERROR, SIGNAL = 1, 2, 3, 4
MOST_DESCRIPTORS = 16
_SIGNATURES = ("", "s", "sib", "si", "ssb", "sb", "ss", "a(ss)", "a{sv}", "h", "v", "ay", "u", "x")
_PATHS = (OBJECT, "/", BUS, "/org/freedesktop/DBus/Local", "/a/b/c")
_MEMBERS = tuple(member for _interface, member in METHODS)
_SIGNALS = (
    (DRIVER, "NameOwnerChanged"),
    (DRIVER, "NameAcquired"),
    ("org.freedesktop.login1.Manager", "PrepareForSleep"),
    ("org.freedesktop.PolicyKit1.Authority", "Changed"),
    ("net.hadess.PowerProfiles", "ProfileReleased"),
)


class Strangers:
    """Some connections, and one source of chance."""

    def __init__(self, path: str, chance: random.Random, count: int = 4) -> None:
        self._path = path
        self._chance = chance
        self._links: list[socket.socket | None] = [None] * count
        self.sent = 0
        self.thrown_out = 0

    def send(self, count: int) -> None:
        """Send so many messages, from whoever is at it."""
        for _ in range(count):
            number = self._chance.randrange(len(self._links))
            data, descriptors = self._message()
            try:
                link = self._links[number] = self._links[number] or self._greet()
                with open(os.devnull, "rb") as file:
                    socket.send_fds(link, [data], [file.fileno()] * descriptors)
                self.sent += 1
                self._listen(link)
            except OSError:
                self._leave(number)

    def close(self) -> None:
        """Leave the bus."""
        for number in range(len(self._links)):
            self._leave(number)

    def _greet(self) -> socket.socket:
        link = connect(self._path)
        link.setblocking(False)
        return link

    def _leave(self, number: int) -> None:
        link, self._links[number] = self._links[number], None
        if link is not None:
            self.thrown_out += 1
            link.close()

    def _listen(self, link: socket.socket) -> None:
        """Take what came, so that the bus need not keep it; now and then nobody listens."""
        if self._chance.random() < 0.1:
            return
        with suppress(BlockingIOError):
            while data := link.recv(1 << 16):
                del data

    def _message(self) -> tuple[bytes, int]:
        """One message, and how many descriptors go with it."""
        chance = self._chance
        kind = chance.choices((CALL, SIGNAL, ERROR, RETURN), (12, 4, 1, 1))[0]
        signature = chance.choice(_SIGNATURES)
        body = self._body(signature) if signature else b""
        fields: dict[int, str | int] = {DESTINATION: HELPER}
        if kind == CALL:
            fields |= {PATH: chance.choice(_PATHS), MEMBER: chance.choice(_MEMBERS)}
            if chance.random() < 0.8:
                fields[PATH], fields[INTERFACE] = OBJECT, HELPER
        elif kind == SIGNAL:
            interface, member = chance.choice(_SIGNALS)
            fields |= {PATH: chance.choice(_PATHS), INTERFACE: interface, MEMBER: member}
        else:
            fields[REPLY_SERIAL] = chance.randrange(1, 200)
            if kind == ERROR:
                fields[ERROR_NAME] = "org.freedesktop.DBus.Error.NoReply"
        if signature:
            fields[SIGNATURE] = signature
        descriptors = chance.randrange(1, MOST_DESCRIPTORS + 1) if chance.random() < 0.05 else 0
        if descriptors:
            fields[UNIX_FDS] = descriptors
        data = _wire(kind, NO_REPLY * chance.randrange(2), fields, body)
        if chance.random() < 0.02:
            at = chance.randrange(len(data))
            data = data[:at] + chance.randbytes(4) + data[at + 4 :]
        return data, descriptors

    def _body(self, signature: str) -> bytes:
        """Values of the signature, or (rarely, for it costs the connection) any bytes."""
        if self._chance.random() < 0.05:
            return self._chance.randbytes(self._chance.randrange(200))
        body = b""
        for kind in signature if set(signature) <= set("sibuxh") else "":
            if kind == "s":
                body = padded(body, 4)
                text = self._text()
                body += struct.pack("<I", len(text)) + text + b"\0"
            elif kind == "x":
                body = padded(body, 8) + self._chance.randbytes(8)
            else:
                value = self._chance.choice((0, 1, 5, 30, 2**31 - 1))
                body = padded(body, 4) + struct.pack("<I", value & 1 if kind == "b" else value)
        empty = {"a(ss)": bytes(8), "a{sv}": bytes(8), "ay": bytes(4), "v": b"\1s\0\0" + bytes(5)}
        return body or empty.get(signature, bytes(8))

    def _text(self) -> bytes:
        chance = self._chance
        texts = (
            b"",
            b"{}",
            b'{"changes":[{"id":"vm.swappiness","value":"10"}]}',
            b'{"ids":["vm.swappiness"],"force":["vm.swappiness"]}',
            b"restart",
            b"always",
            b"[" * chance.randrange(1, 3000),
            b'{"changes":[' * chance.randrange(1, 500),
        )
        return chance.choice(texts)


def _wire(kind: int, flags: int, fields: dict[int, str | int], body: bytes) -> bytes:
    """A message of the D-Bus specification: little endian, protocol version 1, serial 2."""
    array = b""
    for code, value in fields.items():
        array = padded(array, 8)
        if isinstance(value, int):
            array = array + bytes([code, 1]) + b"u\0" + struct.pack("<I", value)
        elif code == SIGNATURE:
            text = value.encode()
            array += bytes([code, 1]) + b"g\0" + bytes([len(text)]) + text + b"\0"
        else:
            text = value.encode()
            array += bytes([code, 1]) + (b"o" if code == PATH else b"s") + b"\0"
            array += struct.pack("<I", len(text)) + text + b"\0"
    head = struct.pack("<cBBBIII", b"l", kind, flags, 1, len(body), 2, len(array))
    return padded(head + array, 8) + body
