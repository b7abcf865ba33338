# SPDX-License-Identifier: GPL-3.0-or-later
"""What the desktop asks for: dark or light, and whether it wants more contrast.

Qt's own answer counts first. Where Qt has none (a session without a platform theme), the
Settings portal is asked; where that is absent too, the answer is unknown.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QStyleHints

if TYPE_CHECKING:
    from PySide6.QtDBus import QDBusConnection


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
        # Loaded here: the first picture of the window does not wait for it.
        from destutter.ui.look.portal_scheme import PortalScheme

        portal = PortalScheme(self._bus, self)
        portal.told.connect(self.take)
        portal.ask()

    @Slot(str, int)
    def take(self, key: str, value: int) -> None:
        """Use an answer of the portal."""
        if self._portal.get(key) != value:
            self._portal[key] = value
            self.changed.emit()

    @Slot()
    def _hint_changed(self) -> None:
        self.changed.emit()
