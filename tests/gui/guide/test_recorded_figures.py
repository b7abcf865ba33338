# SPDX-License-Identifier: GPL-3.0-or-later
"""The figures beside the clock of the guide, while it records and behind it."""

import time

from destutter.guide_progress import GuideProgress, GuideStep
from destutter.ui.guide.record_counts import RecordCounts
from destutter.ui.guide.record_panel import _points
from destutter.ui.pages.feed_state import RecordingState
from tests.gui.guide.guide_kit import make_guide
from tests.gui.sessions.page_kit import BEFORE, flights, folder

__all__ = ["flights", "folder", "make_guide"]


def test_behind_the_end_the_figures_are_those_of_the_recording(make_guide, qtbot):
    """127 were told at "Stop", when the last ones were still open, and 135 in the next step."""
    guide = make_guide()
    page, name = guide.page, f"{BEFORE}.destutter"
    page.show_step(GuideStep.RECORD)
    page.show_recording(RecordingState(time.monotonic_ns(), name))
    page._memory.keep(GuideProgress(GuideStep.RECORD, name))
    panel = page.record.panel
    panel.show_now()
    assert panel.stutters.note.text() == "so far"
    page.show_recording(RecordingState(file_name=name))
    page.show_step(GuideStep.CHOOSE)
    guide.wait(qtbot)
    summary = page.choose._summary
    assert summary is not None
    page.show_step(GuideStep.RECORD)
    assert panel.stutters.value.text() == str(summary.frame_stutters)
    assert panel.stutters.note.text() == ""
    assert "after the start" in panel.longest.note.text()
    assert panel.length_s == summary.played_s


def test_a_pause_is_a_gap_in_the_line() -> None:
    """A slope led through it, as if the game had run."""
    counts = RecordCounts(0)
    counts.worst_by_second = {0: 17.0, 1: 18.0, 30: 40.0, 31: 17.0}
    values = [value for _, value in _points(counts, 60.0)]
    assert values == [17.0, 18.0, None, 40.0, 17.0]


def test_in_a_low_window_the_clock_leaves_room_for_the_figures(make_guide) -> None:
    """At 640x400 the count of stutters lay below the edge of the card."""
    panel = make_guide().page.record.panel
    high = panel.sizeHint().height()
    panel.set_small(is_small=True)
    assert panel.sizeHint().height() < high - 30
    panel.set_small(is_small=False)
    assert panel.sizeHint().height() == high
