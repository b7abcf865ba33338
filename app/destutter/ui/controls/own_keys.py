# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys with the words for them, so that the list of shortcuts says what there is and nothing else.

A key of the window is a ``QShortcut``; one that works while a widget has the keyboard is in its
``OwnKeys``. Both are found in the tree of widgets.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from destutter.ui.controls.shortcuts import key_text

_OTHERS = (
    Qt.KeyboardModifier.ControlModifier
    | Qt.KeyboardModifier.AltModifier
    | Qt.KeyboardModifier.MetaModifier
)

Act = Callable[[], object]


@dataclass(frozen=True, slots=True)
class NamedKeys:
    """Keys as this desktop's language writes them, and what they do."""

    keys: tuple[str, ...]
    text: str


class OwnKeys(QObject):
    """The keys of one widget, which asks ``press`` in its ``keyPressEvent``."""

    def __init__(self, owner: QWidget) -> None:
        super().__init__(owner)
        self._acts: dict[QKeySequence, Act] = {}
        self.named: list[NamedKeys] = []

    def add(self, text: str, act: Act, *keys: str) -> None:
        """Let these keys do this; each is a key alone, as "F2"."""
        self.named.append(NamedKeys(tuple(map(key_text, keys)), text))
        self._acts.update(dict.fromkeys(map(QKeySequence, keys), act))

    def press(self, event: QKeyEvent) -> bool:
        """Do what the key is for; whether it is for anything."""
        act = self._acts.get(QKeySequence(event.key()))
        # With Shift, for "+" needs it on many keyboards.
        if act is None or event.modifiers() & _OTHERS:
            return False
        act()
        return True


def named_shortcut(
    owner: QWidget, keys: str | QKeySequence.StandardKey, text: str, act: Act
) -> QShortcut:
    """A key that works while the widget can be seen, whatever has the keyboard.

    Those with the same text are one line of the list.
    """
    shortcut = QShortcut(QKeySequence(keys), owner)
    shortcut.setWhatsThis(text)
    shortcut.activated.connect(act)
    return shortcut


def keys_of(widget: QWidget, *, is_deep: bool) -> list[NamedKeys]:
    """The keys of a widget itself, or with ``is_deep`` of all that is shown in it."""
    found: dict[str, tuple[str, ...]] = {}
    for each in _named_in(widget, is_deep=is_deep):
        found[each.text] = tuple(dict.fromkeys((*found.get(each.text, ()), *each.keys)))
    return [NamedKeys(keys, text) for text, keys in found.items()]


def _named_in(widget: QWidget, *, is_deep: bool) -> Iterator[NamedKeys]:
    for child in widget.findChildren(QObject):
        owner = child.parent()
        if not isinstance(owner, QWidget) or owner.isHidden() or (not is_deep and owner != widget):
            continue
        if isinstance(child, QShortcut) and child.whatsThis():
            written = child.key().toString(QKeySequence.SequenceFormat.NativeText)
            yield NamedKeys((written,), child.whatsThis())
        elif isinstance(child, OwnKeys):
            yield from child.named
