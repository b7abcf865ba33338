# SPDX-License-Identifier: GPL-3.0-or-later
"""The window system's word on full-screen games, where it gives one."""

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from destutter.analysis.examining.pipeline import Snapshot
from destutter.bridge.game_cover import GameCover
from destutter.bridge.x11_screen import Rect, X11Error, X11Screen


class GameScreen(QObject):
    """Asks an X server, at ``display``; on other window systems nothing is known or asked."""

    def __init__(self, window: QWidget, display: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._window = window
        self._display = display
        self._x11: X11Screen | None = None
        self._is_x11 = QGuiApplication.platformName() == "xcb"
        self._front: Rect | None = None
        self.cover = GameCover(self._is_covered, self)

    def accept_snapshot(self, snapshot: Snapshot) -> None:
        """Ask while a game is watched, and count its stutters while it covers the window."""
        is_playing = bool(snapshot.facts.get("game.pid")) and self._is_x11
        if not is_playing:
            self._front = None
        self.cover.set_playing(is_playing=is_playing)
        self.cover.accept_snapshot(snapshot)

    def covers(self, widget: QWidget) -> bool:
        """Whether a full-screen window was in front of this window when it was asked last."""
        return self._front is not None and self._front.centre_in(_screen_of(widget))

    def has_tray(self) -> bool:
        """Whether the X server has a tray of the older kind."""
        server = self._server()
        return server is not None and server.has_tray()

    def stop(self) -> None:
        """Ask no more and leave the server."""
        self.cover.stop()
        if self._x11 is not None:
            self._x11.close()
            self._x11 = None

    def _server(self) -> X11Screen | None:
        if self._x11 is None and self._is_x11:
            try:
                self._x11 = X11Screen(self._display)
            except X11Error:
                self._is_x11 = False
        return self._x11

    def _is_covered(self) -> bool:
        server = self._server()
        self._front = None if server is None else server.full_screen()
        return self.covers(self._window)


def _screen_of(widget: QWidget) -> Rect:
    """The screen of a window in the server's pixels."""
    screen = widget.screen()
    place, ratio = screen.geometry(), screen.devicePixelRatio()
    size = round(place.width() * ratio), round(place.height() * ratio)
    # Qt keeps the corner of a screen in native pixels, and scales its size.
    return Rect(place.x(), place.y(), *size)
