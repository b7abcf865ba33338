# SPDX-License-Identifier: GPL-3.0-or-later
"""A line's colour, its name, its value at the moment that is looked at, and its limit."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from destutter.ui.controls.reading_direction import isolated
from destutter.ui.look.theme import Theme

_SWATCH, _GAP = 12, 6


class Legend(QWidget):
    """One line of text with a swatch; the name gives way where there is no room."""

    def __init__(
        self, theme: Theme, parent: QWidget | None = None, *, least_name: int | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._least_name = theme.sizes.px(40) if least_name is None else least_name
        self._name = self._value = self._note = ""
        self._color = "frame"
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    @property
    def text(self) -> str:
        """Name, value and limit, as readers of the screen hear them."""
        said = f"{self._name}: {self._value}" if self._value else self._name
        return f"{said}, {self._note}" if self._note else said

    def show_line(self, name: str, value: str, color: str, note: str = "") -> None:
        """Show this line; ``note`` stands behind the value, less loud."""
        shown = (self._name, self._value, self._color, self._note)
        if (name, value, color, note) != shown:
            is_wider = (name, len(value), note) != (self._name, len(self._value), self._note)
            self._name, self._value, self._color, self._note = name, value, color, note
            self.setAccessibleName(self.text)
            self.setToolTip(self.text)
            if is_wider:
                self.updateGeometry()
            self.update()

    def sizeHint(self) -> QSize:
        """Swatch, name and value."""
        sizes = self._theme.sizes
        return QSize(self._fixed_width() + self._name_width() + 2, sizes.px(18))

    def minimumSizeHint(self) -> QSize:
        """Swatch, value and ``least_name`` pixels of the name, or all of a shorter one."""
        name = min(self._name_width() + 2, self._least_name)
        return QSize(self._fixed_width() + name, self._theme.sizes.px(18))

    def _name_width(self) -> int:
        font = self._theme.sized(self._theme.sizes.small)
        return QFontMetrics(font).horizontalAdvance(self._name)

    def _fixed_width(self) -> int:
        sizes = self._theme.sizes
        font = self._theme.sized(sizes.small, 600)
        value = QFontMetrics(font).horizontalAdvance(self._value)
        return sizes.px(_SWATCH) + 2 * sizes.px(_GAP) + value + self._note_width()

    def _note_width(self) -> int:
        if not self._note:
            return 0
        sizes = self._theme.sizes
        metrics = QFontMetrics(self._theme.sized(sizes.caption))
        return metrics.horizontalAdvance(self._note) + 2 + sizes.px(_GAP)

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        theme, sizes = self._theme, self._theme.sizes
        painter = QPainter(self)
        painter.setLayoutDirection(self.layoutDirection())
        swatch, gap = sizes.px(_SWATCH), sizes.px(_GAP)
        is_mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        x = self.width() - swatch if is_mirrored else 0
        painter.fillRect(QRectF(x, self.height() / 2 - 1, swatch, 2), theme.color(self._color))
        name_font, value_font = theme.sized(sizes.small), theme.sized(sizes.small, 600)
        value_width = QFontMetrics(value_font).horizontalAdvance(self._value) + 1
        metrics = QFontMetrics(name_font)
        room = self.width() - swatch - 2 * gap - value_width - self._note_width()
        name = metrics.elidedText(self._name, Qt.TextElideMode.ElideRight, room + 1)
        width = metrics.horizontalAdvance(name) + 1
        flags = Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter
        left = swatch + gap
        painter.setFont(name_font)
        painter.setPen(theme.color("muted"))
        painter.drawText(self._box(left, width), flags, isolated(name, self.layoutDirection()))
        painter.setFont(value_font)
        painter.setPen(theme.color("text"))
        painter.drawText(self._box(left + width + gap, value_width), flags, self._value)
        if self._note:
            painter.setFont(theme.sized(sizes.caption))
            painter.setPen(theme.color("faint"))
            start = left + width + gap + value_width + gap
            painter.drawText(self._box(start, self._note_width()), flags, self._note)

    def _box(self, start: int, width: int) -> QRectF:
        is_mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        x = self.width() - start - width if is_mirrored else start
        return QRectF(x, 0, width, self.height())
