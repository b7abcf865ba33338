# SPDX-License-Identifier: GPL-3.0-or-later
"""One window per session: it owns a name on the session bus and answers there."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import ClassInfo, QObject, Signal, Slot
from PySide6.QtDBus import QDBusConnection

from destutter.core.running_instance import (
    APPLICATION_INTERFACE,
    BUS_NAME,
    MARKS_INTERFACE,
    MARKS_PATH,
    OBJECT_PATH,
)

MAX_MARK_LENGTH = 200  # any program of the session may send one, and it goes into the recording
_SLOTS = QDBusConnection.RegisterOption.ExportAllSlots


# The stubs of the binding do not know ClassInfo as the decorator that it is.
@ClassInfo({"D-Bus Interface": APPLICATION_INTERFACE})  # type: ignore[call-arg]
class _Application(QObject):  # type: ignore[operator]
    """What desktops and a second start call."""

    activated = Signal(str)
    opened = Signal(list)
    action = Signal(str)

    @Slot("QVariantMap")
    def Activate(self, data: Mapping[str, Any]) -> None:
        """Come to the front."""
        self.activated.emit(_token(data))

    @Slot("QStringList", "QVariantMap")
    def Open(self, uris: Sequence[str], data: Mapping[str, Any]) -> None:
        """Open these files, and come to the front."""
        self.opened.emit(list(uris))
        self.activated.emit(_token(data))

    @Slot(str, "QVariantList", "QVariantMap")
    def ActivateAction(self, name: str, parameters: object, data: object) -> None:
        self.action.emit(name)


@ClassInfo({"D-Bus Interface": MARKS_INTERFACE})  # type: ignore[call-arg]
class _Marks(QObject):  # type: ignore[operator]
    def __init__(self, take: Callable[[str], str], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._take = take

    @Slot(str, result=str)
    def Mark(self, text: str) -> str:
        """Put a marker into the stream; what became of it."""
        return self._take(" ".join(text.split())[:MAX_MARK_LENGTH] or "mark")


class SingleInstance(QObject):
    """The program's presence on the session bus.

    Signals: ``activated(str)`` with a token of the desktop, ``opened(list)`` with addresses of
    files, ``action_requested(str)``. ``take_mark`` gets a text and says what became of it.
    """

    activated = Signal(str)
    opened = Signal(list)
    action_requested = Signal(str)

    def __init__(
        self,
        bus: QDBusConnection,
        take_mark: Callable[[str], str],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._bus = bus
        self._application = _Application(self)
        self._marks = _Marks(take_mark, self)
        self._application.activated.connect(self.activated)
        self._application.opened.connect(self.opened)
        self._application.action.connect(self.action_requested)

    def take(self) -> bool:
        """Become the one instance. False: another one has the name.

        Without a session bus there is nobody to meet, and this is the one.
        """
        if not self._bus.isConnected():
            return True
        # The objects first: whoever sees the name calls at once.
        self._bus.registerObject(OBJECT_PATH, self._application, _SLOTS)
        self._bus.registerObject(MARKS_PATH, self._marks, _SLOTS)
        if self._bus.registerService(BUS_NAME):
            return True
        self.leave()
        return False

    def leave(self) -> None:
        """Give the name back."""
        if self._bus.isConnected():
            self._bus.unregisterService(BUS_NAME)
            for path in (OBJECT_PATH, MARKS_PATH):
                self._bus.unregisterObject(path)


def _token(data: Mapping[str, Any]) -> str:
    token = data.get("activation-token", "")
    return token if isinstance(token, str) else ""
