# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers in the command lines of the processes that measure (``programs``)."""

import argparse
import contextlib
from collections.abc import Callable


def between(low: int, high: int) -> Callable[[str], int]:
    """A type of arguments: whole numbers from low to high."""

    def number(text: str) -> int:
        if not (text.isascii() and text.isdigit() and low <= int(text) <= high):
            raise argparse.ArgumentTypeError(
                f"{text!a} is not a whole number from {low} to {high}"
            )
        return int(text)

    return number


def seconds(text: str) -> float:
    """A type of arguments: a time above zero."""
    with contextlib.suppress(ValueError):
        value = float(text)
        if 0 < value <= 1e9:
            return value
    raise argparse.ArgumentTypeError(f"{text!a} is not a time in seconds above 0")
