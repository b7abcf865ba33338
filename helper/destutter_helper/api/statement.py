# SPDX-License-Identifier: GPL-3.0-or-later
"""What the helper says to people, as data: the id of a text and what fills its places.

Both sides write it in words: the helper in English (``texts``), the application in the user's
language. What comes from the bus or from a file may be anything, so a reader has limits; whatever
is made here keeps to them, so that it can always be read again.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias, Union

from destutter_helper.api.texts import TEXTS

TOLD = "helper.told"
"""The id of a text that has no id of its own: of the system, or of another version."""

DEEPEST = 6  # a notice of a start that failed, whose values could not all be taken back, has 5
TEXT_MAX = 2000  # characters; the state of a queue under bfq has some 800
VALUES_MAX = 512  # a set has up to 64 changes, each with a few; thousands would keep a reader busy
NUMBER_MAX = 2**63 - 1

_ID = re.compile(r"helper(\.[a-z0-9_]{1,40}){1,4}")
_PLACE = re.compile(r"[a-z][a-z0-9_]{0,39}")

Value: TypeAlias = Union[str, int, "Said", tuple["Said", ...]]


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence, or a part of one; several as one value are a list.

    A place whose name ends in ``settings`` has the words of a state (see ``kernel_writer``).
    """

    id: str
    values: Mapping[str, Value] = field(default_factory=dict)

    def __post_init__(self) -> None:
        # In the order of the wire: so what is read again is written in the same words.
        fitting = {key: _fit(one) for key, one in sorted(self.values.items())}
        object.__setattr__(self, "values", fitting)

    def __hash__(self) -> int:
        return hash((self.id, frozenset(self.values.items())))

    def __str__(self) -> str:
        """In English; of an unknown id, or with other places, the id and its values."""
        written = {key: _english(value) for key, value in self.values.items()}
        text = TEXTS.get(self.id)
        if text is not None:
            try:
                return text.format_map(written)
            except KeyError:
                pass
        values = "; ".join(f"{key}: {value}" for key, value in written.items())
        return f"{self.id} ({values})" if values else self.id


def told(text: str) -> Said:
    """A finished text."""
    return Said(TOLD, {"text": text})


def plain_said(said: Said) -> dict[str, Any]:
    """As what JSON has."""
    return {"id": said.id, "values": {key: _plain(value) for key, value in said.values.items()}}


def read_said(data: object) -> Said:
    """The same again. ValueError when it is none, or more than there may be of one."""
    return _Reader().said(data, 0)


class _Reader:
    """Reads one, and counts its values."""

    def __init__(self) -> None:
        self._left = VALUES_MAX

    def said(self, data: object, depth: int) -> Said:
        if not isinstance(data, dict) or data.keys() != {"id", "values"}:
            raise ValueError("is not an id with values")
        id_, values = data["id"], data["values"]
        if not isinstance(id_, str) or not _ID.fullmatch(id_):
            raise ValueError("has no id of the helper's")
        if not isinstance(values, dict) or not all(map(_PLACE.fullmatch, values)):
            raise ValueError("has no names of places")
        if depth > DEEPEST:
            raise ValueError("is nested too deep")
        return Said(id_, {key: self._value(one, depth + 1) for key, one in values.items()})

    def _value(self, value: object, depth: int) -> Value:
        self._left -= len(value) if isinstance(value, list) else 1
        if self._left < 0:
            raise ValueError("has too many values")
        if isinstance(value, str):
            if len(value) > TEXT_MAX or not value.isprintable():
                raise ValueError("has a text that is too long or not one of letters")
            return value
        if type(value) is int:
            if abs(value) > NUMBER_MAX:
                raise ValueError("has a number that is too large")
            return value
        if isinstance(value, list):
            return tuple(self.said(one, depth) for one in value)
        return self.said(value, depth)


def _fit(value: Value) -> Value:
    """A value within the limits: a text without control characters, cut where it is too long."""
    if _depth(value) > DEEPEST:
        value = _english(value)
    if not isinstance(value, str):
        return value
    text = "".join(letter if letter.isprintable() else "?" for letter in value[: TEXT_MAX + 1])
    return text if len(text) <= TEXT_MAX else f"{text[: TEXT_MAX - 1]}…"


def _depth(value: Value) -> int:
    if isinstance(value, Said):
        return 1 + max(map(_depth, value.values.values()), default=0)
    return max(map(_depth, value), default=0) if isinstance(value, tuple) else 0


def _plain(value: Value) -> Any:
    if isinstance(value, Said):
        return plain_said(value)
    return [plain_said(one) for one in value] if isinstance(value, tuple) else value


def _english(value: Value) -> str:
    """As the application's catalogue writes it: 75,214, and "a, b and c"."""
    if isinstance(value, int):
        return f"{value:,}"
    if not isinstance(value, tuple):
        return str(value)
    *others, last = [*map(str, value)] or [""]
    return f"{', '.join(others)} and {last}" if others else last
