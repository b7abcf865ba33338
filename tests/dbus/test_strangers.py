# SPDX-License-Identifier: GPL-3.0-or-later
"""Strangers without any right, who try to end or delay somebody else's trial over the bus."""

import re
from pathlib import Path

import pytest

from tests.support.private_bus import PrivateBus

DRIVER = {"dest": "org.freedesktop.DBus", "iface": "org.freedesktop.DBus"}
POWER = "org.freedesktop.UPower.PowerProfiles"
RELEASED = {"path": "/" + POWER.replace(".", "/"), "iface": POWER, "member": "ProfileReleased"}


@pytest.fixture
def granted(bus: PrivateBus) -> PrivateBus:
    """Return the bus with polkit granting trials and undo."""
    bus.allow("apply")
    bus.allow("undo")
    return bus


def status_kib(bus: PrivateBus, key: str) -> int:
    """Return a figure of the service's memory."""
    assert bus.helper is not None
    text = Path(f"/proc/{bus.helper.pid}/status").read_text()
    return int(re.findall(rf"{key}:\s*(\d+) kB", text)[0])


def test_a31_a_signal_of_a_stranger_is_not_unpacked(granted):
    """A list of 8 MB in the name of the power daemon costs its bytes, not its objects."""
    client, stranger = granted.client(), granted.client()
    helper = client.call("GetNameOwner", "s", "io.github.destutter.Helper1", **DRIVER)
    client.call("GetState")
    before = status_kib(granted, "VmHWM")
    pairs = {"repeat": [["abcdefgh", "ijklmnop"]], "times": 250_000}
    stranger.ask("emit", dest=helper, sig="a(ss)", args=[pairs], **RELEASED)
    client.call("GetState")
    assert status_kib(granted, "VmHWM") < before + 60 * 1024
