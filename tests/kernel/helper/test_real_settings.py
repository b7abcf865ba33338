# SPDX-License-Identifier: GPL-3.0-or-later
"""Trials on the running kernel: every setting there and back."""

import errno
import os
from pathlib import Path

import pytest

from destutter_helper.api.devices import find_devices
from destutter_helper.api.names import HelperError
from destutter_helper.api.payload import UndoRequest
from destutter_helper.api.safe_values import safe_range
from destutter_helper.api.tunables import BY_ID, TUNABLES, is_kernel_value
from tests.support.helper_moves import begin, keep, outcomes
from tests.support.real_kernel import Helper, LoopDevice, RealKernel, held_dma_latency_us

VM = Path("/proc/sys/vm")
THP = Path("/sys/kernel/mm/transparent_hugepage")
GLOBAL = [
    tunable.id
    for tunable in TUNABLES
    if tunable.path.startswith(("/proc/", "/sys/kernel/")) and not tunable.device_kind
]


def _another_value(kernel: RealKernel, id_: str) -> str | None:
    """A safe value that differs from the present one; None when the kernel has no such file."""
    tunable = BY_ID[id_]
    current = kernel.writer.value(tunable)
    if current is None:
        return None
    if tunable.choices:
        return next(choice for choice in tunable.choices if choice != current)
    limits = safe_range(tunable, kernel.writer.memory_kib())
    assert limits is not None
    return str(limits[0] if str(limits[0]) != current else limits[0] + 1)


@pytest.mark.parametrize("id_", GLOBAL)
def test_each_setting_goes_there_and_back(kernel: RealKernel, state: Path, id_: str) -> None:
    """A trial changes it, Verify finds it, the revert restores it."""
    value = _another_value(kernel, id_)
    if value is None:
        assert not os.path.exists(BY_ID[id_].path)
        return
    before = kernel.dump()
    with Helper(state) as engine:
        txid = begin(engine, f"{id_}={value}")
        assert kernel.dump() != before
        assert outcomes(engine.verify())[id_] == "ok"
        assert outcomes(engine.revert(txid, "reverted"))[id_] == "restored"
    assert kernel.dump() == before


@pytest.mark.parametrize(
    ("id_", "value"),
    [
        ("vm.swappiness", "201"),
        ("vm.page-cluster", "32"),
        ("vm.watermark_scale_factor", "0"),
        ("vm.watermark_scale_factor", "3001"),
        ("vm.dirty_ratio", "101"),
        ("vm.dirty_background_ratio", "101"),
        ("vm.compaction_proactiveness", "101"),
        ("vm.dirty_bytes", "0"),
    ],
)
def test_the_kernel_refuses_what_the_registry_excludes(
    kernel: RealKernel, id_: str, value: str
) -> None:
    """The kernel's own limits are those of the registry."""
    with pytest.raises(OSError, match="Invalid argument") as caught:
        kernel.tree.write(BY_ID[id_].path, value.encode())
    assert caught.value.errno == errno.EINVAL
    assert not is_kernel_value(BY_ID[id_], value)


def test_f09_the_kernel_takes_a_part_and_that_is_an_error(kernel: RealKernel) -> None:
    """Of "37 junk" the kernel takes three bytes and the 37: the length is checked."""
    before = (VM / "swappiness").read_text()
    with pytest.raises(OSError, match="only a part"):
        kernel.tree.write("/proc/sys/vm/swappiness", b"37 junk")
    assert (VM / "swappiness").read_text().strip() == "37"
    (VM / "swappiness").write_text(before)


def test_f09_the_kernel_makes_none_of_an_unknown_scheduler(
    kernel: RealKernel, loop: LoopDevice, state: Path
) -> None:
    """A name that the kernel does not know may mean "none" to it: it never gets there."""
    with Helper(state) as engine, pytest.raises(HelperError) as caught:
        begin(engine, f"block.scheduler@{loop.name}=nonesuch")
    assert caught.value.name == "OutOfRange"


def test_a_whole_set_goes_there_and_back(
    kernel: RealKernel, loop: LoopDevice, state: Path
) -> None:
    """Memory, dirty limits, huge pages, a queue, threads and a held descriptor in one set."""
    before = kernel.dump()
    with Helper(state) as engine:
        txid = begin(
            engine,
            "vm.swappiness=11",
            "vm.dirty_bytes=268435456",
            "vm.dirty_background_bytes=67108864",
            "thp.enabled=never",
            f"block.scheduler@{loop.name}=mq-deadline",
            f"block.nr_requests@{loop.name}=64",
            f"block.iosched.async_depth@{loop.name}=20",
            f"block.wbt_lat_usec@{loop.name}=1000",
            f"block.read_ahead_kb@{loop.name}=512",
            "softirq.policy=fifo:2",
            "cpu.dma_latency=150",
        )
        assert loop.get("iosched/async_depth") == "20"
        assert (VM / "dirty_ratio").read_text().strip() == "0"
        assert held_dma_latency_us() <= 150
        results = engine.revert(txid, "reverted")
        assert {one.outcome for one in results} <= {"restored", "already"}
    assert kernel.dump() == before


def test_kept_values_outlive_the_helper_and_are_undone_by_the_next(
    kernel: RealKernel, state: Path
) -> None:
    """Keep until the restart, a new helper, undo: the origin is back."""
    before = kernel.dump()
    with Helper(state) as engine:
        keep(engine, "vm.swappiness=11", "vm.dirty_bytes=268435456")
    during = kernel.dump()
    with Helper(state) as engine:
        engine.recover()
        assert kernel.dump() == during
        engine.undo(UndoRequest())
    assert kernel.dump() == before


def test_huge_pages_do_not_cost_the_users_reserve(kernel: RealKernel, state: Path) -> None:
    """The kernel rewrites min_free_kbytes at a change of huge pages; undo brings it back."""
    own = str(int((VM / "min_free_kbytes").read_text()) // 2)
    kernel.tree.write("/proc/sys/vm/min_free_kbytes", own.encode())
    before = kernel.dump()
    try:
        with Helper(state) as engine:
            txid = begin(engine, "thp.enabled=always")
            assert (VM / "min_free_kbytes").read_text().strip() != own
            engine.revert(txid, "reverted")
        assert kernel.dump() == before
    finally:
        kernel.tree.write("/proc/sys/vm/min_free_kbytes", str(int(own) * 2).encode())


def test_f07_a_refused_value_takes_the_set_back(
    kernel: RealKernel, loop: LoopDevice, state: Path
) -> None:
    """More requests than the device has tags: EINVAL, and everything is as before."""
    before = kernel.dump()
    with Helper(state) as engine, pytest.raises(HelperError) as caught:
        begin(
            engine,
            "vm.swappiness=11",
            f"block.scheduler@{loop.name}=none",
            f"block.nr_requests@{loop.name}=4096",
        )
    assert (caught.value.name, caught.value.id) == ("Refused", "block.nr_requests")
    assert kernel.dump() == before


def test_f10_a_foreign_value_is_left_alone(kernel: RealKernel, state: Path) -> None:
    """Somebody writes another value during a trial: it stays, is reported, and force restores."""
    before = kernel.dump()
    with Helper(state) as engine:
        txid = begin(engine, "vm.swappiness=11", "vm.dirty_bytes=268435456")
        (VM / "swappiness").write_text("37")
        results = outcomes(engine.revert(txid, "reverted"))
        assert results == {"vm.swappiness": "foreign", "vm.dirty_bytes": "restored"}
        assert (VM / "swappiness").read_text().strip() == "37"
        engine.undo(UndoRequest(force=("vm.swappiness",)))
    assert kernel.dump() == before


def test_f29_a_held_descriptor_ends_with_its_process(kernel: RealKernel, state: Path) -> None:
    """The kernel releases /dev/cpu_dma_latency of a killed helper; the next one holds it again."""
    free = held_dma_latency_us()
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        helper = Helper(state)
        keep(helper.engine, "cpu.dma_latency=150")
        os.write(writer, b"%d" % held_dma_latency_us())
        os.kill(os.getpid(), 9)
    os.close(writer)
    assert int(os.read(reader, 20)) <= 150
    os.close(reader)
    os.waitpid(child, 0)
    assert held_dma_latency_us() == free
    with Helper(state) as engine:
        engine.recover()
        assert held_dma_latency_us() <= 150
        engine.undo(UndoRequest())
        assert held_dma_latency_us() == free


def test_f32_each_ksoftirqd_gets_its_own_policy_back(kernel: RealKernel, state: Path) -> None:
    """Threads that were scheduled differently come back as they were."""
    (cpu,) = find_devices(kernel.tree, "cpu", "cpu0")
    policy = BY_ID["softirq.policy"]
    kernel.writer.write(policy, cpu, "rr:3")
    before = kernel.dump()
    try:
        with Helper(state) as engine:
            txid = begin(engine, "softirq.policy=fifo:2")
            assert kernel.writer.value(policy, cpu) == "fifo:2"
            engine.revert(txid, "reverted")
        assert kernel.dump() == before
    finally:
        kernel.writer.write(policy, cpu, "other")


def test_the_list_of_settings_is_complete_here(kernel: RealKernel, state: Path) -> None:
    """Every setting of the registry is on this computer, or the list says why not."""
    with Helper(state) as engine:
        for line in engine.list_tunables():
            assert (line.current is None) == bool(line.unavailable), line
