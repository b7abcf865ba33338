# SPDX-License-Identifier: GPL-3.0-or-later
"""Enter presses the button that has the focus, as in dialogs: elsewhere Qt takes the space bar."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QWidget

_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_WITHOUT = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)


def press_with_enter(event: QKeyEvent, focused: QWidget | None) -> bool:
    """Whether ``event``, which nobody took, was Enter on a button; it is pressed then.

    A key that is held down presses once.
    """
    is_enter = event.key() in _ENTER and event.modifiers() in _WITHOUT
    if not is_enter or not isinstance(focused, QAbstractButton):
        return False
    if not event.isAutoRepeat():
        focused.click()
    return True
