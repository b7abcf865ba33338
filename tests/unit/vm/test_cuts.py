# SPDX-License-Identifier: GPL-3.0-or-later
"""How a start between two power cuts is judged; no guest is booted here."""

import pytest

from tests.vm.cuts import is_good_start

FOUND = "ok - found stock values"


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ((FOUND, "apply, cut at step 7 of 48"), True),
        ((FOUND,), True),
        ((), False),
        (("apply, cut at step 7 of 48",), False),
        ((FOUND, "not ok - apply took fewer than 7 steps"), False),
        ((FOUND, "Traceback (most recent call last):", "AssertionError: left"), False),
    ],
)
def test_a_start_is_good_without_a_complaint(told, expected):
    """A start must say that it found what it should, and nothing else may go wrong in it."""
    assert is_good_start(told) is expected
