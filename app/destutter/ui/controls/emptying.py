# SPDX-License-Identifier: GPL-3.0-or-later
"""Taking everything out of a layout that is filled anew."""

from PySide6.QtWidgets import QLayout


def empty(layout: QLayout) -> None:
    """Remove all its widgets and spaces.

    They are hidden at once: Qt deletes them later, and until then they would lie beneath what
    takes their place.
    """
    while (item := layout.takeAt(0)) is not None:
        widget = item.widget()
        if widget is not None:
            widget.hide()
            widget.deleteLater()
