# SPDX-License-Identifier: GPL-3.0-or-later
"""Changes as scripts and files: checked by our own readers of such files, and by sh."""

import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.tuning.export_files import (
    SYSCTL_NAME,
    TMPFILES_NAME,
    UDEV_NAME,
    config_files,
    left_out,
)
from destutter.tuning.export_script import script
from destutter.tuning.exported import (
    ExportedChange,
    NotExportableError,
    check,
    identity_of,
    touched_paths,
)
from destutter.tuning.other_settings import tmpfiles_value
from destutter.tuning.shell_text import as_commands
from destutter.tuning.sysctl_files import SysctlFiles
from destutter.tuning.udev_rules import UdevDevice, UdevRules
from destutter_helper.api.payload import Change
from tests.support.fake_root import FakeRoot

_NOW = "2026-11-21T05:00:00"
_SWAPPINESS = ExportedChange("vm.swappiness", "", "10", "60")
_BYTES = ExportedChange("vm.dirty_bytes", "", "268435456", "vm.dirty_ratio=20")
_THP = ExportedChange("thp.defrag", "", "madvise", "always")
_SCHEDULER = ExportedChange(
    "block.scheduler", "nvme0n1", "kyber", "none", 'ATTRS{wwid}=="eui.0025385b21404321"'
)
_UNNAMED = ExportedChange("block.read_ahead_kb", "vda", "512", "128")
_POLICY = ExportedChange("softirq.policy", "cpu3", "fifo:5", "other")
_HELD = ExportedChange("cpu.dma_latency", "", "20", "none")
_ALL = (_SWAPPINESS, _BYTES, _THP, _SCHEDULER, _UNNAMED, _POLICY, _HELD)


def test_files_are_read_as_they_were_meant_by_our_own_parsers(tmp_path: Path) -> None:
    """sysctl.d, udev and tmpfiles.d give each setting its value at the next start."""
    root = FakeRoot(tmp_path)
    texts = config_files(_ALL, _NOW)
    root.put(f"/etc/sysctl.d/{SYSCTL_NAME}", texts[SYSCTL_NAME])
    root.put("/etc/sysctl.d/99-sysctl.conf", "vm.swappiness = 90\n")
    root.put(f"/etc/udev/rules.d/{UDEV_NAME}", texts[UDEV_NAME])
    root.put(f"/etc/tmpfiles.d/{TMPFILES_NAME}", texts[TMPFILES_NAME])
    sysctl = SysctlFiles(root.files)
    for path, value in (("vm/swappiness", "10"), ("vm/dirty_bytes", "268435456")):
        assigned = sysctl.assigned(path)
        assert assigned is not None
        assert assigned.value == value
    rules = UdevRules(root.files)
    nvme = UdevDevice("/sys/block/nvme0n1", "nvme0n1", "block")
    vda = UdevDevice("/sys/block/vda", "vda", "block")
    for device, attribute, value in ((nvme, "scheduler", "kyber"), (vda, "read_ahead_kb", "512")):
        found = rules.attribute(device, f"queue/{attribute}")
        assert found is not None
        assert found.value == value
    assert rules.attribute(nvme, "queue/read_ahead_kb") is None
    defrag = tmpfiles_value(root.files, "/sys/kernel/mm/transparent_hugepage/defrag")
    assert defrag is not None
    assert defrag.value == "madvise"
    assert left_out(_ALL) == ["softirq.policy", "cpu.dma_latency"]


def test_files_with_nothing_to_say_do_not_exist() -> None:
    """Only sysctls: no rules, no tmpfiles."""
    assert list(config_files((_SWAPPINESS,), _NOW)) == [SYSCTL_NAME]
    assert config_files((_HELD,), _NOW) == {}


def test_script_is_good_shell_and_lists_what_it_moves(tmp_path: Path) -> None:
    """sh reads it; dependents of a scheduler and both members of a pair are noted."""
    file = tmp_path / "script.sh"
    file.write_text(script(_ALL, _NOW))
    assert subprocess.run(["sh", "-n", file], check=False).returncode == 0
    paths = touched_paths((_BYTES, _SCHEDULER))
    assert "/proc/sys/vm/dirty_ratio" in paths
    assert "/sys/block/nvme0n1/queue/nr_requests" in paths
    wrong = subprocess.run(["sh", file, "x"], check=False, capture_output=True, text=True)
    assert (wrong.returncode, "usage" in wrong.stderr) == (2, True)


def test_words_that_are_no_plain_words_go_into_no_file() -> None:
    """A value or a device that a shell or udev could take for something else is refused."""
    for change in (
        ExportedChange("vm.swappiness", "", "10; reboot"),
        ExportedChange("vm.swappiness", "", "10", "$(id)"),
        ExportedChange("block.scheduler", "sda\n", "none"),
    ):
        with pytest.raises(NotExportableError, match="plain word"):
            config_files((change,), _NOW)
        with pytest.raises(NotExportableError, match="plain word"):
            script((change,), _NOW)
    with pytest.raises(NotExportableError, match="plain word"):
        as_commands((Change("vm.swappiness", "`id`"),))
    with pytest.raises(NotExportableError, match="does not know the setting"):
        script((ExportedChange("kernel.core_pattern", "", "x"),), _NOW)


@given(st.text(max_size=40))
def test_no_text_gets_past_the_check_that_a_shell_would_read(text: str) -> None:
    """Whatever passes has only letters, digits and marks without meaning."""
    try:
        check((ExportedChange("vm.swappiness", text, text, text),))
    except NotExportableError:
        return
    assert not set(text) & set(" \t\n\"'`$\\;&|<>(){}[]*?~#=")


def test_drive_is_recognised_by_what_it_says_of_itself(tmp_path: Path) -> None:
    """wwid before serial; what could be a pattern, or nothing at all, is no identity."""
    root = FakeRoot(tmp_path, {"/sys/block/sda/device/wwid": "naa.5000c500a1b2\n"})
    for drive in ("sda", "vda", "sdb"):
        root.put(f"/sys/block/{drive}/queue/read_ahead_kb", "128\n")
        root.put(f"/sys/block/{drive}/size", "1000\n")
    port = tmp_path / "sys/devices/pci0000:00/0000:00:17.0/ata1/host0/scsi_host/host0"
    port.mkdir(parents=True)
    (port / "link_power_management_policy").write_text("max_performance\n")
    (tmp_path / "sys/class/scsi_host").mkdir(parents=True)
    (tmp_path / "sys/class/scsi_host/host0").symlink_to(f"../../../{port.relative_to(tmp_path)}")
    root.put("/sys/block/vda/serial", "disk-7\n")
    root.put("/sys/block/sdb/wwid", "a*b\n")
    root.put("/sys/class/nvme/nvme0/serial", "S4EWNX0R  \n")
    root.put("/sys/class/nvme/nvme1/serial", "        S4EWNX0R\n")
    for id_, device, found in (
        ("block.scheduler", "sda", 'ATTRS{wwid}=="naa.5000c500a1b2"'),
        ("block.scheduler", "vda", 'ATTRS{serial}=="disk-7"'),
        ("block.scheduler", "sdb", ""),
        ("block.scheduler", "sdc", ""),
        ("nvme.latency_tolerance", "nvme0", 'ATTR{serial}=="S4EWNX0R"'),
        ("nvme.latency_tolerance", "nvme1", 'ATTR{serial}=="        S4EWNX0R"'),
        ("sata.link_power", "host0", 'DEVPATH=="*/0000:00:17.0/ata1/host*"'),
        ("softirq.policy", "cpu0", ""),
        ("vm.swappiness", "", ""),
    ):
        assert identity_of(root.files, id_, device) == found


def test_commands_to_copy() -> None:
    """A sysctl, an attribute, a thread, and what no command can do; in the order of writing."""
    changes = (
        Change("vm.swappiness", "10"),
        Change("block.scheduler", "none", "sda"),
        Change("softirq.policy", "fifo:5", "cpu3"),
        Change("cpu.dma_latency", "20"),
    )
    assert as_commands(changes).splitlines() == [
        "echo none | sudo tee /sys/block/sda/queue/scheduler",
        "sudo sysctl -w vm.swappiness=10",
        "sudo chrt --fifo -p 5 $(pgrep -x ksoftirqd/3)",
        "# cpu.dma_latency: 20 lasts only while a program holds it",
    ]
