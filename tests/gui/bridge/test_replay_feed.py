# SPDX-License-Identifier: GPL-3.0-or-later
"""A recording played through the pipeline."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from destutter.analysis.examining.pipeline import Pipeline, Snapshot
from destutter.bridge import replay_feed
from destutter.bridge.replay_feed import ReplayFeed
from destutter.core.sample import Frames, Header, Layout, Marker, Message, Reading, Sample
from destutter.core.statement import Statement, told
from destutter.diagnosis.assessor import Assessor
from destutter.session.format import RecordingError
from tests.support.scripted_source import ScriptedSource


def _stream(seconds: int) -> list[Message]:
    layout = Layout("pressure", ("some_us", "full_us"), ("cpu",))
    samples = [
        Sample(at, 0, 5, 0, (Reading("pressure", at, (at // 1000, 0)),))
        for at in range(0, seconds * 1_000_000_000, 100_000_000)
    ]
    return [Header(0, 0.0, 100), layout, *samples, Marker(samples[-1].monotonic_ns, "landed")]


def _feed(messages: list[Message], prefill_s: float) -> tuple[ReplayFeed, ScriptedSource]:
    source = ScriptedSource(messages)
    return ReplayFeed(Pipeline(Assessor()), source, prefill_s), source


def test_beginning_is_shown_at_once_and_the_rest_at_its_own_speed(qtbot: QtBot) -> None:
    """The prefilled seconds come in large pieces, then a quarter of a second at a time."""
    feed, source = _feed(_stream(60), prefill_s=30)
    taken: list[Snapshot] = []
    feed.snapshot_taken.connect(taken.append)
    feed.start()
    assert len(taken) == 1
    qtbot.waitUntil(lambda: len(taken) == 9, timeout=5000)
    assert sum(len(snapshot.metrics) for snapshot in taken[:8]) == 301
    assert 1 <= len(taken[8].metrics) <= 4
    feed.stop()
    assert source.is_closed


@pytest.mark.parametrize("prefill_s", [0.0, 10.0, -5.0])
def test_it_begins_where_the_recording_does(qtbot: QtBot, prefill_s: float) -> None:
    """Not at what it has to know of before; and it plays on in time, however much is shown."""
    messages = _stream(60)
    old = messages[2]
    assert isinstance(old, Sample)
    older = replace(old, monotonic_ns=-500_000_000_000)
    source = ScriptedSource([*messages[:2], older, *messages[3:]])
    feed = ReplayFeed(Pipeline(Assessor()), source, prefill_s, begin_ns=20_000_000_000)
    moved: list[int] = []
    feed.moved.connect(moved.append)
    with qtbot.waitSignals([feed.moved] * 6, timeout=5000):
        feed.start()
    begin_s = 20 + max(0.0, prefill_s)
    assert moved[0] >= 20_000_000_000
    assert begin_s <= moved[-1] / 1e9 < begin_s + 3
    feed.stop()


def test_short_recording_ends_in_words(qtbot: QtBot) -> None:
    """All of it is shown, its last marker too, and the end is told."""
    feed, _ = _feed(_stream(5), prefill_s=30)
    taken: list[Snapshot] = []
    feed.snapshot_taken.connect(taken.append)
    with qtbot.waitSignals([feed.caught_up, feed.ended], timeout=5000):
        feed.start()
    assert sum(len(snapshot.metrics) for snapshot in taken) == 50
    assert [marker.text for snapshot in taken for marker in snapshot.markers] == ["landed"]
    feed.stop()


@pytest.mark.parametrize("times", [(), (59_000_000_000,)])
def test_a_recording_may_begin_with_frames(qtbot: QtBot, times: tuple[int, ...]) -> None:
    """Its clock is that of the computer, which ran for an hour before."""
    hour_ns = 3_600_000_000_000
    messages = [
        replace(each, monotonic_ns=each.monotonic_ns + hour_ns)
        if isinstance(each, Sample)
        else each
        for each in _stream(5)[:-1]
    ]
    first = tuple(hour_ns + at - 60_000_000_000 for at in times)
    frames = Frames("mangohud", first, (16_667,) * len(first))
    feed, _ = _feed([messages[0], frames, *messages[1:]], prefill_s=120)
    taken: list[Snapshot] = []
    feed.snapshot_taken.connect(taken.append)
    with qtbot.waitSignals([feed.caught_up, feed.ended], timeout=5000):
        feed.start()
    assert sum(len(snapshot.metrics) for snapshot in taken) == 50
    feed.stop()


@pytest.mark.parametrize("messages", [[], [Header(0, 0.0, 100)]])
def test_recording_without_measurements_says_so(qtbot: QtBot, messages: list[Message]) -> None:
    """Nothing to play is told, not played."""
    feed, _ = _feed(messages, prefill_s=30)
    with qtbot.waitSignal(feed.ended, timeout=5000) as ended:
        feed.start()
    assert ended.args == [Statement("analysis.no_measurements")]
    feed.stop()


class Unplugged(ScriptedSource):
    """A recording on a drive that goes away."""

    def messages(self) -> Iterator[Message]:
        """As far as it could be read."""
        yield from super().messages()
        raise RecordingError(told("Input/output error"))


def test_recording_that_goes_away_ends_in_words(qtbot: QtBot) -> None:
    """What could be read is shown, and the reason of the end is told."""
    feed = ReplayFeed(Pipeline(Assessor()), Unplugged(_stream(5)), 30)
    with qtbot.waitSignal(feed.ended, timeout=5000) as ended:
        feed.start()
    assert str(ended.args[0]) == "Input/output error"
    feed.stop()


def test_paused_playback_stands_still(qtbot: QtBot) -> None:
    """Nothing arrives while it is held; it goes on where it stood."""
    feed, _ = _feed(_stream(60), prefill_s=10)
    taken: list[Snapshot] = []
    feed.snapshot_taken.connect(taken.append)
    feed.start()
    qtbot.waitUntil(lambda: sum(len(s.metrics) for s in taken) == 101, timeout=5000)
    feed.set_paused(True)
    with qtbot.assertNotEmitted(feed.snapshot_taken, wait=600):
        pass
    feed.set_paused(False)
    with qtbot.waitSignal(feed.snapshot_taken, timeout=5000) as later:
        pass
    assert later.args[0].metrics[0].monotonic_ns == 10_100_000_000
    feed.stop()


def test_the_beginning_goes_on_at_once_after_a_pause(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is not played in time: a minute of it would take a minute."""
    feed, _ = _feed(_stream(60), prefill_s=40)
    feed.start()
    feed.set_paused(True)
    monkeypatch.setattr(replay_feed, "BATCH_MS", 60_000)
    with qtbot.waitSignal(feed.caught_up, timeout=5000):
        feed.set_paused(False)
    feed.stop()


@pytest.mark.parametrize("times", [0.5, 4.0])
def test_it_plays_as_fast_as_wished(qtbot: QtBot, times: float) -> None:
    """A batch brings as many of the recording's seconds, and tells how far it is."""
    feed, _ = _feed(_stream(60), prefill_s=4)
    at: list[int] = []
    feed.moved.connect(at.append)
    feed.set_speed(times)
    feed.start()
    qtbot.waitUntil(lambda: len(at) == 3, timeout=5000)
    feed.stop()
    assert at == [4_000_000_000 + round(step * times * 250_000_000) for step in range(3)]
