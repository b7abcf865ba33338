# SPDX-License-Identifier: GPL-3.0-or-later
"""JSON texts of the D-Bus interface and their typed readers.

``decode`` reads any frozen dataclass of str, int, bool, None, ``Said`` and tuples of these: every
field must be there (unless it has a default), have exactly its type, and no other may be.
Duplicate keys, floats and unknown names are refused, with an error that says where. Requests have
further rules: ``read_change_set`` and ``read_undo_request``.
"""

import dataclasses
import json
import re
import typing
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, NoReturn

from destutter_helper.api.names import (
    CHANGES_MAX,
    GAME_MAX_CHARACTERS,
    ID_MAX_BYTES,
    KEEP_ALWAYS,
    REPLY_MAX_BYTES,
    REQUEST_MAX_BYTES,
    VALUE_MAX_BYTES,
    HelperError,
)
from destutter_helper.api.statement import Said, plain_said, read_said
from destutter_helper.api.states import part_of
from destutter_helper.api.tunables import BY_ID

T = typing.TypeVar("T")

SUMMARY_MAX = 200  # characters
_EVERY_START = "for every start of the computer: "
_SCALARS = (str, int, bool)

_ID = re.compile(rf"[A-Za-z0-9_.:@!-]{{1,{ID_MAX_BYTES}}}")
_DEVICE = re.compile(rf"[A-Za-z0-9_.:!-]{{0,{ID_MAX_BYTES}}}")
_VALUE = re.compile(rf"[a-z0-9_.:,+-]{{1,{VALUE_MAX_BYTES}}}")


@dataclass(frozen=True, slots=True)
class Change:
    """One wish: this tunable (on this device, by its present kernel name) to this value."""

    id: str
    value: str
    device: str = ""


@dataclass(frozen=True, slots=True)
class ChangeSet:
    """What BeginTrial and Preview take: 1 to 64 changes, written together or not at all."""

    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class UndoRequest:
    """What Undo takes. ``force`` and ``accept`` need the right to apply, the rest that to undo.

    A name is an id (on every device) or ``id@device``. ``ids`` None means everything; ``force``
    names values that somebody else changed since and that are restored nevertheless; ``accept``
    names values that are left as they are and forgotten.
    """

    ids: tuple[str, ...] | None = None
    force: tuple[str, ...] = ()
    accept: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TunableState:
    """One line of ListTunables.

    ``current`` is None when the value cannot be read here, and then ``unavailable`` says why.
    ``low`` and ``high`` bound what the helper accepts on this computer (None for choices).
    ``origin`` is the value before Destutter when the present one is ours, and ``keep`` how long
    it stays: "trial", "restart" or "always".
    """

    id: str
    device: str
    label: str
    unit: str
    kind: str
    current: str | None
    low: int | None
    high: int | None
    choices: tuple[str, ...]
    unavailable: Said | None
    origin: str | None
    keep: str


@dataclass(frozen=True, slots=True)
class Tunables:
    """What ListTunables answers."""

    tunables: tuple[TunableState, ...]


@dataclass(frozen=True, slots=True)
class PowerState:
    """One of an NVMe controller's. In one that does not ``work`` requests wait for ``exit_us``."""

    entry_us: int
    exit_us: int
    works: bool


@dataclass(frozen=True, slots=True)
class Controller:
    """An NVMe controller with its power states, or why it tells none."""

    device: str
    states: tuple[PowerState, ...]
    unavailable: Said | None = None


@dataclass(frozen=True, slots=True)
class Controllers:
    """What GetPowerStates answers."""

    controllers: tuple[Controller, ...]


@dataclass(frozen=True, slots=True)
class PlanStep:
    """One write of a plan; ``current`` is the value of now, ``value`` what will be written."""

    id: str
    device: str
    current: str | None
    value: str


@dataclass(frozen=True, slots=True)
class Plan:
    """What BeginTrial would do: writes in order, what else moves, what stays, one summary line.

    ``summary`` (at most 200 characters of letters, digits and ``.,:/()→%-``) is made from the
    registry's labels only and is fit for an authentication dialog.
    """

    steps: tuple[PlanStep, ...]
    side_effects: tuple[Said, ...]
    residue: tuple[Said, ...]
    notes: tuple[Said, ...]
    summary: str


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one entry.

    ``outcome``: changed, already (nothing to write), restored, foreign (somebody else changed
    it: left alone), gone (the device left), failed (the kernel refused; ``notes`` say how),
    accepted (forgotten on request), or from Verify: ok, reset (the kernel put the value before
    ours back), resurrected (our value is back after its undo), until-restart.
    ``value`` is the value read after the work, ``origin`` the one before Destutter. The state of
    a pair such as dirty_ratio and dirty_bytes is written ``id=value`` of its active member.
    ``until``: how long it stays, "trial", "restart" or "always"; empty where that was not asked.
    """

    id: str
    device: str
    outcome: str
    value: str | None
    origin: str | None
    until: str = ""
    notes: tuple[Said, ...] = ()

    @property
    def note(self) -> str:
        """The notes in English."""
        return "; ".join(map(str, self.notes))


@dataclass(frozen=True, slots=True)
class State:
    """What GetState answers. ``seconds_left`` is 0 without a trial, ``owner_uid`` -1.

    The owner of a trial is told to root and to itself; others get -1 and an empty name. The
    ``outcome`` of conflicts is foreign or failed. ``leaves_out_kept``: no start sets what is kept
    until it is kept anew, because the last two with it were not finished.
    """

    state: str
    seconds_left: int
    owner_uid: int
    owner_name: str
    changed: tuple[Result, ...]
    conflicts: tuple[Result, ...]
    kept_always: tuple[Change, ...]
    residue: tuple[Said, ...]
    notices: tuple[Said, ...]
    leaves_out_kept: bool = False


@dataclass(frozen=True, slots=True)
class GameSet:
    """What a user (``uid``) keeps for a ``game``, and whether it is in the kernel now."""

    id: str
    game: str
    changes: tuple[Change, ...]
    runs: bool
    uid: int


@dataclass(frozen=True, slots=True)
class GameSets:
    """What ListForGames answers. ``trouble``: why it is not known what is kept."""

    sets: tuple[GameSet, ...]
    trouble: Said | None = None


@dataclass(frozen=True, slots=True)
class Results:
    """A list of results on the wire (Keep, Revert, Undo, Recover, Verify, TrialEnded)."""

    results: tuple[Result, ...]


def summary(steps: tuple[PlanStep, ...]) -> str:
    """One line from our own words and numbers only; a drive appears by its kernel name.

    Where there is no room for every value it tells at least what kinds of settings they are.
    """
    text = listing(steps)
    if len(text) <= SUMMARY_MAX:
        return text
    kinds = dict.fromkeys(BY_ID[step.id].label for step in steps)
    text = f"{len(steps)} kernel settings:"
    for kind in kinds:
        if len(text) + len(kind) > SUMMARY_MAX - len(", and more"):
            return f"{text.rstrip(',')}, and more"
        text += f" {kind},"
    return text.rstrip(",")


def as_kept(about: Plan | str, until: str) -> Plan | str:
    """The same for the dialog of Keep, whose words are of games, too."""
    if isinstance(about, str) or until != KEEP_ALWAYS:
        return about
    return replace(about, summary=f"{_EVERY_START}{about.summary}"[:SUMMARY_MAX])


def listing(steps: tuple[PlanStep, ...]) -> str:
    """Every step in words, for whoever looks at the details of a dialog."""
    return ", ".join(
        f"{BY_ID[step.id].label}{f' of {step.device}' if step.device else ''} "
        f"{step.current or 'unset'} → {step.value}".replace("_", " ")
        for step in steps
    )


def labels(wanted: Iterable[str]) -> str:
    """The settings that names of an ``UndoRequest`` mean, for a dialog: our own words only."""
    found = dict.fromkeys(BY_ID[name.partition("@")[0]].label for name in wanted)
    text = f"what others have set since: {', '.join(found)}" if found else ""
    return (
        text if len(text) <= SUMMARY_MAX else f"{len(found)} settings that others have set since"
    )


def encode(value: object) -> str:
    """Canonical JSON of a payload dataclass."""
    return json.dumps(plain(value), separators=(",", ":"), sort_keys=True)


def plain(value: Any) -> Any:
    """Payload as what JSON has: dictionaries and lists, all the way down."""
    if value is None or isinstance(value, (str, int)):
        return value
    if isinstance(value, tuple):
        return [plain(item) for item in value]
    if isinstance(value, Said):
        return plain_said(value)
    if isinstance(value, dict):
        return {name: plain(item) for name, item in value.items()}
    return {name: plain(getattr(value, name)) for name in value.__dataclass_fields__}


def decode(kind: type[T], text: str, *, max_bytes: int = REPLY_MAX_BYTES) -> T:
    """The dataclass ``kind`` from JSON text; HelperError TooLarge or InvalidArgument if not."""
    return typing.cast(T, read_value(kind, parse(text, max_bytes=max_bytes), "request"))


def parse(text: str, *, max_bytes: int) -> Any:
    """What JSON text says, in whole numbers and without a key twice; else as ``decode``."""
    if len(text) > max_bytes or len(text.encode("utf-8", "replace")) > max_bytes:
        said = Said("helper.request.text_too_long", {"limit": str(max_bytes)})
        raise HelperError("TooLarge", said)
    try:
        return json.loads(
            text,
            object_pairs_hook=_without_duplicates,
            parse_float=_refuse_number,
            parse_constant=_refuse_number,
        )
    except (ValueError, RecursionError) as error:
        what = ascii(str(error))[:80]
        raise _invalid("request", Said("helper.request.not_json", {"error": what})) from None


def read_change_set(text: str) -> ChangeSet:
    """The change set of a request, with its size and every id, device and value checked."""
    change_set = decode(ChangeSet, text, max_bytes=REQUEST_MAX_BYTES)
    check_form(change_set)
    return change_set


def check_form(change_set: ChangeSet) -> None:
    """Refuses an empty or too long set, texts of wrong form, and the same tunable twice."""
    if not 1 <= len(change_set.changes) <= CHANGES_MAX:
        numbers = {"most": CHANGES_MAX, "count": len(change_set.changes)}
        raise _invalid("changes", Said("helper.request.count", numbers))
    seen = set()
    for index, change in enumerate(change_set.changes):
        where = f"changes[{index}]"
        _match(_ID, change.id, f"{where}.id")
        _match(_DEVICE, change.device, f"{where}.device")
        _match(_VALUE, change.value, f"{where}.value")
        if (change.id, change.device) in seen:
            twice = Said("helper.request.twice")
            raise HelperError("InvalidArgument", twice, id=change.id, device=change.device)
        seen.add((change.id, change.device))


def check_game(name: str) -> None:
    """Refuses what is no name of a game: letters, digits, marks and single blanks, no others.

    So none can end a line, move a cursor or turn the direction of writing where it is shown.
    """
    is_plain = name.isprintable() and name == " ".join(name.split())
    if not is_plain or not 1 <= len(name) <= GAME_MAX_CHARACTERS:
        raise _invalid("game", Said("helper.request.form", {"text": ascii(name)[:40]}))


def read_undo_request(text: str) -> UndoRequest:
    """The options of Undo, checked."""
    request = decode(UndoRequest, text, max_bytes=REQUEST_MAX_BYTES)
    check_undo_request(request)
    return request


def check_undo_request(request: UndoRequest) -> None:
    """Refuses names of wrong form, and those of no setting."""
    for field, wanted in (
        ("ids", request.ids),
        ("force", request.force),
        ("accept", request.accept),
    ):
        for index, name in enumerate(wanted or ()):
            _match(_ID, name, f"{field}[{index}]")
            if name.partition("@")[0] not in BY_ID:
                raise HelperError("UnknownKey", Said("helper.request.unknown_setting"), id=name)


def is_meant(request: UndoRequest, id_: str, device: str) -> bool:
    """Whether an undo names this setting."""
    return request.ids is None or is_named(id_, device, (*request.ids, *request.force))


def is_named(id_: str, device: str, wanted: Iterable[str]) -> bool:
    """Whether one of the names of an ``UndoRequest`` means this setting; either of a pair does."""
    names = [name.partition("@") for name in wanted]
    return any(part_of(named) == part_of(id_) and on in {"", device} for named, _, on in names)


def _match(pattern: re.Pattern[str], text: str, where: str) -> None:
    if not pattern.fullmatch(text):
        raise _invalid(where, Said("helper.request.form", {"text": ascii(text)[:40]}))


def _invalid(where: str, reason: Said) -> HelperError:
    said = Said("helper.request.invalid", {"where": where, "reason": reason})
    return HelperError("InvalidArgument", said)


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for name, value in pairs:
        if name in result:
            raise ValueError(f"the key {ascii(name)[:40]} is there twice")
        result[name] = value
    return result


def _refuse_number(text: str) -> NoReturn:
    raise ValueError(f"the number {text[:20]} is not a whole one")


def read_value(kind: Any, value: object, where: str, *, ignore_unknown: bool = False) -> Any:
    """``value`` as ``kind``: a dataclass, ``tuple[X, ...]``, ``X | None``, str, int, bool, Said.

    HelperError InvalidArgument with the place when it is not. ``ignore_unknown`` passes over
    keys that the dataclass does not have.
    """
    if kind in _SCALARS:
        # Not isinstance: True is an int in Python, and would pass for a number.
        if type(value) is not kind:
            wrong = Said("helper.request.not_of_type", {"type": kind.__name__})
            raise _invalid(where, wrong)
        return value
    if kind is Said:
        try:
            return read_said(value)
        except ValueError as error:
            wrong = Said("helper.request.not_said", {"error": str(error)})
            raise _invalid(where, wrong) from None
    if dataclasses.is_dataclass(kind):
        return _read_dataclass(kind, value, where, ignore_unknown=ignore_unknown)
    if typing.get_origin(kind) is tuple:
        if not isinstance(value, list):
            raise _invalid(where, Said("helper.request.not_list"))
        item = typing.get_args(kind)[0]
        return tuple(
            read_value(item, one, f"{where}[{index}]", ignore_unknown=ignore_unknown)
            for index, one in enumerate(value)
        )
    if value is None:  # what remains is X | None
        return None
    return read_value(typing.get_args(kind)[0], value, where, ignore_unknown=ignore_unknown)


def _read_dataclass(kind: Any, value: object, where: str, *, ignore_unknown: bool) -> object:
    if not isinstance(value, dict):
        raise _invalid(where, Said("helper.request.not_object"))
    fields = {field.name: field for field in dataclasses.fields(kind)}
    for name in value:
        if name not in fields and not ignore_unknown:
            wrong = Said("helper.request.unknown_key", {"key": ascii(name)[:40]})
            raise _invalid(where, wrong)
    for name, field in fields.items():
        if name not in value and field.default is dataclasses.MISSING:
            raise _invalid(where, Said("helper.request.missing_key", {"key": repr(name)}))
    prefix = "" if where == "request" else where + "."
    return kind(
        **{
            name: read_value(field.type, value[name], prefix + name, ignore_unknown=ignore_unknown)
            for name, field in fields.items()
            if name in value
        }
    )
