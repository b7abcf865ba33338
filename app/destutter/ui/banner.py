# SPDX-License-Identifier: GPL-3.0-or-later
"""The one banner of a page: sign, bold sentence, muted sentence, at most two buttons."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from destutter.ui.elided import ElidedLabel
from destutter.ui.theme import Theme


class Urgency(IntEnum):
    """Which banner wins when several have something to say."""

    INFO = 0
    DRIFT = 1
    STUTTER = 2
    FAILURE = 3
    TRIAL = 4


@dataclass(frozen=True, slots=True)
class BannerAction:
    """A button: what it says and the name under which it is reported."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class BannerText:
    """What a banner says. ``kind``: info, ok, warn or bad; ``icon``: a name."""

    kind: str
    icon: str
    headline: str
    detail: str
    urgency: Urgency
    actions: tuple[BannerAction, ...] = ()


def most_urgent(banners: Iterable[BannerText]) -> BannerText | None:
    """The banner that is shown; of equally urgent ones the first."""
    return max(banners, key=lambda banner: banner.urgency, default=None)


_ICON_TOKENS = {"info": "muted", "ok": "ok", "warn": "warn", "bad": "bad"}


class _WrappedLabel(QLabel):
    """Text in as many lines as it needs."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("role", "muted")
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)

    @property
    def full_text(self) -> str:
        """The whole text."""
        return self.text()

    def set_full_text(self, text: str) -> None:
        """Show this text."""
        self.setText(text)


class Banner(QFrame):
    """Shows one ``BannerText``. ``action_clicked(str)`` with the id of a button.

    The second sentence ends in an ellipsis where it has no room: a verdict changes often, and
    must not move what lies below it. With ``wraps`` it takes more lines instead.
    """

    action_clicked = Signal(str)

    def __init__(
        self, theme: Theme, parent: QWidget | None = None, *, wraps: bool = False
    ) -> None:
        super().__init__(parent)
        self.setProperty("role", "banner")
        self._theme = theme
        self._shown: BannerText | None = None
        self._sign = QLabel(self)
        self.headline = ElidedLabel("", "cardTitle", self)
        self.detail = _WrappedLabel(self) if wraps else ElidedLabel("", "muted", self)
        self._buttons = [QPushButton(self) for _ in range(2)]
        texts = QVBoxLayout()
        texts.setSpacing(1)
        texts.addWidget(self.headline)
        texts.addWidget(self.detail)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(theme.sizes.px(16), 8, theme.sizes.px(12), 8)
        layout.setSpacing(theme.sizes.px(12))
        layout.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignVCenter)
        layout.addLayout(texts, 1)
        for button in self._buttons:
            layout.addWidget(button, 0, Qt.AlignmentFlag.AlignVCenter)
            button.clicked.connect(self._clicked)
        self.setMinimumHeight(theme.sizes.px(56))
        theme.changed.connect(self._draw_sign)

    @property
    def shown(self) -> BannerText | None:
        """What it says now."""
        return self._shown

    @property
    def buttons(self) -> tuple[QPushButton, ...]:
        """The buttons that are in use."""
        return tuple(b for b in self._buttons if not b.isHidden())

    def show_text(self, text: BannerText) -> None:
        """Say this."""
        if text == self._shown:
            return
        is_other_kind = self._shown is None or self._shown.kind != text.kind
        self._shown = text
        self.headline.set_full_text(text.headline)
        self.detail.set_full_text(text.detail)
        self.detail.setVisible(bool(text.detail))
        for index, button in enumerate(self._buttons):
            action = text.actions[index] if index < len(text.actions) else None
            button.setVisible(action is not None)
            if action is not None:
                button.setText(action.text)
                button.setProperty("action", action.id)
        if is_other_kind:
            self.setProperty("kind", text.kind)
            self.style().unpolish(self)
            self.style().polish(self)
        self._draw_sign()

    @Slot()
    def _clicked(self) -> None:
        self.action_clicked.emit(str(self.sender().property("action")))

    @Slot()
    def _draw_sign(self) -> None:
        if self._shown is None:
            return
        color = getattr(self._theme.tokens, _ICON_TOKENS[self._shown.kind])
        size, ratio = self._theme.sizes.px(22), self.devicePixelRatioF()
        self._sign.setPixmap(self._theme.icons.pixmap(self._shown.icon, color, size, ratio))
