# SPDX-License-Identifier: GPL-3.0-or-later
"""From a client's change set to what may be written: everything is checked before anything is."""

from dataclasses import dataclass

from destutter_helper.api.checks import check_change_set
from destutter_helper.api.names import HelperError
from destutter_helper.api.payload import Change, ChangeSet, Plan, PlanStep, summary
from destutter_helper.api.tunables import BY_ID, Tunable, is_kernel_value
from destutter_helper.device import Device
from destutter_helper.kernel_writer import KernelWriter, entry_error


@dataclass(frozen=True, slots=True)
class Target:
    """One checked change: the value that a tunable on a device shall have."""

    tunable: Tunable
    device: Device | None
    value: str


def resolve(kernel: KernelWriter, change_set: ChangeSet) -> list[Target]:
    """The targets of a change set, in the order in which they are written.

    HelperError InvalidArgument, UnknownKey, OutOfRange (see ``api.checks``), DeviceGone or
    Unsupported. How many there may be is a question of who asks.
    """
    check_change_set(change_set, kernel.memory_kib())
    targets = [
        Target(BY_ID[change.id], device, change.value)
        for change in change_set.changes
        for device in _devices(kernel, change)
    ]
    for target in targets:
        _check_possible(kernel, target, targets)
    return sorted(targets, key=lambda target: target.tunable.rank)


def _devices(kernel: KernelWriter, change: Change) -> list[Device | None]:
    kind = BY_ID[change.id].device_kind
    if not kind:
        return [None]
    if not change.device:
        return list(kernel.devices(kind))
    device = kernel.device(kind, change.device)
    if device is None:
        reason = "there is no such device"
        raise HelperError("DeviceGone", reason, id=change.id, device=change.device)
    return [device]


def _check_possible(kernel: KernelWriter, target: Target, targets: list[Target]) -> None:
    tunable, device = target.tunable, target.device
    current = kernel.value(tunable, device)
    reason = ""
    if tunable.device_kind == "block":
        scheduler = _scheduler(kernel, device, targets)
        if tunable.id == "block.wbt_lat_usec" and scheduler == "bfq":
            reason = "bfq switches write-back throttling off by itself"
        elif tunable.scheduler == scheduler and current is None:
            return  # it appears with the scheduler of this set
        elif tunable.scheduler not in {"", scheduler}:
            current = None
    if current is None:
        reason = reason or kernel.unavailable(tunable, device)
    elif not is_kernel_value(tunable, current) and not (tunable.twin and current == "0"):
        reason = f"its value of now, {ascii(current)[:40]}, could not be written back"
    if reason:
        raise entry_error("Unsupported", reason, tunable, device)
    kernel.check_writable(tunable, device)


def _scheduler(kernel: KernelWriter, device: Device | None, targets: list[Target]) -> str | None:
    """The I/O scheduler that the drive will have."""
    scheduler = BY_ID["block.scheduler"]
    wanted = (one.value for one in targets if (one.tunable, one.device) == (scheduler, device))
    return next(wanted, kernel.value(scheduler, device))


def plan(kernel: KernelWriter, targets: list[Target], foreign: list[str]) -> Plan:
    """What writing the targets means, in words; ``foreign`` are ids that others changed since."""
    steps = tuple(
        PlanStep(
            one.tunable.id,
            one.device.name if one.device else "",
            kernel.value(one.tunable, one.device),
            one.value,
        )
        for one in targets
    )
    tunables = tuple(dict.fromkeys(one.tunable for one in targets))
    moved = {one: ", ".join(_moved(kernel, one, targets)) for one in tunables}
    notes = [
        f"{one.id} is also set in /etc/sysctl.conf, which some tools apply again"
        for one in tunables
        if kernel.administrator_sets(one)
    ]
    notes += [
        f"somebody else changed {id_} since; its value of now counts as the original"
        for id_ in dict.fromkeys(foreign)
    ]
    return Plan(
        steps=steps,
        side_effects=tuple(
            f"{one.id} also moves {ids}; they are recorded and restored"
            for one, ids in moved.items()
            if ids
        ),
        residue=tuple(one.residue for one in tunables if one.residue),
        notes=tuple(notes),
        summary=summary(steps),
    )


def _moved(kernel: KernelWriter, tunable: Tunable, targets: list[Target]) -> list[str]:
    devices = [one.device for one in targets if one.tunable is tunable]
    return [
        id_
        for id_ in tunable.moves
        if any(kernel.value(BY_ID[id_], device) is not None for device in devices)
    ]
