# SPDX-License-Identifier: GPL-3.0-or-later
"""X-Plane's UDP interface, against a real socket that answers as the simulator does."""

import socket
import struct
import time
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.sampling import xplane
from destutter.sampling.xplane import (
    Beacon,
    XPlaneError,
    XPlaneFrames,
    parse_beacon,
    parse_values,
)
from tests.support.simulator import Simulator


@pytest.fixture
def simulator() -> Iterator[Simulator]:
    """A simulator on a free port of this computer."""
    running = Simulator()
    yield running
    running.socket.close()


@pytest.fixture
def frames(simulator: Simulator) -> Iterator[XPlaneFrames]:
    """A subscription to it."""
    source = XPlaneFrames("127.0.0.1", simulator.port)
    yield source
    source.close()


def test_subscription_asks_for_every_frame_and_is_taken_back(simulator: Simulator) -> None:
    """Both values are asked for above any frame rate, and with rate 0 at the end."""
    source = XPlaneFrames("127.0.0.1", simulator.port)
    asked = simulator.requests(2)
    assert [name for _, _, name in asked] == [
        "sim/operation/misc/frame_rate_period",
        "sim/time/paused",
    ]
    assert all(rate > 144 for rate, _, _ in asked)
    source.close()
    assert [rate for rate, _, _ in simulator.requests(2)] == [0, 0]


def test_time_between_packets_is_the_frame_even_when_read_late(
    simulator: Simulator, frames: XPlaneFrames
) -> None:
    """Packets are stamped when they arrive, so that reading them in one go loses nothing."""
    simulator.requests(2)
    for pause in (0.0, 0.05, 0.1):
        time.sleep(pause)
        simulator.send((0, 0.02), (1, 0.0))
    time.sleep(0.05)
    got = frames.read_new()
    assert got is not None
    assert len(got.frame_us) == 2
    assert got.frame_us[0] >= 45_000
    assert got.frame_us[1] >= 95_000


def test_pause_and_split_packets_are_no_frames(simulator: Simulator, frames: XPlaneFrames) -> None:
    """A paused simulator draws nothing that anybody waits for."""
    simulator.requests(2)
    simulator.send((0, 0.02))
    simulator.send((1, 1.0))
    simulator.send((0, 0.02))
    time.sleep(0.05)
    assert frames.read_new() is None
    simulator.send((1, 0.0))
    simulator.send((0, 0.02))
    time.sleep(0.05)
    got = frames.read_new()
    assert got is not None
    assert len(got.frame_us) == 1


def test_packets_from_elsewhere_and_of_other_kinds_are_ignored(
    simulator: Simulator, frames: XPlaneFrames
) -> None:
    """Only the simulator that was asked is believed, and only answers of the right form."""
    simulator.requests(2)
    port = simulator.client[1]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stranger:
        stranger.sendto(b"RREF," + struct.pack("<if", 0, 0.02), ("127.0.0.1", port))
    for packet in (b"", b"RREF", b"RREF,123", b"DATA*" + bytes(8)):
        simulator.socket.sendto(packet, ("127.0.0.1", port))
    time.sleep(0.05)
    assert frames.read_new() is None
    assert frames.ignored == 5


def test_nobody_listening_is_no_error_and_unknown_host_is_one() -> None:
    """X-Plane may start after us; a host that does not exist never will."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
    source = XPlaneFrames("127.0.0.1", port)
    source.subscribe()
    assert source.read_new() is None
    source.close()
    source.close()
    with pytest.raises(XPlaneError):
        XPlaneFrames("no such host.invalid", port)


def test_beacon_names_where_the_simulator_listens() -> None:
    """The master X-Plane counts; other applications, roles and versions do not."""
    good = b"BECN\0" + struct.pack("<BBiiIH", 1, 2, 1, 120_000, 1, 49000) + b"cockpit\0"
    assert parse_beacon(good, "192.0.2.7") == Beacon("192.0.2.7", 49000, "cockpit")
    for other in (
        good[:12],
        b"XXXX\0" + good[5:],
        b"BECN\0" + struct.pack("<BBiiIH", 2, 0, 1, 1, 1, 49000),
        b"BECN\0" + struct.pack("<BBiiIH", 1, 0, 2, 1, 1, 49000),
        b"BECN\0" + struct.pack("<BBiiIH", 1, 0, 1, 1, 2, 49000),
    ):
        assert parse_beacon(other, "192.0.2.7") is None


@given(st.binary(max_size=64))
def test_any_packet_is_read_or_refused(packet: bytes) -> None:
    """A packet from the network never raises."""
    assert parse_values(packet) is None or packet[:4] == b"RREF"
    assert parse_beacon(packet, "x") is None or packet[:4] == b"BECN"


def test_silence_leads_to_a_new_subscription(simulator: Simulator, monkeypatch) -> None:
    """X-Plane forgets subscriptions when it loads another flight."""
    source = XPlaneFrames("127.0.0.1", simulator.port)
    try:
        simulator.requests(2)
        simulator.send((0, 0.02), (1, 0.0))
        time.sleep(0.02)
        source.read_new()
        monkeypatch.setattr(xplane, "_RESUBSCRIBE_S", 0.0)
        time.sleep(0.01)
        assert source.read_new() is None
        assert [rate > 0 for rate, _, _ in simulator.requests(2)] == [True, True]
    finally:
        source.close()
