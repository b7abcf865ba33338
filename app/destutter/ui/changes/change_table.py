# SPDX-License-Identifier: GPL-3.0-or-later
"""Everything that Destutter changed, as a table in a card."""

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QFrame, QGridLayout, QVBoxLayout, QWidget

from destutter.bridge.tuning_model import TuningModel
from destutter.ui.changes.change_row import COLUMNS, ChangeRow, button_width
from destutter.ui.controls.elided import ElidedLabel
from destutter.ui.look.theme import Theme
from destutter.ui.words.change_words import ChangeWords
from destutter.ui.words.outcome_report import failures


class ChangeTable(QFrame):
    """Shows the changes of a model; its rows ask the model. ``revert_clicked()``."""

    revert_clicked = Signal()

    def __init__(
        self, theme: Theme, words: ChangeWords, model: TuningModel, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        self._theme = theme
        self._words = words
        self._model = model
        self.rows: dict[str, ChangeRow] = {}
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(1, 1, 1, 1)
        self._box.setSpacing(0)
        self._box.addWidget(self._header())

    def _header(self) -> QWidget:
        sizes = self._theme.sizes
        header = QFrame(self)
        grid = QGridLayout(header)
        grid.setContentsMargins(sizes.px(18), sizes.px(9), sizes.px(14), sizes.px(9))
        grid.setHorizontalSpacing(sizes.px(14))
        titles = (
            self.tr("Setting"),
            self.tr("Original and now"),
            self.tr("Changed by"),
            self.tr("Lasts"),
        )
        for column, (title, share) in enumerate(zip(titles, COLUMNS, strict=True)):
            label = ElidedLabel(title, "columnTitle", header)
            label.setMinimumWidth(1)
            grid.addWidget(label, 0, column)
            grid.setColumnStretch(column, share)
        # As wide as the buttons below, so that the columns stand above their cells. An empty
        # column would also lack the gap before it.
        room = QWidget(header)
        room.setFixedWidth(button_width(self._theme))
        grid.addWidget(room, 0, len(titles))
        return header

    @Slot()
    def refresh(self) -> None:
        """Show what the model has now; rows that stay keep the focus."""
        changes = {each.key: each for each in self._model.journal_changes}
        failed = failures(self._model.outcome)
        for key in [key for key in self.rows if key not in changes]:
            row = self.rows.pop(key)
            self._box.removeWidget(row)
            row.hide()
            row.deleteLater()
        for key, change in changes.items():
            row = self.rows.get(key) or self._add(key)
            trial = self._model.trial
            row.show_change(
                change,
                trial,
                is_enabled=self._model.can_change,
                failure=failed.get(key),
            )

    def show_time(self) -> None:
        """Bring the countdowns up to date."""
        for row in self.rows.values():
            row.show_time(self._model.trial)

    def _add(self, key: str) -> ChangeRow:
        row = ChangeRow(self._theme, self._words, self)
        row.undo_clicked.connect(self._undo)
        row.keep_theirs_clicked.connect(self._keep_theirs)
        row.restore_clicked.connect(self._restore)
        row.revert_clicked.connect(self.revert_clicked)
        self.rows[key] = row
        self._box.addWidget(row)
        return row

    @Slot(str)
    def _undo(self, key: str) -> None:
        self._model.undo((key,))

    @Slot(str)
    def _keep_theirs(self, key: str) -> None:
        self._model.undo((), accept=(key,))

    @Slot(str)
    def _restore(self, key: str) -> None:
        self._model.undo((), force=(key,))
