# SPDX-License-Identifier: GPL-3.0-or-later
"""What the helper says, as statements of this program: the one place where they are turned."""

from collections.abc import Sequence
from functools import reduce

from destutter.core.statement import Statement, Value
from destutter_helper.api.payload import Result
from destutter_helper.api.statement import Said
from destutter_helper.api.statement import Value as SaidValue


def statement_of(said: Said) -> Statement:
    """The same with the values that this program writes."""
    return Statement(said.id, {key: _value(value) for key, value in said.values.items()})


def note_of(result: Result) -> Statement | None:
    """Everything that the helper noted about a result; None where that is nothing."""
    return joined([statement_of(note) for note in result.notes])


def joined(notes: Sequence[Statement]) -> Statement | None:
    return reduce(_both, notes) if notes else None


def _both(first: Statement, second: Statement) -> Statement:
    return Statement("helper.note.both", {"first": first, "second": second})


def _value(value: SaidValue) -> Value:
    if isinstance(value, Said):
        return statement_of(value)
    return tuple(map(statement_of, value)) if isinstance(value, tuple) else value
