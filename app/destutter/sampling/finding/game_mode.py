# SPDX-License-Identifier: GPL-3.0-or-later
"""Which programs asked GameMode to be treated as a game (com.feralinteractive.GameMode).

GameMode's daemon is asked only where it runs already: a call by its name would start it. Its
signals GameRegistered and GameUnregistered keep the list up to date.
"""

from destutter.core.bus_caller import BUS, BusCaller, BusCallError, socket_path
from destutter.core.bus_wire import BusMessage
from destutter.core.statement import Statement

_NAME = "com.feralinteractive.GameMode"
_PATH = "/com/feralinteractive/GameMode"
_TIMEOUT_S = 1.0  # everything that the slow side reads waits for it
# Searches, five seconds apart: each try may wait a second for a bus that does not answer.
_TRIES_APART = 6


class GameModeWatch:
    """The processes that are registered. ``address`` is that of the session bus.

    Used from one thread, which may wait a second for the bus. ``problem`` says why nothing is
    known; None where the bus answers, or where there is none.
    """

    def __init__(self, address: str) -> None:
        self._bus = BusCaller(address, timeout_s=_TIMEOUT_S) if socket_path(address) else None
        self._is_listening = False
        self._registered: set[int] = set()
        self._wait = 0
        self.problem: Statement | None = None

    def pids(self) -> frozenset[int]:
        if self._bus is None:
            return frozenset()
        if not self._is_listening and self._wait > 0:
            self._wait -= 1
            return frozenset()
        try:
            if not self._is_listening:
                self._listen(self._bus)
            self._note(self._bus.signals())
        except BusCallError as error:
            self.problem = Statement("sampling.game_mode", {"reason": error.statement})
            self.close()
            self._wait = _TRIES_APART
        return frozenset(self._registered)

    def close(self) -> None:
        if self._bus is not None:
            self._bus.close()
        self._is_listening = False
        self._registered.clear()

    def _listen(self, bus: BusCaller) -> None:
        own = BUS[0]
        for rule in (
            f"type='signal',interface='{_NAME}',path='{_PATH}'",
            f"type='signal',sender='{own}',member='NameOwnerChanged',arg0='{_NAME}'",
        ):
            bus.call(*BUS, (own, "AddMatch"), "s", (rule,))
        (is_there,) = bus.call(*BUS, (own, "NameHasOwner"), "s", (_NAME,), gives="b")
        # What came until now is older than the list: a daemon that just began empties it.
        self._note(bus.signals())
        if is_there:
            (games,) = bus.call(_NAME, _PATH, (_NAME, "ListGames"), gives="a(io)")
            self._registered = {pid for pid, _ in games}
        self._is_listening = True
        self.problem = None

    def _note(self, signals: list[BusMessage]) -> None:
        for signal in signals:
            if signal.member == (BUS[0], "NameOwnerChanged"):
                self._registered.clear()
            elif signal.signature[:1] == "i" and signal.member == (_NAME, "GameRegistered"):
                self._registered.add(signal.values[0])
            elif signal.signature[:1] == "i" and signal.member == (_NAME, "GameUnregistered"):
                self._registered.discard(signal.values[0])
