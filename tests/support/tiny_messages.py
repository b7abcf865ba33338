# SPDX-License-Identifier: GPL-3.0-or-later
"""A stranger who sends as many small messages as the bus takes: SOCKET MEMBER MB.

Standard library only and without a bus library, so that it is never the slower side. The calls
want no reply; the bus limits only those that do.
"""

import os
import socket
import struct
import sys

METHOD_CALL, NO_REPLY = 1, 1
HELPER, OBJECT = "io.github.destutter.Helper1", "/io/github/destutter/Helper1"
DRIVER, BUS = "org.freedesktop.DBus", "/org/freedesktop/DBus"
PATH, INTERFACE, MEMBER, DESTINATION = 1, 2, 3, 6  # header fields of the D-Bus specification


def padded(data: bytes, size: int) -> bytes:
    """Fill up to a multiple of a size."""
    return data + bytes(-len(data) % size)


def message(flags: int, fields: dict[int, str]) -> bytes:
    """Return a call without arguments on the wire (little endian, protocol version 1)."""
    array = b""
    for code, text in fields.items():
        kind = b"o" if code == PATH else b"s"
        array = padded(array, 8) + bytes([code, 1]) + kind + b"\0"
        array = padded(array, 4) + struct.pack("<I", len(text)) + text.encode() + b"\0"
    head = struct.pack("<cBBBIII", b"l", METHOD_CALL, flags, 1, 0, 2, len(array))
    return padded(head + array, 8)


def call(member: str) -> bytes:
    """Return a call of a method of the helper that wants no reply."""
    fields = {PATH: OBJECT, INTERFACE: HELPER, MEMBER: member, DESTINATION: HELPER}
    return message(NO_REPLY, fields)


def connect(path: str) -> socket.socket:
    """Return a connection to the bus, after its greeting."""
    link = socket.socket(socket.AF_UNIX)
    link.connect(path)
    identity = str(os.getuid()).encode().hex().encode()
    link.sendall(b"\0AUTH EXTERNAL " + identity + b"\r\n")
    link.recv(1000)
    link.sendall(b"BEGIN\r\n")
    hello = {PATH: BUS, INTERFACE: DRIVER, MEMBER: "Hello", DESTINATION: DRIVER}
    link.sendall(message(0, hello))
    link.recv(4000)
    return link


def main(arguments: list[str]) -> None:
    """Send, then stay until stdin ends: the bus forgets what a connection that leaves has sent."""
    path, member, megabytes = arguments
    block = call(member) * 500
    link = connect(path)
    for _ in range(int(float(megabytes) * 1e6) // len(block)):
        link.sendall(block)
    sys.stdout.write("sent\n")
    sys.stdout.flush()
    sys.stdin.read()
    link.close()


if __name__ == "__main__":
    main(sys.argv[1:])
