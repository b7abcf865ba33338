# SPDX-License-Identifier: GPL-3.0-or-later
"""Strangers without any right, who try to end or delay somebody else's trial over the bus."""

import contextlib
import ctypes
import json
import os
import re
import resource
import signal
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from destutter_helper.api.names import BUS_NAME, HOLDS_NAME
from tests.support import scratch_tree, wire
from tests.support.bus_kit import CHECKOUT, ERROR, PYTHON, eventually
from tests.support.private_bus import PrivateBus

pytestmark = pytest.mark.long

DRIVER = {"dest": "org.freedesktop.DBus", "iface": "org.freedesktop.DBus"}

PIDFD_GETFD = 438  # the same on every architecture; Python has no name for it
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


@contextlib.contextmanager
def flood(bus: PrivateBus, member: str, megabytes: float) -> Iterator[None]:
    """Have a stranger send small messages, all of which the bus has taken at the beginning."""
    place = bus.address.removeprefix("unix:path=")
    command = [PYTHON, "-I", str(CHECKOUT / "tests/support/tiny_messages.py")]
    command += [place, member, str(megabytes)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as stranger:
        assert stranger.stdin is not None
        assert stranger.stdout is not None
        assert stranger.stdout.readline() == b"sent\n"
        yield
        stranger.stdin.close()


def test_a32_tiny_messages_neither_delay_nor_fell_the_helper(granted):
    """20 MB of calls that do not exist: the owner's end of the trial is told, memory stays."""
    client = granted.client()
    client.call("BeginTrial", "sib", wire.swappiness(10), 120, False)
    with flood(granted, "A", 20):
        client.close()
        eventually(lambda: scratch_tree.value(granted.root, "vm/swappiness") == "60", 30)
        assert json.loads(granted.client().call("GetState"))["state"] == "idle"
    assert status_kib(granted, "VmHWM") < 100 * 1024


@pytest.mark.parametrize("member", ["ListTunables", "Preview"])
def test_a34_readers_without_reply_are_not_read_for(granted, member):
    """20,000 lists that nobody will get: the next caller is served, and no file was read."""
    client = granted.client()
    client.call("GetState")
    before = reads(granted)
    with flood(granted, member, 20_000 * 180 / 1e6):
        assert json.loads(granted.client().call("GetState"))["state"] == "idle"
    assert reads(granted) - before < 20_000


def test_a34_a_user_gets_only_so_much_of_the_helper(granted):
    """Whoever asks and asks is told to wait; undo and the state are there all the same."""
    client = granted.client()
    answers: dict[str, int] = {}
    while not any(name.endswith("RateLimited") for name in answers):
        answers |= client.ask("flood", count=100, member="Verify")["tally"]
    assert json.loads(client.call("GetState"))["state"] == "idle"
    client.call("Undo", "s", "{}")


@pytest.mark.parametrize(
    ("member", "sig", "rest"), [("Preview", "s", []), ("BeginTrial", "sib", [30, False])]
)
def test_a43_what_is_refused_costs_its_caller_as_much(granted, member, sig, rest):
    """Every setting of a long list is looked at before the last one is refused: that counts."""
    client = granted.client()
    pairs = [{"id": "vm.swappiness", "value": "10", "device": ""}]
    pairs += [{"id": "block.read_ahead_kb", "value": "512", "device": f"no{n}"} for n in range(60)]
    args = [json.dumps({"changes": pairs}), *rest]
    answers: dict[str, int] = {}
    while not any(name.endswith("RateLimited") for name in answers):
        answers |= client.ask("flood", count=100, member=member, sig=sig, args=args)["tally"]
    assert any(name.endswith("DeviceGone") for name in answers)
    assert json.loads(client.call("GetState"))["state"] == "idle"


def reads(bus: PrivateBus) -> int:
    """Return how many times the service has read from a file."""
    assert bus.helper is not None
    text = Path(f"/proc/{bus.helper.pid}/io").read_text()
    return int(re.findall(r"syscr: (\d+)", text)[0])


def test_a33_descriptors_of_strangers_do_not_cost_the_connection(granted):
    """320 of them wait while the helper is busy: all are refused, and it is still there."""
    client, stranger = granted.client(), granted.client()
    client.call("BeginTrial", "sib", wire.swappiness(10), 120, False)
    granted.helper.send_signal(signal.SIGSTOP)
    calls = {"member": "GetState", "sig": "h" * 16, "args": [{"fd": 0}] * 16}
    number = stranger.send("flood", count=20, **calls)
    granted.helper.send_signal(signal.SIGCONT)
    assert set(stranger.wait(number)["tally"]) == {ERROR + "InvalidArgument"}
    assert json.loads(client.call("GetState"))["state"] == "trial"
    limit = resource.prlimit(granted.helper.pid, resource.RLIMIT_NOFILE)
    assert limit[0] == min(8192, limit[1])


def bus_connections(bus: PrivateBus) -> list[socket.socket]:
    """The helper's own connections to the bus, shared with it (pidfd_getfd(2))."""
    assert bus.helper is not None
    libc = ctypes.CDLL(None, use_errno=True)
    found = []
    with open(os.pidfd_open(bus.helper.pid), "rb", buffering=0) as process:
        for link in sorted(Path(f"/proc/{bus.helper.pid}/fd").iterdir()):
            if not os.readlink(link).startswith("socket:"):
                continue
            number = libc.syscall(PIDFD_GETFD, process.fileno(), int(link.name), 0)
            assert number >= 0, os.strerror(ctypes.get_errno())
            end = socket.socket(fileno=number)
            is_bus = end.getpeername() == bus.address.removeprefix("unix:path=")
            found.append(end) if is_bus else end.close()
    return found


@pytest.mark.parametrize("which", [0, 1])
def test_a_helper_that_lost_either_connection_says_so(granted, which):
    """The one for the power profile as well: what it held has gone with it."""
    granted.client().call("BeginTrial", "sib", wire.swappiness(10), 120, False)
    with contextlib.ExitStack() as opened:
        ends = [opened.enter_context(end) for end in bus_connections(granted)]
        assert len(ends) == 2
        ends[which].shutdown(socket.SHUT_RDWR)
    assert granted.helper.wait(10) == 1
    assert scratch_tree.value(granted.root, "vm/swappiness") == "60"


def test_a33_a_helper_that_lost_the_bus_says_so(granted):
    """The exit status is that of a fault, so that systemd brings it back; the trial is over."""
    granted.client().call("BeginTrial", "sib", wire.swappiness(10), 120, False)
    granted.end_bus()
    assert granted.helper.wait(10) == 1
    assert scratch_tree.value(granted.root, "vm/swappiness") == "60"


def test_a45_the_helper_has_its_names_before_it_does_anything_else(quiet_bus):
    """The bus's policy knows connections by their names: before, strangers may send them anything.

    Between a connection's first message and the one for its name there is nothing.
    """
    command = ["dbus-monitor", "--address", quiet_bus.address, "type=method_call"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as monitor:
        try:
            assert monitor.stdout is not None
            monitor.stdout.readline()  # it is there
            quiet_bus.start_helper()
            ours = {
                quiet_bus.client().call("GetNameOwner", "s", name, **DRIVER)
                for name in (BUS_NAME, HOLDS_NAME)
            }
        finally:
            monitor.terminate()
        said: dict[str, list[str]] = {}
        for line in monitor.stdout:
            if found := re.match(r"method call .*sender=(\S+) .*member=(\w+)", line):
                said.setdefault(found[1], []).append(found[2])
    assert len(ours) == 2
    assert [said[name][:2] for name in ours] == [["Hello", "RequestName"]] * 2
