# SPDX-License-Identifier: GPL-3.0-or-later
"""Cells of a table in a terminal, where the signs of Chinese are two columns wide."""

from unicodedata import east_asian_width

_WIDE = frozenset("WF")


def to_left(text: str, width: int) -> str:
    """The text at the left of a cell."""
    return text + " " * (width - _width(text))


def to_right(text: str, width: int) -> str:
    """The text at the right of a cell."""
    return " " * (width - _width(text)) + text


def _width(text: str) -> int:
    return sum(2 if east_asian_width(sign) in _WIDE else 1 for sign in text)
