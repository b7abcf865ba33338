# SPDX-License-Identifier: GPL-3.0-or-later
"""One card of the page about the computer: a title, a table of labels, a note."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from destutter.ui.controls.leading import lead
from destutter.ui.controls.signs import sign_of
from destutter.ui.look.theme import Theme
from destutter.ui.system.section import Cell, Section
from destutter.ui.words.words import spoken

_VERTICAL = Qt.AlignmentFlag.AlignVertical_Mask
_MOST_IN_NARROW = 3
_NAMES_PX = 150
_MAY_BREAK = "\N{ZERO WIDTH SPACE}"


class _Lines(QLabel):
    """As many lines as it takes. Asks for the width of its longest word, not of its text:
    columns share the width by their weights, not by how long their texts happen to be.
    """

    def __init__(self, role: str, parent: QWidget) -> None:
        super().__init__(parent)
        if role:
            self.setProperty("role", role)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        lead(self)

    def show_text(self, text: str) -> None:
        """Show this; names of the kernel may be broken where their parts begin."""
        self.setAccessibleName(text)
        for sign in "_/":
            text = text.replace(sign, sign + _MAY_BREAK)
        self.setText(text)

    def sizeHint(self) -> QSize:
        """Room for the longest word; the height follows from the width."""
        return self.minimumSizeHint()


class _CellView(QWidget):
    """A value with a small note below and, where it is a state, its sign in front."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._shown: Cell | None = None
        self._sign = QLabel(self)
        self._text = _Lines("", self)
        self._note = _Lines("caption", self)
        texts = QVBoxLayout()
        texts.setSpacing(0)
        texts.addStretch(1)
        texts.addWidget(self._text)
        texts.addWidget(self._note)
        texts.addStretch(1)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.sizes.px(5))
        layout.addWidget(self._sign)
        layout.addLayout(texts, 1)
        theme.changed.connect(self._draw_sign)

    def show_cell(self, cell: Cell) -> None:
        before = self._shown
        if cell == before:
            return
        self._shown = cell
        if before is None or (before.tone, before.is_technical) != (cell.tone, cell.is_technical):
            self._text.setProperty("role", "kernel" if cell.is_technical else "")
            self._text.setProperty("tone", cell.tone)
            self._text.style().unpolish(self._text)
            self._text.style().polish(self._text)
        self._text.show_text(cell.text)
        self._note.show_text(cell.note)
        self._note.setVisible(bool(cell.note))
        self._draw_sign()

    @Slot()
    def _draw_sign(self) -> None:
        tone = "" if self._shown is None else self._shown.tone
        sign = sign_of(tone)
        self._sign.setVisible(sign is not None)
        if sign is not None:
            size, ratio = self._theme.sizes.px(14), self.devicePixelRatioF()
            color = getattr(self._theme.tokens, tone)
            self._sign.setPixmap(self._theme.icons.pixmap(sign, color, size, ratio))


class SectionCard(QFrame):
    """Shows one ``Section``; labels are made again only when its shape has changed."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._theme = theme
        self._shown: Section | None = None
        self._is_narrow = False
        self._title = QLabel(self)
        self._title.setProperty("role", "cardTitle")
        self._note = QLabel(self)
        self._note.setProperty("role", "small")
        self._note.setWordWrap(True)
        self._body = QWidget(self)
        self._cells: list[list[_CellView]] = []
        self._box = QVBoxLayout(self)
        pad = theme.sizes.px(16)
        self._box.setContentsMargins(pad, theme.sizes.px(12), pad, theme.sizes.px(12))
        self._box.setSpacing(theme.sizes.px(8))
        for widget in (self._title, self._body, self._note):
            self._box.addWidget(widget)

    @property
    def section(self) -> Section | None:
        return self._shown

    def show_section(self, section: Section) -> None:
        if section == self._shown:
            return
        before = self._shown
        self._shown = section
        if before is None or _shape(before) != _shape(section):
            self._build(section)
        for views, row in zip(self._cells, section.rows, strict=True):
            for view, cell in zip(views, row, strict=True):
                view.show_cell(cell)
        self._note.setText(section.note)
        self._note.setVisible(bool(section.note))
        self.setAccessibleName(section.title)
        lines = [f"{cell.text} {cell.note}".strip() for row in section.rows for cell in row]
        self.setAccessibleDescription(spoken().enumerated(lines) or section.note)

    def set_narrow(self, *, is_narrow: bool) -> None:
        """In a narrow card each row of a wide table stands as lines of their own."""
        if is_narrow != self._is_narrow:
            self._is_narrow = is_narrow
            section, self._shown = self._shown, None
            if section is not None:
                self.show_section(section)

    def _build(self, section: Section) -> None:
        self._title.setText(section.title)
        body = QWidget(self)
        grid = QGridLayout(body)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(self._theme.sizes.px(14))
        grid.setVerticalSpacing(self._theme.sizes.px(6))
        self._cells = [[_CellView(self._theme, body) for _ in row] for row in section.rows]
        if self._is_narrow and len(section.columns) > _MOST_IN_NARROW:
            self._place_below(section.columns, grid, body)
        else:
            self._place_beside(section, grid, body)
        self._box.replaceWidget(self._body, body)
        self._body.deleteLater()
        self._body = body
        body.setVisible(bool(section.rows))

    def _place_beside(self, section: Section, grid: QGridLayout, body: QWidget) -> None:
        for column, name in enumerate(section.columns):
            title = _Lines("columnTitle", body)
            title.show_text(name)
            title.setAlignment(title.alignment() & ~_VERTICAL | Qt.AlignmentFlag.AlignBottom)
            grid.addWidget(title, 0, column)
        for column, share in enumerate(section.widths):
            grid.setColumnStretch(column, share)
        for line, views in enumerate(self._cells):
            if section.columns or line:
                grid.addWidget(_rule(body), 2 * line + 1, 0, 1, -1)
            for column, view in enumerate(views):
                grid.addWidget(view, 2 * line + 2, column)

    def _place_below(self, names: Sequence[str], grid: QGridLayout, body: QWidget) -> None:
        grid.setColumnStretch(1, 1)
        for views in self._cells:
            grid.addWidget(_rule(body), grid.rowCount(), 0, 1, -1)
            grid.addWidget(views[0], grid.rowCount(), 0, 1, -1)
            for name, view in zip(names[1:], views[1:], strict=True):
                title = _Lines("columnTitle", body)
                title.show_text(name)
                title.setMinimumWidth(self._theme.sizes.px(_NAMES_PX))
                line = grid.rowCount()
                grid.addWidget(title, line, 0)
                grid.addWidget(view, line, 1)

    def minimumSizeHint(self) -> QSize:
        """Narrow: every text can take more lines."""
        return QSize(self._theme.sizes.px(240), super().minimumSizeHint().height())

    def focusInEvent(self, event: QFocusEvent) -> None:
        """A keyboard moves through the page from card to card: the card shows its edge."""
        super().focusInEvent(event)
        self.setStyleSheet(f"SectionCard {{ border-color: {self._theme.tokens.focus}; }}")

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.setStyleSheet("")


def _rule(parent: QWidget) -> QFrame:
    rule = QFrame(parent)
    rule.setProperty("role", "line")
    rule.setFixedHeight(1)
    return rule


def _shape(section: Section) -> tuple[object, ...]:
    return section.title, section.columns, tuple(len(row) for row in section.rows)
