# SPDX-License-Identifier: GPL-3.0-or-later
"""What the lanes show for the data that there is."""

import pytest
from PySide6.QtCore import QLocale

from destutter.core.metrics import Metrics
from destutter.core.sample import Frames
from destutter.ui.plots.lane_data import LaneData
from destutter.ui.plots.lane_models import DiskLane, FrameLane
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
