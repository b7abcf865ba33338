# SPDX-License-Identifier: GPL-3.0-or-later
"""On the running kernel: the last stutters of a recording, whose end the trace must have too."""

import subprocess
import time
from pathlib import Path

import pytest

from destutter.analysis.examining.pipeline import Pipeline
from destutter.core.sample import Header
from destutter.diagnosis.assessor import Assessor
from destutter.sampling.live import LiveSource
from destutter.sampling.programs import LiveOptions
from destutter.sampling.trace_source import LentTrace
from destutter_helper.api.tracing import encode_formats
from tests.support.kernel_trace import kernel_trace
from tests.truth.programs import compile_into

SECONDS = 9.0
OPTIONS = {
    "seconds": 120,
    "hz": 60,
    "work-ms": 2,
    "heavy-every": 1,
    "heavy-ms": 120,
    "helpers": 2,
    "ahead": 0,
    "need-every": 1,
    "heavy-streamer": 1,
    "presenter": 1,
}


@pytest.fixture
def game(tmp_path):
    """A main thread that a refresh wakes and that leaves all work to others; its frame log."""
    log = tmp_path / "game.csv"
    words = [word for name, value in OPTIONS.items() for word in (f"--{name}", str(value))]
    command = [str(compile_into(tmp_path, "engine")), "--log", str(log), *words]
    with subprocess.Popen(["nice", "-n", "-15", *command]) as program:
        end_s = time.monotonic() + 20
        while not log.exists() or log.stat().st_size < 200:
            assert time.monotonic() < end_s
            time.sleep(0.05)
        yield program.pid, log
        program.kill()


def threads_of(pid):
    """The numbers of all threads of a process."""
    return [int(each.name) for each in Path(f"/proc/{pid}/task").iterdir()]


@pytest.mark.slow
def test_what_a_recording_ends_with_is_known_as_all_before(game):
    """A thread of the game computed: of the last two stutters that is told."""
    pid, log = game
    assessor = Assessor(horizon_s=None, recent_s=None)
    pipeline = Pipeline(assessor)
    with kernel_trace("ending", game=threads_of(pid)) as trace:
        source = LiveSource(
            LiveOptions(pid=pid, seconds=SECONDS, frames=str(log)),
            trace=LentTrace(encode_formats(trace.formats), tuple(trace.descriptors)),
        )
        for message in source.messages():
            pipeline.accept_message(message)
            if isinstance(message, Header):
                pipeline.accept_message(source.follow(pid, pid))
    told = assessor.assess()
    assert told.spikes
    last = told.lost.of_each[-2:]
    unknown_ms = sum(each.parts.get("unknown", 0.0) for each in last)
    assert unknown_ms <= 0.25 * sum(each.total_ms for each in last)
