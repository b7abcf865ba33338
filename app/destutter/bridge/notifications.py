# SPDX-License-Identifier: GPL-3.0-or-later
"""Notifications of the desktop, by an etiquette: few, short, one at a time, never per stutter.

There is one slot: a new notification replaces the one before it. While the desktop wants quiet
(its ``Inhibited`` property, as during a presentation or a full-screen game) nothing is said, and
nothing is made up for later. Desktop Notifications Specification 1.2.
"""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from PySide6.QtCore import QObject, Signal, Slot

from destutter.bridge.background import Delivery, in_background
from destutter.core.bus_caller import BusCaller, BusCallError
from destutter.core.bus_wire import Variant

log = logging.getLogger("destutter.notifications")

SPACING_S = 600.0
"""At most one notification in this time."""

_SERVICE, _PATH = "org.freedesktop.Notifications", "/org/freedesktop/Notifications"
# Longer than a call to the bus may take (5 s in core/bus_caller.py): the thread uses what is
# closed next.
_WAIT_S = 6.0
_APPLICATION_ID = "io.github.destutter.Destutter"
_LOW, _NORMAL = 0, 1


class Occasion(Enum):
    """What there may be a notification about."""

    RECORDING_FINISHED = "recording_finished"
    TRIAL_REVERTED = "trial_reverted"
    DRIFT_FOUND = "drift_found"


_QUIET = frozenset({Occasion.RECORDING_FINISHED})


@dataclass(frozen=True, slots=True)
class Note:
    """One notification, in the user's words."""

    occasion: Occasion
    summary: str
    body: str


def is_quiet(occasion: Occasion) -> bool:
    """Whether it need not be seen, and may go by itself."""
    return occasion in _QUIET


class NotificationService(Protocol):
    """Who shows notifications. Blocks: for a thread of its own."""

    def show(self, note: Note) -> bool:
        """Show it in the one slot; False when the desktop wants quiet.

        Raises ``BusCallError`` where there is no such service.
        """
        ...

    def close(self) -> None:
        """Leave the bus."""
        ...


class NotificationServer:
    """The desktop's service of notifications. Blocks: for a thread of its own."""

    def __init__(self, caller: BusCaller) -> None:
        self._caller = caller
        self._slot = 0

    def show(self, note: Note) -> bool:
        """Show it in the one slot; False when the desktop wants quiet.

        Raises ``BusCallError`` where there is no such service.
        """
        if self._wants_quiet():
            return False
        may_go = is_quiet(note.occasion)
        hints = {
            "desktop-entry": Variant("s", _APPLICATION_ID),
            "urgency": Variant("y", _LOW if may_go else _NORMAL),
        }
        if may_go:
            hints["transient"] = Variant("b", 1)
        (self._slot,) = self._caller.call(
            _SERVICE,
            _PATH,
            (_SERVICE, "Notify"),
            "susssasa{sv}i",
            ("Destutter", self._slot, _APPLICATION_ID, note.summary, note.body, [], hints, -1),
        )
        return True

    def close(self) -> None:
        self._caller.close()

    def _wants_quiet(self) -> bool:
        try:
            values = self._caller.call(
                _SERVICE,
                _PATH,
                ("org.freedesktop.DBus.Properties", "Get"),
                "ss",
                (_SERVICE, "Inhibited"),
            )
        except BusCallError:
            # An older service knows no such property.
            return False
        return values == [True]


class Notifications(QObject):
    """``shown(Occasion)`` after a notification has been handed to the desktop."""

    shown = Signal(object)

    def __init__(
        self,
        server: NotificationService,
        *,
        is_wanted: bool = True,
        clock: Callable[[], float] = time.monotonic,
        parent: QObject | None = None,
    ) -> None:
        """``clock`` gives seconds."""
        super().__init__(parent)
        self._server = server
        self._clock = clock
        self._last_s: float | None = None
        self.is_wanted = is_wanted
        self._delivery = Delivery()
        self._delivery.done.connect(self._told)
        self._showing: threading.Thread | None = None

    def offer(self, note: Note) -> bool:
        """Show it if the user wants notifications and the last one is long enough ago."""
        now_s = self._clock()
        is_too_soon = self._last_s is not None and now_s - self._last_s < SPACING_S
        if not self.is_wanted or is_too_soon:
            return False
        self._last_s = now_s
        self._showing = in_background(lambda: self._show(note), self._delivery)
        return True

    def stop(self) -> None:
        """Wait for what is under way and leave the bus."""
        if self._showing is not None:
            self._showing.join(_WAIT_S)
        self._server.close()

    def _show(self, note: Note) -> Occasion | None:
        """Hand it over; where nobody shows notifications, the window says the same anyway."""
        try:
            return note.occasion if self._server.show(note) else None
        except BusCallError as error:
            log.info("no notification: %s", error)
            return None

    @Slot(object)
    def _told(self, occasion: Occasion | None) -> None:
        if occasion is not None:
            self.shown.emit(occasion)
