# SPDX-License-Identifier: GPL-3.0-or-later
"""The write probe: times kept apart, coordinated omission, and a file that leaves nothing."""

import errno
import os

import pytest

from destutter.core.catalog import SOURCES
from destutter.sampling.probes.write_probe import (
    RECORD,
    Bucket,
    ProbeFile,
    WriteProbe,
    WriteProbeError,
)
from tests.unit.sampling.probes.fakes import MS, US, FakeClock, FakeStream


class SlowFile(ProbeFile):
    """Writes that take as long as they are told; ``renewed`` counts the new files."""

    def __init__(self, clock, write_ns, renew_ns=0, writes_per_file=10**9):
        self.clock = clock
        self.write_ns = iter(write_ns)
        self.renew_ns = renew_ns
        self.writes_per_file = writes_per_file
        self.held = 0
        self.renewed = 0

    @property
    def is_full(self):
        """Whether the file has had its writes."""
        return self.held >= self.writes_per_file

    def write(self):
        """Pass the time of one write."""
        self.clock.t += next(self.write_ns, 2 * US)
        self.held += 1

    def renew(self):
        """Pass the time of making a new file."""
        self.clock.t += self.renew_ns
        self.held = 0
        self.renewed += 1


def measured(lateness_ns=(), write_ns=(), samples=1, **file):
    """The samples, as mappings, of a probe at 5 kHz with such wakes and writes."""
    clock = FakeClock(lateness_ns)
    stream = FakeStream(samples)
    slow_file = SlowFile(clock, write_ns, **file)
    WriteProbe(stream, clock, slow_file, 200, 100).run(None)
    names = SOURCES["write"].fields
    return [dict(zip(names, values, strict=True)) for _, _, values in stream.emitted], slow_file


def test_quick_writes_are_counted():
    """5000 writes a second of 2 µs each: nothing is over a limit."""
    ((first, second), _) = measured(samples=2)
    assert second["writes"] == 500
    assert first["worst_write_us"] == second["worst_corrected_us"] == 2
    assert first["over_50us"] == 0


def test_late_wake_is_not_a_slow_write():
    """The wake is late by 7 ms: that is in the wake and the corrected latency, not the write."""
    ((values,), _) = measured(lateness_ns=[7 * MS])
    assert values["worst_wake_us"] == 7000
    assert values["worst_write_us"] == 2
    assert values["worst_corrected_us"] == 7002
    assert values["over_50us"] == 0


def test_slow_write_is_not_a_late_wake():
    """A write of 41 ms counts once over every limit; the wakes it swallowed are not late."""
    ((values,), _) = measured(write_ns=[2 * US, 41 * MS])
    assert values["worst_write_us"] == 41_000
    assert values["worst_wake_us"] == 0
    limits = ("50us", "100us", "1ms", "5ms", "10ms", "40ms")
    assert [values[f"over_{limit}"] for limit in limits] == [1] * 6


def test_writes_that_were_held_up_are_made_up_for():
    """After a write of 20 ms those that were due meanwhile follow, each from its due time.

    This is the correction for coordinated omission: a hundred more writes are late although
    each of them took 2 µs.
    """
    clock = FakeClock()
    stream = FakeStream(1)
    probe = WriteProbe(stream, clock, SlowFile(clock, [20 * MS]), 200, 100)
    probe._bucket = bucket = NotingBucket()
    probe.run(None)
    late = [ns for ns in bucket.corrected_ns if ns > 2 * US]
    assert late == [20 * MS - number * 198 * US for number in range(101)]
    assert stream.emitted[0][2][0] == 501


class NotingBucket(Bucket):
    """A bucket that also notes every corrected latency."""

    def __init__(self):
        super().__init__()
        self.corrected_ns = []

    def add(self, due_ns, begun_ns, done_ns):
        """Note and count."""
        self.corrected_ns.append(done_ns - due_ns)
        super().add(due_ns, begun_ns, done_ns)


def test_long_stall_is_not_made_up_for():
    """After 3 s without running the probe does not write 15000 records at once."""
    ((first, second), _) = measured(lateness_ns=[3000 * MS], samples=2)
    assert first["writes"] == 1
    assert first["worst_corrected_us"] == 3_000_002
    assert second["writes"] <= 501


def test_new_file_is_no_lateness():
    """What changing the file takes is the probe's own work, and in none of the figures."""
    (samples, file) = measured(samples=3, renew_ns=30 * MS, writes_per_file=400)
    assert file.renewed >= 2
    assert {sample["worst_corrected_us"] for sample in samples} == {2}


def test_time_limit_ends_the_probe():
    """With --seconds the probe ends by itself."""
    clock = FakeClock()
    stream = FakeStream(1000)
    WriteProbe(stream, clock, SlowFile(clock, []), 10_000, 100).run(2.0)
    assert len(stream.emitted) == 20


def test_file_has_no_name_and_stays_small(tmp_path):
    """The folder looks empty all the time, and no file holds more than it may."""
    file = ProbeFile(str(tmp_path), most_bytes=3 * len(RECORD))
    for _ in range(3):
        assert not file.is_full
        file.write()
        assert os.listdir(tmp_path) == []
    fullness = [file.is_full]
    file.renew()
    assert [*fullness, file.is_full] == [True, False]
    file.close()
    file.close()


def test_file_loses_its_name_where_it_needs_one(tmp_path, monkeypatch):
    """On a file system without nameless files the name is gone before the first write."""
    real_open = os.open

    def no_nameless(path, flags, mode=0o777):
        if flags & os.O_TMPFILE == os.O_TMPFILE:
            raise OSError(errno.EOPNOTSUPP, "Operation not supported")
        return real_open(path, flags, mode)

    monkeypatch.setattr(os, "open", no_nameless)
    file = ProbeFile(str(tmp_path))
    assert os.listdir(tmp_path) == []
    file.write()
    file.close()


@pytest.mark.parametrize(
    ("folder", "words"),
    [
        ("missing", "missing: No such file"),
        ("file", "file: Not a directory"),
        ("file/below", "below: Not a directory"),
        ("", "'': No such file"),
        ("/proc", "/proc: takes no files"),
    ],
)
def test_folders_that_take_no_file_are_refused_in_words(tmp_path, monkeypatch, folder, words):
    """Missing, not a folder, or a place without files: each gets its own words."""
    (tmp_path / "file").write_text("")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(WriteProbeError, match=words):
        ProbeFile(folder)


def test_disk_with_little_room_is_refused(tmp_path):
    """The probe wants twice the room that it will use, and says how much there is."""
    file = ProbeFile(str(tmp_path), most_bytes=1 << 62)
    file.check_space(1000)
    with pytest.raises(WriteProbeError, match=r"has .*B free; the probe wants 4,194,304"):
        file.check_space(1 << 61)
    file.close()
