# SPDX-License-Identifier: GPL-3.0-or-later
"""Labels on the strip: stutters, markers and spans without data, none over another."""

from itertools import combinations
from math import nan

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPointF

from destutter.diagnosis.finding import Spike
from destutter.ui.plots.event_strip import EventStrip, StripNote
from destutter.ui.plots.series import LaneSeries
from destutter.ui.plots.time_view import TimeView
from destutter.ui.plots.traced_series import GROUPS, wait_marks
from destutter.ui.words.quantities import Quantities
from tests.support.window_kit import LOCALE, make_theme

GAP = StripNote(400.0, "not-measured", "no data 2 s", "No data 14:31:02 to 14:31:04")
MARKER = StripNote(400.0, "marker", "landing", "14:31:03 landing")


@pytest.fixture
def strip(qtbot, qapp):
    """A strip of 900 pixels."""
    made = EventStrip(make_theme(qapp), Quantities(LOCALE))
    qtbot.addWidget(made)
    made.resize(900, 34)
    return made


def show(strip, positions, notes):
    """Stutters at these places, and these notes."""
    spikes = [Spike(at * 10**9, 60.0 + at, "test") for at in range(len(positions))]
    strip.show_spikes(spikes, positions, None)
    strip.show_notes(notes)


def boxes(strip):
    """Where everything is drawn."""
    notes = [strip._box(text, note.x_px) for note, text in strip.placed_notes()]
    return notes + [strip._box(strip.label(one), one.x_px) for one in strip.clusters]


def test_span_without_data_has_words_where_there_is_room(strip):
    """Far from every stutter it says how long."""
    show(strip, [100.0, 800.0], [GAP])
    assert strip.placed_notes() == [(GAP, "no data 2 s")]


def test_span_beside_a_stutter_is_its_sign_alone(strip):
    """Its words would lie under the label of the stutter; what it is can be asked by pointing."""
    show(strip, [460.0], [GAP])
    assert strip.placed_notes() == [(GAP, "")]
    assert strip.tip_at(QPointF(400.0, 15.0)) == GAP.tip


def test_span_below_a_stutter_leaves_it_to_the_lanes(strip):
    """At the same place the stutter has the word."""
    show(strip, [400.0], [GAP])
    assert strip.placed_notes() == []
    assert strip.tip_at(QPointF(400.0, 15.0)) == strip.label(strip.clusters[0])


def test_what_somebody_marked_goes_before_a_span(strip):
    """Both at one place: the words of a person are the ones that are read."""
    show(strip, [], [GAP, MARKER])
    assert strip.placed_notes() == [(MARKER, "landing")]


def test_label_at_the_end_of_the_strip_does_not_move_over_its_neighbour(strip):
    """It is drawn further inside than its stutter is: the two share a label."""
    show(strip, [0.0, 105.0], [])
    assert [len(one.spikes) for one in strip.clusters] == [2]
    show(strip, [795.0, 900.0], [])
    assert [len(one.spikes) for one in strip.clusters] == [2]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.floats(0, 900), max_size=40).map(sorted), st.lists(st.floats(0, 900)))
def test_nothing_lies_over_another(strip, stutters, gaps):
    """Whatever happens at once, every label can be read."""
    show(strip, stutters, [StripNote(x, "not-measured", "no data 2 s", "") for x in gaps])
    for one, other in combinations(boxes(strip), 2):
        assert not one.intersects(other)


def test_waits_that_the_kernel_told_are_marked_by_what_they_were_for(strip):
    """A row a group in the colour of its lane; pointing says what, beside a mark nothing."""
    strip.show_waits((("memory", 200), ("cpu", 200), ("storage", 500)))
    image = strip.grab().toImage()
    height = strip._theme.sizes.px(3)
    tops = {group: strip.marks_top + height * at for at, group in enumerate(GROUPS)}
    for group, x_px in strip.waits:
        seen = {image.pixelColor(x_px, tops[group] + at).name() for at in range(height)}
        assert seen == {strip._theme.color(group).name()}, "none is cut off"
    ground = strip._theme.color("surface")
    assert image.pixelColor(200, strip.height() - 1) == ground, "they do not touch the lane"
    assert strip._box("9 ms", 200.0).bottom() <= strip.marks_top, "nor a label"
    assert strip._box("9 ms", 200.0).top() >= 1
    assert image.pixelColor(200, tops["storage"]) == ground
    assert image.pixelColor(300, tops["memory"]) == ground
    told = "The kernel saw the game wait for"
    assert strip.tip_at(QPointF(202.0, 33.0)) == f"{told} memory, a core"
    assert strip.tip_at(QPointF(500.0, 10.0)) == f"{told} a drive"
    assert strip.tip_at(QPointF(350.0, 33.0)) == ""
    strip.show_waits(())
    assert strip.grab().toImage().pixelColor(200, tops["memory"]) == ground


def test_only_waits_in_view_are_marked_and_each_pixel_once():
    """Looks without a wait are no marks, nor what lies left of the view."""
    series = {group: LaneSeries(1200.0) for group in GROUPS}
    times = [float(at) for at in range(40)]
    series["memory"].extend(times, [9.0 if at % 2 else 0.0 for at in range(40)])
    series["cpu"].extend([5.0, 5.001, 35.0, 35.001], [nan, 7.0, 7.0, 7.0])
    view = TimeView(now_s=40.0, span_s=10.0)
    marks = wait_marks(series.__getitem__, view, lambda time_s: 10 * (time_s - 30.0))
    memory = [x for group, x in marks if group == "memory"]
    assert [x for x in memory if x >= 0] == [10, 30, 50, 70, 90]
    assert [mark for mark in marks if mark[0] == "cpu"] == [("cpu", 50)]
    assert not [mark for mark in marks if mark[0] == "storage"]
