# SPDX-License-Identifier: GPL-3.0-or-later
"""Frame times from X-Plane over its own UDP interface; nothing is injected into the simulator.

X-Plane answers a subscription (RREF) with one packet per rendered frame at most. The packet's
arrival is the heartbeat of the main loop: a gap is a frame that took that long, whatever the
value inside has been smoothed to; only of one in which the subscription may have been forgotten
the value has the last word. Formats: X-Plane's own documentation "Exchanging data with
X-Plane" (RREF, 413 bytes, little endian) and the multicast beacon BECN.
"""

import contextlib
import errno
import ipaddress
import math
import socket
import struct
import time
from dataclasses import dataclass

from destutter.core.sample import Frames
from destutter.core.statement import Statement, StatementError, Value
from destutter.core.system_error import system_reason

BEACON_GROUP = "239.255.1.1"
BEACON_PORT = 49707
DEFAULT_PORT = 49000

_SUBSCRIBE = struct.Struct("<4sxii400s")
_PAIR = struct.Struct("<if")
_RATE_HZ = 250  # above any frame rate, so that every frame sends a packet
_DATAREFS = (
    b"sim/operation/misc/frame_rate_period",
    b"sim/time/paused",
)
_FRAME_INDEX = 0
_PAUSED_INDEX = 1
_TIMESTAMP = 35  # SO_TIMESTAMPNS: when the packet reached this computer, from the kernel
_TIMESPEC = struct.Struct("ll")
_RESUBSCRIBE_S = 5.0  # sooner, a flight that loads is asked all the time; later, frames are lost
_LONGEST_S = 60.0  # a longer gap is a flight that was loaded, not a frame
_SILENT_S = _RESUBSCRIBE_S  # from here on the subscription may have been forgotten
_USUAL_PERIODS = 2.0  # what it tells of its frames behind a long one, however smoothed, is more
_SHORT_NS = 100_000  # between looks at two clocks: less is no error beside a frame
_MOST_PACKETS = 1000  # in a tick; 25 are usual, and anybody may send more than can be read


class XPlaneError(StatementError):
    """X-Plane cannot be reached, in words."""


@dataclass(frozen=True, slots=True)
class Beacon:
    """Where an X-Plane said that it listens."""

    host: str
    port: int
    computer: str


def parse_beacon(packet: bytes, sender: str) -> Beacon | None:
    """The beacon in a packet; None for anything else, such as another version or a remote.

    Layout: "BECN\\0", bytes major and minor version, int32 application (1 is X-Plane), int32
    version, uint32 role (1 is the master), uint16 port, then the computer's name.
    """
    if len(packet) < 21 or packet[:5] != b"BECN\0":
        return None
    major, _minor, application, _version, role, port = struct.unpack_from("<BBiiIH", packet, 5)
    if major != 1 or application != 1 or role != 1 or port == 0:
        return None
    name = packet[21:].split(b"\0", 1)[0].decode("utf-8", "replace")
    return Beacon(sender, port, name)


def parse_values(packet: bytes) -> dict[int, float] | None:
    """Index and value pairs of an RREF answer; None for anything else.

    The fifth byte differs between versions and says nothing.
    """
    if len(packet) < 5 or packet[:4] != b"RREF" or (len(packet) - 5) % _PAIR.size:
        return None
    return dict(_PAIR.iter_unpack(packet[5:]))


class XPlaneFrames:
    """Subscribes to one X-Plane and turns the arrival of its packets into frames.

    Packets from any other address are ignored. X-Plane forgets subscriptions when it loads
    another flight; silence therefore leads to a new subscription. ``peer``: its host and
    port. ``has_answered``: a value came, be it of a flight that is paused.
    """

    def __init__(self, host: str = "127.0.0.1", port: int = DEFAULT_PORT) -> None:
        self.has_answered = False
        self.peer = (address_of(host), port)
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC)
        self._socket.setblocking(False)  # noqa: FBT003  the standard library's signature
        self._socket.setsockopt(socket.SOL_SOCKET, _TIMESTAMP, 1)
        self._last_ns: int | None = None
        self._asked_at = 0.0
        self._is_paused = False
        self._period_s = math.nan
        try:
            self._socket.bind(("", 0))
            self.subscribe()
        except (OSError, XPlaneError):
            self._socket.close()  # it is tried again every second
            raise

    @property
    def is_paused(self) -> bool:
        """Whether the flight was paused by its last word."""
        return self._is_paused

    def subscribe(self) -> None:
        """Ask for every frame. Raises ``XPlaneError`` when nothing can be sent there."""
        self._request(_RATE_HZ)
        self._asked_at = time.monotonic()

    def read_new(self) -> Frames | None:
        """Frames since the last call; None when no packet arrived. Resubscribes by itself."""
        times: list[int] = []
        lengths: list[int] = []
        for _ in range(_MOST_PACKETS):
            try:
                packet, ancillary, _flags, sender = self._socket.recvmsg(2048, 64)
            except BlockingIOError:
                break
            except ConnectionRefusedError:
                self._last_ns = None  # X-Plane is not there (any more); the next one starts anew
                continue
            if sender == self.peer:
                self._take(packet, _arrival_ns(ancillary), times, lengths)
        if not times and time.monotonic() - self._asked_at > _RESUBSCRIBE_S:
            self.subscribe()
        return Frames("xplane", tuple(times), tuple(lengths)) if times else None

    def close(self) -> None:
        if self._socket.fileno() < 0:
            return
        try:
            self._request(0)
        except XPlaneError:
            self._last_ns = None  # gone already: nothing to take back
        self._socket.close()

    def _take(self, packet: bytes, now_ns: int, times: list[int], lengths: list[int]) -> None:
        values = parse_values(packet)
        if values is None:
            return
        self.has_answered = True
        self._asked_at = time.monotonic()
        self._is_paused = values.get(_PAUSED_INDEX, float(self._is_paused)) > 0
        if _FRAME_INDEX not in values:
            return  # values of one frame may be spread over several packets
        last_ns, self._last_ns = self._last_ns, now_ns
        before_s, self._period_s = self._period_s, values[_FRAME_INDEX]
        # Stamps go back when somebody sets the wall clock between two packets.
        if last_ns is None or self._is_paused or not 0 < now_ns - last_ns < _LONGEST_S * 1e9:
            return
        if now_ns - last_ns > _SILENT_S * 1e9 and self._is_usual(before_s):
            return
        times.append(now_ns)
        lengths.append(max(1, (now_ns - last_ns) // 1000))

    def _is_usual(self, before_s: float) -> bool:
        """Whether by its own word no long frame lies behind it.

        A flight that was loaded for 26 s, and told of 22 ms at its end, had been silent all the
        while: as a frame it was "the longest stutter", and 31 s of 35 that were lost.
        """
        return 0 < self._period_s <= _USUAL_PERIODS * before_s

    def _request(self, rate_hz: int) -> None:
        for index, name in enumerate(_DATAREFS):
            packet = _SUBSCRIBE.pack(b"RREF", rate_hz, index, name)
            try:
                self._socket.sendto(packet, self.peer)
            except ConnectionRefusedError:
                continue  # an answer to the packet before; X-Plane may start later
            except OSError as error:
                if error.errno == errno.EAGAIN:
                    continue
                raise XPlaneError(
                    Statement(
                        "sampling.xplane_unreachable",
                        {"host": self.peer[0], "reason": system_reason(error)},
                    )
                ) from error


def _arrival_ns(ancillary: list[tuple[int, int, bytes]]) -> int:
    """The kernel's time stamp of a packet, moved from the wall clock to CLOCK_MONOTONIC.

    Reading at leisure would give every packet of a batch the same time.
    """
    now_ns = time.monotonic_ns()
    for level, kind, data in ancillary:
        if level == socket.SOL_SOCKET and kind == _TIMESTAMP and len(data) >= _TIMESPEC.size:
            seconds: int
            nanoseconds: int
            seconds, nanoseconds = _TIMESPEC.unpack_from(data)
            return min(now_ns, seconds * 1_000_000_000 + nanoseconds - _ahead_ns())
    return now_ns


def _ahead_ns() -> int:
    """How far the wall clock is ahead of CLOCK_MONOTONIC.

    A thread may lose its core between its looks at the two: the closest of three counts.
    """
    closest, ahead_ns = math.inf, 0
    for _ in range(3):
        before_ns, wall_ns, after_ns = time.monotonic_ns(), time.time_ns(), time.monotonic_ns()
        if after_ns - before_ns < closest:
            closest, ahead_ns = after_ns - before_ns, wall_ns - before_ns
        if closest < _SHORT_NS:
            break
    return ahead_ns


def address_of(host: str) -> str:
    """The IPv4 address of a host. Raises ``XPlaneError``."""
    with contextlib.suppress(ValueError):
        return str(ipaddress.IPv4Address(host))
    try:
        return socket.gethostbyname(host)
    except OSError as error:
        values: dict[str, Value] = {"path": host, "reason": system_reason(error)}
        raise XPlaneError(Statement("core.file", values)) from error
