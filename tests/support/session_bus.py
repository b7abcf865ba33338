# SPDX-License-Identifier: GPL-3.0-or-later
"""A session bus of a test's own, with services that python-dbusmock plays."""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import dbus

APPEARS_S = 20.0


@contextmanager
def session_bus(folder: Path) -> Iterator[str]:
    """A bus that ends with the test; its address."""
    address = f"unix:path={folder}/session-bus"
    daemon = subprocess.Popen(
        ["dbus-daemon", "--session", "--nofork", f"--address={address}", "--print-address"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert daemon.stdout is not None
    assert daemon.stdout.readline()
    try:
        yield address
    finally:
        daemon.terminate()
        daemon.wait()
        daemon.stdout.close()


@contextmanager
def mocked(address: str, name: str, path: str, *options: str) -> Iterator[dbus.Interface]:
    """A service on that bus; the interface by which tests tell it what to do.

    ``options``: the main interface, or "-t" and a template of python-dbusmock.
    """
    bus = dbus.bus.BusConnection(address)
    place = [] if options[:1] == ("-t",) else [name, path]
    process = subprocess.Popen(
        [sys.executable, "-m", "dbusmock", "--session", *place, *options],
        env={"DBUS_SESSION_BUS_ADDRESS": address, "PATH": "/usr/bin:/bin"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_for_name(bus, name)
        proxy = bus.get_object(name, path, introspect=False)
        yield dbus.Interface(proxy, "org.freedesktop.DBus.Mock")
    finally:
        bus.close()
        process.terminate()
        process.wait()


def wait_for_name(bus: dbus.bus.BusConnection, name: str) -> None:
    """Wait until somebody has this name."""
    give_up = time.monotonic() + APPEARS_S
    while not bus.name_has_owner(name):
        assert time.monotonic() < give_up, f"{name} did not appear"
        time.sleep(0.02)
