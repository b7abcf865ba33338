# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys that work while a game has the keyboard, where the desktop's portal passes them on.

Interface org.freedesktop.portal.GlobalShortcuts, version 1: CreateSession and BindShortcuts answer
by a signal of org.freedesktop.portal.Request, at most once each; the desktop may ask its user. Who
runs outside of a sandbox says its name by org.freedesktop.host.portal.Registry first, which older
portals have not.
"""

import logging
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from enum import Enum
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot

from destutter.bridge.background import Delivery, in_background
from destutter.core.bus_caller import BUS, BusCaller, BusCallError
from destutter.core.bus_wire import BusMessage, Variant
from destutter.core.running_instance import BUS_NAME
from destutter.core.statement import told

log = logging.getLogger("destutter.portals")

MARK, RECORD = "mark", "record"
_TRIGGERS = {MARK: "CTRL+ALT+m", RECORD: "CTRL+ALT+r"}  # a wish; the desktop and its user decide
_SERVICE, _PATH = "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop"
_SHORTCUTS = "org.freedesktop.portal.GlobalShortcuts"
_REQUEST = "org.freedesktop.portal.Request"
_REGISTRY = "org.freedesktop.host.portal.Registry"
_ANSWER_S = 300.0  # somebody reads a dialog
_LISTEN_S = 3600.0


class KeysState(Enum):
    """Whether there are such keys."""

    UNKNOWN = "unknown"
    ABSENT = "absent"
    OFFERED = "offered"
    ASKING = "asking"
    BOUND = "bound"
    REFUSED = "refused"


class ShortcutsPortal:
    """One session with the portal. Blocks: for a thread of its own."""

    def __init__(self, caller: BusCaller) -> None:
        self._caller = caller
        self._session = ""

    def is_there(self) -> bool:
        """Whether the desktop has this portal."""
        member = ("org.freedesktop.DBus.Properties", "Get")
        try:
            self._caller.call(_SERVICE, _PATH, member, "ss", (_SHORTCUTS, "version"))
        except BusCallError as error:
            log.info("no keys of the whole desktop: %s", error)
            return False
        return True

    def bind(self, words: Mapping[str, str]) -> dict[str, str]:
        """Ask for these keys, with what they do in the user's words; which keys they got, as the
        desktop writes them. Raises ``BusCallError``, also when the user declined.
        """
        for interface in (_REQUEST, _SHORTCUTS):
            rule = f"type='signal',sender='{_SERVICE}',interface='{interface}'"
            self._caller.call(*BUS, ("org.freedesktop.DBus", "AddMatch"), "s", (rule,))
        with suppress(BusCallError):
            member = (_REGISTRY, "Register")
            self._caller.call(_SERVICE, _PATH, member, "sa{sv}", (BUS_NAME, {}))
        token = Variant("s", f"destutter_{os.getpid()}")
        options = {"handle_token": token, "session_handle_token": token}
        results = self._ask("CreateSession", "a{sv}", (options,))
        self._session = str(results.get("session_handle", ""))
        wanted = [
            (
                id_,
                {
                    "description": Variant("s", text),
                    "preferred_trigger": Variant("s", _TRIGGERS[id_]),
                },
            )
            for id_, text in words.items()
        ]
        arguments = (self._session, wanted, "", {"handle_token": token})
        results = self._ask("BindShortcuts", "oa(sa{sv})sa{sv}", arguments)
        return {
            str(id_): str(values.get("trigger_description", ""))
            for id_, values in results.get("shortcuts", ())
        }

    def pressed(self) -> Iterator[str]:
        """The id of each key that is pressed, as it is. Raises ``BusCallError`` when the bus has
        gone, or ``give_up`` was called.
        """
        while True:
            for message in self._signals(_LISTEN_S):
                if message.member == (_SHORTCUTS, "Activated") and len(message.values) > 1:
                    session, id_ = message.values[:2]
                    if session == self._session:
                        yield str(id_)

    def _ask(self, method: str, signature: str, arguments: tuple[Any, ...]) -> dict[str, Any]:
        member = (_SHORTCUTS, method)
        (handle,) = self._caller.call(_SERVICE, _PATH, member, signature, arguments, gives="o")
        while messages := self._signals(_ANSWER_S):
            for message in messages:
                if message.member == (_REQUEST, "Response") and message.path == handle:
                    return _granted(method, message)
        raise BusCallError(told(f"{method} was not answered"))

    def _signals(self, timeout_s: float) -> list[BusMessage]:
        """What came; waits for something to come. Raises ``BusCallError``."""
        kept = self._caller.signals()
        if not kept and self._caller.wait(timeout_s):
            kept = self._caller.signals()
        return kept


def _granted(method: str, response: BusMessage) -> dict[str, Any]:
    """What came with the answer. Raises ``BusCallError`` for one that is a no, or none at all."""
    if response.signature == "ua{sv}" and response.values[0] == 0:
        return dict(response.values[1])
    raise BusCallError(told(f"{method} was not granted"))


class GlobalKeys(QObject):
    """``pressed(str)`` with ``MARK`` or ``RECORD``; ``changed()`` when ``state`` or ``keys`` did.

    ``keys`` are those that the desktop gave, by id, as it writes them.
    """

    pressed = Signal(str)
    changed = Signal()
    _told = Signal(object, object)

    def __init__(self, address: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.state = KeysState.UNKNOWN
        self.keys: dict[str, str] = {}
        self._address = address
        self._caller: BusCaller | None = None
        self._delivery = Delivery()
        self._told.connect(self._take)

    @Slot()
    def look(self) -> None:
        """Find out whether the desktop has such keys."""
        if self.state is KeysState.UNKNOWN:
            in_background(self._look, self._delivery)

    def bind(self, words: Mapping[str, str]) -> None:
        """Ask the desktop for keys, which may ask its user; ``words``: what each does, by id."""
        if self._caller is None:
            self._caller = BusCaller(self._address)
            self._take(KeysState.ASKING, {})
            caller, wanted = self._caller, dict(words)
            in_background(lambda: self._listen(caller, wanted), self._delivery)

    def stop(self) -> None:
        """Let the keys go: they are the session's, which ends with its connection."""
        caller, self._caller = self._caller, None
        if caller is not None:
            caller.give_up()
            self._take(KeysState.OFFERED, {})

    def _look(self) -> None:
        caller = BusCaller(self._address)
        is_there = ShortcutsPortal(caller).is_there()
        caller.close()
        self._told.emit(KeysState.OFFERED if is_there else KeysState.ABSENT, {})

    def _listen(self, caller: BusCaller, words: Mapping[str, str]) -> None:
        """In a thread of its own, as long as the keys are wanted."""
        portal = ShortcutsPortal(caller)
        state = KeysState.ABSENT
        try:
            if portal.is_there():
                state = KeysState.REFUSED
                keys = portal.bind(words)
                state = KeysState.OFFERED
                self._told.emit(KeysState.BOUND, keys)
                for id_ in portal.pressed():
                    self.pressed.emit(id_)
        except BusCallError as error:
            log.info("no keys of the whole desktop: %s", error)
        caller.close()
        if caller is self._caller:
            self._told.emit(state, {})

    @Slot(object, object)
    def _take(self, state: KeysState, keys: dict[str, str]) -> None:
        self.state, self.keys = state, keys
        if state in (KeysState.REFUSED, KeysState.ABSENT):
            self._caller = None
        self.changed.emit()
