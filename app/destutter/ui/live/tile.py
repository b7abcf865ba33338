# SPDX-License-Identifier: GPL-3.0-or-later
"""One of the five groups at a glance: name, state, one reason and the last minute."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Slot
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QHBoxLayout,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from destutter.diagnosis.finding import Group, TileState
from destutter.ui.controls.chip import StateChip
from destutter.ui.controls.elided import ElidedLabel
from destutter.ui.controls.lines_of_text import LinesOfText
from destutter.ui.controls.signs import state_look, state_name
from destutter.ui.controls.sparkline import Sparkline
from destutter.ui.look.theme import Theme
from destutter.ui.look.tokens import CARD_RADIUS

_COMPACT_PX = 52


class Tile(QAbstractButton):
    """A card that can be clicked. Compact: name and sign, and the word of the state below."""

    def __init__(
        self, theme: Theme, group: Group, name: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self.subject = group
        self._name = name
        self._state: TileState | None = None
        self._is_compact = False
        self._is_short = False
        self._reason = ""
        sizes = theme.sizes
        self._title = ElidedLabel(name, "cardTitle", self)
        metrics = QFontMetrics(theme.sized(sizes.card_title, 600))
        self._title.setMinimumWidth(min(metrics.horizontalAdvance(name) + 3, sizes.px(110)))
        self.chip = StateChip(theme, self)
        self.word = ElidedLabel("", "caption", self)
        self.reason = LinesOfText(theme, theme.sized(sizes.small), "muted", 3, self)
        self.sparkline = Sparkline(theme, self)
        head = QHBoxLayout()
        head.setContentsMargins(0, 0, 0, 0)
        head.setSpacing(4)
        head.addSpacing(sizes.px(27))
        head.addWidget(self._title, 1)
        head.addWidget(self.chip)
        self._box = QVBoxLayout(self)
        self._box.setSpacing(sizes.px(6))
        self._box.addStretch(0)
        self._box.addLayout(head)
        self._box.addWidget(self.word)
        self._box.addWidget(self.reason)
        self._box.addStretch(1)
        self._box.addWidget(self.sparkline)
        for child in (self._title, self.word, self.reason):
            child.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        theme.changed.connect(self._apply_theme)
        self.set_compact(is_compact=False)
        self.show_state(None, "")

    @property
    def state(self) -> TileState | None:
        """The state that is shown; None: nothing is known yet."""
        return self._state

    def set_compact(self, *, is_compact: bool) -> None:
        """Two short lines, or the whole card."""
        self._is_compact = is_compact
        pad = self._theme.sizes.px(11)
        margin = 0 if is_compact else pad - 2
        self._box.setContentsMargins(pad, margin, pad, margin)
        self.chip.setVisible(not is_compact)
        self.word.setVisible(is_compact)
        self.reason.setVisible(not is_compact)
        self.sparkline.setVisible(not is_compact)
        self._box.setSpacing(0 if is_compact else self._theme.sizes.px(6))
        self._box.setStretch(0, 1 if is_compact else 0)
        # Room for the sign at the end of the line.
        room = self._theme.sizes.px(26) if is_compact else 0
        is_mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        self._title.setContentsMargins(
            room if is_mirrored else 0, 0, 0 if is_mirrored else room, 0
        )
        self.updateGeometry()
        self.update()

    def show_state(self, state: TileState | None, reason: str) -> None:
        """Show a state and why; None: nothing is known yet."""
        if (state, reason) == (self._state, self._reason) and self.accessibleName():
            return
        self._reason = reason
        word = self.tr("Measuring") if state is None else state_name(state)
        self.word.set_full_text(word)
        if state is not self._state or not self.accessibleName():
            self._state = state
            self.chip.show_state(state)
            self._fit_chip()
            self.update()
        self._fit_reason()
        self.setAccessibleName(self.tr("{group}: {state}").format(group=self._name, state=word))
        self.setAccessibleDescription(reason)
        self.setToolTip(reason if self._is_compact else "")

    def show_line(self, points: Sequence[tuple[float, float | None]]) -> None:
        """Show the last minute."""
        token = "faint" if self._state is TileState.CLEAR else state_look(self._state)[1]
        self.sparkline.show_values(points, token)

    def sizeHint(self) -> QSize:
        """Equal widths are the layout's business; the height is the card's."""
        sizes = self._theme.sizes
        height = sizes.px(_COMPACT_PX) if self._is_compact else self._box.sizeHint().height()
        return QSize(150, height)

    def minimumSizeHint(self) -> QSize:
        """Name and sign."""
        return QSize(self._theme.sizes.px(104), self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The word of the state gives way to the name of the group."""
        super().resizeEvent(event)
        self._fit_chip()

    def _fit_chip(self) -> None:
        room = self.width() - 2 * self._theme.sizes.px(11) - self._theme.sizes.px(32)
        self._is_short = room - self._title.minimumWidth() < self.chip.full_width
        self.chip.set_short(is_short=self._is_short)
        self._fit_reason()

    def _fit_reason(self) -> None:
        """The reason, behind the word of the state where only its sign stands beside the name."""
        both = self.tr("{state}: {reason}").format(state=self.word.full_text, reason=self._reason)
        self.reason.set_text(both if self._is_short and self._reason else self._reason)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the card, its icon, and in one line the sign of the state."""
        del event
        tokens, sizes = self._theme.tokens, self._theme.sizes
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self._edge())
        painter.setBrush(self._theme.color("raised" if self.isDown() else "surface"))
        box = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        painter.drawRoundedRect(box, CARD_RADIUS, CARD_RADIUS)
        size, pad = sizes.px(18), sizes.px(11)
        middle = self._title.geometry().center().y() + 1 - size / 2
        is_mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        start, end = pad, self.width() - pad - size
        first, last = (end, start) if is_mirrored else (start, end)
        icons = self._theme.icons
        icons.paint(painter, self.subject.value, tokens.text, QPointF(first, middle), size)
        if self._is_compact:
            name, token = state_look(self._state)
            icons.paint(painter, name, getattr(tokens, token), QPointF(last, middle), size)

    def _edge(self) -> QPen:
        if self.hasFocus():
            return QPen(self._theme.color("focus"), 2)
        if self._state is TileState.CAUSING:
            return QPen(self._theme.color("bad"), 1)
        return QPen(self._theme.color("border_strong" if self.underMouse() else "border"), 1)

    @Slot()
    def _apply_theme(self) -> None:
        self.chip.update()
        self.sparkline.update()
        self.update()
