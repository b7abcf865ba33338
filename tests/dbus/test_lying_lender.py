# SPDX-License-Identifier: GPL-3.0-or-later
"""A program that has the lender's name on a real bus: no read may wait for what it does."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from destutter.core.bus_caller import BusCaller
from destutter.core.lender_client import LenderAwayError, LenderClient
from destutter_helper.api import lending
from tests.support.bus_kit import CHECKOUT, eventually
from tests.support.session_bus import session_bus


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """Start a bus."""
    with session_bus(tmp_path) as bus:
        yield bus


@contextmanager
def liar(address: str, lie: str) -> Iterator[subprocess.Popen[str]]:
    """Start one; it ends with its input."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.support.lying_lender", address, lie],
        cwd=CHECKOUT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        assert process.stdout.readline() == "ready\n"
        yield process
    finally:
        process.stdin.close()
        process.wait(20)
        process.stdout.close()


def test_signals_do_not_put_off_the_end_of_a_question(address, monkeypatch):
    """One each fifth of a second, where half a second is the time of all."""
    with liar(address, "drips"):
        client = LenderClient(address)
        assert client.is_there()
        monkeypatch.setattr(client._caller, "timeout_s", 0.5)
        with pytest.raises(LenderAwayError, match="timed out"):
            client.tasks()
        client.close()


def test_a_socket_that_lingers_is_not_waited_for(address):
    """It comes before each answer, from a program of which nobody wanted one."""
    with liar(address, "sends") as process:
        client = LenderClient(address)
        told: list[list[int]] = []
        asking = threading.Thread(target=lambda: told.extend(client.tasks() for _ in range(3)))
        asking.start()
        try:
            eventually(lambda: len(told) == 3)
        finally:
            process.kill()  # with it goes the other side of each socket
            asking.join()
            client.close()
        assert told == [[7]] * 3


def test_who_asks_for_no_descriptors_is_sent_none(address):
    """The bus does not deliver such a signal to a connection that did not agree to them."""
    with liar(address, "null") as process:
        caller = BusCaller(address)
        where = lending.BUS_NAME, lending.OBJECT_PATH, (lending.INTERFACE, "ListTasks")
        before = len(os.listdir("/proc/self/fd"))
        assert caller.call(*where, "i", (0,)) == ["[7]"]
        assert process.stdout is not None
        assert process.stdout.readline() == "org.freedesktop.DBus.Error.NotSupported\n"
        assert ("a.b", "C") not in [signal.member for signal in caller.signals()]
        assert len(os.listdir("/proc/self/fd")) == before + 1  # the connection
        caller.close()
