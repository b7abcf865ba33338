# SPDX-License-Identifier: GPL-3.0-or-later
"""What a computer is, as far as advice depends on it."""

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.core.kernel_files import KernelFileError
from destutter.core.sandbox import INFO
from destutter.tuning.machine_profile import (
    DriveKind,
    SwapKind,
    drive_kind,
    parse_managed,
    read_profile,
)
from destutter.tuning.recorded_profile import recorded_choices, recorded_profile
from tests.support.fake_root import FakeRoot, zone_text
from tests.support.flatpak_sandbox import flatpak_info
from tests.support.roots import ARCHIVES, name_of, unpacked

SWAPS = "Filename Type Size Used Priority\n"


@pytest.fixture
def root(tmp_path):
    """A desktop with an NVMe drive, a hard disk and a stick."""
    made = FakeRoot(
        tmp_path,
        {
            "/proc/meminfo": "MemTotal: 16000000 kB\nActive(file): 100 kB\nInactive(file): 20 kB\n"
            "SwapTotal: 500 kB\nSwapFree: 400 kB\n",
            "/proc/vmstat": "nr_dirty_threshold 900\nnr_dirty_background_threshold 400\n",
            "/proc/zoneinfo": zone_text(0, "DMA32", 700) + zone_text(1, "Normal", 3000),
            "/proc/swaps": SWAPS,
        },
    )
    for name, turns, goes in (("nvme0n1", 0, 0), ("sda", 1, 0), ("sdb", 0, 1)):
        made.put(f"/sys/block/{name}/size", "800\n")
        made.put(f"/sys/block/{name}/removable", f"{goes}\n")
        made.put(f"/sys/block/{name}/queue/rotational", f"{turns}\n")
        made.put(f"/sys/block/{name}/queue/scheduler", "[none] bfq\n")
    return made


def test_memory_zones_and_drives(root):
    """Numbers of the kernel, and every drive by its kind."""
    profile = read_profile(root.files)
    assert profile.problems == ()
    assert (profile.memory_kib, profile.cache_kib, profile.swapped_kib) == (16_000_000, 120, 100)
    assert profile.managed == {"node0/DMA32": 700, "node1/Normal": 3000}
    assert (profile.dirty_threshold_pages, profile.dirty_background_pages) == (900, 400)
    assert [(each.name, each.kind) for each in profile.drives] == [
        ("nvme0n1", DriveKind.NVME),
        ("sda", DriveKind.HDD),
        ("sdb", DriveKind.USB),
    ]
    assert profile.drives[0].schedulers == ("none", "bfq")
    assert (profile.is_guest, profile.is_on_battery, profile.page_kib) == (False, False, 4)


@pytest.mark.parametrize(
    ("rows", "zswap", "kind"),
    [
        ("", "N", SwapKind.NONE),
        ("/dev/zram0 partition 9 0 100\n", "N", SwapKind.ZRAM),
        (
            "/dev/zram0 partition 9 0 100\n/dev/sda2 partition 9 0 -2\n",
            "N",
            SwapKind.ZRAM_AND_DISK,
        ),
        ("/dev/zram0 partition 9 0 -3\n/dev/sda2 partition 9 0 -2\n", "N", SwapKind.UNKNOWN),
        ("/dev/nvme0n1p3 partition 9 0 -2\n", "N", SwapKind.SSD),
        ("/dev/sda2 partition 9 0 -2\n", "N", SwapKind.HDD),
        ("/dev/sda2 partition 9 0 -2\n/dev/nvme0n1p1 partition 9 0 -3\n", "N", SwapKind.UNKNOWN),
        ("/dev/sda2 partition 9 0 -2\n", "Y", SwapKind.ZSWAP),
        ("/swapfile file 9 0 -2\n", "N", SwapKind.UNKNOWN),
        ("/dev/mapper/x partition 9 0 -2\n", "N", SwapKind.UNKNOWN),
    ],
)
def test_kind_of_swap(root, rows, zswap, kind):
    """By device, order and compression; a file on one of two kinds of drives is unknown."""
    root.put("/proc/swaps", SWAPS + rows)
    root.put("/sys/module/zswap/parameters/enabled", f"{zswap}\n")
    assert read_profile(root.files).swap is kind


def test_swap_below_device_mapper_turns_as_it_says(root):
    """The layer passes on what the drive is."""
    root.put("/proc/swaps", f"{SWAPS}/dev/dm-0 partition 9 0 -2\n")
    root.put("/sys/block/dm-0/size", "800\n")
    root.put("/sys/block/dm-0/queue/rotational", "1\n")
    assert read_profile(root.files).swap is SwapKind.HDD


@pytest.mark.parametrize(
    ("supplies", "on_battery"),
    [
        ({}, False),
        ({"AC": ("Mains", "1"), "BAT0": ("Battery", None)}, False),
        ({"AC": ("Mains", "0"), "BAT0": ("Battery", None)}, True),
        ({"usb": ("USB", "1"), "BAT0": ("Battery", None)}, False),
        ({"BAT0": ("Battery", None)}, None),
    ],
)
def test_power(root, supplies, on_battery):
    """A battery without a plug that could tell is unknown."""
    for name, (kind, online) in supplies.items():
        root.put(f"/sys/class/power_supply/{name}/type", f"{kind}\n")
        if online is not None:
            root.put(f"/sys/class/power_supply/{name}/online", f"{online}\n")
    assert read_profile(root.files).is_on_battery is on_battery


def test_the_battery_of_a_mouse_is_none_of_the_computer(root):
    """Its scope says so."""
    root.put("/sys/class/power_supply/hid/type", "Battery\n")
    root.put("/sys/class/power_supply/hid/scope", "Device\n")
    assert read_profile(root.files).is_on_battery is False


@pytest.mark.parametrize(
    ("name", "is_usb", "is_guest", "kind"),
    [
        ("sda", False, False, DriveKind.SATA_SSD),
        ("sda", False, True, DriveKind.VIRTUAL),
        ("vda", False, False, DriveKind.VIRTUAL),
        ("mmcblk0", False, False, DriveKind.CARD),
        ("zram0", False, True, DriveKind.LAYERED),
        ("dm-0", False, False, DriveKind.LAYERED),
        ("md127", False, False, DriveKind.LAYERED),
    ],
)
def test_kind_of_drive(name, is_usb, is_guest, kind):
    """By name first; in a guest nothing is known of a disk."""
    assert drive_kind(name, is_rotational=False, is_usb=is_usb, is_guest=is_guest) is kind


def test_a_guest_is_known_by_processor_or_firmware(root):
    """Each of both is enough."""
    root.put("/proc/cpuinfo", "processor : 0\nflags : fpu hypervisor\n")
    assert read_profile(root.files).is_guest
    root.put("/proc/cpuinfo", "processor : 0\nflags : fpu\n")
    assert not read_profile(root.files).is_guest
    root.put("/sys/class/dmi/id/sys_vendor", "QEMU\n")
    assert read_profile(root.files).is_guest


def test_a_broken_file_costs_only_its_part(root):
    """The rest is known, and the problem is named with its line."""
    root.put("/proc/vmstat", "nr_free many\n")
    root.put("/proc/swaps", f"{SWAPS}x\n")
    profile = read_profile(root.files)
    assert profile.memory_kib == 16_000_000
    assert (profile.dirty_threshold_pages, profile.swap) == (None, SwapKind.UNKNOWN)
    assert [str(problem).split(":")[0] for problem in profile.problems] == [
        "/proc/vmstat, line 1",
        "/proc/swaps, line 2",
    ]


@pytest.mark.parametrize(("content", "kib"), [("{}", 4), ('{"page_bytes": 16384}', 16), ("[", 4)])
def test_page_size_of_a_captured_tree(root, content, kib):
    """What the manifest says, or the usual one."""
    root.put("/capture.json", content)
    assert read_profile(root.files).page_kib == kib


@given(st.text())
def test_zones_are_numbers_or_an_error(text):
    """Whatever the file holds."""
    with contextlib.suppress(KernelFileError):
        assert all(isinstance(pages, int) for pages in parse_managed(text).values())


@pytest.mark.parametrize("archive", ARCHIVES, ids=name_of)
def test_known_computers_have_no_unreadable_part(archive):
    """Each archive gives a whole profile."""
    files = unpacked(archive)
    profile = read_profile(files)
    assert profile.problems == ()
    assert profile.memory_kib
    assert profile.drives
    assert json.dumps(profile.managed)


def test_profile_of_a_recording():
    """From the header and the facts; what is not recorded is unknown."""
    facts = {
        "kernel.release": "6.12",
        "machine.virtual": "no",
        "swap.kind": "disk",
        "power.source": "battery",
        "disk.nvme0n1.rotational": "0",
        "disk.nvme0n1.schedulers": "none kyber",
    }
    profile = recorded_profile({"memory_kib": 1000, "page_bytes": 16384}, facts, {})
    assert (profile.memory_kib, profile.page_kib, profile.kernel) == (1000, 16, "6.12")
    assert (profile.swap, profile.is_on_battery) == (SwapKind.SSD, True)
    assert profile.drives[0].schedulers == ("none", "kyber")
    assert profile.dirty_threshold_pages is None
    tweaked = {"vm.dirty_bytes": "16000000", "vm.dirty_background_bytes": "0"}
    limited = recorded_profile({"page_bytes": 4096}, {}, tweaked)
    assert (limited.dirty_threshold_pages, limited.dirty_background_pages) == (3906, None)
    damaged = {"vm.dirty_bytes": "9" * 5000, "vm.dirty_background_bytes": "-1"}
    assert recorded_profile({}, {}, damaged).dirty_threshold_pages is None
    empty = recorded_profile({}, {}, {})
    assert (empty.memory_kib, empty.swap, empty.is_on_battery) == (None, SwapKind.UNKNOWN, None)
    desktop = recorded_profile({}, {"kernel.release": "6", "swap.kind": "zram"}, {})
    assert (desktop.is_on_battery, desktop.swap) == (False, SwapKind.ZRAM)
    assert recorded_profile({}, {"swap.kind": "disk zram"}, {}).swap is SwapKind.UNKNOWN
    assert recorded_profile({}, {"swap.kind": "none"}, {}).swap is SwapKind.NONE


def test_choices_of_a_recording():
    """What is not the kernel's own was chosen by somebody."""
    recorded = {"vm.swappiness": "10", "vm.page-cluster": "3", "thp.defrag": "x"}
    assert recorded_choices(recorded) == {"vm.swappiness"}


def test_swap_on_a_drive_is_of_unknown_kind_where_zswap_is_hidden(root):
    """A Flatpak does not see whether swapped pages are compressed in memory first."""
    root.put("/proc/swaps", f"{SWAPS}/dev/nvme0n1p3 partition 9 0 -2\n")
    assert read_profile(root.files).swap is SwapKind.SSD
    root.put(INFO, flatpak_info())
    assert read_profile(root.files).swap is SwapKind.UNKNOWN
