# SPDX-License-Identifier: GPL-3.0-or-later
"""One quiet line about what limits the measurements here, with a link to the rest."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from destutter.ui.controls.elided import ElidedLabel
from destutter.ui.look.theme import Theme


class NoteRow(QWidget):
    """Shows the first of several notes. ``clicked()`` for all of them."""

    clicked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._sign = QLabel(self)
        self.text = ElidedLabel("", "small", self)
        self.link = QPushButton(self)
        self.link.setProperty("role", "link")
        self.link.clicked.connect(self.clicked)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(theme.sizes.px(4), 0, 0, 0)
        layout.setSpacing(theme.sizes.px(7))
        layout.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignVCenter)
        layout.addWidget(self.text, 1)
        layout.addWidget(self.link)
        theme.changed.connect(self._draw_sign)
        self._draw_sign()
        self.hide()

    def show_notes(self, notes: Sequence[str], link: str) -> None:
        """Show the first note and the link; nothing without notes."""
        self.setVisible(bool(notes))
        if notes:
            self.text.set_full_text(notes[0])
            if self.link.text() != link:
                self.link.setText(link)

    @Slot()
    def _draw_sign(self) -> None:
        size, ratio = self._theme.sizes.px(15), self.devicePixelRatioF()
        pixmap = self._theme.icons.pixmap("info", self._theme.tokens.info, size, ratio)
        self._sign.setPixmap(pixmap)
