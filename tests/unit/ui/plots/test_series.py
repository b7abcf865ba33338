# SPDX-License-Identifier: GPL-3.0-or-later
"""Series of measurements, and what of them is drawn."""

import math
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.ui.plots import series as series_module
from destutter.ui.plots.envelope import Envelope, envelope, run_starts
from destutter.ui.plots.series import LaneSeries, raw_outline

VALUES = st.lists(
    st.one_of(st.floats(0, 1e6, allow_nan=False), st.just(math.nan)), min_size=1, max_size=400
)


def filled(values, step_s=0.1, retention_s=1e9):
    """A series with a value every ``step_s`` seconds."""
    series = LaneSeries(retention_s)
    for index, value in enumerate(values):
        series.append(index * step_s, value)
    return series


def test_span_has_a_neighbour_on_either_side():
    """A span brings one more measurement on each side, so that the line runs on to the edge."""
    series = filled(range(100))
    times, values = series.span(2.0, 3.0)
    assert times[0] == pytest.approx(1.9)
    assert times[-1] == pytest.approx(3.0)
    assert list(values) == list(range(19, 31))


def test_old_measurements_are_forgotten():
    """Nothing older than the retention is kept for long, and numbering goes on."""
    series = filled(range(10_000), retention_s=60.0)
    assert len(series) < 3_000
    assert series.forgotten + len(series) == 10_000
    assert series.last_s == pytest.approx(999.9)
    times, values = series.since(9_998)
    assert list(values) == [9_998, 9_999]
    assert times[-1] == pytest.approx(999.9)


@pytest.mark.parametrize("per_second", [1, 10, 60])
def test_room_stays_near_what_is_kept(per_second):
    """What is set aside is never more than half above what is kept, however long it runs.

    Twice as much would go unnoticed for an hour: it takes that long until its last page is used.
    """
    tracemalloc.start()
    try:
        series = LaneSeries(60.0)
        for index in range(600 * per_second):
            series.append(index / per_second, 1.0)
        room = sum(
            each.size
            for each in tracemalloc.take_snapshot().traces
            if each.traceback[0].filename == series_module.__file__
        )
    finally:
        tracemalloc.stop()
    kept = 60 * per_second
    assert room <= 2 * 8 * max(1.5 * kept, 256) + 1024


def test_room_follows_a_slower_game():
    """After a game with many frames, one with few does not keep the room of the first."""
    series = LaneSeries(60.0)
    series.extend([index / 240 for index in range(240 * 60)], [4.0] * 240 * 60)
    for index in range(60 * 30 * 20):
        series.append(60 + index / 30, 33.0)
    assert len(series) <= 1.5 * 60 * 30


def test_time_never_runs_backwards():
    """A measurement that is older than the last one is left out."""
    series = filled([1, 2, 3])
    series.append(0.05, 99.0)
    series.extend([0.01, 0.02], [7.0, 8.0])
    assert len(series) == 3


def test_value_of_a_moment_is_the_one_that_covers_it():
    """Rates describe the interval before their time; far away there is nothing."""
    series = filled([10.0, 20.0, math.nan])
    assert series.value_at(0.04, 0.3) == 20.0
    assert series.value_at(5.0, 0.3) is None
    assert series.newest(0.3) == 20.0


@given(VALUES, st.floats(0, 30), st.floats(0, 30))
def test_highest_agrees_with_a_search(values, one, other):
    """The largest value of a span is what a search through all measurements finds."""
    low, high = min(one, other), max(one, other)
    series = filled(values)
    inside = [
        value
        for index, value in enumerate(values)
        if low <= index * 0.1 <= high and not math.isnan(value)
    ]
    assert series.highest(low, high) == (max(inside) if inside else None)


def test_a_measurement_without_neighbours_is_a_point():
    """A single measurement between breaks cannot be a line, and is not lost."""
    line = raw_outline(np.arange(5.0), np.array([1.0, np.nan, 3.0, np.nan, np.nan]))
    assert line.has_breaks
    assert list(line.alone_x) == [0.0, 2.0]
    assert list(line.alone_y) == [1.0, 3.0]


@given(VALUES, st.floats(0.05, 5.0))
def test_envelope_keeps_every_extreme(values, column_s):
    """No column loses its smallest or largest value, and none has more than two points."""
    times = np.arange(len(values), dtype=np.float64) / 10.0
    x, y = envelope(times, np.array(values), column_s)
    column = np.floor(times / column_s)
    drawn = np.floor(x / column_s)
    for each in np.unique(column):
        measured = np.array(values)[column == each]
        shown = y[(drawn == each) & ~np.isnan(y)]
        finite = measured[~np.isnan(measured)]
        assert len(shown) <= 2
        if len(finite):
            assert shown.min() == finite.min()
            assert shown.max() == finite.max()
        else:
            assert not len(shown)


@given(st.lists(st.sampled_from([0.0, 1.0, math.nan]), max_size=30))
def test_runs_begin_where_the_value_changes(values):
    """Also of nothing at all; a NaN is equal to nothing, not even to the one before it."""
    expected = [at for at in range(len(values)) if not at or values[at] != values[at - 1]]
    assert list(run_starts(np.array(values))) == expected


def test_envelope_breaks_where_nothing_was_measured():
    """A break that is shorter than a column, but at its end, still breaks the line."""
    times = np.array([0.0, 0.1, 0.2, 9.0, 9.1])
    values = np.array([1.0, 2.0, np.nan, 3.0, 4.0])
    _, y = envelope(times, values, 1.0)
    assert np.isnan(y).sum() == 1
    assert np.isnan(y[2])


@given(
    VALUES,
    st.lists(st.integers(1, 60), min_size=1, max_size=8),
    st.floats(0.2, 3.0),
)
def test_drawing_bit_by_bit_is_drawing_at_once(values, parts, column_s):
    """The columns are the same whether measurements come one by one or all at once."""
    series = LaneSeries(1e9)
    gradual = Envelope(series, 1e9)
    position = 0
    for size in [*parts, len(values)]:
        for value in values[position : position + size]:
            series.append(position * 0.1, value)
            position += 1
        gradual.outline(-1.0, 1e6, column_s, 0)
    bits = gradual.outline(-1.0, 1e6, column_s, 0)
    once = Envelope(filled(values), 1e9).outline(-1.0, 1e6, column_s, 0)
    np.testing.assert_array_equal(_numbers(bits), _numbers(once))


def _numbers(line):
    is_value = ~np.isnan(line.y)
    return np.column_stack((line.x[is_value], line.y[is_value]))


def test_few_measurements_are_drawn_as_they_are():
    """With less to draw than there are pixels, nothing is put together."""
    series = filled(range(10))
    line = Envelope(series, 1e9).outline(0.0, 1.0, 0.5, 900)
    assert list(line.y) == list(range(10))


def test_another_width_draws_anew():
    """After a zoom the columns are those of the new width."""
    series = filled([float(index % 7) for index in range(2_000)])
    shared = Envelope(series, 1e9)
    shared.outline(0.0, 200.0, 0.5, 10)
    again = shared.outline(0.0, 200.0, 2.0, 10)
    fresh = Envelope(series, 1e9).outline(0.0, 200.0, 2.0, 10)
    np.testing.assert_array_equal(again.y, fresh.y)
