# SPDX-License-Identifier: GPL-3.0-or-later
"""What several runs of each side confirm, and how seldom chance alone is called an effect."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.core.compared import ComparedOutcome
from destutter.diagnosis.chance import binomial_tail, student_two_sided
from destutter.diagnosis.runs.confirmed_counts import Counted, confirm


def _counted(a, b, id_="long_frames", minutes=10.0):
    return Counted(
        id_,
        tuple(map(float, a)),
        (minutes,) * len(a),
        tuple(map(float, b)),
        (minutes,) * len(b),
    )


def _one(a, b):
    return confirm([_counted(a, b)])[0]


def test_three_runs_of_each_confirm_a_large_difference():
    """Thirty against three in each run."""
    told = _one((30, 28, 33), (3, 2, 4))
    assert told.outcome is ComparedOutcome.BETTER
    assert (told.rate_a, told.rate_b) == (pytest.approx(91 / 30), pytest.approx(0.3))
    assert _one((3, 2, 4), (30, 28, 33)).outcome is ComparedOutcome.WORSE


def test_two_runs_of_each_confirm_nothing():
    """However sure the numbers are."""
    told = _one((300, 280), (3, 2))
    assert told.chance < 1e-6
    assert told.outcome is ComparedOutcome.TOO_CLOSE


def test_the_exact_probability_is_that_of_coins():
    """Ten events, all on one side, with equal time on both: twice two to the minus ten."""
    assert _one((4, 3, 3), (0, 0, 0)).chance == pytest.approx(2 * 0.5**10)


def test_more_time_on_one_side_is_taken_into_account():
    """Three times as many events in three times the time are no difference."""
    measure = Counted("x", (30.0,) * 3, (30.0,) * 3, (10.0,) * 3, (10.0,) * 3)
    assert confirm([measure])[0].chance == pytest.approx(1.0, abs=0.01)


def test_runs_that_differ_among_each_other_confirm_less():
    """The same sums, once alike and once with all events of a side in one run."""
    alike, uneven = _one((20, 20, 20), (10, 10, 10)), _one((58, 1, 1), (29, 0, 1))
    assert alike.outcome is ComparedOutcome.BETTER
    assert uneven.dispersion > 10
    assert uneven.chance > 0.2
    assert uneven.outcome is ComparedOutcome.TOO_CLOSE


def test_an_effect_below_a_tenth_is_not_worth_confirming():
    """A million events make every difference significant."""
    told = _one((1_000_000,) * 3, (950_000,) * 3)
    assert told.chance < 1e-6
    assert told.outcome is ComparedOutcome.TOO_CLOSE


def test_many_measures_are_corrected_for_their_number():
    """Holm: the smallest of four probabilities times four, the order kept."""
    pairs = [((9, 9, 9), (4, 4, 4)), ((5, 5, 5), (5, 5, 5)), ((9, 9, 9), (6, 6, 6))]
    alone = [_one(*pair).chance for pair in pairs]
    together = [each.chance for each in confirm([_counted(*pair) for pair in pairs])]
    assert together[0] == pytest.approx(3 * alone[0])
    assert together[2] == pytest.approx(2 * alone[2])
    assert together[1] == pytest.approx(1.0)


def test_a_less_sure_measure_is_never_confirmed_before_a_surer_one():
    """Else the count with the larger difference stays open beside one with a smaller.

    Three percent become six, and the four and a half beside them may be no less.
    """
    surer, other = ((24, 24, 25), (16, 16, 16)), ((24, 24, 24), (16, 16, 17))
    alone = [_one(*pair) for pair in (surer, other)]
    assert [each.outcome for each in alone] == [ComparedOutcome.BETTER] * 2
    assert alone[0].chance < alone[1].chance < 2 * alone[0].chance
    together = confirm([_counted(*other), _counted(*surer)])
    assert [each.chance for each in together] == [pytest.approx(2 * alone[0].chance)] * 2
    assert [each.outcome for each in together] == [ComparedOutcome.TOO_CLOSE] * 2


def test_what_was_not_measured_on_a_side_is_left_out():
    """No work, no rate."""
    assert confirm([Counted("x", (1.0,), (0.0,), (1.0,), (5.0,))]) == ()


@pytest.mark.parametrize("spread", [0.0, 0.5])
def test_chance_alone_is_seldom_called_an_effect(spread):
    """Of two thousand comparisons without an effect hardly more than one in twenty.

    Also where runs of one kind differ from each other by half of their mean.
    """
    generator = np.random.default_rng(7)
    found = 0
    for _ in range(2000):
        rates = 20.0 * generator.gamma(1 / spread**2, spread**2, 6) if spread else np.full(6, 20.0)
        counts = generator.poisson(rates)
        found += _one(counts[:3], counts[3:]).outcome is not ComparedOutcome.TOO_CLOSE
    assert found / 2000 <= 0.07


COUNTS = st.lists(st.integers(0, 10_000), min_size=1, max_size=6)


@given(COUNTS, COUNTS)
def test_any_counts_give_a_probability(a, b):
    """Between 0 and 1, whatever the counts are; the other way round it is the same."""
    told, other = _one(a, b), _one(b, a)
    assert 0.0 <= told.chance <= 1.0
    assert told.chance == pytest.approx(other.chance, abs=1e-9)


@pytest.mark.parametrize(
    ("value", "freedom"),
    [(12.706, 1), (4.303, 2), (3.182, 3), (2.776, 4), (2.571, 5), (2.447, 6), (2.131, 15)],
)
def test_students_distribution_has_the_values_of_the_tables(value, freedom):
    """Five percent lie beyond these."""
    assert student_two_sided(value, freedom) == pytest.approx(0.05, abs=1e-4)
    assert student_two_sided(-value, freedom) == student_two_sided(value, freedom)


def test_students_distribution_has_ends():
    """Certain at nothing, impossible at infinity, and no degree of freedom is an error."""
    assert student_two_sided(0.0, 4) == pytest.approx(1.0)
    assert student_two_sided(math.inf, 4) == 0.0
    with pytest.raises(ValueError, match="degree"):
        student_two_sided(1.0, 0)


def test_a_tail_of_millions_is_summed_as_far_as_it_matters():
    """The upper half of a symmetric distribution."""
    assert binomial_tail(5_000_001, 10_000_000, 0.5) == pytest.approx(0.5, abs=1e-3)
