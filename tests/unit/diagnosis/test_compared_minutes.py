# SPDX-License-Identifier: GPL-3.0-or-later
"""A against B."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.core.compared import LEAST_MINUTES, ComparedOutcome
from destutter.diagnosis.runs.compared_minutes import Measure, Reason, compare, compare_phases


def _compare(a: list[float] | np.ndarray, b: list[float] | np.ndarray) -> ComparedOutcome:
    return compare(Measure("m", "ms", np.asarray(a, float), np.asarray(b, float))).outcome


def test_clear_improvement_and_its_mirror_are_told() -> None:
    """A fifth of the stutter time is better, five times as much is worse."""
    generator = np.random.default_rng(3)
    many = generator.normal(100, 20, 40)
    few = generator.normal(20, 5, 40)
    assert _compare(many, few) is ComparedOutcome.BETTER
    assert _compare(few, many) is ComparedOutcome.WORSE


def test_two_runs_of_the_same_are_rarely_called_different() -> None:
    """Of 200 pairs from one distribution at most one in ten gets a verdict."""
    generator = np.random.default_rng(4)
    pairs = generator.gamma(2.0, 50.0, size=(200, 2, 30))
    verdicts = [_compare(a, b) for a, b in pairs]
    called = sum(
        verdict in (ComparedOutcome.BETTER, ComparedOutcome.WORSE) for verdict in verdicts
    )
    assert called <= 20


def test_minutes_that_hang_together_do_not_count_as_independent() -> None:
    """A slow drift inside both runs is no difference between them, however many the minutes."""
    generator = np.random.default_rng(5)
    called = 0
    for _ in range(100):
        drifts = np.repeat(generator.gamma(2.0, 50.0, size=(2, 6)), 5, axis=1)
        called += _compare(*drifts) in (ComparedOutcome.BETTER, ComparedOutcome.WORSE)
    assert called <= 20


def test_equal_steady_runs_show_no_real_difference() -> None:
    """Tight and equal is an answer, and another one than not knowing."""
    generator = np.random.default_rng(6)
    a, b = generator.normal(16.7, 0.2, size=(2, 30))
    assert _compare(a, b) is ComparedOutcome.NO_DIFFERENCE
    assert _compare(np.zeros(20), np.zeros(20)) is ComparedOutcome.NO_DIFFERENCE


def test_stutters_that_are_gone_are_better_and_a_single_one_is_chance() -> None:
    """None after many is better; none after one single minute may be luck."""
    many = np.tile((3.0, 5.0, 4.0, 6.0), 5)
    once = np.zeros(20)
    once[7] = 1.0
    assert _compare(many, np.zeros(20)) is ComparedOutcome.BETTER
    assert _compare(once, np.zeros(20)) is ComparedOutcome.TOO_CLOSE
    assert _compare(np.zeros(20), many) is ComparedOutcome.WORSE


def test_short_runs_get_no_verdict() -> None:
    """Less than eight minutes is not compared, whatever they say."""
    few = np.full(LEAST_MINUTES - 1, 100.0)
    result = compare(Measure("m", "ms", few, few / 10))
    assert (result.outcome, result.reason) == (ComparedOutcome.TOO_CLOSE, Reason.TOO_SHORT)


def test_work_is_divided_out() -> None:
    """Half the waiting for half the reading is no improvement."""
    generator = np.random.default_rng(7)
    work = generator.uniform(90, 110, 30)
    measure = Measure("m", "ms", work * 2, work, work_a=work, work_b=work / 2)
    result = compare(measure)
    assert result.ratio == pytest.approx(1.0)
    assert result.outcome is ComparedOutcome.NO_DIFFERENCE


def test_unmeasured_minutes_are_left_out() -> None:
    """A gap is neither good nor bad."""
    a = np.full(20, 50.0)
    a[:11] = np.nan
    assert compare(Measure("m", "ms", a, np.full(20, 10.0))).mean_a == 50
    assert _compare(np.concatenate((a, a[:2])), np.full(20, 10.0)) is ComparedOutcome.BETTER


@given(st.integers(0, 2**32 - 1), st.integers(0, 60), st.integers(0, 60))
def test_any_two_runs_get_a_verdict(seed: int, size_a: int, size_b: int) -> None:
    """Empty, zero, huge and missing minutes never raise, and the interval is an interval."""
    generator = np.random.default_rng(seed)

    def run(size: int) -> np.ndarray:
        values = generator.exponential(generator.choice((0.0, 1.0, 1e9)), size)
        values[generator.random(size) < 0.2] = generator.choice((np.nan, 0.0))
        return values

    result = compare(Measure("m", "ms", run(size_a), run(size_b)))
    assert result.outcome in ComparedOutcome
    assert result.low is None or result.high is None or result.low <= result.high


def test_a_difference_within_the_spread_of_minutes_is_too_close() -> None:
    """Two minutes of the same run differ more than the two runs do, however many there are."""
    generator = np.random.default_rng(8)
    a = generator.uniform(50, 150, 200)
    b = generator.uniform(35, 135, 200)
    result = compare(Measure("m", "ms", a, b))
    assert (result.outcome, result.reason) == (ComparedOutcome.TOO_CLOSE, Reason.SPREAD)
    assert result.spread > abs(result.mean_a - result.mean_b)


def test_phases_are_put_together_by_weight_and_length() -> None:
    """A phase of one minute says nothing; the others count by their minutes and weight."""
    steady = Measure("m", "ms", np.full(20, 10.0), np.full(20, 5.0))
    warm = Measure("m", "ms", np.full(10, 30.0), np.full(10, 30.0), weight=0.25)
    short = Measure("m", "ms", np.full(1, 1e6), np.full(30, 0.0))
    result = compare_phases([steady, warm, short])
    assert result.mean_a == pytest.approx((20 * 10 + 2.5 * 30) / 22.5)
    assert result.mean_b == pytest.approx((20 * 5 + 2.5 * 30) / 22.5)
    assert (result.minutes_a, result.minutes_b) == (30, 30)
    assert result.outcome is ComparedOutcome.BETTER
    with pytest.raises(ValueError, match="nothing"):
        compare_phases([])
