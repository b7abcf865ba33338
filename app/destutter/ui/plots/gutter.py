# SPDX-License-Identifier: GPL-3.0-or-later
"""The read-outs beside a lane: its name, its lines with their values, and a note.

Real labels, so that screen readers find them. Their places are set by hand and their sizes are
fixed: a number that changes twice a second must not make Qt lay out the window anew.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from destutter.ui.controls.elided import ElidedLabel
from destutter.ui.controls.leading import lead
from destutter.ui.look.theme import Theme
from destutter.ui.words.words import spoken

NOTHING = "–"
_LINK_PX = 24


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """One row: the colour and shape of its sign, and its name; without a colour it has no sign."""

    name: str
    color: str
    is_dot: bool = False


@dataclass(frozen=True, slots=True)
class GutterNote:
    """A sentence below the rows, with a link that explains more."""

    text: str
    link: str = ""


class _LegendLine:
    """The labels of one line of the legend."""

    def __init__(self, parent: QWidget, theme: Theme) -> None:
        self.name = lead(ElidedLabel("", "small", parent))
        self.value = QLabel(NOTHING, parent)
        self.value.setProperty("role", "smallStrong")
        self.value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.value.setFont(theme.sized(theme.sizes.small, 600))

    def show(self, *, is_shown: bool) -> None:
        self.name.setVisible(is_shown)
        self.value.setVisible(is_shown)

    def delete(self) -> None:
        self.name.deleteLater()
        self.value.deleteLater()


class Gutter(QWidget):
    """Title, legend and note of one lane. ``link_clicked`` belongs to the note."""

    link_clicked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        # Beside their signs in every language: the card itself runs from left to right.
        self._title = lead(ElidedLabel("", "smallStrong", self))
        self.more = lead(ElidedLabel("", "caption", self))
        self._note = lead(QLabel("", self))
        self._note.setProperty("role", "caption")
        self._note.setWordWrap(True)
        self._note.setTextFormat(Qt.TextFormat.PlainText)
        self._link = QPushButton("", self)
        self._link_text = ""
        self._link.setProperty("role", "link")
        self._link.clicked.connect(self.link_clicked)
        height = QFontMetrics(theme.sized(theme.sizes.small)).height()
        self._line = max(theme.sizes.px(17), height)
        self._legends: tuple[LegendEntry, ...] = ()
        self._rows: list[_LegendLine] = []
        self._hidden_names: tuple[str, ...] = ()
        self.setFixedWidth(theme.sizes.gutter)
        # Its numbers change often; what lies below need not be drawn again for them.
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.set_note(None)

    @property
    def link(self) -> QPushButton:
        """The button of the note."""
        return self._link

    @property
    def rows_that_fit(self) -> int:
        """How many lines of the legend there is room for."""
        line = self._line
        return max(1, (self.height() - self._top() - line) // line)

    def height_of(self, rows: int) -> int:
        """The height that the title, so many lines of the legend and the link need."""
        link = self._theme.sizes.px(_LINK_PX) + 3 if self._link_text else 0
        return self._top() + (1 + rows) * self._line + 1 + link

    @property
    def text(self) -> str:
        """All that it says, for readers of the screen."""
        rows = [
            f"{legend.name} {row.value.text()}"
            for legend, row in zip(self._legends, self._rows, strict=True)
        ]
        return spoken().enumerated(rows)

    def set_title(self, title: str, tip: str = "") -> None:
        """Name the lane, and say in a tool tip what it shows."""
        self._title.set_full_text(title)
        self._title.set_tip(tip)
        self._title.setAccessibleDescription(tip)

    def set_legends(self, legends: Sequence[LegendEntry], hidden: Sequence[str] = ()) -> None:
        """Show these rows; ``hidden`` names what has no room, for "+2 more"."""
        if (tuple(legends), tuple(hidden)) == (self._legends, self._hidden_names):
            return
        self._legends, self._hidden_names = tuple(legends), tuple(hidden)
        while len(self._rows) > len(legends):
            self._rows.pop().delete()
        while len(self._rows) < len(legends):
            self._rows.append(_LegendLine(self, self._theme))
        for legend, row in zip(self._legends, self._rows, strict=True):
            row.name.set_full_text(legend.name)
        self.more.set_full_text(self.tr("+{count} more").format(count=len(hidden)))
        self.more.set_tip("\n".join(hidden))
        self.more.setVisible(bool(hidden))
        self._place()
        self.update()

    def set_values(self, values: Sequence[str]) -> None:
        """Show the values of the rows, in their order."""
        is_wider = False
        for row, value in zip(self._rows, values, strict=False):
            if row.value.text() != value:
                is_wider |= len(row.value.text()) != len(value)
                row.value.setText(value)
        if is_wider:
            self._place()

    def set_value(self, row: int, value: str) -> None:
        """Show the value of one row."""
        values = [each.value.text() for each in self._rows]
        self.set_values([*values[:row], value])

    def set_note(self, note: GutterNote | None) -> None:
        """Show a sentence below the rows, or none."""
        self._note.setText("" if note is None else note.text)
        self._note.setVisible(note is not None)
        self._link_text = "" if note is None else note.link
        self._link.setAccessibleName(self._link_text)
        self._link.setVisible(bool(self._link_text))
        self._link.setToolTip("" if note is None else note.text)
        self._place()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.color("surface"))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        left, size = self._left(), self._theme.sizes.px(12)
        for legend, row in zip(self._legends, self._rows, strict=True):
            middle = row.name.geometry().center().y() + 0.5
            if not legend.color:
                continue
            if legend.is_dot:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(self._theme.color(legend.color))
                painter.drawEllipse(QRectF(left + size / 2 - 3, middle - 3, 6, 6))
            else:
                painter.setPen(QPen(self._theme.color(legend.color), 2))
                painter.drawLine(left, round(middle), left + size, round(middle))

    def _left(self) -> int:
        return self._theme.sizes.px(14)

    def _top(self) -> int:
        return self._theme.sizes.px(7)

    def _place(self) -> None:
        left, line, top = self._left(), self._line, self._top()
        width = self.width() - left - 4
        self._title.setGeometry(left, top, width, line)
        top += line
        indent = self._theme.sizes.px(18)
        for row in self._rows:
            value = row.value.fontMetrics().horizontalAdvance(row.value.text()) + 3
            row.name.setGeometry(left + indent, top, max(10, width - indent - value - 4), line)
            row.value.setFixedSize(value, line)
            row.value.move(left + width - value, top)
            row.show(is_shown=True)
            top += line
        if self._hidden_names:
            self.more.setGeometry(left + indent, top, width - indent, line)
            top += line
        self._place_note(left, top, width)

    def _place_note(self, left: int, top: int, width: int) -> None:
        if not self._note.text():
            return
        height = self._note.heightForWidth(width)
        link_height = self._theme.sizes.px(_LINK_PX) if self._link_text else 0
        # In a low lane the link alone has to do; it has the sentence as its tool tip.
        has_room = top + 3 + height + link_height <= self.height()
        self._note.setVisible(has_room)
        if not has_room:
            height = 0
        self._note.setGeometry(left, top + 3, width, height)
        self._link.setText(self._link_text)
        wanted = self._link.sizeHint().width()
        if wanted > width:
            metrics = self._link.fontMetrics()
            room = width - (wanted - metrics.horizontalAdvance(self._link_text))
            right = Qt.TextElideMode.ElideRight
            self._link.setText(metrics.elidedText(self._link_text, right, room))
            self._link.setToolTip(self._link_text)
        link_width = min(width, wanted)
        self._link.setGeometry(left, top + 3 + height, link_width, self._theme.sizes.px(_LINK_PX))
