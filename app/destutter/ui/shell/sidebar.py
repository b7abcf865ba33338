# SPDX-License-Identifier: GPL-3.0-or-later
"""Navigation at the side: full with names, or a narrow rail of icons; and the state below it."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QLocale, QObject, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QIcon, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from destutter.ui.controls.elided import ElidedLabel
from destutter.ui.controls.tab_stop import one_tab_stop
from destutter.ui.look.theme import Theme

if TYPE_CHECKING:
    from destutter.bridge.helper_client import HelperStatus


class NavButton(QPushButton):
    """One page: its icon, and its name where there is room."""

    def __init__(
        self, theme: Theme, page: str, icon: str, text: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(text, parent)
        self._theme = theme
        self.page = page
        self._icon = icon
        self._text = text
        self._count = 0
        self._is_recording = False
        self.setCheckable(True)
        self.setAccessibleName(text)
        self.setIconSize(QSize(theme.sizes.px(18), theme.sizes.px(18)))
        self.toggled.connect(self.apply_theme)
        theme.changed.connect(self.apply_theme)
        self.set_rail(is_rail=False)

    def set_rail(self, *, is_rail: bool) -> None:
        """Only the icon, with the name as a tool tip; or both."""
        self.setProperty("role", "rail" if is_rail else "nav")
        self.setText("" if is_rail else "  " + self._text)
        self.setToolTip(self._text if is_rail else "")
        self.style().unpolish(self)
        self.style().polish(self)
        self.apply_theme()

    def set_count(self, count: int, name: str) -> None:
        """Show a number at the end, none for 0; ``name`` says it to readers of the screen."""
        if count != self._count:
            self._count = count
            self.setAccessibleName(name if count else self._text)
            self.update()

    def set_recording(self, *, is_recording: bool, name: str) -> None:
        """Show the sign of a recording, also on the rail; ``name`` says it to readers."""
        if is_recording != self._is_recording:
            self._is_recording = is_recording
            self.setAccessibleName(name if is_recording else self._text)
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The button, its number on a rounded ground, and the sign of a recording."""
        super().paintEvent(event)
        if self._is_recording:
            self._draw_recording()
        if not self._count or not self.text():
            return
        sizes, theme = self._theme.sizes, self._theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(theme.sized(sizes.caption, 600))
        text = QLocale().toString(self._count)
        height = sizes.px(20)
        width = max(height, painter.fontMetrics().horizontalAdvance(text) + sizes.px(12))
        left = self.width() - width - sizes.px(8)
        if self.layoutDirection() == Qt.LayoutDirection.RightToLeft:
            left = sizes.px(8)
        ground = QRectF(left, (self.height() - height) / 2, width, height)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("raised"))
        painter.drawRoundedRect(ground, height / 2, height / 2)
        painter.setPen(theme.color("text"))
        painter.drawText(ground, Qt.AlignmentFlag.AlignCenter, text)

    def _draw_recording(self) -> None:
        size = self._theme.sizes.px(9)
        inset = self._theme.sizes.px(12 if self.text() else 5)
        is_mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        left = inset if is_mirrored else self.width() - inset - size
        top = (self.height() - size) // 2 if self.text() else inset
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("bad"))
        painter.drawEllipse(left, top, size, size)

    @Slot()
    def apply_theme(self) -> None:
        tokens = self._theme.tokens
        color = tokens.accent if self.isChecked() else tokens.muted
        self.setIcon(self._theme.icons.icon(self._icon, color, self._theme.sizes.px(18)))


class Sidebar(QFrame):
    """``page_chosen(str)`` with the id of a page; ``helper_clicked()`` for the helper's state."""

    page_chosen = Signal(str)
    helper_clicked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("sidebar")
        self._theme = theme
        self._is_rail = False
        self._is_ready = False
        self._helper: HelperStatus | None = None
        self._note = ""
        self._buttons: dict[str, NavButton] = {}
        self._places: dict[str, int] = {}
        self._group = QButtonGroup(self)
        self._group.buttonClicked.connect(self._clicked)
        self._logo = QLabel(self)
        self._name = QLabel("Destutter", self)
        self._name.setProperty("role", "brand")
        self._top = QVBoxLayout()
        self._top.setSpacing(4)
        self._bottom = QVBoxLayout()
        self._bottom.setSpacing(4)
        self.help = NavButton(theme, "", "info", self.tr("Help"), self)
        self.help.setCheckable(False)
        self._bottom.addWidget(self.help)
        self._line = QFrame(self)
        self._line.setProperty("role", "line")
        self._line.setFixedHeight(1)
        self.helper = QPushButton(self)
        self.helper.setProperty("role", "rail")
        self.helper.clicked.connect(self.helper_clicked)
        self._helper_title = ElidedLabel("", "smallStrong", self)
        self._helper_detail = ElidedLabel("", "caption", self)
        for text in (self._helper_title, self._helper_detail):
            text.installEventFilter(self)  # people click on what they read, not on its sign
            text.setCursor(Qt.CursorShape.PointingHandCursor)
        self.cost = QLabel("", self)
        self.cost.setProperty("role", "caption")
        self.cost.setWordWrap(True)
        self.cost.setContentsMargins(theme.sizes.px(6), 0, 0, 0)
        # Its two lines have their place from the first picture on: what stands above them moved by
        # 32 pixels some seconds after the start, away from under the pointer.
        self.cost.setMinimumHeight(theme.sizes.px(26))
        self._build()
        theme.changed.connect(self._apply_theme)
        self.set_rail(is_rail=False)

    def _build(self) -> None:
        sizes = self._theme.sizes
        head = QHBoxLayout()
        head.setSpacing(sizes.px(10))
        self._head = head
        head.addWidget(self._logo)
        head.addWidget(self._name, 1)
        texts = QVBoxLayout()
        texts.setSpacing(0)
        texts.addWidget(self._helper_title)
        texts.addWidget(self._helper_detail)
        state = QHBoxLayout()
        state.setSpacing(sizes.px(4))
        state.addWidget(self.helper)
        self._state = state
        state.addLayout(texts, 1)
        self._box = QVBoxLayout(self)
        self._box.setSpacing(sizes.px(6))
        self._box.addLayout(head)
        self._box.addLayout(self._top)
        self._box.addStretch(1)
        self._box.addLayout(self._bottom)
        self._box.addWidget(self._line)
        self._box.addLayout(state)
        self._box.addWidget(self.cost)

    def add_page(
        self, page: str, icon: str, text: str, *, place: int = 0, is_below: bool = False
    ) -> NavButton:
        """Add an entry, above the space or below it; those above are in the order of ``place``."""
        button = NavButton(self._theme, page, icon, text, self)
        button.set_rail(is_rail=self._is_rail)
        self._buttons[page] = button
        self._group.addButton(button)
        if is_below:
            self._bottom.addWidget(button)
        else:
            before = sum(1 for known in self._places.values() if known <= place)
            self._places[page] = place
            self._top.insertWidget(before, button)
        self._order_tabs()
        one_tab_stop(self._buttons.values())
        return button

    def _order_tabs(self) -> None:
        """Let the keyboard go as one reads, in whatever order the entries came."""
        below = [page for page in self._buttons if page not in self._places]
        for first, second in pairwise([*self.pages, *below]):
            self.setTabOrder(self._buttons[first], self._buttons[second])

    @property
    def pages(self) -> tuple[str, ...]:
        """The pages above the space, from top to bottom."""
        return tuple(sorted(self._places, key=lambda page: self._places[page]))

    def button(self, page: str) -> NavButton:
        return self._buttons[page]

    def choose(self, page: str) -> None:
        """Mark this page as the one that is shown."""
        self._buttons[page].setChecked(True)
        one_tab_stop(self._buttons.values())

    def show_recording(self, page: str, *, is_recording: bool) -> None:
        """Show at the entry of this page, whichever is open, whether a recording runs."""
        name = self.tr("{page}, a recording runs").format(
            page=self._buttons[page].accessibleName()
        )
        self._buttons[page].set_recording(is_recording=is_recording, name=name)

    def show_helper(self, status: HelperStatus) -> None:
        self._helper = status
        self._show_helper()

    def show_note(self, note: str) -> None:
        """What is going on with the helper, in place of what it is for; empty for nothing."""
        if note != self._note:
            self._note = note
            self._show_helper()

    def show_cost(self, text: str) -> None:
        self.cost.setText(text)
        self._name.setToolTip(text)
        self._logo.setToolTip(text)
        self.cost.setVisible(not self._is_rail)

    def set_rail(self, *, is_rail: bool) -> None:
        """Narrow or full."""
        self._is_rail = is_rail
        sizes = self._theme.sizes
        self.setFixedWidth(sizes.px(60) if is_rail else sizes.px(196))
        side = sizes.px(8) if is_rail else sizes.px(12)
        self._box.setContentsMargins(side, sizes.px(18), side + 1, sizes.px(10))
        for button in (*self._buttons.values(), self.help):
            button.set_rail(is_rail=is_rail)
        inset = 0 if is_rail else sizes.px(9)
        self._head.setContentsMargins(inset, 0, 0, sizes.px(14))
        centre = Qt.AlignmentFlag.AlignHCenter
        for row, widget in ((self._head, self._logo), (self._state, self.helper)):
            row.setAlignment(widget, centre if is_rail else Qt.AlignmentFlag.AlignVCenter)
        # The helper's sign alone stands in the middle, as the pages' signs do.
        self._state.setStretch(0, 1 if is_rail else 0)
        self._state.setStretch(1, 0 if is_rail else 1)
        self._name.setVisible(not is_rail)
        self.cost.setVisible(not is_rail)
        self._show_helper()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A click on the words of the helper's state is one on its sign."""
        if isinstance(event, QMouseEvent) and event.type() == QEvent.Type.MouseButtonRelease:
            if event.button() == Qt.MouseButton.LeftButton:
                self.helper.click()
            return True
        return super().eventFilter(watched, event)

    @Slot(QAbstractButton)
    def _clicked(self, button: QAbstractButton) -> None:
        if isinstance(button, NavButton):
            self.page_chosen.emit(button.page)

    def _show_helper(self) -> None:
        # By name, so that the first picture does not wait for the client of the helper.
        availability = "unknown" if self._helper is None else self._helper.availability.value
        is_known = availability != "unknown"
        for widget in (self.helper, self._line):
            widget.setVisible(is_known)
        for text in (self._helper_title, self._helper_detail):
            text.setVisible(is_known and not self._is_rail)
        title, detail = {
            "ready": (self.tr("Helper ready"), self.tr("settings can be changed")),
            "broken": (self.tr("Helper fails"), self.tr("measuring only")),
            "mismatch": (self.tr("Helper does not fit"), self.tr("measuring only")),
        }.get(availability, (self.tr("No helper"), self.tr("measuring only")))
        self._is_ready = availability == "ready"
        if self._is_ready and self._helper is not None:
            detail = self._of_another_version(self._helper.version) or detail
        detail = self._note or detail
        self._helper_title.set_full_text(title)
        self._helper_detail.set_full_text(detail)
        name = self.tr("{title}, {detail}").format(title=title, detail=detail)
        self.helper.setAccessibleName(name)
        self.helper.setToolTip(name)
        self._apply_theme()

    def _of_another_version(self, version: str) -> str:
        """What there is to say of a helper that is older or newer; empty when it fits."""
        from destutter.analysis.changes.helper_origin import Fit, fit_of

        return {
            Fit.SAME: "",
            Fit.OLDER: self.tr("older than this program"),
            Fit.NEWER: self.tr("newer than this program"),
        }[fit_of(version)]

    @Slot()
    def _apply_theme(self) -> None:
        tokens, sizes, icons = self._theme.tokens, self._theme.sizes, self._theme.icons
        ratio = self.devicePixelRatioF()
        self._logo.setPixmap(icons.pixmap("pulse", tokens.accent, sizes.px(22), ratio))
        self._logo.setFixedWidth(sizes.px(24))
        name, color = ("clear", tokens.ok) if self._is_ready else ("not-measured", tokens.none)
        self.helper.setIcon(QIcon(icons.icon(name, color, sizes.px(16))))
        self.helper.setIconSize(QSize(sizes.px(16), sizes.px(16)))
        self.helper.setFixedWidth(sizes.px(28))
