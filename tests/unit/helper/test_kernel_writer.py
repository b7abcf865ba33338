# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading and writing single settings: codecs, refusals, and what is never opened."""

import errno
import os
import struct
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from destutter_helper.api.devices import Device, find_devices, is_present, is_same
from destutter_helper.api.names import HelperError
from destutter_helper.api.tunables import BY_ID, NOT_HELD, is_accepted
from destutter_helper.kernel_tree import KernelTree
from destutter_helper.kernel_writer import DmaLatencyHold, KernelWriter
from tests.support import helper_tree
from tests.support.faulty_kernel import SimulatedKernel, Steps


@pytest.fixture
def tree(tmp_path: Path) -> Iterator[KernelTree]:
    """Raw access to a scratch tree."""
    opened = helper_tree.ScratchTree(str(helper_tree.build(tmp_path)))
    yield opened
    opened.close()


@pytest.fixture
def writer(tree: KernelTree) -> KernelWriter:
    """Tunables of the scratch tree."""
    return KernelWriter(tree, {"cpu.dma_latency": DmaLatencyHold(tree)})


@pytest.fixture
def kernel() -> SimulatedKernel:
    """The simulated kernel."""
    return SimulatedKernel(Steps())


@pytest.fixture
def simulated(kernel: SimulatedKernel) -> KernelWriter:
    """Tunables of the simulated kernel."""
    return KernelWriter(kernel, {})


def _sda(writer: KernelWriter) -> Device:
    (device,) = find_devices(writer.tree, "block", "sda")
    return device


# -- raw access -----------------------------------------------------------------------------


def test_a_shorter_text_replaces_a_longer_one(tree: KernelTree) -> None:
    """In a scratch tree a file holds what was written last, as a kernel file would."""
    tree.write("/proc/sys/vm/swappiness", b"5")
    assert tree.read("/proc/sys/vm/swappiness") == b"5"


def test_a_link_in_place_of_a_file_is_not_followed(tree: KernelTree, tmp_path: Path) -> None:
    """A symbolic link where the registry names a file is refused, and its target untouched."""
    secret = tmp_path / "shadow"
    secret.write_text("secret")
    path = tmp_path / "proc/sys/vm/swappiness"
    path.unlink()
    path.symlink_to(secret)
    with pytest.raises(OSError, match="symbolic links"):
        tree.write("/proc/sys/vm/swappiness", b"5")
    assert secret.read_text() == "secret"


def test_a_link_in_place_of_a_directory_is_not_followed(tree: KernelTree, tmp_path: Path) -> None:
    """Only a device's own link is followed, no other directory of the path."""
    (tmp_path / "proc/sys/vm").rename(tmp_path / "elsewhere")
    (tmp_path / "proc/sys/vm").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match="Not a directory"):
        tree.read("/proc/sys/vm/swappiness")


@pytest.mark.parametrize("path", ["/proc/sys/vm/../kernel/core_pattern", "/proc//sys/vm/x"])
def test_paths_that_climb_are_refused(tree: KernelTree, path: str) -> None:
    """Nothing outside the registry's form is opened, whoever asks."""
    with pytest.raises(OSError, match="registry"):
        tree.read(path)


def test_what_is_mounted_over_a_kernel_file_is_refused(
    tree: KernelTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file on another file system than /proc or /sys is not the kernel's."""
    of_proc = os.stat_result((0, 0, -1, 0, 0, 0, 0, 0, 0, 0))
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(os, "stat", lambda name, **_where: {"proc": of_proc}[name])
        with pytest.raises(OSError, match="mounted over it") as caught:
            tree.read("/proc/sys/vm/swappiness")
    assert caught.value.errno == errno.EXDEV


def test_a_short_write_is_an_error(tree: KernelTree, monkeypatch: pytest.MonkeyPatch) -> None:
    """A kernel that takes only a part of the text has not taken the value."""
    monkeypatch.setattr(os, "write", lambda _fd, data: len(data) - 1)
    with pytest.raises(OSError, match="only a part"):
        tree.write("/proc/sys/vm/swappiness", b"10")


# -- values ---------------------------------------------------------------------------------


def test_a_choice_is_the_word_in_brackets(writer: KernelWriter) -> None:
    """The active one of the choices is the value."""
    assert writer.value(BY_ID["thp.enabled"]) == "madvise"
    assert writer.value(BY_ID["block.scheduler"], _sda(writer)) == "none"


def test_the_state_of_a_pair_names_its_active_member(writer: KernelWriter) -> None:
    """Both members have one state, and writing it back activates the right one."""
    pair = BY_ID["vm.dirty_ratio"].cell
    assert pair == BY_ID["vm.dirty_bytes"].cell
    assert writer.state(pair, None) == "vm.dirty_ratio=20"
    writer.write_state(pair, None, "vm.dirty_bytes=67108864")
    assert writer.state(pair, None) == "vm.dirty_bytes=67108864"
    writer.write_state(pair, None, "vm.dirty_ratio=20")
    assert writer.state(pair, None) == "vm.dirty_ratio=20"


def test_a_pair_of_zeros_can_be_brought_back(
    simulated: KernelWriter, kernel: SimulatedKernel
) -> None:
    """Both members 0 is an odd state, but one that somebody may have had."""
    pair = BY_ID["vm.dirty_ratio"].cell
    kernel.set("/proc/sys/vm/dirty_ratio", "0")
    assert simulated.state(pair, None) == "vm.dirty_ratio=0"
    simulated.write_state(pair, None, "vm.dirty_bytes=67108864")
    simulated.write_state(pair, None, "vm.dirty_ratio=0")
    assert (kernel.vm["dirty_ratio"], kernel.vm["dirty_bytes"]) == (0, 0)


def test_the_state_of_a_queue_is_all_that_a_scheduler_moves(simulated: KernelWriter) -> None:
    """A queue is written as a whole, in the kernel's order, without what is absent."""
    device = _sda(simulated)
    state = simulated.state("queue", device)
    assert state.startswith("block.scheduler=mq-deadline block.nr_requests=64 ")
    assert "bfq" not in state
    simulated.write(BY_ID["block.scheduler"], device, "bfq")
    simulated.write_state("queue", device, state)
    assert simulated.state("queue", device) == state


def test_a_state_with_a_setting_of_another_cell_is_refused(
    simulated: KernelWriter, kernel: SimulatedKernel
) -> None:
    """A state out of a damaged journal writes nothing but its own cell."""
    with pytest.raises(HelperError):
        simulated.write_state("vm.swappiness", None, "vm.page-cluster=0")
    assert not kernel.writes


def test_absent_settings_read_as_none(writer: KernelWriter) -> None:
    """A file that this kernel does not have is absent, not 0 and not an error."""
    assert writer.value(BY_ID["kernel.split_lock_mitigate"]) is None
    assert writer.value(BY_ID["block.iosched.low_latency"], _sda(writer)) is None


def test_a_queue_without_throttling_has_no_such_setting(
    simulated: KernelWriter, kernel: SimulatedKernel
) -> None:
    """wbt_lat_usec that answers EINVAL is absent."""
    kernel.queues["sda"].wbt = None
    assert simulated.value(BY_ID["block.wbt_lat_usec"], _sda(simulated)) is None


def test_a_value_that_is_no_number_is_an_error(writer: KernelWriter, tmp_path: Path) -> None:
    """What cannot be understood is never taken for a value."""
    (tmp_path / "proc/sys/vm/swappiness").write_text("sixty\n")
    with pytest.raises(HelperError, match="is not understood") as caught:
        writer.value(BY_ID["vm.swappiness"])
    assert caught.value.name == "Refused"


@pytest.mark.parametrize(
    ("id_", "state"),
    [
        ("vm.swappiness", "60 junk"),
        ("vm.swappiness", "201"),
        ("vm.swappiness", "-1"),
        ("vm.swappiness", "010"),
        ("vm.swappiness", ""),
        ("vm.swappiness", "1" * 30),
        ("vm.dirty_bytes", "0"),
        ("vm.dirty_bytes", "67108864 1"),
        ("block.scheduler", "nonesuch"),
        ("thp.enabled", "[never]"),
        ("nvme.latency_tolerance", "never"),
        ("softirq.policy", "fifo:100"),
        ("softirq.policy", "deadline:1"),
        ("cpu.dma_latency", "2000000001"),
        ("cpu.power_profile", "turbo"),
    ],
)
def test_f09_nothing_is_written_that_the_kernel_would_take_in_part(
    simulated: KernelWriter, kernel: SimulatedKernel, id_: str, state: str
) -> None:
    """The kernel accepts "60 junk" and "nonesuch"; they never reach it, from nowhere."""
    with pytest.raises(HelperError) as caught:
        simulated.write(BY_ID[id_], None, state)
    assert caught.value.name == "OutOfRange"
    assert not kernel.writes


def test_f08_the_value_read_back_is_the_result(simulated: KernelWriter) -> None:
    """The kernel rounds 77 ms to 80 and 5 KiB to 4: what is read back counts."""
    device = _sda(simulated)
    for id_, wanted, made in (("iosched.read_expire", "77", "80"), ("read_ahead_kb", "5", "4")):
        simulated.write(BY_ID[f"block.{id_}"], device, wanted)
        assert simulated.value(BY_ID[f"block.{id_}"], device) == made


def test_rounding_is_the_same_value_and_clamping_is_not() -> None:
    """Jiffies may move a time by 10 ms; a request count has no tolerance."""
    assert is_accepted(BY_ID["block.iosched.read_expire"], "77", "80")
    assert not is_accepted(BY_ID["block.iosched.read_expire"], "77", "90")
    assert not is_accepted(BY_ID["block.nr_requests"], "1", "4")
    assert not is_accepted(BY_ID["vm.swappiness"], None, "4")
    assert is_accepted(BY_ID["vm.swappiness"], None, None)


def test_an_invisible_scheduler_is_written_all_the_same(tmp_path: Path, tree: KernelTree) -> None:
    """The list shows loaded modules only, and the write loads the one that is asked for."""
    path = tmp_path / "sys/devices/virtual/block/sda/queue/scheduler"
    path.write_text("[none] mq-deadline\n")
    writer = KernelWriter(tree, {})
    writer.write(BY_ID["block.scheduler"], _sda(writer), "bfq")
    assert writer.value(BY_ID["block.scheduler"], _sda(writer)) == "bfq"


# -- devices --------------------------------------------------------------------------------


def test_a_device_has_the_identity_of_its_hardware(writer: KernelWriter) -> None:
    """wwid or serial number recognise it in another boot, its kernel object in this one."""
    device = _sda(writer)
    assert device.wwid == "naa.5002538e40a1b2c3"
    assert device.is_recognisable
    assert device.instance.isdecimal()


@pytest.mark.parametrize("name", ["sdb", "..", "../sda", "sda/queue", "sda\n", "%s"])
def test_only_names_of_the_kernels_own_list_are_devices(writer: KernelWriter, name: str) -> None:
    """A name that the kernel does not list is no device, whatever it looks like."""
    assert find_devices(writer.tree, "block", name) == []


def test_a_drive_without_medium_is_not_offered(writer: KernelWriter, tmp_path: Path) -> None:
    """An unused loop device or an empty card reader is no drive to tune."""
    (tmp_path / "sys/devices/virtual/block/sda/size").write_text("0\n")
    assert find_devices(writer.tree, "block", "sda") == []
    assert find_devices(writer.tree, "block") == []


def test_hidden_paths_of_a_multipath_drive_are_not_offered(
    writer: KernelWriter, tmp_path: Path
) -> None:
    """nvme0c0n1 has no queue of its own."""
    (tmp_path / "sys/devices/virtual/block/sda/hidden").write_text("1\n")
    assert find_devices(writer.tree, "block") == []


def test_a_sata_host_is_recognised_by_its_port(simulated: KernelWriter) -> None:
    """Host numbers change from boot to boot; the controller and its port do not."""
    (host,) = find_devices(simulated.tree, "scsi_host")
    assert (host.name, host.serial) == ("host0", "0000:00:17.0/ata1")


def test_blanks_around_a_serial_number_are_not_who_it_is(
    simulated: KernelWriter,
) -> None:
    """Those before it stay for udev's sake; an older journal does not have them."""
    (found,) = find_devices(simulated.tree, "nvme")
    old = replace(found, serial="S4EWNF0M")
    new = replace(found, serial="            S4EWNF0M")
    assert old.is_same_hardware(new)
    assert is_same(old, new)
    assert is_present(simulated.tree, old)
    assert is_present(simulated.tree, new)
    assert not is_present(simulated.tree, replace(found, serial="OTHER"))


def test_only_kernel_threads_are_ksoftirqd(simulated: KernelWriter) -> None:
    """A user's process that calls itself ksoftirqd/7 is none."""
    assert [device.name for device in find_devices(simulated.tree, "cpu")] == ["cpu0", "cpu1"]
    assert find_devices(simulated.tree, "cpu", "cpu7") == []


def test_a_thread_id_that_was_used_again_is_not_trusted(
    simulated: KernelWriter, kernel: SimulatedKernel
) -> None:
    """When ksoftirqd of a CPU has another pid, the remembered one is looked up anew."""
    (first,) = find_devices(simulated.tree, "cpu", "cpu1")
    kernel.policies[22 + 1] = kernel.policies.pop(22)
    assert find_devices(simulated.tree, "cpu", "cpu1") == []
    assert not is_present(simulated.tree, first)


def test_scheduling_of_a_thread_is_read_and_written(simulated: KernelWriter) -> None:
    """softirq.policy speaks of policy and priority."""
    (device,) = find_devices(simulated.tree, "cpu", "cpu0")
    policy = BY_ID["softirq.policy"]
    assert simulated.value(policy, device) == "other"
    for value in ("fifo:5", "rr:1", "other"):
        simulated.write(policy, device, value)
        assert simulated.value(policy, device) == value


# -- holds ----------------------------------------------------------------------------------


def test_dma_latency_is_written_as_four_bytes(writer: KernelWriter, tmp_path: Path) -> None:
    """The kernel takes any other length for hexadecimal text."""
    latency = BY_ID["cpu.dma_latency"]
    assert writer.value(latency) == NOT_HELD
    writer.write(latency, None, "20")
    assert writer.value(latency) == "20"
    assert writer.is_holding()
    assert (tmp_path / "dev/cpu_dma_latency").read_bytes() == struct.pack("i", 20)
    writer.write(latency, None, NOT_HELD)
    assert writer.value(latency) == NOT_HELD


def test_a_hold_without_its_service_is_absent(writer: KernelWriter) -> None:
    """Without power-profiles-daemon there is no profile to hold, and the reason is said."""
    assert writer.value(BY_ID["cpu.power_profile"]) is None
    assert "cannot hold" in str(writer.unavailable(BY_ID["cpu.power_profile"]))


def test_a_missing_dma_latency_device_is_absent(tree: KernelTree, tmp_path: Path) -> None:
    """A kernel without the device, or a sandbox without it, has no such setting."""
    (tmp_path / "dev/cpu_dma_latency").unlink()
    writer = KernelWriter(tree, {"cpu.dma_latency": DmaLatencyHold(tree)})
    assert writer.value(BY_ID["cpu.dma_latency"]) is None
    assert "No such file" in str(writer.unavailable(BY_ID["cpu.dma_latency"]))
