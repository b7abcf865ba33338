# SPDX-License-Identifier: GPL-3.0-or-later
"""Choosing which lanes there are, and in which order."""

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QListView,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from destutter.ui.controls.announcing import announce
from destutter.ui.controls.plain_label import plain_label
from destutter.ui.controls.shortcuts import ROW_DOWN, ROW_UP, key_text
from destutter.ui.controls.tick_rows import BELOW, NAME, TickRows
from destutter.ui.look.theme import Theme
from destutter.ui.plots.lane_choice import LaneOffer
from destutter.words.measures import NBSP

_ID = Qt.ItemDataRole.UserRole
_KEYPAD = Qt.KeyboardModifier.KeypadModifier.value
_TICKED, _EMPTY = Qt.CheckState.Checked, Qt.CheckState.Unchecked


class LaneList(QListWidget):
    """Rows that can be dragged. ``move_wanted(int)``: the present row goes so far down."""

    move_wanted = Signal(int)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Alt and an arrow move the row; the arrow alone goes to the next one."""
        keys = event.keyCombination().toCombined() & ~_KEYPAD
        by = {QKeySequence(ROW_UP): -1, QKeySequence(ROW_DOWN): 1}.get(QKeySequence(keys))
        if by is not None:
            self.move_wanted.emit(by)
        else:
            super().keyPressEvent(event)


class LanesView(QWidget):
    """All lanes, those that are shown ticked and first. ``chosen(tuple)`` with the ids of those
    that are ticked, from top to bottom; ``reset_clicked()`` for the usual ones."""

    chosen = Signal(tuple)
    reset_clicked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.list = LaneList(self)
        self.list.setAccessibleName(self.tr("Lanes"))
        self.list.setItemDelegate(TickRows(theme, self.list))
        self.list.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.list.setDefaultDropAction(Qt.DropAction.MoveAction)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.list.setResizeMode(QListView.ResizeMode.Adjust)
        self.list.itemChanged.connect(self._changed)
        self.list.model().rowsMoved.connect(self._tell)
        self.list.currentRowChanged.connect(self._fit_buttons)
        self.list.move_wanted.connect(self.move_row)
        self.hint = plain_label("", "muted", self, wraps=True)
        up, down = self.tr("Move up ({keys})"), self.tr("Move down ({keys})")
        self.up = self._button(self.tr("Up"), up.format(keys=key_text(ROW_UP)))
        self.down = self._button(self.tr("Down"), down.format(keys=key_text(ROW_DOWN)))
        self.reset = self._button(self.tr("Reset"), self.tr("Back to the usual lanes"))
        self.up.clicked.connect(lambda: self.move_row(-1))
        self.down.clicked.connect(lambda: self.move_row(1))
        self.reset.clicked.connect(self.reset_clicked)
        self._build()
        self._say_how()

    def _button(self, text: str, tip: str) -> QPushButton:
        button = QPushButton(text, self)
        button.setToolTip(tip)
        return button

    def _build(self) -> None:
        layout = QVBoxLayout(self)
        margin = self._theme.sizes.px(14)
        layout.setContentsMargins(margin, 6, margin, margin)
        layout.addWidget(self.hint)
        layout.addWidget(self.list, 1)
        row = QHBoxLayout()
        row.addWidget(self.up)
        row.addWidget(self.down)
        row.addStretch(1)
        layout.addLayout(row)
        # Beside the others it would be cut off in German.
        layout.addWidget(self.reset, 0, Qt.AlignmentFlag.AlignLeading)

    @property
    def lanes(self) -> tuple[str, ...]:
        """The ids of the lanes that are ticked, from top to bottom."""
        items = map(self.list.item, range(self.list.count()))
        return tuple(item.data(_ID) for item in items if item.checkState() is _TICKED)

    def show_lanes(self, offers: Sequence[LaneOffer], shown: Sequence[str]) -> None:
        """Fill the list: what is shown in its order, then what could be, then the rest."""
        places = {lane: place for place, lane in enumerate(shown)}
        last = len(places)
        rows = sorted(offers, key=lambda one: (places.get(one.id, last), one.why_not != ""))
        self.list.blockSignals(True)  # noqa: FBT003  the binding takes no keyword
        self.list.clear()
        for offer in rows:
            item = QListWidgetItem(self.list)
            item.setData(_ID, offer.id)
            item.setCheckState(_TICKED if offer.id in places else _EMPTY)
            self._describe(item, offer)
        self.list.blockSignals(False)  # noqa: FBT003
        self.list.setCurrentRow(0)
        self._fit_buttons()

    def update_offers(self, offers: Sequence[LaneOffer]) -> None:
        """What can be measured by now; order and ticks stay."""
        known = {offer.id: offer for offer in offers}
        self.list.blockSignals(True)  # noqa: FBT003
        for row in range(self.list.count()):
            offer = known.get(self.list.item(row).data(_ID))
            if offer is not None:
                self._describe(self.list.item(row), offer)
        self.list.blockSignals(False)  # noqa: FBT003

    def _describe(self, item: QListWidgetItem, offer: LaneOffer) -> None:
        item.setText((NBSP * 3).join(filter(None, (offer.title, offer.why_not))))
        item.setToolTip(item.text())
        item.setData(NAME, offer.title)
        item.setData(BELOW, offer.why_not)
        # What is shown can always be taken away.
        is_enabled = not offer.why_not or item.checkState() is _TICKED
        flags = Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsDragEnabled
        flags |= Qt.ItemFlag.ItemIsUserCheckable
        item.setFlags(flags | Qt.ItemFlag.ItemIsEnabled if is_enabled else flags)

    @Slot(QListWidgetItem)
    def _changed(self, item: QListWidgetItem) -> None:
        self._say_how()
        if not self.lanes:
            self.list.blockSignals(True)  # noqa: FBT003
            item.setCheckState(_TICKED)
            self.list.blockSignals(False)  # noqa: FBT003
            self.hint.setText(self.tr("The last one stays: something has to be shown."))
            announce(self.list, self.hint.text())
            return
        self._tell()

    def _say_how(self) -> None:
        self.hint.setText(self.tr("Tick what is shown. Drag, or Alt with an arrow, to order."))

    @Slot()
    def _tell(self) -> None:
        self._fit_buttons()
        self.chosen.emit(self.lanes)

    @Slot(int)
    def move_row(self, by: int) -> None:
        """Move the present row so far down; up where it is negative."""
        row = self.list.currentRow()
        wanted = row + by
        if row < 0 or not 0 <= wanted < self.list.count():
            return
        top = QModelIndex()
        self.list.model().moveRow(top, row, top, wanted + (by > 0))
        self.list.scrollToItem(self.list.item(wanted))

    @Slot()
    def _fit_buttons(self) -> None:
        row = self.list.currentRow()
        self.up.setEnabled(row > 0)
        self.down.setEnabled(0 <= row < self.list.count() - 1)
