# SPDX-License-Identifier: GPL-3.0-or-later
"""A recording survives the death of its process at any moment."""

import os
import random
import signal
import subprocess
import sys
import time

import pytest

from destutter.core.sample import Sample
from destutter.session.replay import ReplaySource
from tests.unit.session.streams import SECOND_NS, TICK_NS, ticks

# As fast as it can: the samples' own times decide where blocks end, so that the kill falls into
# collecting, packing and writing alike. Each sample is told only after it was accepted.
RECORDING = """
import os, sys
from destutter.session.recorder import Recorder
from tests.unit.session.streams import HEADER, ticks

recorder = Recorder(sys.argv[1], HEADER, clock=lambda: 0)
for sample in ticks(10_000_000):
    recorder.accept_message(sample)
    os.write(1, b"%d\\n" % sample.monotonic_ns)
"""


def kill_after(process: "subprocess.Popen[bytes]", samples: int, pause_s: float) -> int:
    """Kill the recorder some time after it told of so many samples; the last time it told."""
    assert process.stdout is not None
    told = b""
    while told.count(b"\n") < samples:
        told += os.read(process.stdout.fileno(), 1 << 16)
    give_up = time.monotonic() + pause_s
    while time.monotonic() < give_up:
        told = told[-64:] + os.read(process.stdout.fileno(), 1 << 16)
    process.send_signal(signal.SIGKILL)
    told = told[-64:] + process.stdout.read()
    process.wait()
    process.stdout.close()
    return int(told.split(b"\n")[-2])


@pytest.mark.parametrize("seed", range(12))
def test_kill_9_loses_at_most_a_second(tmp_path, seed):
    """After SIGKILL at a random moment every sample up to one second before it is there."""
    chance = random.Random(seed)  # noqa: S311  moments, not secrets
    path = tmp_path / "a.destutter"
    process = subprocess.Popen([sys.executable, "-c", RECORDING, path], stdout=subprocess.PIPE)
    last_ns = kill_after(process, chance.randrange(1, 500), chance.random() * 0.05)
    replay = ReplaySource(path)
    samples = [message for message in replay.messages() if isinstance(message, Sample)]
    assert samples == list(ticks(len(samples)))
    newest_ns = samples[-1].monotonic_ns if samples else next(ticks(1)).monotonic_ns - TICK_NS
    assert last_ns - newest_ns <= SECOND_NS
    assert replay.gaps == ()
    replay.close()
