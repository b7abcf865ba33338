# SPDX-License-Identifier: GPL-3.0-or-later
"""Whole disks of old and new kernels, unused ones, and disks that come and go."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.core.kernel_files import KernelFileError
from destutter.sampling.computer.disks import DISKSTATS, DiskSampler, parse_inflight
from destutter.sampling.files.measurement import AbsentError
from tests.support.fake_root import FakeRoot, diskstats_row
from tests.support.measuring import parsed, read_once

NEW = range(1, 18)  # Linux 5.5 and newer
OLD = range(1, 16)  # Linux 4.18 to 5.4
OLDEST = range(1, 12)
UNUSED = [0] * 17


@pytest.fixture
def root(tmp_path):
    """A tree without disks."""
    return FakeRoot(tmp_path, {DISKSTATS: ""})


def put_disks(root, *rows):
    """Rows of (name, numbers); each is a whole disk with requests in flight."""
    root.put(DISKSTATS, "".join(diskstats_row(name, numbers) for name, numbers in rows))
    for name, _ in rows:
        root.put(f"/sys/block/{name.replace('/', '!')}/inflight", "       3        4\n")


@pytest.fixture
def sampler(root):
    """The sampler of the tree."""
    made = DiskSampler(root.files)
    yield made
    made.close()


def test_a_row_has_all_fields(root, sampler):
    """Counts, times, discards, flushes, and requests in flight per direction."""
    put_disks(root, ("nvme0n1", NEW))
    disk = read_once(sampler)["disk"]["nvme0n1"]
    assert list(disk.values()) == [*NEW, 3, 4]
    assert (disk["reads"], disk["write_ms"], disk["flush_ms"]) == (1, 8, 17)


def test_a_disk_at_rest_is_read_once(root, sampler):
    """Equal rows without a request in flight are equal disks; one in flight is looked up."""
    resting = [*NEW]
    resting[8] = 0
    put_disks(root, ("sda", resting))
    first = sampler.read()
    assert read_once(sampler)["disk"]["sda"]["reads_in_flight"] == 0
    assert sampler.read() is first
    put_disks(root, ("sda", NEW))
    assert read_once(sampler)["disk"]["sda"]["reads_in_flight"] == 3
    root.put("/sys/block/sda/inflight", "5 6\n")
    assert read_once(sampler)["disk"]["sda"]["reads_in_flight"] == 5


@pytest.mark.parametrize(("numbers", "missing"), [(OLD, 2), (OLDEST, 6)])
def test_what_an_older_kernel_does_not_count_is_none(root, sampler, numbers, missing):
    """Rows of 18 and 14 columns leave flushes and discards unknown."""
    put_disks(root, ("sda", numbers))
    values = list(read_once(sampler)["disk"]["sda"].values())
    assert values == [*numbers, *[None] * missing, 3, 4]


def test_columns_of_a_newer_kernel_are_passed_over(root, sampler):
    """More columns than are known do not disturb those that are."""
    put_disks(root, ("sda", range(1, 25)))
    assert list(read_once(sampler)["disk"]["sda"].values()) == [*NEW, 3, 4]


def test_partitions_and_unused_devices_are_left_out(root, sampler):
    """Only whole disks that have done something: no partition, no idle loop, ram or drive."""
    names = ("loop0", "ram0", "sr0", "nbd3", "zram0")
    put_disks(root, ("nvme0n1", NEW), *((name, UNUSED) for name in names), ("dm-0", NEW))
    with (root.folder / DISKSTATS[1:]).open("a") as file:
        file.write(diskstats_row("nvme0n1p1", NEW))
    assert list(read_once(sampler)["disk"]) == ["nvme0n1", "dm-0"]


def test_a_loop_device_appears_with_its_first_request(root, sampler):
    """An unused device that begins to work is there at the next reading."""
    put_disks(root, ("loop0", UNUSED), ("sda", NEW))
    assert list(read_once(sampler)["disk"]) == ["sda"]
    put_disks(root, ("loop0", [1, *UNUSED[1:]]), ("sda", NEW))
    assert list(read_once(sampler)["disk"]) == ["loop0", "sda"]


def test_plug_and_unplug(root, sampler):
    """A disk that is plugged in or out changes the instances and no values."""
    put_disks(root, ("sda", NEW))
    assert list(read_once(sampler)["disk"]) == ["sda"]
    put_disks(root, ("sda", NEW), ("sdb", range(21, 38)))
    both = read_once(sampler)["disk"]
    assert (both["sda"]["reads"], both["sdb"]["reads"]) == (1, 21)
    root.remove("/sys/block/sda")
    put_disks(root, ("sdb", range(22, 39)))
    assert [disk["reads"] for disk in read_once(sampler)["disk"].values()] == [22]


def test_an_exchanged_disk_is_never_misread(root, sampler):
    """When a row suddenly belongs to another disk, nothing is told before it is learnt."""
    put_disks(root, ("sda", NEW), ("sdb", NEW))
    read_once(sampler)
    put_disks(root, ("sda", NEW), ("sdc", range(50, 67)))
    assert sampler.read() == ()
    assert read_once(sampler)["disk"]["sdc"]["reads"] == 50


def test_a_slash_in_a_name_is_an_exclamation_mark_in_sysfs(root, sampler):
    """Names such as cciss/c0d0 are found below /sys/block."""
    put_disks(root, ("cciss/c0d0", NEW))
    assert read_once(sampler)["disk"]["cciss/c0d0"]["reads_in_flight"] == 3


def test_a_disk_without_inflight_has_none_there(root, sampler):
    """A device that does not tell its requests in flight is measured all the same."""
    put_disks(root, ("dm-0", NEW))
    root.remove("/sys/block/dm-0/inflight")
    disk = read_once(sampler)["disk"]["dm-0"]
    assert (disk["reads"], disk["reads_in_flight"]) == (1, None)


@pytest.mark.parametrize("row", ["259 0\n", "259 0 sda 1 2 3\n", "259 0 sda 1 x" + " 3" * 15])
def test_a_damaged_row_is_named_with_its_line(root, sampler, row):
    """A row that cannot be understood raises with its line."""
    put_disks(root, ("sda", NEW))
    root.put(DISKSTATS, diskstats_row("loop0", UNUSED) + row)
    with pytest.raises(KernelFileError) as info:
        sampler.read()
    assert (info.value.path, info.value.line) == (DISKSTATS, 2)


def test_a_missing_file_is_absent(tmp_path):
    """Without /proc/diskstats the sampler says so."""
    with pytest.raises(AbsentError, match="diskstats"):
        DiskSampler(FakeRoot(tmp_path).files).read()


@given(st.binary(max_size=40))
def test_any_bytes_give_two_numbers_or_an_error(data):
    """No content of inflight makes the parser fail in another way."""
    found = parsed(lambda: parse_inflight("/p", data), "/p")
    assert found is None or len(found) == 2


@given(
    st.lists(st.sampled_from(["sda", "sdb", "loop0", "sdz", ""]), max_size=4),
    st.binary(max_size=40),
)
def test_any_table_gives_disks_or_an_error(tmp_path_factory, names, tail):
    """Rows in any order with rubbish behind them fail in no other way, also the second time."""
    root = FakeRoot(tmp_path_factory.getbasetemp() / "disks")
    put_disks(root, ("sda", NEW), ("sdb", UNUSED), ("loop0", UNUSED))
    sampler = DiskSampler(root.files)
    sampler.read()
    rows = "".join(diskstats_row(name, NEW) for name in names).encode()
    root.put(DISKSTATS, rows + tail)
    for _ in range(2):
        found = parsed(sampler.read, DISKSTATS)
        for measurement in found or ():
            assert len(measurement.values) == 19 * len(measurement.instances or ())
    sampler.close()
