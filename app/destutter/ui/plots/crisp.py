# SPDX-License-Identifier: GPL-3.0-or-later
"""Straight lines that cover whole pixels of the screen, at 125 % as at 100 %."""

from PySide6.QtGui import QColor, QPainter, QPen


def screen_ratio(painter: QPainter) -> float:
    """Pixels of the screen for one of the window."""
    return painter.device().devicePixelRatioF()


def thin_pen(color: QColor, ratio: float) -> QPen:
    """A pen for a line as thin as about one pixel of the window, in whole ones of the screen."""
    return QPen(color, _pixels(ratio) / ratio)


def on_pixel(position: float, ratio: float) -> float:
    """The middle of a thin line near this position: what such a pen draws then has sharp edges."""
    return (round(position * ratio) + _pixels(ratio) % 2 / 2) / ratio


def _pixels(ratio: float) -> int:
    return max(1, int(ratio + 0.25))
