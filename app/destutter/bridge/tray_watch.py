# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether there is a place for a tray icon: the StatusNotifierWatcher of the desktop.

Qt looks once and remembers the answer for ever, so it must not be asked before there is one.
"""

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtDBus import (
    QDBusConnection,
    QDBusMessage,
    QDBusPendingCallWatcher,
    QDBusServiceWatcher,
)

WATCHER = "org.kde.StatusNotifierWatcher"
_BUS = ("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus")


class TrayWatch(QObject):
    """``appeared()`` when the desktop has a tray now, ``absent()`` when it has none at first,
    ``vanished()`` when it goes away.
    """

    appeared = Signal()
    absent = Signal()
    vanished = Signal()

    def __init__(self, bus: QDBusConnection, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bus = bus
        self._call: QDBusPendingCallWatcher | None = None
        mode = QDBusServiceWatcher.WatchModeFlag.WatchForOwnerChange
        self._watcher = QDBusServiceWatcher(WATCHER, bus, mode, self)
        self._watcher.serviceRegistered.connect(self.appeared)
        self._watcher.serviceUnregistered.connect(self.vanished)

    def ask(self) -> None:
        """Ask whether it is there already. Without a session bus there is none."""
        if not self._bus.isConnected():
            self.absent.emit()
            return
        message = QDBusMessage.createMethodCall(*_BUS, "NameHasOwner")
        message.setArguments([WATCHER])
        self._call = QDBusPendingCallWatcher(self._bus.asyncCall(message), self)
        self._call.finished.connect(self._answered)

    @Slot(QDBusPendingCallWatcher)
    def _answered(self, call: QDBusPendingCallWatcher) -> None:
        is_there = not call.isError() and call.reply().arguments() == [True]
        (self.appeared if is_there else self.absent).emit()
        call.deleteLater()
        self._call = None
