# SPDX-License-Identifier: GPL-3.0-or-later
"""What the lender makes of a request, and how often it lets itself be asked."""

import json

from hypothesis import given
from hypothesis import strategies as st

from destutter_helper.api import lending
from destutter_lender.files import Wanted
from destutter_lender.pace import ALL_S, Group, Pace, RefusedError
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


ONE, OTHER = ("process", 1), ("sandbox", 1)


class Clock:
    """Two clocks that stand still: of time, and of the processor's."""

    def __init__(self) -> None:
        self.now = 10.0
        self.worked = 0.0
        self.pace = Pace(lambda: self.now, lambda: self.worked)

    def costs(self, group: Group, seconds: float) -> str:
        """A call that costs so much; the name of the error that it gets instead."""
        try:
            self.pace.count(group)
        except RefusedError as error:
            return error.name
        with self.pace.charging(group):
            self.worked += seconds
        return ""


def test_calls_above_the_pace_are_refused_until_the_next_second():
    """A second is full after so many, and for this caller alone."""
    clock = Clock()
    assert {clock.costs(ONE, 0) for _ in range(lending.CALLS_PER_S_MAX)} == {""}
    assert clock.costs(ONE, 0) == "RateLimited"
    assert clock.costs(OTHER, 0) == ""
    clock.now = 11.0
    assert clock.costs(ONE, 0) == ""


def test_l17_time_is_shared_by_those_who_ask():
    """L17: who took its part is refused, and whoever else asks is not."""
    clock = Clock()
    assert clock.costs(ONE, ALL_S / 2) == ""
    assert clock.costs(ONE, 0) == "Busy"
    assert clock.costs(OTHER, ALL_S / 4) == clock.costs(OTHER, ALL_S / 4) == ""
    assert clock.costs(OTHER, 0) == "Busy"
    clock.now = 11.0
    assert clock.costs(ONE, 0) == clock.costs(OTHER, 0) == ""


def test_l17_what_a_call_costs_above_that_is_taken_from_the_seconds_after_it():
    """L17: a call of many seconds is none of one second."""
    clock = Clock()
    assert clock.costs(ONE, 5 * ALL_S) == ""
    said = []
    for second in range(11, 22):
        clock.now = second
        said.append(clock.costs(ONE, 0))
    assert said == ["Busy"] * 9 + [""] * 2


def test_l17_who_floods_is_not_served_until_it_stops():
    """L17: what is served between refusals holds up others; soon after the last all is well."""
    clock = Clock()
    said: dict[int, list[str]] = {}
    for second in range(10, 14):
        clock.now = second
        said[second] = [clock.costs(ONE, 0.001) for _ in range(16_000)]
    assert said[10].count("") > 0
    assert [said[second].count("") for second in (11, 12, 13)] == [0, 0, 0]
    assert clock.costs(OTHER, 0) == ""
    clock.now = 16.0
    assert clock.costs(ONE, 0) == ""


@given(st.lists(st.tuples(st.integers(0, 7), st.floats(0, 0.01)), min_size=1, max_size=300))
def test_l17_eight_of_them_cost_no_more_than_a_bounded_part(calls):
    """L17: of one second, however they ask; one more is answered."""
    clock = Clock()
    for which, seconds in calls:
        clock.costs(("process", which), seconds)
    assert clock.worked <= ALL_S * sum(1 / max(2, n) for n in range(1, 9)) + 8 * 0.01
    assert clock.costs(("process", 9), 0) == ""


def test_a_pause_lasts_until_the_next_second():
    """Then its allowance is back."""
    clock = Clock()
    assert clock.pace.pause_ms() == 1000
    clock.now = 10.75
    assert clock.pace.pause_ms() == 250
