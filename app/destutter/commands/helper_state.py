# SPDX-License-Identifier: GPL-3.0-or-later
"""What the root helper says of itself, asked only where it is installed."""

import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from destutter.analysis.changes.helper_origin import describe_helper
from destutter.analysis.changes.helper_statements import statement_of
from destutter.commands.helper_chain import find_activation
from destutter.commands.terminal import CommandError
from destutter.core.sandbox import is_sandboxed
from destutter.core.statement import Statement
from destutter_helper.api.payload import GameSet, GameSets, Result, Results, State

if TYPE_CHECKING:
    from destutter.analysis.changes.history import HistoryEntry
    from destutter.commands.helper_session import HelperSession

Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class HelperAnswer:
    """Whether the helper can be used, in words, and what it knows by id and device.

    ``is_silent``: it is installed and does not answer, so who set a value is not known.
    ``conflicts`` are what an undo left alone, ``kept_always`` the values for every start, ``gone``
    what was changed on a drive that is not there any more, whatever has its name now, and
    ``history`` the last event of each setting since the start of the computer. With
    ``leaves_out_kept`` no start sets what is kept: the last two were not finished. ``for_games``
    is what this user keeps for games, to root what all do.
    """

    is_ready: bool
    detail: Statement
    changed: Mapping[Key, Result] = field(default_factory=dict)
    is_silent: bool = False
    conflicts: Mapping[Key, Result] = field(default_factory=dict)
    kept_always: Mapping[Key, str] = field(default_factory=dict)
    gone: frozenset[Key] = frozenset()
    history: "Mapping[Key, HistoryEntry]" = field(default_factory=dict)
    notices: tuple[Statement, ...] = ()
    leaves_out_kept: bool = False
    for_games: tuple[GameSet, ...] = ()


def ask_helper(root: str) -> HelperAnswer:
    """Ask the helper of this computer; another tree than "/" has none."""
    if root != "/":
        return HelperAnswer(is_ready=False, detail=Statement("doctor.not_asked"))
    # In a sandbox the file that starts it is not to be seen, and only the bus can tell.
    if not is_sandboxed() and find_activation() is None:
        return HelperAnswer(is_ready=False, detail=Statement("doctor.not_installed"))
    return _ask()


def _ask() -> HelperAnswer:
    # Qt is only loaded where there is somebody to talk to.
    from PySide6.QtCore import QCoreApplication
    from PySide6.QtDBus import QDBusConnection

    from destutter.commands.helper_session import HelperSession

    application = QCoreApplication(sys.argv[:1])
    session = HelperSession(QDBusConnection.systemBus())
    try:
        return answer_in(session)
    except CommandError as error:
        # In a sandbox that it is not installed is known from here only.
        return HelperAnswer(
            is_ready=False, detail=error.statement, is_silent=not session.is_absent
        )
    finally:
        session.close()
        application.shutdown()


def answer_in(session: "HelperSession") -> HelperAnswer:
    """Ask in a conversation; raises ``CommandError`` when the helper cannot be used.

    That it is there is known before what it changed: both answers are waited for.
    """
    client = session.client
    session.connect()
    state = session.ask(client.ask_state, "state")
    described = describe_helper(client.status.version, client.status.place)
    detail = Statement("doctor.helper.ready", {"helper": described})
    if not isinstance(state, State):
        return HelperAnswer(is_ready=True, detail=detail)
    verified = _if_told(session, client.verify, "Verify")
    for_games = _if_told(session, client.list_for_games, "ListForGames")
    return HelperAnswer(
        is_ready=True,
        detail=detail,
        changed=_by_key(state.changed),
        conflicts=_by_key(state.conflicts),
        kept_always={(each.id, each.device): each.value for each in state.kept_always},
        gone=frozenset(
            (each.id, each.device)
            for each in (verified.results if isinstance(verified, Results) else ())
            if each.outcome == "gone"
        ),
        history=_history(_if_told(session, client.report, "GetReport")),
        notices=tuple(map(statement_of, state.notices)),
        leaves_out_kept=state.leaves_out_kept,
        for_games=for_games.sets if isinstance(for_games, GameSets) else (),
    )


def _if_told(session: "HelperSession", request: Callable[[], None], answer: str) -> object:
    """What adds to the answer, and is refused to whoever asks too often."""
    try:
        return session.ask(request, answer)
    except CommandError:
        return None


def _history(text: object) -> "dict[Key, HistoryEntry]":
    """The last event of each setting in this run of the computer."""
    from destutter.analysis.changes.history import read_history

    start = time.time() - time.clock_gettime(time.CLOCK_BOOTTIME)
    entries = read_history(text) if isinstance(text, str) else ()
    return {
        (each.id, each.device): each
        for each in entries
        if each.at is not None and each.at >= start - 1
    }


def _by_key(results: tuple[Result, ...]) -> dict[Key, Result]:
    return {(result.id, result.device): result for result in results}
