# SPDX-License-Identifier: GPL-3.0-or-later
"""What chosen lanes draw is kept from the choice on, and what was known before comes along."""

import math

import pytest

from destutter.core.metrics import Metrics
from destutter.ui.plots.lane_data import READ, LaneData
from destutter.ui.plots.lane_measures import LaneMetric, Pick, break_after_s

SECOND = 1_000_000_000
CLOCK, BUSY, THROUGHPUT = "cpufreq.current_mhz", "gpu.busy_pct", "disk.read_bytes_per_s"


def metrics(at_s, values=None, instanced=None):
    return Metrics(round(at_s * SECOND), 0.1, values or {}, instanced or {})


def values_of(data, measure):
    """Name and values of every line."""
    return {name: series.span(0.0, 1e6)[1].tolist() for name, series in data.lines(measure)}


@pytest.mark.parametrize(
    ("pick", "line"), [(Pick.HIGHEST, 4.0), (Pick.LOWEST, 1.0), (Pick.SUM, 7.0)]
)
def test_many_instances_make_one_line(pick, line):
    """Of those that have a value; without any there is a break."""
    data, measure = LaneData(), LaneMetric(CLOCK, pick)
    data.keep([measure])
    cores = {"policy0": 1.0, "policy1": 2.0, "policy2": 4.0, "policy3": None}
    data.accept_measurements([metrics(1, {}, {CLOCK: cores})], [])
    data.accept_measurements([metrics(2, {}, {CLOCK: dict.fromkeys(cores)})], [])
    (values,) = values_of(data, measure).values()
    assert values[0] == line
    assert math.isnan(values[1])


def test_nothing_is_kept_that_nobody_has_chosen():
    """Neither before the choice nor after it was taken back."""
    data, measure = LaneData(), LaneMetric(THROUGHPUT, Pick.HIGHEST)
    data.accept_measurements([metrics(1, {}, {THROUGHPUT: {"sda": 5.0}})], [])
    assert data.lines(measure) == []
    data.keep([measure])
    data.accept_measurements([metrics(2, {}, {THROUGHPUT: {"sda": 6.0}})], [])
    assert values_of(data, measure) == {"": [6.0]}
    data.keep([])
    assert data.lines(measure) == []


def test_a_chosen_lane_has_the_past_that_findings_look_back_on():
    """The load of the graphics card was kept for causes anyhow."""
    data, measure = LaneData(), LaneMetric(BUSY, Pick.EACH)
    for second in range(1, 5):
        data.accept_measurements([metrics(second, {}, {BUSY: {"card0": 10.0 * second}})], [])
    data.keep([measure])
    data.accept_measurements([metrics(5, {}, {BUSY: {"card0": 50.0}})], [])
    assert values_of(data, measure) == {"card0": [10.0, 20.0, 30.0, 40.0, 50.0]}


def test_what_the_usual_lanes_keep_is_not_kept_twice():
    """The lane of a drive draws the series of the lane of all drives."""
    data, measure = LaneData(), LaneMetric(READ, instance="sda")
    data.keep([measure])
    data.accept_measurements([metrics(1, {}, {READ: {"sda": 0.3, "sdb": 2.0}})], [])
    ((name, series),) = data.lines(measure)
    assert (name, series) == ("sda", data.series(READ, "sda"))


def test_only_the_drive_of_the_lane_is_kept():
    """Flushes of all the others cost nothing."""
    data, measure = LaneData(), LaneMetric("disk.flush_await_ms", instance="sda")
    data.keep([measure])
    flushes = {"disk.flush_await_ms": {"sda": 0.3, "sdb": 2.0}}
    data.accept_measurements([metrics(1, {}, flushes)], [])
    assert values_of(data, measure) == {"sda": [0.3]}


def test_a_card_that_left_is_forgotten_when_nothing_is_left_to_show():
    """After twenty minutes."""
    data, measure = LaneData(), LaneMetric(BUSY, Pick.EACH)
    data.keep([measure])
    data.accept_measurements([metrics(1, {}, {BUSY: {"card0": 1.0, "card1": 1.0}})], [])
    for minute in range(1, 24):
        data.accept_measurements([metrics(60 * minute, {}, {BUSY: {"card0": 1.0}})], [])
    assert list(values_of(data, measure)) == ["card0"]


def test_what_comes_every_five_seconds_is_one_line():
    """And what comes ten times a second is none after two seconds without."""
    data = LaneData()
    heat, work = LaneMetric("temperature.celsius", Pick.HIGHEST), LaneMetric("cpu.busy_pct")
    data.keep([heat, work])
    for at_s in (1, 6, 11):
        seen = metrics(at_s, {"cpu.busy_pct": 3.0}, {"temperature.celsius": {"k10temp": 60.0}})
        data.accept_measurements([seen], [])
    assert not any(map(math.isnan, values_of(data, heat)[""]))
    assert sum(map(math.isnan, values_of(data, work)[""])) == 2
    assert break_after_s("temperature.celsius") > 5.0
