# SPDX-License-Identifier: GPL-3.0-or-later
"""All settings by group, with a value to edit in place and a box to choose it.

Column "New value" takes what the user wants; whether it may be asked for is said at once. A
checked box means: change this one. Nothing happens before a button is pressed.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QBrush, QKeyEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHeaderView,
    QLineEdit,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from destutter.analysis.changes.helper_statements import statement_of
from destutter.ui.changes.typed_value import typed_value
from destutter.ui.look.theme import Theme
from destutter.ui.words.change_words import left_to_right
from destutter.ui.words.words import said
from destutter_helper.api.payload import Change
from destutter_helper.api.safe_values import refusal
from destutter_helper.api.tunables import BY_ID, Tunable

NAME, NOW, ADVISED, NEW, RANGE, SET_BY = range(6)
KEY_ROLE = Qt.ItemDataRole.UserRole
_WIDTHS_PX = {NOW: 94, ADVISED: 80, NEW: 96, RANGE: 146, SET_BY: 150}
_CELL_PX, _BOX_PX, _AIR_PX = 6, 20, 10  # beside a text, its box, and above and below it
_LEAST_NAME_PX = 340  # all of the names; at 1280x800 there were 110, which is five letters

_Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class TunableRow:
    """One setting as it is listed. ``value`` is None where there is none, and then ``why`` says
    so; ``advised`` is the recommended value."""

    key: str
    group: str
    name: str
    value: str | None
    shown_value: str
    accepted: str
    set_by: str
    advised: str | None = None
    shown_advised: str = ""
    why: str = ""

    @property
    def tunable(self) -> Tunable:
        return BY_ID[self.key.partition("@")[0]]

    def change(self, value: str) -> Change:
        """The wish for another value."""
        id_, _, device = self.key.partition("@")
        return Change(id_, value, device)


class _Editor(QStyledItemDelegate):
    """A list for choices, a line for numbers; only in the column of new values."""

    def __init__(self, tree: "TunableTree") -> None:
        super().__init__(tree)
        self._tree = tree

    def createEditor(
        self, parent: QWidget, option: QStyleOptionViewItem, index: _Index
    ) -> QWidget:
        del option
        row = self._tree.row_of(self._tree.itemFromIndex(index))
        name = self.tr("New value of {setting}").format(setting=row.key if row else "")
        if row is not None and row.tunable.choices:
            box = QComboBox(parent)
            box.addItems(list(row.tunable.offered))
            box.setAccessibleName(name)
            return box
        line = QLineEdit(parent)
        line.setAccessibleName(name)
        return line

    def setEditorData(self, editor: QWidget, index: _Index) -> None:
        """Begin with the new value, or with the present one."""
        item = self._tree.itemFromIndex(index)
        row = self._tree.row_of(item)
        text = item.text(NEW) or (row.value if row is not None else "") or ""
        if isinstance(editor, QComboBox):
            editor.setCurrentText(text)
        elif isinstance(editor, QLineEdit):
            editor.setText(text)
            editor.selectAll()

    def initStyleOption(self, option: QStyleOptionViewItem, index: _Index) -> None:
        """A new value as the others: "71" stood beside "0.1 %"."""
        super().initStyleOption(option, index)
        row, text = self._tree.row_of(self._tree.itemFromIndex(index)), str(index.data() or "")
        if index.column() == NEW and row is not None and text.isdecimal():
            option.text = self._tree.in_words(row.tunable.id, text)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """The cell, and over Fusion's check box one with an edge that can be seen."""
        super().paint(painter, option, index)
        state = index.data(Qt.ItemDataRole.CheckStateRole)
        if index.column() == NAME and state is not None:
            full = QStyleOptionViewItem(option)
            self.initStyleOption(full, index)
            element = QStyle.SubElement.SE_ItemViewItemCheckIndicator
            box = self._tree.style().subElementRect(element, full, self._tree)
            is_checked = Qt.CheckState(state) == Qt.CheckState.Checked
            self._tree.paint_box(painter, box, is_checked=is_checked)

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        """Rows are as high as a control, and higher where a text takes two lines."""
        size = super().sizeHint(option, index)
        size.setHeight(max(self._tree.row_height, self._tree.height_of(index)))
        return size


class TunableTree(QTreeWidget):
    """Signals: ``wishes_changed()``, ``setting_chosen(str)`` with the key of the current row,
    ``editing_ended()``. ``in_words`` tells a value of a tunable."""

    wishes_changed = Signal()
    editing_ended = Signal()
    setting_chosen = Signal(str)

    def __init__(
        self, theme: Theme, in_words: Callable[[str, str], str], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self.in_words = in_words
        self._memory_kib: int | None = None
        self._rows: dict[str, TunableRow] = {}
        self._items: dict[str, QTreeWidgetItem] = {}
        self._groups: dict[str, QTreeWidgetItem] = {}
        self._is_filling = False
        self.row_height = theme.sizes.px(34)
        self.setAccessibleName(self.tr("All settings"))
        self.setColumnCount(6)
        self.setHeaderLabels(
            [
                self.tr("Setting"),
                self.tr("Now"),
                self.tr("Advised"),
                self.tr("New value"),
                self.tr("Accepted here"),
                self.tr("Set by"),
            ]
        )
        editor = _Editor(self)
        editor.closeEditor.connect(self.editing_ended)
        self.setItemDelegate(editor)
        self.setWordWrap(True)
        self.setRootIsDecorated(True)
        self.setIndentation(theme.sizes.px(14))
        self.setEditTriggers(
            QAbstractItemView.EditTrigger.DoubleClicked
            | QAbstractItemView.EditTrigger.EditKeyPressed
        )
        header = self.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(NAME, QHeaderView.ResizeMode.Stretch)
        header.setMinimumSectionSize(theme.sizes.px(60))
        self.itemChanged.connect(self._edited)
        self.currentItemChanged.connect(self._chosen)
        self.itemClicked.connect(self._clicked)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where names would be cut, the range and who set a value stand in the details alone."""
        super().resizeEvent(event)
        px = self._theme.sizes.px
        shown = dict(_WIDTHS_PX)
        for column in (RANGE, SET_BY):
            if self.viewport().width() - px(sum(shown.values())) < px(_LEAST_NAME_PX):
                del shown[column]
        for column in _WIDTHS_PX:
            self.setColumnHidden(column, column not in shown)
            self.setColumnWidth(column, px(_WIDTHS_PX[column]))
        self.scheduleDelayedItemsLayout()  # names wrap by their width

    def height_of(self, index: _Index) -> int:
        """What the text of a cell needs, in pixels, with air around it; 0 for a heading."""
        if not index.parent().isValid() or self.itemFromIndex(index).isFirstColumnSpanned():
            return 0
        px = self._theme.sizes.px
        width = self.columnWidth(index.column()) - px(_CELL_PX)
        if index.column() == NAME:
            width -= 2 * self.indentation() + px(_BOX_PX)
        room = QRect(0, 0, max(1, width), 10_000)
        needed = self.fontMetrics().boundingRect(
            room, Qt.TextFlag.TextWordWrap, str(index.data() or "")
        )
        return needed.height() + px(_AIR_PX)

    @property
    def is_editing(self) -> bool:
        """Whether somebody types a value in."""
        return self.state() == QAbstractItemView.State.EditingState

    def row_of(self, item: QTreeWidgetItem | None) -> TunableRow | None:
        """The setting of a line; None for a heading."""
        return None if item is None else self._rows.get(str(item.data(NAME, KEY_ROLE)))

    def row(self, key: str) -> TunableRow | None:
        return self._rows.get(key)

    def item(self, key: str) -> QTreeWidgetItem:
        """The line of a setting; raises ``KeyError``."""
        return self._items[key]

    def show_rows(
        self, rows: Sequence[TunableRow], memory_kib: int | None, groups: Sequence[tuple[str, str]]
    ) -> None:
        """Show these; ``groups`` has id and heading in their order. Wishes stay."""
        self._memory_kib = memory_kib
        self._is_filling = True
        known = {row.key: (row.group, row.value is None) for row in self._rows.values()}
        if known != {row.key: (row.group, row.value is None) for row in rows}:
            self._rebuild(rows, groups)
        self._rows = {row.key: row for row in rows}
        for row in rows:
            self._fill(self._items[row.key], row)
        self._is_filling = False
        self.wishes_changed.emit()

    def _rebuild(self, rows: Sequence[TunableRow], groups: Sequence[tuple[str, str]]) -> None:
        wishes = {key: item.text(NEW) for key, item in self._items.items() if item.text(NEW)}
        current = self.row_of(self.currentItem())
        self.clear()
        self._items.clear()
        self._groups.clear()
        for group, heading in groups:
            item = QTreeWidgetItem(self, [heading])
            item.setFirstColumnSpanned(True)
            item.setFont(NAME, self._theme.sized(round(self._theme.sizes.body), 600))
            item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
            item.setExpanded(group != "absent")
            self._groups[group] = item
        for row in rows:
            item = QTreeWidgetItem(self._groups[row.group])
            item.setData(NAME, KEY_ROLE, row.key)
            item.setText(NEW, wishes.get(row.key, ""))
            self._items[row.key] = item
        if current is not None and current.key in self._items:
            self.setCurrentItem(self._items[current.key])

    def _fill(self, item: QTreeWidgetItem, row: TunableRow) -> None:
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        if row.value is not None:
            flags |= Qt.ItemFlag.ItemIsEditable | Qt.ItemFlag.ItemIsUserCheckable
            if item.data(NAME, Qt.ItemDataRole.CheckStateRole) is None:
                item.setCheckState(NAME, Qt.CheckState.Unchecked)
        item.setFlags(flags)
        item.setText(NAME, row.name)
        if row.value is None:
            item.setText(NAME, self.tr("{name}: {why}").format(name=row.name, why=row.why))
            if not item.isFirstColumnSpanned():
                item.setFirstColumnSpanned(True)
        item.setToolTip(NAME, f"{row.name}\n{row.key}")
        item.setText(NOW, row.shown_value)
        item.setText(RANGE, row.accepted)
        file = row.set_by.rpartition("/")[2].removesuffix("\N{POP DIRECTIONAL ISOLATE}")
        item.setText(SET_BY, left_to_right(file) if "/" in row.set_by else row.set_by)
        item.setText(ADVISED, row.shown_advised)
        item.setToolTip(RANGE, row.accepted)
        item.setToolTip(SET_BY, row.set_by)
        faint = QBrush(self._theme.color("faint"))
        muted = QBrush(self._theme.color("muted"))
        item.setForeground(NAME, faint if row.value is None else QBrush(self._theme.color("text")))
        for column in (RANGE, SET_BY):
            item.setForeground(column, muted)
        item.setForeground(ADVISED, QBrush(self._theme.color("accent")))
        self._judge(item, row)

    def filter(self, text: str) -> int:
        """Show only what contains each of these words; how many settings that are."""
        words = text.casefold().split()
        count = 0
        for group in self._groups.values():
            shown = 0
            for index in range(group.childCount()):
                item = group.child(index)
                if item is None:
                    continue
                key = str(item.data(NAME, KEY_ROLE))
                heard = f"{key} {item.text(NAME)} {group.text(NAME)}".casefold()
                fits = all(word in heard for word in words)
                item.setHidden(not fits)
                shown += fits
            group.setHidden(not shown)
            if words and shown:
                group.setExpanded(True)
            count += shown
        return count

    def paint_box(self, painter: QPainter, box: QRect, *, is_checked: bool) -> None:
        """A check box in the colours of the theme."""
        theme = self._theme
        size = theme.sizes.px(16)
        place = QRectF(
            box.center().x() - size / 2 + 0.5, box.center().y() - size / 2 + 0.5, size, size
        )
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(theme.color("accent_fill" if is_checked else "border_strong"))
        painter.setBrush(theme.color("accent_fill" if is_checked else "surface"))
        painter.drawRoundedRect(place, 4, 4)
        if is_checked:
            color = theme.tokens.on_accent
            theme.icons.paint(painter, "check", color, place.topLeft(), size)
        painter.restore()

    # --- wishes ------------------------------------------------------------------------------

    def wish(self, key: str) -> str:
        """The new value that stands beside a setting; empty for none."""
        return self._items[key].text(NEW) if key in self._items else ""

    def set_wish(self, key: str, value: str) -> None:
        """Put a new value beside a setting and choose it; the present value means no wish."""
        item, row = self._items[key], self._rows[key]
        item.setText(NEW, "" if value == row.value else value)

    def clear_wishes(self) -> None:
        self._is_filling = True
        for key, item in self._items.items():
            if item.text(NEW):
                item.setText(NEW, "")
                item.setCheckState(NAME, Qt.CheckState.Unchecked)
                self._judge(item, self._rows[key])
        self._is_filling = False
        self.wishes_changed.emit()

    def wishes(self) -> tuple[Change, ...]:
        """What is chosen and may be asked for."""
        return tuple(
            self._rows[key].change(item.text(NEW))
            for key, item in self._items.items()
            if self._is_chosen(item) and not self.complaint(key)
        )

    def complaints(self) -> list[str]:
        """Why some of what is chosen cannot be asked for."""
        return [
            f"{key}: {reason}"
            for key, item in self._items.items()
            if self._is_chosen(item) and (reason := self.complaint(key))
        ]

    def complaint(self, key: str) -> str:
        """Why the new value of a setting cannot be asked for; empty when it can, or is none."""
        value, row = self.wish(key), self._rows[key]
        if not value:
            return ""
        if self._memory_kib is None:
            return self.tr("the size of the memory is not known")
        why = refusal(row.tunable, value, self._memory_kib)
        return "" if why is None else said(statement_of(why))

    @staticmethod
    def _is_chosen(item: QTreeWidgetItem) -> bool:
        return bool(item.text(NEW)) and item.checkState(NAME) == Qt.CheckState.Checked

    @Slot(QTreeWidgetItem, int)
    def _edited(self, item: QTreeWidgetItem, column: int) -> None:
        row = self.row_of(item)
        if self._is_filling or row is None or column not in (NAME, NEW):
            return
        self._is_filling = True
        if column == NEW:
            text = typed_value(row.tunable.id, item.text(NEW))
            wished = "" if text == row.value else text
            item.setText(NEW, wished)
            state = Qt.CheckState.Checked if wished else Qt.CheckState.Unchecked
            item.setCheckState(NAME, state)
        elif item.checkState(NAME) == Qt.CheckState.Checked and not item.text(NEW):
            # Chosen without a value: what is advised, or else the user has to say.
            item.setText(NEW, row.advised or "")
            if not row.advised:
                item.setCheckState(NAME, Qt.CheckState.Unchecked)
                self.editItem(item, NEW)
        self._judge(item, row)
        self._is_filling = False
        self.wishes_changed.emit()

    def _judge(self, item: QTreeWidgetItem, row: TunableRow) -> None:
        reason = self.complaint(row.key) if row.key in self._rows else ""
        item.setForeground(NEW, QBrush(self._theme.color("bad" if reason else "text")))
        item.setToolTip(NEW, reason)

    # --- events ------------------------------------------------------------------------------

    @Slot(QTreeWidgetItem, QTreeWidgetItem)
    def _chosen(self, current: QTreeWidgetItem | None, _before: QTreeWidgetItem | None) -> None:
        row = self.row_of(current)
        if row is not None:
            self.setting_chosen.emit(row.key)

    @Slot(QTreeWidgetItem, int)
    def _clicked(self, item: QTreeWidgetItem, column: int) -> None:
        row = self.row_of(item)
        if column == NEW and row is not None and row.value is not None:
            self.editItem(item, NEW)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter edits the new value, Space chooses."""
        item = self.currentItem()
        row = self.row_of(item)
        is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_F2)
        can_edit = row is not None and row.value is not None and not self.is_editing
        if item is None or not can_edit:
            super().keyPressEvent(event)
        elif is_enter:
            self.editItem(item, NEW)
        elif event.key() == Qt.Key.Key_Space:
            is_chosen = item.checkState(NAME) == Qt.CheckState.Checked
            state = Qt.CheckState.Unchecked if is_chosen else Qt.CheckState.Checked
            item.setCheckState(NAME, state)
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """Colours follow the theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._rows:
            self._is_filling = True
            for key, item in self._items.items():
                self._fill(item, self._rows[key])
            self._is_filling = False
