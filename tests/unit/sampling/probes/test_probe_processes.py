# SPDX-License-Identifier: GPL-3.0-or-later
"""The probes as the processes that the application starts."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from destutter.core.catalog import SOURCES
from destutter.core.last_words import last_words
from destutter.core.sample import Header, Layout, Sample, decode
from destutter.sampling.probes.wakeup_probe import main as wakeup_main
from destutter.sampling.probes.write_probe import main as write_main


def start(*arguments: str) -> Any:
    """A probe, started as the application starts it."""
    pipe = subprocess.PIPE
    command = [sys.executable, "-m", "destutter", *arguments]
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe)


def open_files(process):
    """What the descriptors of the process lead to."""
    folder = Path(f"/proc/{process.pid}/fd")
    return [os.readlink(entry) for entry in folder.iterdir()]


def wait_for_sample(process):
    """Read until the first sample, after which the probe certainly runs."""
    while not isinstance(decode(process.stdout.readline()), Sample):
        pass


@pytest.mark.slow
@pytest.mark.parametrize("source", ["wakeup", "write"])
def test_probe_measures_until_its_input_closes(tmp_path, source):
    """Header, layout and samples of the catalog's fields arrive until the input closes."""
    folder = [] if source == "wakeup" else ["--folder", str(tmp_path), "--interval-us", "2000"]
    began_ns = time.monotonic_ns()
    process = start(f"--{source}-probe", "--batch-ms", "0", *folder)
    lines = [process.stdout.readline() for _ in range(5)]
    assert not [path for path in open_files(process) if "dma_latency" in path]
    assert os.listdir(tmp_path) == []
    rest, errors = process.communicate()
    header, layout, *others = [decode(line) for line in [*lines, *rest.splitlines()]]
    fields = SOURCES[source].fields
    assert isinstance(header, Header)
    assert layout == Layout(source, fields)
    samples = [message for message in others if isinstance(message, Sample)]
    readings = [message.readings[0] for message in samples]
    assert len(readings) == len(others) >= 3
    assert all(len(reading.values) == len(fields) for reading in readings)
    counts = [reading.values[0] or 0 for reading in readings]
    assert all(count > 0 for count in counts)
    # Not by sample: a write that took long has those that were due meanwhile made up for.
    assert sum(counts) <= (samples[-1].monotonic_ns - began_ns) // 2_000_000
    assert (process.returncode, errors) == (0, b"")


@pytest.mark.slow
@pytest.mark.parametrize(("ending", "status"), [(signal.SIGTERM, 0), (signal.SIGKILL, -9)])
def test_write_probe_leaves_no_file(tmp_path, ending, status):
    """Asked to end, or killed: the folder is empty, and was all the time."""
    process = start("--write-probe", "--folder", str(tmp_path), "--interval-us", "2000")
    wait_for_sample(process)
    assert os.listdir(tmp_path) == []
    process.send_signal(ending)
    process.communicate()
    assert process.returncode == status
    assert os.listdir(tmp_path) == []


@pytest.mark.slow
def test_ctrl_c_is_left_to_the_parent():
    """SIGINT reaches the whole group; the probe goes on until its input closes."""
    process = start("--wakeup-probe", "--batch-ms", "0")
    wait_for_sample(process)
    process.send_signal(signal.SIGINT)
    wait_for_sample(process)
    _, errors = process.communicate()
    assert (process.returncode, errors) == (0, b"")


@pytest.mark.slow
def test_probe_ends_after_its_seconds():
    """--seconds ends the probe by itself, with its last samples written."""
    process = start("--wakeup-probe", "--seconds", "0.45")
    lines = process.stdout.read().splitlines()
    process.communicate()
    assert process.returncode == 0
    assert 3 <= len(lines) - 2 <= 5


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "the following arguments are required: --folder"),
        (["--folder", "/missing"], "/missing: No such file or directory"),
        (["--folder", __file__], f"{__file__}: Not a directory"),
    ],
)
def test_write_probe_says_what_is_wrong(capfd, arguments, words):
    """A missing folder, argument or right is one line, and a status that is not 0."""
    assert write_main(arguments) in (1, 2)
    assert str(last_words(capfd.readouterr().err.encode())) == words


def test_wakeup_probe_says_what_is_wrong(capfd):
    """Wrong usage is one line."""
    assert wakeup_main(["--sample-ms", "first"]) == 2
    (line,) = capfd.readouterr().err.splitlines()
    why = "argument --sample-ms: 'first' is not a whole number from 10 to 10000"
    assert str(last_words(line.encode())) == why
