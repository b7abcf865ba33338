# SPDX-License-Identifier: GPL-3.0-or-later
"""GameMode's list of games, against a bus that is a plain socket."""

import socket
import struct
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from destutter.core.bus_caller import BusCaller, BusCallError, socket_path
from destutter.core.bus_wire import (
    FIXED_HEADER,
    METHOD_RETURN,
    SIGNAL,
    BusMessage,
    Variant,
    Writer,
    message_length,
    split,
)
from destutter.sampling.finding.game_mode import GameModeWatch

NAME, BUS = "com.feralinteractive.GameMode", "org.freedesktop.DBus"


class _Bus:
    """Answers as a bus with GameMode on it does: 41 is registered, 40 comes meanwhile."""

    def __init__(self, path: Path) -> None:
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(path))
        self._listener.listen(1)
        self._client: socket.socket | None = None
        self.calls: list[str] = []
        self.is_connected = threading.Event()
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def signal(self, member: str, pid: int) -> None:
        """Send a signal of GameMode's."""
        self._send(_signal((NAME, member), "io", pid, "/g"))

    def close(self) -> None:
        """Hang up."""
        for each in (self._client, self._listener):
            if each is not None:
                with suppress(OSError):
                    each.shutdown(socket.SHUT_RDWR)
                each.close()
        self._thread.join()

    def _send(self, data: bytes) -> None:
        assert self._client is not None
        self._client.sendall(data)

    def _serve(self) -> None:
        with suppress(OSError):
            self._client, _ = self._listener.accept()
            self._client.recv(256)
            self._send(b"OK 00\r\n")
            data = self._client.recv(1 << 16).removeprefix(b"BEGIN\r\n")
            while True:
                while len(data) >= FIXED_HEADER and len(data) >= (length := message_length(data)):
                    call, data = BusMessage(data[:length]), data[length:]
                    self.calls.append(call.member[1])
                    self._answer(self.calls[-1], len(self.calls))
                more = self._client.recv(1 << 16)
                if not more:
                    return
                data += more

    def _answer(self, member: str, serial: int) -> None:
        reply = (5, Variant("u", serial))
        if member == "NameHasOwner":
            # The daemon has only just come.
            self._send(_signal((BUS, "NameOwnerChanged"), "sss", NAME, "", ":1.7"))
            self._send(_message(METHOD_RETURN, [reply], "b", True))
        elif member == "ListGames":
            # One signal that overtakes the answer, and one that is none of GameMode's.
            self._send(_signal((NAME, "GameRegistered"), "io", 40, "/g/40"))
            self._send(_signal(("x.y", "GameRegistered"), "io", 39, "/g/39"))
            self._send(_message(METHOD_RETURN, [reply], "a(io)", [(41, "/g/41")]))
        else:
            self._send(_message(METHOD_RETURN, [reply]))


def _signal(member: tuple[str, str], signature: str, *values: object) -> bytes:
    fields = [
        (1, Variant("o", "/a")),
        (2, Variant("s", member[0])),
        (3, Variant("s", member[1])),
    ]
    return _message(SIGNAL, fields, signature, *values)


def _message(
    kind: int, fields: list[tuple[int, Variant]], signature: str = "", *values: object
) -> bytes:
    body, head = Writer(), Writer()
    for part, value in zip(split(signature), values, strict=True):
        body.write(part, value)
    head.data += struct.pack("<cBBBII", b"l", kind, 0, 1, len(body.data), 1)
    head.write("a(yv)", [*fields, (8, Variant("g", signature))] if signature else fields)
    head.align(8)
    return bytes(head.data + body.data)


@pytest.fixture
def bus(tmp_path: Path) -> Iterator[_Bus]:
    """A bus at tmp_path/bus."""
    running = _Bus(tmp_path / "bus")
    yield running
    running.close()


def test_games_of_before_and_of_later(bus: _Bus, tmp_path: Path) -> None:
    """Those that registered before are asked for, the others tell by themselves."""
    watch = GameModeWatch(f"unix:path={tmp_path}/bus")
    try:
        assert watch.pids() == {40, 41}
        assert bus.calls == ["Hello", "AddMatch", "AddMatch", "NameHasOwner", "ListGames"]
        bus.signal("GameRegistered", 42)
        assert watch.pids() == {40, 41, 42}
        bus.signal("GameUnregistered", 41)
        assert watch.pids() == {40, 42}
        assert watch.problem is None
    finally:
        watch.close()


def test_a_bus_that_hangs_up_is_told_and_tried_again_later(bus: _Bus, tmp_path: Path) -> None:
    """The games are forgotten, the reason stays."""
    watch = GameModeWatch(f"unix:path={tmp_path}/bus")
    assert watch.pids() == {40, 41}
    bus.close()
    assert watch.pids() == frozenset()
    assert "closed the connection" in str(watch.problem)
    assert watch.pids() == frozenset()
    watch.close()


def test_without_a_bus_there_is_nothing_and_no_problem() -> None:
    """As on a computer reached by SSH."""
    watch = GameModeWatch("")
    assert (watch.pids(), watch.problem) == (frozenset(), None)


def test_a_bus_that_is_not_there_is_told(tmp_path: Path) -> None:
    """A stale address."""
    watch = GameModeWatch(f"unix:path={tmp_path}/none")
    assert watch.pids() == frozenset()
    assert "GameMode cannot be asked" in str(watch.problem)


@pytest.mark.parametrize(
    ("address", "path"),
    [
        ("unix:path=/run/user/1000/bus,guid=12", "/run/user/1000/bus"),
        ("unix:abstract=/tmp/x", "\0/tmp/x"),
        ("tcp:host=a;unix:path=/a%20b", "/a b"),
        ("tcp:host=a", ""),
        ("nonsense", ""),
        ("", ""),
    ],
)
def test_addresses_of_a_bus(address: str, path: str) -> None:
    """As the D-Bus specification writes them."""
    assert socket_path(address) == path


def test_a_bus_that_says_nothing_is_left_after_a_second(tmp_path: Path) -> None:
    """What measures must not wait for it, not even after a greeting."""
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(tmp_path / "bus"))
    listener.listen(1)
    watch = GameModeWatch(f"unix:path={tmp_path}/bus")
    began = time.monotonic()
    assert watch.pids() == frozenset()
    assert time.monotonic() - began < 4
    assert "timed out" in str(watch.problem)
    watch.close()
    listener.close()


def test_a_bus_that_refuses_the_user_is_left(tmp_path: Path) -> None:
    """Else the next call would go down a connection that was never opened."""
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(tmp_path / "bus"))
    listener.listen(1)
    heard: list[bytes] = []

    def refuse() -> None:
        client, _ = listener.accept()
        with client:
            client.recv(256)
            client.sendall(b"REJECTED EXTERNAL\r\n")
            heard.append(client.recv(256))

    server = threading.Thread(target=refuse)
    server.start()
    caller = BusCaller(f"unix:path={tmp_path}/bus")
    with pytest.raises(BusCallError, match="does not accept this user"):
        caller.call("a.b", "/", ("a.b", "C"))
    server.join(10)
    assert heard == [b""]
    listener.close()
