# SPDX-License-Identifier: GPL-3.0-or-later
"""Axes: their ticks are round, and what is measured is in view."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.ui.plots.scale import DecadeScale, LinearScale, RefreshScale, lowest_of


def ticks(scale, highest, height_px=100, lowest=math.nan):
    """The values at the ticks."""
    return [value for _, value in scale.extent(lowest, highest, height_px).ticks]


def test_linear_ticks_are_round():
    """75,214 pages a second are shown on an axis with 40,000 and 80,000."""
    assert ticks(LinearScale(1000.0), 75_214.0, 74) == [40_000, 80_000]


def test_linear_bytes_go_by_1024():
    """1.6 GiB are shown on an axis with whole GiB."""
    assert ticks(LinearScale(1.0, base=1024.0), 1.6 * 2**30, 74) == [2**30, 2 * 2**30]


def test_linear_axis_has_a_least_range():
    """Nothing at all is drawn at the bottom of a quiet axis, not across the whole of it."""
    assert ticks(LinearScale(20.0, most=100.0), math.nan) == ticks(LinearScale(20.0), 3.0)


@given(st.floats(0, 1e12, allow_nan=False), st.integers(40, 300))
def test_linear_axis_holds_what_is_measured(highest, height_px):
    """The largest value in view is inside, and at most twice as much is above it."""
    extent = LinearScale(10.0).extent(0.0, highest, height_px)
    assert extent.low <= 0 < extent.high
    assert extent.high >= highest
    assert 1 <= len(extent.ticks) <= 6


def test_share_of_time_ends_at_100():
    """A percentage axis does not offer more than there is."""
    assert max(ticks(LinearScale(20.0, most=100.0), 99.0)) == 100.0


def test_decades_of_latency():
    """Latencies from 100 µs to 100 ms have one tick per power of ten."""
    assert ticks(DecadeScale(1000.0), 80.0) == pytest.approx([0.1, 1.0, 10.0, 100.0])


def test_decades_grow_for_a_long_stall():
    """A stall of three seconds is in view."""
    scale = DecadeScale(1000.0)
    extent = scale.extent(0.1, 3000.0, 100)
    assert scale.position(3000.0) < extent.high


def test_zero_latency_is_drawn_at_the_bottom():
    """Faster than the clock resolves is not nothing."""
    scale = DecadeScale(1000.0)
    positions = scale.positions(np.array([0.0, 1.0, np.nan]))
    assert positions[0] == scale.low
    assert positions[1] == 3.0
    assert np.isnan(positions[2])
    assert scale.position(0.0) == scale.low


def test_frame_times_by_refreshes():
    """At 60 Hz the ticks are 17, 33, 67 and 133 ms, and a 214 ms frame is in view."""
    scale = RefreshScale(1000 / 60)
    assert [round(value) for value in ticks(scale, 214.0, 112, 16.0)] == [17, 33, 67, 133]
    assert scale.position(214.0) < scale.extent(16.0, 214.0, 112).high


@pytest.mark.parametrize(
    ("refresh_hz", "wanted"),
    [
        (60, [17, 33, 67, 133, 250, 500, 1_000, 2_000, 4_000]),
        (144, [7, 14, 28, 56, 111, 250, 500, 1_000, 2_000]),
        (50, [20, 40, 80, 160, 250, 500, 1_000, 2_000]),
    ],
)
def test_long_frames_have_round_ticks_where_they_are(refresh_hz, wanted):
    """ "267 ms" and "1.1 s" are multiples of a refresh, which nobody counts any more."""
    scale = RefreshScale(1000 / refresh_hz)
    found = scale.extent(1e3 / refresh_hz, 4_100.0, 400).ticks
    assert [round(value) for _, value in found][: len(wanted)] == wanted
    assert all(at == pytest.approx(scale.position(value)) for at, value in found)


def test_fast_frames_are_in_view():
    """A game at 240 frames a second on a 60 Hz screen is not below the axis."""
    scale = RefreshScale(1000 / 60)
    assert scale.position(4.2) > scale.extent(4.2, 17.0, 112).low


def test_one_frame_that_catches_up_does_not_press_the_others():
    """Of 600 columns one of 65 µs is cut off; a game of 500 frames a second is all in view."""
    usual = np.full(600, 16.7)
    usual[7], usual[8] = 110.0, 0.065
    assert lowest_of(usual) == 16.7
    fast = np.where(np.arange(600) % 9 == 0, 2.0, 16.7)
    scale = RefreshScale(1000 / 60)
    assert scale.position(2.0) > scale.extent(lowest_of(fast), 17.0, 112).low
    assert np.isnan(lowest_of(np.array([np.nan])))
    assert lowest_of(np.array([np.nan, 5.0, 4.0])) == 4.0


@given(st.floats(0.1, 1e5), st.floats(0.1, 1e5))
def test_positions_agree_one_by_one_and_together(one, other):
    """A value has the same height alone and among others."""
    for scale in (DecadeScale(1000.0), RefreshScale(16.7), LinearScale(1.0)):
        together = scale.positions(np.array([one, other]))
        assert together[0] == pytest.approx(scale.position(one))
        assert together[1] == pytest.approx(scale.position(other))
