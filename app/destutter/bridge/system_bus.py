# SPDX-License-Identifier: GPL-3.0-or-later
"""Another connection to the system bus: Qt keeps its first one, even one that never came about."""

from PySide6.QtDBus import QDBusConnection

_NAME = "destutter-system-bus"


def system_bus_anew() -> QDBusConnection:
    """A connection beside ``QDBusConnection.systemBus()``, in place of the last one of these."""
    QDBusConnection.disconnectFromBus(_NAME)
    return QDBusConnection.connectToBus(QDBusConnection.BusType.SystemBus, _NAME)
