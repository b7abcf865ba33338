# SPDX-License-Identifier: GPL-3.0-or-later
"""Measurements behind findings: kept once, forgotten when nothing comes any more."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.core.metrics import Metrics
from destutter.diagnosis.finding import HORIZON_S
from destutter.ui.plots.evidence_series import EvidenceSeries
from destutter.ui.plots.lane_data import RECLAIM, LaneData


def metrics(second, values=None, instanced=None):
    """One tick."""
    return Metrics(int(second * 1e9), 1.0, values or {}, instanced or {})


def test_a_metric_of_the_lanes_is_kept_once():
    """What a lane draws is found there; only the rest is kept beside it."""
    data = LaneData()
    data.accept_measurements([metrics(1, {RECLAIM: 5.0, "memory.swap_in_per_s": 7.0})], [])
    assert data.find(RECLAIM) is data.series(RECLAIM)
    kept = data.find("memory.swap_in_per_s")
    assert kept is not None
    assert kept.last_s == 0.0
    assert data.find("memory.compact_stall_per_s") is None


def test_what_findings_never_name_is_not_kept():
    """A metric without a name in the wording is no evidence."""
    series = EvidenceSeries(frozenset())
    series.accept_metrics(metrics(1, {"memory.free_bytes": 1.0}), 1.0)
    assert len(series) == 0


def test_a_thread_waits_no_longer_than_time_passes():
    """The kernel books a wait of seven seconds in the tick in which it ends."""
    series = EvidenceSeries(frozenset())
    waited = {"worker.run_delay_ms_per_s": {"9 io": 8329.0}}
    series.accept_metrics(metrics(1, {"game.run_delay_ms_per_s": 7181.0}, waited), 1.0)
    for metric, instance in (
        ("game.run_delay_ms_per_s", ""),
        ("worker.run_delay_ms_per_s", "9 io"),
    ):
        found = series.find(metric, instance)
        assert found is not None
        assert list(found.span(0.0, 2.0)[1]) == [1000.0]


def test_programs_that_ended_are_forgotten():
    """Instances go when nothing was measured of them for as long as findings look back."""
    series = EvidenceSeries(frozenset())
    series.accept_metrics(metrics(0, {}, {"process.cpu_pct": {"1 a": 5.0, "2 b": 6.0}}), 0.0)
    later = HORIZON_S + 200.0
    series.accept_metrics(metrics(later, {}, {"process.cpu_pct": {"2 b": 6.0}}), later)
    assert series.find("process.cpu_pct", "1 a") is None
    assert series.find("process.cpu_pct", "2 b") is not None


@given(st.lists(st.sampled_from([0.0, 0.0, 0.0, 5.0, None]), min_size=1, max_size=60))
def test_level_runs_are_drawn_as_they_were(values):
    """What is left out lies on the line between what is kept: nothing changes its shape."""
    thin, metric = EvidenceSeries(frozenset()), "memory.swap_in_per_s"
    for index, value in enumerate(values):
        thin.accept_metrics(metrics(index / 10, {metric: value}), index / 10)
    found = thin.find(metric)
    if found is None:
        assert all(value is None for value in values)
        return
    times, kept = found.span(0.0, 100.0)
    points = dict(zip(times.tolist(), kept.tolist(), strict=True))
    first = next(index for index, value in enumerate(values) if value is not None)
    for index, value in enumerate(values[first:], first):
        if value is None:
            continue
        if index / 10 in points:
            assert points[index / 10] == value
        else:
            assert found.value_at(index / 10, 1.0) == value


def test_unmeasured_is_a_break():
    """Nothing measured begins no series, and is a break in one."""
    series = EvidenceSeries(frozenset())
    series.accept_metrics(metrics(0, {"memory.swap_in_per_s": None}), 0.0)
    assert len(series) == 0
    series.accept_metrics(metrics(1, {"memory.swap_in_per_s": 3.0}), 1.0)
    series.accept_metrics(metrics(2, {"memory.swap_in_per_s": None}), 2.0)
    found = series.find("memory.swap_in_per_s")
    assert found is not None
    assert found.value_at(2.0, 0.1) is None
    assert found.highest(0.0, 2.0) == 3.0


@pytest.mark.parametrize("period_s", [5.0, 10.0])
def test_what_is_read_seldom_is_one_line(period_s):
    """Sensors are read every 5 s, idle states every 10 s, give or take what a tick is late."""
    series, metric = EvidenceSeries(frozenset()), "memory.swap_in_per_s"
    times = [index * period_s + (index % 3) * 0.004 for index in range(40)]
    for index, time_s in enumerate(times):
        series.accept_metrics(metrics(time_s, {metric: float(index)}), time_s)
    found = series.find(metric)
    assert found is not None
    assert found.span(0.0, 1000.0)[1].tolist() == [float(index) for index in range(40)]


def test_the_work_of_a_card_is_drawn_at_the_moments_that_it_was_of():
    """A reading a second has five of them, and some of the one before once more."""
    series = EvidenceSeries(frozenset())
    card = "0 NVIDIA"

    def reading(end_s, *busy):
        names = [f"{card}/{place}" for place in range(len(busy))]
        return Metrics(
            int(end_s * 1e9),
            0.1,
            {},
            {
                "gpu_stretch.busy_pct": dict(zip(names, busy, strict=True)),
                "gpu_stretch.end_s": {
                    name: end_s - 0.2 * place for place, name in enumerate(names)
                },
                "gpu_stretch.length_ms": dict.fromkeys(names, 200.0),
            },
        )

    series.accept_metrics(reading(101.0, 44.0, 99.0, 41.0), 1.0)
    series.accept_metrics(reading(101.4, 21.0, 30.0, 44.0), 1.4)
    found = series.find("gpu_stretch.busy_pct", card)
    assert found is not None
    times, values = found.span(0.0, 10.0)
    assert list(times) == pytest.approx([0.6, 0.8, 1.0, 1.2, 1.4])
    assert list(values) == [41.0, 99.0, 44.0, 30.0, 21.0]
    assert series.find("gpu_stretch.busy_pct", f"{card}/0") is None
