# SPDX-License-Identifier: GPL-3.0-or-later
"""One quiet line that offers something: a sentence, a link, and a way to be rid of it."""

from PySide6.QtCore import QSize, Signal, Slot
from PySide6.QtWidgets import QPushButton, QWidget

from destutter.ui.controls.notices import Notice
from destutter.ui.controls.signed_row import SignedRow
from destutter.ui.look.theme import Theme


class OfferRow(SignedRow):
    """Shows one notice without the frame of a banner, so that the verdict stays the only one.

    A second one waits until the first is gone.

    ``acted(str)`` with the id of the notice whose link was clicked, ``closed(str)`` with that of
    one that somebody closed.
    """

    acted = Signal(str)
    closed = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._notices: list[Notice] = []
        self._is_kept_back = False
        self.link.clicked.connect(self._act)
        self.close_button = QPushButton(self)
        self.close_button.setProperty("role", "flat")
        self.close_button.setFixedWidth(theme.sizes.px(26))
        self.close_button.setIconSize(QSize(theme.sizes.px(14), theme.sizes.px(14)))
        self.close_button.clicked.connect(self._close)
        self.line.addWidget(self.close_button)
        theme.changed.connect(self._draw_close)
        self._draw_sign()
        self._draw_close()

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
            self.link.setVisible(bool(notice.action))  # an empty frame stood there
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

    def _sign_look(self) -> tuple[str, str]:
        return "guide", self._theme.tokens.accent

    @Slot()
    def _draw_close(self) -> None:
        size = self._theme.sizes.px(14)
        self.close_button.setIcon(self._theme.icons.icon("close", self._theme.tokens.muted, size))
