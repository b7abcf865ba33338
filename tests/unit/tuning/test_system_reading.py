# SPDX-License-Identifier: GPL-3.0-or-later
"""What the page about the computer reads, on captured and made-up computers."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.core.kernel_files import KernelFileError, KernelFiles
from destutter.core.sandbox import INFO
from destutter.tuning.drive_details import read_drive
from destutter.tuning.machine_profile import Drive, DriveKind
from destutter.tuning.other_programs import read_other_programs
from destutter.tuning.system_reading import parse_zones, read_system
from tests.support.flatpak_sandbox import flatpak_info
from tests.support.roots import ARCHIVES, name_of, unpacked


def put(root: Path, path: str, text: str) -> None:
    """Write a kernel file of a made-up computer."""
    place = root / path.lstrip("/")
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text)


@pytest.mark.parametrize("archive", ARCHIVES, ids=name_of)
def test_every_computer_can_be_read(archive: Path):
    """Each captured computer gives its drives, zones and kernel without a problem."""
    files = unpacked(archive)
    reading = read_system(files)
    assert reading.problems == ()
    assert reading.zones
    assert all(zone.min <= zone.low <= zone.high for zone in reading.zones)
    assert {drive.name for drive in reading.drives} == {
        drive.name for drive in reading.profile.drives
    }
    assert reading.kernel.release


def test_empty_computer_claims_nothing(tmp_path: Path):
    """Where there is no file, nothing is measured; nothing becomes 0."""
    reading = read_system(KernelFiles(tmp_path))
    assert (reading.drives, reading.zones, reading.swaps) == ((), (), ())
    assert reading.kernel.clocksource is None
    assert reading.kernel.zswap is None
    assert reading.kernel.rt_runtime_us is None


def test_nvme_drive_tells_of_its_queue_and_its_sleep(tmp_path: Path):
    """Scheduler, throttling, readahead, depth, latency tolerance and link of an NVMe drive."""
    base = "/sys/block/nvme0n1"
    for path, text in (
        ("size", "2048\n"),
        ("queue/scheduler", "[none] mq-deadline\n"),
        ("queue/wbt_lat_usec", "2000\n"),
        ("queue/read_ahead_kb", "128\n"),
        ("queue/nr_requests", "1023\n"),
        ("device/model", "Fast One    \n"),
        ("device/power/pm_qos_latency_tolerance_us", "100000\n"),
        ("device/device/current_link_speed", "16.0 GT/s PCIe\n"),
        ("device/device/current_link_width", "4\n"),
    ):
        put(tmp_path, f"{base}/{path}", text)
    drive = read_drive(KernelFiles(tmp_path), Drive("nvme0n1", DriveKind.NVME, ("none",)))
    assert (drive.scheduler, drive.wbt_us, drive.read_ahead_kib) == ("none", 2000, 128)
    assert (drive.requests, drive.size_bytes, drive.model) == (1023, 1 << 20, "Fast One")
    assert (drive.latency_tolerance, drive.link_width) == ("100000", "4")
    assert drive.link_power is None


def test_damaged_file_of_a_drive_costs_only_itself(tmp_path: Path):
    """A value that is no number is unknown; the others are there."""
    put(tmp_path, "/sys/block/sda/queue/wbt_lat_usec", "soon")
    put(tmp_path, "/sys/block/sda/queue/nr_requests", "64")
    drive = read_drive(KernelFiles(tmp_path), Drive("sda", DriveKind.HDD))
    assert (drive.wbt_us, drive.requests) == (None, 64)


def test_damaged_zones_are_named(tmp_path: Path):
    """A file that is there and makes no sense is a problem with its path, not an empty list."""
    put(tmp_path, "/proc/zoneinfo", "Node 0, zone\n")
    reading = read_system(KernelFiles(tmp_path))
    assert reading.zones == ()
    assert any("/proc/zoneinfo" in str(problem) for problem in reading.problems)


@given(st.text(max_size=200))
def test_any_text_gives_zones_or_an_error(text: str):
    """Whatever the file holds, nothing else happens."""
    try:
        parse_zones(text)
    except KernelFileError:
        return


def test_compressed_swap_tells_its_ratio(tmp_path: Path):
    """A zram area has its algorithm and its sizes before and after."""
    head = "Filename Type Size Used Priority\n"
    rows = "/dev/zram0 partition 1024 512 100\n/my\\040swap file 1024 0 -2\n"
    put(tmp_path, "/proc/swaps", head + rows)
    put(tmp_path, "/sys/block/zram0/comp_algorithm", "lzo [zstd]\n")
    put(tmp_path, "/sys/block/zram0/mm_stat", "4096 1024 2048 0 2048 0 0 0 0\n")
    area, file = read_system(KernelFiles(tmp_path)).swaps
    assert (file.name, file.algorithm) == ("/my swap", None)
    assert (area.algorithm, area.stored, area.priority) == ("zstd", (4096, 1024), 100)


def test_other_tools_are_known_by_process_or_script(tmp_path: Path):
    """A daemon is known by its name of at most 15 letters, a script by its file."""
    put(tmp_path, "/proc/10/comm", "power-profiles-\n")
    put(tmp_path, "/proc/11/comm", "python3\n")
    put(tmp_path, "/proc/11/cmdline", "/usr/bin/python3\0/usr/sbin/tuned\0-l\0")
    put(tmp_path, "/proc/12/comm", "bash\n")
    put(tmp_path, "/sys/kernel/sched_ext/state", "enabled\n")
    put(tmp_path, "/sys/kernel/sched_ext/root/ops", "lavd\n")
    programs = read_other_programs(KernelFiles(tmp_path))
    assert [each.key for each in programs.running] == ["power-profiles-daemon", "tuned"]
    assert programs.scheduler == "lavd"


def test_policy_of_a_thread_is_looked_up(tmp_path: Path):
    """A real-time thread has its policy and priority; one that has gone is left out."""
    fields = ["0"] * 52
    fields[37], fields[38] = "50", "1"
    put(tmp_path, "/proc/7/task/8/stat", "8 (a) b) S " + " ".join(fields[1:]))
    threads = read_system(KernelFiles(tmp_path), ["7/8", "9/9", "../x"]).threads
    assert threads == {"7/8": "FIFO 50"}


def test_in_a_flatpak_programs_and_settings_are_hidden(tmp_path: Path):
    """Its own process is no other tool, and its control group is of version 2 without /sys/fs."""
    put(tmp_path, INFO, flatpak_info())
    put(tmp_path, "/proc/3/comm", "tuned\n")
    put(tmp_path, "/proc/self/cgroup", "0::/app.slice/app-flatpak.scope\n")
    reading = read_system(KernelFiles(tmp_path))
    assert reading.programs.are_hidden
    assert reading.programs.running == ()
    assert reading.kernel.is_partly_hidden
    assert reading.kernel.is_cgroup_v2
    put(tmp_path, "/proc/self/cgroup", "4:memory:/\n0::/\n")
    assert not read_system(KernelFiles(tmp_path)).kernel.is_cgroup_v2
