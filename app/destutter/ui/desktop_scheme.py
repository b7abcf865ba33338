# SPDX-License-Identifier: GPL-3.0-or-later
"""What the desktop asks for: dark or light, and whether it wants more contrast.

Qt's own answer counts first. Where Qt has none (a session without a platform theme), the
Settings portal is asked once and then listened to; where that is absent too, the answer is
unknown. The portal's values: color-scheme 1 is dark, 2 light and 0 "no preference", which GNOME
also sends for its light style; contrast 1 is high.
"""

from enum import Enum
from typing import Any

from PySide6.QtCore import SLOT, QObject, Qt, Signal, Slot
from PySide6.QtDBus import (
    QDBusConnection,
    QDBusError,
    QDBusMessage,
    QDBusPendingCallWatcher,
    QDBusVariant,
)
from PySide6.QtGui import QStyleHints

_SERVICE = "org.freedesktop.portal.Desktop"
_PATH = "/org/freedesktop/portal/desktop"
_INTERFACE = "org.freedesktop.portal.Settings"
_NAMESPACE = "org.freedesktop.appearance"


class Scheme(Enum):
    """Dark, light, or nobody knows."""

    DARK = "dark"
    LIGHT = "light"
    UNKNOWN = "unknown"


class DesktopScheme(QObject):
    """Follows the desktop's choice; ``changed`` says that ``scheme`` or ``is_high_contrast`` did.

    ``bus`` None: no message bus is asked.
    """

    changed = Signal()

    def __init__(
        self, hints: QStyleHints, bus: QDBusConnection | None, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        # A reference of our own: a chained call finds the C++ object deleted.
        self._hints = hints
        self._bus = bus
        self._portal: dict[str, int] = {}
        self._calls: dict[QDBusPendingCallWatcher, tuple[str, str]] = {}
        hints.colorSchemeChanged.connect(self._hint_changed)

    @property
    def scheme(self) -> Scheme:
        """What the desktop wants now."""
        told = {Qt.ColorScheme.Dark: Scheme.DARK, Qt.ColorScheme.Light: Scheme.LIGHT}
        hint = self._hints.colorScheme()
        if hint in told:
            return told[hint]
        answer = self._portal.get("color-scheme")
        if answer is None:
            return Scheme.UNKNOWN
        return Scheme.DARK if answer == 1 else Scheme.LIGHT

    @property
    def is_high_contrast(self) -> bool:
        """Whether the desktop asks for more contrast."""
        return self._portal.get("contrast") == 1

    def ask_portal(self) -> None:
        """Ask the Settings portal and listen to it. The answers arrive later, as ``changed``."""
        if self._bus is None or not self._bus.isConnected():
            return
        # The stubs ask for bytes here, the binding takes only text.
        slot = SLOT("portalChanged(QString,QString,QDBusVariant)")
        self._bus.connect(_SERVICE, _PATH, _INTERFACE, "SettingChanged", self, slot)  # type: ignore[call-overload]
        for key in ("color-scheme", "contrast"):
            self._read(self._bus, key, "ReadOne")

    def _read(self, bus: QDBusConnection, key: str, method: str) -> None:
        message = QDBusMessage.createMethodCall(_SERVICE, _PATH, _INTERFACE, method)
        message.setArguments([_NAMESPACE, key])
        call = QDBusPendingCallWatcher(bus.asyncCall(message), self)
        call.finished.connect(self._answered)
        self._calls[call] = (key, method)

    @Slot(str, str, QDBusVariant)
    def portalChanged(self, namespace: str, key: str, value: QDBusVariant) -> None:
        """The portal says that a setting has changed."""
        if namespace == _NAMESPACE:
            self._take(key, value)

    @Slot(QDBusPendingCallWatcher)
    def _answered(self, call: QDBusPendingCallWatcher) -> None:
        key, method = self._calls.pop(call)
        arguments = call.reply().arguments()
        if not call.isError() and arguments:
            self._take(key, arguments[0])
        # Portals before version 2 of this interface only know the older name.
        is_older = call.error().type() == QDBusError.ErrorType.UnknownMethod
        if is_older and method == "ReadOne" and self._bus is not None:
            self._read(self._bus, key, "Read")
        call.deleteLater()

    def _take(self, key: str, value: Any) -> None:
        while isinstance(value, QDBusVariant):
            value = value.variant()
        if isinstance(value, int) and self._portal.get(key) != value:
            self._portal[key] = value
            self.changed.emit()

    @Slot()
    def _hint_changed(self) -> None:
        self.changed.emit()
