# SPDX-License-Identifier: GPL-3.0-or-later
"""What is kept for games: for which, whether it is set now, and a way to keep it no more."""

from functools import partial

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QPushButton, QWidget

from destutter.bridge.tuning_model import TuningModel
from destutter.ui.controls.elided import ElidedLabel, WrappedLabel
from destutter.ui.controls.leading import lead
from destutter.ui.look.theme import Theme
from destutter.ui.words.change_words import ChangeWords
from destutter.ui.words.words import said, said_sentence, spoken
from destutter_helper.api.payload import GameSet

_NAME, _TEXT, _REMOVE = range(3)


class GamesCard(QFrame):
    """A card with a row for each game; hidden without any."""

    def __init__(
        self, theme: Theme, words: ChangeWords, model: TuningModel, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        self._words = words
        self._model = model
        self._shown: tuple[object, ...] = ()
        sizes = theme.sizes
        title = QLabel(self.tr("Kept for games"), self)
        title.setProperty("role", "strong")
        self.trouble = WrappedLabel("small", self)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(sizes.px(18), sizes.px(12), sizes.px(14), sizes.px(12))
        self._grid.setHorizontalSpacing(sizes.px(14))
        self._grid.setVerticalSpacing(sizes.px(5))
        self._grid.setColumnStretch(_NAME, 1)
        self._grid.setColumnStretch(_TEXT, 3)
        self._grid.addWidget(title, 0, _NAME, 1, 3)
        self._grid.addWidget(self.trouble, 1, _NAME, 1, 3)
        self._widgets: list[QWidget] = []
        self.removes: list[QPushButton] = []
        self.texts: list[WrappedLabel] = []
        model.games.changed.connect(self.refresh)
        self.hide()

    @Slot()
    def refresh(self) -> None:
        games = self._model.games
        back = tuple(map(games.was_taken_back, games.sets))
        shown = (games.sets, games.trouble, dict(games.not_set), back)
        if shown != self._shown:
            self._shown = shown
            self._fill()
        for button in self.removes:
            button.setEnabled(self._model.can_change)

    def _fill(self) -> None:
        games = self._model.games
        for widget in self._widgets:
            self._grid.removeWidget(widget)
            widget.hide()
            widget.deleteLater()
        self._widgets, self.removes, self.texts = [], [], []
        self.setVisible(bool(games.sets) or games.trouble is not None)
        self.trouble.setVisible(games.trouble is not None)
        if games.trouble is not None:
            self.trouble.set_full_text(said_sentence(games.trouble))
        for row, kept in enumerate(games.sets, start=2):
            self._add(row, kept)

    def _add(self, row: int, kept: GameSet) -> None:
        name = lead(ElidedLabel(kept.game, "", self, most_lines=2))
        text = lead(WrappedLabel("small", self))
        text.set_full_text(self._text(kept))
        remove = QPushButton(self.tr("Remove"), self)
        remove.setAccessibleName(self.tr("Remove what is kept for {game}").format(game=kept.game))
        remove.clicked.connect(partial(self._model.games.forget, kept))
        for column, widget in ((_NAME, name), (_TEXT, text), (_REMOVE, remove)):
            self._grid.addWidget(widget, row, column)
            self._widgets.append(widget)
        self.removes.append(remove)
        self.texts.append(text)

    def _text(self, kept: GameSet) -> str:
        """Its state, and what it is."""
        ids = dict.fromkeys(each.id for each in kept.changes)
        settings = spoken().listed(self._words.settings.name(id_) for id_ in ids)
        why = self._model.games.not_set.get(kept.id)
        if kept.runs:
            text = self.tr("On now, while it runs: {settings}")
        elif why is not None:
            text = self.tr("Not set: {reason}").format(reason=said(why).rstrip(".。"))
            return self.tr("{state}. {settings}").format(state=text, settings=settings)
        elif self._model.games.was_taken_back(kept):
            text = self.tr("Taken back; set again at its next start: {settings}")
        else:
            text = self.tr("Set when it runs: {settings}")
        return text.format(settings=settings)
