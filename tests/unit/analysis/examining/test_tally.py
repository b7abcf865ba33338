# SPDX-License-Identifier: GPL-3.0-or-later
"""Metrics second by second and minute by minute."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from destutter.analysis.examining.tally import (
    HOW_BY_ID,
    TALLIES,
    How,
    SessionTally,
    fold_minutes,
    percentile_by_minute,
)
from destutter.core.metric_table import METRIC_BY_ID
from destutter.core.metrics import Metrics

_NS = 1_000_000_000


def test_every_tally_follows_a_metric_that_exists_and_ids_are_unique() -> None:
    """A mistyped metric would silently be "not measured"."""
    assert all(tally.metric in METRIC_BY_ID for tally in TALLIES)
    assert len(HOW_BY_ID) == len(TALLIES)


def test_totals_are_rates_times_the_time_that_passed() -> None:
    """Ten stalls a second for two seconds, sampled every half second, are twenty."""
    tally = SessionTally()
    for half in range(5):
        metrics = Metrics(half * _NS // 2, 0.5 if half else 0.0, {"memory.allocstall_per_s": 10.0})
        tally.accept_metrics(metrics)
    total = tally.seconds(3)["memory.allocation_stalls"]
    assert float(np.nansum(total)) == pytest.approx(20.0)


def test_a_drive_that_rests_has_no_slow_reads_and_no_wait() -> None:
    """Counts are 0 where nothing happened; a wait that nobody waited is not measured."""
    tally = SessionTally()
    tally.accept_metrics(Metrics(0, 0.0, {}, {"disk.read_await_ms": {"sda": None}}))
    tally.accept_metrics(Metrics(_NS, 1.0, {}, {"disk.read_await_ms": {"sda": 7.0, "sdb": 2.0}}))
    seconds = tally.seconds(2)
    assert seconds["disk.slow_reads"].tolist() == [0.0, 1.0]
    assert math.isnan(seconds["disk.read_ms"][0])
    assert seconds["disk.read_ms"][1] == 7.0


def test_what_never_came_has_no_series() -> None:
    """Missing is not zero."""
    assert SessionTally().seconds(10) == {}


def test_minutes_with_too_little_are_unknown_and_gaps_are_made_up() -> None:
    """Half a minute of totals is doubled; less than half is no minute."""
    series = np.full(180, np.nan)
    series[:60] = 1.0
    series[60:90] = 1.0
    series[120:140] = 1.0
    minutes = fold_minutes(series, How.TOTAL)
    assert minutes[:2].tolist() == [60.0, 60.0]
    assert math.isnan(minutes[2])
    assert fold_minutes(np.full(20, 2.0), How.TOTAL).tolist() == [120.0]
    assert fold_minutes(np.zeros(0), How.PEAK).size == 0


@given(
    arrays.arrays(np.float64, st.integers(0, 400), elements=st.floats(0, 1e9) | st.just(math.nan)),
    st.sampled_from(How),
)
def test_any_seconds_fold_into_minutes_within_their_range(series: np.ndarray, how: How) -> None:
    """No warning, no infinity, and peaks, means and lows within what was measured."""
    minutes = fold_minutes(series, how)
    assert not np.isinf(minutes).any()
    known = series[~np.isnan(series)]
    if how in (How.PEAK, How.LEAST, How.MEAN) and known.size:
        told = minutes[~np.isnan(minutes)]
        assert (told <= known.max() * (1 + 1e-9) + 1e-9).all()
        assert (told >= known.min() * (1 - 1e-9) - 1e-9).all()


def test_percentiles_are_of_each_minute() -> None:
    """One slow minute does not colour the other; few values say nothing."""
    at_s = np.concatenate((np.linspace(0, 59, 100), np.linspace(60, 119, 100), [130.0]))
    values = np.concatenate((np.full(100, 1.0), np.full(100, 9.0), [50.0]))
    told = percentile_by_minute(at_s, values, 3, 99)
    assert told[:2].tolist() == [1.0, 9.0]
    assert math.isnan(told[2])


def test_a_loop_device_counts_only_where_there_is_no_drive() -> None:
    """1,954 ms of loop2 were told of a game whose drive answered within 22."""
    tally = SessionTally()
    reads: dict[str, float | None] = {"loop2": 1954.0, "sr0": 90.0, "vda": 21.8}
    tally.accept_metrics(Metrics(0, 0.1, {}, {"disk.write_await_ms": reads}))
    resting: dict[str, float | None] = {"loop2": 700.0, "vda": None}
    tally.accept_metrics(Metrics(_NS, 0.1, {}, {"disk.write_await_ms": resting}))
    slowest = tally.seconds(2)["disk.write_ms"]
    assert slowest[0] == 21.8
    assert np.isnan(slowest[1])
    alone = SessionTally()
    alone.accept_metrics(Metrics(0, 0.1, {}, {"disk.write_await_ms": {"loop2": 30.0}}))
    assert alone.seconds(1)["disk.write_ms"][0] == 30.0
