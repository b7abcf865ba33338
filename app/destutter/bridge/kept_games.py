# SPDX-License-Identifier: GPL-3.0-or-later
"""What this user keeps for games, and how it comes to each of them when that runs."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from PySide6.QtCore import QObject, Signal, Slot

from destutter.analysis.changes.helper_statements import statement_of
from destutter.analysis.changes.tuning_state import GameProcess
from destutter.bridge.change_requests import ChangeRequests
from destutter.bridge.helper_client import Availability, HelperClient
from destutter.core.statement import Statement
from destutter_helper.api.names import GAME_MAX_CHARACTERS, HelperError
from destutter_helper.api.payload import Change, GameSet, GameSets
from destutter_helper.api.states import part_of

_PASSING = "helper.trial.no_game"  # it ended before the helper had looked at it


class KeptGames(QObject):
    """Knows the sets, and asks for those of the game that is watched and of others that run beside
    it, once for each process.

    ``changed()`` when ``sets``, ``trouble`` or ``not_set`` are new. A helper from before it knew
    of sets leaves ``is_offered`` False.
    """

    changed = Signal()

    def __init__(
        self, client: HelperClient, requests: ChangeRequests, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._client = client
        self._requests = requests
        self._is_asked = False
        self._game: GameProcess | None = None
        self._beside: tuple[GameProcess, ...] = ()
        self._met: set[tuple[int, str]] = set()
        self._begun: tuple[GameSet, GameProcess] | None = None
        self._not_set: dict[str, Statement] = {}
        self.is_offered = False
        self.sets: tuple[GameSet, ...] = ()
        self.trouble: Statement | None = None
        client.status_changed.connect(self._ask_first)
        client.state_told.connect(self._ask)
        client.answered.connect(self._answered)
        client.failed.connect(self._failed)
        requests.moved.connect(self._look)

    @property
    def not_set(self) -> Mapping[str, Statement]:
        """Why a set was not set when its game ran last, by its number."""
        return self._not_set

    def of_game(self, name: str) -> GameSet | None:
        """What is kept for a game."""
        return next((each for each in self.sets if each.game == game_name(name)), None)

    def has_all(self, name: str, changes: Sequence[Change]) -> bool:
        """Whether all of these are kept for a game already."""
        found = self.of_game(name)
        return found is not None and set(found.changes) >= set(changes)

    def may_keep(self, name: str, changes: Sequence[Change]) -> bool:
        """Whether there is anything of these to be kept for a game of this name, and a way to."""
        return self.is_offered and bool(game_name(name)) and not self.has_all(name, changes)

    def was_taken_back(self, kept: GameSet) -> bool:
        """Whether its game runs, and has it no more: it comes again at the next start."""
        trial = self._client.trial
        if (
            kept.runs
            or kept.id in self._not_set
            or (trial is not None and trial.set_id == kept.id)
        ):
            return False
        running = [each for each in (self._game, *self._beside) if each is not None]
        if self._begun is not None:
            running = [each for each in running if each != self._begun[1]]
        mine = [each for each in running if game_name(each.name) == kept.game]
        return any((each.pid, each.start) in self._met for each in mine)

    def keep(self, name: str, changes: Sequence[Change]) -> None:
        """Keep these for a game, beside what is kept for it and is not the same setting."""
        found = self.of_game(name)
        new = {(part_of(each.id), each.device) for each in changes}
        before = () if found is None else found.changes
        stay = [each for each in before if (part_of(each.id), each.device) not in new]
        self._requests.keep_for_game(game_name(name), (*stay, *changes))

    def forget(self, kept: GameSet) -> None:
        """Keep it no more; where it is set now, it goes back."""
        self._requests.forget_for_game(kept.id, kept.game)

    def accept_game(self, game: GameProcess | None) -> None:
        """This game is watched from now on; None: none is."""
        if game != self._game:
            self._game = game
            self._look()

    @property
    def names(self) -> tuple[str, ...]:
        """The games that something is kept for, but for the one that is watched."""
        watched = "" if self._game is None else game_name(self._game.name)
        return tuple(each.game for each in self.sets if each.game != watched)

    def accept_beside(self, games: Sequence[GameProcess]) -> None:
        """These of ``names`` run beside the one that is watched, or while none is."""
        if (found := tuple(games)) != self._beside:
            self._beside = found
            self._look()

    @Slot()
    def _ask_first(self) -> None:
        is_ready = self._client.status.availability is Availability.READY
        if is_ready and not self._is_asked:
            self._ask()
        self._is_asked = is_ready

    @Slot()
    def _ask(self) -> None:
        self._is_asked = True
        self._client.list_for_games()

    @Slot()
    def _look(self) -> None:
        """Ask for what is kept for a game that runs, unless something else is under way."""
        is_free = self._client.trial is None and not self._requests.busy and self._begun is None
        if not is_free or self._client.status.availability is not Availability.READY:
            return
        for game in (self._game, *self._beside):
            kept = None if game is None else self.of_game(game.name)
            if game is not None and kept is not None and (game.pid, game.start) not in self._met:
                self._met.add((game.pid, game.start))
                self._begun = kept, game
                self._client.begin_for_game(kept.id, game)
                return  # one at a time

    @Slot(str, object)
    def _answered(self, method: str, value: object) -> None:
        if isinstance(value, GameSets):
            self.is_offered = True
            mine = os.getuid()
            self.sets = tuple(each for each in value.sets if each.uid == mine)
            self.trouble = None if value.trouble is None else statement_of(value.trouble)
            self.changed.emit()
            self._look()
        elif method == "BeginForGame" and self._begun is not None:
            self._not_set.pop(self._begun[0].id, None)
            self._begun = None
            self._ask()
        elif method in {"KeepForGame", "ForgetForGame"}:
            self._ask()

    @Slot(str, object)
    def _failed(self, method: str, error: HelperError) -> None:
        if method != "BeginForGame" or self._begun is None:
            return
        (kept, game), self._begun = self._begun, None
        if error.name == "Busy":
            # Once more when the helper tells that something has ended.
            self._met.discard((game.pid, game.start))
        if error.whole.id != _PASSING:
            self._not_set[kept.id] = statement_of(error.whole)
            self.changed.emit()
        if error.name != "Busy":
            self._look()


def game_name(name: str) -> str:
    """A name of a game as something can be kept by it: without what is no letter or mark."""
    plain = "".join(letter if letter.isprintable() else " " for letter in name)
    return " ".join(plain.split())[:GAME_MAX_CHARACTERS].strip()
