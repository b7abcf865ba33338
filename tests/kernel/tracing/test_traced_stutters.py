# SPDX-License-Identifier: GPL-3.0-or-later
"""A program that stutters on the running kernel, recorded with a trace, and what is said of it.

The trace is made here as the helper makes it; everything behind it is the program as it runs.
"""

import json
import os
import subprocess
import sys
from bisect import bisect_right
from operator import itemgetter

import pytest

from destutter.core.sample import Frames, Header, Message, Sample
from destutter.core.traced import TraceLook
from destutter.sampling.live import LiveSource
from destutter.sampling.programs import LiveOptions
from destutter.sampling.trace_source import LentTrace
from destutter.session.recorder import Recorder
from destutter_helper.api.tracing import encode_formats
from tests.support.commands import run_real
from tests.support.kernel_trace import kernel_trace

SECONDS = 11.0
HELD_UP_S = 0.12

GAME = """
import os, sys, time
os.sched_setaffinity(0, [int(sys.argv[1])])
# Before all other programs, so that it runs as soon as that one lets it.
os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(5))
open("/proc/self/comm", "w").write("Streamer")
before = time.monotonic_ns()
while os.getppid() == int(sys.argv[2]):
    time.sleep(0.012)
    now = time.monotonic_ns()
    print(now, (now - before) // 1000, flush=True)
    before = now
"""
HOG = """
import os, sys, time
os.sched_setaffinity(0, [int(sys.argv[1])])
os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))
open("/proc/self/comm", "w").write("rt-hog")
while os.getppid() == int(sys.argv[2]):
    time.sleep(1.6)
    end = time.monotonic() + float(sys.argv[3])
    while time.monotonic() < end:
        pass
"""


@pytest.fixture
def programs(tmp_path):
    """The game, and who takes its core now and then; what the game says of its frames."""
    cpu, us = str(min(os.sched_getaffinity(0))), str(os.getpid())
    log = tmp_path / "frames"
    with log.open("w") as output:
        game = subprocess.Popen([sys.executable, "-c", GAME, cpu, us], stdout=output)
    hog = subprocess.Popen([sys.executable, "-c", HOG, cpu, us, str(HELD_UP_S)])
    yield game, hog, log
    for each in (game, hog):
        each.kill()
        each.wait()


def streamed(game):
    """What is measured with a trace, up to its last look."""
    with kernel_trace("stutters", game=[game.pid]) as trace:
        source = LiveSource(
            LiveOptions(pid=game.pid, seconds=SECONDS),
            trace=LentTrace(encode_formats(trace.formats), tuple(trace.descriptors)),
        )
        for message in source.messages():
            yield message
            if isinstance(message, Header):
                yield source.follow(game.pid)


def with_frames(messages: list[Message], log) -> list[Message]:
    """Each sample behind the frames that had ended by then."""
    frames = [tuple(map(int, line.split())) for line in log.read_text().splitlines()[:-1]]
    merged: list[Message] = []
    for message in messages:
        if isinstance(message, Sample):
            count = bisect_right(frames, message.monotonic_ns, key=itemgetter(0))
            due = frames[:count]
            del frames[:count]
            if due:
                ends, lengths = zip(*due, strict=True)
                merged.append(Frames("mangohud", ends, lengths))
        merged.append(message)
    return merged


@pytest.mark.slow
def test_who_kept_a_game_from_its_core_is_named_with_the_time(programs, tmp_path):
    """By thread and by milliseconds, from the recording as from the stream."""
    game, hog, log = programs
    header, *rest = with_frames([*streamed(game)], log)
    assert isinstance(header, Header)
    assert any(isinstance(each, TraceLook) for each in rest)
    path = tmp_path / "a.destutter"
    with Recorder(path, header) as recorder:
        for message in rest:
            recorder.accept_message(message)
    ran = run_real("diagnose", "--json", str(path))
    (found,) = [each for each in json.loads(ran.output)["findings"] if each["stutters_explained"]]
    assert found["cause"] == "rt_runaway"
    assert found["stutters_explained"] >= 3
    assert ("rt-hog", hog.pid) in [(each["comm"], each["pid"]) for each in found["culprits"]]
    line = found["reasons"][0]
    assert line.startswith("Measured in the kernel: Streamer waited")
    assert line in run_real("diagnose", str(path), environment={"LC_ALL": "C.UTF-8"}).output
    words = line.replace("\N{NO-BREAK SPACE}", " ").split()
    waited_ms = float(words[words.index("waited") + 1])
    assert 0.9e3 * HELD_UP_S <= waited_ms <= 2e3 * HELD_UP_S
