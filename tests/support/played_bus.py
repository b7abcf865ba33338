# SPDX-License-Identifier: GPL-3.0-or-later
"""A bus of one connection that says whatever a test likes, and sockets whose closing waits."""

import os
import socket
import struct
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

from destutter.core.bus_wire import FIXED_HEADER, Variant, Writer, message_length

RETURN, SIGNAL = 2, 4
_REPLY_TO, _SIGNATURE, _FDS = 5, 8, 9
LINGER_S = 60  # more than any test waits

Script = Callable[[socket.socket, int], None]
"""What the bus does after a call, with the connection and the number of the call."""


def message(kind: int, reply_to: int, signature: str, value: Any, descriptors: int = 0) -> bytes:
    """The bytes of an answer or a signal with one value."""
    body, head = Writer(), Writer()
    body.write(signature, value)
    head.data += struct.pack("<cBBBII", b"l", kind, 0, 1, len(body.data), 1)
    fields = [(_SIGNATURE, Variant("g", signature)), (_FDS, Variant("u", descriptors))]
    head.write("a(yv)", [(_REPLY_TO, Variant("u", reply_to)), *fields])
    head.align(8)
    return bytes(head.data + body.data)


def send_signal(connection: socket.socket, descriptors: Sequence[int] = ()) -> None:
    """One that nobody asked for. Closes the descriptors, before the other side has all of it:
    else the last copy might be the one here, and this be what waits."""
    data = message(SIGNAL, 0, "s", "unasked", len(descriptors))
    socket.send_fds(connection, [data[:1]], list(descriptors))
    for descriptor in set(descriptors):
        os.close(descriptor)
    connection.sendall(data[1:])


@contextmanager
def played_bus(folder: Path, script: Script) -> Iterator[str]:
    """Greets, and plays the script for the first call; its address. Ends with its caller."""
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(folder / "bus"))
        listening.listen()
        listening.settimeout(10)
        thread = threading.Thread(target=_serve, args=(listening, script))
        thread.start()
        yield f"unix:path={folder}/bus"
        thread.join()


def _serve(listening: socket.socket, script: Script) -> None:
    connection, _ = listening.accept()
    with connection, connection.makefile("rb") as stream, suppress(ConnectionError):
        stream.readline()
        connection.sendall(b"OK 1\r\n")
        if stream.readline().startswith(b"NEGOTIATE"):
            connection.sendall(b"AGREE_UNIX_FD\r\n")
            stream.readline()
        connection.sendall(message(RETURN, _call(stream), "s", ":1.1"))
        script(connection, _call(stream))
        stream.read(1)  # until the other side leaves


def _call(stream: BinaryIO) -> int:
    head = stream.read(FIXED_HEADER)
    stream.read(message_length(head) - FIXED_HEADER)
    return int(struct.unpack_from("<I", head, 8)[0])


class Lingering:
    """Sockets with bytes that their other side never takes: closing the last copy waits."""

    def __init__(self) -> None:
        self._others: list[socket.socket] = []

    def make(self) -> socket.socket:
        """One that waits unless its lingering is turned off."""
        with socket.create_server(("127.0.0.1", 0)) as listening:
            sending = socket.create_connection(listening.getsockname())
            self._others.append(listening.accept()[0])
        sending.setblocking(False)
        with suppress(BlockingIOError):
            while True:
                sending.send(bytes(1 << 16))
        linger = struct.pack("ii", 1, LINGER_S)
        sending.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        return sending

    def make_hidden(self) -> socket.socket:
        """One that does not linger itself: in its queue lies the last copy of one that does."""
        near, far = socket.socketpair()
        self._others.append(near)
        with self.make() as sending:
            socket.send_fds(near, [b"x"], [sending.fileno()])
        return far

    def end(self) -> None:
        """Let go of whatever waits."""
        for other in self._others:
            other.close()
