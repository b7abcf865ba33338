# SPDX-License-Identifier: GPL-3.0-or-later
"""The graph as a file: PNG at twice the screen's size, or SVG in which text stays text."""

from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QPoint, QRect, QSize
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QWidget

from destutter.core.whole_file import USUAL, write_whole_file

_SCALE = 2.0


def save_graph(widget: QWidget, path: Path) -> None:
    """Write the widget as it is drawn, by the file's ending. The file appears whole or not at
    all. Raises ``OSError``."""
    data = svg_of(widget) if path.suffix.lower() == ".svg" else png_of(widget)
    write_whole_file(path, data, USUAL)


def png_of(widget: QWidget) -> bytes:
    """A picture with twice the pixels, sharp in a forum."""
    pixmap = QPixmap(widget.size() * _SCALE)
    pixmap.setDevicePixelRatio(_SCALE)
    painter = QPainter(pixmap)
    QWidget.render(widget, painter, QPoint())
    painter.end()
    data, buffer = _buffer()
    pixmap.save(buffer, "PNG")
    buffer.close()
    return bytes(data.data())


def svg_of(widget: QWidget) -> bytes:
    data, buffer = _buffer()
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setSize(QSize(widget.width(), widget.height()))
    generator.setViewBox(QRect(QPoint(), widget.size()))
    generator.setTitle(widget.accessibleName() or "Destutter")
    painter = QPainter(generator)
    QWidget.render(widget, painter, QPoint())
    painter.end()
    buffer.close()
    return bytes(data.data())


def _buffer() -> tuple[QByteArray, QBuffer]:
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    return data, buffer
