# SPDX-License-Identifier: GPL-3.0-or-later
"""A few numbers in large letters, each with its name above and a note below."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from destutter.ui.causes.finding_words import Fact
from destutter.ui.elided import ElidedLabel
from destutter.ui.leading import lead
from destutter.ui.theme import Theme

_MOST = 4


class FactRow(QWidget):
    """Shows up to four facts side by side, all equally wide."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._facts: list[Fact] = []
        self._columns = [_Column(self) for _ in range(_MOST)]
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.sizes.px(14))
        for index, column in enumerate(self._columns):
            # Names of measurements are longer than those of the first two.
            layout.addWidget(column, 2 if index < _MOST // 2 else 3, Qt.AlignmentFlag.AlignTop)

    def show_facts(self, facts: Sequence[Fact]) -> None:
        """Show these."""
        if list(facts) == self._facts:
            return
        self._facts = list(facts)
        for index, column in enumerate(self._columns):
            column.setVisible(index < len(facts))
            if index < len(facts):
                column.show_fact(facts[index])


class _Column(QWidget):
    """One fact."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.name = lead(ElidedLabel("", "small", self))
        self.value = lead(QLabel(self))
        self.note = lead(ElidedLabel("", "small", self))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(1)
        for label in (self.name, self.value, self.note):
            layout.addWidget(label)

    def show_fact(self, fact: Fact) -> None:
        """Show this one."""
        self.name.set_full_text(fact.name)
        self.value.setText(fact.value)
        self.note.set_full_text(fact.note)
        role = "numberBad" if fact.tone == "bad" else "number"
        if self.value.property("role") != role:
            self.value.setProperty("role", role)
            self.value.style().unpolish(self.value)
            self.value.style().polish(self.value)
