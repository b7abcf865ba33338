# SPDX-License-Identifier: GPL-3.0-or-later
"""How long the NVMe drives here need to wake up, as their controllers tell the helper."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal, Slot

from destutter.analysis.changes.helper_statements import statement_of
from destutter.bridge.helper_client import Availability, HelperClient
from destutter.core.statement import Statement
from destutter_helper.api.payload import Controller, Controllers

_CONTROLLER = re.compile(r"nvme\d+")


@dataclass(frozen=True, slots=True)
class WakeUpDelays:
    """What is known of a drive: the times to wake from each state in which it sleeps.

    ``exits_ms`` is in ascending order, empty for a drive that never sleeps; ``unavailable`` says
    why nothing is known, and is None otherwise.
    """

    exits_ms: tuple[float, ...] = ()
    unavailable: Statement | None = None


class PowerStatesModel(QObject):
    """Asks the helper once; ``changed()`` when it has answered.

    A helper from before this question leaves it unanswered.
    """

    changed = Signal()

    def __init__(self, client: HelperClient, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._client = client
        self._controllers: dict[str, WakeUpDelays] = {}
        self._is_asked = False
        client.answered.connect(self._answered)
        client.status_changed.connect(self._ask_again)

    @property
    def controllers(self) -> Mapping[str, WakeUpDelays]:
        """What is known, by the controller's name ("nvme0")."""
        return self._controllers

    def of_drive(self, drive: str) -> WakeUpDelays | None:
        """What is known of the controller of a drive ("nvme0n1"); None for other drives."""
        found = _CONTROLLER.match(drive)
        return None if found is None else self._controllers.get(found[0])

    def ask(self) -> None:
        """Somebody wants to know: ask, unless it is known or was asked."""
        if not self._is_asked and self._client.status.availability is Availability.READY:
            self._is_asked = True
            self._client.power_states()

    @Slot()
    def _ask_again(self) -> None:
        # Installed, or exchanged for a newer one, meanwhile.
        if self._client.status.availability is not Availability.READY:
            self._is_asked = False

    @Slot(str, object)
    def _answered(self, _method: str, value: object) -> None:
        if isinstance(value, Controllers):
            self._controllers = {each.device: _sleep(each) for each in value.controllers}
            self.changed.emit()


def _sleep(controller: Controller) -> WakeUpDelays:
    exits = sorted(state.exit_us / 1e3 for state in controller.states if not state.works)
    why = controller.unavailable
    return WakeUpDelays(tuple(exits), None if why is None else statement_of(why))
