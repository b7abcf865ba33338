# SPDX-License-Identifier: GPL-3.0-or-later
"""Frame times beside the samples: one source at a time, with its troubles."""

import os
import time

import pytest

from destutter.core.sample import PAUSED_FACT, Frames, Trouble
from destutter.sampling.frames.frame_feed import FrameFeed, parse_address
from tests.support.simulator import PATIENCE_S, Simulator

HEADER = "fps,frametime,elapsed\n"


class Clock:
    """The real clock, which a test can put forward."""

    def __init__(self):
        self.ahead_ns = 0

    def __call__(self):
        return time.monotonic_ns() + self.ahead_ns

    def advance(self, seconds):
        self.ahead_ns += int(seconds * 1e9)


@pytest.fixture
def clock():
    """A clock to be put forward."""
    return Clock()


@pytest.fixture
def feed(clock):
    """A feed that follows nothing yet."""
    made = FrameFeed(clock)
    yield made
    made.stop()


def append(path, text):
    """Write what the game writes."""
    with path.open("a", encoding="utf-8") as file:
        file.write(text)


def taken(feed):
    """The first messages that come."""
    give_up = time.monotonic() + PATIENCE_S
    messages = feed.take()
    while not messages and time.monotonic() < give_up:
        time.sleep(0.001)
        messages = feed.take()
    return messages


def reasons(messages):
    """What troubles say."""
    assert all(isinstance(each, Trouble) and each.source == "frames" for each in messages)
    return ["" if each.reason is None else str(each.reason) for each in messages]


def test_without_a_source_there_is_nothing(feed):
    """Nobody asked for frames: no message, no trouble."""
    assert feed.take() == []


def test_a_log_that_comes_later_is_told_and_then_followed(feed, clock, tmp_path):
    """Missing: one trouble. There: its frames, and the trouble is over."""
    path = tmp_path / "game.csv"
    feed.follow(str(path))
    assert reasons(feed.take()) == [f"{path}: not there yet"]
    append(path, HEADER)
    assert feed.take() == []
    clock.advance(1)
    assert feed.take() == []
    append(path, "60,16.5,1000000\n60,17,18000000\n")
    os.utime(path, (time.time() + 60, time.time() + 60))
    clock.ahead_ns = 0
    feed.follow(str(path))
    over, frames = feed.take()
    assert reasons([over]) == [""]
    assert isinstance(frames, Frames)
    assert frames.origin == "mangohud"


def test_frames_of_before_are_left_out(feed, tmp_path):
    """A log that has been running for an hour: only what ends from now on counts."""
    path = tmp_path / "game.csv"
    hour_ns = 3_600_000_000_000
    path.write_text(HEADER + "60,16.5,1000000\n" + f"60,17,{hour_ns}\n")
    past = time.time() - 10
    os.utime(path, (past, past))
    feed.follow(str(path))
    assert feed.take() == []
    append(path, f"60,18,{hour_ns + 20_000_000_000}\n")
    (frames,) = feed.take()
    assert frames.frame_us == (18_000,)


def test_the_newest_log_of_a_folder_is_followed(feed, clock, tmp_path):
    """A game that is started again writes another file, which is found within a second."""
    feed.follow(str(tmp_path))
    assert reasons(feed.take()) == [f"{tmp_path}: no frame log in this folder yet"]
    first, second = tmp_path / "a.csv", tmp_path / "b.csv"
    for path, length in ((first, 17), (second, 18)):
        append(path, HEADER)
        stamp = time.time() + length
        os.utime(path, (stamp, stamp))
        clock.advance(1)
        feed.take()
        append(path, f"60,{length},{10**12}\n")
        os.utime(path, (stamp, stamp))
        frames = feed.take()[-1]
        assert isinstance(frames, Frames)
        assert frames.frame_us == (length * 1000,)


def test_a_file_of_another_kind_is_a_trouble_until_it_is_one(feed, clock, tmp_path):
    """A bad file costs the frames and nothing else, and is tried again."""
    path = tmp_path / "game.csv"
    path.write_text("nothing here\n" * 100)
    feed.follow(str(path))
    assert "no column with frame times" in reasons(feed.take())[0]
    clock.advance(1)
    assert feed.take() == []
    path.write_text(HEADER + "60,17,1000000\n")
    os.utime(path, (time.time() + 60, time.time() + 60))
    clock.advance(1)
    clock.ahead_ns = 0
    feed.follow(str(path))
    assert isinstance(feed.take()[-1], Frames)


def test_a_source_that_stays_silent_is_told(feed, clock, tmp_path):
    """Five seconds without a frame: the user learns that nothing arrives."""
    path = tmp_path / "game.csv"
    path.write_text(HEADER)
    feed.follow(str(path))
    assert feed.take() == []
    clock.advance(6)
    assert reasons(feed.take()) == [f"{path}: no frame has come from it yet"]
    feed.stop()
    assert reasons(feed.take()) == [""]


def test_frames_of_a_simulator_arrive(feed):
    """X-Plane is asked, and the time between its packets are the frames."""
    with Simulator() as simulator:
        feed.listen("127.0.0.1", simulator.port)
        feed.take()
        simulator.requests(2)
        for _ in range(2):
            simulator.send((0, 0.02), (1, 0.0))
        (frames,) = taken(feed)
        assert frames.origin == "xplane"
        assert len(frames.frame_us) == 1
        feed.stop()
        assert [rate for rate, _, _ in simulator.requests(2)] == [0, 0]


def test_a_simulator_that_does_not_answer_is_told_from_one_that_is_paused(feed, clock):
    """The one needs its settings looked at, the other a flight."""
    with Simulator() as simulator:
        feed.listen("127.0.0.1", simulator.port)
        assert feed.take() == []
        simulator.requests(2)
        clock.advance(6)
        (reason,) = reasons(feed.take())
        assert reason.startswith(f"nobody answers at 127.0.0.1:{simulator.port}: ")
        simulator.send((0, 0.02), (1, 1.0))
        paused = f"X-Plane at 127.0.0.1:{simulator.port}: no frame has come from it yet"
        told, pause = taken(feed)
        assert reasons([told]) == [paused]
        assert pause.facts == {PAUSED_FACT: "1"}
        for _ in range(2):
            simulator.send((0, 0.02), (1, 0.0))
        over, _frames, goes_on = taken(feed)
        assert reasons([over]) == [""]
        assert goes_on.facts == {PAUSED_FACT: ""}


def test_a_pause_ends_with_the_simulator(feed):
    """Who quits while the flight is paused leaves no pause behind."""
    with Simulator() as simulator:
        feed.listen("127.0.0.1", simulator.port)
        feed.take()
        simulator.requests(2)
        simulator.send((0, 0.02), (1, 1.0))
        (pause,) = taken(feed)
        assert pause.facts == {PAUSED_FACT: "1"}
        assert feed.take() == []
        feed.stop()
        (ended,) = feed.take()
        assert ended.facts == {PAUSED_FACT: ""}


def test_addresses():
    """A port may be left out; what is none is refused."""
    assert parse_address("sim.local:50000") == ("sim.local", 50000)
    assert parse_address("192.0.2.7") == ("192.0.2.7", 49000)
    for text in ("", ":49000", "host:", "host:0", "host:65536", "host:x"):
        with pytest.raises(ValueError, match="not an address"):
            parse_address(text)
