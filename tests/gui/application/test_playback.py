# SPDX-License-Identifier: GPL-3.0-or-later
"""A recording that is played: seek, speed, pause and its stutters, by clicks."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt

from destutter.application.sessions_wiring import SessionsWiring
from destutter.diagnosis.finding import Group
from destutter.session.replay import ReplaySource, Since
from destutter.ui.pages.feed_state import FeedKind
from tests.gui.live_window import settle
from tests.gui.sessions.page_kit import REAL
from tests.support.long_flights import Flight, write_flight
from tests.support.window_kit import make_theme, make_window


@pytest.fixture
def playing(qtbot, qapp, tmp_path: Path) -> Iterator[SessionsWiring]:
    """Ten minutes with stutters, played in a window."""
    write_flight(tmp_path / "flight.destutter", Flight(10, 6.0))
    window = make_window(make_theme(qapp), watches_computer=True)
    sessions = SessionsWiring(window, tmp_path, window)
    with qtbot.waitSignal(window.drawn, timeout=20_000):
        window.show()
    sessions.open(tmp_path / "flight.destutter")
    qtbot.waitUntil(lambda: sessions.is_playing, timeout=10_000)
    yield sessions
    window.close()
    sessions.stop()
    window.deleteLater()
    settle(qapp)


def _bar(sessions: SessionsWiring):
    return sessions.playback.bar


def _shown_at_s(sessions: SessionsWiring) -> float:
    source = sessions.playback._source
    snapshot = sessions._window.live._snapshot
    if source is None or snapshot is None:
        return -1.0
    return (snapshot.assessment.monotonic_ns - source.span_ns[0]) / 1e9


def test_the_bar_spans_the_recording_and_marks_its_stutters(playing, qtbot):
    """Its maximum is the length; each stutter of the whole recording has a mark."""
    bar = _bar(playing)
    assert bar.isVisible()
    assert abs(bar.seek.maximum() - 600) <= 1
    qtbot.waitUntil(lambda: bar.time.text().endswith("of 10:00"), timeout=20_000)
    qtbot.waitUntil(lambda: len(bar.seek.stutters) > 5, timeout=30_000)
    assert all(0 <= second <= 601 for second in bar.seek.stutters)
    playing.back_to_live()
    assert not bar.isVisible()


def test_the_end_is_no_later_than_the_length(playing, qtbot):
    """A recording of 499.7 s stood at "8:20 of 8:19"."""
    bar = _bar(playing)
    qtbot.waitUntil(bar.speeds.isEnabled, timeout=20_000)
    bar.show_length(499.7)
    bar.seek.show_position(499.7)
    assert bar.seek.value() == 500
    assert bar.time.text() == "8:19 of 8:19"


def test_a_click_on_the_line_goes_there_forwards_and_back(playing, qtbot):
    """What is shown is of that time, with the two minutes before it, and it plays on."""
    bar = _bar(playing)
    for share in (0.75, 0.4, 0.05):
        where = QPoint(round(bar.seek.width() * share), bar.seek.height() // 2)
        qtbot.mouseClick(bar.seek, Qt.MouseButton.LeftButton, pos=where)
        wanted_s = 600 * share
        qtbot.waitUntil(lambda at=wanted_s: abs(_shown_at_s(playing) - at) < 12, timeout=20_000)
        qtbot.waitUntil(lambda: playing.playback.feed.read_share == 1, timeout=20_000)
        assert abs(_shown_at_s(playing) - wanted_s) < 12
        assert abs(bar.seek.value() - wanted_s) < 12
    assert playing._window.live._feed.kind is FeedKind.REPLAY
    before = bar.seek.value()
    bar.seek.setFocus()
    qtbot.keyClick(bar.seek, Qt.Key.Key_PageUp)
    qtbot.waitUntil(lambda: _shown_at_s(playing) > before + 50, timeout=20_000)


def test_no_page_tells_what_was_found_in_half_of_it(playing, qtbot):
    """Until the place is reached bar and pages say how much is read, and no speed is lit."""
    window, bar = playing._window, _bar(playing)
    told: list[tuple[str, str, str, str | None]] = []
    read: list[float] = []
    tiles: list[str] = []
    qtbot.waitUntil(bar.speeds.isEnabled, timeout=20_000)
    assert window.live.tiles.tile(Group.MEMORY).word.full_text != "Measuring"
    playing.playback.seek(400.0)
    feed = playing.playback.feed
    window.show_cause("direct_reclaim")

    def note() -> None:
        empty = window.causes.empty
        heading = "" if empty is None else empty.heading
        banner = window.live.banner.shown
        headline = "" if banner is None else banner.headline
        tiles.append(window.live.tiles.tile(Group.MEMORY).word.full_text)
        read.append(-1.0 if bar.seek.read_s is None else bar.seek.read_s)
        told.append((bar.time.text(), heading, headline, bar.speeds.choice))

    feed.moved.connect(note)
    with qtbot.waitSignal(feed.caught_up, timeout=30_000):
        note()
        assert bar.seek.value() == 400
        assert not bar.speeds.isEnabled()
    assert len(told) > 10
    for at, heading, headline, speed in told[:-1]:
        assert at.startswith("Reading the recording… ")
        assert at == heading == headline
        assert speed is None
    assert set(tiles[:-1]) == {"Measuring"}
    assert [at for at, *_rest in told[:-1]] != [told[0][0]] * (len(told) - 1)
    assert len(set(read[2:-1])) > 10
    assert read[2:-1] == sorted(read[2:-1])
    assert all(280 <= each <= 400 for each in read[2:-1])
    assert bar.seek.read_s is None
    assert bar.time.text() == "6:40 of 10:00"
    assert bar.speeds.choice == "1"
    assert bar.speeds.isEnabled()
    assert window.causes.empty is None
    assert window.live.banner.shown.headline != told[0][2]


def test_speed_and_pause(playing, qtbot):
    """Eight times as fast; a pause stops it, and play goes on; at the end from the beginning."""
    bar, feed = _bar(playing), playing.playback.feed
    qtbot.waitUntil(bar.speeds.isEnabled, timeout=20_000)
    bar.speeds.button("8").click()
    assert feed._speed == 8
    bar.play.click()
    assert bar.play.accessibleName() == "Play"
    assert not feed._timer.isActive()
    bar.play.click()
    assert bar.play.accessibleName() == "Pause"
    assert feed._timer.isActive()
    playing.playback.seek(598.0)
    assert playing.playback.feed._speed == 8
    qtbot.waitUntil(lambda: bar.play.accessibleName() == "Play", timeout=20_000)
    bar.play.click()
    qtbot.waitUntil(lambda: 0 <= _shown_at_s(playing) < 30, timeout=20_000)


def test_graphs_fit_a_short_recording(playing, qtbot):
    """One of 30 seconds or so fills them, and with those of now the usual span is marked again."""
    shutil.copy(REAL / "quiet.destutter", playing.folder)
    playing.open(playing.folder / "quiet.destutter")
    qtbot.waitUntil(lambda: playing.playback._name() == "quiet.destutter", timeout=10_000)
    length_s = playing.playback.bar.length_s
    assert 10 < length_s < 120
    live = playing._window.live
    assert abs(live.card.view.span_s - length_s) < 0.1
    assert live.header.spans.choice is None
    playing.back_to_live()
    assert live.card.view.span_s == 120
    assert live.header.spans.choice == "120"


def test_the_later_part_has_what_held_before(tmp_path):
    """Layouts and facts come first, then samples from a little before the moment."""
    write_flight(tmp_path / "flight.destutter", Flight(2, 6.0))
    source = ReplaySource(tmp_path / "flight.destutter")
    start_ns, end_ns = source.span_ns
    since = Since(source, (start_ns + end_ns) // 2)
    whole, later = list(source.messages()), list(since.messages())
    assert start_ns < since.start_ns <= (start_ns + end_ns) // 2
    assert later[-1] == whole[-1]
    assert len(later) < 0.7 * len(whole)
    kinds = [type(message).__name__ for message in later]
    assert kinds.index("Layout") < kinds.index("Sample")
    source.close()
