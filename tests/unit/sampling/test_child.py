# SPDX-License-Identifier: GPL-3.0-or-later
"""The sampler's process: lines out, commands in, and an end without noise."""

import os
import signal
import subprocess
import sys
import time

import pytest

from destutter.core.last_words import last_words
from destutter.core.sample import Facts, Frames, Header, Marker, Message, Sample, decode
from destutter.sampling.child import CommandInput, LineOutput
from tests.support.fake_root import FakeRoot, proc_stat
from tests.support.measuring import SteppedClock
from tests.support.simulator import Simulator

COMMAND = [sys.executable, "-m", "destutter", "--sampler"]


@pytest.fixture
def root(tmp_path):
    """A small computer."""
    return FakeRoot(tmp_path, {"/proc/stat": proc_stat(), "/proc/vmstat": "nr_free_pages 5\n"})


@pytest.fixture
def start(root):
    """Starts samplers on the tree and ends them."""
    started = []

    def made(*arguments):
        pipe = subprocess.PIPE
        command = [*COMMAND, "--root", root.files.root, "--batch-ms", "0", *arguments]
        process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0)
        started.append(process)
        return process

    yield made
    for process in started:
        process.kill()
        process.communicate()


def messages(output):
    """All messages of an output."""
    return [decode(line) for line in output.splitlines()]


def test_a_stream_of_a_given_length(start):
    """Header, facts, then a sample per tick, for as long as asked."""
    process = start("--seconds", "0.5", "--interval-ms", "50")
    stream = messages(process.stdout.read())
    assert isinstance(stream[0], Header)
    assert isinstance(stream[1], Facts)
    assert sum(isinstance(message, Sample) for message in stream) <= 10
    assert isinstance(stream[-1], Sample)
    assert (process.wait(), process.stderr.read()) == (0, b"")


def test_it_ends_when_its_input_closes(start):
    """The parent needs only to go away: everything that was measured is written first."""
    process = start()
    assert process.stdout.readline().startswith(b'["h"')
    output, errors = process.communicate(timeout=10)
    assert process.returncode == 0
    assert messages(output)
    assert errors == b""


def test_a_reader_that_goes_away_ends_it_quietly(start):
    """Without a reader it ends, with no traceback."""
    process = start("--interval-ms", "10")
    process.stdout.readline()
    process.stdout.close()
    assert process.wait(10) == 0
    assert process.stderr.read() == b""


def test_a_polite_signal_ends_it(start):
    """SIGTERM ends it with what was measured; Ctrl-C is the business of its parent."""
    process = start("--interval-ms", "10")
    process.stdout.readline()
    process.send_signal(signal.SIGINT)
    while not process.stdout.readline().startswith(b'["s"'):
        continue
    process.send_signal(signal.SIGTERM)
    assert process.wait(10) == 0
    assert process.stderr.read() == b""


def until(process, is_wanted):
    """The messages up to the one that is wanted."""
    stream: list[Message] = []
    while not (stream and is_wanted(stream[-1])):
        stream.append(decode(process.stdout.readline()))
    return stream


def game_pid(message):
    """The game that a message names; None when it is about something else."""
    return message.facts.get("game.pid") if isinstance(message, Facts) else None


def test_commands(start, root):
    """Watching, marking and batching by command; what is unknown is said and changes nothing."""
    root.put_process(7, "game")
    process = start()
    process.stdin.write(b"mark  take off \njump\nwatch me\nbatch x\nbatch 5\nwatch 7\n")
    stream = until(process, lambda message: game_pid(message) == "7")
    process.stdin.write(b"watch -\n")
    until(process, lambda message: game_pid(message) == "")
    _, errors = process.communicate(timeout=10)
    assert [m.text for m in stream if isinstance(m, Marker)] == ["take off"]
    complaints = errors.decode().splitlines()
    assert len(complaints) == 3
    assert all("unknown" in line for line in complaints)


def frames_of(process, count):
    """The next frames that a sampler hands over."""
    found: list[int] = []
    while len(found) < count:
        message = decode(process.stdout.readline())
        if isinstance(message, Frames):
            found += message.frame_us
    return found


def test_a_growing_log_is_followed(start, tmp_path):
    """Frames arrive as the game writes them."""
    log = tmp_path / "game.csv"
    log.write_text("fps,frametime,elapsed\n")
    process = start("--frames", str(log), "--interval-ms", "20")
    process.stdout.readline()
    for length in (17, 18):
        with log.open("a") as file:
            file.write(f"60,{length},{length * 10**12}\n")
        assert frames_of(process, 1) == [length * 1000]
    _, errors = process.communicate(timeout=10)
    assert errors == b""


def test_frames_of_x_plane_arrive(start):
    """The simulator is asked by the sampler's process."""
    with Simulator() as simulator:
        process = start("--xplane", f"localhost:{simulator.port}", "--interval-ms", "20")
        simulator.requests(2)
        for _ in range(3):
            simulator.send((0, 0.02), (1, 0.0))
        assert len(frames_of(process, 2)) == 2


def test_a_host_that_nobody_knows_ends_it(start):
    """It is told at once, in a line; the sampler never starts."""
    process = start("--xplane", "no such host.invalid:49000")
    output, errors = process.communicate(timeout=30)
    assert (process.returncode, output) == (1, b"")
    assert str(last_words(errors)).startswith("no such host.invalid: ")


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["--interval-ms", "0"], 2, "'0' is not a whole number from 10 to 60000"),
        (["--interval-ms", "fast"], 2, "'fast' is not a whole number"),
        (["--seconds", "-1"], 2, "not a time in seconds"),
        (["--seconds", "nan"], 2, "not a time in seconds"),
        (["--interval-ms", "1_0"], 2, "'1_0' is not a whole number"),
        (["--batch-ms", " 5"], 2, "' 5' is not a whole number"),
        (["--pid", "0"], 2, "'0' is not a whole number"),
        (["--xplane", "here:0"], 2, "here:0 is not an address"),
        (["--frames", "a", "--xplane", "b"], 2, "not allowed with argument --frames"),
        (["--unknown"], 2, "unrecognized arguments"),
        (["--root", "/nowhere/at/all"], 1, "holds no captured computer"),
    ],
)
def test_wrong_usage_is_said_in_a_line(start, arguments, status, words):
    """A wrong argument ends it with 2, a tree that is none with 1, each with one clear line."""
    process = start(*arguments)
    output, errors = process.communicate(timeout=10)
    assert (process.returncode, output) == (status, b"")
    assert words in str(last_words(errors))
    assert b"Traceback" not in errors


def test_a_damaged_manifest_is_a_clear_error(start, root):
    """A captured tree whose manifest is broken is refused with its path."""
    root.put("/capture.json", "rubbish")
    process = start()
    _, errors = process.communicate(timeout=10)
    assert process.returncode == 1
    assert str(last_words(errors)) == "/capture.json: is not the manifest of a capture"


def test_what_waits_for_its_batch_is_written_at_the_end(start):
    """A measurement that is over keeps nothing back, however long a batch is."""
    process = start("--seconds", "0.2", "--interval-ms", "20", "--batch-ms", "60000")
    process.wait(timeout=30)
    messages = [decode(line) for line in process.stdout.read().splitlines()]
    assert sum(isinstance(message, Sample) for message in messages) > 1


def test_lines_are_written_together():
    """Lines wait for their batch, and are all written at the end of it."""
    reader, writer = os.pipe()
    clock = SteppedClock()
    output = LineOutput(writer, 250, clock)
    output.add([Marker(1, "a")])
    assert os.read(reader, 100).count(b"\n") == 1
    for _ in range(2):
        clock.advance(0.1)
        output.add([Marker(1, "b")])
    clock.advance(0.1)
    output.add([Marker(1, "c")])
    assert os.read(reader, 1000).count(b"\n") == 3
    output.flush()
    os.close(writer)
    assert os.read(reader, 10) == b""
    os.close(reader)


def test_commands_may_come_in_pieces():
    """A line counts when it is whole; the end of the input is noticed."""
    reader, writer = os.pipe()
    commands = CommandInput(reader)
    assert list(commands.take()) == []
    os.write(writer, b"watch 7\nba")
    os.write(writer, b"tch 5\n\xff\nunfinished")
    os.close(writer)
    while not commands.has_ended:
        time.sleep(0.001)
    assert list(commands.take()) == ["watch 7", "batch 5", "\ufffd"]
    os.close(reader)
