# SPDX-License-Identifier: GPL-3.0-or-later
"""What the lanes show for the data that there is."""

import numpy as np
import pytest
from PySide6.QtCore import QLocale

from destutter.core.metrics import Metrics
from destutter.core.sample import Frames
from destutter.core.traced import (
    CORE,
    DIRTY_PAUSE,
    READ,
    RECLAIM,
    SlowRequest,
    TracedThread,
    TracedWait,
    TraceLook,
)
from destutter.diagnosis.stutters.spikes import SpikeDetector
from destutter.ui.plots.lane_data import LaneData
from destutter.ui.plots.lane_models import DiskLane, FrameLane
from destutter.ui.plots.reclaim_lane import ReclaimLane
from destutter.ui.words.quantities import Quantities

TENTH = 100_000_000


@pytest.mark.parametrize(
    ("every", "is_probed", "title", "note"),
    [
        (1, True, "CPU wake-up delay", "The log leaves out most frames."),
        (1, False, "Frame time", "The log leaves out most frames."),
        (6, True, "Frame time", None),
    ],
)
def test_few_frames_give_way_to_the_probe_where_it_runs(every, is_probed, title, note):
    """In an imported log there is nothing but frames: then they are shown, with the word."""
    data = LaneData()
    for tick in range(1, 40):
        wakes = {"wakeup.worst_ms": 0.2} if is_probed else {}
        ends = tuple(tick * TENTH + number * TENTH // every for number in range(every))
        batch = Frames("mangohud", ends, (16_667,) * every)
        data.accept_measurements([Metrics(tick * TENTH, 0.1, wakes)], [batch])
    shown = FrameLane(Quantities(QLocale()), 60.0).show(data, 5)
    assert shown.title == title
    assert (shown.note.text if shown.note else None) == note


@pytest.mark.parametrize("usual_ms", [6.9, 16.7, 27.7, 40.0, 55.0])
def test_above_the_line_a_frame_is_a_stutter_and_below_it_none(usual_ms):
    """Frames of 57 to 69 ms stood above "felt as a stutter" where 0 stutters were told."""
    data, lengths_ms = LaneData(), [usual_ms] * 300
    ends_ns = np.cumsum(np.array(lengths_ms) * 1e6).astype(int)
    lengths_us = [round(1e3 * each) for each in lengths_ms]
    frames = Frames("xplane", tuple(map(int, ends_ns)), tuple(lengths_us))
    data.accept_measurements([Metrics(int(ends_ns[-1]), 0.1, {})], [frames])
    lane = FrameLane(Quantities(QLocale("en_US")), 60.0)
    lane.key(data, 4)
    shown = lane.show(data, 4).content.threshold
    assert shown is not None
    counts = {}
    for length_ms in (shown.value - 5.0, shown.value + 0.1):
        detector = SpikeDetector(None)
        detector.accept_frames(frames)
        end_ns = int(ends_ns[-1] + length_ms * 1e6)
        detector.accept_frames(Frames("xplane", (end_ns,), (round(1e3 * length_ms),)))
        counts[length_ms - shown.value > 0] = len(detector.spikes)
    assert counts == {False: 0, True: 1}
    is_of_screen = "three refreshes long" in shown.text
    assert is_of_screen is (usual_ms <= 20.0)


def test_a_drive_that_answers_is_shown_beside_many_that_rest():
    """Twenty drives that were never asked take no line from the one that was."""
    data = LaneData()
    drives = [f"loop{number}" for number in range(20)] + ["vda"]
    lane = DiskLane(Quantities(QLocale()))
    assert not lane.show(data, 4).legends
    before = lane.key(data, 4)
    for tick in range(1, 5):
        awaits = {name: 0.3 if name == "vda" else None for name in drives}
        depths = {name: 0.01 if name == "vda" else 0.0 for name in drives}
        measured = Metrics(
            tick * TENTH, 0.1, {}, {"disk.read_await_ms": awaits, "disk.queue_depth": depths}
        )
        data.accept_measurements([measured], [])
    assert lane.key(data, 4) != before
    shown = lane.show(data, 4)
    assert [legend.name for legend in shown.legends] == ["vda read"]
    assert not shown.hidden


def traced_look(
    tick: int, *waits: TracedWait, requests: tuple[SlowRequest, ...] = ()
) -> TraceLook:
    return TraceLook((tick - 1) * TENTH, tick * TENTH, 0, 0, waits=waits, requests=requests)


def test_waits_of_the_game_take_the_place_of_counters_while_they_are_traced():
    """By what it waited for, the longest of each look; others' waits are not the game's."""
    game, other = TracedThread(11, "streamer", 10), TracedThread(21, "copier", 20)
    lane, data = ReclaimLane(Quantities(QLocale())), LaneData()
    data.accept_looks([traced_look(0, TracedWait(game, RECLAIM, 0, 5_000_000))], "10")
    data.accept_measurements([Metrics(TENTH, 0.1, {})], [])
    assert lane.show(data, 4).title == "Waiting for free memory"
    before = lane.key(data, 4)
    asked = SlowRequest("sda", READ, 1, 8, 0, None, 30_000_000, None, game, is_written_back=False)
    data.accept_looks(
        [
            traced_look(
                2,
                TracedWait(game, RECLAIM, 0, 169_000_000),
                TracedWait(game, RECLAIM, 0, 20_000_000),
                TracedWait(other, CORE, 0, 900_000_000),
                TracedWait(game, DIRTY_PAUSE, 0, 40_000_000),
                requests=(asked,),
            ),
            traced_look(3),
        ],
        "10",
    )
    assert lane.key(data, 4) != before
    shown = lane.show(data, 4)
    assert shown.title == "Waits of the game"
    assert [each.name for each in shown.legends] == ["memory", "a drive", "a core"]
    values = [line.series.span(0.0, 1.0)[1].tolist() for line in shown.content.lines]
    assert values == [[169.0, 0.0], [40.0, 0.0], [0.0, 0.0]]
    assert shown.write(0.0).startswith("below 4")
    for tick in range(2, 90):
        data.accept_measurements([Metrics(tick * TENTH, 0.1, {})], [])
    assert lane.show(data, 4).title == "Waiting for free memory"


def test_without_a_game_there_are_no_waits_to_draw():
    """The whole computer is watched."""
    data = LaneData()
    data.accept_measurements([Metrics(TENTH, 0.1, {})], [])
    data.accept_looks([traced_look(2)], "")
    assert not data.has_traced


def test_rates_of_the_time_in_view_stand_beside_frame_times_where_there_is_room():
    """Frames a second on average, and that of the slowest hundredth, which is never more."""
    data = LaneData()
    lane = FrameLane(Quantities(QLocale("en_US")), 60.0)
    lengths = [10.0] * 199 + [90.0]
    ends, now = [], 0.0
    for each in lengths:
        now += each
        ends.append(round(now * 1e6))
    data.accept_measurements(
        [], [Frames("mangohud", tuple(ends), tuple(int(1e3 * each) for each in lengths))]
    )
    assert lane.key(data, 3) != lane.key(data, 4)
    assert lane.show(data, 3).figures is None
    shown = lane.show(data, 4)
    assert [each.name for each in shown.legends] == [
        "game",
        "stutter",
        "FPS / 1 % low",
        "limited by",
    ]
    assert shown.figures is not None
    assert shown.figures(0.0, 10.0) == ("96 / 20", "not known")
    assert shown.figures(0.0, 1.0) == ("100 / 100", "not known")
    assert shown.figures(9.0, 10.0) == ("–", "–")


@pytest.mark.parametrize(
    ("card_pct", "thread_ms", "words"),
    [(97.0, 950.0, "GPU"), (60.0, 950.0, "CPU"), (60.0, 500.0, "neither")],
)
def test_what_limits_the_frames_stands_below_their_rate(card_pct, thread_ms, words):
    """The busiest card and the game's busiest thread, in the time in view."""
    data = LaneData()
    lane = FrameLane(Quantities(QLocale("en_US")), 60.0)
    ends = tuple(tick * 10_000_000 for tick in range(1, 1001))
    data.accept_measurements([], [Frames("mangohud", ends, (10_000,) * 1000)])
    for second in range(11):
        measured = {
            "gpu.busy_pct": {"0": card_pct if second > 5 else 10.0, "1": 3.0},
            "thread.cpu_ms_per_s": {"main": thread_ms, "other": 20.0},
        }
        data.accept_measurements([Metrics(second * 10**9, 1.0, {}, measured)], [])
    figures = lane.show(data, 4).figures
    assert figures is not None
    assert figures(5.0, 10.0)[1] == words
    assert figures(0.0, 5.0)[1] == ("CPU" if thread_ms > 900 else "neither")
