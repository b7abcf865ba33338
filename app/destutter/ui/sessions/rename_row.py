# SPDX-License-Identifier: GPL-3.0-or-later
"""A new name for a recording, typed in the page."""

from pathlib import Path

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLineEdit, QPushButton, QWidget

from destutter.session.format import RecordingError
from destutter.session.store import checked_name
from destutter.ui.look.theme import Theme


class RenameRow(QFrame):
    """``renamed(Path, str)`` with the recording and the name; ``closed()`` in any case."""

    renamed = Signal(object, str)
    closed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        self._path = Path()
        label = QLabel(self.tr("New name"), self)
        label.setProperty("role", "strong")
        self.edit = QLineEdit(self)
        self.edit.setAccessibleName(self.tr("New name of the recording"))
        label.setBuddy(self.edit)
        self.problem = QLabel("", self)
        self.problem.setProperty("role", "bad")
        self.save = QPushButton(self.tr("Save"), self)
        self.cancel = QPushButton(self.tr("Cancel"), self)
        layout = QHBoxLayout(self)
        pad = theme.sizes.px(12)
        layout.setContentsMargins(pad, 8, pad, 8)
        layout.setSpacing(theme.sizes.px(10))
        layout.addWidget(label)
        layout.addWidget(self.edit, 1)
        layout.addWidget(self.problem)
        layout.addWidget(self.cancel)
        layout.addWidget(self.save)
        self.edit.textChanged.connect(self._check)
        self.edit.returnPressed.connect(self._save)
        self.save.clicked.connect(self._save)
        self.cancel.clicked.connect(self.close_row)
        self.hide()

    def open_for(self, path: Path, name: str) -> None:
        """Ask for a name; ``name`` is the present one."""
        self._path = path
        self.edit.setText(name)
        self.edit.selectAll()
        self.show()
        self.edit.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def close_row(self) -> None:
        if not self.isHidden():
            self.hide()
            self.closed.emit()

    @Slot()
    def _check(self) -> None:
        problem = self._problem()
        self.save.setEnabled(not problem)
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))

    def _problem(self) -> str:
        try:
            checked_name(self.edit.text())
        except RecordingError:
            if not self.edit.text().strip():
                return self.tr("A recording needs a name")
            return self.tr("Without “/”, not with a dot at the front, and shorter")
        return ""

    @Slot()
    def _save(self) -> None:
        if not self._problem():
            self.renamed.emit(self._path, self.edit.text().strip())
            self.close_row()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape leaves the name as it is."""
        if event.key() == Qt.Key.Key_Escape:
            self.close_row()
        else:
            super().keyPressEvent(event)
