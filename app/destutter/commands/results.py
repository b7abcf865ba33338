# SPDX-License-Identifier: GPL-3.0-or-later
"""Results of the helper, and of what was read after it, as lines for people."""

from destutter_helper.api.payload import Result
from destutter_helper.api.tunables import BY_ID

UNDONE_PARTLY = frozenset({"foreign", "failed"})
"""Outcomes after which something is not as it was asked for."""

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


def plain_note(result: Result) -> str:
    """The helper's note without the list of everything that the kernel ties to the setting."""
    words = result.note.split(" ")
    state = [word for word in words if word.partition("=")[0] in BY_ID]
    if not state:
        return result.note
    own = dict(word.partition("=")[::2] for word in state).get(result.id)
    others = len(state) - (own is not None)
    tied = f"{others} other settings that belong together with it" if others else ""
    shown = " and ".join(filter(None, (own, tied)))
    first = words.index(state[0])
    rest = [word for word in words[first:] if word not in state]
    return " ".join([*words[:first], shown, *rest])


def _sentence(result: Result, asked: str | None) -> str:
    if result.outcome == "changed":
        lasts = _LASTS.get(result.note, result.note)
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
        return f"the device is not there any more; {note.removeprefix('the device left; ')}"
    text = _OUTCOMES.get(result.outcome, result.outcome)
    text = text.format(value=told_value(result.value))
    if result.note in _LASTS:
        return f"{text}, {_LASTS[result.note]}"
    return f"{text} ({note})" if note else text


def _left_alone(result: Result) -> str:
    """Somebody else's value, and both ways out of it."""
    name = key_of_result(result)
    is_own_value = f"{result.id}={result.value}" in result.note.split(" ")
    others = sum(word.partition("=")[0] in BY_ID for word in result.note.split(" "))
    what = f"left alone at {result.value}: somebody else has set it since"
    if is_own_value and others > 1:
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
