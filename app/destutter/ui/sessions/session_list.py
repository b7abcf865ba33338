# SPDX-License-Identifier: GPL-3.0-or-later
"""The list of recordings with the badges A and B.

One recording is shown, two are compared, or a group of before with a group of after. A click on a
row shows it alone; a click on its circle, Ctrl and a click, or Space takes it into the comparison
or out of it. The older of two is A, the newer one B. A further one joins those after, unless it is
older than all of them; the keys A and B, and the menu of a row, put it into the other group.
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
    SignalInstance,
    Slot,
)
from PySide6.QtGui import (
    QContextMenuEvent,
    QFont,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPen,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from destutter.ui.controls.lines_of_text import broken
from destutter.ui.controls.own_keys import OwnKeys
from destutter.ui.controls.reading_direction import isolated
from destutter.ui.look.theme import Theme
from destutter.ui.sessions.session_rows import GameRow, Row, SessionRow, position_of

AnyIndex = QModelIndex | QPersistentModelIndex
BADGES = ("A", "B")
BADGE_TONES = {"A": "cpu", "B": "storage"}
_ROW_ROLE = Qt.ItemDataRole.UserRole
_PAD_PX, _GAP_PX, _BELOW_PX = 7, 3, 7  # within a card, between its texts, and below it
_MOST_LINES = 3  # of one text; a comment can be any length, and the opened recording has all of it


def _key(row: Row) -> tuple[object, ...]:
    """Which row it is, whatever is said of it."""
    return (row.name,) if isinstance(row, GameRow) else (row.path, row.state)


class RecordingListModel(QAbstractListModel):
    """Rows and which of them are chosen."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows: list[Row] = []
        self.chosen: tuple[Path, ...] = ()
        self.before = 0

    @property
    def sides(self) -> tuple[tuple[Path, ...], tuple[Path, ...]]:
        """Those that are A, and those that are B; one alone is no B."""
        return self.chosen[: self.before], self.chosen[self.before :]

    def show_rows(self, rows: Sequence[Row]) -> None:
        """List these. Where only what is said of them is new, the list stays where it is."""
        if list(map(_key, rows)) == list(map(_key, self.rows)):
            self.rows = list(rows)
            self.layoutChanged.emit()
            return
        self.beginResetModel()
        self.rows = list(rows)
        self.endResetModel()

    def set_chosen(self, chosen: tuple[Path, ...], before: int) -> None:
        """Mark these: one alone, or first those that are A, ``before`` of them, then B."""
        self.chosen, self.before = chosen, before
        if self.rows:
            self.dataChanged.emit(self.index(0), self.index(len(self.rows) - 1))

    def badge(self, row: Row) -> str:
        """ "A" or "B" for one of those that are compared, else ""."""
        if len(self.chosen) > 1 and isinstance(row, SessionRow) and row.path in self.chosen:
            return BADGES[self.chosen.index(row.path) >= self.before]
        return ""

    def rowCount(self, parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008  Qt's signature
        return 0 if parent.isValid() else len(self.rows)

    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        """A heading cannot be chosen."""
        if not index.isValid() or isinstance(self.rows[index.row()], GameRow):
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Texts, and the row itself."""
        if not index.isValid():
            return None
        row = self.rows[index.row()]
        if role == _ROW_ROLE:
            return row
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return row.name if isinstance(row, GameRow) else self._spoken(row)
        if role == Qt.ItemDataRole.ToolTipRole and isinstance(row, SessionRow):
            return "\n".join((row.path.name, *row.whole))
        return None

    def _spoken(self, row: SessionRow) -> str:
        badge = self.badge(row)
        text = ", ".join(row.whole)
        return f"{badge}: {text}" if badge else text


class _RowPainter(QStyledItemDelegate):
    """Draws headings and cards."""

    def __init__(self, theme: Theme, model: RecordingListModel, view: QListView) -> None:
        super().__init__(view)
        self._theme = theme
        self._model = model
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        """A heading is one line; a recording has as many as its texts need at this width."""
        sizes = self._theme.sizes
        row = self._model.rows[index.row()]
        if isinstance(row, GameRow):
            return QSize(100, sizes.px(22 if index.row() == 0 else 34))
        card = self._card(QRect(0, 0, self._view.viewport().width(), sizes.px(78)))
        drawn = self._lines(row, self._room(card, option.direction))
        heights = [len(lines) * QFontMetrics(font).height() for font, _tone, lines in drawn]
        gaps = sizes.px(_GAP_PX) * (len(heights) - 1)
        return QSize(100, sum(heights) + gaps + 2 * sizes.px(_PAD_PX) + 1 + sizes.px(_BELOW_PX))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        row = self._model.rows[index.row()]
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setLayoutDirection(option.direction)
        if isinstance(row, GameRow):
            self._draw_heading(painter, option.rect, row)
        else:
            self._draw_card(painter, option, row)
        painter.restore()

    def _draw_heading(self, painter: QPainter, rect: QRect, row: GameRow) -> None:
        font = self._theme.sized(self._theme.sizes.small, 600)
        painter.setFont(font)
        painter.setPen(self._theme.color("muted"))
        room = rect.adjusted(1, 0, -1, -self._theme.sizes.px(4))
        text = QFontMetrics(font).elidedText(row.name, Qt.TextElideMode.ElideRight, room.width())
        text = isolated(text, painter.layoutDirection())
        painter.drawText(room, Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignBottom, text)

    def _draw_card(self, painter: QPainter, option: QStyleOptionViewItem, row: SessionRow) -> None:
        theme = self._theme
        is_chosen = row.path in self._model.chosen
        card = self._card(option.rect)
        is_current = bool(option.state & QStyle.StateFlag.State_HasFocus)
        is_hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        edge = "accent" if is_chosen else "border_strong" if is_hovered else "border"
        if is_current:
            edge = "focus"
        painter.setPen(QPen(theme.color(edge), 2 if is_current else 1))
        painter.setBrush(theme.color("accent_soft" if is_chosen else "surface"))
        painter.drawRoundedRect(card, 8, 8)
        self._draw_badge(painter, badge_circle(option.rect, option.direction, theme), row)
        self._draw_texts(painter, card, option.direction, row)

    def _draw_badge(self, painter: QPainter, circle: QRectF, row: SessionRow) -> None:
        theme = self._theme
        badge = self._model.badge(row)
        if row.state:
            icon, tone = ("record", "bad") if row.state == "recording" else ("causing", "warn")
            size = theme.sizes.px(18)
            corner = circle.center() - QPointF(size / 2, size / 2)
            theme.icons.paint(painter, icon, getattr(theme.tokens, tone), corner, size)
        elif badge:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color(BADGE_TONES[badge]))
            painter.drawEllipse(circle)
            painter.setFont(theme.sized(theme.sizes.caption, 700))
            painter.setPen(theme.color("surface"))
            painter.drawText(circle, Qt.AlignmentFlag.AlignCenter, badge)
        else:
            is_chosen = row.path in self._model.chosen
            painter.setPen(QPen(theme.color("accent" if is_chosen else "border_strong"), 1.4))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(circle.adjusted(2, 2, -2, -2))
            if is_chosen:
                painter.setBrush(theme.color("accent"))
                painter.drawEllipse(circle.adjusted(6, 6, -6, -6))

    def _draw_texts(
        self, painter: QPainter, card: QRectF, direction: Qt.LayoutDirection, row: SessionRow
    ) -> None:
        room = self._room(card, direction)
        left, top = room.left(), room.top()
        for font, tone, lines in self._lines(row, room):
            painter.setFont(font)
            painter.setPen(self._theme.color(tone))
            height = QFontMetrics(font).height()
            for line in lines:
                place = QRectF(left, top, room.width(), height)
                painter.drawText(place, Qt.AlignmentFlag.AlignLeading, isolated(line, direction))
                top += height
            top += self._theme.sizes.px(_GAP_PX)

    def _card(self, row: QRect) -> QRectF:
        return QRectF(row).adjusted(1, 1, -1, -self._theme.sizes.px(_BELOW_PX))

    def _room(self, card: QRectF, direction: Qt.LayoutDirection) -> QRectF:
        """Where the texts of a card are: behind the circle."""
        sizes = self._theme.sizes
        lead, trail, pad = sizes.px(42), sizes.px(10), sizes.px(_PAD_PX)
        is_mirrored = direction == Qt.LayoutDirection.RightToLeft
        left, right = (trail, lead) if is_mirrored else (lead, trail)
        return card.adjusted(left, pad, -right, -pad)

    def _lines(self, row: SessionRow, room: QRectF) -> list[tuple[QFont, str, list[str]]]:
        """The font, the colour and the lines of each text of a recording."""
        theme, sizes = self._theme, self._theme.sizes
        strong, small = theme.sized(round(sizes.body), 600), theme.sized(sizes.small)
        first, *middle, last = row.lines
        looks = [(strong, "text", first)]
        looks += [(small, "text", text) for text in middle]
        looks.append((small, "muted", last))
        width = int(room.width())
        return [(font, tone, broken(text, font, width, _MOST_LINES)) for font, tone, text in looks]


def badge_circle(row: QRect, direction: Qt.LayoutDirection, theme: Theme) -> QRectF:
    """Where the badge of a row is."""
    size, gap = theme.sizes.px(22), theme.sizes.px(11)
    is_mirrored = direction == Qt.LayoutDirection.RightToLeft
    left = row.right() - gap - size if is_mirrored else row.left() + gap
    return QRectF(left, row.center().y() - size / 2 - theme.sizes.px(3), size, size)


class SessionList(QListView):
    """``chosen(tuple)`` with the path that is shown, or all that are compared; or none.

    ``opened(Path)`` on Enter or a double click, ``rename_wanted(Path)`` on F2 and
    ``delete_wanted(Path)`` on Delete.
    """

    chosen = Signal(object)
    opened = Signal(object)
    rename_wanted = Signal(object)
    delete_wanted = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._model = RecordingListModel(self)
        self._order: dict[Path, float] = {}
        self.setModel(self._model)
        self.setItemDelegate(_RowPainter(theme, self._model, self))
        self.setObjectName("sessionList")
        self.setAccessibleName(self.tr("Recordings"))
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setResizeMode(QListView.ResizeMode.Adjust)  # texts wrap by the width
        self.setMouseTracking(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setStyleSheet("QListView { background: transparent; border: none; }")
        self.keys = OwnKeys(self)
        self._name_keys()
        self.doubleClicked.connect(self._double_clicked)
        theme.changed.connect(self.viewport().update)

    @property
    def rows(self) -> Sequence[Row]:
        return self._model.rows

    @property
    def chosen_paths(self) -> tuple[Path, ...]:
        """The recording that is shown, or those of A and those of B."""
        return self._model.chosen

    @property
    def sides(self) -> tuple[tuple[Path, ...], tuple[Path, ...]]:
        """Those of A and those of B, the newest of each last; one alone is no B."""
        return self._model.sides

    def show_rows(self, rows: Sequence[Row], order: dict[Path, float]) -> None:
        """List these; ``order`` is when each began, which decides what is A and what is B."""
        current = self.current_path
        self._order = order
        self._model.show_rows(rows)
        kept = tuple(path for path in self._model.chosen if position_of(rows, path) is not None)
        at = position_of(rows, current)
        if at is not None:
            self.setCurrentIndex(self._model.index(at))
        if kept != self._model.chosen:
            self.choose(kept)

    @property
    def current_path(self) -> Path | None:
        """The row that has the keyboard."""
        row = self.currentIndex().data(_ROW_ROLE)
        return row.path if isinstance(row, SessionRow) else None

    def choose(self, paths: Sequence[Path]) -> None:
        """Show one, or compare several; says so by ``chosen``."""
        if len(paths) == 1:
            at = position_of(self._model.rows, paths[0])
            if at is not None:
                self.setCurrentIndex(self._model.index(at))
        a, b = self._model.sides if len(paths) > 2 else ((), ())
        b = tuple(path for path in b if path in paths)
        since = min((self._time(path) for path in b), default=0.0)
        early = [
            path for path in paths if path in a or (path not in b and self._time(path) < since)
        ]
        if not early or len(early) == len(paths):
            early = sorted(paths, key=self._time)[:1]
        self._set_sides(early, [path for path in paths if path not in early])

    def _time(self, path: Path) -> float:
        return self._order.get(path, 0.0)

    def _set_sides(self, a: Sequence[Path], b: Sequence[Path]) -> None:
        sides = tuple(sorted(a, key=self._time)), tuple(sorted(b, key=self._time))
        if sides != self._model.sides:
            self._model.set_chosen(sides[0] + sides[1], len(sides[0]))
            self.chosen.emit(self._model.chosen)

    def swap(self) -> None:
        """What was A is B, and the other way round."""
        a, b = self._model.sides
        self._set_sides(b, a)

    def put(self, path: Path, badge: str) -> None:
        """Compare it as one of A or of B; the last of a side stays there."""
        others = [[each for each in side if each != path] for side in self._model.sides]
        others[BADGES.index(badge)].append(path)
        if all(others):
            self._set_sides(*others)
        elif len(self._model.chosen) == 1:
            self.toggle(path)

    def toggle(self, path: Path) -> None:
        """Take a recording into the comparison, or out of it."""
        chosen = self._model.chosen
        if path in chosen:
            self.choose([each for each in chosen if each != path])
        else:
            self.choose([*chosen, path])

    def _can_be_shown(self, row: object) -> bool:
        return isinstance(row, SessionRow) and row.state != "recording"

    def _take(self, row: object, *, is_added: bool) -> None:
        if not isinstance(row, SessionRow) or not self._can_be_shown(row):
            return
        if is_added and not row.state:
            self.toggle(row.path)
        else:
            self.choose([row.path])

    # --- events ------------------------------------------------------------------------------

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click shows; on the circle or with Ctrl it compares."""
        super().mouseReleaseEvent(event)
        index = self.indexAt(event.position().toPoint())
        if event.button() != Qt.MouseButton.LeftButton or not index.isValid():
            return
        circle = badge_circle(self.visualRect(index), self.layoutDirection(), self._theme)
        is_on_circle = circle.adjusted(-6, -8, 6, 8).contains(event.position())
        is_added = is_on_circle or bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        self._take(index.data(_ROW_ROLE), is_added=is_added)

    def _name_keys(self) -> None:
        add = self.keys.add
        add(self.tr("Show this recording"), self._show_current, "Return", "Enter")
        add(self.tr("Compare it, or no longer"), self._compare_current, "Space")
        add(self.tr("Compare as before (A)"), partial(self._put_current, "A"), "A")
        add(self.tr("Compare as after (B)"), partial(self._put_current, "B"), "B")
        rename, delete = self.rename_wanted, self.delete_wanted
        add(self.tr("Rename"), partial(self._ask_about_current, rename), "F2")
        add(self.tr("Delete; can be undone"), partial(self._ask_about_current, delete), "Delete")

    def _show_current(self) -> None:
        self._take(self.currentIndex().data(_ROW_ROLE), is_added=False)

    def _compare_current(self) -> None:
        self._take(self.currentIndex().data(_ROW_ROLE), is_added=True)

    def _put_current(self, badge: str) -> None:
        row = self.currentIndex().data(_ROW_ROLE)
        if isinstance(row, SessionRow) and not row.state:
            self.put(row.path, badge)

    def _ask_about_current(self, wanted: SignalInstance) -> None:
        path = self.current_path
        if path is not None:
            wanted.emit(path)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows move; the others are the list's own."""
        if not self.keys.press(event):
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Compare a recording as one of before or of after."""
        row = self.indexAt(event.pos()).data(_ROW_ROLE)
        if isinstance(row, SessionRow) and not row.state:
            menu = QMenu(self)
            texts = self.tr("Compare as before (A)"), self.tr("Compare as after (B)")
            for badge, text in zip(BADGES, texts, strict=True):
                menu.addAction(text).triggered.connect(partial(self.put, row.path, badge))
            menu.aboutToHide.connect(menu.deleteLater)
            menu.popup(event.globalPos())

    @Slot(QModelIndex)
    def _double_clicked(self, index: QModelIndex) -> None:
        row = index.data(_ROW_ROLE)
        if isinstance(row, SessionRow) and not row.state:
            self.opened.emit(row.path)
