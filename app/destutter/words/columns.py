# SPDX-License-Identifier: GPL-3.0-or-later
"""Text in the columns of a terminal, where the signs of Chinese are two columns wide."""

from unicodedata import east_asian_width

_WIDE = frozenset("WF")


def columns(text: str) -> int:
    """How many columns the text takes."""
    if text.isascii():
        return len(text)
    return sum(2 if east_asian_width(sign) in _WIDE else 1 for sign in text)


def to_left(text: str, width: int) -> str:
    """The text at the left of a cell."""
    return text + " " * (width - columns(text))


def to_right(text: str, width: int) -> str:
    """The text at the right of a cell."""
    return " " * (width - columns(text)) + text


def cut(text: str, width: int) -> str:
    """As much of the beginning as the columns have room for."""
    kept = text[:width]
    while columns(kept) > width:
        kept = kept[:-1]
    return kept
