# SPDX-License-Identifier: GPL-3.0-or-later
"""The channels of one sandbox (on a bus: tests/dbus)."""

import os
import select
from collections.abc import Iterator
from contextlib import closing, suppress

import pytest

from destutter_helper.api import lending
from destutter_lender.channels import Channels, Ends
from destutter_lender.files import Lender
from destutter_lender.pace import RefusedError


class Opened:
    """Channels, with what their users have of them."""

    def __init__(self, lender: Lender) -> None:
        self.poll = select.poll()
        self.all = Channels(lender, self.poll)
        self.ends: list[int] = []

    def open(self, owner: str) -> tuple[int, Ends]:
        """One more, handed over as the daemon does: their owner has copies."""
        requests, ends = self.all.open(owner)
        copies = os.dup(ends[0]), os.dup(ends[1])
        self.ends += copies
        return requests, copies

    def serve(self) -> None:
        """Everything that is to be done."""
        for requests, _ in self.poll.poll(0):
            self.all.serve(requests)

    def leave(self, ends: Ends) -> None:
        """As when their owner ends."""
        for end in ends:
            os.close(end)
            self.ends.remove(end)


@pytest.fixture
def opened() -> Iterator[Opened]:
    """None yet."""
    with closing(Lender(os.getuid())) as lender:
        found = Opened(lender)
        yield found
        for owner in {one.owner for one in found.all._open.values()}:
            found.all.forget(owner)
        for end in found.ends:
            os.close(end)


def is_over(ends: Ends) -> bool:
    """Whether nobody answers it any more."""
    with suppress(BlockingIOError):
        return os.read(ends[1], 1) == b""
    return False


def test_l18_a_sandbox_has_its_number_whatever_connections_it_has(opened):
    """L18: and each of its connections has a smaller one."""
    for _ in range(lending.CHANNELS_OF_ONE_MAX):
        opened.open(":1.1")
    with pytest.raises(RefusedError) as caught:
        opened.open(":1.1")
    assert caught.value.name == "Busy"
    for number in range(lending.CHANNELS_MAX - len(opened.all)):
        opened.open(f":1.{number + 2}")
    with pytest.raises(RefusedError):
        opened.open(":1.99")


def test_l18_who_left_the_bus_has_none(opened):
    """L18: its pipes may live on in another program."""
    (_, one), (_, other) = opened.open(":1.1"), opened.open(":1.2")
    opened.all.forget(":1.1")
    assert is_over(one)
    assert not is_over(other)


def test_it_ends_with_its_other_side_once_that_has_been_handed_over(opened):
    """Before, the worker has their ends too; after, nothing is left of it."""
    before = len(os.listdir("/proc/self/fd"))
    requests, ends = opened.open(":1.1")
    os.write(ends[0], b"[]")
    opened.serve()
    assert os.read(ends[1], 100) == b"null\n"
    assert opened.all.is_new(requests)
    opened.all.release(requests)
    assert not opened.all.is_new(requests)
    opened.leave(ends)
    opened.serve()
    assert len(opened.all) == 0
    assert len(os.listdir("/proc/self/fd")) == before


def test_one_that_is_released_late_or_twice_is_nothing(opened):
    """The daemon's word may come when the channel has ended."""
    requests, ends = opened.open(":1.1")
    for _ in range(2):
        opened.all.release(requests)
    assert not is_over(ends)
    opened.all.forget(":1.1")
    opened.all.release(requests)
    assert is_over(ends)
