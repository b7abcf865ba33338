# SPDX-License-Identifier: GPL-3.0-or-later
"""What helps against a cause beside settings: advice as text, words of commands to copy.

Options of the kernel's command line and of the firmware are never written by Destutter.
"""

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from destutter.ui.controls.emptying import empty
from destutter.ui.controls.plain_label import plain_label
from destutter.ui.look.fonts import mono_font
from destutter.ui.look.theme import Theme
from destutter.ui.words.explanation_pages import Explanation
from destutter.words.measures import NBSP
from destutter_helper.api.tunables import BY_ID


class OtherHelp(QWidget):
    """Items of a cause's page that no setting of the table covers. ``copied(str)``.

    ``is_for_experts``: those with words of the system, else those without.
    """

    copied = Signal(str)

    def __init__(
        self, theme: Theme, parent: QWidget | None = None, *, is_for_experts: bool = False
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._is_for_experts = is_for_experts
        self._id = ""
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(theme.sizes.px(5))

    def show_page(self, page: Explanation | None) -> None:
        """Show the advice of this page; nothing without one."""
        wanted = "" if page is None else page.id
        if wanted == self._id:
            return
        self._id = wanted
        empty(self._box)
        items = () if page is None else page.advice
        for text, words in items:
            is_setting = any(word in BY_ID for word in words)
            if bool(words) == self._is_for_experts and not is_setting:
                self._box.addWidget(self._item(text, words))
        self.setVisible(not self.is_empty)

    @property
    def is_empty(self) -> bool:
        return self._box.count() == 0

    def _item(self, text: str, words: tuple[str, ...]) -> QWidget:
        holder = QWidget(self)
        row = QHBoxLayout(holder)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(self._theme.sizes.px(8))
        row.addWidget(plain_label("•" + NBSP + text, "muted", holder, wraps=True), 1)
        for word in words:
            if word.partition("=")[2]:
                row.addWidget(self._copy_button(word, holder), 0, Qt.AlignmentFlag.AlignTop)
        return holder

    def _copy_button(self, word: str, parent: QWidget) -> QPushButton:
        button = QPushButton(word, parent)
        button.setProperty("role", "link")
        button.setFont(mono_font(self._theme.sizes.small))
        button.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        button.setProperty("word", word)
        button.setToolTip(self.tr("Copy"))
        button.setAccessibleName(self.tr("Copy {word}").format(word=word))
        button.clicked.connect(self._clicked)
        return button

    @Slot()
    def _clicked(self) -> None:
        self.copied.emit(str(self.sender().property("word")))
