# SPDX-License-Identifier: GPL-3.0-or-later
"""What the system bus tells of the root helper by itself."""

from PySide6.QtCore import SLOT, QObject
from PySide6.QtDBus import QDBusConnection, QDBusServiceWatcher

from destutter_helper.api import names

_HELPER = names.BUS_NAME, names.OBJECT_PATH, names.INTERFACE
_DAEMON = "org.freedesktop.DBus"


def subscribe(bus: QDBusConnection, receiver: QObject) -> QDBusServiceWatcher:
    """Connect slots of the receiver, which are private to it; the owner of the helper's name is
    told by what is returned.

    A helper that is installed or removed while a window is open is not started by that, so that no
    owner of its name comes or goes: "not installed" stood there until the next start, and "ready"
    after it was removed. The bus tells of each change of what it can start (dbus 1.14, 2022).
    """
    for where, signal, method in (
        (_HELPER, "StateChanged", "_state_changed(QDBusMessage)"),
        (_HELPER, "TrialEnded", "_trial_ended(QDBusMessage)"),
        (_HELPER, "Drift", "_drifted(QDBusMessage)"),
        (("", "/org/freedesktop/DBus/Local", f"{_DAEMON}.Local"), "Disconnected", "_bus_left()"),
        (
            (_DAEMON, "/org/freedesktop/DBus", _DAEMON),
            "ActivatableServicesChanged",
            "_services_changed()",
        ),
    ):
        # The stubs ask for bytes here, the binding takes only text.
        bus.connect(*where, signal, receiver, SLOT(method))  # type: ignore[call-overload]
    mode = QDBusServiceWatcher.WatchModeFlag.WatchForOwnerChange
    return QDBusServiceWatcher(names.BUS_NAME, bus, mode, receiver)
