# SPDX-License-Identifier: GPL-3.0-or-later
"""What the live stream says of the game: whether one is watched, and whether any could be seen."""

from PySide6.QtCore import QObject, Signal

from destutter.analysis.examining.pipeline import Snapshot
from destutter.core.sandbox import NAME


class GamePresence(QObject):
    """``came()`` when a game begins to be watched, ``hiding_changed()`` when ``is_hidden`` turned
    out otherwise: where nothing lends what a Flatpak hides no game is noticed.
    """

    came = Signal()
    hiding_changed = Signal()

    def __init__(self, *, is_hidden: bool, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.name = ""
        self.is_hidden = is_hidden

    def begin_anew(self, *, is_hidden: bool) -> None:
        """Another stream follows, with the same game for all that is known."""
        self.is_hidden = is_hidden

    def accept_snapshot(self, snapshot: Snapshot) -> None:
        name = snapshot.facts.get("game.name", "")
        is_new = bool(name) and name != self.name
        self.name = name
        if is_new:
            self.came.emit()

    def accept_sandbox(self, snapshot: Snapshot) -> None:
        """Take in whether the one that measures sees the processes of the computer."""
        machine = {} if snapshot.header is None else snapshot.header.machine
        is_hidden = machine.get("sandbox") == NAME
        if machine and is_hidden != self.is_hidden:
            self.is_hidden = is_hidden
            self.hiding_changed.emit()
