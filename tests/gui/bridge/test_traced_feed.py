# SPDX-License-Identifier: GPL-3.0-or-later
"""A live feed with a trace beside it: a process that reads descriptors of the window's."""

import logging
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from destutter.analysis.examining.pipeline import Pipeline
from destutter.bridge.feed import LiveFeed
from destutter.core.sample import Facts, Header, Layout, Message, Trouble, encode
from destutter.core.traced import MISSING, SOURCE, TraceLook
from destutter.diagnosis.assessor import Assessor
from destutter.sampling.trace_source import LentTrace
from destutter.session.recorder import Recorder
from destutter.session.replay import ReplaySource

SAMPLER = """
import sys
sys.stdout.write(open(sys.argv[1]).read())
sys.stdout.flush()
sys.stdin.read()
"""
# It tells what it can read of what it was given, and what it was told.
READER = """
import os, sys
at = sys.argv.index("--descriptors") + 1
fds = [int(each) for each in sys.argv[at].split(",")]
read = b"".join(os.read(each, 100) for each in fds).decode()
notes = open(sys.argv[1], "a")
notes.write(f"{read} {sys.stdin.readline()}")
notes.flush()
print(sys.argv[2], flush=True)
if sys.argv[3] == "dies":
    sys.exit("the ring is gone")
for line in sys.stdin:
    notes.write(line)
    notes.flush()
    if line == "look\\n" and sys.argv[3] != "slow":
        print(open(sys.argv[4]).read(), flush=True)
"""
LOOK = TraceLook(1, 250_000_000, 0, 100, counts={"events": 3})
HEADER = Header(1, 0.0, 100, {"page_bytes": 4096}, {})
OPENING: list[Message] = [
    HEADER,
    Layout("pressure", ("some_us", "full_us"), ("cpu",)),
]


class Kept(Pipeline):
    """Keeps every message."""

    def __init__(self) -> None:
        super().__init__(Assessor())
        self.messages: list[Message] = []

    def accept_message(self, message: Message) -> None:
        """Note it."""
        self.messages.append(message)
        super().accept_message(message)


@pytest.fixture
def pipeline() -> Kept:
    """Where the messages go."""
    return Kept()


@pytest.fixture
def feed(qtbot: QtBot, tmp_path: Path, pipeline: Kept) -> Iterator[LiveFeed]:
    """A feed whose sampler says nothing more."""
    (tmp_path / "lines").write_text("".join(f"{encode(each)}\n" for each in OPENING))
    made = LiveFeed(pipeline, [[sys.executable, "-c", SAMPLER, str(tmp_path / "lines")]])
    made.start()
    qtbot.waitUntil(lambda: len(pipeline.messages) == len(OPENING))
    yield made
    if isValid(made):
        made.stop()
        made.deleteLater()


@pytest.fixture
def lent() -> Iterator[LentTrace]:
    """Two descriptors that hold a word each."""
    pairs = [os.pipe() for _ in range(2)]
    for (_, end), word in zip(pairs, (b"first", b"second"), strict=True):
        os.write(end, word)
    yield LentTrace('{\n"a":1}', tuple(read for read, _ in pairs))
    for pair in pairs:
        for end in pair:
            os.close(end)


@pytest.fixture
def command(tmp_path: Path) -> Callable[..., list[str]]:
    """Starts the reader."""
    notes, line, last = str(tmp_path / "notes"), encode(LOOK), str(tmp_path / "last")
    return lambda how="": [sys.executable, "-c", READER, notes, line, how, last]


def notes(folder: Path) -> str:
    path = folder / "notes"
    return path.read_text() if path.exists() else ""


def test_looks_come_into_the_stream(qtbot, tmp_path, feed, pipeline, lent, command) -> None:
    """The reader has the descriptors and their formats, in one line; nobody else inherits them."""
    feed.read_trace(lent, ("a/b",), command())
    qtbot.waitUntil(lambda: LOOK in pipeline.messages)
    assert notes(tmp_path) == 'firstsecond { "a":1}\n'
    assert not any(map(os.get_inheritable, lent.descriptors))
    told = [each.facts for each in pipeline.messages if isinstance(each, Facts)]
    assert told == [{MISSING: "a/b"}]


def test_whose_waits_there_are_is_told_to_both(
    qtbot, tmp_path, feed, pipeline, lent, command
) -> None:
    """The reader and the stream; at the end nobody's."""
    feed.follow(5)  # without a trace there is nothing to say
    feed.read_trace(lent, (), command())
    feed.follow(42)
    qtbot.waitUntil(lambda: "game 42\n" in notes(tmp_path))
    feed.follow(42, 43)
    qtbot.waitUntil(lambda: "game 42 43\n" in notes(tmp_path))
    feed.end_trace()
    qtbot.waitUntil(lambda: "game -\n" in notes(tmp_path))
    told = [[*each.facts.values()] for each in pipeline.messages if isinstance(each, Facts)]
    assert told == [["42", ""], ["42", "43"], ["", ""]]
    assert not any(isinstance(each, Trouble) and each.reason for each in pipeline.messages)


def test_a_reader_that_ends_by_itself_is_told(
    qtbot, caplog, feed, pipeline, lent, command
) -> None:
    """In its own words, in the stream as well; a new one takes that back."""
    with caplog.at_level(logging.ERROR), qtbot.waitSignal(feed.trace_ended) as ended:
        feed.read_trace(lent, (), command("dies"))
    assert "the ring is gone" in str(ended.args[0])
    assert LOOK in pipeline.messages
    assert SOURCE in pipeline._state.troubles
    feed.read_trace(lent, (), command())
    assert SOURCE not in pipeline._state.troubles


def recorded(feed: LiveFeed, path: Path, last: TraceLook) -> list[TraceLook]:
    """The looks in a recording that ends while the reader has one more to tell."""
    (path.parent / "last").write_text(encode(last))
    recorder = Recorder(path, HEADER)
    feed.record_to(recorder)
    feed.stop_recording()
    recorder.close()
    with closing(ReplaySource(path).file) as file:
        messages = [each for block in file.decode(0) for each in block.messages()]
    return [each for each in messages if isinstance(each, TraceLook)]


def test_a_recording_has_what_the_trace_tells_of_its_end(
    qtbot, tmp_path, feed, pipeline, lent, command
) -> None:
    """A look is told a second late where nothing took long, and the stutter right before "Stop"
    was without its waits."""
    feed.read_trace(lent, (), command())
    qtbot.waitUntil(lambda: LOOK in pipeline.messages)
    last = replace(LOOK, end_ns=time.monotonic_ns() + 60_000_000_000)
    assert recorded(feed, tmp_path / "one.destutter", last) == [last]
    assert notes(tmp_path).endswith("look\n")


def test_a_reader_that_does_not_answer_holds_nothing_up(
    qtbot, tmp_path, feed, pipeline, lent, command
) -> None:
    """The recording ends without its last look."""
    feed.read_trace(lent, (), command("slow"))
    qtbot.waitUntil(lambda: LOOK in pipeline.messages)
    assert recorded(feed, tmp_path / "one.destutter", LOOK) == []


def test_a_feed_that_leaves_takes_its_reader_with_it(
    qtbot, tmp_path, feed, pipeline, lent, command
) -> None:
    """Another feed goes on with the same descriptors."""
    feed.read_trace(lent, (), command())
    qtbot.waitUntil(lambda: LOOK in pipeline.messages)
    with qtbot.waitSignal(feed.destroyed):
        feed.leave()
