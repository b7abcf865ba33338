# SPDX-License-Identifier: GPL-3.0-or-later
"""``destutter undo`` in a conversation with the helper: what is meant, and what became of it."""

import argparse
from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from destutter.commands.helper_session import HelperSession
from destutter.commands.results import key_of_result
from destutter.commands.terminal import CommandError, UsageError
from destutter.core.kernel_files import KernelFiles
from destutter.core.statement import Statement, Value
from destutter.tuning.kernel_view import FilesView
from destutter.tuning.keys import key_of
from destutter_helper.api.devices import find_devices
from destutter_helper.api.names import STATE_READ_ONLY
from destutter_helper.api.payload import Result, Results, State, UndoRequest, is_named
from destutter_helper.api.tunables import BY_ID

NOTHING_TO_DO = Statement("change.nothing")
_NAMES_MAX = 200  # a request has 16 KiB
RECORD_LOST = Statement("change.record_lost")


def check_names(names: Iterable[str]) -> None:
    """Raises ``UsageError`` for the first name of no setting."""
    for name in names:
        id_, at, device = name.partition("@")
        if id_ not in BY_ID:
            raise no_setting(id_ or name)
        if at and not device:
            raise UsageError(Statement("change.no_name", {"text": name}))
        if device and not BY_ID[id_].device_kind:
            raise UsageError(Statement("change.without_device", {"name": id_}))


def no_setting(id_: str) -> UsageError:
    """That there is no such setting, and which is the nearest."""
    near = get_close_matches(id_, BY_ID, 1)
    if near:
        return UsageError(Statement("change.no_setting.near", {"name": id_, "near": near[0]}))
    return UsageError(Statement("change.no_setting", {"name": id_}))


def undo_in(
    session: HelperSession, files: KernelFiles, arguments: argparse.Namespace
) -> tuple[tuple[Result, ...], Statement]:
    """Undo what is named; the results, and what to say where there are none.

    Raises ``UsageError`` for a device that is neither here nor known to the helper.
    """
    client = session.client
    state = session.ask(client.ask_state, "state")
    assert isinstance(state, State)  # noqa: S101  the client decodes nothing else
    names = tuple(arguments.ids)
    _check_devices(files, names, state)
    if arguments.accept:
        return _accept(session, names, state)
    force = names
    if arguments.force and arguments.all:
        force = _foreign(session, state)
    request = UndoRequest(None if arguments.all else names, force if arguments.force else ())
    results = _ask(session, request)
    if state.state == STATE_READ_ONLY:
        return results, RECORD_LOST
    others = [key for key in _keys_of(state) if key]
    if not others:
        return results, NOTHING_TO_DO
    return results, Statement("change.nothing.but", {"names": ", ".join(others)})


def _accept(
    session: HelperSession, names: Sequence[str], state: State
) -> tuple[tuple[Result, ...], Statement]:
    """Leave what somebody else has set, and forget it.

    The helper lets only that be accepted which an undo has left alone: where none has yet, it is
    asked for one first. What is as Destutter set it would be taken back by that, and is not meant.
    """
    left = [each for each in state.conflicts if _is_meant(each, names)]
    verified = _results(session.ask(session.client.verify, "Verify"))
    others = [each for each in verified if _is_meant(each, names)]
    foreign = [each for each in others if each.outcome in ("foreign", "reset")]
    first = tuple(dict.fromkeys(map(key_of_result, foreign)))
    ours = [key_of_result(each) for each in others if each.outcome == "ok"]
    if ours and not (left or first):
        raise CommandError(Statement("change.ours", {"name": ours[0]}))
    undone = _ask(session, UndoRequest(first)) if first else ()
    wanted = tuple(dict.fromkeys([*map(key_of_result, left), *first]))
    if not wanted:
        return (), NOTHING_TO_DO
    accepted = _ask(session, UndoRequest((), (), wanted))
    return (*(each for each in undone if each.outcome != "foreign"), *accepted), NOTHING_TO_DO


def _foreign(session: HelperSession, state: State) -> tuple[str, ...]:
    """Everything that somebody else has changed since, by name."""
    verified = _results(session.ask(session.client.verify, "Verify"))
    found = [*state.conflicts, *(each for each in verified if each.outcome == "foreign")]
    names = tuple(dict.fromkeys(map(key_of_result, found)))
    return names if len(names) <= _NAMES_MAX else tuple({each.id: None for each in found})


def _check_devices(files: KernelFiles, names: Sequence[str], state: State) -> None:
    known = _keys_of(state)
    for name in names:
        id_, _, device = name.partition("@")
        if not device or name in known:
            continue
        here = [one.name for one in find_devices(FilesView(files), BY_ID[id_].device_kind)]
        if device not in here:
            values: dict[str, Value] = {"name": id_, "device": device}
            if not here:
                raise UsageError(Statement("change.no_device", values))
            names = ", ".join(here)
            raise UsageError(Statement("change.no_device.but", {**values, "names": names}))


def _keys_of(state: State) -> list[str]:
    """Everything that the helper knows of, by name."""
    found = [key_of_result(each) for each in (*state.changed, *state.conflicts)]
    kept = [key_of(one.id, one.device) for one in state.kept_always]
    return list(dict.fromkeys([*found, *kept]))


def _is_meant(result: Result, names: Sequence[str]) -> bool:
    return is_named(result.id, result.device, names)


def _ask(session: HelperSession, request: UndoRequest) -> tuple[Result, ...]:
    return _results(session.ask(lambda: session.client.undo(request), "Undo"))


def _results(answer: object) -> tuple[Result, ...]:
    return answer.results if isinstance(answer, Results) else ()
