# SPDX-License-Identifier: GPL-3.0-or-later
"""The kernel's trace on the pages: offered, asked for, running, refused, and what it told."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtWidgets import QLabel

from destutter.analysis.examining.pipeline import Snapshot
from destutter.bridge.kernel_trace import KernelTrace, TraceKind, TraceStatus
from destutter.core.statement import Statement
from destutter.core.traced import (
    CORE,
    READ,
    RECLAIM,
    SlowRequest,
    TracedThread,
    TracedWait,
    TraceLook,
)
from destutter.diagnosis.finding import Confidence, Group, Spike
from destutter.ui.causes.causes_page import CausesPage
from destutter.ui.live.stutter_list import StutterList
from destutter.ui.pages.feed_state import FeedKind, FeedState
from destutter.ui.pages.trace_row import TraceRow
from tests.support import live_scenes
from tests.support.causes_window import fill, open_causes, settle
from tests.support.known_snapshots import snapshots_of
from tests.support.window_kit import make_theme

MAIN, STREAMER = TracedThread(4711, "flight", 4711), TracedThread(4713, "streamer", 4711)
FOLDERS = {"nvme0n1": ["/home", "/"]}.__getitem__
HOG = TracedThread(900, "hog", 900)


class Trace(KernelTrace):
    """One whose answers a test gives."""

    def __init__(self) -> None:
        super().__init__("unix:path=/nowhere")
        self.asked: list[str] = []

    def ask(self) -> None:
        """Note it."""
        self.asked.append("ask")

    def end(self) -> None:
        """Note it."""
        self.asked.append("end")

    def be(
        self, kind: TraceKind, why: Statement | None = None, *, is_absent: bool = False
    ) -> None:
        """The helper has answered."""
        self._change(TraceStatus(kind, why, is_absent))


@pytest.fixture
def trace(qapp) -> Iterator[Trace]:
    """It is off."""
    made = Trace()
    yield made
    made.stop()


@pytest.fixture
def make(qtbot, qapp, trace) -> Iterator[Callable[..., tuple[Any, Any]]]:
    """Opens windows on the page with the stuttering scene; closes them at the end."""
    made = []

    def open_page(scene=live_scenes.stuttering, size=(1440, 900)) -> tuple[Any, Any]:
        window, tuning = open_causes(
            qapp, make_theme(qapp), size, scene, trace=trace, read_folders=FOLDERS
        )
        made.append((window, tuning))
        return window, tuning

    yield open_page
    for window, tuning in made:
        window.close()
        window.deleteLater()
        tuning.close()
    settle(qapp)


def traced(snapshot: Snapshot, game: str = "4711") -> Snapshot:
    """The last stutter of the scene's first finding, as the trace saw it."""
    cause = snapshot.assessment.findings[0].cause
    spike = [each for each in snapshot.assessment.spikes if each.cause == cause][-1]
    at_ns = spike.start_ns
    waits = (
        TracedWait(STREAMER, RECLAIM, at_ns, 169_000_000),
        TracedWait(MAIN, CORE, at_ns, 12_000_000, behind=HOG, behind_priority=10),
    )
    requests = (
        SlowRequest(
            "nvme0n1",
            READ,
            8,
            256,
            at_ns,
            3_000_000,
            90_000_000,
            2_100_000_000,
            STREAMER,
            is_written_back=False,
        ),
    )
    look = TraceLook(at_ns, spike.monotonic_ns, 0, 0, waits=waits, requests=requests)
    return replace(snapshot, looks=(look,), facts={**snapshot.facts, "game.pid": game})


def row_of(page: Any) -> TraceRow:
    row: TraceRow
    (row,) = page.findChildren(TraceRow)
    return row


def plain(text: str) -> str:
    return text.replace("\N{NO-BREAK SPACE}", " ")


def test_offered_where_a_cause_is_only_likely(make, trace) -> None:
    """A link on the page of causes, and none on the live page; it asks when it is clicked."""
    window, _ = make()
    row = row_of(window.causes)
    assert row.isVisible()
    assert row.link.text() == "Look closer"
    assert "which part of the game waited" in row.text.full_text
    window.show_page("live")
    assert not row_of(window.live).isVisible()
    row.link.click()
    assert trace.asked == ["ask"]


def test_not_offered_where_all_is_sure_or_nothing_stutters(make) -> None:
    """Nothing would be won."""
    window, tuning = make(live_scenes.smooth)
    assert not row_of(window.causes).isVisible()
    last = snapshots_of(live_scenes.stuttering)[-1]
    sure = tuple(replace(each, confidence=Confidence.HIGH) for each in last.assessment.findings)
    spikes = tuple(replace(each, cause=sure[0].cause) for each in last.assessment.spikes)
    assessment = replace(last.assessment, findings=sure, spikes=spikes)
    fill(window, tuning, [replace(last, assessment=assessment)])
    assert not row_of(window.causes).isVisible()


def test_what_was_offered_stays_while_there_are_stutters(make) -> None:
    """It came and went with each new stutter, and the list below it moved by its height."""
    window, tuning = make()
    row = row_of(window.causes)
    assert row.isVisible()
    last = snapshots_of(live_scenes.stuttering)[-1]
    sure = tuple(replace(each, confidence=Confidence.HIGH) for each in last.assessment.findings)
    spikes = tuple(replace(each, cause=sure[0].cause) for each in last.assessment.spikes)
    fill(
        window,
        tuning,
        [replace(last, assessment=replace(last.assessment, findings=sure, spikes=spikes))],
    )
    assert row.isVisible()
    fill(window, tuning, [replace(last, assessment=replace(last.assessment, spikes=()))])
    assert not row.isVisible()


def test_while_it_is_asked_for_and_while_it_runs(make, trace) -> None:
    """Both pages say so, and both can end it."""
    window, _ = make()
    for kind, text, link in (
        (TraceKind.ASKING, "Waiting for your password", "Cancel"),
        (TraceKind.RUNNING, "Looking closer", "Stop"),
    ):
        trace.be(kind)
        for name, page in (("causes", window.causes), ("live", window.live)):
            window.show_page(name)
            row = row_of(page)
            assert row.isVisible()
            assert (row.text.full_text.startswith(text), row.link.text()) == (True, link)
            row.link.click()
    assert trace.asked == ["end"] * 4


def test_why_there_is_none(make, trace, qtbot) -> None:
    """In words; it can be tried again, or the helper is set up first."""
    window, _ = make()
    row = row_of(window.causes)
    trace.be(TraceKind.OFF, Statement("helper.trace.no_tracefs"))
    assert "nothing is mounted at /sys/kernel/tracing;" in row.text.full_text
    assert row.link.text() == "Try again"
    row.link.click()
    assert trace.asked == ["ask"]
    trace.be(TraceKind.OFF, Statement("bridge.helper.absent"), is_absent=True)
    assert row.link.text() == "About the helper"
    with qtbot.waitSignal(window.causes.helper_requested):
        row.link.click()
    assert window.page == "live"
    assert window.live.panel.isVisible()


def test_a_recording_is_not_looked_into(make, trace) -> None:
    """Its time is over: nothing of it could be seen."""
    window, _ = make()
    window.show_feed_state(FeedState(FeedKind.REPLAY, name="yesterday"))
    assert not row_of(window.causes).isVisible()
    window.show_feed_state(FeedState(FeedKind.LIVE))
    assert row_of(window.causes).isVisible()


def test_what_the_game_waited_for_stands_beside_its_cause(make, qapp, qtbot) -> None:
    """Waits of its threads, requests to drives, the longest first; a click leads to the graphs."""
    window, tuning = make()
    page: CausesPage = window.causes
    assert page.detail.waits.texts == page.detail.requests.texts == []
    assert not page.detail.waits.isVisible()
    fill(window, tuning, [traced(snapshots_of(live_scenes.stuttering)[-1])])
    page.show_cause()
    settle(qapp)
    first, second = map(plain, page.detail.waits.texts)
    assert "169 ms, freed memory itself, streamer 4713" in first
    assert "12 ms, waited for a core, flight 4711, behind hog 900 (real-time)" in second
    (request,) = map(plain, page.detail.requests.texts)
    assert "93 ms, read nvme0n1 (/home, /), streamer 4713" in request
    assert "queue 3 ms, drive 90 ms, idle before 2.1 s" in request
    headings = [label.text() for label in page.detail.findChildren(QLabel) if label.isVisible()]
    assert {"Waits of the game's threads", "Slowest requests to drives"} <= set(headings)
    with qtbot.waitSignal(page.moment_requested) as moment:
        page.detail.waits.links[0].click()
    assert moment.args[0] == traced(snapshots_of(live_scenes.stuttering)[-1]).looks[0].begin_ns


def test_waits_of_another_program_are_not_the_games(make, qapp) -> None:
    """Only what the game's own threads waited for stands there."""
    window, tuning = make()
    fill(window, tuning, [traced(snapshots_of(live_scenes.stuttering)[-1], game="5")])
    window.causes.show_cause()
    settle(qapp)
    assert window.causes.detail.waits.texts == []
    assert not window.causes.detail.waits.isVisible()
    assert len(window.causes.detail.requests.texts) == 1
    window.begin_anew()
    assert (
        window.causes._longest.within(
            snapshots_of(live_scenes.stuttering)[-1].assessment.spikes
        ).requests
        == ()
    )


def test_where_the_time_went_stands_above_all_causes(make, qapp) -> None:
    """The same on the page of causes and in the list of stutters; nothing where none was lost."""
    window, _ = make()
    said = plain(window.causes.lost.full_text)
    assert "were lost in stutters: " in said
    assert window.causes.lost.isVisible()
    window.show_page("live")
    window.live.panels.show_stutters()
    (shown,) = window.live.panel.findChildren(StutterList)
    assert plain(shown.lost.text()) == said
    told = []
    for row in range(2):
        shown.list.setCurrentRow(row)
        told.append(plain(shown.one.text()))
    assert shown.one.isVisible()
    assert told[0] != told[1]
    assert told[0].startswith("In the chosen one and the long frames beside it 266 ms were lost: ")
    assert told[1].startswith("In the chosen one 79.4 ms were lost: ")
    window, _ = make(live_scenes.smooth)
    assert not window.causes.lost.isVisible()


def test_a_guess_in_the_list_of_stutters_says_so(make) -> None:
    """What the verdict calls possible is not told there as known."""
    window, _ = make()
    window.show_page("live")
    window.live.panels.show_stutters()
    (shown,) = window.live.panel.findChildren(StutterList)
    sure = Spike(10**9, 200.0, "mangohud", "io_unfairness", Group.STORAGE)
    shown.show_spikes([sure])
    known = shown.list.item(0).text()
    shown.show_spikes([replace(sure, is_guess=True)])
    assert "Possibly: " not in known
    assert "Possibly: " in shown.list.item(0).text()


def test_why_a_trace_that_runs_lacks_waits_for_a_core(make, trace) -> None:
    """It goes on and can be stopped; what is not in it is said."""
    window, _ = make()
    trace.be(TraceKind.RUNNING, Statement("helper.trace.no_tasks"))
    row = row_of(window.causes)
    assert row.text.full_text.startswith(
        "Looking closer, but not at the game's waits for a core: "
    )
    assert row.link.text() == "Stop"
