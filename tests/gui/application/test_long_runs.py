# SPDX-License-Identifier: GPL-3.0-or-later
"""A window that is open for hours: what it keeps does not become more."""

import gc
import sys

import pytest

from destutter.analysis.examining.pipeline import Pipeline, Snapshot
from destutter.core.statement import Statement
from destutter.diagnosis.assessor import Assessor
from destutter.diagnosis.finding import Assessment, Spike, Verdict, VerdictKind
from destutter.ui.pages.unseen_snapshots import KEPT_NS
from tests.gui.live_window import make_live, settle
from tests.support.scripted_source import Script
from tests.support.window_kit import make_theme, make_window

pytestmark = pytest.mark.long

__all__ = ["make_live"]

SECOND = 1_000_000_000
SETTLED_MINUTES, WATCHED_MINUTES = 23, 4


def snapshot_at(seconds):
    """A snapshot in which nothing happened."""
    smooth = Statement("verdict.smooth", {"span_s": 60})
    verdict = Verdict(VerdictKind.SMOOTH, smooth, Statement("verdict.smooth.frames.detail"))
    return Snapshot(Assessment(round(seconds * SECOND), verdict, (), (), (), ()))


def test_a_window_that_was_never_opened_keeps_two_minutes(qapp):
    """A start as a strip or in the background does not gather hours for a page nobody opens."""
    window = make_window(make_theme(qapp))
    for tick in range(4 * 600):
        window.show_snapshot(snapshot_at(tick / 4))
    assert len(window._unseen) == KEPT_NS // SECOND * 4 + 1
    assert window.live.card is None
    for tick in range(4 * 600, 4 * 1200):
        window.show_snapshot(snapshot_at(tick / 4))
    assert len(window._unseen) == 0
    assert len(window.live._unseen) == KEPT_NS // SECOND * 4 + 1
    window.close()
    window.deleteLater()


def test_labels_of_stutters_long_past_are_forgotten(make_live, qapp):
    """A day with thousands of stutters keeps the pictures of a few labels."""
    strip = make_live().live.card.strip_row.strip
    for index in range(600):
        spike = Spike(index * SECOND, 60.0 + 1.7 * index, "mangohud")
        strip.show_spikes([spike], [strip.width() / 2], None)
        strip.grab()
    assert max(len(strip._texts), len(strip._widths), len(strip._pixmaps)) <= 64
    assert strip.label(strip.clusters[0]) == "1,078\N{NO-BREAK SPACE}ms"


def test_programs_drives_and_stutters_that_come_and_go_leave_nothing(make_live, qapp):
    """After the longest buffer is full, minutes with new programs and stutters add no objects.

    Samples are ten a second for two seconds of each ten only, which is enough to fill what is
    kept by time.
    """
    window = make_live(None)
    window.show_page("causes")
    window.show_page("live")
    script, pipeline = Script(), Pipeline(Assessor())

    def run(minutes):
        for turn in range(minutes * 6):
            number = round(script.now_ns // SECOND)
            names = [f"{number + each} program{number}" for each in range(8)]
            script.look(*({"cpu_us": 90_000, "interval_us": 3_000_000},) * 8, names=names)
            script.run(2.0).sleep(8.0 - 0.1)
            script.run(0.1, late_ms=40.0 + turn % 9)
            for message in script.messages:
                pipeline.accept_message(message)
            script.messages.clear()
            window.show_snapshot(pipeline.take_snapshot())
            settle(qapp)
        gc.collect()

    run(SETTLED_MINUTES)
    blocks = sys.getallocatedblocks()
    run(WATCHED_MINUTES)
    assert sys.getallocatedblocks() - blocks < 400
