# SPDX-License-Identifier: GPL-3.0-or-later
"""Of many alike cases a fair sample at a desk; ``.ci/run`` plays them all."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TypeVar

import pytest

T = TypeVar("T")

AT_A_DESK = 3
"""So many of the cases of one test, where nobody chose: the first, one between, and the last."""


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


def mark_alike(items: Iterable[pytest.Item]) -> None:
    """Mark as ``alike`` what a desk leaves out of a test with more cases, evenly spread by name.

    Where some cases are ``long``, somebody has chosen the others (``sampled``).
    """
    tests: defaultdict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        if hasattr(item, "callspec"):
            tests[item.nodeid.partition("[")[0]].append(item)
    for cases in tests.values():
        if not any(each.get_closest_marker("long") for each in cases):
            for each in _left_out(sorted(cases, key=lambda item: item.nodeid)):
                each.add_marker("alike")


def _left_out(cases: Sequence[pytest.Item]) -> Iterable[pytest.Item]:
    last = len(cases) - 1
    kept = {round(last * number / (AT_A_DESK - 1)) for number in range(AT_A_DESK)}
    return (each for number, each in enumerate(cases) if number not in kept)
