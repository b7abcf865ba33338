# SPDX-License-Identifier: GPL-3.0-or-later
"""A recording on a disk that fills up, and where it may not be made at all."""

import ctypes
import os
import subprocess
import sys

import pytest

from destutter.core.last_words import last_words
from destutter.core.sample import Sample, Trouble, decode
from destutter.sampling.probes.write_probe import main as write_probe
from destutter.session.csv_table import export_csv
from destutter.session.format import RecordingError
from destutter.session.recorder import Recorder, RecordingEndedError
from destutter.session.replay import ReplaySource
from tests.unit.session.streams import HEADER, ticks

MS_RDONLY = 1
MS_REMOUNT = 32
_LIBC = ctypes.CDLL(None, use_errno=True)

NOT_ALLOWED = """
import os, sys
from destutter.session.format import RecordingError
from destutter.session.recorder import Recorder
from tests.unit.session.streams import HEADER

from destutter.core.statement import Statement
str(Statement("core.file")), str(Statement("session.ended"))  # that user may not read the checkout
os.setuid(65534)
try:
    Recorder(sys.argv[1], HEADER)
except RecordingError as error:
    print(error)
"""


def mount(target: str, flags: int, options: bytes) -> None:
    """mount(2) of a small file system in memory."""
    if _LIBC.mount(b"none", target.encode(), b"tmpfs", flags, options) != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), target)


def accept_all(recorder, samples):
    """Record until the end of the samples or of the disk."""
    for sample in samples:
        recorder.accept_message(sample)


@pytest.fixture
def small_disk(tmp_path):
    """A disk of 64 KiB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount(str(folder), 0, b"size=64k")
    yield folder
    assert _LIBC.umount2(str(folder).encode(), 0) == 0


def test_full_disk_ends_the_recording_and_keeps_it(small_disk):
    """On ENOSPC the recording says so once, is whole, and can be played."""
    path = small_disk / "a.destutter"
    recorder = Recorder(path, HEADER, clock=lambda: 0)
    with pytest.raises(RecordingEndedError, match="the disk is full"):
        accept_all(recorder, ticks(1_000_000))
    assert not recorder.is_open
    recorder.close()
    replay = ReplaySource(path)
    samples = [message for message in replay.messages() if isinstance(message, Sample)]
    assert len(samples) > 100
    assert samples == list(ticks(len(samples)))
    assert replay.problems == ()
    replay.close()


def test_full_disk_takes_no_recording(small_disk):
    """Where there is no room for the header, no file stays behind."""
    (small_disk / "filler").write_bytes(bytes(os.statvfs(small_disk).f_bavail * 4096))
    with pytest.raises(RecordingError, match="the disk is full; nothing could be recorded"):
        Recorder(small_disk / "a.destutter", HEADER)
    assert os.listdir(small_disk) == ["filler"]


def test_full_disk_takes_no_table(small_disk, tmp_path):
    """An export that does not fit leaves neither a table nor a part of one."""
    with Recorder(tmp_path / "a.destutter", HEADER, clock=lambda: 0) as recorder:
        for sample in ticks(5_000):
            recorder.accept_message(sample)
    replay = ReplaySource(tmp_path / "a.destutter")
    with pytest.raises(RecordingError, match="No space left on device"):
        export_csv(replay, small_disk / "a.csv")
    replay.close()
    assert os.listdir(small_disk) == []


def test_read_only_disk_is_told(small_disk):
    """A file system that was mounted read-only is named as the reason."""
    mount(str(small_disk), MS_REMOUNT | MS_RDONLY, b"size=64k")
    with pytest.raises(RecordingError, match="the file system is read-only"):
        Recorder(small_disk / "a.destutter", HEADER)


def test_write_probe_refuses_a_small_disk(small_disk, capfd):
    """The write probe wants room to spare, and says how much there is."""
    assert write_probe(["--folder", str(small_disk)]) == 1
    assert str(last_words(capfd.readouterr().err.encode())) == (
        f"{small_disk} has 64\N{NO-BREAK SPACE}kB free; the probe wants 128\N{NO-BREAK SPACE}MB"
    )


def test_write_probe_ends_when_the_disk_fills_up(small_disk):
    """A disk that others fill meanwhile ends the probe with a trouble and one line."""
    command = [sys.executable, "-m", "destutter", "--write-probe", "--folder", str(small_disk)]
    command += ["--interval-us", "10000", "--seconds", "1", "--batch-ms", "0"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        assert process.stdout is not None
        while not isinstance(decode(process.stdout.readline()), Sample):
            continue
        (small_disk / "filler").write_bytes(bytes(os.statvfs(small_disk).f_bavail * 4096))
        output, errors = process.communicate()
    words = f"{small_disk}: No space left on device"
    assert str(last_words(errors)) == words
    last = decode(output.splitlines()[-1])
    assert isinstance(last, Trouble)
    assert (last.source, str(last.reason)) == ("write", words)
    assert process.returncode == 1
    assert os.listdir(small_disk) == ["filler"]


def test_folder_of_somebody_else_is_told(tmp_path):
    """A user without the right to write there gets words, not a traceback."""
    path = tmp_path / "a.destutter"
    done = subprocess.run(
        [sys.executable, "-c", NOT_ALLOWED, path], capture_output=True, text=True, check=True
    )
    assert done.stdout == f"{path}: you may not write there\n"
