# SPDX-License-Identifier: GPL-3.0-or-later
"""Frames second by second."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.analysis.examining.frame_store import (
    BIN_RATIO,
    FrameStore,
    frame_series,
    histogram,
    slowest_by_minute,
    stutters_in,
)
from destutter.diagnosis.runs.played import PlayedSeconds


def test_frames_count_where_they_ended() -> None:
    """A long frame belongs to the second of its end; an empty second is unknown."""
    lengths = np.array([16.0] * 200 + [2500.0] + [16.0] * 50)
    ends = np.cumsum(lengths) / 1000
    played = PlayedSeconds.by_frames(ends, lengths, int(ends[-1]) + 1)
    told = frame_series(ends, lengths, int(ends[-1]) + 1, np.array([5.7, 99.0]), played).seconds
    assert np.nansum(told["frame.count"]) == 251
    assert np.nansum(told["frame.long"]) == 1
    assert told["frame.stutters"][5] == np.nansum(told["frame.stutters"]) == 1
    assert told["frame.worst_ms"][5] == 2500
    assert np.isnan(told["frame.worst_ms"][4])
    assert np.nansum(told["frame.hitch_ms"]) == pytest.approx(2484)


def test_stutters_of_a_log_are_those_that_a_player_counts() -> None:
    """Long frames below 50 ms are none, and several in a row are one."""
    lengths = np.full(3600, 16.7)
    lengths[[500, 1000, 1003, 1006, 2000]] = 45.0, 80.0, 200.0, 60.0, 90.0
    told = stutters_in(np.cumsum(lengths) / 1e3, lengths)
    assert [round(each.duration_ms) for each in told] == [200, 90]


def test_the_slowest_of_a_minute_do_not_depend_on_the_order_of_a_log() -> None:
    """A clock that went backwards mixes the rows, not the minutes."""
    generator = np.random.default_rng(1)
    ends, lengths = np.linspace(0, 119, 4000), generator.uniform(10, 20, 4000)
    mixed = generator.permutation(4000)
    expected = slowest_by_minute(ends, lengths, 2)
    np.testing.assert_allclose(slowest_by_minute(ends[mixed], lengths[mixed], 2), expected)


def test_frames_that_cannot_be_are_left_out() -> None:
    """Before the beginning, without a length, and of days."""
    store = FrameStore()
    store.add("mangohud", (5, 20, 30, 40), (1000, 0, 1_000, 10**13))
    ends, lengths = store.frames(10)
    assert (ends.tolist(), lengths.tolist()) == ([2e-8], [1.0])


@given(st.lists(st.floats(allow_nan=True, allow_infinity=True), max_size=50))
def test_any_lengths_have_a_histogram_with_equal_bins(values: list[float]) -> None:
    """Every usable length is counted once, between edges that grow by a tenth."""
    lengths = np.clip(np.array(values, dtype=np.float64), -1e6, 1e6)
    usable = lengths[np.isfinite(lengths) & (lengths > 0)]
    told = histogram(lengths)
    if told is None:
        assert not usable.size
        return
    assert told.counts.sum() == usable.size
    np.testing.assert_allclose(told.edges_ms[1:] / told.edges_ms[:-1], BIN_RATIO)
