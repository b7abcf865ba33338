# SPDX-License-Identifier: GPL-3.0-or-later
"""Kernel files that list all that may be chosen, with what is in force in brackets."""


def active_choice(text: str) -> str:
    """The chosen one of "none [mq-deadline]"; a text without brackets is itself."""
    chosen, bracket, _ = text.partition("[")[2].partition("]")
    return chosen if bracket and chosen else text.strip()
