# SPDX-License-Identifier: GPL-3.0-or-later
"""Notifications on a private session bus with a played notification service."""

import logging
from collections.abc import Iterator
from typing import Any

import dbus
import pytest

from destutter.bridge.notifications import (
    SPACING_S,
    Note,
    Notifications,
    NotificationServer,
    Occasion,
)
from destutter.core.bus_caller import BusCaller, BusCallError
from tests.support.session_bus import mocked, session_bus

NAME, PATH = "org.freedesktop.Notifications", "/org/freedesktop/Notifications"
NOTE = Note(Occasion.RECORDING_FINISHED, "Recording finished", "flight.destutter, 12 min")


@pytest.fixture
def address(tmp_path) -> Iterator[str]:
    """A session bus."""
    with session_bus(tmp_path) as made:
        yield made


@pytest.fixture
def service(address) -> Iterator[dbus.Interface]:
    """A service that answers Notify with one more than the slot it is asked to replace."""
    with mocked(address, NAME, PATH, NAME) as mock:
        mock.AddMethod(NAME, "Notify", "susssasa{sv}i", "u", "ret = args[1] or 7")
        yield mock


class Clock:
    """Seconds that a test moves on."""

    now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def make(address, qapp) -> Iterator[tuple[Notifications, Clock]]:
    """The notifications of a program, with a clock."""
    clock = Clock()
    made = Notifications(NotificationServer(BusCaller(address)), clock=clock)
    yield made, clock
    made.stop()


def calls(service: dbus.Interface) -> list[list[Any]]:
    """The arguments of every Notify so far."""
    return [list(call[2]) for call in service.GetCalls() if str(call[1]) == "Notify"]


def test_note_arrives_as_the_specification_wants_it(service, make, qtbot):
    """Program, slot, icon, texts and hints have the types and values of the specification."""
    notifications, _ = make
    with qtbot.waitSignal(notifications.shown, timeout=10_000) as told:
        assert notifications.offer(NOTE)
    assert told.args == [Occasion.RECORDING_FINISHED]
    ((program, slot, icon, summary, body, actions, hints, expires),) = calls(service)
    assert (program, slot, icon) == ("Destutter", 0, "io.github.destutter.Destutter")
    assert (summary, body, list(actions), expires) == (NOTE.summary, NOTE.body, [], -1)
    assert hints == {
        "desktop-entry": "io.github.destutter.Destutter",
        "urgency": 0,
        "transient": True,
    }


def test_second_note_replaces_the_first(service, make, qtbot):
    """There is one slot: the second notification names the number of the first."""
    notifications, clock = make
    for occasion in (Occasion.DRIFT_FOUND, Occasion.TRIAL_REVERTED):
        with qtbot.waitSignal(notifications.shown, timeout=10_000):
            assert notifications.offer(Note(occasion, "One", "Two"))
        clock.now_s += SPACING_S
    assert [call[1] for call in calls(service)] == [0, 7]
    assert [call[6]["urgency"] for call in calls(service)] == [1, 1]
    assert all("transient" not in call[6] for call in calls(service))


def test_at_most_one_note_in_ten_minutes(service, make, qtbot):
    """A second note within ten minutes is dropped, not kept for later."""
    notifications, clock = make
    with qtbot.waitSignal(notifications.shown, timeout=10_000):
        notifications.offer(NOTE)
    clock.now_s += SPACING_S - 1
    assert not notifications.offer(NOTE)
    clock.now_s += 1
    with qtbot.waitSignal(notifications.shown, timeout=10_000):
        assert notifications.offer(NOTE)
    assert len(calls(service)) == 2


def test_switched_off_means_nothing_is_sent(service, make):
    """Without the user's wish no notification is sent."""
    notifications, _ = make
    notifications.is_wanted = False
    assert not notifications.offer(NOTE)
    notifications.stop()
    assert calls(service) == []


def test_quiet_desktop_is_left_in_quiet(service, make):
    """While the service says Inhibited, nothing is shown."""
    service.AddProperty(NAME, "Inhibited", dbus.Boolean(True, variant_level=1))
    notifications, _ = make
    notifications.offer(NOTE)
    notifications.stop()
    assert calls(service) == []


def test_without_a_service_nothing_goes_wrong(make, qapp, caplog):
    """On a bus where nobody shows notifications, the offer is forgotten, for a reason."""
    notifications, _ = make
    shown: list[Occasion] = []
    notifications.shown.connect(shown.append)
    with caplog.at_level(logging.INFO, "destutter.notifications"):
        assert notifications.offer(NOTE)
        notifications.stop()
    qapp.processEvents()
    assert shown == []
    assert "no notification" in caplog.text


def test_without_a_bus_the_reason_is_told(tmp_path):
    """A caller without a bus says so in words."""
    caller = BusCaller(f"unix:path={tmp_path}/none")
    with pytest.raises(BusCallError, match="no message bus that answers"):
        caller.call(NAME, PATH, (NAME, "GetCapabilities"))
    with pytest.raises(BusCallError, match="names no socket"):
        BusCaller("tcp:host=localhost").call(NAME, PATH, (NAME, "GetCapabilities"))


def test_caller_reads_a_real_answer(address):
    """Types of a real bus daemon's answers are read: numbers, texts and lists."""
    caller = BusCaller(address)
    bus = ("org.freedesktop.DBus", "/org/freedesktop/DBus")
    (names,) = caller.call(*bus, ("org.freedesktop.DBus", "ListNames"))
    assert "org.freedesktop.DBus" in names
    (found,) = caller.call(*bus, ("org.freedesktop.DBus", "NameHasOwner"), "s", (names[0],))
    assert found is True
    with pytest.raises(BusCallError, match="UnknownMethod"):
        caller.call(*bus, ("org.freedesktop.DBus", "Nothing"))
    caller.close()
