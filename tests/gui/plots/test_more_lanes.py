# SPDX-License-Identifier: GPL-3.0-or-later
"""The lanes of the table, each with values of its metrics."""

import pytest
from PySide6.QtCore import QLocale

from destutter.core.catalog import SOURCES
from destutter.core.metric_table import METRIC_BY_ID
from destutter.core.metrics import Metrics
from destutter.ui.plots.lane_catalogue import LaneCatalogue
from destutter.ui.plots.lane_choice import USUAL
from destutter.ui.plots.lane_data import LaneData
from destutter.ui.plots.measured_lane import MeasuredLane
from destutter.ui.plots.more_lanes import MORE_LANES, drive_lane
from destutter.ui.words.quantities import Quantities

SPECS = (*MORE_LANES, drive_lane("nvme0n1"))
QUANTITIES = Quantities(QLocale("en_US"))


def filled(model, instances=("nvme0n1",), value=7.0):
    """Data with one value of everything that a lane draws."""
    data = LaneData()
    data.keep(model.measures)
    metrics = {measure.metric for measure in model.measures}
    many = {one for one in metrics if SOURCES[METRIC_BY_ID[one].source].is_instanced}
    values = dict.fromkeys(metrics - many, value)
    each = {metric: dict.fromkeys(instances, value) for metric in many}
    data.accept_measurements([Metrics(10**9, 0.1, values, each)], [])
    return data


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.id)
def test_every_line_is_of_a_metric_with_the_unit_of_its_lane(spec):
    """And of one of its sources, or of one that is read as often."""
    metrics = [METRIC_BY_ID[line.measure.metric] for line in spec.lines]
    assert {each.unit.replace("pages/s", "/s") for each in metrics} == {spec.unit}
    assert metrics[0].source in spec.sources


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.id)
def test_a_lane_draws_what_was_measured(spec):
    """A line, a row with a value and a formatted axis for each; before that it says so."""
    model = MeasuredLane(QUANTITIES, spec, "nvme0n1")
    empty = model.show(LaneData(), 4)
    assert not empty.content.lines
    assert empty.note is not None
    data = filled(model)
    assert model.key(data, 4) != model.key(LaneData(), 4)
    shown = model.show(data, 4)
    assert len(shown.legends) == len(shown.content.lines) == len(spec.lines)
    assert len({line.key for line in shown.content.lines}) == len(spec.lines)
    assert shown.note is None
    assert [line.series.newest(1.0) for line in shown.content.lines] == [7.0] * len(spec.lines)
    assert "7" in shown.write(7.0)
    ticks = shown.content.scale.extent(7.0, 7.0, 100).ticks
    assert all(shown.content.formatter(value) for _, value in ticks)


def test_more_cards_than_rows_are_counted():
    """Two and "+3 more" where there is room for three rows."""
    spec = next(each for each in MORE_LANES if each.id == "gpu")
    model = MeasuredLane(QUANTITIES, spec)
    shown = model.show(filled(model, [f"card{number}" for number in range(5)]), 2)
    assert [each.name for each in shown.legends] == ["card0", "card1"]
    assert shown.hidden == ("card2", "card3", "card4")


def test_what_took_less_than_the_kernel_counts_is_not_nothing():
    """As in the lane of all drives."""
    model = MeasuredLane(QUANTITIES, drive_lane("sda"), "sda")
    write = model.show(filled(model, ["sda"]), 4).write
    assert write(0.0).startswith("below 1")
    assert write(3.0).startswith("3")


def test_ids_are_as_they_were():
    """They stand in users' settings."""
    known = LaneCatalogue(QUANTITIES, 60.0)
    assert known.ids(["sda"]) == (
        *USUAL,
        *"cpu clock core_wait wakeup gpu vram memory swapping background_reclaim".split(),
        *"throughput queue network interrupts temperature power drive:sda".split(),
    )
    assert all(map(known.is_known, known.ids(["sda"])))
    assert not any(map(known.is_known, ("", "drive:", "telepathy")))
    assert len(set(map(known.title, known.ids(["sda"])))) == len(known.ids(["sda"]))
