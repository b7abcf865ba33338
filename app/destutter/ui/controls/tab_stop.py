# SPDX-License-Identifier: GPL-3.0-or-later
"""Tab stops once at a group of buttons of which one is chosen; arrows move within it.

Qt does the same, but only from the moment on at which one of the buttons has had the focus.
"""

from collections.abc import Iterable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton


def one_tab_stop(buttons: Iterable[QAbstractButton]) -> None:
    """Let Tab stop at the chosen button only, or at the first if none is chosen."""
    row = list(buttons)
    stop = next((button for button in row if button.isChecked()), row[0] if row else None)
    for button in row:
        policy = Qt.FocusPolicy.StrongFocus if button is stop else Qt.FocusPolicy.ClickFocus
        button.setFocusPolicy(policy)
