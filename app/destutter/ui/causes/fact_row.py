# SPDX-License-Identifier: GPL-3.0-or-later
"""A few numbers in large letters, each with its name above and a note below."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from destutter.ui.causes.finding_words import Fact
from destutter.ui.controls.elided import WrappedLabel
from destutter.ui.controls.leading import lead
from destutter.ui.look.theme import Theme

_MOST = 4  # as many as finding_words.py has of a finding; a fifth would cut the numbers
_NAME, _VALUE, _NOTE = range(3)


class FactRow(QWidget):
    """Shows up to four facts side by side, each as wide as its words need.

    Where that is too wide, names and notes take a second line; the numbers stay on one.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._facts: list[Fact] = []
        self._columns = [_Column(self) for _ in range(_MOST)]
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(theme.sizes.px(18))
        self._grid.setVerticalSpacing(1)
        for at, column in enumerate(self._columns):
            self._grid.addWidget(column.name, _NAME, at, Qt.AlignmentFlag.AlignBottom)
            self._grid.addWidget(column.value, _VALUE, at)
            self._grid.addWidget(column.note, _NOTE, at, Qt.AlignmentFlag.AlignTop)

    def show_facts(self, facts: Sequence[Fact]) -> None:
        if list(facts) == self._facts:
            return
        self._facts = list(facts)
        for index, column in enumerate(self._columns):
            is_used = index < len(facts)
            column.set_visible(is_visible=is_used)
            if is_used:
                column.show_fact(facts[index])
            self._grid.setColumnStretch(index, column.wanted_width if is_used else 0)
            self._grid.setColumnMinimumWidth(index, column.least_width if is_used else 0)


class _Column:
    """One fact."""

    def __init__(self, parent: QWidget) -> None:
        self.name = lead(WrappedLabel("small", parent))
        self.value = lead(QLabel(parent))
        self.note = lead(WrappedLabel("small", parent))

    @property
    def wanted_width(self) -> int:
        """What name and note need in full; the value is left out, since it changes each second."""
        return max(_width(label, label.text()) for label in (self.name, self.note))

    @property
    def least_width(self) -> int:
        """What their longest words need."""
        return max(
            _width(label, word)
            for label in (self.name, self.note)
            for word in label.text().split(" ")
        )

    def set_visible(self, *, is_visible: bool) -> None:
        for label in (self.name, self.value, self.note):
            label.setVisible(is_visible)

    def show_fact(self, fact: Fact) -> None:
        self.name.set_full_text(fact.name)
        self.value.setText(fact.value)
        self.note.set_full_text(fact.note)
        role = "numberBad" if fact.tone == "bad" else "number"
        if self.value.property("role") != role:
            self.value.setProperty("role", role)
            self.value.style().unpolish(self.value)
            self.value.style().polish(self.value)


def _width(label: QLabel, text: str) -> int:
    label.ensurePolished()
    return QFontMetrics(label.font()).horizontalAdvance(text) + 2
