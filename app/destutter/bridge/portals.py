# SPDX-License-Identifier: GPL-3.0-or-later
"""What a Flatpak asks of the desktop's portals instead of its services, which it may not reach.

Interfaces org.freedesktop.portal.Notification and org.freedesktop.portal.Background; whoever is in
a sandbox may speak to them without a permission. Blocks: for a thread of its own.
"""

import logging

from destutter.autostart import HIDDEN
from destutter.bridge.notifications import Note, is_quiet
from destutter.core.bus_caller import BusCaller, BusCallError
from destutter.core.bus_wire import Variant

log = logging.getLogger("destutter.portals")

_SERVICE, _PATH = "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop"
_SLOT = "destutter"


class NotificationPortal:
    """Shows notifications; the portal itself keeps quiet when the desktop wants that."""

    def __init__(self, caller: BusCaller) -> None:
        self._caller = caller

    def show(self, note: Note) -> bool:
        """Show it in the one slot, in place of the one before; always True.

        Raises ``BusCallError`` where there is no portal.
        """
        told = {
            "title": Variant("s", note.summary),
            "body": Variant("s", note.body),
            "priority": Variant("s", "low" if is_quiet(note.occasion) else "normal"),
        }
        member = ("org.freedesktop.portal.Notification", "AddNotification")
        self._caller.call(_SERVICE, _PATH, member, "sa{sv}", (_SLOT, told))
        return True

    def close(self) -> None:
        self._caller.close()


class BackgroundPortal:
    """Asks whether the program may go on without a window."""

    def __init__(self, caller: BusCaller) -> None:
        self._caller = caller

    def ask(self, reason: str, *, starts_with_desktop: bool = False) -> None:
        """Ask, for this ``reason`` in the user's words, and whether it may be started at log-in.

        The desktop asks its user, keeps the answer and acts by it: what is not permitted is ended,
        sooner or later, so that nobody here waits for the answer.
        """
        options = {
            "reason": Variant("s", reason),
            "autostart": Variant("b", int(starts_with_desktop)),
            "commandline": Variant("as", ["destutter", f"--{HIDDEN}"]),
        }
        member = ("org.freedesktop.portal.Background", "RequestBackground")
        try:
            self._caller.call(_SERVICE, _PATH, member, "sa{sv}", ("", options))
        except BusCallError as error:
            log.info("nobody was asked about the background: %s", error)
        finally:
            self._caller.close()
