# SPDX-License-Identifier: GPL-3.0-or-later
"""Fixtures for the guide: the page over a folder of recordings and a scripted helper."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication

from destutter.bridge.helper_client import Availability
from destutter.bridge.session_services import SessionServices
from destutter.guide_progress import GuideStore
from destutter.resource_folder import resource_folder
from destutter.ui.guide.guide_page import GuidePage
from destutter.ui.guide.step import GuideMemory, GuideTools
from destutter.ui.words.explanation_pages import ExplanationPages
from destutter.ui.words.quantities import Quantities
from destutter.ui.words.setting_words import SettingWords
from destutter.ui.words.words import Words
from tests.gui.live_window import settle
from tests.support.sessions import HERE
from tests.support.tuning_scenes import ScriptedHelper, TuningScene
from tests.support.window_kit import make_theme


@dataclass
class Guide:
    """The page, what it works with, and what it asked for."""

    page: GuidePage
    models: SessionServices
    tuning: TuningScene
    file: Path

    def wait(self, qtbot) -> None:
        """Until the recordings have been read."""
        qtbot.waitUntil(lambda: not self.models.guide_examiner.is_running, timeout=60_000)
        for _ in range(12):
            QApplication.processEvents()

    def close(self) -> None:
        """Let go of everything."""
        self.page.close()
        self.models.stop()
        self.tuning.close()
        self.page.deleteLater()
        self.models.deleteLater()


MakeGuide = Callable[..., Guide]


@pytest.fixture
def make_guide(qtbot, qapp: QApplication, folder: Path, tmp_path: Path) -> Iterator[MakeGuide]:
    """Makes guides over the same folder and the same file of progress."""
    made: list[Guide] = []

    def make(
        *,
        availability: Availability = Availability.READY,
        theme: str = "dark",
        size: tuple[int, int] = (1244, 900),
        reads_folder: bool = True,
    ) -> Guide:
        models = SessionServices(folder, {}, HERE)
        if reads_folder:
            models.library.refresh()
        quantities = Quantities(QLocale(QLocale.Language.English, QLocale.Country.UnitedStates))
        explanations = ExplanationPages(resource_folder() / "explanations", ("en",))
        scene = TuningScene(ScriptedHelper(availability))
        tools = GuideTools(
            make_theme(qapp, theme),
            quantities,
            Words(quantities),
            SettingWords(quantities, explanations),
            explanations,
            models,
            scene.model,
        )
        file = tmp_path / "guide.json"
        page = GuidePage(tools, GuideMemory(GuideStore(file)))
        made.append(Guide(page, models, scene, file))
        page.resize(*size)
        page.show()
        qtbot.waitUntil(lambda: models.library.is_read or not reads_folder)
        scene.settle()
        page.show_helper(scene.model.status)
        settle(qapp)
        return made[-1]

    yield make
    for each in made:
        each.close()
    settle(qapp)
