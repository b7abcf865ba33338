# SPDX-License-Identifier: GPL-3.0-or-later
"""When the processes are looked at out of turn."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from destutter.sampling.ticks.hold_ups import HoldUps, LookFor

TICK_NS = 100_000_000
RAN, USUAL = LookFor.WHO_RAN, LookFor.USUAL


def _looks(held_up, begun_ns=10_000_000_000):
    """The ticks at which a look was due, by number, and what for."""
    hold_ups = HoldUps()
    found = {}
    for number, is_held_up in enumerate(held_up):
        look = hold_ups.due(begun_ns + number * TICK_NS, is_held_up=is_held_up)
        if look is not None:
            found[number] = look
    return found


def test_the_look_comes_when_the_hold_up_is_over_and_after_a_quiet_second():
    """Then nothing more: a game that is never held up costs no look."""
    assert _looks([False] * 3 + [True] * 4 + [False] * 40) == {7: RAN, 17: USUAL}


def test_a_long_hold_up_is_looked_into_while_it_lasts():
    """Who made it may be gone at its end."""
    assert list(_looks([True] * 10)) == [5]


def test_without_a_quiet_second_there_is_no_look_of_one():
    """Hold-ups every 1.2 s: each has its look, and none says what is usual."""
    assert set(_looks(([True] * 2 + [False] + [True] * 9) * 5).values()) == {RAN}


def test_a_hold_up_within_the_pause_is_looked_into_after_it():
    """A second after the one before."""
    held_up = [True, False, False, True] + [False] * 40
    assert _looks(held_up) == {1: RAN, 11: RAN, 21: USUAL}


@given(st.lists(st.booleans(), max_size=300))
def test_there_is_never_more_than_a_pair_of_looks_a_second(held_up):
    """However it goes on; a look of what is usual never follows another."""
    found = _looks(held_up)
    kinds = list(found.values())
    assert all(kinds[place : place + 2] != [USUAL, USUAL] for place in range(len(kinds)))
    ran = [number for number, look in found.items() if look is RAN]
    assert all(later - first >= 10 for first, later in pairwise(ran))
