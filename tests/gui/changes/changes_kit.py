# SPDX-License-Identifier: GPL-3.0-or-later
"""A window on the page of changes, with a scripted helper behind it."""

import time
from collections.abc import Callable

from PySide6.QtWidgets import QApplication

from destutter.analysis.changes.tuning_state import GameProcess, TuningReading
from destutter.ui.changes.changes_page import ChangesPage
from destutter.ui.shell import main_window
from destutter_helper.api.payload import State
from tests.gui.live_window import settle
from tests.support import tuning_scenes
from tests.support.tuning_scenes import TuningScene
from tests.support.window_kit import make_theme, make_window


class Opened:
    """A window on the page, with the scripted helper behind it."""

    def __init__(self, app: QApplication, scene: TuningScene, size: tuple[int, int]) -> None:
        self.app = app
        self.scene = scene
        scene.settle()
        self.window: main_window.MainWindow = make_window(
            make_theme(app), watches_computer=True, tuning=scene.model
        )
        self.window.resize(*size)
        self.window.show()
        settle(app)
        self.window.show_page("changes")
        page = self.window.page_of("changes")
        assert isinstance(page, ChangesPage)
        self.page = page
        self.settle()

    def settle(self) -> None:
        """Let everything be shown."""
        settle(self.app)

    def give(
        self,
        scene: Callable[[], tuple[State, TuningReading]],
        *,
        is_ours: bool = False,
        game: GameProcess | None = None,
        set_id: str = "",
    ) -> None:
        """Another state of helper and kernel, with its history."""
        self.scene.give(*scene(), is_ours=is_ours, game=game, set_id=set_id)
        self.scene.helper.give_history(tuning_scenes.history(time.time()))
        self.settle()

    @property
    def banner(self):
        """The banner of the trial."""
        assert self.window.trial is not None
        return self.window.trial.banner

    def close(self) -> None:
        """Close the window and let go of the model."""
        self.window.close()
        self.scene.close()
        self.window.deleteLater()
        self.settle()


MakePage = Callable[..., Opened]
