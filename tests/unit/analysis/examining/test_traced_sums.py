# SPDX-License-Identifier: GPL-3.0-or-later
"""What looks of an expert's trace add up to."""

from destutter.analysis.examining.traced_sums import TracedSums
from destutter.core.traced import FILE, INTERRUPT, TracedTally, TraceLook, TraceLoss

MS, S = 1_000_000, 1_000_000_000


def look(end_ns: int, cpu_us: int, *tallies: TracedTally, losses=()) -> TraceLook:
    return TraceLook(
        end_ns - S, end_ns, 0, cpu_us, counts={"events": 10}, tallies=tallies, losses=losses
    )


def test_the_same_is_added_and_the_most_comes_first():
    """By kind and name; the longest stays the longest."""
    sums = TracedSums()
    one, other = (
        TracedTally(INTERRUPT, "a", 1, 5 * MS, 5 * MS),
        TracedTally(INTERRUPT, "b", 9, MS, MS),
    )
    page = TracedTally(FILE, "/a", 3)
    sums.accept_looks([look(S, 0, one, other, page), look(2 * S, 0, one, page)])
    assert sums.of(INTERRUPT) == (TracedTally(INTERRUPT, "a", 2, 10 * MS, 5 * MS), other)
    assert sums.of(FILE) == (TracedTally(FILE, "/a", 6),)


def test_what_the_reading_cost_is_without_its_start():
    """And a second reader, which counts from nothing, is not taken for a gain."""
    sums = TracedSums()
    assert (sums.is_empty, sums.cost_pct) == (True, 0.0)
    sums.accept_looks(
        [look(S, 90_000), look(2 * S, 95_000), look(3 * S, 10_000), look(4 * S, 15_000)]
    )
    assert (sums.events, sums.cpu_us, sums.taken_ns) == (40, 10_000, 2 * S)
    assert sums.cost_pct == 0.5


def test_what_several_rings_lost_at_once_is_one_time():
    """It is told how long was not measured in full, not how often."""
    losses = tuple(
        TraceLoss(begin * S, end * S, 1, "x") for begin, end in ((1, 3), (2, 4), (6, 7))
    )
    sums = TracedSums()
    sums.accept_looks([look(8 * S, 0, losses=losses)])
    assert sums.partly_ns == 4 * S


def test_names_without_end_do_not_take_memory_without_end():
    """A game may map very many files."""
    sums = TracedSums()
    for at in range(30):
        sums.accept_looks([look(S, 0, *(TracedTally(FILE, f"{at}/{n}", 1) for n in range(100)))])
    assert len(sums._sums) == 2000
    assert len(sums.of(FILE)) == 15
