# SPDX-License-Identifier: GPL-3.0-or-later
"""Two hours of a live window with stutters: does memory or the cost of a picture grow?

The stream is scripted and comes as fast as the window takes it, through the real pipeline and the
real diagnosis, into the live page and that of causes. No two stutters are equally long, and other
programs are seen every few seconds. What counts are the last ten minutes against the first ten in
which every buffer was in use to its end: those of the lanes keep twenty minutes and have room for
up to half as much again. Takes about a quarter of an hour, so it runs only when it is named:
`make bench ARGS=soak`.
"""

import gc
import os
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from destutter.ui.plots.time_view import RETENTION_S
from tests.bench.row import Row

if TYPE_CHECKING:
    from tests.support.live_scenes import Moment

MINUTES = 120
WARM_UP_MINUTES = round(1.5 * RETENTION_S / 60)
SPAN = 10
STUTTER_S = 20.0


@dataclass(frozen=True)
class LastMinute:
    """A minute of the stream: memory after it, and what one batch took to be shown."""

    rss_mb: float
    shown_ms: float


def run() -> list[Row]:
    """Measure; see the module."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    minutes = list(_minutes())
    settled = minutes[WARM_UP_MINUTES:]
    first, last = settled[:SPAN], settled[-SPAN:]
    rss_first, rss_last = (
        statistics.median(each.rss_mb for each in span) for span in (first, last)
    )
    ms_first, ms_last = (
        statistics.median(each.shown_ms for each in span) for span in (first, last)
    )
    hours = (len(settled) - SPAN) / 60
    return [
        Row(
            f"memory of the window after {MINUTES} minutes of data",
            rss_last,
            "MB",
            f"after {WARM_UP_MINUTES + SPAN} minutes, {rss_first:.1f} MB",
            rss_last / rss_first,
            "<= 1.03",
            rss_last <= 1.03 * rss_first,
        ),
        Row(
            "the same, growth",
            (rss_last - rss_first) / hours,
            "MB an hour",
            "",
            None,
            "<= 2 MB",
            (rss_last - rss_first) / hours <= 2,
        ),
        Row(
            "a batch shown and painted, at the end",
            ms_last,
            "ms",
            f"at the beginning, {ms_first:.2f} ms",
            ms_last / ms_first,
            "<= 1.1",
            ms_last <= 1.1 * ms_first,
        ),
    ]


def _minutes() -> Iterator[LastMinute]:
    from destutter.analysis.examining.pipeline import Pipeline
    from destutter.diagnosis.assessor import Assessor
    from tests.bench.gui_child import rss_mb
    from tests.bench.gui_pages import application
    from tests.support import live_scenes
    from tests.support.window_kit import make_theme, make_window

    app = application()
    window = make_window(make_theme(app), watches_computer=True)
    window.resize(1440, 900)
    window.show()
    app.processEvents()
    window.live.prepare_graphs()
    for page in ("causes", "live"):
        window.show_page(page)
        app.processEvents()
    scene, pipeline = live_scenes.Scene(), Pipeline(Assessor())
    for minute in range(MINUTES):
        taken: list[float] = []
        for turn in range(round(60 / STUTTER_S)):
            scene.run(STUTTER_S, _shape).long_frame(120 + minute + 0.3 * turn)
            names = [f"{100 * minute + each} job{minute}" for each in range(8)]
            scene.script.look(*({"cpu_us": 300_000, "interval_us": 3_000_000},) * 8, names=names)
            for snapshot in live_scenes.snapshots(scene.script.messages, pipeline):
                begun = time.perf_counter()
                window.show_snapshot(snapshot)
                # Each turn of the loop may queue the next one: a lane per turn.
                for _ in range(8):
                    app.processEvents()
                taken.append(time.perf_counter() - begun)
            scene.script.messages.clear()
        gc.collect()
        yield LastMinute(rss_mb(), 1e3 * statistics.fmean(taken))
    window.close()


def _shape(at_s: float) -> "Moment":
    from tests.support import live_scenes

    is_late = abs(at_s - (STUTTER_S - 1)) < 0.05
    return live_scenes.Moment(
        live_scenes.reclaim_storm(at_s, STUTTER_S - 1), 35.0 if is_late else 0.3
    )
