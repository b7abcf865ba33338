# SPDX-License-Identifier: GPL-3.0-or-later
"""GameMode's list of games, against a bus that is a plain socket."""

import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.core.bus_caller import socket_path
from destutter.sampling.game_mode import (
    GameModeError,
    GameModeWatch,
    message_length,
    method_call,
    parse_message,
)


class _Bus:
    """Answers as a bus with GameMode on it does: 41 registered already."""

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
        assert self._client is not None
        self._client.sendall(_message(4, member, struct.pack("<i", pid), "i"))

    def close(self) -> None:
        """Hang up."""
        for each in (self._client, self._listener):
            if each is not None:
                with suppress(OSError):
                    each.shutdown(socket.SHUT_RDWR)
                each.close()
        self._thread.join()

    def _serve(self) -> None:
        with suppress(OSError):
            self._client, _ = self._listener.accept()
            self._client.recv(256)
            self._client.sendall(b"OK 00\r\n")
            data = self._client.recv(1 << 16).removeprefix(b"BEGIN\r\n")
            while True:
                while (length := message_length(data)) is not None:
                    call, data = parse_message(data[:length]), data[length:]
                    serial = len(self.calls) + 1
                    self.calls.append(str(call.fields[3]))
                    self._client.sendall(_answer(self.calls[-1], serial))
                more = self._client.recv(1 << 16)
                if not more:
                    return
                data += more


def _answer(member: str, serial: int) -> bytes:
    body = b""
    if member == "NameHasOwner":
        body = struct.pack("<I", 1)
    elif member == "ListGames":
        path = b"/g/41"
        item = struct.pack("<iI", 41, len(path)) + path + b"\0"
        body = struct.pack("<II", len(item), 0) + item
    return _message(2, "", body, "", reply_to=serial)


def _message(kind: int, member: str, body: bytes, signature: str, reply_to: int = 0) -> bytes:
    data = method_call(1, ("a", "/a", "com.feralinteractive.GameMode", member or "x"))
    if reply_to:
        fields = b"\x05\x01u\x00" + struct.pack("<I", reply_to)
        head = struct.pack("<BBBBIII", ord("l"), kind, 0, 1, len(body), 1, len(fields))
        return head + fields + body
    return data[:1] + bytes((kind,)) + data[2:4] + struct.pack("<I", len(body)) + data[8:] + body


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
        assert watch.pids() == {41}
        assert bus.calls == ["Hello", "AddMatch", "AddMatch", "NameHasOwner", "ListGames"]
        bus.signal("GameRegistered", 42)
        assert watch.pids() == {41, 42}
        bus.signal("GameUnregistered", 41)
        assert watch.pids() == {42}
        assert watch.problem == ""
    finally:
        watch.close()


def test_a_bus_that_hangs_up_is_told_and_tried_again_later(bus: _Bus, tmp_path: Path) -> None:
    """The games are forgotten, the reason stays."""
    watch = GameModeWatch(f"unix:path={tmp_path}/bus")
    assert watch.pids() == {41}
    bus.close()
    assert watch.pids() == frozenset()
    assert "hung up" in watch.problem
    assert watch.pids() == frozenset()
    watch.close()


def test_without_a_bus_there_is_nothing_and_no_problem() -> None:
    """As on a computer reached by SSH."""
    watch = GameModeWatch("")
    assert (watch.pids(), watch.problem) == (frozenset(), "")


def test_a_bus_that_is_not_there_is_told(tmp_path: Path) -> None:
    """A stale address."""
    watch = GameModeWatch(f"unix:path={tmp_path}/none")
    assert watch.pids() == frozenset()
    assert "GameMode cannot be asked" in watch.problem


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


@given(st.binary(max_size=200))
def test_any_bytes_are_a_message_or_an_error(data: bytes) -> None:
    """What comes from elsewhere never raises anything else than what is expected."""
    with suppress(GameModeError, struct.error, IndexError):
        if (length := message_length(data)) is not None:
            parse_message(data[:length])
