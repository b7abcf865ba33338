# SPDX-License-Identifier: GPL-3.0-or-later
"""A socket that answers as X-Plane does."""

import select
import socket
import struct
import time
from typing import Self

from destutter.sampling.frames.xplane import XPlaneFrames
from destutter.sampling.frames.xplane_beacon import XPlaneByBeacon

PATIENCE_S = 10.0
_TIMESTAMP = 35  # SO_TIMESTAMPNS
_TIMESPEC = struct.Struct("ll")


class Simulator:
    """A socket that receives subscriptions and sends frames back.

    While there is one, the kernel stamps every packet of this computer as it arrives.
    """

    def __init__(self) -> None:
        self._stamping = stamping_socket()
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))
        self.socket.settimeout(5)
        self.port: int = self.socket.getsockname()[1]
        self.client: tuple[str, int] = ("", 0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Give the sockets back."""
        self.socket.close()
        self._stamping.close()

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


def stamping_socket() -> socket.socket:
    """A socket for whose sake the kernel stamps packets as they arrive.

    The kernel begins with it a little after the first socket asked (net/core/dev.c,
    ``net_enable_timestamp``); until then a packet has the time at which it was read.
    """
    receiver = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    receiver.setsockopt(socket.SOL_SOCKET, _TIMESTAMP, 1)
    receiver.bind(("127.0.0.1", 0))
    give_up = time.monotonic() + PATIENCE_S
    while time.monotonic() < give_up:
        receiver.sendto(b"now", receiver.getsockname())
        arrived(receiver)
        time.sleep(0.001)
        read_ns = time.time_ns()
        _packet, ancillary, _flags, _sender = receiver.recvmsg(16, 64)
        seconds, nanoseconds = _TIMESPEC.unpack_from(ancillary[0][2])
        if seconds * 1_000_000_000 + nanoseconds < read_ns:
            return receiver
    receiver.close()
    raise AssertionError("the kernel stamps no packet")


def arrived(receiver: socket.socket) -> None:
    """Wait for the next packet: loopback is not always at once."""
    assert select.select([receiver], [], [], PATIENCE_S)[0]


def frames_read(source: XPlaneFrames | XPlaneByBeacon, count: int) -> list[int]:
    """Read until so many frames are there; their lengths in microseconds."""
    lengths: list[int] = []
    give_up = time.monotonic() + PATIENCE_S
    while len(lengths) < count and time.monotonic() < give_up:
        frames = source.read_new()
        lengths += frames.frame_us if frames is not None else ()
        time.sleep(0.001)
    return lengths
