# SPDX-License-Identifier: GPL-3.0-or-later
"""What a Flatpak asks of portals, on a private session bus with a played one."""

import logging

import pytest

from destutter.bridge.notifications import Note, Occasion
from destutter.bridge.portals import BackgroundPortal, NotificationPortal
from destutter.core.bus_caller import BusCaller, BusCallError
from tests.support.session_bus import mocked, session_bus

NAME, PATH = "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop"
NOTIFICATION = "org.freedesktop.portal.Notification"
BACKGROUND = "org.freedesktop.portal.Background"


@pytest.fixture
def address(tmp_path):
    """A session bus."""
    with session_bus(tmp_path) as made:
        yield made


@pytest.fixture
def portal(address):
    """A desktop with both portals."""
    with mocked(address, NAME, PATH, NOTIFICATION) as mock:
        mock.AddMethod(NOTIFICATION, "AddNotification", "sa{sv}", "", "")
        mock.AddMethod(
            BACKGROUND,
            "RequestBackground",
            "sa{sv}",
            "o",
            "ret = dbus.ObjectPath('/org/freedesktop/portal/desktop/request/1')",
        )
        yield mock


def test_note_goes_to_the_portal_in_its_one_slot(portal, address):
    """The same name each time, so that the second replaces the first."""
    notifications = NotificationPortal(BusCaller(address))
    assert notifications.show(Note(Occasion.RECORDING_FINISHED, "Recording finished", "12 min"))
    assert notifications.show(Note(Occasion.TRIAL_REVERTED, "The trial has ended", ""))
    notifications.close()
    first, second = (list(call[2]) for call in portal.GetCalls())
    assert first == [
        "destutter",
        {"title": "Recording finished", "body": "12 min", "priority": "low"},
    ]
    assert second[0] == "destutter"
    assert second[1]["priority"] == "normal"


def test_background_is_asked_for_without_a_start_at_log_in(portal, address):
    """The desktop shows the reason to its user."""
    BackgroundPortal(BusCaller(address)).ask("It keeps measuring while you play.")
    ((_, method, arguments),) = portal.GetCalls()
    assert method == "RequestBackground"
    assert list(arguments) == [
        "",
        {
            "reason": "It keeps measuring while you play.",
            "autostart": False,
            "commandline": ["destutter", "--hidden"],
        },
    ]


def test_a_start_at_log_in_is_asked_for_where_it_is_wanted(portal, address):
    """Without a window, and by the name that the command has in there."""
    BackgroundPortal(BusCaller(address)).ask("because", starts_with_desktop=True)
    ((_, _, (_, options)),) = portal.GetCalls()
    assert options["autostart"]
    assert options["commandline"] == ["destutter", "--hidden"]


def test_without_a_portal_the_window_goes_on(address, caplog):
    """A desktop without portals shows no notification, and ends nothing in the background."""
    notifications = NotificationPortal(BusCaller(address))
    with pytest.raises(BusCallError):
        notifications.show(Note(Occasion.DRIFT_FOUND, "One", "Two"))
    notifications.close()
    with caplog.at_level(logging.INFO, "destutter.portals"):
        BackgroundPortal(BusCaller(address)).ask("because")
    assert "nobody was asked about the background" in caplog.text
