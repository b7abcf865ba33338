# SPDX-License-Identifier: GPL-3.0-or-later
"""Which game is watched now: given by the user, or found; and what the stream says about it."""

import os
from collections import deque
from collections.abc import Callable, Collection

from destutter.core.kernel_files import KernelFileError, KernelFiles
from destutter.core.sample import Facts
from destutter.core.statement import Statement
from destutter.sampling.files.process_files import PROC, read_process_stat
from destutter.sampling.finding.game_version import game_version
from destutter.sampling.finding.process_finder import (
    MINIMUM_AGE_S,
    Game,
    find_game,
    full_name,
)
from destutter.sampling.game.watched_process import WatchedProcess
from destutter.sampling.processes.process_table import ProcessTable
from destutter.sampling.ticks.sampler_track import Batch

_NO_GAME = dict.fromkeys(
    (
        *("game.pid", "game.name", "game.started", "game.start_ticks"),
        *("game.found_as", "game.version"),
    ),
    "",
)


FRAME_LOG = "frame log"
"""How a game was found that is seen to write one."""


class GameWatch:
    """Sets ``WatchedProcess.pid`` and tells the stream: facts game.pid, game.name, game.started,
    game.start_ticks, game.found_as and game.version.

    ``game.start_ticks`` is the start as /proc/PID/stat has it, which with the number names the
    process for good; ``game.started`` is in nanoseconds of CLOCK_MONOTONIC as the other times of
    the stream; after a suspend it is the moment at which that clock would have shown the start.
    """

    def __init__(
        self,
        files: KernelFiles,
        watch: WatchedProcess,
        clock_ticks: int,
        registered: Callable[[], Collection[int]] = frozenset,
    ) -> None:
        """``registered`` tells the processes that GameMode knows."""
        self._files = files
        self._registered = registered
        self._watch = watch
        self._clock_ticks = clock_ticks
        self._found: deque[Game] = deque(maxlen=1)
        self.is_searching = False
        self._found_as = ""
        self.name = ""

    @property
    def is_guess(self) -> bool:
        """Whether one is watched that was found by itself, and by less than its frame log."""
        return self.is_searching and not self.is_missing and self._found_as != FRAME_LOG

    @property
    def is_missing(self) -> bool:
        """Whether one is searched for and none is watched."""
        return self.is_searching and self._watch.pid is None

    def follow(self, pid: int | None, now_ns: int, suspended_ns: int, batch: Batch) -> None:
        """Watch this process from now on; None: none. The search for a game ends."""
        self.is_searching = False
        self._watch.pid = pid
        self.name = ""
        if pid is None:
            batch.messages.append(Facts(now_ns, dict(_NO_GAME)))
            return
        game = self._game(pid, "chosen")
        if game is not None:
            self._announce(game, now_ns, suspended_ns, batch)

    def search(self) -> None:
        """Look for a game by itself as long as none is watched."""
        self.is_searching = True

    def take_found(self, now_ns: int, suspended_ns: int, batch: Batch) -> bool:
        """Watch the game that the search has found, if any; whether there is a new one."""
        if not self._found:
            return False
        game = self._found.pop()
        is_surer = self.is_guess and game.found_as == FRAME_LOG and game.pid != self._watch.pid
        if not (self.is_missing or is_surer):
            return False
        self._watch.pid = game.pid
        self._announce(game, now_ns, suspended_ns, batch)
        return True

    def end(self, now_ns: int, batch: Batch) -> None:
        """The process has gone."""
        self._watch.pid = None
        self.name = ""
        batch.messages.append(Facts(now_ns, dict(_NO_GAME)))

    def offer(self, pid: int, found_as: str) -> None:
        """Take this process where a game is searched for; done outside the tick."""
        game = self._game(pid, found_as)
        if game is not None:
            self._found.append(game)

    def look(self, table: ProcessTable) -> None:
        """Search among the processes; done outside the tick. Raises ``KernelFileError``."""
        if not self.is_missing:
            return
        uptime_ticks = self._uptime_ticks()
        if uptime_ticks is None:
            return
        processes = {pid: activity.stat for pid, activity in table.known.items()}
        shares = table.cpu_shares(self._clock_ticks)
        # Root looks after everybody's; a tree that was captured elsewhere knows other users.
        uid = os.getuid() or None if self._files.is_live else None
        latest = uptime_ticks - MINIMUM_AGE_S * self._clock_ticks
        game = find_game(self._files, processes, shares, latest, self._registered(), uid)
        if game is not None:
            self._found.append(game)

    def _announce(self, game: Game, now_ns: int, suspended_ns: int, batch: Batch) -> None:
        self.name, self._found_as = game.name, game.found_as
        started_ns = game.start_ticks * 1_000_000_000 // self._clock_ticks - suspended_ns
        facts = {
            "game.pid": str(game.pid),
            "game.name": game.name,
            "game.started": str(started_ns),
            "game.start_ticks": str(game.start_ticks),
            "game.found_as": game.found_as,
            "game.version": game.version,
        }
        batch.messages.append(Facts(now_ns, facts))

    def _game(self, pid: int, found_as: str) -> Game | None:
        try:
            stat = read_process_stat(self._files, pid)
        except KernelFileError:
            return None
        if stat is None:
            return None
        name, version = stat.name, game_version(self._files, pid)
        if found_as != "chosen":
            name = full_name(self._files, pid, stat)
        return Game(pid, name, stat.start_ticks, found_as, version)

    def _uptime_ticks(self) -> int | None:
        text = self._files.read_text(f"{PROC}/uptime")
        if text is None:
            return None
        try:
            return int(float(text.split()[0]) * self._clock_ticks)
        except (ValueError, IndexError, OverflowError):
            raise KernelFileError(f"{PROC}/uptime", 1, Statement("sampling.not_a_time")) from None
