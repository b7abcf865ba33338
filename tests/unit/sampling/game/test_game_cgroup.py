# SPDX-License-Identifier: GPL-3.0-or-later
"""The control group of the game."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.core.kernel_files import KernelFileError
from destutter.sampling.files.measurement import AbsentError
from destutter.sampling.files.named_values import named_counts
from destutter.sampling.game.game_cgroup import (
    GameCgroupSampler,
    GamePressureSampler,
    group_of,
    unified_group,
)
from destutter.sampling.game.watched_process import WatchedProcess
from tests.support.fake_root import FakeRoot
from tests.support.measuring import parsed, read_once

GROUP = "/sys/fs/cgroup/user.slice/game.scope"


@pytest.fixture
def root(tmp_path):
    """A game in a group of its own."""
    return FakeRoot(
        tmp_path,
        {
            "/proc/7/cgroup": "0::/user.slice/game.scope\n",
            f"{GROUP}/memory.events": "low 0\nhigh 5\nmax 2\noom 0\n",
            f"{GROUP}/memory.stat": "anon 1\npgscan_direct 40\npgsteal_direct 30\n",
            f"{GROUP}/memory.pressure": "some avg10=0 total=11\nfull avg10=0 total=9\n",
            f"{GROUP}/io.pressure": "some avg10=0 total=70\nfull avg10=0 total=60\n",
            f"{GROUP}/cpu.stat": "usage_usec 900\nnr_throttled 3\nthrottled_usec 250\n",
        },
    )


def test_the_group_of_the_game_is_read(root):
    """Limit hits, pages and stall of the group that the process is in."""
    sampler = GameCgroupSampler(root.files, WatchedProcess(7))
    assert read_once(sampler)["game_cgroup"][""] == {
        "high_events": 5,
        "max_events": 2,
        "pgscan_direct": 40,
        "pgsteal_direct": 30,
        "some_us": 11,
        "full_us": 9,
        "throttled_us": 250,
        "io_limits": 0,
    }
    sampler.close()


def test_the_stall_of_the_group_is_read_per_resource(root):
    """What the game's own programs waited for; a resource without a file is left out."""
    sampler = GamePressureSampler(root.files, WatchedProcess(7))
    assert read_once(sampler)["game_pressure"] == {
        "memory": {"some_us": 11, "full_us": 9},
        "io": {"some_us": 70, "full_us": 60},
    }
    sampler.close()


def test_groups_of_version_1_beside_a_tree_of_version_2(tmp_path):
    """The limit's misses and the withheld time of the old trees, the stall of the new one."""
    root = FakeRoot(
        tmp_path,
        {
            "/proc/7/cgroup": "4:memory:/game\n1:cpu,cpuacct:/a/b\n0::/app.scope\n",
            "/sys/fs/cgroup/unified/cgroup.procs": "",
            "/sys/fs/cgroup/unified/app.scope/memory.pressure": "some total=5\nfull total=4\n",
            "/sys/fs/cgroup/memory/game/memory.failcnt": "321\n",
            "/sys/fs/cgroup/cpu/a/b/cpu.stat": "nr_throttled 2\nthrottled_time 9000000\n",
        },
    )
    limits = GameCgroupSampler(root.files, WatchedProcess(7))
    row = read_once(limits)["game_cgroup"][""]
    assert (row["max_events"], row["throttled_us"], row["some_us"]) == (321, 9000, 5)
    limits.close()
    stall = GamePressureSampler(root.files, WatchedProcess(7))
    assert read_once(stall)["game_pressure"] == {"memory": {"some_us": 5, "full_us": 4}}
    stall.close()


@pytest.mark.parametrize(
    ("files", "drives"),
    [
        ({"io.max": "8:0 rbps=1048576 wbps=max riops=max wiops=max\n"}, 1),
        ({"io.max": "8:0 rbps=max wbps=max riops=max wiops=max\n"}, 0),
        ({"io.max": "8:0 rbps=max wbps=max riops=max wiops=9\n8:16 rbps=1 wbps=1\n"}, 2),
        ({"io.max": ""}, 0),
    ],
)
def test_limits_of_the_group_for_drives_are_counted(root, files, drives):
    """What exceeds them waits before there is a request, so that no drive seems slow."""
    for name, text in files.items():
        root.put(f"{GROUP}/{name}", text)
    sampler = GameCgroupSampler(root.files, WatchedProcess(7))
    assert read_once(sampler)["game_cgroup"][""]["io_limits"] == drives
    sampler.close()


def test_limits_for_drives_of_version_1_are_counted_once_each(tmp_path):
    """A file for each way and unit."""
    base = "/sys/fs/cgroup/blkio/game/blkio.throttle"
    root = FakeRoot(
        tmp_path,
        {
            "/proc/7/cgroup": "5:blkio:/game\n",
            f"{base}.read_bps_device": "7:0 1048576\n",
            f"{base}.write_bps_device": "7:0 1048576\n7:1 9\n",
            f"{base}.read_iops_device": "",
        },
    )
    sampler = GameCgroupSampler(root.files, WatchedProcess(7))
    assert read_once(sampler)["game_cgroup"][""]["io_limits"] == 2
    sampler.close()


def test_a_game_that_moves_to_another_group_is_followed(root):
    """A launcher moves it after its start."""
    sampler = GamePressureSampler(root.files, WatchedProcess(7))
    read_once(sampler)
    root.put("/proc/7/cgroup", "0::/other.scope\n")
    root.put("/sys/fs/cgroup/other.scope/io.pressure", "some total=1\nfull total=1\n")
    assert read_once(sampler)["game_pressure"] == {"io": {"some_us": 1, "full_us": 1}}
    sampler.close()


def test_without_a_game_there_is_nothing_to_read(root):
    """No game is no error."""
    assert list(GameCgroupSampler(root.files, WatchedProcess()).read()) == []


def test_a_game_in_the_root_group_says_so(root):
    """The root has no limits and no such files."""
    root.put("/proc/7/cgroup", "0::/\n")
    sampler = GameCgroupSampler(root.files, WatchedProcess(7))
    with pytest.raises(AbsentError, match="no control group"):
        sampler.read()
    sampler.close()


def test_a_count_that_is_no_number_is_an_error():
    """The path and the line are named."""
    with pytest.raises(KernelFileError, match="/g"):
        named_counts("/g", b"high x\n", (b"high",))


@given(st.binary(max_size=200))
def test_any_bytes_give_counts_or_an_error(data):
    """No content makes the parsers fail in another way."""
    parsed(lambda: named_counts("/g", b"high " + data, (b"high", b"max")), "/g")
    for group in (unified_group(data), group_of(b"1:cpu:" + data, "cpu")):
        assert group is None or group.startswith("/")


SLICE = "/sys/fs/cgroup/user.slice"


def _throttled(usec):
    return f"usage_usec 9000\nnr_throttled 9\nthrottled_usec {usec}\n"


def _read(sampler, field):
    return read_once(sampler)["game_cgroup"][""][field]


def test_what_the_limit_of_a_group_above_withholds_is_counted(root):
    """From when it is set: what it withheld before the game was watched is no news."""
    root.put(f"{SLICE}/cpu.max", "max 100000\n")
    root.put(f"{SLICE}/cpu.stat", _throttled(5000))
    sampler = GameCgroupSampler(root.files, WatchedProcess(7))
    assert _read(sampler, "throttled_us") == 250
    root.put(f"{SLICE}/cpu.max", "15000 100000\n")
    assert _read(sampler, "throttled_us") == 250
    root.put(f"{SLICE}/cpu.stat", _throttled(5700))
    assert _read(sampler, "throttled_us") == 950
    root.put(f"{SLICE}/cpu.max", "max 100000\n")
    root.put(f"{SLICE}/cpu.stat", _throttled(6000))
    assert _read(sampler, "throttled_us") == 1250
    root.put(f"{SLICE}/cpu.stat", _throttled(9900))
    assert _read(sampler, "throttled_us") == 1250
    sampler.close()


def test_a_limit_that_is_set_for_less_than_two_seconds_is_counted(root):
    """Seen once, or lifted before it was seen: what it withheld counts when it is next read."""
    root.put(f"{SLICE}/cpu.max", "max 100000\n")
    root.put(f"{SLICE}/cpu.stat", _throttled(5000))
    sampler = GameCgroupSampler(root.files, WatchedProcess(7))
    assert _read(sampler, "throttled_us") == 250
    root.put(f"{SLICE}/cpu.max", "15000 100000\n")
    root.put(f"{SLICE}/cpu.stat", _throttled(5400))
    assert _read(sampler, "throttled_us") == 650
    root.put(f"{SLICE}/cpu.max", "max 100000\n")
    root.put(f"{SLICE}/cpu.stat", _throttled(5900))
    assert _read(sampler, "throttled_us") == 1150
    sampler.close()


def test_a_group_that_counts_nothing_itself_has_what_the_limit_above_withholds(root):
    """As systemd starts programs: the controller is on in the slice that has the limit alone."""
    root.put(f"{GROUP}/cpu.stat", "usage_usec 100\n")
    root.put(f"{SLICE}/cpu.max", "15000 100000\n")
    root.put(f"{SLICE}/cpu.stat", _throttled(5000))
    root.put(f"{SLICE}/memory.events.local", "low 0\nhigh 1\nmax 40\n")
    root.remove(f"{GROUP}/memory.events")
    sampler = GameCgroupSampler(root.files, WatchedProcess(7))
    assert (_read(sampler, "throttled_us"), _read(sampler, "max_events")) == (0, 0)
    root.put(f"{SLICE}/cpu.stat", _throttled(5700))
    root.put(f"{SLICE}/memory.events.local", "low 0\nhigh 3\nmax 45\n")
    row = read_once(sampler)["game_cgroup"][""]
    assert (row["throttled_us"], row["max_events"]) == (700, 7)
    sampler.close()


def test_a_limit_of_version_1_above_the_game_is_counted_too(tmp_path):
    """Of each tree by the game's place in it, up to the root, which can have none."""
    above = "/sys/fs/cgroup/cpu/a"
    root = FakeRoot(
        tmp_path,
        {
            "/proc/7/cgroup": "4:memory:/game\n1:cpu,cpuacct:/a/b/c\n0::/\n",
            "/sys/fs/cgroup/memory/memory.failcnt": "5\n",
            "/sys/fs/cgroup/memory/game/memory.failcnt": "321\n",
            f"{above}/b/c/cpu.stat": "throttled_time 9000000\n",
            f"{above}/cpu.stat": "throttled_time 1000000\n",
        },
    )
    sampler = GameCgroupSampler(root.files, WatchedProcess(7))
    assert _read(sampler, "throttled_us") == 9000
    root.put(f"{above}/cpu.stat", "throttled_time 4000000\n")
    root.put("/sys/fs/cgroup/memory/memory.failcnt", "50\n")
    row = read_once(sampler)["game_cgroup"][""]
    assert (row["throttled_us"], row["max_events"]) == (12_000, 321)
    sampler.close()


def test_memory_that_a_group_above_has_no_room_for_counts_as_a_limit_reached(root):
    """Its own limit alone: what other groups below it reached of theirs is not the game's."""
    root.put(f"{SLICE}/memory.events", "high 0\nmax 900\n")
    root.put(f"{SLICE}/memory.events.local", "low 0\nhigh 1\nmax 40\n")
    sampler = GameCgroupSampler(root.files, WatchedProcess(7))
    assert _read(sampler, "max_events") == 2
    root.put(f"{SLICE}/memory.events.local", "low 0\nhigh 3\nmax 45\n")
    assert _read(sampler, "max_events") == 9
    sampler.close()


def test_limits_are_told_with_the_drive_and_the_lowest_of_all_groups_above(root):
    """In version 2 a limit of a slice holds for all that are in it."""
    root.put(f"{GROUP}/io.max", "8:0 rbps=2000000 wbps=max riops=50 wiops=max\n")
    above = GROUP.rpartition("/")[0]
    root.put(f"{above}/io.max", "8:0 rbps=800000 wbps=max riops=max wiops=max later=7\n")
    sampler = GameCgroupSampler(root.files, WatchedProcess(7))
    assert read_once(sampler)["drive_limit"]["8:0"] == {
        "read_bytes_per_s": 800_000,
        "reads_per_s": 50,
        "write_bytes_per_s": None,
        "writes_per_s": None,
    }
    sampler.close()
