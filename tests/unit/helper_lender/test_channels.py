# SPDX-License-Identifier: GPL-3.0-or-later
"""Who gets a channel when there are many (on a bus: tests/dbus)."""

import os
from collections.abc import Iterator

import pytest

from destutter_helper.api import lending
from destutter_lender import channels
from destutter_lender.channels import Channels
from destutter_lender.files import Lender
from destutter_lender.pace import Pace, RefusedError


class Opened:
    """Channels, with what their users have of them."""

    def __init__(self) -> None:
        self.now = 0.0
        self.all = Channels(Lender(os.getuid()), Pace(), lambda: self.now)
        self.ends: list[tuple[int, int]] = []

    def open(self, owner: str, group: int) -> tuple[int, int]:
        """One more, later than the one before it."""
        self.now += 1
        ends = self.all.open(owner, ("process", group))
        self.ends.append(ends)
        return ends


@pytest.fixture
def opened() -> Iterator[Opened]:
    """None yet."""
    found = Opened()
    yield found
    for requests in list(found.all._open):
        found.all._close(requests)
    for end in (end for ends in found.ends for end in ends):
        os.close(end)


def is_over(ends: tuple[int, int]) -> bool:
    """Whether nobody answers it any more."""
    try:
        return os.read(ends[1], 1) == b""
    except BlockingIOError:
        return False


def test_l18_a_process_has_its_part_whatever_connections_it_has(opened):
    """L18: eight connections were all eight channels."""
    for number in range(channels._OF_GROUP_MAX):
        opened.open(f":1.{number}", 1)
    with pytest.raises(RefusedError) as caught:
        opened.open(":1.99", 1)
    assert caught.value.name == "Busy"
    opened.open(":1.100", 2)


def test_l18_a_newcomer_gets_the_one_that_is_idle_the_longest(opened):
    """L18: one that is used stays."""
    first, second = opened.open(":1.0", 0), opened.open(":1.1", 1)
    rest = [opened.open(f":1.{number}", number) for number in range(2, lending.CHANNELS_MAX)]
    opened.now += 1
    os.write(first[0], b"[]")
    opened.all._on_event(next(iter(opened.all._open)), 0)
    assert os.read(first[1], 100) == b"null\n"
    newcomer = opened.open(":1.9", 9)
    assert is_over(second)
    assert not any(map(is_over, [first, newcomer, *rest]))


def test_l18_who_left_the_bus_has_none(opened):
    """L18: its pipes may live on in another program."""
    one, other = opened.open(":1.1", 1), opened.open(":1.2", 1)
    opened.all.forget(":1.1")
    assert is_over(one)
    assert not is_over(other)
