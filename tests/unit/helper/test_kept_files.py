# SPDX-License-Identifier: GPL-3.0-or-later
"""The files below /run hold our own templates with checked values, and nothing else."""

import re

from hypothesis import example, given
from hypothesis import strategies as st

from destutter_helper.api.devices import Device
from destutter_helper.api.payload import UndoRequest
from destutter_helper.api.setting_files import SYSCTL_FILE, UDEV_FILE
from destutter_helper.journal import Setting
from destutter_helper.stores import render
from tests.support.faulty_kernel import Computer
from tests.support.helper_moves import keep

hostile = st.text() | st.sampled_from(
    ['10", RUN+="/tmp/x', "x\nRUN=1", "*", "a?c", "[ab]", "$(id)", 'a"b', "é", "a\\", "{x}"]
)
RULE = re.compile(
    r'ACTION=="(add\|)?change", SUBSYSTEM=="(block|nvme|scsi_host)", '
    r'(ENV\{NVME_EVENT\}=="connected", )?'
    r'(ENV\{DEVTYPE\}=="disk", ATTRS\{(wwid|serial)\}|ATTR\{serial\}|DEVPATH)=="[^"\n\[\]?]+"'
    r'(, ATTR\{[a-z0-9_/]+\}="[a-z0-9_.:,+-]+")+'
)


@given(
    st.sampled_from(["block.scheduler", "nvme.latency_tolerance", "sata.link_power"]),
    hostile,
    hostile,
    hostile,
)
@example("nvme.latency_tolerance", "0", "0", "0")
def test_a09_udev_rules_hold_nothing_but_assignments_of_ours(
    id_: str, wwid: str, serial: str, value: str
) -> None:
    """Names of drives and values out of a journal can never become RUN, PROGRAM or a pattern."""
    kind = {"b": "block", "n": "nvme", "s": "scsi_host"}[id_[0]]
    device = Device(kind, "sda", wwid, serial, "1")
    _, (_, text) = render([Setting(id_, value, device)])
    lines = [line for line in text.split("\n") if line and not line.startswith("#")]
    # A controller is asked twice: another number has to come first once it is ready.
    assert len(lines) in ((0, 2) if kind == "nvme" else (0, 1))
    for line in lines:
        assert RULE.fullmatch(line)


@given(hostile)
def test_a09_the_sysctl_file_holds_nothing_but_assignments_of_ours(value: str) -> None:
    """A value out of a damaged journal is left out rather than written."""
    (_, text), _ = render([Setting("vm.swappiness", value, None)])
    lines = [line for line in text.split("\n") if line and not line.startswith("#")]
    assert len(lines) <= 1
    for line in lines:
        assert re.fullmatch(r"vm\.swappiness = [a-z0-9_.:,+-]+", line)


def test_a_pair_is_written_with_its_own_id() -> None:
    """Of dirty_ratio and dirty_bytes only the active one is in the file."""
    computer = Computer()
    keep(computer.start(), "vm.dirty_bytes=268435456")
    lines = computer.sysctl.files[SYSCTL_FILE].decode().splitlines()
    assert lines[1:] == ["vm.dirty_bytes = 268435456"]


def test_one_rule_per_drive_in_the_order_that_the_kernel_needs() -> None:
    """The scheduler comes before what it would reset."""
    computer = Computer()
    engine = computer.start()
    keep(engine, "block.read_ahead_kb@sda=512", "block.nr_requests@sda=64")
    keep(engine, "block.scheduler@sda=kyber", "block.iosched.read_lat_nsec@sda=1000000")
    (rule,) = computer.udev.files[UDEV_FILE].decode().splitlines()[1:]
    names = re.findall(r"ATTR\{queue/([a-z_/]+)\}=", rule)
    assert names == ["scheduler", "nr_requests", "iosched/read_lat_nsec", "read_ahead_kb"]


def test_nvme_and_sata_rules_match_the_controller() -> None:
    """The NVMe controller by its serial number, the SATA host by its port."""
    computer = Computer()
    keep(
        computer.start(),
        "nvme.latency_tolerance@nvme0=0",
        "sata.link_power@host0=max_performance",
    )
    text = computer.udev.files[UDEV_FILE].decode()
    assert 'SUBSYSTEM=="nvme", ATTR{serial}=="S4EWNF0M", ATTR{power/pm_qos_latency' in text
    assert 'SUBSYSTEM=="scsi_host", DEVPATH=="*/0000:00:17.0/ata1/host*", ATTR{link_' in text


def test_a_conflict_is_not_set_again() -> None:
    """What somebody else changed and an undo left alone is in no file any more."""
    computer = Computer()
    engine = computer.start()
    keep(engine, "vm.swappiness=10", "vm.page-cluster=0")
    computer.kernel.set("/proc/sys/vm/swappiness", "37")
    engine.undo(UndoRequest(("vm.swappiness",)))
    assert "swappiness" not in computer.sysctl.files[SYSCTL_FILE].decode()


def test_settings_that_are_no_files_are_in_none() -> None:
    """Threads, holds and huge pages are the boot unit's business."""
    computer = Computer()
    keep(computer.start(), "softirq.policy=fifo:2", "cpu.dma_latency=20", "thp.enabled=never")
    assert not computer.sysctl.files
    assert not computer.udev.files
