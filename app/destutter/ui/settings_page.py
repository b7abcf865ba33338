# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings that take effect at once."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from destutter.ui.segments import Segments
from destutter.ui.theme import Theme
from destutter.ui.tokens import GAP, PAGE_MARGIN


class SettingsPage(QWidget):
    """``theme_chosen(str)``: "auto", "light" or "dark"."""

    theme_chosen = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        title = QLabel(self.tr("Settings"), self)
        title.setProperty("role", "pageTitle")
        self.theme = Segments(
            self.tr("Appearance"),
            (
                ("auto", self.tr("As the desktop")),
                ("light", self.tr("Light")),
                ("dark", self.tr("Dark")),
            ),
            self,
        )
        self.theme.choose(theme.choice)
        self.theme.chosen.connect(self.theme_chosen)
        card = QFrame(self)
        card.setProperty("role", "card")
        card.setMaximumWidth(theme.sizes.px(720))
        row = QHBoxLayout(card)
        pad = theme.sizes.px(16)
        row.setContentsMargins(pad, pad, pad, pad)
        texts = QVBoxLayout()
        texts.setSpacing(2)
        name = QLabel(self.tr("Appearance"), card)
        name.setProperty("role", "strong")
        note = QLabel(self.tr("Dark or light. The window changes at once."), card)
        note.setProperty("role", "muted")
        note.setWordWrap(True)
        texts.addWidget(name)
        texts.addWidget(note)
        row.addLayout(texts, 1)
        row.addWidget(self.theme, 0, Qt.AlignmentFlag.AlignVCenter)
        layout = QVBoxLayout(self)
        side, top = PAGE_MARGIN
        layout.setContentsMargins(side, top, side, top)
        layout.setSpacing(GAP)
        layout.addWidget(title)
        layout.addWidget(card)
        layout.addStretch(1)
