# SPDX-License-Identifier: GPL-3.0-or-later
"""What NVMe controllers say of their sleep, and drives that say nothing."""

import errno
import os
import struct
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter_helper import power_states
from destutter_helper.api.payload import Controller, PowerState
from destutter_helper.api.statement import Said
from destutter_helper.power_states import PowerStates, identify, states_of

# A drive that sleeps in two depths, as many do: what Identify Controller has of it.
_STATES = ((0, 0, 0), (0, 5, 5), (2, 5_000, 10_000), (2, 54_000, 45_000))


def _data(states=_STATES):
    data = bytearray(4096)
    data[263] = len(states) - 1
    for number, (flags, entry_us, exit_us) in enumerate(states):
        struct.pack_into("<HBBII", data, 2048 + 32 * number, 500, 0, flags, entry_us, exit_us)
    return bytes(data)


class Drives:
    """The kernel's directory of controllers; each device is a descriptor of its own file."""

    def __init__(self, *names):
        self.inodes = {name: 100 + number for number, name in enumerate(names)}
        self.flags = []

    def names(self, _path):
        """See KernelTree."""
        return [*self.inodes, "nvme-fabrics", "nvme0c0n1"]

    def inode(self, path):
        """See KernelTree."""
        if path.split("/")[4] not in self.inodes:
            raise OSError(errno.ENOENT, path)
        return self.inodes[path.split("/")[4]]

    def open_device(self, path, flags):
        """See KernelTree."""
        self.flags.append((path, flags))
        return os.memfd_create("drive")


def test_states_are_read_as_the_specification_has_them():
    """Operational ones first, then two in which the drive sleeps."""
    assert states_of(_data()) == (
        PowerState(0, 0, works=True),
        PowerState(5, 5, works=True),
        PowerState(5_000, 10_000, works=False),
        PowerState(54_000, 45_000, works=False),
    )


@given(st.integers(0, 255), st.lists(st.binary(min_size=32, max_size=32), max_size=32))
def test_whatever_a_drive_says_is_a_short_list(count, descriptors):
    """Firmware is written by strangers."""
    data = bytearray(_data())
    data[263] = count
    told = b"".join(descriptors)
    data[2048 : 2048 + len(told)] = told
    states = states_of(bytes(data))
    assert 1 <= len(states) <= 32
    assert all(0 <= state.exit_us < 1 << 32 for state in states)


def test_each_is_asked_once_in_its_life_and_only_to_read(monkeypatch):
    """The one that was replaced under the same name is asked again; others are no controllers."""
    asked = []

    def tell(fd):
        asked.append(fd)
        return _data()

    monkeypatch.setattr(power_states, "identify", tell)
    drives = Drives("nvme0", "nvme1")
    states = PowerStates(drives)  # type: ignore[arg-type]
    assert states.read() == states.read()
    assert [each.device for each in states.read()] == ["nvme0", "nvme1"]
    assert drives.flags == [(f"/dev/nvme{number}", os.O_RDONLY) for number in (0, 1)]
    drives.inodes["nvme1"] = 900
    assert states.read()[1].states == states_of(_data())
    assert len(asked) == 3


@pytest.mark.parametrize(
    ("code", "words"), [(errno.EACCES, "Linux 6.2"), (errno.ENODEV, "No such device")]
)
def test_a_refusal_is_told_and_not_repeated(monkeypatch, code, words):
    """An older kernel, or a drive that is going."""
    asked = []

    def refuse(fd):
        asked.append(fd)
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(power_states, "identify", refuse)
    states = PowerStates(Drives("nvme0"))  # type: ignore[arg-type]
    assert words in str(states.read()[0].unavailable)
    assert words in str(states.read()[0].unavailable)
    assert len(asked) == 1


def test_a_drive_that_hangs_holds_nobody_up_and_is_asked_by_one_thread_only(monkeypatch):
    """Asked ten times, the answer is there at once when the drive wakes up."""
    answers = threading.Event()
    asked = []

    def hang(fd):
        asked.append(fd)
        answers.wait(20)
        return _data()

    monkeypatch.setattr(power_states, "identify", hang)
    monkeypatch.setattr(power_states, "_WAIT_S", 0.01)
    states = PowerStates(Drives("nvme0"))  # type: ignore[arg-type]
    for _ in range(10):
        assert states.read() == (Controller("nvme0", (), Said("helper.kernel.drive_silent")),)
    assert len(asked) == 1
    answers.set()
    monkeypatch.setattr(power_states, "_WAIT_S", 10)
    assert states.read()[0].states == states_of(_data())


def test_what_is_no_drive_refuses_the_command():
    """A real descriptor and a real ioctl."""
    with open(os.devnull, "rb") as device, pytest.raises(OSError, match="Inappropriate ioctl"):
        identify(device.fileno())
