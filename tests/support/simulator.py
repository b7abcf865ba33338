# SPDX-License-Identifier: GPL-3.0-or-later
"""A socket that answers as X-Plane does."""

import socket
import struct


class Simulator:
    """A socket that receives subscriptions and sends frames back."""

    def __init__(self) -> None:
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))
        self.socket.settimeout(5)
        self.port: int = self.socket.getsockname()[1]
        self.client: tuple[str, int] = ("", 0)

    def requests(self, count: int) -> list[tuple[int, int, str]]:
        """Rate, index and dataref of the next subscriptions."""
        found = []
        for _ in range(count):
            packet, self.client = self.socket.recvfrom(1024)
            assert len(packet) == 413
            assert packet[:5] == b"RREF\0"
            rate, index, name = struct.unpack("<ii400s", packet[5:])
            found.append((rate, index, name.rstrip(b"\0").decode()))
        return found

    def send(self, *pairs: tuple[int, float]) -> None:
        """One answer with index and value pairs."""
        body = b"".join(struct.pack("<if", *pair) for pair in pairs)
        self.socket.sendto(b"RREF," + body, self.client)
