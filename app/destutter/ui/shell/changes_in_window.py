# SPDX-License-Identifier: GPL-3.0-or-later
"""What the model of settings adds to the window: the banner above all pages, keys, words."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QWidget

from destutter.analysis.changes.tuning_state import Outcome
from destutter.bridge.tuning_model import TuningModel
from destutter.ui.changes.outcome_words import spoken_text
from destutter.ui.changes.trial_banner import TrialBanner
from destutter.ui.controls.banner import Urgency
from destutter.ui.controls.own_keys import named_shortcut
from destutter.ui.look.theme import Theme
from destutter.ui.pages.banner_area import BannerArea
from destutter.ui.shell.page_focus import focus_page
from destutter.ui.shell.sidebar import Sidebar
from destutter.ui.words.quantities import Quantities

if TYPE_CHECKING:
    from destutter.ui.shell.main_window import MainWindow


class TuningInWindow(QObject):
    """Lives as long as the window. ``announce`` speaks to readers of the screen, ``places`` are
    where the window shows it: its navigation, and the banners above its pages.
    """

    def __init__(
        self,
        window: MainWindow,
        places: tuple[Sidebar, BannerArea],
        look: tuple[Theme, Quantities],
        model: TuningModel,
        announce: Callable[[str], None],
    ) -> None:
        super().__init__(window)
        self._sidebar, banner_area = places
        self._model = model
        self._announce = announce
        self._told: Outcome | None = None
        self.banner = TrialBanner(*look, model, window)
        banner_area.add(self.banner, Urgency.TRIAL)
        self.banner.announced.connect(announce)
        self.banner.left.connect(partial(focus_page, window))
        stops = (self._sidebar.button("settings"), *self.banner.stops)
        for first, second in pairwise(stops):
            QWidget.setTabOrder(first, second)
        undo = QKeySequence.StandardKey.Undo
        named_shortcut(window, undo, self.tr("Undo the last change"), model.undo_last)
        model.changed.connect(self._show)
        model.outcome_changed.connect(self._tell)
        self._show()

    @Slot()
    def _show(self) -> None:
        trial = self._model.trial
        on_trial = 0 if trial is None else len(trial.changes)
        note = self.tr("%n change(s) on trial", "", on_trial) if on_trial else ""
        if trial is not None and trial.is_kept:  # nobody tries it out
            note = self.tr("%n change(s) for {game}", "", on_trial).format(game=trial.game)
        self._sidebar.show_note(note)
        count = len(self._model.journal_changes)
        name = self.tr("Changes, %n made by Destutter", "", count)
        self._sidebar.button("changes").set_count(count, name)

    @Slot()
    def _tell(self) -> None:
        outcome = self._model.outcome
        if outcome is not None and outcome != self._told:
            text = spoken_text(outcome)
            if text:
                self._announce(text)
        self._told = outcome
