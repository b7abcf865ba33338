# SPDX-License-Identifier: GPL-3.0-or-later
"""What is kept for a game, and what is no longer, in a conversation with the helper."""

import os

from destutter.commands.game_words import game_json, game_line
from destutter.commands.helper_session import HelperSession
from destutter.commands.terminal import CommandError, Terminal
from destutter.core.statement import Statement
from destutter_helper.api.payload import ChangeSet, GameSet, GameSets


def keep_in(
    session: HelperSession, game: str, change_set: ChangeSet, terminal: Terminal, *, as_json: bool
) -> int:
    """Keep it instead of what was kept for a game of this name; nothing is set now."""
    session.ask(lambda: session.client.keep_for_game(game, change_set), "KeepForGame")
    kept = next(each for each in _own(session) if each.game == game)
    if as_json:
        terminal.json(game_json(kept))
        return 0
    terminal.line(terminal.words.text(game_line(kept)))
    terminal.say("change.for_game")
    return 0


def forget_in(session: HelperSession, game: str, terminal: Terminal, *, as_json: bool) -> int:
    """Keep nothing for it any more. Raises ``CommandError`` when nothing was."""
    own = _own(session)
    found = next((each for each in own if each.game == game), None)
    if found is None:
        names = ", ".join(each.game for each in own)
        which = "change.no_game.but" if names else "change.no_game"
        raise CommandError(Statement(which, {"game": game} | ({"names": names} if names else {})))
    session.ask(lambda: session.client.forget_for_game(found.id), "ForgetForGame")
    if as_json:
        terminal.json(game_json(found))
    else:
        terminal.say("change.game_forgotten", {"game": game})
    return 0


def _own(session: HelperSession) -> list[GameSet]:
    answer = session.ask(session.client.list_for_games, "ListForGames")
    sets = answer.sets if isinstance(answer, GameSets) else ()
    return [each for each in sets if each.uid == os.getuid()]
