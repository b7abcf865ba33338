# SPDX-License-Identifier: GPL-3.0-or-later
"""A row of buttons of which one is chosen."""

from collections.abc import Sequence

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import (
    QAbstractButton,
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QWidget,
)

from destutter.ui.controls.tab_stop import one_tab_stop


class Segments(QFrame):
    """``chosen(str)`` with the id of the button that was clicked."""

    chosen = Signal(str)

    def __init__(
        self, name: str, choices: Sequence[tuple[str, str]], parent: QWidget | None = None
    ) -> None:
        """``choices``: (id, text) of each button; ``name`` is for readers of the screen."""
        super().__init__(parent)
        self.setProperty("role", "segments")
        self.setAccessibleName(name)
        # A tall title beside it, as Chinese has, must not stretch the row.
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._group = QButtonGroup(self)
        self._buttons: dict[str, QPushButton] = {}
        layout = QHBoxLayout(self)
        layout.setContentsMargins(4, 3, 4, 3)
        layout.setSpacing(2)
        for id_, text in choices:
            button = QPushButton(text, self)
            button.setCheckable(True)
            button.setAccessibleName(f"{name}: {text}")
            button.setProperty("choice", id_)
            self._group.addButton(button)
            self._buttons[id_] = button
            layout.addWidget(button)
        self._group.buttonClicked.connect(self._clicked)

    @property
    def choice(self) -> str | None:
        """The id that is chosen; None: none of them."""
        checked = self._group.checkedButton()
        # The binding says "never None"; Qt returns none while nothing is checked.
        return str(checked.property("choice")) if isinstance(checked, QPushButton) else None

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids from the first to the last."""
        return tuple(self._buttons)

    def button(self, id_: str) -> QPushButton:
        return self._buttons[id_]

    def choose(self, id_: str | None) -> None:
        """Mark this one as chosen, without a signal; None or an unknown id: none."""
        if id_ in self._buttons:
            self._buttons[id_].setChecked(True)
        else:
            self._group.setExclusive(False)
            for button in self._buttons.values():
                button.setChecked(False)
            self._group.setExclusive(True)
        one_tab_stop(self._buttons.values())

    @Slot(QAbstractButton)
    def _clicked(self, button: QAbstractButton) -> None:
        self.chosen.emit(str(button.property("choice")))
