# SPDX-License-Identifier: GPL-3.0-or-later
"""A label of a fixed number of lines; what does not fit ends in an ellipsis."""

import re
from itertools import pairwise

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPaintEvent, QTextLayout, QTextOption
from PySide6.QtWidgets import QSizePolicy, QWidget

from destutter.ui.look.theme import Theme

_PATH = re.compile(r"(?<!\S)/[\w./*-]+")
_WORD_JOINER = "\N{WORD JOINER}"


def unbroken_paths(text: str) -> str:
    """The text with paths such as /proc/vmstat that no line may end in."""
    return _PATH.sub(lambda found: found[0].replace("/", "/" + _WORD_JOINER), text)


def broken(text: str, font: QFont, width: int, most: int) -> list[str]:
    """The text in at most so many lines of this width; the last has an ellipsis if it is cut."""
    metrics = QFontMetrics(font)
    if most == 1 or metrics.horizontalAdvance(text) <= width:
        return [metrics.elidedText(text, Qt.TextElideMode.ElideRight, width)]
    layout = QTextLayout(text, font)
    option = QTextOption()
    # A name without spaces may be wider than a line.
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    layout.beginLayout()
    starts: list[int] = []
    while len(starts) <= most and (line := layout.createLine()).isValid():
        line.setLineWidth(width)
        starts.append(line.textStart())
    layout.endLayout()
    starts.append(len(text))
    lines = [text[low:high].strip() for low, high in pairwise(starts)]
    if len(lines) > most:
        lines = [*lines[: most - 1], text[starts[most - 1] :]]
    return [metrics.elidedText(line, Qt.TextElideMode.ElideRight, width) for line in lines]


class LinesOfText(QWidget):
    """Wrapped text in at most ``lines`` lines, on the ground of a card.

    The whole text is its tool tip when it is cut.
    """

    def __init__(
        self, theme: Theme, font: QFont, token: str, lines: int, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._font = font
        self._tone = token
        self._lines = lines
        self._text = ""
        self.is_cut = False
        # It may change every second; what lies below need not be drawn again for it.
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    @property
    def text(self) -> str:
        return self._text

    def set_text(self, text: str) -> None:
        if text != self._text:
            self._text = text
            self.setAccessibleName(text)
            self.update()

    def sizeHint(self) -> QSize:
        """Room for all lines."""
        return QSize(100, self._lines * self._line_height())

    def minimumSizeHint(self) -> QSize:
        """A few letters wide."""
        return QSize(40, self._lines * self._line_height())

    def _line_height(self) -> int:
        return QFontMetrics(self._font).lineSpacing()

    def shown_lines(self) -> list[str]:
        """The lines as they are drawn, the last one with an ellipsis if there is more."""
        return broken(self._text, self._font, self.width(), self._lines)

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.color("surface"))
        painter.setLayoutDirection(self.layoutDirection())
        painter.setFont(self._font)
        painter.setPen(self._theme.color(self._tone))
        lines = self.shown_lines()
        height = self._line_height()
        is_mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        ascent = QFontMetrics(self._font).ascent()
        for index, line in enumerate(lines):
            width = QFontMetrics(self._font).horizontalAdvance(line)
            x = self.width() - width if is_mirrored else 0
            painter.drawText(QPointF(x, index * height + ascent), line)
        self.is_cut = any(line.endswith("…") for line in lines) and "…" not in self._text
        tip = self._text if self.is_cut else ""
        if tip != self.toolTip():
            self.setToolTip(tip)
