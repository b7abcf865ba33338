# SPDX-License-Identifier: GPL-3.0-or-later
"""The burst of memory: how much, when it ends early, and what it counts."""

import itertools

import pytest

from destutter.core.statement import told
from destutter.sampling.probes.memory_burst import (
    Memory,
    MemoryBurstError,
    burst_bytes,
    fill,
    touch,
)
from tests.support.fake_root import FakeRoot

GIB = 1 << 30
MEMINFO = "MemTotal: 16000000 kB\nMemFree: 100 kB\nMemAvailable: {} kB\n"
VMSTAT = "allocstall_normal 3\nallocstall_movable 4\npgsteal_direct 50\npswpin {}\n"
PRESSURE = "some avg10=50.00 avg60=0 avg300=0 total=1\nfull avg10={} avg60=0 avg300=0 total=1\n"


@pytest.fixture
def root(tmp_path):
    """A computer with memory to spare."""
    return FakeRoot(
        tmp_path,
        {
            "/proc/meminfo": MEMINFO.format(8_000_000),
            "/proc/vmstat": VMSTAT.format(10),
            "/proc/pressure/memory": PRESSURE.format("0.00"),
        },
    )


def test_size_leaves_memory_for_others():
    """At most 60 % of what is available, and 1.5 GiB stay."""
    assert burst_bytes(10 * GIB, 0) == 6 * GIB
    assert burst_bytes(2 * GIB, 0) == GIB // 2
    assert burst_bytes(10 * GIB, GIB) == GIB
    with pytest.raises(MemoryBurstError, match="available"):
        burst_bytes(GIB, 0)


def test_counters_are_sums_over_zones(root):
    """Allocation stalls of all zones count together."""
    assert Memory(root.files).counters() == {
        "allocstall_": 7,
        "pgsteal_direct": 50,
        "pswpin": 10,
    }


@pytest.mark.parametrize(
    ("path", "content", "words"),
    [
        ("/proc/meminfo", MEMINFO.format(1_000_000), "less than 15\xa0% of memory was left"),
        ("/proc/vmstat", VMSTAT.format(11), "pages had to come back from swap"),
        ("/proc/pressure/memory", PRESSURE.format("35.20"), "memory during 35\xa0% of the time"),
    ],
)
def test_ends_before_it_hurts(root, path, content, words):
    """Little memory left, pages from swap, or everybody waiting: each ends the burst."""
    memory = Memory(root.files)
    assert memory.reason_to_stop() is None
    root.put(path, content)
    assert words in str(memory.reason_to_stop())


def test_kernel_without_pressure_can_be_measured(root):
    """PSI may be off; the other reasons remain."""
    root.remove("/proc/pressure/memory")
    assert Memory(root.files).reason_to_stop() is None


def test_slow_steps_are_counted():
    """Steps of 1 ms and more are kept, shorter ones are not."""
    lengths = itertools.cycle([10_000, 10_000, 2_000_000, 7_000_000])
    now = itertools.accumulate(
        itertools.chain.from_iterable((0, length) for length in lengths), initial=0
    )
    next(now)
    slow, touched, stopped = touch(8 * 32 << 10, lambda: None, lambda: next(now))
    assert sorted(slow) == [2_000_000] * 2 + [7_000_000] * 2
    assert touched == 8 * 32 << 10
    assert stopped is None


def test_reason_ends_the_touching():
    """The state is looked at every 32 MiB."""
    _slow, touched, stopped = touch(96 << 20, lambda: told("enough"))
    assert touched == 32 << 20
    assert stopped == told("enough")


def test_filling_reads_files_up_to_the_limit(tmp_path):
    """Files below folders count; links, and what cannot be read, are left out."""
    (tmp_path / "a").write_bytes(b"x" * 3_000_000)
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "b").write_bytes(b"x" * 3_000_000)
    (tmp_path / "link").symlink_to(tmp_path / "a")
    assert fill([str(tmp_path)], 1 << 30) == 6_000_000
    assert 2_000_000 <= fill([str(tmp_path)], 2_000_000) < 4_000_000
    assert fill([str(tmp_path / "nothing")], 1 << 30) == 0


def test_filling_ends_while_a_trial_of_settings_still_runs(tmp_path):
    """A slow drive holds it up for 40 s at most, whatever there is to read."""
    (tmp_path / "large").write_bytes(bytes(8 << 20))
    seconds = iter(range(0, 1000, 9))
    assert fill([str(tmp_path)], 1 << 30, lambda: next(seconds)) == 4 << 20
