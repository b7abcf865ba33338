# SPDX-License-Identifier: GPL-3.0-or-later
"""Where frame times are taken from, as every page that connects a game shares it."""

from PySide6.QtCore import QObject, Signal


class FollowedFrames(QObject):
    """``folder``: of frame logs, or one log; ``xplane``: the address of an X-Plane. At most one of
    them is not empty; with neither, what is found by itself is followed. ``changed()`` when
    somebody chose.
    """

    changed = Signal()

    def __init__(self, folder: str = "", xplane: str = "", parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.folder = folder
        self.xplane = xplane

    def follow(self, *, folder: str = "", xplane: str = "") -> None:
        """Follow the one, and the other no longer; without either, none."""
        if (folder, xplane) != (self.folder, self.xplane):
            self.folder, self.xplane = folder, xplane
            self.changed.emit()
