# SPDX-License-Identifier: GPL-3.0-or-later
"""What Destutter changed, what it left alone, and the history; or why there is nothing."""

from itertools import pairwise

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from destutter.analysis.changes.helper_statements import statement_of
from destutter.bridge.helper_client import Availability
from destutter.bridge.tuning_model import TuningModel
from destutter.ui.changes.change_table import ChangeTable
from destutter.ui.changes.games_card import GamesCard
from destutter.ui.changes.history_card import HistoryCard
from destutter.ui.changes.left_alone import LeftAlone, foreign_values
from destutter.ui.controls.placeholder import Placeholder
from destutter.ui.look.theme import Theme
from destutter.ui.look.tokens import GAP
from destutter.ui.pages.said_alike import about_helper
from destutter.ui.words.change_words import ChangeWords
from destutter.ui.words.words import said_sentence, spoken
from destutter_helper.api import names

CAUSES, INSTALL, SETTINGS, AGAIN = "causes", "install", "all-settings", "again"
BEGIN_ANEW = "begin-anew"


class ChangesView(QWidget):
    """``asked(str)`` with the id of a placeholder's button; ``details_clicked(str)``."""

    asked = Signal(str)
    details_clicked = Signal(str)

    def __init__(
        self, theme: Theme, words: ChangeWords, model: TuningModel, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._model = model
        self.table = ChangeTable(theme, words, model, self)
        self.games = GamesCard(theme, words, model, self)
        self.left_alone = LeftAlone(theme, self)
        self.residue = QLabel(self)
        self.residue.setProperty("role", "small")
        self.residue.setWordWrap(True)
        self.history = HistoryCard(theme, words, self)
        self.placeholder: Placeholder | None = None
        self._place_shown = ""
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(GAP)
        self._place = QVBoxLayout()
        self._box.addWidget(self.table)
        self._box.addLayout(self._place, 1)
        self._box.addWidget(self.games)
        self._box.addWidget(self.left_alone)
        self._box.addWidget(self.residue)
        self._box.addWidget(self.history)
        self._box.addStretch(0)
        self.table.revert_clicked.connect(model.revert)
        self.left_alone.details_clicked.connect(self.details_clicked)

    def refresh(self) -> None:
        has_changes = bool(self._model.journal_changes)
        self.table.setVisible(has_changes)
        self.table.refresh()
        self._show_placeholder("" if has_changes else self._reason())
        self.games.refresh()
        self.left_alone.show_values(foreign_values(self._model))
        self.history.show_history(self._model.history, self._model.why_no_history)
        state = self._model.state
        residue = () if state is None else state.residue
        notes = spoken().sentences(said_sentence(statement_of(each)) for each in residue)
        note = self.tr("Undo restores every value. {notes}").format(notes=notes)
        self.residue.setVisible(bool(notes))
        self.residue.setText(note)
        self._box.setStretch(self._box.count() - 1, 1 if has_changes else 0)
        self._order()

    def _order(self) -> None:
        """Rows and buttons that came later are reached where they stand."""
        stops: list[QWidget] = []
        for row in self.table.rows.values():
            stops += [row.undo, row.keep_theirs, row.restore]
        if self.placeholder is not None:
            stops += self.placeholder.buttons.values()
        stops += self.games.removes
        stops += [*self.left_alone.stops, self.history.toggle, self.history.list]
        for first, second in pairwise(stops):
            self.setTabOrder(first, second)

    def _reason(self) -> str:
        state = self._model.state
        is_lost = state is not None and state.state == names.STATE_READ_ONLY
        return {
            Availability.READY: "lost" if is_lost else "none",
            Availability.UNKNOWN: "unknown",
            Availability.ABSENT: "absent",
            Availability.NO_BUS: "no_bus",
            Availability.BROKEN: "broken",
            Availability.MISMATCH: "mismatch",
        }[self._model.status.availability]

    def _show_placeholder(self, reason: str) -> None:
        if reason == self._place_shown:
            return
        self._place_shown = reason
        if self.placeholder is not None:
            self._place.removeWidget(self.placeholder)
            self.placeholder.hide()
            self.placeholder.deleteLater()
            self.placeholder = None
        if reason:
            self.placeholder = self._make(reason)
            self.placeholder.clicked.connect(self.asked)
            self._place.addWidget(self.placeholder, 1)

    def _make(self, reason: str) -> Placeholder:
        settings = (SETTINGS, self.tr("Show all settings"))
        again = (AGAIN, self.tr("Ask again"))
        install = (INSTALL, about_helper())
        icon, heading, text, actions = {
            "none": (
                "clear",
                self.tr("Nothing changed"),
                self.tr("No setting of this computer is changed by Destutter now."),
                ((CAUSES, self.tr("Go to Causes")), settings),
            ),
            "lost": self._lost_journal(),
            "unknown": (
                "measuring",
                self.tr("Not asked"),
                self.tr("Nothing is known yet of what was changed on this computer."),
                (settings,),
            ),
            "absent": (
                "lock",
                self.tr("The helper is not installed"),
                self.tr(
                    "Destutter can measure and explain without it. To change settings with one "
                    "click, install the helper. Until then, every cause offers commands that can "
                    "be copied."
                ),
                (install, settings),
            ),
            "no_bus": (
                "lock",
                self.tr("Settings cannot be changed by a click here"),
                self.tr(
                    "{reason} Everything is measured without it, and every cause has commands to "
                    "copy."
                ).format(reason=self._helper_words()),
                (install, again, settings),
            ),
            "broken": (
                "causing",
                self.tr("The helper does not work"),
                self._helper_words(),
                (again, settings),
            ),
            "mismatch": (
                "watch",
                self.tr("The helper does not fit this program"),
                self.tr("{reason} Install the same version of both.").format(
                    reason=self._helper_words()
                ),
                (install, settings),
            ),
        }[reason]
        return Placeholder(self._theme, icon, heading, text, actions, self)

    def _helper_words(self) -> str:
        reason = self._model.status.reason
        return "" if reason is None else said_sentence(reason)

    def _lost_journal(self) -> tuple[str, str, str, tuple[tuple[str, str], ...]]:
        return (
            "watch",
            self.tr("What was changed is not known"),
            self.tr(
                "The helper cannot use its journal, so it changes nothing more. What Destutter "
                "had set stays until the computer restarts. To go on before that, let the helper "
                "forget the journal."
            ),
            (
                (BEGIN_ANEW, self.tr("Forget the journal")),
                (SETTINGS, self.tr("Show all settings")),
            ),
        )

    @Slot()
    def show_time(self) -> None:
        """Bring the countdowns up to date."""
        self.table.show_time()
