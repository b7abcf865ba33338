# SPDX-License-Identifier: GPL-3.0-or-later
"""One line of a step: sign, bold text, quiet text, and a word or a button at the end."""

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from destutter.ui.controls.reading_direction import leading
from destutter.ui.look.theme import Theme


class GuideRow(QFrame):
    """``clicked()`` of its button."""

    clicked = Signal()

    def __init__(
        self, theme: Theme, *, is_first: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._icon, self._tone = "info", "accent"
        if not is_first:
            self.setProperty("role", "row")
        self._sign = QLabel(self)
        self.title = QLabel("", self)
        self.title.setProperty("role", "strong")
        self.detail = QLabel("", self)
        self.detail.setProperty("role", "small")
        for label in (self.title, self.detail):
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
        self.word = QLabel("", self)
        self.word.setProperty("role", "smallStrong")
        self.button = QPushButton("", self)
        self.button.clicked.connect(self.clicked)
        self.button.hide()
        self.word.hide()
        texts = QVBoxLayout()
        texts.setSpacing(1)
        texts.addStretch(1)
        texts.addWidget(self.title)
        texts.addWidget(self.detail)
        texts.addStretch(1)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, theme.sizes.px(7), 0, theme.sizes.px(7))
        layout.setSpacing(theme.sizes.px(12))
        layout.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignVCenter)
        layout.addLayout(texts, 1)
        layout.addWidget(self.word)
        layout.addWidget(self.button)
        theme.changed.connect(self._draw)

    def show_texts(self, icon: str, tone: str, title: str, detail: str) -> None:
        """Say this; ``tone`` is the token of the sign's colour."""
        self._icon, self._tone = icon, tone
        for label, text in ((self.title, title), (self.detail, detail)):
            shown = leading(self, text)
            if shown != label.text():
                label.setText(shown)
        self.detail.setVisible(bool(detail))
        self._draw()

    def show_word(self, word: str) -> None:
        """A state at the end, in the colour of the sign."""
        self.word.setText(word)
        self.word.setVisible(bool(word))
        self._draw()

    def show_button(self, text: str) -> None:
        """A button at the end; none with an empty text."""
        self.button.setText(text)
        self.button.setVisible(bool(text))

    @Slot()
    def _draw(self) -> None:
        color = getattr(self._theme.tokens, self._tone)
        size, ratio = self._theme.sizes.px(18), self.devicePixelRatioF()
        self._sign.setPixmap(self._theme.icons.pixmap(self._icon, color, size, ratio))
        self.word.setStyleSheet(f"color: {color};")
