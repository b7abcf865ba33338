# SPDX-License-Identifier: GPL-3.0-or-later
"""Statements between processes, and in errors."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.core.statement import (
    Statement,
    StatementError,
    plain_statement,
    read_statement,
)

FLAT = st.text() | st.integers(-(2**63), 2**63) | st.floats(-1e300, 1e300)


def _statements(inner):
    return st.builds(
        Statement, st.text(), st.dictionaries(st.text(), FLAT | inner | st.tuples(inner, inner))
    )


STATEMENTS = st.recursive(_statements(st.nothing()), _statements, max_leaves=4).filter(
    lambda each: _depth(each) <= 4
)


def _depth(value) -> int:
    if isinstance(value, Statement):
        return 1 + max(map(_depth, value.values.values()), default=0)
    return max(map(_depth, value), default=0) if isinstance(value, tuple) else 0


@given(STATEMENTS)
def test_what_comes_out_is_what_went_in(statement):
    """Through JSON, with sentences inside sentences."""
    assert read_statement(json.loads(json.dumps(plain_statement(statement)))) == statement


@pytest.mark.parametrize(
    "data",
    [
        None,
        "text",
        [],
        {},
        {"id": 5},
        {"id": "a", "values": []},
        {"id": "a", "values": {"x": None}},
        {"id": "a", "values": {"x": float("inf")}},
        {"id": "a", "values": {"x": float("nan")}},
        {"id": "a", "values": {"x": 10**400}},
        {"id": "a", "values": {"x": [5]}},
        {"id": "a", "values": {"x": {"id": 5}}},
    ],
)
def test_what_is_no_statement_is_none(data):
    """What another process sends is looked at before it is shown."""
    assert read_statement(data) is None


def test_what_has_no_end_is_none():
    """A sentence in a sentence in a sentence ... is nothing that anybody says."""
    data: dict[str, object] = {"id": "a"}
    for _ in range(20):
        data = {"id": "a", "values": {"x": data}}
    assert read_statement(data) is None


def test_an_error_says_its_english():
    """Logs and tracebacks stay readable."""
    error = StatementError(Statement("reason.no_match"))
    assert str(error) == "No stutter is known to come from it"
    assert error.statement.id == "reason.no_match"
