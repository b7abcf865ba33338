# SPDX-License-Identifier: GPL-3.0-or-later
"""One quiet line that offers something: a sentence, a link, and a way to be rid of it."""

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from destutter.ui.controls.elided import ElidedLabel
from destutter.ui.controls.notices import Notice
from destutter.ui.look.theme import Theme


class OfferRow(QWidget):
    """Shows one notice without the frame of a banner, so that the verdict stays the only one.

    A second one waits until the first is gone.

    ``acted(str)`` with the id of the notice whose link was clicked, ``closed(str)`` with that of
    one that somebody closed.
    """

    acted = Signal(str)
    closed = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._notices: list[Notice] = []
        self._is_kept_back = False
        self._sign = QLabel(self)
        self.text = ElidedLabel("", "small", self)
        self.link = QPushButton(self)
        self.link.setProperty("role", "link")
        self.link.clicked.connect(self._act)
        self.close_button = QPushButton(self)
        self.close_button.setProperty("role", "flat")
        self.close_button.setFixedWidth(theme.sizes.px(26))
        self.close_button.setIconSize(QSize(theme.sizes.px(14), theme.sizes.px(14)))
        self.close_button.clicked.connect(self._close)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(theme.sizes.px(4), 0, 0, 0)
        layout.setSpacing(theme.sizes.px(7))
        layout.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignVCenter)
        layout.addWidget(self.text, 1)
        layout.addWidget(self.link)
        layout.addWidget(self.close_button)
        theme.changed.connect(self._draw)
        self._draw()
        self.hide()

    @property
    def shown(self) -> Notice | None:
        """What is offered, seen or kept back."""
        return self._notices[0] if self._notices else None

    def show_notice(self, notice: Notice) -> None:
        """Offer this, in place of what was offered under the same id, or after what is offered."""
        ids = [each.id for each in self._notices]
        if notice.id in ids:
            self._notices[ids.index(notice.id)] = notice
        else:
            self._notices.append(notice)
        self._show()

    def remove(self, id_: str) -> None:
        """Offer it no longer."""
        self._notices = [each for each in self._notices if each.id != id_]
        self._show()

    def keep_back(self, *, is_kept_back: bool) -> None:
        """While something more urgent is said, an offer waits."""
        self._is_kept_back = is_kept_back
        self._show()

    def _show(self) -> None:
        notice = self.shown
        if notice is not None:
            self.text.set_full_text(notice.text)
            self.link.setText(notice.action)
            self.close_button.setAccessibleName(self.tr("Close: {text}").format(text=notice.text))
        self.setVisible(notice is not None and not self._is_kept_back)

    @Slot()
    def _act(self) -> None:
        if self.shown is not None:
            self.acted.emit(self.shown.id)

    @Slot()
    def _close(self) -> None:
        notice = self.shown
        if notice is not None:
            self.remove(notice.id)
            self.closed.emit(notice.id)

    @Slot()
    def _draw(self) -> None:
        icons, tokens, sizes = self._theme.icons, self._theme.tokens, self._theme.sizes
        ratio = self.devicePixelRatioF()
        self._sign.setPixmap(icons.pixmap("guide", tokens.accent, sizes.px(15), ratio))
        self.close_button.setIcon(icons.icon("close", tokens.muted, sizes.px(14)))
