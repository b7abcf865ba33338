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

from destutter.commands.computer import computer
from destutter.commands.helper_session import HelperSession, TextAgent, parse_changes
from destutter.commands.results import (
    UNDONE_PARTLY,
    describe_result,
    key_of_result,
    result_json,
)
from destutter.commands.trial_watch import LOST, NO_HELPER, TrialWatch
from destutter.commands.undoing import NOTHING_TO_DO, RECORD_LOST, check_names, no_setting, undo_in
from destutter.core.kernel_files import KernelFiles
from destutter.tuning.keys import key_of
from destutter.tuning.machine_profile import read_profile
from destutter_helper.api.checks import check_change_set
from destutter_helper.api.names import KEEP_RESTART, HelperError
from destutter_helper.api.payload import ChangeSet, Result, Results, State, check_form
from destutter_helper.api.tunables import BY_ID

_GONE_AWAY = "destutter: the helper went away in the trial; looking at what the kernel has"
_INTERRUPTED = (
    "interrupted before the helper answered; a trial that it begins yet ends at once, and "
    "'destutter status' shows what else it did"
)
_BACK_S, _IN_A_HURRY_S = 2.0, 0.4


def run_apply(arguments: argparse.Namespace) -> int:
    """Put changes on trial, and keep them when told.

    Takes ``changes`` (words), ``trial`` (seconds), ``keep`` ("restart", "always" or None) and
    ``json``. Exit status 0; 1 when the helper refused; 2 for a word that is no change, or
    a name of no setting.
    """
    try:
        change_set = ChangeSet(parse_changes(arguments.changes))
        _check(change_set)
    except ValueError as error:
        return _complain(str(error), 2)
    except HelperError as error:
        return _complain(str(error), 1)
    watch = TrialWatch(computer(), change_set)
    return _converse(lambda session: apply_in(session, change_set, watch, arguments))


def _check(change_set: ChangeSet) -> None:
    """Says what is wrong with a wish, by the helper's own rules and without the helper.

    Raises ``ValueError`` for a name of no setting, as undo does, and HelperError.
    """
    check_form(change_set)
    for wish in change_set.changes:
        if wish.id not in BY_ID:
            raise ValueError(no_setting(wish.id))
    memory_kib = read_profile(computer()).memory_kib
    if memory_kib is not None:
        check_change_set(change_set, memory_kib)


def run_undo(arguments: argparse.Namespace) -> int:
    """Take changes back: those in ``ids``, or ``all``; ``force`` also what others set since.

    With ``accept`` what others set stays, and is forgotten. Exit status 1 when something was left
    as somebody else set it, or the helper refused; 2 for a name of nothing that there is.
    """
    if bool(arguments.ids) == arguments.all:
        return _complain("name what to undo, or say --all", 2)
    if arguments.accept and (arguments.force or arguments.all):
        return _complain("--accept takes names, and goes neither with --all nor with --force", 2)
    try:
        check_names(arguments.ids)
    except ValueError as error:
        return _complain(str(error), 2)
    return _converse(lambda session: talk_of_undo(session, computer(), arguments))


def talk_of_undo(session: HelperSession, files: KernelFiles, arguments: argparse.Namespace) -> int:
    """The same in a conversation that has begun."""
    try:
        results, if_empty = undo_in(session, files, arguments)
    except ValueError as error:
        return _complain(str(error), 2)
    status = report(results, as_json=arguments.json, if_empty=if_empty)
    return status or int(if_empty == RECORD_LOST and not results)


def _converse(talk: Callable[[HelperSession], int]) -> int:
    application = QCoreApplication(sys.argv[:1])
    session = HelperSession(QDBusConnection.systemBus())
    try:
        with TextAgent(lambda: session.was_interrupted):
            session.connect()
            return talk(session)
    except HelperError as error:
        return _complain(str(error), 1)
    except KeyboardInterrupt:
        return _complain(_INTERRUPTED, 128 + signal.SIGINT)
    finally:
        session.close()
        application.shutdown()


def apply_in(
    session: HelperSession,
    change_set: ChangeSet,
    watch: TrialWatch,
    arguments: argparse.Namespace,
) -> int:
    """Have the trial in a conversation, and report what the kernel has at its end."""
    client, asked = session.client, _asked(change_set)
    session.ask(lambda: client.begin_trial(change_set, arguments.trial), "trial")
    watch.note_begin()
    if arguments.keep:
        return _keep(session, arguments.keep, watch, asked, as_json=arguments.json)
    keyboard = _Keyboard()
    if not arguments.json:
        for wish, value in watch.taken_otherwise:
            result = Result(wish.id, wish.device, "ok", value, None)
            print(f"{key_of_result(result)}: asked for {wish.value}, the kernel made it {value}")
        print(_announcement(arguments.trial, has_keyboard=keyboard.is_there), flush=True)
    end = session.wait_for_end(keyboard.look, arguments.trial, _tell_lost)
    told: tuple[Result, ...] | None = end.results
    if end.by == "user":
        if keyboard.was_pressed and not session.was_interrupted:
            return _keep(session, KEEP_RESTART, watch, asked, as_json=arguments.json)
        told = session.take_back()
    elif end.by == "lost":
        told = None
    return _report_end(session, watch, told, as_json=arguments.json)


def _report_end(
    session: HelperSession, watch: TrialWatch, told: tuple[Result, ...] | None, *, as_json: bool
) -> int:
    """Say what the kernel has after a trial; ``told`` is None when the helper says nothing."""
    if told is None:
        _wait_until_back(session, watch)
    results = watch.results(told or (), why_left=NO_HELPER if told is None else LOST)
    status = report(results, as_json=as_json)
    ways = watch.commands_back(results)
    if ways:
        print(
            "destutter: not everything is back. 'destutter undo --all' takes back what the helper "
            "has a record of, 'destutter doctor' shows whether it can start, and a restart of the "
            "computer ends all of it. Without the helper:",
            *(f"  {way}" for way in ways),
            sep="\n",
            file=sys.stderr,
        )
    return status


def _wait_until_back(session: HelperSession, watch: TrialWatch) -> None:
    """A helper that dies takes its trial back itself, within a moment."""
    hurry = session.was_interrupted
    session.wait_until(lambda: watch.is_back, _IN_A_HURRY_S if hurry else _BACK_S)


def _tell_lost() -> None:
    print(_GONE_AWAY, file=sys.stderr, flush=True)


def _asked(change_set: ChangeSet) -> dict[tuple[str, str], str]:
    return {(wish.id, wish.device): wish.value for wish in change_set.changes}


def _keep(
    session: HelperSession,
    until: str,
    watch: TrialWatch,
    asked: Mapping[tuple[str, str], str],
    *,
    as_json: bool,
) -> int:
    """Keep the trial; when that is refused everything is back before the reason is said."""
    try:
        answer = session.keep(until)
    except (HelperError, KeyboardInterrupt) as error:
        told = session.take_back()
        if told is None:
            _wait_until_back(session, watch)
        if not watch.is_back or isinstance(error, KeyboardInterrupt):
            status = _report_end(session, watch, told, as_json=as_json)
            return status if isinstance(error, KeyboardInterrupt) else _complain(str(error), 1)
        raise
    results = _results(answer)
    status = report(results, as_json=as_json, asked=asked)
    if until == KEEP_RESTART:
        _tell_kept_always(session, results)
    return status


def _tell_kept_always(session: HelperSession, results: Sequence[Result]) -> None:
    """What is kept until the restart is not what the start after it sets."""
    state = session.ask(session.client.ask_state, "state")
    kept = {(each.id, each.device) for each in results}
    for each in state.kept_always if isinstance(state, State) else ():
        if (each.id, each.device) in kept:
            name = key_of(each.id, each.device)
            print(
                f"destutter: every start still sets {name} to {each.value}, as was kept before; "
                f"'destutter undo {name}' ends that too",
                file=sys.stderr,
            )


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


def _results(answer: object) -> tuple[Result, ...]:
    return answer.results if isinstance(answer, Results) else ()


def report(
    results: tuple[Result, ...],
    *,
    as_json: bool,
    asked: Mapping[tuple[str, str], str] | None = None,
    if_empty: str = NOTHING_TO_DO,
) -> int:
    """Show results; ``asked`` has what was wished for. The exit status that they mean."""
    wishes = asked or {}
    if as_json:
        told = [
            result_json(each) | {"asked": wishes.get((each.id, each.device))} for each in results
        ]
        print(json.dumps(told))
    else:
        for result in results:
            print(describe_result(result, wishes.get((result.id, result.device))))
        if not results:
            print(if_empty)
    return 1 if any(result.outcome in UNDONE_PARTLY for result in results) else 0


def _complain(sentence: str, status: int) -> int:
    print(f"destutter: {sentence}", file=sys.stderr)
    return status
