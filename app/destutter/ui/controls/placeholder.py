# SPDX-License-Identifier: GPL-3.0-or-later
"""An empty place that explains itself: sign, heading, one or two lines, and what to do."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from destutter.ui.controls.suggested import mark_suggested
from destutter.ui.look.theme import Theme


class Placeholder(QWidget):
    """``clicked(str)`` with the id of a button.

    The first button is the suggested one, unless the page suggests another (``set_calm``).
    """

    clicked = Signal(str)

    def __init__(
        self,
        theme: Theme,
        icon: str,
        heading: str,
        text: str,
        actions: Sequence[tuple[str, str]],
        parent: QWidget | None = None,
    ) -> None:
        """``actions``: (id, text) of each button."""
        super().__init__(parent)
        self._theme = theme
        self._icon = icon
        self._sign = QLabel(self)
        self._sign.setAlignment(Qt.AlignmentFlag.AlignCenter)
        title = QLabel(heading, self)
        title.setProperty("role", "emptyTitle")
        title.setAlignment(Qt.AlignmentFlag.AlignCenter)
        title.setWordWrap(True)
        line = QLabel(text, self)
        line.setProperty("role", "muted")
        line.setAlignment(Qt.AlignmentFlag.AlignCenter)
        line.setWordWrap(True)
        width = theme.sizes.px(500)
        line.setFixedSize(width, line.heightForWidth(width) + 2)
        row = QHBoxLayout()
        row.setSpacing(theme.sizes.px(8))
        row.addStretch(1)
        self.buttons: dict[str, QPushButton] = {}
        for index, (id_, label) in enumerate(actions):
            button = QPushButton(label, self)
            mark_suggested(button, is_suggested=index == 0)
            button.setProperty("action", id_)
            button.clicked.connect(self._clicked)
            self.buttons[id_] = button
            row.addWidget(button)
        row.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setSpacing(theme.sizes.px(12))
        layout.addStretch(1)
        layout.addWidget(self._sign)
        layout.addWidget(title)
        layout.addWidget(line, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addSpacing(4)
        layout.addLayout(row)
        layout.addStretch(1)
        theme.changed.connect(self._draw_sign)
        self._draw_sign()

    def set_calm(self, *, is_calm: bool) -> None:
        """Suggest nothing, since something else does."""
        for button in list(self.buttons.values())[:1]:
            mark_suggested(button, is_suggested=not is_calm)

    @Slot()
    def _clicked(self) -> None:
        self.clicked.emit(str(self.sender().property("action")))

    @Slot()
    def _draw_sign(self) -> None:
        size, ratio = self._theme.sizes.px(48), self.devicePixelRatioF()
        color = self._theme.tokens.muted
        self._sign.setPixmap(self._theme.icons.pixmap(self._icon, color, size, ratio))
