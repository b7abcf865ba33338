# SPDX-License-Identifier: GPL-3.0-or-later
"""How large the window is and where: within its screen at first, then as it was left."""

import re

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

USUAL = QSize(1440, 900)
_FRAME_PX = 40  # of a title bar, which nobody knows before the window is shown
_SIDES_PX = 8  # of borders, likewise
_FORM = re.compile(r"(\d{1,5}),(\d{1,5}),(-?\d{1,5}),(-?\d{1,5})(,max)?", re.ASCII)


class WindowPlace(QObject):
    """``left(str)`` when the window closes or hides: "WIDTH,HEIGHT,X,Y", with ",max" where it
    fills the screen. On Wayland nobody is told where a window is, and the size alone counts.
    """

    left = Signal(str)

    def __init__(self, window: QWidget, last: str) -> None:
        super().__init__(window)
        self._window = window
        self._arrange(last)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._window and event.type() is QEvent.Type.Hide:
            self.left.emit(self._now())
        return super().eventFilter(watched, event)

    def _arrange(self, last: str) -> None:
        room = QGuiApplication.primaryScreen().availableGeometry()
        found = _FORM.fullmatch(last)
        if found is None:
            self._window.resize(_within(USUAL, room))
            return
        width, height, x, y = map(int, found.groups()[:4])
        screen = QGuiApplication.screenAt(QRect(x, y, width, height).center())
        if screen is None:  # it was unplugged
            self._window.resize(_within(QSize(width, height), room))
        else:
            self._window.resize(_within(QSize(width, height), screen.availableGeometry()))
            self._window.move(x, y)
        if found[5]:
            self._window.setWindowState(
                self._window.windowState() | Qt.WindowState.WindowMaximized
            )

    def _now(self) -> str:
        window = self._window
        is_full = window.isMaximized() or window.isFullScreen()
        place = window.normalGeometry() if is_full else QRect(window.pos(), window.size())
        text = f"{place.width()},{place.height()},{place.x()},{place.y()}"
        return f"{text},max" if window.isMaximized() else text


def _within(size: QSize, room: QRect) -> QSize:
    """No larger than the screen leaves, panels and a title bar aside."""
    return size.boundedTo(QSize(room.width() - _SIDES_PX, room.height() - _FRAME_PX))
