# SPDX-License-Identifier: GPL-3.0-or-later
"""A call of the bus that waits, for a password perhaps, while nobody wants its answer any more."""

import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from destutter.core.bus_caller import BusCaller, BusCallError
from destutter.core.bus_wire import FIXED_HEADER, message_length


@pytest.fixture
def silent_bus(tmp_path: Path) -> Iterator[tuple[str, threading.Event]]:
    """A bus that greets, takes calls and answers none; its address, and when a call came."""
    called = threading.Event()
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "bus"))
        listening.listen()
        listening.settimeout(10)
        thread = threading.Thread(target=_serve, args=(listening, called))
        thread.start()
        yield f"unix:path={tmp_path}/bus", called
        thread.join()


def _serve(listening: socket.socket, called: threading.Event) -> None:
    connection, _ = listening.accept()
    with connection, connection.makefile("rb") as stream:
        for answer in (b"OK 1\r\n", None):
            stream.readline()
            if answer is not None:
                connection.sendall(answer)
        head = stream.read(FIXED_HEADER)
        if len(head) == FIXED_HEADER:
            stream.read(message_length(head) - FIXED_HEADER)
            called.set()
            stream.read(1)  # until the other side leaves


def test_a_call_that_waits_ends_at_once(silent_bus) -> None:
    """Long before its time is over; and no later call is begun."""
    address, called = silent_bus
    caller = BusCaller(address, timeout_s=30)
    failed: list[BusCallError] = []

    def wait() -> None:
        with pytest.raises(BusCallError) as error:
            caller.call("a.b", "/a", ("a.b", "C"))
        failed.append(error.value)

    waiting = threading.Thread(target=wait)
    waiting.start()
    assert called.wait(10)
    begin = time.monotonic()
    caller.give_up()
    waiting.join(20)
    assert failed
    assert time.monotonic() - begin < 20
    with pytest.raises(BusCallError):
        caller.call("a.b", "/a", ("a.b", "C"))


def test_given_up_before_it_began(tmp_path: Path) -> None:
    """The connection that is made then is not used."""
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "bus"))
        listening.listen()
        caller = BusCaller(f"unix:path={tmp_path}/bus", timeout_s=30)
        caller.give_up()
        with pytest.raises(BusCallError, match="nobody waits"):
            caller.call("a.b", "/a", ("a.b", "C"))
