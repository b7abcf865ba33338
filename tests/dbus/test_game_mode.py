# SPDX-License-Identifier: GPL-3.0-or-later
"""GameMode's signals over a real bus daemon, with a daemon that speaks as GameMode does."""

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from destutter.sampling.finding.game_mode import GameModeWatch
from tests.support.bus_kit import CHECKOUT
from tests.support.session_bus import session_bus

DAEMON = CHECKOUT / "tests/support/fake_game_mode.py"


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """A bus of our own."""
    with session_bus(tmp_path) as found:
        yield found


class Daemon:
    """GameMode as a process of its own."""

    def __init__(self, address: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, DAEMON, address],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._read()

    def tell(self, line: str) -> None:
        """Let a game come or go."""
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()
        self._read()

    def close(self) -> None:
        """End it."""
        self._process.communicate()

    def _read(self) -> None:
        assert self._process.stdout is not None
        assert self._process.stdout.readline()


def _comes_to_know(watch: GameModeWatch, pids: set[int]) -> bool:
    """Whether it soon names exactly these."""
    end = time.monotonic() + 10
    while watch.pids() != pids and time.monotonic() < end:
        time.sleep(0.02)
    return watch.pids() == pids


def test_games_come_and_go_and_the_daemon_is_never_started(address: str) -> None:
    """Nothing before it runs; then its list and its signals; nothing after it ended."""
    early = GameModeWatch(address)
    assert (early.pids(), early.problem) == (frozenset(), None)
    daemon = Daemon(address)
    daemon.tell("add 41")
    late = GameModeWatch(address)
    assert late.pids() == {41}
    assert _comes_to_know(early, {41})
    daemon.tell("add 42")
    daemon.tell("remove 41")
    for watch in (early, late):
        assert _comes_to_know(watch, {42})
    daemon.close()
    for watch in (early, late):
        assert _comes_to_know(watch, set())
        assert watch.problem is None
        watch.close()
