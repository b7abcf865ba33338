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
    """Shows up to four facts side by side, each as wide as its words need."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._facts: list[Fact] = []
        self._columns = [_Column(self) for _ in range(_MOST)]
        self._layout = QHBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(theme.sizes.px(18))
        for column in self._columns:
            self._layout.addWidget(column, 1, Qt.AlignmentFlag.AlignTop)

    def show_facts(self, facts: Sequence[Fact]) -> None:
        """Show these."""
        if list(facts) == self._facts:
            return
        self._facts = list(facts)
        for index, column in enumerate(self._columns):
            column.setVisible(index < len(facts))
            if index < len(facts):
                column.show_fact(facts[index])
                self._layout.setStretchFactor(column, column.wanted_width)


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

    @property
    def wanted_width(self) -> int:
        """What name and note need in full; the value is left out, since it changes each second."""
        return max(self.name.sizeHint().width(), self.note.sizeHint().width())

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
