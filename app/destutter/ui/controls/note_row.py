# SPDX-License-Identifier: GPL-3.0-or-later
"""One quiet line about what limits the measurements here, with a link to the rest."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from destutter.ui.controls.signed_row import SignedRow
from destutter.ui.look.theme import Theme


class NoteRow(SignedRow):
    """Shows the first of several notes. ``clicked()`` for all of them."""

    clicked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.link.clicked.connect(self.clicked)
        self._draw_sign()

    def show_notes(self, notes: Sequence[str], link: str) -> None:
        """Show the first note and the link; nothing without notes."""
        self.setVisible(bool(notes))
        if notes:
            self.text.set_full_text(notes[0])
            if self.link.text() != link:
                self.link.setText(link)
