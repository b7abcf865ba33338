# SPDX-License-Identifier: GPL-3.0-or-later
"""What arrives in snapshots becomes series; what does not arrive is a break, never a zero."""

import math

import pytest

from destutter.core.metrics import Gap, Metrics
from destutter.core.sample import Facts, Frames
from destutter.diagnosis.finding import Spike
from destutter.ui.plots.chosen_moment import ChosenMoment
from destutter.ui.plots.lane_data import READ, RECLAIM, WAKEUP, LaneData
from destutter.ui.plots.time_view import RETENTION_S, TimeView
from tests.support.live_scenes import Scene, snapshots

SECOND = 1_000_000_000
START = 5_000 * SECOND


def metrics(at_s, values=None, instanced=None, gap=None):
    """Metrics at this many seconds after the start."""
    return Metrics(START + round(at_s * SECOND), 0.1, values or {}, instanced or {}, gap)


def test_idle_disk_is_a_break():
    """No request, no latency: the line is interrupted."""
    data = LaneData()
    for at_s, value in ((0.0, 1.0), (0.1, None), (0.2, 2.0)):
        data.accept_measurements([metrics(at_s, instanced={READ: {"sda": value}})], [])
    _, values = data.series(READ, "sda").span(0.0, 1.0)
    assert values[0] == 1.0
    assert math.isnan(values[1])
    assert values[2] == 2.0


def test_metric_that_never_came_has_no_points():
    """A source that is absent leaves an empty series."""
    data = LaneData()
    data.accept_measurements([metrics(0.0, {RECLAIM: None}), metrics(0.1, {RECLAIM: None})], [])
    assert len(data.series(RECLAIM)) == 0


def test_probe_and_sampler_do_not_break_each_other():
    """A sample without a metric says nothing about it."""
    data = LaneData()
    data.accept_measurements([metrics(0.0, {RECLAIM: 1.0}), metrics(0.05, {WAKEUP: 0.2})], [])
    data.accept_measurements([metrics(0.1, {RECLAIM: 2.0})], [])
    _, values = data.series(RECLAIM).span(0.0, 1.0)
    assert list(values) == [1.0, 2.0]


def test_pause_of_a_source_breaks_its_line():
    """When a source was silent for seconds, no line joins before and after."""
    data = LaneData()
    data.accept_measurements([metrics(0.0, {RECLAIM: 1.0}), metrics(5.0, {RECLAIM: 2.0})], [])
    _, values = data.series(RECLAIM).span(0.0, 6.0)
    assert len(values) == 3
    assert math.isnan(values[1])


def test_a_drive_that_left_is_forgotten_when_nothing_of_it_is_left_to_show():
    """Plugging and unplugging all day costs no memory and opens no empty span to scroll into."""
    data = LaneData()
    waits, depths = {"sda": 1.0, "loop3": 1.0}, {"sda": 0.1, "loop3": 0.2}
    data.accept_measurements(
        [metrics(0.0, instanced={READ: waits, "disk.queue_depth": depths})], []
    )
    for at_s in range(1, int(RETENTION_S) + 200):
        only = {READ: {"sda": None}, "disk.queue_depth": {"sda": 0.0}}
        data.accept_measurements([metrics(float(at_s), instanced=only)], [])
        if at_s == int(RETENTION_S) - 100:
            assert data.instances(READ) == ["sda", "loop3"]
    assert data.instances(READ) == ["sda"]
    assert data.disks.busiest() == ["sda"]
    data.accept_measurements(
        [metrics(2000.0, instanced={READ: waits, "disk.queue_depth": depths})], []
    )
    assert data.disks.busiest() == ["sda", "loop3"]


def test_gaps_are_kept():
    """A suspend is remembered with its reason."""
    data = LaneData()
    gap = Gap(START, START + SECOND, "suspend")
    data.accept_measurements([metrics(0.0), metrics(1.0, gap=gap)], [])
    assert list(data.gaps) == [gap]


def test_frames_of_another_game_start_anew():
    """Frame times of two origins are never one line."""
    data = LaneData()
    data.accept_measurements(
        [metrics(0.0)], [Frames("a", (START, START + SECOND), (16_000, 17_000))]
    )
    assert data.has_frames
    data.accept_measurements([], [Frames("b", (START + 2 * SECOND,), (33_000,))])
    _, values = data.frames.span(0.0, 10.0)
    assert list(values) == [33.0]
    assert data.frames_origin == "b"


@pytest.mark.parametrize(("frames_per_s", "are_sampled"), [(60, False), (10, True)])
def test_a_log_that_leaves_frames_out_is_told(frames_per_s, are_sampled):
    """Frames of 16.7 ms, sixty or ten of them in a second; also around a pause of the log."""
    data = LaneData()
    for start_s in (1, 20):
        times = tuple(round((start_s + number / frames_per_s) * SECOND) for number in range(20))
        data.accept_measurements([], [Frames("a", times, (16_700,) * 20)])
        assert data.frames_are_sampled is are_sampled


def test_frames_that_stopped_are_forgotten_after_a_minute():
    """Without frames for a minute the page goes back to the wake-up delay."""
    data = LaneData()
    data.accept_measurements([metrics(0.0)], [Frames("a", (START,), (16_000,))])
    data.accept_measurements([metrics(30.0)], [])
    assert data.has_frames
    data.accept_measurements([metrics(61.0)], [])
    assert not data.has_frames


@pytest.mark.parametrize("is_left", [False, True])
def test_a_game_that_rests_keeps_its_lane(is_left):
    """Frames for 20 s, then none for 80 s: what the game would draw, until it has ended."""
    scene = Scene().run(20.0)
    scene._has_frames = False
    scene.run(30.0)
    if is_left:
        now_ns = scene.script.now_ns
        scene.script.messages.append(Facts(now_ns, {"game.pid": "", "game.name": ""}))
    data = LaneData()
    for snapshot in snapshots(scene.run(50.0).script.messages):
        data.accept_snapshot(snapshot)
    assert data.has_frames is not is_left


def chosen_of(count):
    """A choice among stutters, one per ten seconds, with two minutes in view."""
    data, view = LaneData(), TimeView()
    data.accept_measurements([metrics(0.0), metrics(120.0)], [])
    view.advance(120.0)
    choice = ChosenMoment(data, view)
    choice.show_spikes(
        [Spike(START + 10 * SECOND * (index + 1), 60.0, "test") for index in range(count)]
    )
    return choice


def test_stepping_through_stutters_stops_at_the_ends():
    """Left and right go from one stutter to the next and stay at the last."""
    choice = chosen_of(3)
    assert choice.next_spike(-1) == choice.spikes[-1]
    choice.selected = choice.spikes[0]
    assert choice.next_spike(-1) == choice.spikes[0]
    assert choice.next_spike(1) == choice.spikes[1]


def test_pointer_reads_before_the_chosen_stutter():
    """The moment under the pointer counts; without it, that of the stutter; else the newest."""
    choice = chosen_of(2)
    assert choice.moment_s(1000) is None
    choice.selected = choice.spikes[0]
    assert choice.moment_s(1000) == 10.0
    choice.pointer_px = 500.0
    assert choice.moment_s(1000) == 60.0


def test_chosen_stutter_keeps_up_with_its_cause():
    """When diagnosis explains the chosen stutter later, it is still the chosen one."""
    choice = chosen_of(1)
    first = choice.spikes[0]
    choice.selected = first
    explained = Spike(first.monotonic_ns, first.duration_ms, "test", "direct_reclaim")
    choice.show_spikes([explained])
    assert choice.selected == explained
    choice.show_spikes([])
    assert choice.selected is None


def test_only_a_near_click_chooses():
    """A click within a few pixels of a stutter chooses it, one far away chooses nothing."""
    choice = chosen_of(1)
    assert choice.spike_near(103.0, lambda at_s: at_s * 10) == choice.spikes[0]
    assert choice.spike_near(150.0, lambda at_s: at_s * 10) is None


def test_a_chosen_stutter_that_has_left_the_picture_is_read_out_no_more():
    """Else figures of minutes ago stand beside the lines of now; scrolled back, they return."""
    data, view = LaneData(), TimeView()
    data.accept_measurements([metrics(0.0), metrics(300.0)], [])
    view.advance(120.0)
    choice = ChosenMoment(data, view)
    choice.show_spikes([Spike(START + 10 * SECOND, 60.0, "test")])
    choice.selected = choice.spikes[0]
    read = [choice.is_reading]
    view.advance(300.0)
    assert choice.moment_s(1000) is None
    assert [*read, choice.is_reading] == [True, False]
    view.show_moment(10.0)
    assert choice.moment_s(1000) == 10.0
