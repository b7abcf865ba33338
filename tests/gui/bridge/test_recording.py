# SPDX-License-Identifier: GPL-3.0-or-later
"""Recording from the window into the folder of sessions."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from destutter.analysis.examining.pipeline import Pipeline
from destutter.bridge.feed import LiveFeed
from destutter.bridge.recording import SessionRecording
from destutter.core.sample import Facts, Header, Layout, Message, Reading, Sample
from destutter.diagnosis.assessor import Assessor
from destutter.session.replay import ReplaySource
from destutter.session.store import describe

_LAYOUT = Layout("pressure", ("some_us", "full_us"), ("cpu",))


def _sample(tick: int) -> Sample:
    at = tick * 100_000_000
    return Sample(at, 0, 5, 0, (Reading("pressure", at, (tick, 0)),))


class Bench:
    """A feed without children, its pipeline, and a recording into a folder."""

    def __init__(self, folder: Path) -> None:
        self.pipeline = Pipeline(Assessor())
        self.feed = LiveFeed(self.pipeline, [["unused"]])
        self.recording = SessionRecording(
            self.feed, self.pipeline, folder, lambda: {"vm.swappiness": "60"}
        )

    def hear(self, *messages: Message) -> None:
        """What the sampler would have sent."""
        self.feed._accept_sampler(list(messages))


def _seen(path: str) -> Pipeline:
    """What a window makes of a recording."""
    pipeline = Pipeline(Assessor())
    replay = ReplaySource(path)
    for message in replay.messages():
        pipeline.accept_message(message)
    assert replay.problems == ()
    replay.close()
    return pipeline


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    """A stream that has begun."""
    made = Bench(tmp_path / "data" / "sessions")
    made.hear(Header(1, 0.0, 100, {"cpus": 4}), _LAYOUT, _sample(1))
    yield made
    made.recording.stop()
    made.feed.stop()


def test_recording_holds_the_stream_the_tunables_and_the_machine(
    qtbot: QtBot, bench: Bench
) -> None:
    """From the click on, the file has everything, in a folder made for it."""
    with qtbot.waitSignal(bench.recording.started) as started:
        bench.recording.start("X-Plane 12")
    bench.hear(_sample(2), _sample(3))
    with qtbot.waitSignal(bench.recording.stopped) as stopped:
        bench.recording.stop()
    assert started.args == stopped.args
    replay = ReplaySource(started.args[0])
    messages = list(replay.messages())
    replay.close()
    assert replay.header.tunables == {"vm.swappiness": "60"}
    assert replay.header.machine == {"cpus": 4}
    assert messages[1:] == [_LAYOUT, _sample(2), _sample(3)]
    assert not bench.recording.is_running


def test_second_click_starts_no_second_recording(qtbot: QtBot, bench: Bench) -> None:
    """One recording at a time."""
    bench.recording.start()
    with qtbot.assertNotEmitted(bench.recording.started):
        bench.recording.start()


def test_nothing_is_recorded_before_the_stream_has_begun(qtbot: QtBot, tmp_path: Path) -> None:
    """Without a header there is nothing to describe; no empty file is left."""
    made = Bench(tmp_path)
    with qtbot.assertNotEmitted(made.recording.started):
        made.recording.start()
    made.feed.stop()
    assert list(tmp_path.iterdir()) == []


def test_folder_that_cannot_be_made_is_told_in_words(qtbot: QtBot, tmp_path: Path) -> None:
    """The reason is in the message, and a later attempt may succeed."""
    blocker = tmp_path / "data"
    blocker.write_text("")
    made = Bench(blocker / "sessions")
    made.hear(Header(1, 0.0, 100, {"cpus": 4}))
    with qtbot.waitSignal(made.recording.failed) as failed:
        made.recording.start()
    assert failed.args[0].id == "session.not_started"
    blocker.unlink()
    with qtbot.waitSignal(made.recording.started):
        made.recording.start()
    made.recording.stop()
    made.feed.stop()


def test_game_that_exits_does_not_end_its_recording(qtbot: QtBot, bench: Bench) -> None:
    """What came until then and what follows is in the file, which goes on naming the game."""
    game = {"game.name": "X-Plane", "game.pid": "4711"}
    bench.hear(Facts(1, game))
    with qtbot.waitSignal(bench.recording.started) as started:
        bench.recording.start("X-Plane")
    bench.hear(_sample(2), Facts(3, dict.fromkeys(game, "")), _sample(3), _sample(14))
    assert bench.recording.is_running
    bench.recording.stop()
    last = _seen(started.args[0]).take_snapshot()
    assert last is not None
    assert last.facts == {}
    assert [round(one.monotonic_ns / 1e8) for one in last.metrics] == [2, 3, 14]
    assert describe(Path(started.args[0])).game == "X-Plane"


def test_sleep_in_the_middle_of_a_recording_is_a_gap_and_no_stutter(
    qtbot: QtBot, bench: Bench
) -> None:
    """CLOCK_MONOTONIC stands still meanwhile; the file says how long it really was."""
    hour_ns = 3_600_000_000_000
    with qtbot.waitSignal(bench.recording.started) as started:
        bench.recording.start()
    bench.hear(*(_sample(tick) for tick in range(2, 40)))
    bench.hear(*(replace(_sample(tick), suspended_ns=hour_ns) for tick in range(40, 80)))
    bench.recording.stop()
    last = _seen(started.args[0]).take_snapshot()
    assert last is not None
    gaps = [one.gap for one in last.metrics if one.gap is not None]
    assert [gap.reason for gap in gaps] == ["suspend"]
    assert last.assessment.spikes == ()
