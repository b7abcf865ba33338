# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows of a list with a box to tick, a name, and below it a word about it."""

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QSize,
    Qt,
)
from PySide6.QtGui import QMouseEvent, QPainter
from PySide6.QtWidgets import QListWidget, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from destutter.ui.controls.tick_box import box_size, draw_box
from destutter.ui.look.theme import Theme

NAME = Qt.ItemDataRole.UserRole + 1
BELOW = Qt.ItemDataRole.UserRole + 2
"""What is drawn; the item's own text says all of it for readers of the screen."""

Index = QModelIndex | QPersistentModelIndex


class TickRows(QStyledItemDelegate):
    """A click on the box ticks it, as the space bar does; one elsewhere only chooses the row."""

    def __init__(self, theme: Theme, view: QListWidget) -> None:
        super().__init__(view)
        self._theme = theme
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """The name, and as many lines as the words below it need."""
        room = self._words(QRect(0, 0, self._view.viewport().width(), 0)).width()
        below = option.fontMetrics.boundingRect(
            QRect(0, 0, room, 0), Qt.TextFlag.TextWordWrap, index.data(BELOW) or ""
        )
        height = option.fontMetrics.height() + (below.height() if index.data(BELOW) else 0)
        return QSize(0, self._theme.sizes.px(14) + height)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """The ground of the row as the style draws it, the box, then the words."""
        drawn = QStyleOptionViewItem(option)
        self.initStyleOption(drawn, index)
        ground = QStyle.PrimitiveElement.PE_PanelItemViewItem
        self._view.style().drawPrimitive(ground, drawn, painter, self._view)
        is_enabled = bool(index.flags() & Qt.ItemFlag.ItemIsEnabled)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = self._box(drawn)
        words = QStyle.visualRect(drawn.direction, drawn.rect, self._words(drawn.rect))
        is_checked = Qt.CheckState(index.data(Qt.ItemDataRole.CheckStateRole)) is _TICKED
        corner = QPointF(box.topLeft())
        draw_box(painter, self._theme, corner, is_checked=is_checked, is_enabled=is_enabled)
        painter.setFont(drawn.font)
        edge = QStyle.visualAlignment(drawn.direction, Qt.AlignmentFlag.AlignLeading)
        flags = edge | Qt.AlignmentFlag.AlignAbsolute
        painter.setPen(self._theme.color("text" if is_enabled else "faint"))
        elide, name = Qt.TextElideMode.ElideRight, index.data(NAME)
        painter.drawText(words, flags, drawn.fontMetrics.elidedText(name, elide, words.width()))
        painter.setPen(self._theme.color("faint"))
        below = words.adjusted(0, drawn.fontMetrics.height(), 0, 0)
        painter.drawText(below, flags | Qt.TextFlag.TextWordWrap, index.data(BELOW) or "")
        painter.restore()

    def _box(self, option: QStyleOptionViewItem) -> QRect:
        size, row = box_size(self._theme), option.rect
        place = QRect(row.left() + self._theme.sizes.px(10), 0, size, size)
        place.moveTop(row.top() + (row.height() - size) // 2)
        return QStyle.visualRect(option.direction, row, place)

    def _words(self, row: QRect) -> QRect:
        px = self._theme.sizes.px
        return row.adjusted(px(20) + box_size(self._theme), px(7), -px(10), -px(5))

    def editorEvent(
        self,
        event: QEvent,
        model: QAbstractItemModel,
        option: QStyleOptionViewItem,
        index: Index,
    ) -> bool:
        """Tick where the box is drawn; the style would look for it elsewhere."""
        if not isinstance(event, QMouseEvent):
            return super().editorEvent(event, model, option, index)
        is_on_box = self._box(option).adjusted(-6, -6, 6, 6).contains(event.position().toPoint())
        can_tick = index.flags() & Qt.ItemFlag.ItemIsUserCheckable
        is_click = event.type() == QEvent.Type.MouseButtonRelease
        if not (is_on_box and is_click and can_tick and index.flags() & Qt.ItemFlag.ItemIsEnabled):
            return False
        role = Qt.ItemDataRole.CheckStateRole
        is_ticked = Qt.CheckState(index.data(role)) is _TICKED
        return model.setData(index, Qt.CheckState.Unchecked if is_ticked else _TICKED, role)


_TICKED = Qt.CheckState.Checked
