# SPDX-License-Identifier: GPL-3.0-or-later
"""Present values of tunables, from trees with everything that kernels do."""

import struct
from pathlib import Path

import pytest

from destutter.core.kernel_files import KernelFileDeniedError, KernelFiles
from destutter.core.sandbox import INFO
from destutter.tuning.current import CurrentValue, as_mapping, read_current
from destutter.tuning.defaults import KERNEL, UNKNOWN, set_by
from destutter_helper.api.tunables import BY_ID, TUNABLES
from tests.support.flatpak_sandbox import flatpak_info

KTHREAD = "18 (ksoftirqd/{cpu}) S 2 0 0 0 -1 2129984 {zeros} {priority} {policy} 0 0"


def _write(root: Path, path: str, text: str | bytes) -> None:
    file = root / path.removeprefix("/")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text if isinstance(text, bytes) else text.encode())


@pytest.fixture
def root(tmp_path):
    """A computer with one NVMe drive under mq-deadline and an empty card reader."""
    vm = tmp_path / "proc/sys/vm"
    for name, value in {
        "swappiness": "60",
        "dirty_ratio": "0",
        "dirty_bytes": "268435456",
        "dirty_background_ratio": "10",
        "dirty_background_bytes": "0",
        "page-cluster": "0",
    }.items():
        _write(tmp_path, f"{vm}/{name}".removeprefix(str(tmp_path)), value + "\n")
    thp = "/sys/kernel/mm/transparent_hugepage"
    _write(tmp_path, f"{thp}/enabled", "always [madvise] never\n")
    for name, size in (("nvme0n1", "1000"), ("sdb", "0")):
        _write(tmp_path, f"/sys/block/{name}/size", size + "\n")
        _write(tmp_path, f"/sys/block/{name}/queue/read_ahead_kb", "128\n")
        _write(tmp_path, f"/sys/block/{name}/queue/scheduler", "none [mq-deadline] kyber\n")
        _write(tmp_path, f"/sys/block/{name}/queue/iosched/read_expire", "500\n")
    _write(tmp_path, "/sys/class/nvme/nvme0/serial", "S1\n")
    _write(tmp_path, "/sys/class/nvme/nvme0/power/pm_qos_latency_tolerance_us", "auto\n")
    for pid, (cpu, priority, policy) in {18: (0, 0, 0), 25: (1, 12, 1)}.items():
        zeros = " ".join(["0"] * 30)
        line = KTHREAD.format(cpu=cpu, zeros=zeros, priority=priority, policy=policy)
        _write(tmp_path, f"/proc/{pid}/stat", line + "\n")
    return tmp_path


def _values(root):
    return {(each.id, each.device): each for each in read_current(KernelFiles(root))}


def test_values_are_written_as_the_helper_writes_them(root):
    """Numbers, the chosen one of several words, scheduling policies and latencies."""
    values = _values(root)
    assert values["vm.swappiness", ""].value == "60"
    assert values["thp.enabled", ""].value == "madvise"
    assert values["block.scheduler", "nvme0n1"].value == "mq-deadline"
    assert values["block.iosched.read_expire", "nvme0n1"].value == "500"
    assert values["nvme.latency_tolerance", "nvme0"].value == "auto"
    assert values["softirq.policy", "cpu0"].value == "other"
    assert values["softirq.policy", "cpu1"].value == "fifo:12"


def test_what_is_not_there_says_why(root):
    """Absent is None with a reason, never 0."""
    values = _values(root)
    assert values["vm.zone_reclaim_mode", ""].value is None
    assert str(values["vm.zone_reclaim_mode", ""].why) == "this kernel has no such setting"
    assert "kyber" in str(values["block.iosched.read_lat_nsec", "nvme0n1"].why)
    assert str(values["block.nr_requests", "nvme0n1"].why) == "this device has no such setting"
    assert "6.2" in str(values["kernel.split_lock_mitigate", ""].why)
    assert str(values["cpu.power_profile", ""].why) == "only the helper knows"


def test_a_drive_without_a_medium_is_left_out(root):
    """An empty card reader has settings and nobody to profit from them."""
    assert not any(device == "sdb" for _, device in _values(root))


def test_of_a_pair_only_one_counts(root):
    """dirty_ratio is 0 because dirty_bytes is set, and background_bytes the other way round."""
    values = _values(root)
    assert not values["vm.dirty_ratio", ""].is_active
    assert values["vm.dirty_bytes", ""].is_active
    assert values["vm.dirty_background_ratio", ""].is_active
    assert not values["vm.dirty_background_bytes", ""].is_active
    mapping = as_mapping(read_current(KernelFiles(root)))
    assert mapping["vm.dirty_bytes"] == "268435456"
    assert mapping["block.scheduler@nvme0n1"] == "mq-deadline"
    assert "vm.dirty_ratio" not in mapping
    assert "vm.zone_reclaim_mode" not in mapping


@pytest.mark.parametrize("content", [b"", b"sixty\n", b"6 0\n", b"\xff\xfe\n"])
def test_a_broken_file_costs_only_its_own_line(root, content):
    """Empty, wrong or binary content is named with its path; the others are still read."""
    _write(root, "/proc/sys/vm/swappiness", content)
    values = _values(root)
    assert values["vm.swappiness", ""].value is None
    assert str(values["vm.swappiness", ""].why).startswith("/proc/sys/vm/swappiness: ")
    assert values["vm.page-cluster", ""].value == "0"


def test_an_empty_tree_has_no_values_and_no_errors(tmp_path):
    """Every tunable without a device is listed as absent."""
    values = read_current(KernelFiles(tmp_path))
    assert {each.value for each in values} == {None}
    assert len(values) == sum(not tunable.device_kind for tunable in TUNABLES)


def test_a_broken_process_is_no_kernel_thread(root):
    """A stat line that is cut off, or of a program with such a name, is passed over."""
    _write(root, "/proc/30/stat", "30 (ksoftirqd/7) S 1")
    zeros = " ".join(["0"] * 40)
    _write(root, "/proc/31/stat", f"31 (ksoftirqd/8) S 1 0 0 0 -1 4194304 {zeros}")
    cpus = {device for id_, device in _values(root) if id_ == "softirq.policy"}
    assert cpus == {"cpu0", "cpu1"}


@pytest.mark.parametrize(("held_us", "value"), [(2_000_000_000, "none"), (20, "20"), (0, "0")])
def test_the_wake_up_limit_is_what_somebody_holds(tmp_path, monkeypatch, held_us, value):
    """Two thousand seconds is the kernel's word for no limit at all."""
    _write(tmp_path, "/dev/cpu_dma_latency", struct.pack("<i", held_us))
    monkeypatch.setattr(KernelFiles, "is_live", True)
    files = KernelFiles(tmp_path)
    monkeypatch.setattr(files, "locate", lambda path: str(tmp_path) + path)
    found = read_current(files, [BY_ID["cpu.dma_latency"]])
    assert [each.value for each in found] == [value]


def test_a_file_that_nobody_may_read_says_so(root, monkeypatch):
    """Denied is not absent."""

    def deny(_files, path):
        raise KernelFileDeniedError(path, None, "Permission denied")

    monkeypatch.setattr(KernelFiles, "read_text", deny)
    found = read_current(KernelFiles(root), [BY_ID["vm.swappiness"]])
    assert str(found[0].why) == "only the administrator may read /proc/sys/vm/swappiness"


def _value(id_, value):
    return CurrentValue(id_, "", "", "", value)


def test_a_value_alone_only_tells_the_kernels_own():
    """60 is the kernel's swappiness; 10 was set by somebody, and the value does not say whom."""
    assert set_by(_value("vm.swappiness", "60")) == KERNEL
    assert set_by(_value("vm.swappiness", "10")) == UNKNOWN
    assert set_by(_value("block.scheduler", "none")) == UNKNOWN
    assert set_by(_value("vm.swappiness", None)) == UNKNOWN


def test_in_a_flatpak_what_is_hidden_is_not_said_to_be_missing(tmp_path):
    """/sys/kernel and other programs, the kernel's threads among them; the rest is as ever."""
    _write(tmp_path, INFO, flatpak_info())
    _write(tmp_path, "/proc/sys/vm/swappiness", "60\n")
    found = {each.id: each for each in read_current(KernelFiles(tmp_path))}
    assert found["vm.swappiness"].value == "60"
    for hidden in ("thp.enabled", "cpu.dma_latency", "softirq.policy"):
        assert found[hidden].value is None
        assert str(found[hidden].why) == "the Flatpak's sandbox hides it"
    assert str(found["vm.page-cluster"].why) == "this kernel has no such setting"
