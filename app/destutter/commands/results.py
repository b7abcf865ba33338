# SPDX-License-Identifier: GPL-3.0-or-later
"""Results of the helper, and of what was read after it, as lines for people."""

from typing import Any

from destutter_helper.api.payload import Result
from destutter_helper.api.statement import Said
from destutter_helper.api.tunables import read_state

UNDONE_PARTLY = frozenset({"foreign", "failed"})
"""Outcomes after which something is not as it was asked for."""

_SETTINGS = "settings"
"""Places whose names end so have the words of a state."""

_DEVICE_LEFT = "helper.note.device_left"
_LASTS = {"restart": "until the next restart", "always": "at every start"}


def describe_result(result: Result, asked: str | None = None) -> str:
    """One line about one result; ``asked`` is the value that was wished for."""
    name = f"{result.id} ({result.device})" if result.device else result.id
    return f"{name}: {_sentence(result, asked)}"


def key_of_result(result: Result) -> str:
    """The setting as it is named on the command line."""
    return f"{result.id}@{result.device}" if result.device else result.id


def told_value(value: str | None) -> str:
    """A value for people: a scheduler's own settings are there only while it is."""
    return "absent" if value is None else value


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


def plain_note(result: Result) -> str:
    """The helper's notes without the list of everything that the kernel ties to the setting."""
    return "; ".join(str(_shortened(note, result.id)) for note in result.notes)


def _shortened(note: Said, id_: str) -> Said:
    values = {
        place: _own(str(value), id_) if place.endswith(_SETTINGS) else value
        for place, value in note.values.items()
    }
    return Said(note.id, values)


def _own(state: str, id_: str) -> str:
    """Of a state the value of one setting, and how many others there are."""
    values = read_state(state)
    own = [values.pop(id_)] if id_ in values else []
    tied = [f"{len(values)} other settings that belong together with it"] if values else []
    return " and ".join([*own, *tied])


def _sentence(result: Result, asked: str | None) -> str:
    lasts = _LASTS.get(result.until, result.until)
    if result.outcome == "changed":
        text = f"{told_value(result.origin)} -> {told_value(result.value)}" + (
            f", {lasts}" if lasts else ""
        )
        return text + _taken_otherwise(result, asked)
    if result.outcome == "foreign":
        return _left_alone(result)
    note = plain_note(result)
    if result.outcome == "failed":
        if result.value is None:
            return note or "not changed"
        return f"still {result.value}: {note}" if note else f"still {result.value}"
    if result.outcome == "gone":
        is_told = [said.id for said in result.notes] == [_DEVICE_LEFT]
        what = "it starts anew when it returns" if is_told else note
        return f"the device is not there any more; {what}"
    text = _OUTCOMES.get(result.outcome, result.outcome)
    text = text.format(value=told_value(result.value))
    if lasts:
        return f"{text}, {lasts}"
    return f"{text} ({note})" if note else text


def _left_alone(result: Result) -> str:
    """Somebody else's value, and both ways out of it."""
    name = key_of_result(result)
    values = [said.values.get(_SETTINGS) for said in result.notes]
    theirs = read_state(" ".join(value for value in values if isinstance(value, str)))
    what = f"left alone at {result.value}: somebody else has set it since"
    if theirs.get(result.id) == result.value and len(theirs) > 1:
        what = f"left alone at {result.value}: somebody else has changed it, or what belongs to it"
    if result.value is None:
        what = f"left alone: {plain_note(result)}"
    return (
        f"{what}. 'destutter undo {name} --force' sets {result.origin} nevertheless, "
        f"'destutter undo {name} --accept' leaves it and forgets it"
    )


def _taken_otherwise(result: Result, asked: str | None) -> str:
    """The kernel rounds some values, to 0 as well: what was asked for is not what there is."""
    if asked is None or asked == result.value:
        return ""
    return f" (asked for {asked}: the kernel made {result.value} of it)"


_OUTCOMES = {
    "already": "already {value}",
    "restored": "back to {value}",
    "accepted": "left as it is, and forgotten",
    "ok": "{value}, as set by Destutter",
    "reset": "{value} again, as before Destutter",
    "resurrected": "Destutter's old value {value} is back",
    "until-restart": "{value} until the next restart",
}
