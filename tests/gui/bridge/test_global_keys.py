# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys of the whole desktop, on a private session bus with a played portal."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import dbus
import pytest

from destutter.bridge.global_keys import MARK, RECORD, GlobalKeys, KeysState
from destutter.bridge.kept_settings import KeptSettings
from destutter.settings import Places, Settings
from destutter.ui.settings.settings_page import SettingsPage
from tests.support.session_bus import session_bus, wait_for_name
from tests.support.window_kit import make_theme

WORDS = {MARK: "Mark this moment", RECORD: "Record, or stop"}
NAME, PATH = "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop"
TEST = "org.destutter.Test"  # of tests/support/played_portal.py
ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def address(tmp_path):
    """A session bus."""
    with session_bus(tmp_path) as made:
        yield made


@contextmanager
def _portal(address: str, *options: str) -> Iterator[dbus.Interface]:
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.support.played_portal", *options],
        env={"DBUS_SESSION_BUS_ADDRESS": address, "PATH": "/usr/bin:/bin"},
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
    )
    bus = dbus.bus.BusConnection(address)
    try:
        wait_for_name(bus, NAME)
        yield dbus.Interface(bus.get_object(NAME, PATH, introspect=False), TEST)
    finally:
        bus.close()
        process.terminate()
        process.wait()


@pytest.fixture
def keys(address):
    """What the window has; let go at the end."""
    made = GlobalKeys(address)
    yield made
    made.stop()


def test_keys_are_asked_for_and_pressed(keys, address, qtbot):
    """The desktop tells which they are; those of another program's session are not ours."""
    with _portal(address) as portal:
        keys.look()
        qtbot.waitUntil(lambda: keys.state is KeysState.OFFERED, timeout=10_000)
        keys.bind(WORDS)
        qtbot.waitUntil(lambda: keys.state is KeysState.BOUND, timeout=10_000)
        assert keys.keys == {MARK: "Super+mark", RECORD: "Super+record"}
        assert {str(id_): str(text) for id_, text in portal.Bound()} == WORDS
        pressed: list[str] = []
        keys.pressed.connect(pressed.append)
        portal.Press(MARK)
        portal.Press(RECORD)
        qtbot.waitUntil(lambda: pressed == [MARK, RECORD], timeout=10_000)
        keys.stop()
        assert keys.state is KeysState.OFFERED


def test_a_no_is_taken(keys, address, qtbot):
    """The user declined: nothing is bound, and it can be asked for again."""
    with _portal(address, "--refuse"):
        keys.bind(WORDS)
        qtbot.waitUntil(lambda: keys.state is KeysState.REFUSED, timeout=10_000)
        assert keys.keys == {}
        with qtbot.waitSignal(keys.changed):
            keys.bind(WORDS)
        qtbot.waitUntil(lambda: keys.state is KeysState.REFUSED, timeout=10_000)


def test_a_desktop_without_the_portal_has_commands(keys, qtbot, qapp, tmp_path):
    """The page says what to bind, and promises nothing."""
    settings = KeptSettings(Places(tmp_path, tmp_path), Settings())
    page = SettingsPage(make_theme(qapp), settings, keys=keys)
    qtbot.addWidget(page)
    page.show()
    qtbot.waitUntil(lambda: keys.state is KeysState.ABSENT, timeout=10_000)
    assert "destutter mark" in page.keys.note.text()
    assert not page.keys.check.isVisible()
    keys.bind(WORDS)
    qtbot.waitUntil(lambda: keys.state is KeysState.ABSENT, timeout=10_000)
