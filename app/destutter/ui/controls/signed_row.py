# SPDX-License-Identifier: GPL-3.0-or-later
"""One quiet line: a sign, a sentence and a link behind it, without the frame of a banner."""

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from destutter.ui.controls.elided import ElidedLabel
from destutter.ui.look.theme import Theme


class SignedRow(QWidget):
    """``text`` and ``link`` are filled by the kinds of such lines, which may add to ``line``.

    Hidden until one has something to say.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._sign = QLabel(self)
        self.text = ElidedLabel("", "small", self, most_lines=2)
        self.link = QPushButton(self)
        self.link.setProperty("role", "link")
        self.line = QHBoxLayout(self)
        self.line.setContentsMargins(theme.sizes.px(4), 0, 0, 0)
        self.line.setSpacing(theme.sizes.px(7))
        self.line.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignVCenter)
        self.line.addWidget(self.text, 1)
        self.line.addWidget(self.link)
        theme.changed.connect(self._draw_sign)
        self.hide()

    def _sign_look(self) -> tuple[str, str]:
        """The name of the icon, and its colour."""
        return "info", self._theme.tokens.info

    @Slot()
    def _draw_sign(self) -> None:
        name, color = self._sign_look()
        size, ratio = self._theme.sizes.px(15), self.devicePixelRatioF()
        self._sign.setPixmap(self._theme.icons.pixmap(name, color, size, ratio))
