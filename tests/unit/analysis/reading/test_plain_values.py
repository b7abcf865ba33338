# SPDX-License-Identifier: GPL-3.0-or-later
"""Values between two processes of the program: what comes out is what went in."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from destutter.analysis.reading.plain_values import NotAPlainValue, pack, unpack


class Colour(Enum):
    """A closed choice."""

    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True, slots=True)
class Leaf:
    """What a tree ends in."""

    name: str
    count: int
    share: float
    is_new: bool
    colour: Colour | None = None


@dataclass(frozen=True, slots=True)
class Tree:
    """Every kind of field that summaries have."""

    leaves: tuple[Leaf, ...]
    values: Mapping[str, str | int | float] = field(default_factory=dict)
    anything: Mapping[str, Any] = field(default_factory=dict)
    best: Leaf | None = None


@dataclass(frozen=True, slots=True)
class Measured:
    """Arrays, alone and by name."""

    whole: NDArray[np.float64]
    parts: Mapping[str, NDArray[np.float64]]


NUMBERS = st.floats(allow_nan=False)
LEAVES = st.builds(
    Leaf, st.text(), st.integers(), NUMBERS, st.booleans(), st.sampled_from(Colour) | st.none()
)
SCALARS = st.text() | st.integers() | NUMBERS
PLAIN = st.recursive(
    st.none() | st.booleans() | SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)
TREES = st.builds(
    Tree,
    st.lists(LEAVES, max_size=4).map(tuple),
    st.dictionaries(st.text(), SCALARS, max_size=4),
    st.dictionaries(st.text(), PLAIN, max_size=4),
    LEAVES | st.none(),
)
ARRAYS = st.lists(st.floats(), max_size=9).map(lambda each: np.array(each, np.float64))


@given(TREES)
def test_a_tree_comes_back(tree: Tree) -> None:
    """With its types: a choice is a choice again, and a tuple no list."""
    line, arrays = pack(tree)
    assert arrays == []
    assert unpack(Tree, line, arrays) == tree


@given(ARRAYS, st.dictionaries(st.text(), ARRAYS, max_size=3))
def test_arrays_come_back(whole: np.ndarray, parts: dict[str, np.ndarray]) -> None:
    """Bit by bit, with what was not measured."""
    back = unpack(Measured, *pack(Measured(whole, parts)))
    np.testing.assert_array_equal(back.whole, whole)
    assert back.parts.keys() == parts.keys()
    for name, values in parts.items():
        np.testing.assert_array_equal(back.parts[name], values)


@given(PLAIN)
def test_anything_else_is_refused_in_words(plain: object) -> None:
    """Never half a value, never another error."""
    with pytest.raises(NotAPlainValue):
        unpack(Measured, json.dumps(plain), [])


@pytest.mark.parametrize("line", ["", "[", "nonsense", "[" * 100_000, '["red","red"]'])
def test_damaged_lines_are_refused(line: str) -> None:
    """A torn pipe is an error that callers expect."""
    with pytest.raises(NotAPlainValue):
        unpack(Leaf, line, [])


@pytest.mark.parametrize(
    "body",
    [
        ["a", 1, 0.5, True, "green"],
        ["a", "1", 0.5, True, None],
        ["a", True, 0.5, True, None],
        [None, 1, 0.5, True, None],
        ["a", 1, 0.5, True],
    ],
)
def test_a_wrong_field_is_refused(body: list[object]) -> None:
    """Text for a number, an unknown choice, a field too few."""
    with pytest.raises(NotAPlainValue):
        unpack(Leaf, json.dumps(body), [])


def test_what_cannot_be_sent_is_a_mistake_of_the_program() -> None:
    """A set has no order, so it has no place in a line."""
    with pytest.raises(TypeError):
        pack(frozenset({1}))
