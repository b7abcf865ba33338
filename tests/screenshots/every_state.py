# SPDX-License-Identifier: GPL-3.0-or-later
"""Every state that has a picture, by its name, whichever page it is of."""

from collections.abc import Callable

from PySide6.QtWidgets import QApplication

from destutter.ui.shell.main_window import MainWindow
from tests.screenshots.around_states import AROUND_STATES, AroundScene, open_around
from tests.screenshots.causes_states import CAUSES_STATES, open_state
from tests.screenshots.changes_states import CHANGES_STATES, open_changes
from tests.screenshots.flatpak_states import FLATPAK_STATES
from tests.screenshots.guide_states import GUIDE_STATES
from tests.screenshots.live_pictures import fill, open_window
from tests.screenshots.session_states import SESSION_STATES, RecordedFlights, Scene
from tests.screenshots.states import STATES
from tests.screenshots.verdict_states import VERDICT_STATES
from tests.support.live_scenes import snapshots
from tests.support.tuning_scenes import TuningScene
from tests.support.window_kit import make_theme

Opened = tuple[MainWindow, Callable[[], None]]


class EveryState:
    """Opens them; ``close`` takes away what they were made of."""

    def __init__(self) -> None:
        self._flights = RecordedFlights()
        self._live = {each.name: each for each in STATES}
        self._causes = {each.name: each for each in CAUSES_STATES}
        self._changes = {each.name: each for each in CHANGES_STATES}
        sessions = (*SESSION_STATES, *VERDICT_STATES, *GUIDE_STATES)
        self._sessions = {each.name: each for each in sessions}
        self._around = {each.name: each for each in (*AROUND_STATES, *FLATPAK_STATES)}

    def open(self, app: QApplication, name: str, theme: str, size: tuple[int, int]) -> Opened:
        """A window in this state, and what closes it. Raises ``KeyError`` for an unknown one."""
        look = make_theme(app, theme)
        scene: TuningScene | Scene | AroundScene
        if name in self._live:
            return self._open_live(app, name, theme, size)
        if name in self._causes:
            window, scene = open_state(app, self._causes[name], look, size)
        elif name in self._changes:
            window, scene = open_changes(app, self._changes[name], look, size)
        elif name in self._sessions:
            window, scene = self._flights.open_sessions(app, self._sessions[name], look, size)
        else:
            window, scene = open_around(app, self._around[name], look, size)
        return window, lambda: _close(window, scene.close)

    def _open_live(
        self, app: QApplication, name: str, theme: str, size: tuple[int, int]
    ) -> Opened:
        state = self._live[name]
        window = open_window(app, state, theme, size)
        fill(app, window, snapshots(state.scene().script.messages))
        state.do(window)
        return window, lambda: _close(window, lambda: None)

    def close(self) -> None:
        """Take recordings away."""
        self._flights.close()


def _close(window: MainWindow, close_scene: Callable[[], None]) -> None:
    window.close()
    window.deleteLater()
    close_scene()
