# SPDX-License-Identifier: GPL-3.0-or-later
"""X-Plane's UDP interface, against a real socket that answers as the simulator does."""

import os
import socket
import struct
import time
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.sampling.frames import xplane
from destutter.sampling.frames.xplane import (
    Beacon,
    XPlaneError,
    XPlaneFrames,
    parse_beacon,
    parse_values,
)
from tests.support.simulator import Simulator, arrived, frames_read


@pytest.fixture
def simulator() -> Iterator[Simulator]:
    """A simulator on a free port of this computer."""
    with Simulator() as running:
        yield running


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
        time.sleep(pause)  # on purpose: these are the lengths of the frames
        simulator.send((0, 0.02), (1, 0.0))
    time.sleep(0.05)  # on purpose: the reader is late
    first, second = frames_read(frames, 2)
    assert first >= 45_000
    assert second >= 95_000


def test_pause_and_split_packets_are_no_frames(simulator: Simulator, frames: XPlaneFrames) -> None:
    """A paused simulator draws nothing that anybody waits for."""
    simulator.requests(2)
    simulator.send((0, 0.02))
    simulator.send((1, 1.0))
    simulator.send((0, 0.02))
    simulator.send((1, 0.0))
    simulator.send((0, 0.02))
    assert len(frames_read(frames, 1)) == 1
    assert frames.read_new() is None


@pytest.mark.parametrize(
    ("gap_s", "told_s", "is_frame"),
    [(26.0, 0.022, False), (26.0, 26.0, True), (6.0, 0.11, True), (4.0, 0.022, True)],
)
def test_a_flight_that_loads_in_silence_is_no_frame(
    simulator: Simulator, frames: XPlaneFrames, monkeypatch, gap_s, told_s, is_frame
) -> None:
    """What it says of its frames afterwards, be it smoothed, tells a freeze from a silence."""
    simulator.requests(2)
    arrivals = iter((100.0, 100.022, 100.022 + gap_s, 100.044 + gap_s))
    monkeypatch.setattr(xplane, "_arrival_ns", lambda _told: int(next(arrivals) * 1e9))
    for period_s in (0.022, 0.022, told_s, 0.022):
        simulator.send((0, period_s))
    lengths = [22_000, *([gap_s * 1e6] if is_frame else []), 22_000]
    assert frames_read(frames, len(lengths)) == pytest.approx(lengths, abs=2)
    assert frames.read_new() is None


def test_packets_from_elsewhere_and_of_other_kinds_are_ignored(
    simulator: Simulator, frames: XPlaneFrames
) -> None:
    """Only the simulator that was asked is believed, and only answers of the right form."""
    simulator.requests(2)
    simulator.send((0, 0.02))
    port = simulator.client[1]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stranger:
        stranger.sendto(b"RREF," + struct.pack("<if", 0, 0.02), ("127.0.0.1", port))
    for packet in (b"", b"RREF", b"RREF,123", b"DATA*" + bytes(8)):
        simulator.socket.sendto(packet, ("127.0.0.1", port))
    simulator.send((0, 0.02))
    # One socket delivers in order: what was believed would have come before this frame.
    assert len(frames_read(frames, 1)) == 1
    assert frames.read_new() is None


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
        arrived(source._socket)
        source.read_new()
        monkeypatch.setattr(xplane, "_RESUBSCRIBE_S", -1.0)
        assert source.read_new() is None
        assert [rate > 0 for rate, _, _ in simulator.requests(2)] == [True, True]
    finally:
        source.close()


class _Flood:
    """A socket in which the next packet is always there already."""

    def __init__(self, packet: bytes, sender: tuple[str, int]) -> None:
        self.asked = 0
        self._answer = packet, sender

    def recvmsg(self, *_sizes: int) -> tuple[bytes, list[object], int, tuple[str, int]]:
        self.asked += 1
        assert self.asked < 100_000, "it would go on for ever"
        packet, sender = self._answer
        return packet, [], 0, sender

    def fileno(self) -> int:
        return -1


@pytest.mark.parametrize("is_stranger", [True, False])
def test_a_flood_of_packets_does_not_hold_the_sampler(
    simulator: Simulator, frames: XPlaneFrames, monkeypatch, is_stranger: bool
) -> None:
    """Anybody may send to an open port, faster than they can be read; a tick has to end."""
    peer = ("10.0.0.9" if is_stranger else "127.0.0.1", simulator.port)
    flood = _Flood(b"RREF," + struct.pack("<if", 0, 0.02), peer)
    with monkeypatch.context() as patch:
        patch.setattr(frames, "_socket", flood)
        frames.read_new()
    assert flood.asked < 2_000


def test_a_value_that_is_no_number_does_not_pause(
    simulator: Simulator, frames: XPlaneFrames
) -> None:
    """NaN is neither paused nor not; frames go on."""
    simulator.requests(2)
    for _ in range(3):
        simulator.send((0, 0.02), (1, float("nan")))
    assert len(frames_read(frames, 2)) == 2


def test_a_clock_that_was_set_makes_no_frames_backwards(
    simulator: Simulator, frames: XPlaneFrames, monkeypatch
) -> None:
    """The stamps of packets are of the wall clock, which somebody may set meanwhile."""
    stamps = iter([5_000_000_000, 5_020_000_000, 1_000_000_000, 1_020_000_000])
    monkeypatch.setattr(xplane, "_arrival_ns", lambda _ancillary: next(stamps))
    simulator.requests(2)
    for _ in range(4):
        simulator.send((0, 0.02), (1, 0.0))
    assert frames_read(frames, 2) == [20_000, 20_000]


class _Interrupted:
    """Clocks of a thread that loses its core for 25 ms between its first two looks at them."""

    def __init__(self) -> None:
        self._now_ns = 100_000_000_000
        self._looks = 0

    def _look(self) -> int:
        self._looks += 1
        self._now_ns += 25_000_000 if self._looks == 2 else 1_000
        return self._now_ns

    def monotonic_ns(self) -> int:
        return self._look()

    def time_ns(self) -> int:
        return self._look() + 1_000_000_000_000


def test_losing_the_core_between_two_clocks_moves_no_packet(monkeypatch) -> None:
    """Else a frame would seem to have ended before the one before it, and the next be long."""
    monkeypatch.setattr(xplane, "time", _Interrupted())
    stamp = struct.pack("ll", 1099, 990_000_000)
    arrived = xplane._arrival_ns([(socket.SOL_SOCKET, xplane._TIMESTAMP, stamp)])
    assert abs(arrived - 99_990_000_000) < 100_000


def test_an_address_that_takes_nothing_leaves_no_socket_open():
    """It is tried again every second, for hours."""
    before = set(os.listdir("/proc/self/fd"))
    for _ in range(3):
        with pytest.raises(XPlaneError):
            XPlaneFrames("255.255.255.255")
    assert set(os.listdir("/proc/self/fd")) == before
