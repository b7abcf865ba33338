# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows of a list whose parts stand below each other, as in a table."""

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, Qt, Slot
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QListWidget,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from destutter.ui.look.theme import Theme

PARTS = Qt.ItemDataRole.UserRole + 1
"""The texts of a row, from the first column to the last; the item's own text says all of it."""

Index = QModelIndex | QPersistentModelIndex


class ColumnRows(QStyledItemDelegate):
    """Draws the parts of each row. ``stretch`` is the column that takes what the others leave.

    Columns right of it, and numbers in ``trailing`` ones, end at the same edge. With ``has_below``
    the last part has a line of its own below the others, as wide as the row.
    """

    def __init__(
        self,
        theme: Theme,
        view: QListWidget,
        stretch: int,
        trailing: Sequence[int] = (),
        *,
        has_below: bool = False,
    ) -> None:
        super().__init__(view)
        self._theme = theme
        self._view = view
        self._stretch = stretch
        self._trailing = frozenset(trailing)
        self._has_below = has_below
        self._widths: dict[int, int] = {}
        model = view.model()
        for changed in (model.dataChanged, model.rowsInserted, model.rowsRemoved):
            changed.connect(self._forget)
        model.modelReset.connect(self._forget)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """The ground of the row as the style draws it, then its parts."""
        drawn = QStyleOptionViewItem(option)
        self.initStyleOption(drawn, index)
        drawn.text = ""
        ground = QStyle.ControlElement.CE_ItemViewItem
        self._view.style().drawControl(ground, drawn, painter, self._view)
        parts = index.data(PARTS) or ()
        gap = self._theme.sizes.px(12)
        area = drawn.rect.adjusted(gap, 0, -gap, 0)
        painter.save()
        painter.setFont(drawn.font)
        for column, (part, box) in enumerate(zip(parts, self._boxes(area, parts), strict=True)):
            leads = len(parts) - 1 if self._has_below else self._stretch
            tone = "text" if column == leads else "muted"
            painter.setPen(self._theme.color(tone))
            edge = Qt.AlignmentFlag.AlignLeading
            if column in self._trailing:
                edge = Qt.AlignmentFlag.AlignTrailing
            text = drawn.fontMetrics.elidedText(part, Qt.TextElideMode.ElideRight, box.width())
            visual = QStyle.visualRect(drawn.direction, area, box)
            flags = QStyle.visualAlignment(drawn.direction, edge) | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(visual, flags | Qt.AlignmentFlag.AlignAbsolute, text)
        painter.restore()

    def _boxes(self, area: QRect, parts: Sequence[str]) -> list[QRect]:
        if not self._has_below:
            return self._beside(area, len(parts))
        inner = area.adjusted(0, self._theme.sizes.px(4), 0, -self._theme.sizes.px(4))
        line = inner.height() // 2
        above = QRect(inner.left(), inner.top(), inner.width(), line)
        below = QRect(inner.left(), inner.top() + line, inner.width(), line)
        return [*self._beside(above, len(parts) - 1), below]

    def _beside(self, area: QRect, count: int) -> list[QRect]:
        gap = self._theme.sizes.px(10)
        widths = [self._widest(column) for column in range(count)]
        widths[self._stretch] = 0
        widths[self._stretch] = max(0, area.width() - sum(widths) - gap * (count - 1))
        boxes, left = [], area.left()
        for width in widths:
            boxes.append(QRect(left, area.top(), width, area.height()))
            left += width + gap
        return boxes

    def _widest(self, column: int) -> int:
        known = self._widths.get(column)
        if known is None:
            metrics = self._view.fontMetrics()
            rows = (self._view.item(row).data(PARTS) for row in range(self._view.count()))
            widths = [metrics.horizontalAdvance(parts[column]) for parts in rows]
            known = self._widths[column] = max(widths, default=0) + 1
        return known

    @Slot()
    def _forget(self) -> None:
        self._widths.clear()
