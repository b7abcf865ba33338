# SPDX-License-Identifier: GPL-3.0-or-later
"""What any program may send to a connection of the bus while that waits for something else."""

import os
import select
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from destutter.core.bus_caller import BusCaller, BusCallError
from destutter.core.foreign_descriptors import DescriptorCloser, pipe_of_own
from tests.support.bus_kit import eventually
from tests.support.played_bus import RETURN, Lingering, message, played_bus, send_signal

CALL = ("a.b", "/a", ("a.b", "C"))


@pytest.fixture
def lingering() -> Iterator[Lingering]:
    """Sockets that are let go at the end."""
    made = Lingering()
    yield made
    made.end()


@pytest.fixture
def in_time(lingering: Lingering) -> Callable[[Callable[[], object]], object]:
    """Runs something that may wait for a socket that lingers; what it gives, soon."""

    def run(work: Callable[[], object]) -> object:
        outcome: list[object] = []
        thread = threading.Thread(target=lambda: outcome.append(work()))
        thread.start()
        try:
            eventually(lambda: outcome)
        finally:
            lingering.end()
            thread.join()
        return outcome[0]

    return run


@pytest.mark.parametrize("takes_descriptors", [False, True])
def test_a_call_has_one_time_whatever_comes_meanwhile(tmp_path, takes_descriptors):
    """A signal now and then put off its end for ever."""

    def drip(connection: socket.socket, number: int) -> None:
        for _ in range(20):
            if select.select([connection], [], [], 0.1)[0]:
                return  # the caller has left
            send_signal(connection)
        connection.sendall(message(RETURN, number, "s", "late"))

    with played_bus(tmp_path, drip) as address:
        caller = BusCaller(address, timeout_s=0.5, takes_descriptors=takes_descriptors)
        with pytest.raises(BusCallError, match="timed out"):
            caller.call(*CALL)


def test_a_message_that_trickles_in_has_the_same_time(tmp_path):
    """Byte by byte."""

    def drip(connection: socket.socket, number: int) -> None:
        for byte in message(RETURN, number, "s", "late"):
            if select.select([connection], [], [], 0.1)[0]:
                return
            connection.sendall(bytes([byte]))

    with played_bus(tmp_path, drip) as address:
        caller = BusCaller(address, timeout_s=0.5)
        with pytest.raises(BusCallError, match="timed out"):
            caller.call(*CALL)


@pytest.mark.parametrize("is_hidden", [False, True])
@pytest.mark.parametrize("before_it", [1, 200])
def test_a_descriptor_that_nobody_asked_for_is_not_waited_for(
    tmp_path, lingering, in_time, is_hidden, before_it
):
    """Its closing may wait, be it for itself, for what lies in it, or as one too many."""

    def send(connection: socket.socket, number: int) -> None:
        waiting = lingering.make_hidden() if is_hidden else lingering.make()
        null = [os.open(os.devnull, os.O_RDONLY)] * before_it
        send_signal(connection, [*null, waiting.detach()])
        connection.sendall(message(RETURN, number, "s", "answer"))

    with played_bus(tmp_path, send) as address:
        caller = BusCaller(address, timeout_s=30, takes_descriptors=True)
        try:
            assert in_time(lambda: caller.call(*CALL)) == ["answer"]
        finally:
            caller.close()


def test_what_lies_unread_is_not_waited_for(tmp_path, lingering, in_time):
    """The end of a connection closes what came with messages that nobody has read."""
    is_sent = threading.Event()

    def send(connection: socket.socket, number: int) -> None:
        connection.sendall(message(RETURN, number, "s", "answer"))
        send_signal(connection, [lingering.make().detach()])
        is_sent.set()

    def close() -> bool:
        caller.close()
        return True

    with played_bus(tmp_path, send) as address:
        caller = BusCaller(address, timeout_s=30, takes_descriptors=True)
        caller.call(*CALL)
        assert is_sent.wait(10)
        assert in_time(close)


@pytest.mark.long
def test_who_sends_too_many_is_left(tmp_path, lingering, in_time):
    """Descriptors behind one whose closing waits would fill the table of open files."""

    def send(connection: socket.socket, number: int) -> None:
        for _ in range(2):
            waiting = lingering.make_hidden().detach()
            send_signal(connection, [waiting, *[os.open(os.devnull, os.O_RDONLY)] * 200])
        connection.sendall(message(RETURN, number, "s", "answer"))

    def call() -> str:
        with pytest.raises(BusCallError) as error:
            caller.call(*CALL)
        return str(error.value)

    with played_bus(tmp_path, send) as address:
        caller = BusCaller(address, timeout_s=30, takes_descriptors=True)
        try:
            assert "nobody asked for" in str(in_time(call))
        finally:
            caller.close()


def test_a_closer_closes(lingering):
    """Also what waits, as soon as that is possible; and is not behind then."""
    closer = DescriptorCloser()
    read, write = os.pipe()
    closer.close([*(os.dup(write) for _ in range(70)), lingering.make().detach(), write])
    assert os.read(read, 1) == b""
    os.close(read)
    eventually(lambda: not closer.is_behind)


def test_a_pipe_of_ones_own_never_waits():
    """Though that which was sent does."""
    read, write = os.pipe()
    own = pipe_of_own(read, os.O_RDONLY), pipe_of_own(write, os.O_WRONLY)
    assert os.get_blocking(read)
    with pytest.raises(BlockingIOError):
        os.read(own[0], 1)
    os.write(own[1], b"x")
    assert os.read(own[0], 9) == b"x"
    for end in (read, write, *own):
        os.close(end)


def test_only_a_pipe_without_a_name_is_one(tmp_path: Path):
    """Whatever a file calls itself, and a fifo: opening that may wait for its file system."""
    (tmp_path / "pipe:[1]").touch()
    os.mkfifo(tmp_path / "fifo")
    for name, flags in (("pipe:[1]", os.O_RDONLY), ("fifo", os.O_RDONLY | os.O_NONBLOCK)):
        descriptor = os.open(tmp_path / name, flags)
        with pytest.raises(OSError, match="Invalid"):
            pipe_of_own(descriptor, os.O_RDONLY)
        os.close(descriptor)
