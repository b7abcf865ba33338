# SPDX-License-Identifier: GPL-3.0-or-later
"""I/O schedulers on real NVMe, SATA and virtio queues, through the helper's own code."""

import os
import traceback
from pathlib import Path

from destutter_helper.api.devices import find_devices
from destutter_helper.api.names import ENDED_REVERTED
from destutter_helper.api.payload import Change, ChangeSet, PowerState, TunableState
from destutter_helper.api.tunables import BY_ID
from destutter_helper.confine import confine
from destutter_helper.engine import open_engine
from destutter_helper.kernel_tree import KernelTree
from destutter_helper.kernel_writer import KernelWriter
from destutter_helper.power_states import PowerStates

DISKS = ("nvme0n1", "sda", "vdc")
SCHEDULER = BY_ID["block.scheduler"]
MODULES = ("bfq", "kyber_iosched")


def scenario_each_scheduler_on_each_disk() -> None:
    """a confined helper sets every I/O scheduler on NVMe, SATA and virtio, modules included"""
    loaded = Path("/proc/modules").read_text()
    assert not [name for name in MODULES if f"{name} " in loaded], "a module is there already"
    child = os.fork()
    if child == 0:
        os._exit(_confined())
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0, "see the lines above"


def scenario_queue_values_come_back() -> None:
    """a reverted trial of bfq on three disks leaves every value of every queue as it was"""
    engine = open_engine(KernelTree(), log=lambda _line: None)
    try:
        engine.recover()
        before = _queue_values(engine.list_tunables())
        wanted = [Change("block.scheduler", "bfq", disk) for disk in DISKS]
        wanted += [Change("block.read_ahead_kb", "512", disk) for disk in DISKS]
        trial = engine.begin_trial(
            ChangeSet(tuple(wanted)), owner_uid=0, owner_name=":1.1", seconds=60
        )
        during = _queue_values(engine.list_tunables())
        assert all(during["block.scheduler", disk] == "bfq" for disk in DISKS)
        engine.revert(trial.txid, ENDED_REVERTED)
        after = _queue_values(engine.list_tunables())
    finally:
        engine.close()
    changed = {key: (before[key], after[key]) for key in before if before[key] != after[key]}
    assert not changed, f"not as before: {changed}"


def scenario_power_states_without_rights() -> None:
    """a confined helper asks a controller for its power states, or says what kernel it needs"""
    child = os.fork()
    if child == 0:
        os._exit(_told_confined())
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0, "see the lines above"


def scenario_absent_nvme_latency() -> None:
    """an NVMe drive without power states has no latency setting, and the helper says so"""
    kernel = KernelWriter(KernelTree("/"), {})
    (device,) = find_devices(kernel.tree, "nvme", "nvme0")
    tunable = BY_ID["nvme.latency_tolerance"]
    assert kernel.value(tunable, device) is None
    assert kernel.unavailable(tunable)


def _told_confined() -> int:
    """The exit status of a child that asks after it has given its rights away."""
    try:
        confine()
        (told,) = PowerStates(KernelTree("/")).read()
        major, minor = map(int, os.uname().release.split(".")[:2])
        # What QEMU's controller says of itself (hw/nvme/ctrl.c).
        states = (PowerState(16, 4, works=True),) if (major, minor) >= (6, 2) else ()
        assert told.states == states, told
        assert bool(told.unavailable) == (not states), told
    except Exception:  # noqa: BLE001 (told to the parent by the status)
        traceback.print_exc()
        return 1
    return 0


def _confined() -> int:
    """The exit status of a child that does it without any right to start programs."""
    try:
        confine()
        _set_every_scheduler()
    except Exception:  # noqa: BLE001 (told to the parent by the status)
        traceback.print_exc()
        return 1
    return 0


def _set_every_scheduler() -> None:
    kernel = KernelWriter(KernelTree("/"), {})
    for name in DISKS:
        (disk,) = find_devices(kernel.tree, "block", name)
        original = kernel.value(SCHEDULER, disk)
        assert original is not None, name
        for scheduler in (*SCHEDULER.choices, original):
            kernel.write(SCHEDULER, disk, scheduler)
            assert kernel.value(SCHEDULER, disk) == scheduler, (name, scheduler)


def _queue_values(tunables: tuple[TunableState, ...]) -> dict[tuple[str, str], str | None]:
    return {
        (tunable.id, tunable.device): tunable.current
        for tunable in tunables
        if tunable.id.startswith("block.") and tunable.device in DISKS
    }
