# SPDX-License-Identifier: GPL-3.0-or-later
"""The desktop's appearance settings by the Settings portal of the session bus.

The portal's values: color-scheme 1 is dark, 2 light and 0 "no preference", which GNOME also sends
for its light style; contrast 1 is high.
"""

from typing import Any

from PySide6.QtCore import SLOT, QObject, Signal, Slot
from PySide6.QtDBus import (
    QDBusConnection,
    QDBusError,
    QDBusMessage,
    QDBusPendingCallWatcher,
    QDBusVariant,
)

_SERVICE = "org.freedesktop.portal.Desktop"
_PATH = "/org/freedesktop/portal/desktop"
_INTERFACE = "org.freedesktop.portal.Settings"
_NAMESPACE = "org.freedesktop.appearance"
KEYS = ("color-scheme", "contrast")


class PortalScheme(QObject):
    """Asks once and then listens. ``told(str, int)``: a key of ``KEYS`` and its value."""

    told = Signal(str, int)

    def __init__(self, bus: QDBusConnection, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bus = bus
        self._calls: dict[QDBusPendingCallWatcher, tuple[str, str]] = {}

    def ask(self) -> None:
        """Ask for all keys. Where there is no portal, nothing is ever told."""
        slot = SLOT("portalChanged(QString,QString,QDBusVariant)")
        # The binding's stub asks for bytes; the binding itself refuses them and takes the text.
        self._bus.connect(  # type: ignore[call-overload]
            _SERVICE, _PATH, _INTERFACE, "SettingChanged", self, slot
        )
        for key in KEYS:
            self._read(key, "ReadOne")

    def _read(self, key: str, method: str) -> None:
        message = QDBusMessage.createMethodCall(_SERVICE, _PATH, _INTERFACE, method)
        message.setArguments([_NAMESPACE, key])
        call = QDBusPendingCallWatcher(self._bus.asyncCall(message), self)
        call.finished.connect(self._answered)
        self._calls[call] = (key, method)

    @Slot(str, str, QDBusVariant)
    def portalChanged(self, namespace: str, key: str, value: QDBusVariant) -> None:
        if namespace == _NAMESPACE and key in KEYS:
            self._tell(key, value)

    @Slot(QDBusPendingCallWatcher)
    def _answered(self, call: QDBusPendingCallWatcher) -> None:
        key, method = self._calls.pop(call)
        arguments = call.reply().arguments()
        if not call.isError() and arguments:
            self._tell(key, arguments[0])
        # Portals before version 2 of this interface only know the older name.
        is_older = call.error().type() == QDBusError.ErrorType.UnknownMethod
        if is_older and method == "ReadOne":
            self._read(key, "Read")
        call.deleteLater()

    def _tell(self, key: str, value: Any) -> None:
        while isinstance(value, QDBusVariant):
            value = value.variant()
        if isinstance(value, int):
            self.told.emit(key, value)
