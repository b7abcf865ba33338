# SPDX-License-Identifier: GPL-3.0-or-later
"""What is said to people, as data: the id of a text and what fills its places.

No layer holds finished sentences. The texts stand in ``resources/catalogue``, and
``destutter.words`` writes them in a language.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

_DEEPEST = 4
"""Sentences inside sentences; what comes from a file or from another process may be anything."""

_LARGEST = 1e300
"""Neither infinity nor NaN can be rounded."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence, or a part of one. The end of a place's name says what kind of value it is.

    ``worst_ms`` is written with its unit, ``cause`` by its name (``words.renderer`` has the list).
    A statement as a value is a part of the sentence, or where the place's name ends in
    ``sentence`` one of its own; several are a list of names, or ``sentences``.
    """

    id: str
    values: "Mapping[str, Value]" = field(default_factory=dict)

    def __hash__(self) -> int:
        return hash((self.id, frozenset(self.values.items())))

    def __str__(self) -> str:
        """The sentence in English, for logs and tracebacks."""
        # Late, and against the layers: whoever shows a statement to people writes it.
        from destutter.words.renderer import english

        return english(self)


TOLD = "core.told"
"""The id of a text that has no id of its own."""

Value: TypeAlias = str | int | float | Statement | tuple[Statement, ...]


def told(text: str) -> Statement:
    """A finished text as a statement: of the system, of another program or of an old recording."""
    return Statement(TOLD, {"text": text})


class StatementError(Exception):
    """An error that is shown to people; its text is the statement in English."""

    def __init__(self, statement: Statement) -> None:
        super().__init__(statement)
        self.statement = statement

    def __str__(self) -> str:
        return str(self.statement)


def plain_statement(statement: Statement) -> dict[str, Any]:
    """The statement as plain values for JSON: its id, and its values where it has any."""
    values = {key: _plain(value) for key, value in statement.values.items()}
    return {"id": statement.id, "values": values} if values else {"id": statement.id}


def read_statement(data: object, *, _depth: int = 0) -> Statement | None:
    """The statement behind plain values that came from elsewhere; None where they are none."""
    if not isinstance(data, dict) or _depth > _DEEPEST:
        return None
    id_, values = data.get("id"), data.get("values", {})
    if not isinstance(id_, str) or not isinstance(values, dict):
        return None
    read = {str(key): _read(value, _depth + 1) for key, value in values.items()}
    known = {key: value for key, value in read.items() if value is not None}
    return Statement(id_, known) if len(known) == len(read) else None


def _plain(value: Value) -> Any:
    if isinstance(value, Statement):
        return plain_statement(value)
    return [plain_statement(each) for each in value] if isinstance(value, tuple) else value


def _read(value: object, depth: int) -> Value | None:
    if isinstance(value, str):
        return value
    if isinstance(value, int | float):
        return value if -_LARGEST <= value <= _LARGEST else None
    if not isinstance(value, list):
        return read_statement(value, _depth=depth)
    read = [read_statement(each, _depth=depth) for each in value]
    known = tuple(each for each in read if each is not None)
    return known if len(known) == len(read) else None
