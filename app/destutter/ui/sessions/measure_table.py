# SPDX-License-Identifier: GPL-3.0-or-later
"""The table Measure | A | B | Change, or Measure | Value for one session."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QSizePolicy, QWidget

from destutter.analysis.comparing.comparison import RowChange
from destutter.ui.controls.elided import WrappedLabel
from destutter.ui.controls.emptying import empty
from destutter.ui.controls.plain_label import plain_label
from destutter.ui.controls.reading_direction import leading
from destutter.ui.controls.signs import look_of
from destutter.ui.look.theme import Theme
from destutter.ui.words.words import spoken
from destutter.words.measures import NBSP

CHANGE_TONES = {
    RowChange.BETTER: "ok",
    RowChange.WORSE: "bad",
    RowChange.SAME: "none",
    RowChange.UNSURE: "none",
}
"""What a change means; the other ones mean nothing, and have no sign."""

_COLUMNS = {1: (0,), 2: (0, 3), 3: (0, 2, 3), 4: (0, 1, 2, 3)}
"""The columns of the grid for so many heads."""
_SHARES = (5, 1, 1, 2)
_LEAST_NAME_PX = 124


@dataclass(frozen=True, slots=True)
class MeasureRow:
    """One measure. ``a`` is the only value of a session that is shown alone; ``tip`` explains.

    ``tone`` is that of a change, empty for one without a meaning.
    """

    name: str
    a: str
    b: str = ""
    change: str = ""
    tone: str = ""
    tip: str = ""

    @property
    def spoken(self) -> str:
        """The row for readers of the screen."""
        return spoken().enumerated(filter(None, (self.name, self.a, self.b, self.change)))


class _Sign(QLabel):
    """The sign of a tone, redrawn with the theme."""

    def __init__(self, theme: Theme, tone: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._tone = tone
        theme.changed.connect(self._draw)
        self._draw()

    @Slot()
    def _draw(self) -> None:
        icon, tone = look_of(self._tone)
        color = getattr(self._theme.tokens, tone)
        size = self._theme.sizes.px(16)
        self.setPixmap(self._theme.icons.pixmap(icon, color, size, self.devicePixelRatioF()))


class MeasureTable(QFrame):
    """A card with one line per measure."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        self.setAccessibleName(self.tr("Measures"))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._theme = theme
        self._rows: tuple[MeasureRow, ...] = ()
        self._heads: tuple[str, ...] = ()
        self._grid = QGridLayout(self)
        pad = theme.sizes.px(15)
        self._grid.setContentsMargins(pad, theme.sizes.px(4), pad, theme.sizes.px(4))
        self._grid.setHorizontalSpacing(theme.sizes.px(8))
        self._grid.setVerticalSpacing(0)
        self._grid.setColumnMinimumWidth(0, theme.sizes.px(_LEAST_NAME_PX))
        theme.changed.connect(self._draw_again)

    @property
    def rows(self) -> tuple[MeasureRow, ...]:
        return self._rows

    def show_rows(self, heads: Sequence[str], rows: Sequence[MeasureRow]) -> None:
        """``heads``: of the measure, of A, and, as far as there are such columns, of B and of the
        change."""
        if (tuple(heads), tuple(rows)) != (self._heads, self._rows):
            self._heads, self._rows = tuple(heads), tuple(rows)
            self._draw_again()
        # The page may have hidden it for another session meanwhile.
        self.setVisible(bool(self._rows))

    @Slot()
    def _draw_again(self) -> None:
        empty(self._grid)
        columns = _COLUMNS.get(len(self._heads), (0,))
        self._add_heads(columns)
        for index, row in enumerate(self._rows):
            line = 2 * index + 2
            self._add_line(line - 1)
            self._add_row(line, row, columns)
        for column, share in enumerate(_SHARES):
            self._grid.setColumnStretch(column, share if column in columns else 0)

    def _add_line(self, row: int) -> None:
        line = QFrame(self)
        line.setProperty("role", "line")
        line.setFixedHeight(1)
        self._grid.addWidget(line, row, 0, 1, 4)

    def _add_heads(self, columns: Sequence[int]) -> None:
        for index, (column, head) in enumerate(zip(columns, self._heads, strict=False)):
            label = QLabel(head, self)
            label.setProperty("role", "smallStrong")
            if index in (1, 2) and len(self._heads) > 2:
                tone = self._theme.tokens.cpu if index == 1 else self._theme.tokens.storage
                label.setStyleSheet(f"color: {tone};")
            label.setMinimumHeight(self._theme.sizes.px(28))
            self._grid.addWidget(label, 0, column, self._side(column))

    def _add_row(self, line: int, row: MeasureRow, columns: Sequence[int]) -> None:
        name = WrappedLabel("", self)
        # No line ends between a number and its sign.
        name.set_full_text(leading(self, row.name.replace(" %", f"{NBSP}%")))
        name.setToolTip(row.tip)
        name.setAccessibleName(row.spoken)
        name.setMinimumHeight(self._theme.sizes.px(29))
        name.setContentsMargins(0, 3, 0, 3)
        self._grid.addWidget(name, line, 0)
        texts = (row.a, row.b, row.change)
        for at, column in enumerate(columns[1:]):
            is_muted = at == 0 and len(columns) > 2
            value = (
                self._change(row)
                if at == 2
                else plain_label(texts[at], "muted" if is_muted else "strong", self)
            )
            self._grid.addWidget(value, line, column, self._side(column))

    def _change(self, row: MeasureRow) -> QWidget:
        """The words of a change, with its sign right before them."""
        cell = QWidget(self)
        cell.setToolTip(row.tip)
        box = QHBoxLayout(cell)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(self._theme.sizes.px(6))
        if row.tone:
            box.addWidget(_Sign(self._theme, row.tone, cell))
        label = plain_label(row.change, "strong", cell)
        label.setStyleSheet(f"color: {getattr(self._theme.tokens, row.tone or 'none')};")
        box.addWidget(label)
        return cell

    def _side(self, column: int) -> Qt.AlignmentFlag:
        side = Qt.AlignmentFlag.AlignLeading if column == 0 else Qt.AlignmentFlag.AlignTrailing
        return side | Qt.AlignmentFlag.AlignVCenter
