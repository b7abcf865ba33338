# SPDX-License-Identifier: GPL-3.0-or-later
"""Finding X-Plane by its beacon, against a sender on loopback."""

import socket
import struct
from collections.abc import Iterator

import pytest

from destutter.sampling.frames.frame_feed import AUTO, parse_address
from destutter.sampling.frames.xplane import BEACON_GROUP
from destutter.sampling.frames.xplane_beacon import BeaconListener, XPlaneByBeacon
from tests.support.simulator import Simulator, arrived, frames_read


@pytest.fixture
def simulator() -> Iterator[Simulator]:
    """A simulator on a free port of this computer."""
    with Simulator() as running:
        yield running


@pytest.fixture
def beacon_port() -> int:
    """A port that nobody uses now."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _announce(beacon_port: int, data: bytes) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton("127.0.0.1"))
        sender.bind(("127.0.0.1", 0))
        sender.sendto(data, (BEACON_GROUP, beacon_port))


def _beacon(port: int, role: int = 1) -> bytes:
    return b"BECN\0" + struct.pack("<BBiiIH", 1, 2, 1, 120_000, role, port) + b"box7\0"


def test_the_newest_beacon_counts_and_noise_does_not(beacon_port: int) -> None:
    """Other packets to the group, and X-Planes that only show another's picture."""
    listener = BeaconListener(beacon_port)
    try:
        for data in (_beacon(49000), b"noise", _beacon(49020, role=2), _beacon(49010)):
            _announce(beacon_port, data)
        found = None
        while found is None or found.port != 49010:
            arrived(listener._socket)
            found = listener.newest() or found
        assert (found.host, found.port, found.computer) == ("127.0.0.1", 49010, "box7")
        assert listener.newest() is None
        for data in (b"noise", _beacon(49020, role=2)):
            _announce(beacon_port, data)
            arrived(listener._socket)
            assert listener.newest() is None
    finally:
        listener.close()


def _frames(source: XPlaneByBeacon, simulator: Simulator) -> list[int]:
    """Let it draw twice and read the frame between."""
    for _ in range(2):
        simulator.send((0, 0.02), (1, 0.0))
    return frames_read(source, 1)


def test_frames_come_from_the_one_that_was_heard(simulator: Simulator, beacon_port: int) -> None:
    """Subscribed at the port of the beacon; another beacon changes nothing while it delivers."""
    source = XPlaneByBeacon(beacon_port)
    try:
        assert source.read_new() is None
        _announce(beacon_port, _beacon(simulator.port))
        arrived(source._listener._socket)
        source.refresh()
        assert len(simulator.requests(2)) == 2
        assert len(_frames(source, simulator)) == 1
        _announce(beacon_port, _beacon(1))
        arrived(source._listener._socket)
        source.refresh()
        assert _frames(source, simulator)
    finally:
        source.close()


def test_auto_stands_for_the_beacon() -> None:
    """In place of an address."""
    assert parse_address(AUTO)[0] == AUTO
