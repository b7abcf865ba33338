# SPDX-License-Identifier: GPL-3.0-or-later
"""The application's side of the root helper, by QtDBus and without ever blocking.

The helper's own word is not taken for granted: after every change whoever shows values reads them
from the kernel again, without rights (``kernel_changed``).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtDBus import QDBusConnection, QDBusMessage, QDBusPendingCallWatcher

from destutter.analysis.changes.helper_answers import (
    DIALOG_S,
    LOST,
    NOT_THERE,
    START_S,
    is_from_before,
    refusal,
)
from destutter.analysis.changes.tuning_state import GameProcess
from destutter.bridge.helper_signals import subscribe
from destutter.bridge.owned_trial import AbsentHelperError, LostHelperError, OwnedTrial
from destutter.core.statement import Statement, told
from destutter_helper.api import names, payload
from destutter_helper.api.names import HelperError, error_of
from destutter_helper.api.payload import (
    ChangeSet,
    Controllers,
    GameSets,
    Results,
    State,
    Tunables,
    UndoRequest,
)

_AGAIN_MS = (2_000, 10_000, 30_000)  # a daemon-reload of systemd takes 0.2 to 5 s
_QUICK_MS = 10_000  # what only reads; longer, and a page waits for a helper that hangs
_START_MS, _DIALOG_MS = 1000 * START_S, 1000 * DIALOG_S
_BUS_LEFT = Statement("bridge.helper.bus_left")
_WRITING = frozenset({"BeginTrial", "BeginForGame", "Keep", "Revert", "Undo"})


class Availability(Enum):
    """What is known about the helper."""

    UNKNOWN = "unknown"
    NO_BUS = "no_bus"
    ABSENT = "absent"
    BROKEN = "broken"
    MISMATCH = "mismatch"
    READY = "ready"


@dataclass(frozen=True, slots=True)
class HelperStatus:
    """Availability with the reason, whether a call is under way, and its version.

    ``place`` is the folder of its code; empty for one from before it said so.
    """

    availability: Availability
    reason: Statement | None = None
    is_busy: bool = False
    version: str = ""
    place: str = ""


class HelperClient(QObject):
    """Asks the helper, and keeps the trial that belongs to this process.

    Signals: ``status_changed(HelperStatus)``; ``state_taken(State)``; ``trial_begun(OwnedTrial)``;
    ``trial_ended(str, Results)`` with the helper's reason; ``answered(str, object)`` with a
    method's name and its decoded reply; ``failed(str, HelperError)`` with a method's name;
    ``kernel_changed()`` when values may be others than before; ``trial_lost()`` when the helper or
    the bus ended under the own trial, before anything is known of it; ``state_told()`` when the
    helper says by itself that something is otherwise. ``connect_anew`` opens the bus once more.
    """

    status_changed = Signal(object)
    state_taken = Signal(object)
    trial_begun = Signal(object)
    trial_ended = Signal(str, object)
    answered = Signal(str, object)
    failed = Signal(str, object)
    kernel_changed = Signal()
    trial_lost = Signal()
    state_told = Signal()

    def __init__(
        self,
        bus: QDBusConnection,
        parent: QObject | None = None,
        connect_anew: Callable[[], QDBusConnection] | None = None,
    ) -> None:
        super().__init__(parent)
        self._bus = bus
        self._connect_anew = connect_anew
        self._watchers: set[QDBusPendingCallWatcher] = set()
        self._status = HelperStatus(Availability.UNKNOWN)
        self._trial: OwnedTrial | None = None
        # Before anything is asked: what happens between an answer and this would never be told.
        self._subscribe()

    @property
    def status(self) -> HelperStatus:
        return self._status

    @property
    def trial(self) -> OwnedTrial | None:
        """The trial that this process owns."""
        return self._trial

    @Slot()
    def refresh(self) -> None:
        """Ask for version and state; starts the helper when it is installed."""
        if not self._bus.isConnected() and self._connect_anew is not None:
            self._bus = self._connect_anew()
            self._subscribe()
        if not self._bus.isConnected():
            self._set_status(Availability.NO_BUS, Statement("bridge.helper.no_bus"))
            return
        self._call_properties("ProtocolVersion", self._check_protocol)

    @Slot()
    def _services_changed(self) -> None:
        """The bus knows of a helper some moments before its installer has told systemd of the
        unit: what could not be started then is asked again. "Helper fails" stayed there."""
        self.refresh()
        for after_ms in _AGAIN_MS:
            QTimer.singleShot(after_ms, self, self._ask_again)

    @Slot()
    def _ask_again(self) -> None:
        if self._status.availability is Availability.BROKEN:
            self.refresh()

    def begin_trial(self, change_set: ChangeSet, seconds: int) -> None:
        """Put a change set on trial; may open a password dialog. ``trial_begun`` or ``failed``."""
        arguments = [payload.encode(change_set), seconds, True]
        self._call("BeginTrial", arguments, self._take_trial, _DIALOG_MS)

    def extend(self, seconds: int) -> None:
        """Give the own trial this many seconds from now; answered("Extend", int)."""
        if self._trial is not None:
            self._call(
                "Extend",
                [self._trial.txid, seconds],
                lambda reply: self.answered.emit("Extend", int(reply[0])),
                _QUICK_MS,
            )

    def bind(self, game: GameProcess) -> None:
        """Let the own trial last as long as a game runs and it is extended; answered("Bind", int).

        A helper from before it knew that fails with "Unsupported".
        """
        if self._trial is None:
            return

        def take(reply: Sequence[Any]) -> None:
            if self._trial is not None:
                self._trial = replace(self._trial, game=game)
            self.answered.emit("Bind", int(reply[0]))

        self._call("Bind", [self._trial.txid, game.pid, game.start], take, _QUICK_MS)

    def keep(self, until: str) -> None:
        """Keep the own trial until "restart" or "always"; answered("Keep", Results)."""
        if self._trial is not None:
            arguments = [self._trial.txid, until, True]
            self._ask("Keep", arguments, Results, _DIALOG_MS, changes_kernel=True)

    def revert(self) -> None:
        """Take the own trial back; answered("Revert", Results)."""
        if self._trial is not None:
            self._ask("Revert", [self._trial.txid], Results, changes_kernel=True)

    def undo(self, request: UndoRequest) -> None:
        """Take kept values back; answered("Undo", Results)."""
        self._ask("Undo", [payload.encode(request)], Results, _DIALOG_MS, changes_kernel=True)

    def list_for_games(self) -> None:
        """Ask what is kept for games; answered("ListForGames", GameSets)."""
        self._ask("ListForGames", [], GameSets)

    def keep_for_game(self, game: str, change_set: ChangeSet) -> None:
        """Keep a set for a game of this user; answered("KeepForGame", str) with its number."""

        def take(reply: Sequence[Any]) -> None:
            self.answered.emit("KeepForGame", str(reply[0]))

        self._call("KeepForGame", [game, payload.encode(change_set), True], take, _DIALOG_MS)

    def begin_for_game(self, set_id: str, game: GameProcess) -> None:
        """Set it for as long as this process runs; answered("BeginForGame", OwnedTrial)."""

        def take(reply: Sequence[Any]) -> None:
            self._trial = OwnedTrial(str(reply[0]), reply[1], game, set_id)
            self.answered.emit("BeginForGame", self._trial)
            self._after_change()

        self._call("BeginForGame", [set_id, game.pid, game.start], take, _QUICK_MS)

    def forget_for_game(self, set_id: str) -> None:
        """Forget what is kept; answered("ForgetForGame", None)."""
        done = partial(self.answered.emit, "ForgetForGame", None)
        self._call("ForgetForGame", [set_id], lambda _reply: done(), _QUICK_MS)

    def verify(self) -> None:
        """Compare the kernel with the helper's journal; answered("Verify", Results)."""
        self._ask("Verify", [], Results)

    def list_tunables(self) -> None:
        """Ask for every setting with its limits here; answered("ListTunables", Tunables)."""
        self._ask("ListTunables", [], Tunables)

    def power_states(self) -> None:
        """Ask how long drives need to wake up; answered("GetPowerStates", Controllers)."""
        self._ask("GetPowerStates", [], Controllers)

    def report(self) -> None:
        """Ask for the history; answered("GetReport", str) with one JSON object a line."""
        self._call(
            "GetReport",
            [],
            lambda reply: self.answered.emit("GetReport", str(reply[0])),
            _QUICK_MS,
        )

    def ask_state(self) -> None:
        """Ask what is going on; ``state_taken`` or ``failed``."""
        self._call(
            "GetState",
            [],
            lambda reply: self.state_taken.emit(payload.decode(State, str(reply[0]))),
            _QUICK_MS,
        )

    def release(self) -> None:
        """Let go of the own trial: the helper reverts it as soon as the descriptor closes."""
        self._trial = None

    def _subscribe(self) -> None:
        if self._bus.isConnected():
            self._owner = subscribe(self._bus, self)
            self._owner.serviceOwnerChanged.connect(self._owner_changed)

    @Slot()
    def _bus_left(self) -> None:
        had_trial, self._trial = self._trial is not None, None
        self._set_status(Availability.NO_BUS, _BUS_LEFT)
        if had_trial:
            self.trial_lost.emit()

    @Slot(str, str, str)
    def _owner_changed(self, _name: str, old: str, new: str) -> None:
        # A helper that idles away is normal; one that vanishes under a trial has crashed, and
        # its successor reverts the trial as soon as somebody calls it.
        if old and not new and self._trial is not None:
            self._trial = None
            self.trial_lost.emit()
            self._call("Recover", [], self._recovered, _QUICK_MS)
        elif new and not old and self._status.availability is not Availability.READY:
            self.refresh()  # it was installed, repaired or started meanwhile

    def _recovered(self, reply: Sequence[Any]) -> None:
        results = payload.decode(Results, str(reply[0]))
        self.trial_ended.emit(names.ENDED_OWNER_GONE, results)
        self._after_change()

    @Slot(QDBusMessage)
    def _state_changed(self, _message: QDBusMessage) -> None:
        self.state_told.emit()
        self.ask_state()

    @Slot(QDBusMessage)
    def _drifted(self, _message: QDBusMessage) -> None:
        self._after_change()

    @Slot(QDBusMessage)
    def _trial_ended(self, message: QDBusMessage) -> None:
        reason, text = message.arguments()
        self._trial = None
        self._guarded(
            "TrialEnded",
            lambda: self.trial_ended.emit(str(reason), payload.decode(Results, str(text))),
        )
        self._after_change()

    def _check_protocol(self, reply: Sequence[Any]) -> None:
        version = int(reply[0])
        if version != names.API_VERSION:
            is_older = version < names.API_VERSION
            which = "bridge.helper.older" if is_older else "bridge.helper.newer"
            self._set_status(Availability.MISMATCH, Statement(which))
            return
        self._call_properties("Version", self._take_version)

    def _take_version(self, reply: Sequence[Any]) -> None:
        version = str(reply[0])

        def be_ready(place: str) -> None:
            known = replace(self._status, version=version, place=place)
            self._publish(replace(known, availability=Availability.READY, reason=None))
            self.ask_state()

        self._call_properties(
            "Place", lambda place: be_ready(str(place[0])), if_unknown=lambda: be_ready("")
        )

    def _take_trial(self, reply: Sequence[Any]) -> None:
        txid, hold = reply
        self._trial = OwnedTrial(str(txid), hold)
        self.trial_begun.emit(self._trial)
        self._after_change()

    def _after_change(self) -> None:
        self.kernel_changed.emit()
        self.ask_state()

    def _ask(
        self,
        method: str,
        arguments: list[Any],
        kind: type,
        timeout_ms: int = _QUICK_MS,
        *,
        changes_kernel: bool = False,
    ) -> None:
        def take(reply: Sequence[Any]) -> None:
            if changes_kernel:
                if method in ("Keep", "Revert"):
                    self._trial = None
                self._after_change()
            self.answered.emit(method, payload.decode(kind, str(reply[0])))

        self._call(method, arguments, take, timeout_ms)

    def _call(
        self,
        method: str,
        arguments: list[Any],
        take: Callable[[Sequence[Any]], None],
        timeout_ms: int,
    ) -> None:
        message = QDBusMessage.createMethodCall(
            names.BUS_NAME, names.OBJECT_PATH, names.INTERFACE, method
        )
        message.setArguments(arguments)
        self._send(method, message, take, timeout_ms)

    def _call_properties(
        self,
        name: str,
        take: Callable[[Sequence[Any]], None],
        if_unknown: Callable[[], None] | None = None,
    ) -> None:
        message = QDBusMessage.createMethodCall(
            names.BUS_NAME, names.OBJECT_PATH, "org.freedesktop.DBus.Properties", "Get"
        )
        message.setArguments([names.INTERFACE, name])
        self._send(name, message, lambda reply: take([_plain(reply[0])]), _START_MS, if_unknown)

    def _send(
        self,
        method: str,
        message: QDBusMessage,
        take: Callable[[Sequence[Any]], None],
        timeout_ms: int,
        if_unknown: Callable[[], None] | None = None,
    ) -> None:
        message.setInteractiveAuthorizationAllowed(timeout_ms == _DIALOG_MS)
        watcher = QDBusPendingCallWatcher(self._bus.asyncCall(message, timeout_ms), self)
        self._watchers.add(watcher)
        self._report_busy()

        def finished() -> None:
            self._watchers.discard(watcher)
            self._report_busy()
            reply = watcher.reply()
            if if_unknown and reply.errorName() == f"{names.ERROR_PREFIX}InvalidArgument":
                if_unknown()
            elif watcher.isError():
                self._fail(method, reply)
            else:
                self._guarded(method, lambda: take(reply.arguments()))
            watcher.deleteLater()

        watcher.finished.connect(finished)

    def _guarded(self, method: str, work: Callable[[], None]) -> None:
        """Run what reads a reply; a reply that is not of the contract is a mismatch."""
        try:
            work()
        except (HelperError, ValueError, IndexError, TypeError) as error:
            self._set_status(Availability.MISMATCH, Statement("bridge.helper.not_understood"))
            self.failed.emit(method, HelperError("Internal", str(error)))

    def _fail(self, method: str, reply: QDBusMessage) -> None:
        name, message = reply.errorName(), reply.errorMessage()
        if is_from_before(name, reply.arguments()):
            self.failed.emit(method, HelperError("Unsupported", message))
            return
        if name.startswith(names.ERROR_PREFIX):
            short = name.removeprefix(names.ERROR_PREFIX)
            known = short if short in names.ERROR_NAMES else "Internal"
            self.failed.emit(method, error_of(known, refusal(reply.arguments())))
            return
        if not self._bus.isConnected():
            self._bus_left()
            self.failed.emit(method, AbsentHelperError(_BUS_LEFT))
            return
        if name in LOST:
            self._lose(method, message or name)
            return
        if name in NOT_THERE:
            self._set_status(Availability.ABSENT, Statement("bridge.helper.absent"))
        else:
            why = Statement("bridge.helper.broken", {"reason": message})
            self._set_status(Availability.BROKEN, why)
        self.failed.emit(method, AbsentHelperError(told(message or name)))

    def _lose(self, method: str, reason: str) -> None:
        """The helper ended in a call: its successor takes back what was begun, when called."""
        if method in _WRITING and self._trial is None:
            self._call("Recover", [], lambda _reply: self._after_change(), _QUICK_MS)
        self.failed.emit(method, LostHelperError(told(reason)))

    def _report_busy(self) -> None:
        self._publish(self._status)

    def _set_status(self, availability: Availability, reason: Statement | None = None) -> None:
        self._publish(replace(self._status, availability=availability, reason=reason))

    def _publish(self, status: HelperStatus) -> None:
        status = replace(status, is_busy=bool(self._watchers))
        if status != self._status:
            self._status = status
            self.status_changed.emit(status)


def _plain(value: Any) -> Any:
    """The value inside a D-Bus variant."""
    return value.variant() if hasattr(value, "variant") else value
