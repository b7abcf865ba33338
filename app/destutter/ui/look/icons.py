# SPDX-License-Identifier: GPL-3.0-or-later
"""The program's own symbolic icons, drawn in any colour at the screen's resolution."""

from functools import lru_cache
from pathlib import Path

from PySide6.QtCore import QByteArray, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

_INK = b"#000000"
_APP_ICON = "hicolor/scalable/apps/io.github.destutter.Destutter.svg"


class Icons:
    """Icons from the folder of SVG files. Each file draws in black; black becomes the colour."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.ratio = 1.0
        self._pixmaps: dict[tuple[str, str, int, float], QPixmap] = {}

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(sorted(path.stem for path in self._folder.glob("*.svg")))

    def pixmap(self, name: str, color: str, size: int, ratio: float) -> QPixmap:
        """An icon of ``size`` logical pixels for a screen with this device pixel ratio.

        Raises ``KeyError`` for a name that does not exist.
        """
        key = (name, color, size, ratio)
        found = self._pixmaps.get(key)
        if found is None:
            found = self._pixmaps[key] = self._draw(name, color, size, ratio)
        return found

    def icon(self, name: str, color: str, size: int, disabled: str | None = None) -> QIcon:
        """An icon for a button, sharp on the screen with the highest resolution."""
        ratio = self.ratio
        icon = QIcon(self.pixmap(name, color, size, ratio))
        if disabled is not None:
            icon.addPixmap(self.pixmap(name, disabled, size, ratio), QIcon.Mode.Disabled)
        return icon

    def app_pixmap(self, size: int) -> QPixmap:
        """The program's own icon in its own colours."""
        pixmap = QPixmap(size, size)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        QSvgRenderer(str(self._folder / _APP_ICON)).render(painter, QRectF(0, 0, size, size))
        painter.end()
        return pixmap

    def paint(self, painter: QPainter, name: str, color: str, corner: QPointF, size: int) -> None:
        """Draw an icon with its upper left corner here."""
        ratio = painter.device().devicePixelRatioF()
        pixmap = self.pixmap(name, color, size, ratio)
        painter.drawPixmap(QRectF(corner, QSizeF(size, size)), pixmap, QRectF(pixmap.rect()))

    def _draw(self, name: str, color: str, size: int, ratio: float) -> QPixmap:
        # First: an error must not leave a painter behind that has begun.
        source = _source(self._folder, name).replace(_INK, color.encode())
        pixmap = QPixmap(round(size * ratio), round(size * ratio))
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        renderer = QSvgRenderer(QByteArray(source))
        renderer.render(painter, QRectF(0, 0, size, size))
        painter.end()
        return pixmap


@lru_cache(maxsize=128)
def _source(folder: Path, name: str) -> bytes:
    try:
        return (folder / f"{name}.svg").read_bytes()
    except OSError as error:
        raise KeyError(f"no icon {name} in {folder}: {error.strerror}") from error
