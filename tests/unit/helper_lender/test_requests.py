# SPDX-License-Identifier: GPL-3.0-or-later
"""What the lender makes of a request, and how often it lets itself be asked."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter_helper.api import lending
from destutter_lender.files import Wanted
from destutter_lender.pace import Pace, RefusedError
from destutter_lender.requests import RequestError, read_request

NUMBERS = st.integers(0, (1 << 31) - 1)
ROWS = st.lists(st.tuples(NUMBERS, NUMBERS, st.text(max_size=40)), min_size=1, max_size=16)


@given(ROWS)
def test_what_makes_sense_is_read(rows):
    """Each row is a file, in order."""
    text = json.dumps(rows)
    if len(text) <= lending.REQUEST_MAX_BYTES:
        assert read_request(text) == [Wanted(*row) for row in rows]


ODD = st.none() | st.booleans() | st.floats() | st.text(max_size=5) | st.integers()
CELLS = NUMBERS | st.text(max_size=5) | ODD
NEAR = st.lists(st.lists(CELLS, min_size=2, max_size=4) | st.tuples(NUMBERS, NUMBERS, ODD))


@given(st.text() | NEAR.map(json.dumps))
def test_anything_else_is_refused_in_words(text):
    """No other error, whatever comes; what is let through is what was written, and in order."""
    try:
        wanted = read_request(text)
    except RequestError:
        return
    assert [[each.pid, each.tid, each.name] for each in wanted] == json.loads(text)
    assert all(0 <= each.pid < 1 << 31 and 0 <= each.tid < 1 << 31 for each in wanted)
    assert all(type(each.name) is str for each in wanted)


def test_calls_above_the_pace_are_refused_until_the_next_second():
    """A second is full after so many."""
    now = 10.0
    pace = Pace(lambda: now)
    for _ in range(lending.CALLS_PER_S_MAX):
        pace.count()
    with pytest.raises(RefusedError) as caught:
        pace.count()
    assert caught.value.name == "RateLimited"
    now = 11.0
    pace.count()
