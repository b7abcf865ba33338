# SPDX-License-Identifier: GPL-3.0-or-later
"""A fix that is tried for a flight, kept for its game and there at its next start, by clicks.

Helper, polkitd, kernel and the game's process are real; what the flights were like is made up.
"""

import os
import signal
from pathlib import Path

import pytest

from tests.dbus.test_window import Window
from tests.support.bus_kit import BusKit
from tests.support.game_peer import GAME
from tests.support.kernel_dump import kernel_dump
from tests.support.kit_init import USERS

_DAVE = USERS["dave"]
_SCALE = Path("/proc/sys/vm/watermark_scale_factor")


class Games:
    """dave's game, each time that it is started."""

    def __init__(self, kit: BusKit, window: Window) -> None:
        self._kit, self._window = kit, window
        self._pid = 0

    def start(self) -> None:
        """It runs, and the window has found it."""
        self._pid, ends = self._kit.spawn(["/usr/bin/sleep", "600"], _DAVE)
        for end in ends:
            os.close(end)
        line = self._kit.shell(f"cat /proc/{self._pid}/stat")
        start = line.rpartition(") ")[2].split()[19]
        self._window.peer.ask("play", pid=self._pid, start=start)

    def crash(self) -> None:
        """It is gone in the middle of a flight."""
        self._kit.kill(self._pid, signal.SIGKILL)
        self._window.peer.ask("play")


def _try_for_the_flight(window: Window, games: Games) -> None:
    """A cause is seen while the game runs, and its fix is on trial as long as that does."""
    window.peer.ask("stutter")
    games.start()
    window.click("Show the cause")
    window.click("Try for this game")
    window.until(lambda seen: f"for as long as {GAME} runs" in seen["trial"])


@pytest.mark.long
@pytest.mark.timeout(600)
def test_what_helped_a_flight_is_kept_for_its_game_and_comes_back_with_it(
    kit: BusKit, tmp_path: Path
) -> None:
    """Trial, game ends, better, keep for this game; starts and ends of it; undo all; remove.

    Two passwords in all: one for the trial, one for what is kept.
    """
    os.chown(tmp_path, _DAVE, -1)
    before, stock = kernel_dump(), _SCALE.read_text()
    window = Window(
        kit,
        "dave",
        "tests.support.game_peer",
        ("QT_QPA_PLATFORM=offscreen", f"TMPDIR={tmp_path}"),
    )
    kit.agent.ask("register", pid=window.peer.pid, mode="yes")
    games = Games(kit, window)
    _try_for_the_flight(window, games)
    tuned = _SCALE.read_text()
    assert tuned != stock
    games.crash()
    window.until(lambda seen: not seen["trial"] and seen["verdict"].startswith("Smoother"))
    assert kernel_dump() == before
    window.click("Keep for this game")
    window.until(lambda seen: seen["verdict"] == f"Kept for {GAME}" and seen["kept"])
    assert kernel_dump() == before
    asked = [each["action"].rpartition(".")[2] for each in kit.dialogs()]
    assert asked == ["apply", "persist"]

    games.start()
    seen = window.until(lambda seen: seen["kept"] == {GAME: True} and seen["changed"])
    assert _SCALE.read_text() == tuned
    assert (seen["trial"], seen["recorded"]) == ("", 1)
    games.crash()
    window.until(lambda seen: seen["kept"] == {GAME: False} and not seen["changed"])
    assert kernel_dump() == before

    games.start()
    window.until(lambda seen: seen["kept"] == {GAME: True} and seen["changed"])
    window.click("Changes")
    window.click("Undo all changes")
    window.until(lambda seen: not seen["changed"] and not seen["busy"])
    assert kernel_dump() == before
    window.click(f"Remove what is kept for {GAME}")
    window.until(lambda seen: not seen["kept"] and not seen["busy"])
    games.crash()
    games.start()
    window.until(lambda seen: not seen["changed"] and not seen["busy"])
    assert kernel_dump() == before
    assert len(kit.dialogs()) == 2
    games.crash()
