# SPDX-License-Identifier: GPL-3.0-or-later
"""What did not work, and what was just done: one line each in the page, never a box above it."""

from dataclasses import dataclass

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from destutter.ui.controls.elided import WrappedLabel
from destutter.ui.controls.reading_direction import leading
from destutter.ui.controls.signs import look_of
from destutter.ui.look.theme import Theme


@dataclass(frozen=True, slots=True)
class Notice:
    """One line. ``kind``: "bad", "warn", "ok" or "info"; ``action`` is the text of a button."""

    id: str
    kind: str
    text: str
    detail: str = ""
    action: str = ""
    can_be_closed: bool = True


class _NoticeRow(QFrame):
    """The widget of one notice."""

    acted = Signal(str)
    closed = Signal(str)

    def __init__(self, theme: Theme, notice: Notice, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "banner")
        self.setProperty("kind", notice.kind)
        self._theme = theme
        self.notice = notice
        self._sign = QLabel(self)
        text = WrappedLabel("strong", self)
        text.set_full_text(leading(self, notice.text))
        detail = WrappedLabel("small", self)
        detail.set_full_text(leading(self, notice.detail))
        detail.setVisible(bool(notice.detail))
        texts = QVBoxLayout()
        texts.setSpacing(0)
        texts.addWidget(text)
        texts.addWidget(detail)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(theme.sizes.px(12), 5, theme.sizes.px(6), 5)
        layout.setSpacing(theme.sizes.px(10))
        layout.addWidget(self._sign)
        layout.addLayout(texts, 1)
        self.action = QPushButton(notice.action, self)
        self.action.setVisible(bool(notice.action))
        self.action.clicked.connect(self._acted)
        layout.addWidget(self.action)
        self.close_button = QPushButton(self)
        self.close_button.setProperty("role", "flat")
        self.close_button.setAccessibleName(self.tr("Close: {text}").format(text=notice.text))
        self.close_button.setFixedWidth(theme.sizes.px(28))
        self.close_button.setIconSize(QSize(theme.sizes.px(16), theme.sizes.px(16)))
        self.close_button.setVisible(notice.can_be_closed)
        self.close_button.clicked.connect(self._closed)
        layout.addWidget(self.close_button)
        theme.changed.connect(self._draw)
        self._draw()

    @Slot()
    def _acted(self) -> None:
        self.acted.emit(self.notice.id)

    @Slot()
    def _closed(self) -> None:
        self.closed.emit(self.notice.id)

    @Slot()
    def _draw(self) -> None:
        icon, tone = look_of(self.notice.kind)
        icons, tokens, sizes = self._theme.icons, self._theme.tokens, self._theme.sizes
        ratio = self.devicePixelRatioF()
        self._sign.setPixmap(icons.pixmap(icon, getattr(tokens, tone), sizes.px(18), ratio))
        self.close_button.setIcon(icons.icon("close", tokens.muted, sizes.px(16)))


class Notices(QWidget):
    """Lines one below the other, the newest at the top; at most ``most`` of them.

    ``acted(str)`` with the id of a notice whose button was clicked, ``closed(str)`` with that of
    one that somebody closed.
    """

    acted = Signal(str)
    closed = Signal(str)

    def __init__(self, theme: Theme, most: int = 3, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._most = most
        self._rows: dict[str, _NoticeRow] = {}
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(6)
        self._layout.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.hide()

    @property
    def shown(self) -> tuple[Notice, ...]:
        """What is said, the newest last."""
        return tuple(row.notice for row in self._rows.values())

    def row(self, id_: str) -> _NoticeRow:
        """The widget of a notice; raises ``KeyError``."""
        return self._rows[id_]

    def show_notice(self, notice: Notice) -> None:
        """Say this; it takes the place of the notice with the same id."""
        known = self._rows.get(notice.id)
        if known is not None and known.notice == notice:
            return
        self.remove(notice.id)
        while len(self._rows) >= self._most:
            self.remove(next(iter(self._rows)))
        row = _NoticeRow(self._theme, notice, self)
        row.acted.connect(self.acted)
        row.closed.connect(self._close)
        self._rows[notice.id] = row
        self._layout.insertWidget(0, row)
        row.show()
        self.show()

    def remove(self, id_: str) -> None:
        row = self._rows.pop(id_, None)
        if row is not None:
            row.hide()
            self._layout.removeWidget(row)
            row.deleteLater()
        self.setVisible(bool(self._rows))

    @Slot(str)
    def _close(self, id_: str) -> None:
        self.remove(id_)
        self.closed.emit(id_)
