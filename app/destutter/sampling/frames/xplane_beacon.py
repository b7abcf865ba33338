# SPDX-License-Identifier: GPL-3.0-or-later
"""Finding an X-Plane by the beacon that it sends to a multicast group once a second."""

import socket
import struct
import time

from destutter.core.sample import Frames
from destutter.core.statement import Statement
from destutter.core.system_error import system_reason
from destutter.sampling.frames.xplane import (
    BEACON_GROUP,
    BEACON_PORT,
    Beacon,
    XPlaneError,
    XPlaneFrames,
    parse_beacon,
)

_SILENT_S = 10.0  # a flight that loads is silent, too: two X-Planes must not take turns
_MOST_PACKETS = 64  # in one look: anybody in the network may send to the group without an end


class BeaconListener:
    """Hears beacons. Raises ``XPlaneError`` when the group cannot be joined."""

    def __init__(self, port: int = BEACON_PORT) -> None:
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC)
        self._socket.setblocking(False)  # noqa: FBT003  the standard library's signature
        try:
            # Others may listen, too.
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            self._socket.bind((BEACON_GROUP, port))
            self._join()
        except OSError as error:
            self._socket.close()
            raise XPlaneError(
                Statement("sampling.no_beacon", {"reason": system_reason(error)})
            ) from error

    def newest(self) -> Beacon | None:
        """The last beacon since the call before; None when none came."""
        found = None
        for _ in range(_MOST_PACKETS):
            try:
                packet, (host, _port) = self._socket.recvfrom(2048)
            except BlockingIOError:
                break
            found = parse_beacon(packet, host) or found
        return found

    def close(self) -> None:
        self._socket.close()

    def _join(self) -> None:
        """Join on the usual network and on loopback; one of them is enough."""
        refused: OSError | None = None
        joined = 0
        for interface in ("0.0.0.0", "127.0.0.1"):  # noqa: S104  membership, not an open port
            request = struct.pack(
                "4s4s", socket.inet_aton(BEACON_GROUP), socket.inet_aton(interface)
            )
            try:
                self._socket.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, request)
                joined += 1
            except OSError as error:
                refused = error
        if refused is not None and not joined:
            raise refused


class XPlaneByBeacon:
    """Frames of whichever X-Plane makes itself heard; follows it to another port or computer."""

    def __init__(self, port: int = BEACON_PORT) -> None:
        self._listener = BeaconListener(port)
        self._beacon: Beacon | None = None
        self._source: XPlaneFrames | None = None
        self._heard_at = 0.0

    def read_new(self) -> Frames | None:
        """Frames since the last call; None without any. Raises ``XPlaneError``."""
        frames = None if self._source is None else self._source.read_new()
        if frames is not None:
            self._heard_at = time.monotonic()
        return frames

    @property
    def is_paused(self) -> bool:
        """Whether the flight of the one that is heard is paused."""
        return self._source is not None and self._source.is_paused

    def refresh(self) -> None:
        """Change to another X-Plane when the present one is silent. Raises ``XPlaneError``."""
        beacon = self._listener.newest()
        is_silent = time.monotonic() - self._heard_at > _SILENT_S
        if beacon is None or beacon == self._beacon or not is_silent:
            return
        source = XPlaneFrames(beacon.host, beacon.port)
        if self._source is not None:
            self._source.close()
        self._source, self._beacon = source, beacon
        self._heard_at = time.monotonic()

    def close(self) -> None:
        if self._source is not None:
            self._source.close()
        self._listener.close()
