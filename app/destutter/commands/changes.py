# SPDX-License-Identifier: GPL-3.0-or-later
"""``destutter apply`` and ``destutter undo``: kernel settings through the root helper."""

import argparse
import json
import select
import signal
import sys
from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QCoreApplication
from PySide6.QtDBus import QDBusConnection

from destutter.analysis.changes.helper_results import is_partial
from destutter.analysis.changes.helper_statements import statement_of
from destutter.commands.computer import computer
from destutter.commands.for_games import forget_in, keep_in
from destutter.commands.helper_session import HelperSession, parse_changes
from destutter.commands.results import key_of_result, result_json, result_line
from destutter.commands.terminal import CommandError, Terminal, UsageError
from destutter.commands.text_agent import TextAgent
from destutter.commands.trial_watch import LOST, NO_HELPER, TrialWatch
from destutter.commands.undoing import NOTHING_TO_DO, RECORD_LOST, check_names, no_setting, undo_in
from destutter.core.kernel_files import KernelFiles
from destutter.core.statement import Statement
from destutter.tuning.keys import key_of
from destutter.tuning.machine_profile import read_profile
from destutter_helper.api.checks import check_change_set
from destutter_helper.api.names import KEEP_RESTART, HelperError
from destutter_helper.api.payload import ChangeSet, Result, Results, State, check_form, check_game
from destutter_helper.api.tunables import BY_ID

_BACK_S, _IN_A_HURRY_S = 2.0, 0.4


def run_apply(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Put changes on trial, and keep them when told.

    Takes ``changes`` (words), ``trial`` (seconds), ``keep`` ("restart", "always" or None),
    ``for_game`` (the name of one for which they are kept instead) and ``json``. Raises
    ``CommandError`` when the helper refused, ``UsageError`` for a word that is no change, or a
    name of no setting.
    """
    change_set = ChangeSet(parse_changes(arguments.changes))
    _check(change_set)
    game, as_json = arguments.for_game, arguments.json
    if game is not None:
        if arguments.keep:
            raise UsageError(Statement("cli.apply.for_game_alone"))
        _check_game(game)
        return _converse(
            lambda session: keep_in(session, game, change_set, terminal, as_json=as_json), terminal
        )
    watch = TrialWatch(computer(), change_set)
    return _converse(
        lambda session: apply_in(session, change_set, watch, arguments, terminal), terminal
    )


def _check(change_set: ChangeSet) -> None:
    """Says what is wrong with a wish, by the helper's own rules and without the helper.

    Raises ``UsageError`` for a name of no setting, as undo does, and ``CommandError``.
    """
    try:
        check_form(change_set)
        for wish in change_set.changes:
            if wish.id not in BY_ID:
                raise no_setting(wish.id)
        memory_kib = read_profile(computer()).memory_kib
        if memory_kib is not None:
            check_change_set(change_set, memory_kib)
    except HelperError as error:
        raise CommandError(statement_of(error.whole)) from None


def _check_game(name: str) -> None:
    try:
        check_game(name)
    except HelperError as error:
        raise CommandError(statement_of(error.whole)) from None


def run_undo(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Take changes back: those in ``ids``, or ``all``; ``force`` also what others set since.

    With ``accept`` what others set stays, and is forgotten; with ``for_game`` nothing is kept for
    a game of this name any more, and that is all. Exit status 1 when something was left as
    somebody else set it. Raises ``CommandError`` when the helper refused, ``UsageError`` for a
    name of nothing that there is.
    """
    game, as_json = arguments.for_game, arguments.json
    if game is not None:
        if arguments.ids or arguments.all or arguments.force or arguments.accept:
            raise UsageError(Statement("cli.undo.for_game_alone"))
        return _converse(
            lambda session: forget_in(session, game, terminal, as_json=as_json), terminal
        )
    if bool(arguments.ids) == arguments.all:
        raise UsageError(Statement("cli.undo.what"))
    if arguments.accept and (arguments.force or arguments.all):
        raise UsageError(Statement("cli.undo.accept_alone"))
    check_names(arguments.ids)
    return _converse(
        lambda session: talk_of_undo(session, computer(), arguments, terminal), terminal
    )


def talk_of_undo(
    session: HelperSession, files: KernelFiles, arguments: argparse.Namespace, terminal: Terminal
) -> int:
    """The same in a conversation that has begun."""
    results, if_empty = undo_in(session, files, arguments)
    status = report(results, terminal, as_json=arguments.json, if_empty=if_empty)
    return status or int(if_empty == RECORD_LOST and not results)


def _converse(talk: Callable[[HelperSession], int], terminal: Terminal) -> int:
    application = QCoreApplication(sys.argv[:1])
    session = HelperSession(QDBusConnection.systemBus())
    try:
        with TextAgent(lambda: session.was_interrupted):
            session.connect()
            return talk(session)
    except KeyboardInterrupt:
        terminal.complain(Statement("change.interrupted"))
        return 128 + signal.SIGINT
    finally:
        session.close()
        application.shutdown()


def apply_in(
    session: HelperSession,
    change_set: ChangeSet,
    watch: TrialWatch,
    arguments: argparse.Namespace,
    terminal: Terminal,
) -> int:
    """Have the trial in a conversation, and report what the kernel has at its end."""
    client, asked = session.client, _asked(change_set)
    session.ask(lambda: client.begin_trial(change_set, arguments.trial), "trial")
    watch.note_begin()
    ending = _Ending(session, watch, terminal, as_json=arguments.json)
    if arguments.keep:
        return ending.keep(arguments.keep, asked)
    keyboard = _Keyboard()
    if not arguments.json:
        for wish, value in watch.taken_otherwise:
            name = key_of(wish.id, wish.device)
            terminal.say("change.made", {"name": name, "wanted": wish.value, "value": value})
        how = "change.on_trial.enter" if keyboard.is_there else "change.on_trial"
        terminal.say(how, {"seconds": arguments.trial})
    end = session.wait_for_end(
        keyboard.look, arguments.trial, lambda: terminal.complain(Statement("change.gone_away"))
    )
    told: tuple[Result, ...] | None = end.results
    if end.by == "user":
        if keyboard.was_pressed and not session.was_interrupted:
            return ending.keep(KEEP_RESTART, asked)
        told = session.take_back()
    elif end.by == "lost":
        told = None
    return ending.report(told)


class _Ending:
    """How a trial ends in a conversation, as the kernel shows it."""

    def __init__(
        self, session: HelperSession, watch: TrialWatch, terminal: Terminal, *, as_json: bool
    ) -> None:
        self._session = session
        self._watch = watch
        self._terminal = terminal
        self._as_json = as_json

    def report(self, told: tuple[Result, ...] | None) -> int:
        """Say what the kernel has; ``told`` is None when the helper says nothing."""
        if told is None:
            self._wait_until_back()
        results = self._watch.results(told or (), why_left=NO_HELPER if told is None else LOST)
        status = report(results, self._terminal, as_json=self._as_json)
        ways = self._watch.commands_back(results)
        if ways:
            self._terminal.complain(Statement("change.not_back"), *(f"  {way}" for way in ways))
        return status

    def keep(self, until: str, asked: Mapping[tuple[str, str], str]) -> int:
        """Keep the trial; when that is refused everything is back before the reason is said."""
        try:
            answer = self._session.keep(until)
        except (CommandError, KeyboardInterrupt) as error:
            told = self._session.take_back()
            if told is None:
                self._wait_until_back()
            if isinstance(error, KeyboardInterrupt):
                return self.report(told)
            if not self._watch.is_back:
                self.report(told)
            raise
        results = answer.results if isinstance(answer, Results) else ()
        status = report(results, self._terminal, as_json=self._as_json, asked=asked)
        if until == KEEP_RESTART:
            self._tell_kept_always(results)
        return status

    def _tell_kept_always(self, results: Sequence[Result]) -> None:
        """What is kept until the restart is not what the start after it sets."""
        state = self._session.ask(self._session.client.ask_state, "state")
        kept = set(map(key_of_result, results))
        for each in state.kept_always if isinstance(state, State) else ():
            name = key_of(each.id, each.device)
            if name in kept:
                values = {"name": name, "value": each.value}
                self._terminal.complain(Statement("change.still_kept", values))

    def _wait_until_back(self) -> None:
        """A helper that dies takes its trial back itself, within a moment."""
        hurry = self._session.was_interrupted
        self._session.wait_until(lambda: self._watch.is_back, _IN_A_HURRY_S if hurry else _BACK_S)


def _asked(change_set: ChangeSet) -> dict[tuple[str, str], str]:
    return {(wish.id, wish.device): wish.value for wish in change_set.changes}


class _Keyboard:
    """The Enter key of a terminal; nothing when standard input is no terminal."""

    def __init__(self) -> None:
        self.is_there = sys.stdin.isatty()
        self.was_pressed = False

    def look(self) -> bool:
        """Whether Enter has been pressed by now."""
        if self.is_there and select.select([sys.stdin], [], [], 0)[0]:
            sys.stdin.readline()
            self.was_pressed = True
        return self.was_pressed


def report(
    results: tuple[Result, ...],
    terminal: Terminal,
    *,
    as_json: bool,
    asked: Mapping[tuple[str, str], str] | None = None,
    if_empty: Statement = NOTHING_TO_DO,
) -> int:
    """Show results; ``asked`` has what was wished for. The exit status that they mean."""
    wishes = asked or {}
    if as_json:
        told = [
            result_json(each) | {"asked": wishes.get((each.id, each.device))} for each in results
        ]
        terminal.line(json.dumps(told))
    else:
        lines = [result_line(each, wishes.get((each.id, each.device))) for each in results]
        for line in lines or [if_empty]:
            terminal.line(terminal.words.text(line))
    return 1 if is_partial(results) else 0
