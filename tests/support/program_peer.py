# SPDX-License-Identifier: GPL-3.0-or-later
"""The whole program on the kit's system bus and an X server, driven by real clicks and keys.

As ``window_peer``, with everything that the program has; only what is measured is made up, by
``flight_player`` in the place of the sampler, or ``--player game_player``. With
``--mangohud PATH`` nothing is: the sampler looks for a game, and for its frames there.
"""

import argparse
import sys
import tempfile
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication

from destutter.application.opening import open_window
from destutter.application.running_window import RunningWindow
from destutter.application.window_options import WindowOptions
from destutter.bridge.kept_settings import KeptSettings
from destutter.guide_progress import GuideStep
from destutter.resource_folder import resource_folder
from destutter.sampling.programs import LiveOptions
from destutter.settings import Places, Settings
from destutter.ui.guide.check_step import CheckStep
from destutter.ui.guide.guide_page import GuidePage
from destutter.ui.sessions.sessions_page import SessionsPage
from destutter.ui.words.translations import install_translations
from tests.support.flight_player import LANDED
from tests.support.window_peer import WindowPeer


class ProgramPeer(WindowPeer):
    """The program's own composition; recordings lie in ``folder``."""

    def __init__(self, app: QApplication, folder: Path, options: WindowOptions) -> None:
        """Open the window."""
        keeping = KeptSettings(
            Places(folder / "config", folder / "data"), Settings(language="en", on_close="quit")
        )
        self._owner = QObject()
        opened = open_window(app, options, keeping, self._owner)
        self.running = RunningWindow(opened, options, keeping)
        super().__init__(app, self.running.window, self.running._tuning)

    def begin(self) -> None:
        """Start to measure, too."""
        self.running.start()

    def sessions(self, _command: dict[str, Any]) -> dict[str, Any]:
        """What the page of recordings says."""
        page = self.window.page_of("sessions")
        assert isinstance(page, SessionsPage)
        comparison = page.details._comparison
        rows = () if comparison is None else comparison.rows
        return {
            "verdict": page.details.banner.headline.full_text,
            "differences": [row.spoken for row in page.details.differences.rows],
            "figures": {row.id: (row.a, row.b) for row in rows},
        }

    def guide(self, _command: dict[str, Any]) -> dict[str, Any]:
        """What the guide says."""
        page = self.window.page_of("guide")
        assert isinstance(page, GuidePage)
        check, verdict = page.steps[GuideStep.CHECK], page.compare.verdict
        assert isinstance(check, CheckStep)
        return {
            "step": page.step.value,
            "heading": page.heading.text(),
            "sentence": page.sentence.text(),
            "ready": {id_: row.word.text() for id_, row in check.rows.items()},
            "verdict": verdict.banner.headline.full_text if verdict.isVisible() else "",
        }

    def turn(self, _command: dict[str, Any]) -> dict[str, Any]:
        """What stands in for the sampler does what comes next; as "destutter mark" reaches it."""
        self.running._mark_with("mark")
        return {}

    def around(self, command: dict[str, Any]) -> dict[str, Any]:
        """What stands above every page, and what is kept for which game."""
        banner, games = self.running._trial_verdict.banner, self.running._tuning.model.games
        shown = banner.shown
        return super().look(command) | {
            "verdict": shown.headline if shown is not None and banner.isVisible() else "",
            "recorded": len(self.running._sessions.models.library.sessions),
            "kept": {each.game: each.runs for each in games.sets},
        }

    def live(self, _command: dict[str, Any]) -> dict[str, Any]:
        """What the Live page says."""
        live = self.window.live
        snapshot = live._snapshot
        markers = [] if live.card is None else live.card.data.markers
        return {
            "game": "" if snapshot is None else snapshot.facts.get("game.name", ""),
            "landings": sum(each.text == LANDED for each in markers),
            "marks": [each.text for each in markers],
            "headline": live.banner.headline.full_text,
            "detail": live.banner.detail.full_text,
            "record": live.header.record.text(),
            "stutters": 0 if snapshot is None else len(snapshot.assessment.spikes),
        }


def main() -> None:
    """Run until stdin ends."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--mangohud")
    parser.add_argument("--player", default="flight_player")
    given = parser.parse_args()
    frames: str | None = given.mangohud
    if frames is None:
        LiveOptions.programs = lambda *_rest: {  # type: ignore[method-assign]
            "sampler": [sys.executable, "-m", f"tests.support.{given.player}"]
        }
    app = QApplication(sys.argv[:1])
    kept = install_translations(app, resource_folder() / "translations", "en")
    with tempfile.TemporaryDirectory(prefix="destutter-program-") as folder:
        peer = ProgramPeer(app, Path(folder), WindowOptions(frames=frames))
        peer.start()
        app.exec()
        peer.running.close()
        peer.window.close()
        peer.window.deleteLater()
        app.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    del kept


if __name__ == "__main__":
    main()
