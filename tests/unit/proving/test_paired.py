# SPDX-License-Identifier: GPL-3.0-or-later
"""Verdicts over pairs of blocks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.core.compared import ComparedOutcome
from destutter.proving.paired import MOST_PAIRS, judge, order_of_blocks

times = st.floats(0.01, 1e4, allow_nan=False)
pairs = st.lists(st.tuples(times, times), min_size=6, max_size=10)


def test_half_of_it_in_every_pair_is_better():
    """Six pairs that all halve: p is 2 of 64 sign patterns, the ratio 0.5."""
    found = judge([10, 12, 9, 11, 30, 8], [5, 6, 4.5, 5.5, 15, 4])
    assert found.outcome is ComparedOutcome.BETTER
    assert found.ratio == pytest.approx(0.5)
    assert found.p == pytest.approx(2 / 64)


def test_one_pair_against_the_others_is_too_close():
    """A single pair the other way round takes the certainty that six pairs can give."""
    found = judge([10, 12, 9, 11, 30, 8], [5, 6, 4.5, 5.5, 15, 160])
    assert found.outcome is ComparedOutcome.TOO_CLOSE


def test_the_same_twice_is_no_difference():
    """Blocks that hardly differ stay within ten percent."""
    found = judge([10, 10.1, 9.9, 10, 10.2, 9.8], [10, 10, 10, 10.1, 10.1, 9.9])
    assert found.outcome is ComparedOutcome.NO_DIFFERENCE


def test_a_sure_but_tiny_effect_is_no_difference():
    """Five percent less in every pair is nothing that a player would feel."""
    assert judge([10] * 6, [9.5] * 6).outcome is ComparedOutcome.NO_DIFFERENCE


@pytest.mark.parametrize("count", [0, 1, 5, MOST_PAIRS + 1])
def test_too_few_or_too_many_pairs_are_refused(count):
    """Below six pairs nothing can be shown; above sixteen the exact test takes too long."""
    with pytest.raises(ValueError, match="pairs"):
        judge([1.0] * count, [1.0] * count)


@given(pairs)
def test_exchanging_the_sides_turns_the_verdict_around(values):
    """Better becomes worse, the ratio its inverse, and p stays."""
    a, b = [x for x, _ in values], [y for _, y in values]
    there, back = judge(a, b), judge(b, a)
    assert back.ratio == pytest.approx(1 / there.ratio)
    assert back.p == pytest.approx(there.p)
    turned = {
        ComparedOutcome.BETTER: ComparedOutcome.WORSE,
        ComparedOutcome.WORSE: ComparedOutcome.BETTER,
    }
    if there.outcome in turned and abs(there.ratio - 1) > 0.12:
        assert back.outcome is turned[there.outcome]


@given(pairs)
def test_ratio_lies_in_its_interval(values):
    """The interval holds the median ratio, and p is a chance."""
    found = judge([x for x, _ in values], [y for _, y in values])
    assert found.low <= found.ratio * 1.000001
    assert found.high >= found.ratio * 0.999999
    assert 0 < found.p <= 1


@given(st.integers(1, 16), st.integers(0, 1 << 32))
def test_blocks_alternate_so_that_a_drift_hits_both_sides(count, seed):
    """Each pair has one block of each kind, and the order turns around from pair to pair."""
    order = order_of_blocks(count, seed)
    assert len(order) == 2 * count
    for number in range(0, 2 * count, 2):
        assert order[number] is not order[number + 1]
    for number in range(2, 2 * count, 2):
        assert order[number] is order[number - 1]
