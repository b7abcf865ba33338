# SPDX-License-Identifier: GPL-3.0-or-later
"""The live feed against child processes that speak the stream's language."""

import logging
import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QProcess, QTimer
from pytestqt.qtbot import QtBot

from destutter.analysis.examining.pipeline import Pipeline, Snapshot
from destutter.bridge.feed import LiveFeed
from destutter.core.sample import (
    Facts,
    Header,
    Layout,
    Marker,
    Message,
    Reading,
    Sample,
    encode,
)
from destutter.core.statement import told
from destutter.diagnosis.assessor import Assessor
from destutter.interruption import closed_by_signal
from destutter.session.recorder import Recorder
from destutter.session.replay import ReplaySource

_OPENING: list[Message] = [
    Header(1, 0.0, 100, {"page_bytes": 4096}, {}),
    Layout("pressure", ("some_us", "full_us"), ("cpu",)),
    Facts(1, {"clocksource": "tsc"}),
]


def _sample(tick: int) -> Sample:
    at = tick * 100_000_000
    return Sample(at, 0, 5, 0, (Reading("pressure", at, (tick * 10, 0)),))


_ECHO = """
import sys
sys.stdout.write(open(sys.argv[1]).read())
sys.stdout.flush()
for line in sys.stdin:
    open(sys.argv[2], "a").write(line)
"""


def _child(folder: Path, name: str, lines: list[str]) -> list[str]:
    (folder / f"{name}.lines").write_text("".join(f"{line}\n" for line in lines))
    paths = [str(folder / f"{name}.{kind}") for kind in ("lines", "commands")]
    return [sys.executable, "-c", _ECHO, *paths]


@pytest.fixture
def make_feed(qtbot: QtBot, tmp_path: Path) -> Iterator:  # type: ignore[type-arg]
    """A feed on scripted children; all of them are stopped at the end."""
    feeds = []

    def make(*scripts: list[str]) -> LiveFeed:
        feed = LiveFeed(Pipeline(Assessor()), scripts)
        feeds.append(feed)
        return feed

    yield make
    for feed in feeds:
        feed.stop()
        feed.deleteLater()


def test_samples_of_a_child_become_snapshots(qtbot: QtBot, make_feed, tmp_path: Path) -> None:
    """What the sampler prints arrives derived, with the facts that hold."""
    messages = [*_OPENING, *(_sample(tick) for tick in range(1, 4))]
    feed = make_feed(_child(tmp_path, "sampler", [encode(message) for message in messages]))
    with qtbot.waitSignal(feed.snapshot_taken, timeout=5000) as taken:
        feed.start()
    snapshot = taken.args[0]
    assert isinstance(snapshot, Snapshot)
    assert [len(snapshot.metrics), snapshot.facts] == [3, {"clocksource": "tsc"}]
    share = snapshot.metrics[-1].instanced["pressure.some_pct"]["cpu"]
    assert share == pytest.approx(0.01)


def test_what_has_piled_up_is_taken_in_portions(qtbot: QtBot, make_feed, tmp_path: Path) -> None:
    """Between two portions clicks and signals have their turn; nothing is lost or reordered."""
    messages = [*_OPENING, *(_sample(tick) for tick in range(1, 400))]
    feed = make_feed(_child(tmp_path, "sampler", [encode(message) for message in messages]))
    portions: list[list[Message]] = []
    turns: list[int] = []
    feed._children[0].arrived.connect(portions.append)
    timer = QTimer(interval=0)
    timer.timeout.connect(lambda: turns.append(len(portions)))
    timer.start()
    feed.start()
    qtbot.waitUntil(lambda: sum(map(len, portions)) == len(messages), timeout=10_000)
    timer.stop()
    assert [message for portion in portions for message in portion] == messages
    assert max(map(len, portions)) <= 16
    assert len(set(turns)) > len(portions) // 2


def test_what_is_never_caught_up_with_does_not_grow(qtbot: QtBot, make_feed) -> None:
    """Who takes in less than there comes lets the child wait, and keeps no more of it."""
    line = encode(_sample(1))
    count = 3 * 2**20 // len(line)
    feed = make_feed([sys.executable, "-c", f"print(({line!r} + chr(10)) * {count}, end='')"])
    child = feed._children[0]
    child.arrived.disconnect()
    waiting: list[int] = []

    def slowly(_portion: list[Message]) -> None:
        waiting.append(child._process.bytesAvailable())
        if len(waiting) < 200:
            time.sleep(0.005)  # on purpose: this is who takes in less

    child.arrived.connect(slowly)
    with qtbot.waitSignal(feed.ended, timeout=30_000):
        feed.start()
    assert max(waiting) < 2**19


def test_a_signal_to_end_is_heard_whatever_has_piled_up(qtbot: QtBot, make_feed) -> None:
    """The window of a computer too slow for it took in a minute of ticks first, for nobody; only a
    recording has them."""
    line = encode(_sample(1))
    count = 2**19 // len(line)
    script = f"print(({line!r} + chr(10)) * {count}, end='', flush=True); input()"
    feed = make_feed([sys.executable, "-c", script])
    pipeline = feed._pipeline
    taken: list[int] = []
    kept: list[Message] = []

    def slowly(_message: Message) -> None:
        if not taken:
            os.kill(os.getpid(), signal.SIGTERM)
        taken.append(len(kept))

    pipeline.accept_message = slowly
    feed._children[0].arrived.connect(kept.extend)
    ended: list[int] = []
    with closed_by_signal(lambda: ended.append(len(kept))):
        feed.start()
        qtbot.waitUntil(lambda: bool(ended), timeout=10_000)
    assert len(taken) == 1
    assert ended[0] < count


def test_what_is_stopped_is_not_taken_in(qtbot: QtBot, make_feed) -> None:
    """Qt reads on while it waits for the end of the process."""
    line = encode(_sample(1))
    script = f"print(({line!r} + chr(10)) * 20_000, end='', flush=True)"
    feed = make_feed([sys.executable, "-c", script])
    portions: list[list[Message]] = []
    child = feed._children[0]
    with qtbot.waitSignal(child.arrived, timeout=5000):
        feed.start()
    child.arrived.connect(portions.append)
    feed.stop()
    assert portions == []


def test_what_a_child_said_last_comes_before_its_end(qtbot: QtBot, make_feed) -> None:
    """However much of it lies unread when the process is gone."""
    lines = "".join(f"{encode(m)}\n" for m in (*_OPENING, *map(_sample, range(1, 200))))
    feed = make_feed([sys.executable, "-c", f"import sys; sys.stdout.write({lines!r})"])
    seen: list[int] = []
    feed._children[0].arrived.connect(lambda portion: seen.append(len(portion)))
    with qtbot.waitSignal(feed.ended, timeout=10_000):
        feed.start()
    assert sum(seen) == 202


def test_probe_that_speaks_first_does_not_speak_for_the_machine(
    qtbot: QtBot, make_feed, tmp_path: Path
) -> None:
    """The sampler's header is used even when a probe was quicker."""
    probe = [encode(Header(1, 0.0, 5)), encode(Layout("wakeup", ("wakes", "worst_us")))]
    feed = make_feed(
        _child(tmp_path, "sampler", [encode(m) for m in (*_OPENING, _sample(1))]),
        _child(tmp_path, "probe", probe),
    )
    with qtbot.waitSignal(feed.snapshot_taken, timeout=5000) as taken:
        feed.start()
    assert taken.args[0].header == _OPENING[0]


def test_probe_that_takes_long_to_begin_is_not_said_to_be_off(
    qtbot: QtBot, make_feed, tmp_path: Path
) -> None:
    """The first snapshot knows that it was started; without one nothing of the kind is told."""
    lines = [encode(m) for m in (*_OPENING, _sample(1))]
    sampler = _child(tmp_path, "sampler", lines)
    for probes, why in (
        ([_child(tmp_path, "probe", [])], "The probe was started and has not measured anything"),
        ([], "The wake-up probe does not run"),
    ):
        feed = make_feed(sampler, *probes)
        with qtbot.waitSignal(feed.snapshot_taken, timeout=5000) as taken:
            feed.start()
        found = taken.args[0].assessment.not_measured
        missing = {str(each.what): str(each.why) for each in found}
        assert missing["Wake-up delay"].startswith(why)


_FALLS = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"


def test_probe_that_falls_is_a_trouble_of_its_source(
    qtbot: QtBot, make_feed, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Measuring goes on without it, and the page can say what is missing since."""
    lines = [encode(m) for m in (*_OPENING, _sample(1))]
    feed = make_feed(_child(tmp_path, "sampler", lines), [sys.executable, "-c", _FALLS])
    with caplog.at_level(logging.CRITICAL, "destutter.feed"):
        feed.start()
        qtbot.waitUntil(lambda: "wakeup" in feed._pipeline._state.troubles, timeout=10_000)
    assert feed._pipeline._state.troubles["wakeup"].id == "sampling.probe_ended"


def test_commands_reach_the_sampler(qtbot: QtBot, make_feed, tmp_path: Path) -> None:
    """Watching, marking and batching are lines on its standard input; a marker stays one line."""
    feed = make_feed(_child(tmp_path, "sampler", [encode(m) for m in (*_OPENING, _sample(1))]))
    with qtbot.waitSignal(feed.snapshot_taken, timeout=5000):
        feed.start()
    feed.watch(42)
    feed.watch(None)
    feed.mark("applied\nvm.swappiness=10")
    feed.set_batch_ms(1000)
    feed.stop()
    commands = (tmp_path / "sampler.commands").read_text().splitlines()
    assert commands == ["watch 42", "watch -", "mark applied vm.swappiness=10", "batch 1000"]


def test_child_that_dies_is_told_with_its_last_words(qtbot: QtBot, make_feed) -> None:
    """The reason is the last line that it wrote to standard error."""
    feed = make_feed([sys.executable, "-c", "raise SystemExit('no /proc here')"])
    with qtbot.waitSignal(feed.ended, timeout=5000) as ended:
        feed.start()
    assert ended.args == [told("no /proc here")]


_SLOW_TO_END = """
import sys, time
sys.stdin.read()
print(sys.argv[1], flush=True)
time.sleep(float(sys.argv[2]))
"""


def test_reason_of_a_sampler_does_not_name_it(qtbot: QtBot, make_feed) -> None:
    """It says who complains for those who start it in a terminal; the window knows."""
    feed = make_feed([sys.executable, "-c", "raise SystemExit('destutter: no /proc')"])
    with qtbot.waitSignal(feed.ended, timeout=5000) as ended:
        feed.start()
    assert ended.args == [told("no /proc")]


@pytest.mark.parametrize("ends_after_s", [0.3, 60.0])
def test_feed_that_is_left_ends_by_itself_and_says_nothing(
    qtbot: QtBot, ends_after_s: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody waits for its processes; one that stays is killed; the feed goes with the last."""
    monkeypatch.setattr("destutter.bridge.feed._STOP_MS", 600)
    script = [sys.executable, "-c", _SLOW_TO_END, encode(_OPENING[0]), str(ends_after_s)]
    feed = LiveFeed(Pipeline(Assessor()), [script, script])
    feed.start()
    processes = [child._process for child in feed._children]
    qtbot.waitUntil(lambda: all(each.processId() for each in processes))
    process_ids = [each.processId() for each in processes]
    told: list[object] = []
    feed.ended.connect(told.append)
    feed.snapshot_taken.connect(told.append)
    with qtbot.waitSignal(feed.destroyed, timeout=10_000):
        feed.leave()
        assert all(Path(f"/proc/{each}").exists() for each in process_ids)
    assert not any(Path(f"/proc/{each}").exists() for each in process_ids)
    assert told == []


def test_feed_of_which_one_process_has_left_can_be_stopped(qtbot: QtBot) -> None:
    """The window closes a moment after measuring began anew: it waits for who is still there."""
    scripts = [
        [sys.executable, "-c", _SLOW_TO_END, encode(_OPENING[0]), seconds] for seconds in "05"
    ]
    feed = LiveFeed(Pipeline(Assessor()), scripts)
    feed.start()
    quick, slow = feed._children
    process = slow._process
    qtbot.waitUntil(lambda: all(child._process.processId() for child in feed._children))
    with qtbot.waitSignal(quick.destroyed, timeout=10_000):
        feed.leave()
    assert process.state() == QProcess.ProcessState.Running
    feed.stop()
    assert process.state() == QProcess.ProcessState.NotRunning
    with qtbot.waitSignal(feed.destroyed, timeout=10_000):
        pass


def test_feed_that_never_ran_can_be_left(qtbot: QtBot) -> None:
    """One that has ended already, or whose program is missing, goes at once."""
    feed = LiveFeed(Pipeline(Assessor()), [["/absent"]])
    feed.start()
    with qtbot.waitSignal(feed.destroyed, timeout=5000):
        feed.leave()


def test_child_that_cannot_start_is_told(qtbot: QtBot, make_feed, tmp_path: Path) -> None:
    """A missing program is a reason in words, not a silent window."""
    feed = make_feed([str(tmp_path / "absent")])
    with qtbot.waitSignal(feed.ended, timeout=5000) as ended:
        feed.start()
    assert ended.args[0]


def test_unreadable_line_is_logged_and_costs_only_itself(
    qtbot: QtBot, make_feed, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Garbage between two samples loses neither."""
    lines = [encode(m) for m in (*_OPENING, _sample(1))] + ["garbage", encode(_sample(2))]
    feed = make_feed(_child(tmp_path, "sampler", lines))
    with (
        caplog.at_level(logging.WARNING, "destutter.feed"),
        qtbot.waitSignal(feed.snapshot_taken, timeout=5000) as taken,
    ):
        feed.start()
    assert len(taken.args[0].metrics) == 2
    assert "garbage" in caplog.text


def test_recording_that_starts_late_knows_what_holds(
    qtbot: QtBot, make_feed, tmp_path: Path
) -> None:
    """A recording begun in the middle replays with the layouts and facts of the stream."""
    feed = make_feed(_child(tmp_path, "sampler", [encode(m) for m in (*_OPENING, _sample(1))]))
    with qtbot.waitSignal(feed.snapshot_taken, timeout=5000):
        feed.start()
    header = _OPENING[0]
    assert isinstance(header, Header)
    recorder = Recorder(tmp_path / "late.destutter", header)
    feed.record_to(recorder)
    feed._accept_sampler([_sample(2), Marker(200_000_000, "mark")])
    feed.stop_recording()
    feed._accept_sampler([_sample(3)])
    recorder.close()
    replay = ReplaySource(tmp_path / "late.destutter")
    messages = list(replay.messages())
    replay.close()
    assert messages == [*_OPENING, _sample(2), Marker(200_000_000, "mark")]


def test_recording_that_fails_is_told_and_measuring_goes_on(
    qtbot: QtBot, make_feed, tmp_path: Path
) -> None:
    """A closed recording stands for a full disk: one message, and snapshots still come."""
    feed = make_feed(_child(tmp_path, "sampler", [encode(m) for m in (*_OPENING, _sample(1))]))
    with qtbot.waitSignal(feed.snapshot_taken, timeout=5000):
        feed.start()
    header = _OPENING[0]
    assert isinstance(header, Header)
    recorder = Recorder(tmp_path / "full.destutter", header)
    feed.record_to(recorder)
    recorder.close()
    with qtbot.waitSignals([feed.recording_ended, feed.snapshot_taken], timeout=5000):
        feed._accept_sampler([_sample(2)])
    with qtbot.assertNotEmitted(feed.recording_ended):
        feed._accept_sampler([_sample(3)])
