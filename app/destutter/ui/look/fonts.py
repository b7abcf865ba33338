# SPDX-License-Identifier: GPL-3.0-or-later
"""Fonts: the desktop's own where it has one, with digits that are all equally wide."""

from PySide6.QtGui import QFont

from destutter.ui.look.tokens import Sizes

UI_FAMILIES = ("Inter", "Noto Sans", "Cantarell", "Ubuntu", "DejaVu Sans")
MONO_FAMILIES = ("JetBrains Mono", "Noto Sans Mono", "DejaVu Sans Mono")
_NAMELESS = {"", "Sans", "Sans Serif", "Sans-Serif", "Helvetica"}
_SMALLEST_PX, _LARGEST_PX = 12.0, 20.0


def body_sizes(desktop_font: QFont, dots_per_inch: float) -> Sizes:
    """The sizes that belong to the desktop's font; 13 px where the desktop has chosen none."""
    if desktop_font.family() in _NAMELESS:
        return Sizes()
    pixels = desktop_font.pixelSize()
    if pixels <= 0:
        pixels = round(desktop_font.pointSizeF() * dots_per_inch / 72.0)
    return Sizes(min(_LARGEST_PX, max(_SMALLEST_PX, float(pixels))))


def body_font(desktop_font: QFont, sizes: Sizes) -> QFont:
    """The font of the window.

    A family that a desktop chose is kept. In a bare session the first of ``UI_FAMILIES`` that is
    installed is used.
    """
    if desktop_font.family() in _NAMELESS:
        font = QFont([*UI_FAMILIES, desktop_font.family()])
    else:
        font = QFont(desktop_font)
    font.setPixelSize(round(sizes.body))
    return tabular(font)


def tabular(font: QFont) -> QFont:
    """The same font with digits of equal width, so that numbers do not tremble.

    PySide 6.8 cannot name a feature of a font. There the digits are the font's usual ones, which
    are equally wide in most fonts of desktops.
    """
    try:
        feature = QFont.Tag("tnum")
    except TypeError:
        return font
    font.setFeature(feature, 1)
    return font


def sized(font: QFont, pixels: int, weight: int = 400) -> QFont:
    """The same family in another size and weight."""
    copy = QFont(font)
    copy.setPixelSize(pixels)
    copy.setWeight(QFont.Weight(weight))
    return tabular(copy)


def mono_font(pixels: int) -> QFont:
    """A font for the kernel's own words."""
    font = QFont(list(MONO_FAMILIES))
    font.setStyleHint(QFont.StyleHint.Monospace)
    font.setPixelSize(pixels)
    return font
