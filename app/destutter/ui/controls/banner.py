# SPDX-License-Identifier: GPL-3.0-or-later
"""The one banner of a page: sign, bold sentence, muted one, at most four buttons and a cross."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from destutter.ui.controls.elided import WrappedLabel
from destutter.ui.look.fonts import mono_font
from destutter.ui.look.theme import Theme

_DETAILS, _COPY = "details", "copy-report"
_BESIDE, _BELOW = (0, 2, 1, 1), (1, 1, 1, 3)
_LEAST_PX = 56
_LEAST_TEXT_PX = 400  # a choice: with less a sentence of two clauses takes four lines


class Urgency(IntEnum):
    """Which banner wins when several have something to say."""

    INFO = 0
    DRIFT = 1
    STUTTER = 2
    FAILURE = 3
    TRIAL = 4


@dataclass(frozen=True, slots=True)
class BannerAction:
    """A button: what it says and the name under which it is reported. ``is_cross``: it only takes
    the banner away, and is drawn as a cross. ``is_primary``: it is the one that is suggested."""

    id: str
    text: str
    is_cross: bool = False
    is_primary: bool = False


@dataclass(frozen=True, slots=True)
class BannerText:
    """What a banner says. ``kind``: info, ok, warn or bad; ``icon``: a name.

    ``report`` is what somebody who is asked for help wants to know, one fact a line. Where there
    is one, the two buttons of the banner show and copy it.
    """

    kind: str
    icon: str
    headline: str
    detail: str
    urgency: Urgency
    actions: tuple[BannerAction, ...] = ()
    report: str = ""


def most_urgent(banners: Iterable[BannerText]) -> BannerText | None:
    """The banner that is shown; of equally urgent ones the first."""
    return max(banners, key=lambda banner: banner.urgency, default=None)


_ICON_TOKENS = {"info": "muted", "ok": "ok", "warn": "warn", "bad": "bad"}


class Banner(QFrame):
    """Shows one ``BannerText``. ``action_clicked(str)`` with the id of a button.

    A sentence takes as many lines as it needs, and the buttons a line of their own where they
    would leave it too little room. With ``is_steady`` it does not become lower again while it is
    of one kind: a verdict changes often, and must not move what lies below it up and down.
    """

    action_clicked = Signal(str)

    def __init__(
        self, theme: Theme, parent: QWidget | None = None, *, is_steady: bool = False
    ) -> None:
        super().__init__(parent)
        self.setProperty("role", "banner")
        self._theme = theme
        self._is_steady = is_steady
        self._is_below = False
        self._shown: BannerText | None = None
        self._sign = QLabel(self)
        self.headline = WrappedLabel("cardTitle", self)
        self.detail = WrappedLabel("muted", self)
        self._buttons = [QPushButton(self) for _ in range(4)]
        self.cross = QPushButton(self)
        self.cross.setProperty("role", "flat")
        self.cross.setFixedWidth(theme.sizes.px(28))
        self.cross.setIconSize(QSize(theme.sizes.px(16), theme.sizes.px(16)))
        self.cross.hide()
        self.report = QLabel(self)
        self.report.setProperty("role", "small")
        self.report.setTextFormat(Qt.TextFormat.PlainText)
        self.report.setWordWrap(True)
        self.report.setFont(mono_font(theme.sizes.small))
        self.report.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.report.hide()
        self._build()
        theme.changed.connect(self._draw_sign)

    def _build(self) -> None:
        sizes = self._theme.sizes
        texts = QVBoxLayout()
        texts.setSpacing(1)
        texts.addWidget(self.headline)
        texts.addWidget(self.detail)
        self._actions = QGridLayout()
        self._actions.setSpacing(sizes.px(12))
        self._columns = len(self._buttons)
        for column, button in enumerate(self._buttons):
            self._actions.addWidget(button, 0, column)
        for button in (*self._buttons, self.cross):
            button.clicked.connect(self._clicked)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(sizes.px(16), 8, sizes.px(12), 8)
        self._grid.setHorizontalSpacing(sizes.px(12))
        self._grid.setColumnStretch(1, 1)
        self._grid.addWidget(self._sign, 0, 0, Qt.AlignmentFlag.AlignVCenter)
        self._grid.addLayout(texts, 0, 1)
        self._grid.addLayout(self._actions, *_BESIDE, Qt.AlignmentFlag.AlignVCenter)
        self._grid.addWidget(self.cross, 0, 3, Qt.AlignmentFlag.AlignVCenter)
        self._grid.addWidget(self.report, 2, 0, 1, 4)
        self._be_low()

    def _be_low(self) -> None:
        self.setMinimumHeight(self._theme.sizes.px(_LEAST_PX))

    def _arrange(self) -> None:
        """Buttons beside the words, or below them where those would become a column.

        In a window of 640 pixels four of them are two lines.
        """
        in_a_row_px = self._in_a_row_px()
        is_below = self.width() < in_a_row_px + self._theme.sizes.px(_LEAST_TEXT_PX)
        margins = self._grid.contentsMargins()
        room_px = self.width() - margins.left() - margins.right()
        self._set_columns(2 if is_below and in_a_row_px > room_px else len(self._buttons))
        if is_below != self._is_below:
            self._is_below = is_below
            self._grid.removeItem(self._actions)
            place = _BELOW if is_below else _BESIDE
            side = Qt.AlignmentFlag.AlignLeading if is_below else Qt.AlignmentFlag.AlignVCenter
            self._grid.addLayout(self._actions, *place, side)

    def _in_a_row_px(self) -> int:
        shown = [each for each in self._buttons if not each.isHidden()]
        gaps = self._actions.horizontalSpacing() * max(0, len(shown) - 1)
        return sum(each.sizeHint().width() for each in shown) + gaps

    def _set_columns(self, columns: int) -> None:
        if columns != self._columns:
            self._columns = columns
            for at, button in enumerate(self._buttons):
                self._actions.addWidget(button, at // columns, at % columns)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width, another place for the buttons."""
        super().resizeEvent(event)
        self._arrange()
        if event.size().width() != event.oldSize().width():
            self._be_low()
        elif self._is_steady:
            self.setMinimumHeight(max(self.minimumHeight(), event.size().height()))

    @property
    def shown(self) -> BannerText | None:
        return self._shown

    @property
    def buttons(self) -> tuple[QPushButton, ...]:
        """The buttons that are in use, the cross last."""
        return tuple(b for b in (*self._buttons, self.cross) if not b.isHidden())

    def show_text(self, text: BannerText) -> None:
        if text == self._shown:
            return
        is_other_kind = self._shown is None or self._shown.kind != text.kind
        self._shown = text
        self.headline.set_full_text(text.headline)
        self.detail.set_full_text(text.detail)
        self.detail.setVisible(bool(text.detail))
        self.report.setText(text.report)
        self.report.hide()
        self._show_buttons(text)
        if is_other_kind:
            self._be_low()
            self.setProperty("kind", text.kind)
            self.style().unpolish(self)
            self.style().polish(self)
        self._draw_sign()

    def _show_buttons(self, text: BannerText) -> None:
        actions = [each for each in text.actions if not each.is_cross]
        if text.report:
            actions = [
                BannerAction(_DETAILS, self.tr("Details")),
                BannerAction(_COPY, self.tr("Copy report")),
            ]
        for index, button in enumerate(self._buttons):
            button.setVisible(index < len(actions))
            if index < len(actions):
                button.setText(actions[index].text)
                button.setProperty("action", actions[index].id)
                self._mark(button, is_primary=actions[index].is_primary)
        cross = next((each for each in text.actions if each.is_cross), None)
        self.cross.setVisible(cross is not None)
        if cross is not None:
            self.cross.setAccessibleName(cross.text)
            self.cross.setToolTip(cross.text)
            self.cross.setProperty("action", cross.id)
        self._arrange()

    def _mark(self, button: QPushButton, *, is_primary: bool) -> None:
        role = "suggested" if is_primary else ""
        if button.property("role") != role:
            button.setProperty("role", role)
            button.style().unpolish(button)
            button.style().polish(button)

    @Slot()
    def _clicked(self) -> None:
        button = self.sender()
        action = str(button.property("action"))
        if action == _DETAILS:
            self.report.setVisible(self.report.isHidden())
        elif action == _COPY and isinstance(button, QPushButton):
            QGuiApplication.clipboard().setText(self.report.text())
            button.setText(self.tr("Copied"))
        else:
            self.action_clicked.emit(action)

    @Slot()
    def _draw_sign(self) -> None:
        if self._shown is None:
            return
        color = getattr(self._theme.tokens, _ICON_TOKENS[self._shown.kind])
        size, ratio = self._theme.sizes.px(22), self.devicePixelRatioF()
        icons, sizes = self._theme.icons, self._theme.sizes
        self._sign.setPixmap(icons.pixmap(self._shown.icon, color, size, ratio))
        self.cross.setIcon(icons.icon("close", self._theme.tokens.muted, sizes.px(16)))
