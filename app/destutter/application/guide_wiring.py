# SPDX-License-Identifier: GPL-3.0-or-later
"""The guide in the window: its page, and the offer to begin or to go on with it."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Slot

from destutter.application.sessions_wiring import SessionsWiring
from destutter.bridge.followed_frames import FollowedFrames
from destutter.bridge.tuning_model import TuningModel
from destutter.guide_progress import GuideStore
from destutter.resource_folder import resource_folder
from destutter.sampling.installed.library import GameLibrary
from destutter.ui.guide.offer import OFFER, offer_notice
from destutter.ui.guide.step import GuideMemory, GuideTools
from destutter.ui.look.theme import Theme
from destutter.ui.pages.page import Page
from destutter.ui.pages.pages import GUIDE, LIVE
from destutter.ui.shell.main_window import MainWindow
from destutter.ui.words.quantities import Quantities


class GuideWiring(QObject):
    """Offers the guide. ``sessions`` has the recordings, and shows what is found in them;
    ``followed``: where frame times are taken from.
    """

    def __init__(
        self,
        window: MainWindow,
        file: Path,
        sessions: SessionsWiring,
        tuning: TuningModel,
        parent: QObject | None = None,
        *,
        read_games: Callable[[], GameLibrary] = GameLibrary,
    ) -> None:
        super().__init__(parent)
        self._read_games = read_games
        self.followed = FollowedFrames(parent=self)
        self._window = window
        self._sessions = sessions
        self._tuning = tuning
        self._memory = GuideMemory(GuideStore(file), self)
        self._is_opened = False
        window.offer(GUIDE, self._make)
        window.drawn.connect(self.show_offer)

    def _make(self, theme: Theme, quantities: Quantities) -> Page:
        from destutter.ui.guide.guide_page import GuidePage
        from destutter.ui.words.explanation_pages import ExplanationPages
        from destutter.ui.words.setting_words import SettingWords
        from destutter.ui.words.translations import languages_of
        from destutter.ui.words.words import Words

        languages = languages_of(quantities.locale)
        explanations = ExplanationPages(resource_folder() / "explanations", languages)
        tools = GuideTools(
            theme,
            quantities,
            Words(quantities),
            SettingWords(quantities, explanations),
            explanations,
            self._sessions.models,
            self._tuning,
            self._read_games,
            self.followed,
        )
        page = GuidePage(tools, self._memory)
        page.record_requested.connect(self._window.record_requested)
        page.stop_requested.connect(self._window.stop_requested)
        page.comparison_requested.connect(self._sessions.compare)
        page.cause_requested.connect(self._sessions.show_cause)
        page.left.connect(self._leave)
        # Queued: the page is being shown just now.
        page.shown.connect(self._back_from_cause, Qt.ConnectionType.QueuedConnection)
        self._memory.note_shown()
        self._is_opened = True
        self._window.live.offers.remove(OFFER)
        return page

    @Slot()
    def show_offer(self) -> None:
        """Offer to begin, or to go on, on the Live page; never more than that."""
        notice = offer_notice(self._memory.progress)
        offers = self._window.live.offers
        offers.acted.connect(self._accept)
        offers.closed.connect(self._decline)
        # The very first start opens with the guide, before Live can offer it.
        if notice is not None and not self._is_opened:
            offers.show_notice(notice)

    @Slot()
    def _leave(self) -> None:
        self._window.show_page(LIVE)
        notice = offer_notice(self._memory.progress)
        if notice is not None and self._memory.progress.is_begun:
            self._window.live.offers.show_notice(notice)
        else:
            self._window.live.offers.remove(OFFER)

    @Slot()
    def _back_from_cause(self) -> None:
        """Who comes back from "Show the cause" goes on with the guide: the bar of the recording
        stayed above it, with the only blue button, and it went on reading at a whole core."""
        if self._sessions.shows_cause:
            self._sessions.back_to_live()

    @Slot(str)
    def _accept(self, offer: str) -> None:
        if offer == OFFER:
            self._window.live.offers.remove(OFFER)
            self._window.show_page(GUIDE)

    @Slot(str)
    def _decline(self, offer: str) -> None:
        if offer == OFFER and not self._memory.progress.is_begun:
            self._memory.keep(replace(self._memory.progress, is_declined=True))
