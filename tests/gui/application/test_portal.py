# SPDX-License-Identifier: GPL-3.0-or-later
"""The desktop's colour scheme by the Settings portal, on a bus of its own with a mocked portal."""

import subprocess
import sys
import time
from collections.abc import Iterator

import dbus
import pytest
from PySide6.QtDBus import QDBusConnection
from PySide6.QtWidgets import QApplication

from destutter.ui.look.desktop_scheme import DesktopScheme, Scheme
from destutter.ui.look.portal_scheme import PortalScheme

NAME, PATH = "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop"
SETTINGS = "org.freedesktop.portal.Settings"
MOCK = "org.freedesktop.DBus.Mock"


@pytest.fixture
def bus_address(tmp_path) -> Iterator[str]:
    """A session bus that ends with the test."""
    address = f"unix:path={tmp_path}/bus"
    daemon = subprocess.Popen(
        ["dbus-daemon", "--session", "--nofork", f"--address={address}", "--print-address"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert daemon.stdout is not None
    assert daemon.stdout.readline()
    yield address
    daemon.terminate()
    daemon.wait()
    daemon.stdout.close()


@pytest.fixture
def portal(bus_address, monkeypatch) -> Iterator[dbus.Interface]:
    """A portal that has no settings yet; tests give it methods."""
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", bus_address)
    process = subprocess.Popen(
        [sys.executable, "-m", "dbusmock", "--session", NAME, PATH, SETTINGS],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    bus = dbus.bus.BusConnection(bus_address)
    give_up = time.monotonic() + 20
    while not bus.name_has_owner(NAME) and time.monotonic() < give_up:
        time.sleep(0.02)
    yield dbus.Interface(bus.get_object(NAME, PATH), MOCK)
    bus.close()
    process.terminate()
    process.wait()


@pytest.fixture
def connection(bus_address) -> Iterator[QDBusConnection]:
    """Qt's connection to that bus."""
    made = QDBusConnection.connectToBus(bus_address, bus_address)
    yield made
    QDBusConnection.disconnectFromBus(bus_address)


@pytest.fixture
def scheme(connection, qapp: QApplication) -> Iterator[DesktopScheme]:
    """The desktop's scheme as the window asks for it."""
    made = DesktopScheme(qapp.styleHints(), connection)
    yield made
    made.deleteLater()


def answers(method: str, color: int, contrast: int) -> tuple[str, str, str, str, str]:
    """A method of the portal that answers with these values."""
    code = f"ret = dbus.UInt32({{'color-scheme': {color}, 'contrast': {contrast}}}[args[1]])"
    return (SETTINGS, method, "ss", "v", code)


@pytest.mark.parametrize(
    ("color", "expected"), [(1, Scheme.DARK), (2, Scheme.LIGHT), (0, Scheme.LIGHT)]
)
def test_portal_tells_the_scheme(portal, scheme, qtbot, color, expected):
    """1 is dark, 2 light; 0, which GNOME sends for its light style, is light."""
    portal.AddMethod(*answers("ReadOne", color, 0))
    scheme.ask_portal()
    qtbot.waitUntil(lambda: scheme.scheme is expected, timeout=10_000)
    assert not scheme.is_high_contrast


def test_portal_of_the_first_version(portal, scheme, qtbot):
    """A portal that does not know ReadOne is asked with Read."""
    portal.AddMethod(*answers("Read", 1, 1))
    scheme.ask_portal()
    qtbot.waitUntil(lambda: scheme.is_high_contrast, timeout=10_000)
    assert scheme.scheme is Scheme.DARK


def test_change_of_the_desktop_is_followed(portal, scheme, qtbot):
    """When the desktop switches at run time, so does the window."""
    portal.AddMethod(*answers("ReadOne", 2, 0))
    scheme.ask_portal()
    qtbot.waitUntil(lambda: scheme.scheme is Scheme.LIGHT, timeout=10_000)
    value = dbus.UInt32(1, variant_level=1)
    portal.EmitSignal(
        SETTINGS, "SettingChanged", "ssv", ["org.freedesktop.appearance", "color-scheme", value]
    )
    qtbot.waitUntil(lambda: scheme.scheme is Scheme.DARK, timeout=10_000)


def test_without_a_portal_nobody_knows(scheme, qtbot):
    """On a bus without the portal the scheme stays unknown, and nothing goes wrong."""
    scheme.ask_portal()
    portal = scheme.findChild(PortalScheme)
    qtbot.waitUntil(lambda: not portal._calls, timeout=10_000)
    assert scheme.scheme is Scheme.UNKNOWN
