# SPDX-License-Identifier: GPL-3.0-or-later
"""What is kept for a game, by the terminal: `apply --for-game`, `undo --for-game`, `status`."""

import json
import sys
from collections.abc import Iterator

import pytest
from PySide6.QtDBus import QDBusConnection

from destutter.commands.for_games import forget_in, keep_in
from destutter.commands.game_words import game_json, game_line
from destutter.commands.helper_session import HelperSession, parse_changes
from destutter.commands.helper_state import answer_in
from destutter.commands.terminal import CommandError, Terminal
from destutter.words.renderer import english
from destutter_helper.api.payload import ChangeSet
from tests.support import private_bus


class Talk:
    """Commands in one conversation with the real helper on a private bus."""

    def __init__(self, bus: private_bus.PrivateBus) -> None:
        self.bus = bus
        self.session = HelperSession(QDBusConnection.connectToBus(bus.address, bus.address))
        self.session.connect()

    def keep(self, game: str, *words: str, as_json: bool = False) -> int:
        """`apply WORDS --for-game GAME`."""
        change_set = ChangeSet(parse_changes(words))
        return keep_in(self.session, game, change_set, self._terminal, as_json=as_json)

    def forget(self, game: str, *, as_json: bool = False) -> int:
        """`undo --for-game GAME`."""
        return forget_in(self.session, game, self._terminal, as_json=as_json)

    @property
    def _terminal(self) -> Terminal:
        return Terminal(sys.stdout, sys.stderr)

    def close(self) -> None:
        """Leave the bus."""
        self.session.close()
        self.session.client.deleteLater()
        QDBusConnection.disconnectFromBus(self.bus.address)


@pytest.fixture
def talk(qapp: object, granted: private_bus.PrivateBus) -> Iterator[Talk]:
    """The helper runs, and polkit grants what is kept."""
    del qapp
    granted.allow("persist")
    granted.start_helper()
    made = Talk(granted)
    yield made
    made.close()


def test_it_is_kept_told_and_forgotten(talk: Talk, capsys) -> None:
    """Each says in a line what there is now; the status has it, too."""
    assert talk.keep("sim", "vm.swappiness=10", "vm.page-cluster=0") == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "sim: vm.swappiness=10 vm.page-cluster=0"
    assert "destutter undo --for-game" in said[1]
    (kept,) = answer_in(talk.session).for_games
    assert english(game_line(kept)) == "sim: vm.swappiness=10 vm.page-cluster=0"
    assert talk.forget("sim") == 0
    assert capsys.readouterr().out == "Nothing is kept for sim any more.\n"
    assert answer_in(talk.session).for_games == ()


def test_programs_read_what_it_is(talk: Talk, capsys) -> None:
    """One object, as in the list of the status."""
    talk.keep("sim", "vm.swappiness=10", as_json=True)
    told = json.loads(capsys.readouterr().out)
    (kept,) = answer_in(talk.session).for_games
    assert told == game_json(kept)
    wanted = {"tunable": "vm.swappiness", "device": None, "value": "10"}
    assert (told["game"], told["is_on"], told["changes"]) == ("sim", False, [wanted])
    talk.forget("sim", as_json=True)
    assert json.loads(capsys.readouterr().out) == told


def test_of_which_nothing_is_kept_is_told_with_what_there_is(talk: Talk) -> None:
    """A name is easily written otherwise."""
    with pytest.raises(CommandError, match="nor for any other game"):
        talk.forget("sim")
    talk.keep("X-Plane 12", "vm.swappiness=10")
    with pytest.raises(CommandError, match="but for X-Plane 12"):
        talk.forget("xplane")


def test_without_the_right_the_reason_is_said(talk: Talk) -> None:
    """And nothing is kept."""
    talk.bus.allow("persist", "no")
    with pytest.raises(CommandError):
        talk.keep("sim", "vm.swappiness=10")
    assert answer_in(talk.session).for_games == ()
