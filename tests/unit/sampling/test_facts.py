# SPDX-License-Identifier: GPL-3.0-or-later
"""Facts with a name, and the description of a computer."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.core.kernel_files import KernelFileError, KernelFiles
from destutter.sampling.facts import FactReader
from destutter.sampling.machine import (
    clock_ticks,
    describe_machine,
    page_bytes,
    read_processor,
    virtual_machine,
)
from tests.support.fake_root import FakeRoot

CPUINFO = (
    "processor\t: 0\nmodel name\t: Some CPU\nflags\t\t: fpu {flag}\n\n"
    "processor\t: 1\nmodel name\t: Some CPU\nflags\t\t: fpu {flag}\n"
)


@pytest.fixture
def root(tmp_path):
    """A small desktop computer."""
    return FakeRoot(
        tmp_path,
        {
            "/etc/os-release": 'NAME="Arch Linux"\nPRETTY_NAME="Arch Linux (made up)"\n',
            "/proc/sys/kernel/osrelease": "6.12.1\n",
            "/proc/cpuinfo": CPUINFO.format(flag="sse"),
            "/proc/meminfo": "MemTotal:       16384000 kB\n",
            "/proc/swaps": "Filename Type Size Used Priority\n/dev/zram0 partition 9 0 5\n",
            "/sys/devices/system/clocksource/clocksource0/current_clocksource": "hpet\n",
            "/sys/devices/system/clocksource/clocksource0/available_clocksource": "tsc hpet \n",
            "/sys/devices/system/cpu/cpufreq/policy0/scaling_driver": "intel_pstate\n",
            "/sys/devices/system/cpu/cpufreq/policy0/scaling_governor": "powersave\n",
            "/sys/devices/system/cpu/intel_pstate/no_turbo": "1\n",
            "/sys/block/nvme0n1/queue/scheduler": "[none] mq-deadline kyber\n",
            "/sys/block/nvme0n1/queue/rotational": "0\n",
            "/sys/block/nvme0n1/queue/wbt_lat_usec": "2000\n",
            "/sys/block/nvme0n1/device/model": "Fast Drive  \n",
            "/sys/block/loop0/queue/scheduler": "none\n",
            "/sys/class/power_supply/AC/type": "Mains\n",
            "/sys/class/power_supply/AC/online": "0\n",
            "/sys/class/power_supply/BAT0/type": "Battery\n",
        },
    )


def test_what_a_drive_lies_on_is_a_fact(root):
    """A volume on two drives; of a captured loop drive nobody knows where its file lies."""
    for part in ("dm-1/slaves/sda", "dm-1/slaves/nvme0n1"):
        root.put(f"/sys/block/{part}", "")
    root.put("/sys/block/loop0/loop/backing_file", "/etc/os-release\n")
    found = FactReader(root.files).read()
    assert found["disk.dm-1.below"] == "nvme0n1 sda"
    assert "disk.loop0.below" not in found


def test_facts_of_a_computer(root):
    """Every fact that the tree tells, and none that it does not."""
    assert FactReader(root.files, "wayland").read() == {
        "session.type": "wayland",
        "kernel.release": "6.12.1",
        "distribution": "Arch Linux (made up)",
        "machine.virtual": "no",
        "cpu.split_lock_detect": "no",
        "pressure": "no",
        "clocksource": "hpet",
        "clocksource.available": "tsc hpet",
        "swap.kind": "zram",
        "cpufreq.policy0.driver": "intel_pstate",
        "cpufreq.policy0.governor": "powersave",
        "cpufreq.boost": "off",
        "disk.nvme0n1.scheduler": "none",
        "disk.nvme0n1.schedulers": "none mq-deadline kyber",
        "disk.nvme0n1.rotational": "0",
        "disk.nvme0n1.wbt_us": "2000",
        "disk.nvme0n1.model": "Fast Drive",
        "power.source": "battery",
    }


def test_facts_of_an_empty_tree_are_few(tmp_path):
    """A tree that tells nothing gives only what its silence says."""
    facts = FactReader(FakeRoot(tmp_path).files).read()
    assert facts == {"machine.virtual": "no", "cpu.split_lock_detect": "no", "pressure": "no"}


def test_a_damaged_file_costs_its_group(root):
    """Swap that cannot be read hides no other fact."""
    root.put("/proc/swaps", "rubbish")
    root.put("/etc/os-release", b"\xff\xfe")
    facts = FactReader(root.files).read()
    assert "swap.kind" not in facts
    assert facts["clocksource"] == "hpet"


@pytest.mark.parametrize(
    ("rows", "kinds"),
    [
        ("/dev/sda3 partition 9 0 5\n", "disk"),
        ("/swap.img file 9 0 5\n/dev/zram1 partition 9 0 7\n", "file zram"),
        ("", "none"),
    ],
)
def test_kinds_of_swap(root, rows, kinds):
    """Compressed memory, a disk or a file."""
    root.put("/proc/swaps", "Filename Type Size Used Priority\n" + rows)
    assert FactReader(root.files).read()["swap.kind"] == kinds


def test_boost_may_be_told_directly(root):
    """Where the kernel has cpufreq/boost, it counts."""
    root.put("/sys/devices/system/cpu/cpufreq/boost", "1\n")
    assert FactReader(root.files).read()["cpufreq.boost"] == "on"


def test_the_machine_is_described(root):
    """The header's description; what is unknown is missing."""
    root.put("/sys/class/drm/card0/device/uevent", "DRIVER=amdgpu\n")
    root.put("/sys/class/drm/card0/device/vendor", "0x1002\n")
    root.put("/sys/class/drm/card0/device/device", "0x7480\n")
    root.put("/proc/driver/nvidia/version", "NVRM\n")
    root.put("/proc/driver/nvidia/gpus/0000:01:00.0/information", "Model: \t RTX 4070\nIRQ: 5\n")
    assert describe_machine(root.files) == {
        "kernel": "6.12.1",
        "distribution": "Arch Linux (made up)",
        "cpu_model": "Some CPU",
        "cpus": 2,
        "memory_kib": 16384000,
        "page_bytes": 4096,
        "clock_ticks": 100,
        "gpus": ["RTX 4070", "AMD 0x7480 (amdgpu)"],
        "virtual_machine": "no",
    }


@pytest.mark.parametrize(
    ("files", "name"),
    [
        ({"/sys/hypervisor/type": "xen\n"}, "xen"),
        ({"/proc/cpuinfo": CPUINFO.format(flag="hypervisor")}, "unknown"),
        (
            {
                "/proc/cpuinfo": CPUINFO.format(flag="hypervisor"),
                "/sys/class/dmi/id/sys_vendor": "QEMU\n",
            },
            "QEMU",
        ),
        # A real computer of that maker has neither the flag nor the product's name.
        ({"/sys/class/dmi/id/sys_vendor": "Microsoft Corporation\n"}, "no"),
    ],
)
def test_virtual_machines_are_told(tmp_path, files, name):
    """By what the hypervisor, the processor or the firmware says."""
    tree = FakeRoot(tmp_path, files).files
    assert virtual_machine(tree, read_processor(tree).flags) == name


def test_a_captured_tree_brings_its_constants(root):
    """The page size and the clock of the captured computer are in its manifest."""
    root.put("/capture.json", json.dumps({"page_bytes": 16384, "clock_ticks": 250}))
    assert (page_bytes(root.files), clock_ticks(root.files)) == (16384, 250)
    root.put("/capture.json", json.dumps({"page_bytes": "big"}))
    assert page_bytes(root.files) == 4096
    root.put("/capture.json", "rubbish")
    with pytest.raises(KernelFileError, match="manifest"):
        page_bytes(root.files)


@given(st.binary(max_size=60))
def test_damaged_files_leave_gaps_in_the_description(tmp_path_factory, data):
    """Files of the description may hold anything: what cannot be read is missing."""
    root = FakeRoot(tmp_path_factory.getbasetemp() / "machine")
    for path in ("/proc/meminfo", "/proc/cpuinfo", "/etc/os-release"):
        root.put(path, data)
    found = describe_machine(root.files)
    assert found["page_bytes"] == 4096


def test_this_computer_is_described():
    """The running kernel says what it is."""
    found = describe_machine(KernelFiles())
    assert found["cpus"] >= 1
    assert found["memory_kib"] > 0


def test_displays_in_use_and_nvidias_driver_are_told(tmp_path):
    """What a comparison of two sessions must know: the mode and the driver's version."""
    root = FakeRoot(
        tmp_path,
        {
            "/sys/class/drm/card0/dev": "226:0\n",
            "/sys/class/drm/card0-DP-1/enabled": "enabled\n",
            "/sys/class/drm/card0-DP-1/modes": "2560x1440\n1920x1080\n",
            "/sys/class/drm/card0-HDMI-A-1/enabled": "disabled\n",
            "/proc/driver/nvidia/version": "NVRM version: NVIDIA UNIX x86_64  550.54.14  Thu\n",
        },
    )
    assert FactReader(root.files).read()["display.mode"] == "DP-1 2560x1440"
    assert describe_machine(root.files)["driver"] == "NVIDIA 550.54.14"
