# SPDX-License-Identifier: GPL-3.0-or-later
"""One line of the table that `make bench` prints."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """A measured value beside a named reference of the same run on the same computer.

    A number alone says how fast the computer is; the ratio says how good the program is.
    """

    name: str
    """What was measured, in a few words."""
    value: float
    unit: str
    reference: str
    """What it is compared with, and its value: "psutil loop, 4.1 ms"; empty when nothing is."""
    ratio: float | None
    """Value through reference; None without one."""
    goal: str
    """In words: "<= 0.25 of psutil"; empty when none was set."""
    is_met: bool | None
    """None when there is no goal."""
