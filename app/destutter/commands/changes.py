# SPDX-License-Identifier: GPL-3.0-or-later
"""``destutter apply`` and ``destutter undo``: kernel settings through the root helper."""

import argparse
import contextlib
import dataclasses
import json
import select
import sys
from collections.abc import Callable

from PySide6.QtCore import QCoreApplication
from PySide6.QtDBus import QDBusConnection

from destutter.commands.helper_session import (
    HelperSession,
    TextAgent,
    describe_result,
    parse_changes,
)
from destutter.core.kernel_files import KernelFiles
from destutter.tuning.machine_profile import read_profile
from destutter_helper.api.checks import check_change_set
from destutter_helper.api.names import KEEP_RESTART, HelperError
from destutter_helper.api.payload import ChangeSet, Result, Results, UndoRequest, check_form

DEFAULT_TRIAL_S = 60
_UNDONE_PARTLY = frozenset({"foreign", "failed"})
_NOTHING_TO_DO = "Nothing to do: Destutter has changed nothing of this."
_IS_OVER = "The helper ended the trial and took everything back."


def run_apply(arguments: argparse.Namespace) -> int:
    """Put changes on trial, and keep them when told.

    Takes ``changes`` (words), ``trial`` (seconds), ``keep`` ("restart", "always" or None) and
    ``json``. Exit status 0; 1 when the helper refused; 2 for a word that is no change.
    """
    try:
        change_set = ChangeSet(parse_changes(arguments.changes))
        _check(change_set)
    except ValueError as error:
        return _complain(str(error), 2)
    except HelperError as error:
        return _complain(str(error), 1)
    return _converse(lambda session: _apply(session, change_set, arguments))


def _check(change_set: ChangeSet) -> None:
    """Says what is wrong with a wish, by the helper's own rules and without the helper."""
    check_form(change_set)
    memory_kib = read_profile(KernelFiles()).memory_kib
    if memory_kib is not None:
        check_change_set(change_set, memory_kib)


def run_undo(arguments: argparse.Namespace) -> int:
    """Take changes back: those in ``ids``, or ``all``; ``force`` also what others set since.

    Exit status 1 when something was left as somebody else set it, or the helper refused.
    """
    if bool(arguments.ids) == arguments.all:
        return _complain("name what to undo, or say --all", 2)
    ids = None if arguments.all else tuple(arguments.ids)
    request = UndoRequest(ids, ids or () if arguments.force else ())

    def talk(session: HelperSession) -> int:
        return _report(
            session.ask(lambda: session.client.undo(request), "Undo"), as_json=arguments.json
        )

    return _converse(talk)


def _converse(talk: Callable[[HelperSession], int]) -> int:
    application = QCoreApplication(sys.argv[:1])
    session = HelperSession(QDBusConnection.systemBus(), lambda: None)
    try:
        with TextAgent():
            session.connect()
            return talk(session)
    except HelperError as error:
        return _complain(str(error), 1)
    finally:
        session.close()
        application.shutdown()


def _apply(session: HelperSession, change_set: ChangeSet, arguments: argparse.Namespace) -> int:
    client = session.client
    session.ask(lambda: client.begin_trial(change_set, arguments.trial), "trial")
    if arguments.keep:
        return _report(_keep(session, arguments.keep), as_json=arguments.json)
    keyboard = _Keyboard()
    if not arguments.json:
        print(_announcement(arguments.trial, has_keyboard=keyboard.is_there), flush=True)
    ended = session.wait_for_end(keyboard.look)
    if ended is not None:
        return _report(Results(ended[1]), as_json=arguments.json, if_empty=_IS_OVER)
    if keyboard.was_pressed:
        return _report(_keep(session, KEEP_RESTART), as_json=arguments.json)
    return _report(session.ask(client.revert, "Revert"), as_json=arguments.json)


def _keep(session: HelperSession, until: str) -> object:
    """Keep the trial; when that is refused everything is back before the reason is said."""
    try:
        return session.ask(lambda: session.client.keep(until), "Keep")
    except HelperError:
        with contextlib.suppress(HelperError):  # the trial may have ended by itself
            session.ask(session.client.revert, "Revert")
        raise


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


def _announcement(seconds: int, *, has_keyboard: bool) -> str:
    keep = " Enter keeps it until the next restart." if has_keyboard else ""
    return f"On trial for {seconds} s; then it goes back.{keep} Ctrl-C takes it back now."


def _report(answer: object, *, as_json: bool, if_empty: str = _NOTHING_TO_DO) -> int:
    results: tuple[Result, ...] = answer.results if isinstance(answer, Results) else ()
    if as_json:
        print(json.dumps([dataclasses.asdict(result) for result in results]))
    else:
        for result in results:
            print(describe_result(result))
        if not results:
            print(if_empty)
    return 1 if any(result.outcome in _UNDONE_PARTLY for result in results) else 0


def _complain(sentence: str, status: int) -> int:
    print(f"destutter: {sentence}", file=sys.stderr)
    return status
