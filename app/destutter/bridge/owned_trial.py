# SPDX-License-Identifier: GPL-3.0-or-later
"""A trial that this process owns, and how it may lose the helper."""

from dataclasses import dataclass

from PySide6.QtDBus import QDBusUnixFileDescriptor

from destutter.analysis.changes.tuning_state import GameProcess
from destutter.core.statement import Statement
from destutter_helper.api.names import HelperError


@dataclass(frozen=True, slots=True)
class OwnedTrial:
    """A trial that this process owns. ``hold`` ends it when its last copy is closed.

    ``game`` is the one that it is tied to, None: none. ``set_id`` is the number of what is kept
    for that game, empty for what is tried.
    """

    txid: str
    hold: QDBusUnixFileDescriptor
    game: GameProcess | None = None
    set_id: str = ""


class LostHelperError(HelperError):
    """The helper went away in the middle of a call: what it had begun is taken back."""

    def __init__(self, reason: Statement) -> None:
        super().__init__("Internal", str(reason))
        self.statement = reason


class AbsentHelperError(HelperError):
    """Nothing was asked: the helper is not there or does not answer."""

    def __init__(self, reason: Statement) -> None:
        super().__init__("Unsupported", str(reason))
        self.statement = reason
