# SPDX-License-Identifier: GPL-3.0-or-later
"""A state as sign, word and colour: never colour alone."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from destutter.diagnosis.finding import TileState
from destutter.ui.controls.signs import state_look, state_name
from destutter.ui.look.theme import Theme


class StateChip(QWidget):
    """A rounded label with sign and word; only the sign where the word has no room."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._icon = "measuring"
        self._tone = "none"
        self._text = "–"
        self._is_short = False
        self._font = theme.sized(theme.sizes.caption, 600)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    @property
    def text(self) -> str:
        return self._text

    @property
    def icon(self) -> str:
        return self._icon

    def show_state(self, state: TileState | None) -> None:
        """Show this state; None: nothing is known yet."""
        self.show_sign(*state_look(state), "–" if state is None else state_name(state))

    def show_sign(self, icon: str, tone: str, text: str) -> None:
        """Show any sign with its word; ``tone`` is a token that has a "_soft" ground."""
        if (icon, tone, text) == (self._icon, self._tone, self._text):
            return
        self._icon, self._tone, self._text = icon, tone, text
        self.setAccessibleName(text)
        self.updateGeometry()
        self.update()

    @property
    def full_width(self) -> int:
        """Sign, word and a margin."""
        width = QFontMetrics(self._font).horizontalAdvance(self._text)
        return width + self._theme.sizes.px(30)

    def set_short(self, *, is_short: bool) -> None:
        """Show only the sign, or sign and word."""
        if is_short != self._is_short:
            self._is_short = is_short
            self.updateGeometry()
            self.update()

    def sizeHint(self) -> QSize:
        """The whole label, or the sign."""
        width = self._theme.sizes.px(26) if self._is_short else self.full_width
        return QSize(width, self._theme.sizes.px(22))

    def minimumSizeHint(self) -> QSize:
        """The sign and a letter, for whoever lets it have less room than its word needs."""
        return QSize(self._theme.sizes.px(40), self._theme.sizes.px(22))

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        sizes = self._theme.sizes
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setLayoutDirection(self.layoutDirection())
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color(f"{self._tone}_soft"))
        painter.drawRoundedRect(QRectF(self.rect()), sizes.px(10), sizes.px(10))
        size, pad = sizes.px(14), sizes.px(6)
        is_mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        if self._is_short:
            pad = (self.width() - size) // 2
        left = self.width() - pad - size if is_mirrored else pad
        color = getattr(self._theme.tokens, self._tone)
        corner = QPointF(left, (self.height() - size) / 2)
        self._theme.icons.paint(painter, self._icon, color, corner, size)
        gap = pad + size + sizes.px(4)
        room = QRectF(self.rect()).adjusted(
            pad if is_mirrored else gap, 0, -gap if is_mirrored else -pad + 2, 0
        )
        painter.setFont(self._font)
        painter.setPen(self._theme.color(self._tone))
        if not self._is_short:
            flags = Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter
            flags |= Qt.TextFlag.TextDontClip
            metrics, text = QFontMetrics(self._font), self._text
            # A word that is a little too long may reach the edge.
            if metrics.horizontalAdvance(text) > room.width() + pad:
                text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, int(room.width()))
            painter.drawText(room, flags, text)
