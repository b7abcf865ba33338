# SPDX-License-Identifier: GPL-3.0-or-later
"""The helper's log of changes: one line that says how much there is, and the list on request."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QSize, Qt, Slot
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from destutter.analysis.changes.history import HistoryEntry
from destutter.core.statement import Statement
from destutter.ui.controls.elided import ElidedLabel
from destutter.ui.look.theme import Theme
from destutter.ui.words.change_words import ChangeWords
from destutter.ui.words.words import said_sentence
from destutter_helper.api import names

translate = QCoreApplication.translate


class HistoryCard(QWidget):
    """Hidden while there is no history; says why when the helper cannot read it."""

    def __init__(self, theme: Theme, words: ChangeWords, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = words
        self._row_height = theme.sizes.px(26)
        self._entries: tuple[HistoryEntry, ...] = ()
        self._why_none: Statement | None = None
        self.line = ElidedLabel("", "small", self)
        self.toggle = QPushButton(self)
        self.toggle.setProperty("role", "link")
        self.toggle.setCheckable(True)
        self.list = QTreeWidget(self)
        self.list.setObjectName("history")
        self.list.setAccessibleName(self.tr("History of changes"))
        self.list.setHeaderLabels(
            [self.tr("When"), self.tr("What"), self.tr("Setting"), self.tr("Value")]
        )
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        self.list.setMinimumHeight(theme.sizes.px(220))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for column, share in enumerate((150, 230, 280)):
            self.list.setColumnWidth(column, theme.sizes.px(share))
        self.list.header().setSectionResizeMode(3, QHeaderView.ResizeMode.Stretch)
        self.list.hide()
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.sizes.px(10))
        row.addWidget(self.line, 1)
        row.addWidget(self.toggle)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addLayout(row)
        box.addWidget(self.list)
        self.toggle.toggled.connect(self._toggle)
        self._toggle()
        self.hide()

    def show_history(
        self, entries: Sequence[HistoryEntry], why_none: Statement | None = None
    ) -> None:
        """Show these, oldest first, or why they cannot be read."""
        if (tuple(entries), why_none) == (self._entries, self._why_none):
            return
        self._entries, self._why_none = tuple(entries), why_none
        self.setVisible(bool(entries) or why_none is not None)
        self.toggle.setVisible(bool(entries))
        if entries:
            self.line.set_full_text(self._summary())
        elif why_none is not None:
            self.line.set_full_text(said_sentence(why_none))
        if self.toggle.isChecked():
            self._fill()

    def _summary(self) -> str:
        count = sum(each.outcome in ("changed", "restored") for each in self._entries)
        text = self.tr("History: %n change(s).", "", count)
        first = next((each.at for each in self._entries if each.at is not None), None)
        if first is not None:
            text = self.tr("History: %n change(s) since {date}.", "", count).format(
                date=self._words.date(first)
            )
        rest = self.tr("The helper keeps a log in /var/lib/destutter that only root can write.")
        return self.tr("{count} {place}").format(count=text, place=rest)

    @Slot()
    def _toggle(self) -> None:
        is_open = self.toggle.isChecked()
        self.toggle.setText(self.tr("Hide the list") if is_open else self.tr("Show the list"))
        self.list.setVisible(is_open)
        if is_open:
            self._fill()

    def _fill(self) -> None:
        words = self._words
        self.list.clear()
        for entry in reversed(self._entries):
            before, after = words.value(entry.id, entry.origin), words.value(entry.id, entry.value)
            value = after
            if entry.outcome == "changed":
                value = self.tr("{before} → {after}").format(before=before, after=after)
            cells = [words.when(entry.at), _event(entry), entry.key, value]
            item = QTreeWidgetItem(self.list, cells)
            item.setSizeHint(0, QSize(0, self._row_height))
            item.setToolTip(1, words.who(entry.uid))


def _event(entry: HistoryEntry) -> str:
    """What happened to one setting, in words; the helper's own word for what is new to us."""
    by_outcome = {
        "foreign": translate("History", "left alone: changed by something else"),
        "gone": translate("History", "device not there any more"),
        "failed": translate("History", "refused by the kernel"),
        "accepted": translate("History", "left as it was found"),
    }
    by_event = {
        "trial": translate("History", "on trial"),
        "game": translate("History", "set for a game"),
        "keep": translate("History", "kept"),
        "boot": translate("History", "set at the start"),
        "undo": translate("History", "undone"),
        names.ENDED_REVERTED: translate("History", "trial taken back"),
        names.ENDED_DEADLINE: translate("History", "trial ended by its time"),
        names.ENDED_OWNER_GONE: translate("History", "trial ended: its program was gone"),
        names.ENDED_HOLD_CLOSED: translate("History", "trial ended: its program let go"),
        names.ENDED_SHUTDOWN: translate("History", "trial ended by a shutdown"),
        names.ENDED_GAME: translate("History", "trial ended with the game"),
        "recover": translate("History", "taken back after a crash"),
        "rolled back": translate("History", "taken back: not all could be set"),
    }
    if entry.set_id and entry.outcome == "restored":
        return translate("History", "taken back after a game")
    return by_outcome.get(entry.outcome) or by_event.get(entry.event) or entry.event
