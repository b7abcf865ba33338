# SPDX-License-Identifier: GPL-3.0-or-later
"""The player's way by clicks only: from the first start to a fix that comes with its game.

The whole program on an X server; helper, polkitd, kernel and the game's process are real. Only
what the flights were like is made up, since a verdict takes twenty minutes of real ones.
"""

import os
from pathlib import Path

import pytest

from tests.dbus.test_window import Window
from tests.support.bus_kit import BusKit, eventually
from tests.support.game_player import GAME
from tests.support.kernel_dump import kernel_dump
from tests.support.kit_init import USERS
from tests.support.x_server import x_server

_DAVE = USERS["dave"]
_SCALE = Path("/proc/sys/vm/watermark_scale_factor")
_WAIT_S = 180.0


class Way:
    """A player in front of the window, and the game behind it."""

    def __init__(self, window: Window) -> None:
        self.window = window
        self._turns = 0

    def turn(self) -> None:
        """The stage's turn, not the player's: a flight is flown, the game ends, or begins."""
        self._turns += 1
        self.window.peer.ask("turn")
        wanted = f"turn {self._turns}"
        eventually(lambda: wanted in self.window.peer.ask("live")["marks"], _WAIT_S)

    def go_on(self, button: str, to: str) -> dict[str, object]:
        """Click what the guide suggests; what it says at the step that follows."""
        self.window.click(button)
        return self.window.until(lambda seen: seen["step"] == to, "guide")

    def connect(self) -> None:
        """Start; the guide sees the frames of the game that runs."""
        self.window.click("Guide")
        self.go_on("Start", "check")
        self.turn()  # it draws
        self.window.until(lambda seen: seen["ready"].get("frames") == "Ready", "guide")
        self.go_on("Continue", "record")

    def see_why(self) -> None:
        """Record what stutters; the guide says why, and offers what helps for this game."""
        self.window.click("Start recording")
        self.window.until(lambda seen: seen["heading"] == "Play as usual", "guide")
        self.turn()  # it stutters
        self.go_on("Stop and analyse", "choose")
        self.window.until(lambda seen: "most likely cause: memory" in seen["sentence"], "guide")

    def try_it(self) -> str:
        """One click and a password, and the same flight once more, until the game ends.

        The value that was tried.
        """
        self.go_on("Try for this game", "compare")
        self.window.until(lambda seen: f"for as long as {GAME} runs" in seen["trial"])
        tuned = _SCALE.read_text()
        self.turn()  # it does not
        self.turn()  # it ends
        self.window.until(lambda seen: seen["verdict"].startswith("Smoother"), "guide")
        self.window.until(lambda seen: seen["verdict"].startswith("Smoother"), "around")
        return tuned

    def play_again(self, tuned: str) -> None:
        """The game starts, and what is kept for it is there, without a question or a recording."""
        self.turn()
        seen = self.window.until(lambda seen: seen["kept"] == {GAME: True}, "around")
        seen = self.window.until(lambda seen: seen["changed"], "around")
        assert _SCALE.read_text() == tuned
        assert (seen["trial"], seen["recorded"]) == ("", 2)


@pytest.mark.long
@pytest.mark.timeout(900)
def test_the_players_way_ends_with_a_fix_that_comes_with_its_game(
    kit: BusKit, tmp_path: Path
) -> None:
    """Connect, stutter, verdict, try, game ends, verdict, keep, game comes and goes, undo all.

    Two passwords in all: one for the trial, one for what is kept.
    """
    before, stock = kernel_dump(), _SCALE.read_text()
    os.chown(tmp_path, _DAVE, -1)
    with x_server() as display:
        window = Window(
            kit,
            "dave",
            "tests.support.program_peer",
            (f"DISPLAY={display}", "QT_QPA_PLATFORM=xcb", f"TMPDIR={tmp_path}"),
            ("--player", "game_player"),
        )
        kit.agent.ask("register", pid=window.peer.pid, mode="yes")
        way = Way(window)
        way.connect()
        way.see_why()
        assert kernel_dump() == before
        tuned = way.try_it()
        assert tuned != stock
        assert kernel_dump() == before

        window.click("Keep for this game")
        # The list is told before the request is over, and only then the banner says so.
        window.until(lambda seen: seen["verdict"] == f"Kept for {GAME}", "around")
        window.until(lambda seen: seen["kept"] == {GAME: False}, "around")
        assert kernel_dump() == before
        asked = [each["action"].rpartition(".")[2] for each in kit.dialogs()]
        assert asked == ["apply", "persist"]

        way.play_again(tuned)
        way.turn()
        window.until(lambda seen: seen["kept"] == {GAME: False} and not seen["changed"], "around")
        assert kernel_dump() == before

        way.play_again(tuned)
        window.click("Changes")
        window.click("Undo all changes")
        window.until(lambda seen: not seen["changed"] and not seen["busy"])
        assert kernel_dump() == before
        window.click(f"Remove what is kept for {GAME}")
        window.until(lambda seen: not seen["kept"] and not seen["busy"], "around")
        way.turn()
        way.turn()
        window.until(lambda seen: not seen["changed"] and not seen["busy"])
        assert kernel_dump() == before
        assert len(kit.dialogs()) == 2
