# SPDX-License-Identifier: GPL-3.0-or-later
"""One window per session, on a private session bus; the second start is another process."""

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest
from PySide6.QtDBus import QDBusConnection

from destutter.bridge.single_instance import SingleInstance
from destutter.core.running_instance import BUS_NAME, OBJECT_PATH, session_address
from tests.support.session_bus import session_bus

_SECOND = """
import os, sys
from destutter.core.running_instance import RunningInstance
running = RunningInstance(os.environ)
assert running.is_there
{action}
running.close()
"""


@pytest.fixture
def address(tmp_path) -> Iterator[str]:
    """A session bus."""
    with session_bus(tmp_path) as made:
        yield made


@pytest.fixture
def bus(address) -> Iterator[QDBusConnection]:
    """Qt's connection to it."""
    yield QDBusConnection.connectToBus(address, address)
    QDBusConnection.disconnectFromBus(address)


MARKS: list[str] = []


def take_mark(text: str) -> str:
    """Keep the text; it was recorded."""
    MARKS.append(text)
    return "recorded"


@pytest.fixture
def instance(bus, qapp) -> Iterator[SingleInstance]:
    """The first window; it takes every marker and says that it was recorded."""
    made = SingleInstance(bus, take_mark)
    MARKS.clear()
    assert made.take()
    yield made
    made.leave()
    made.deleteLater()


@pytest.fixture
def second(address, qtbot):
    """Runs code in a second process and waits for its end while the first one answers."""

    def run(*command: str) -> tuple[int, str, str]:
        with subprocess.Popen(
            command,
            env=os.environ | {"DBUS_SESSION_BUS_ADDRESS": address},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            try:
                qtbot.waitUntil(lambda: process.poll() is not None, timeout=30_000)
            finally:
                process.kill()
            output, errors = process.communicate()
            return process.returncode, output, errors

    return run


def action(code: str) -> tuple[str, ...]:
    """A Python program that does something to the running window."""
    return sys.executable, "-c", _SECOND.format(action=code)


def test_second_instance_does_not_get_the_name(instance, address, qapp):
    """While one window has the name, another connection cannot take it; afterwards it can."""
    other = QDBusConnection.connectToBus(address, "other")
    late = SingleInstance(other, lambda _text: "shown")
    assert not late.take()
    instance.leave()
    assert late.take()
    late.leave()
    QDBusConnection.disconnectFromBus("other")


def test_second_start_brings_the_window_to_the_front(instance, second, qtbot):
    """Activate arrives, with the token that the desktop gave to the second start."""
    with qtbot.waitSignal(instance.activated, timeout=30_000) as told:
        code = "os.environ['XDG_ACTIVATION_TOKEN'] = 'abc'\n"
        code += "running = RunningInstance(os.environ); running.activate()"
        assert second(*action(code)) == (0, "", "")
    assert told.args == ["abc"]


def test_actions_and_files_arrive(instance, second, qtbot):
    """ActivateAction and Open reach the window with their arguments."""
    with qtbot.waitSignal(instance.action_requested, timeout=30_000) as told:
        assert second(*action("running.run_action('strip')")) == (0, "", "")
    assert told.args == ["strip"]
    with qtbot.waitSignal(instance.opened, timeout=30_000) as told:
        assert second(*action("running.open(['file:///a.destutter'])")) == (0, "", "")
    assert told.args == [["file:///a.destutter"]]


def test_desktops_reach_it_too(instance, second):
    """A call as a desktop makes it, by gdbus, is answered."""
    target = ("-d", BUS_NAME, "-o", OBJECT_PATH)
    method = "org.freedesktop.Application.ActivateAction"
    done = second("gdbus", "call", "--session", *target, "-m", method, "record", "[]", "{}")
    assert done == (0, "()\n", "")


def test_mark_command_reaches_the_window(instance, second):
    """`destutter mark TEXT` puts the text into the window and says where it went."""
    status, output, errors = second(sys.executable, "-m", "destutter", "mark", "over", " the sea")
    assert (status, errors) == (0, "")
    assert output == "Marked in the recording: over the sea\n"
    assert MARKS == ["over the sea"]


def test_mark_without_a_window_is_told(address, second):
    """Without an open window the command says so in one line and ends with 1."""
    status, output, errors = second(sys.executable, "-m", "destutter", "mark")
    assert (status, output) == (1, "")
    assert errors == ("destutter: no window of Destutter is open, so there is nothing to mark\n")


def test_without_a_session_bus_it_is_the_only_one(qapp):
    """Where no bus runs, the window opens all the same."""
    nowhere = QDBusConnection.connectToBus("unix:path=/nonexistent", "nowhere")
    alone = SingleInstance(nowhere, lambda _text: "shown")
    assert alone.take()
    alone.leave()
    QDBusConnection.disconnectFromBus("nowhere")


def test_address_of_the_bus(tmp_path):
    """The variable of the session counts; without it the user's runtime folder."""
    assert session_address({"DBUS_SESSION_BUS_ADDRESS": "unix:path=/a"}) == "unix:path=/a"
    assert session_address({"XDG_RUNTIME_DIR": str(tmp_path)}) == ""
    (tmp_path / "bus").touch()
    assert session_address({"XDG_RUNTIME_DIR": str(tmp_path)}) == f"unix:path={tmp_path}/bus"
    assert session_address({}) == ""
