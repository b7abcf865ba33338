# SPDX-License-Identifier: GPL-3.0-or-later
"""What the stream says of the game."""

from types import SimpleNamespace
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from destutter.bridge.game_presence import GamePresence
from destutter.core.sample import Header
from destutter.core.sandbox import NAME


def _snapshot(name: str = "", machine: dict[str, Any] | None = None) -> Any:
    header = None if machine is None else Header(1, 0.0, 100, machine)
    return SimpleNamespace(facts={"game.name": name} if name else {}, header=header)


def test_a_game_comes_once(qtbot: QtBot) -> None:
    """Also when another follows, and again after it was gone."""
    watched = GamePresence(is_hidden=False)
    came: list[str] = []
    watched.came.connect(lambda: came.append(watched.name))
    for name in ("", "a", "a", "b", "", "", "b"):
        watched.accept_snapshot(_snapshot(name))
    assert came == ["a", "b", "b"]


@pytest.mark.parametrize(
    ("was_hidden", "machine", "is_hidden", "is_told"),
    [
        (True, {"cpus": 2}, False, True),
        (False, {"sandbox": NAME}, True, True),
        (True, {"sandbox": NAME}, True, False),
        (True, {}, True, False),
        (True, None, True, False),
    ],
)
def test_whether_games_are_hidden_is_told_when_it_turns_out_otherwise(
    qtbot: QtBot, was_hidden: bool, machine: Any, is_hidden: bool, is_told: bool
) -> None:
    """Before the header came nothing is known, and nothing changes."""
    watched = GamePresence(is_hidden=was_hidden)
    told: list[bool] = []
    watched.hiding_changed.connect(lambda: told.append(watched.is_hidden))
    watched.accept_sandbox(_snapshot(machine=machine))
    assert (watched.is_hidden, bool(told)) == (is_hidden, is_told)
