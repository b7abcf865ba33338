# SPDX-License-Identifier: GPL-3.0-or-later
"""What helped a flight, until somebody says for how long it is kept: wherever that is offered."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from destutter_helper.api.payload import Change


@dataclass(frozen=True, slots=True)
class Helped:
    """What was tried with which game, and what it came to, in a sentence."""

    game: str
    changes: tuple[Change, ...]
    verdict: str = ""


class HelpedFlight(QObject):
    """``changed()`` when there is something to be kept, or no more; ``given_up()`` behind it when
    nothing of it shall be."""

    changed = Signal()
    given_up = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.shown: Helped | None = None

    def offer(self, helped: Helped | None) -> None:
        """Offer this from now on; None: it is decided."""
        if helped != self.shown:
            self.shown = helped
            self.changed.emit()

    def give_up(self) -> None:
        """Keep nothing: with the game everything has gone back already."""
        self.offer(None)
        self.given_up.emit()
