# SPDX-License-Identifier: GPL-3.0-or-later
"""Results of the helper, and of what was read after it, as statements and for programs."""

from typing import Any

from destutter.analysis.changes.helper_statements import joined, statement_of
from destutter.analysis.changes.tuning_state import LASTS_ALWAYS, LASTS_RESTART, LASTS_TRIAL
from destutter.core.statement import Statement, Value
from destutter.tuning.keys import key_of
from destutter_helper.api.payload import Result
from destutter_helper.api.tunables import read_state

_SETTINGS = "settings"
"""Places whose names end so have the words of a state."""

_DEVICE_LEFT = "helper.note.device_left"
_LASTS = frozenset({LASTS_ALWAYS, LASTS_RESTART, LASTS_TRIAL})
_OUTCOMES = frozenset(
    {"already", "restored", "accepted", "ok", "reset", "resurrected", "until-restart"}
)


def result_line(result: Result, asked: str | None = None) -> Statement:
    """One line about one result; ``asked`` is the value that was wished for."""
    name: Value = result.id
    if result.device:
        name = Statement("change.on", {"name": result.id, "device": result.device})
    return Statement("change.line", {"name": name, "what": _what(result, asked)})


def key_of_result(result: Result) -> str:
    """The setting as it is named on the command line."""
    return key_of(result.id, result.device)


def told_value(value: str | None) -> Value:
    """A value for people: a scheduler's own settings are there only while it is."""
    return Statement("status.owner.no_value") if value is None else value


def how_long(until: str) -> Value:
    return Statement(f"status.lasts.{until}") if until in _LASTS else until


def result_json(result: Result) -> dict[str, Any]:
    """The result for programs. ``note``: how long it stays, or else what was noted, in English."""
    return {
        "id": result.id,
        "device": result.device,
        "outcome": result.outcome,
        "value": result.value,
        "origin": result.origin,
        "note": result.until or result.note,
    }


def _what(result: Result, asked: str | None) -> Statement:
    if result.outcome == "foreign":
        return _left_alone(result)
    note = _note(result)
    if result.outcome == "failed":
        if result.value is None:
            return note or Statement("change.failed")
        still = Statement("change.still", {"value": result.value})
        return _with("change.because", still, note) if note else still
    if result.outcome == "gone":
        is_told = [said.id for said in result.notes] == [_DEVICE_LEFT]
        what = Statement("change.starts_anew") if is_told else note
        return Statement("change.gone", {"what": what or ""})
    value, origin = told_value(result.value), told_value(result.origin)
    if result.outcome == "changed":
        told = Statement("change.changed", {"origin": origin, "value": value})
    elif result.outcome in _OUTCOMES:
        told = Statement(f"change.outcome.{result.outcome.replace('-', '_')}", {"value": value})
    else:
        told = Statement("core.told", {"text": result.outcome})
    if result.until:
        told = _with("change.lasting", told, how_long(result.until))
    elif note and result.outcome != "changed":
        told = _with("change.noted", told, note)
    if result.outcome != "changed" or asked in (None, result.value):
        return told
    # The kernel rounds some values, to 0 as well: what was asked for is not what there is.
    return Statement("change.rounded", {"what": told, "asked": asked or "", "value": value})


def _left_alone(result: Result) -> Statement:
    """Somebody else's value, and both ways out of it."""
    values = [said.values.get(_SETTINGS) for said in result.notes]
    theirs = read_state(" ".join(value for value in values if isinstance(value, str)))
    if result.value is None:
        what = Statement("change.left", {"more": _note(result) or ""})
    elif theirs.get(result.id) == result.value and len(theirs) > 1:
        what = Statement("change.left.tied", {"value": result.value})
    else:
        what = Statement("change.left.foreign", {"value": result.value})
    origin = told_value(result.origin)
    return Statement(
        "change.left.ways", {"what": what, "name": key_of_result(result), "origin": origin}
    )


def _with(id_: str, what: Statement, more: Value) -> Statement:
    return Statement(id_, {"what": what, "more": more})


def _note(result: Result) -> Statement | None:
    """The helper's notes without the list of everything that the kernel ties to the setting."""
    return joined([_shortened(statement_of(note), result.id) for note in result.notes])


def _shortened(note: Statement, id_: str) -> Statement:
    values = {
        place: _own(value, id_) if place.endswith(_SETTINGS) and isinstance(value, str) else value
        for place, value in note.values.items()
    }
    return Statement(note.id, values)


def _own(state: str, id_: str) -> Value:
    """Of a state the value of one setting, and how many others there are."""
    values = read_state(state)
    own = values.pop(id_, None)
    if not values:
        return own or ""
    tied = Statement("change.tied", {"count": len(values)})
    return tied if own is None else Statement("change.tied.with", {"own": own, "tied": tied})
