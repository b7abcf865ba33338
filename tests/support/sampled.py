# SPDX-License-Identifier: GPL-3.0-or-later
"""Of many alike cases a fair sample at a desk; ``.ci/run`` plays them all."""

from collections.abc import Callable, Collection, Iterable
from typing import TypeVar

import pytest

T = TypeVar("T")


def sampled(
    cases: Iterable[T], at_a_desk: Collection[T], name: Callable[[T], str] = str
) -> list[object]:
    """The cases as parameters (a tuple is several): those that no desk plays are marked ``long``.

    ValueError when a case of the desk is none, so that a new name loses nobody's test.
    """
    cases = list(cases)
    if unknown := [each for each in at_a_desk if each not in cases]:
        raise ValueError(f"no such cases: {unknown}")
    return [
        pytest.param(
            *(each if isinstance(each, tuple) else (each,)),
            marks=() if each in at_a_desk else pytest.mark.long,
            id=name(each),
        )
        for each in cases
    ]
