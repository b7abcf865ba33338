# SPDX-License-Identifier: GPL-3.0-or-later
"""The window with what goes with a game: a trial for it, its recording and what is kept for it.

As ``window_peer``. Which process plays is told by the test, and what is recorded is made up: a
flight with stutters before, one without for each that is recorded here.
"""

import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication

from destutter.analysis.changes.tuning_state import GameProcess
from destutter.application.tuning_wiring import TuningWiring
from destutter.bridge.recorded_trials import RecordedTrials
from destutter.bridge.session_services import SessionServices
from destutter.ui.shell.main_window import MainWindow
from destutter.ui.shell.trial_verdict import TrialVerdict
from tests.support.long_flights import STOCK, TUNED, Flight, write_flight
from tests.support.sessions import HERE
from tests.support.window_peer import WindowPeer, make_window

GAME = "sim"
_BEFORE_S, _AFTER_S = 1_795_266_060.0, 1_795_299_060.0


class MadeUpRecording:
    """A recording that is there when it is stopped."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.count = 0
        self.trials: RecordedTrials | None = None

    def start(self, _game: str = "") -> None:
        self.count += 1
        if self.trials is not None:
            self.trials.recording_started(str(self._path))

    def stop(self) -> None:
        if self.count and not self._path.exists():
            write_flight(self._path, Flight(12, 0.0, GAME, wall_time=_AFTER_S, seed=2), TUNED)

    @property
    def _path(self) -> Path:
        return self._folder / f"flight {self.count}.destutter"


class GamePeer(WindowPeer):
    """A window in which games are watched; recordings lie in ``folder``."""

    def __init__(
        self, app: QApplication, window: MainWindow, wiring: TuningWiring, folder: Path
    ) -> None:
        super().__init__(app, window, wiring)
        self._model = wiring.model
        write_flight(
            folder / "before.destutter", Flight(12, 6.0, GAME, wall_time=_BEFORE_S), STOCK
        )
        self.services = SessionServices(folder, {}, HERE)
        self._recording = MadeUpRecording(folder)
        trials = self._recording.trials = RecordedTrials(
            wiring.model,
            self.services,
            lambda: self._recording,  # type: ignore[arg-type,return-value]
            window,
        )
        self._verdict = TrialVerdict(window, trials, wiring.model, lambda _a, _b: None, window)

    def play(self, command: dict[str, Any]) -> dict[str, Any]:
        """This process is the game from now on; without a number none is."""
        pid = command.get("pid")
        game = None if pid is None else GameProcess(pid, command["start"], GAME)
        self._model.accept_game(game)
        self._model.games.accept_game(game)
        return {}

    def look(self, command: dict[str, Any]) -> dict[str, Any]:
        """Also what is said above every page, and what is kept for which game."""
        banner, games = self._verdict.banner, self._model.games
        shown = banner.shown
        return super().look(command) | {
            "verdict": shown.headline if shown is not None and banner.isVisible() else "",
            "kept": {each.game: each.runs for each in games.sets},
            "recorded": self._recording.count,
        }


def main() -> None:
    """Run until stdin ends."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    app = QApplication(sys.argv[:1])
    with tempfile.TemporaryDirectory(prefix="destutter-games-") as folder:
        peer = GamePeer(app, *make_window(app), Path(folder))
        peer.start()
        app.exec()
        peer.window.close()
        peer.services.stop()
        peer.window.deleteLater()
        app.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


if __name__ == "__main__":
    main()
