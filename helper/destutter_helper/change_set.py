# SPDX-License-Identifier: GPL-3.0-or-later
"""From a client's change set to what may be written: everything is checked before anything is."""

from dataclasses import dataclass

from destutter_helper.api.names import HelperError
from destutter_helper.api.payload import Change, ChangeSet, Plan, PlanStep
from destutter_helper.api.tunables import BY_ID, POLICY, Tunable, is_kernel_value, refusal
from destutter_helper.device import Device
from destutter_helper.kernel_writer import KernelWriter, entry_error

_SUMMARY_MAX = 200


@dataclass(frozen=True, slots=True)
class Target:
    """One checked change: the value that a tunable on a device shall have."""

    tunable: Tunable
    device: Device | None
    value: str


def resolve(kernel: KernelWriter, change_set: ChangeSet) -> list[Target]:
    """The targets of a change set, in the order in which they are written.

    HelperError InvalidArgument, UnknownKey, DeviceGone, OutOfRange or Unsupported. The size of
    the set and the form of its texts are ``payload.check_change_set``'s business.
    """
    memory_kib = kernel.memory_kib()
    targets: list[Target] = []
    for change in change_set.changes:
        if change.id not in BY_ID:
            raise HelperError("UnknownKey", "is no setting of ours", id=change.id)
        tunable = BY_ID[change.id]
        reason = refusal(tunable, change.value, memory_kib)
        if reason:
            raise _error("OutOfRange", change, reason)
        targets += [Target(tunable, one, change.value) for one in _devices(kernel, change)]
    _check_unique(targets)
    for target in targets:
        _check_possible(kernel, target, targets)
    return sorted(targets, key=lambda target: target.tunable.rank)


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
        summary=_summary(steps),
    )


def _summary(steps: tuple[PlanStep, ...]) -> str:
    """One line from our own words and numbers only; a drive appears by its kernel name."""
    text = ", ".join(
        f"{BY_ID[step.id].label}{f' of {step.device}' if step.device else ''} "
        f"{step.current or 'unset'} → {step.value}".replace("_", " ")
        for step in steps
    )
    return text if len(text) <= _SUMMARY_MAX else f"{len(steps)} kernel settings"


def _moved(kernel: KernelWriter, tunable: Tunable, targets: list[Target]) -> list[str]:
    devices = [one.device for one in targets if one.tunable is tunable]
    return [
        id_
        for id_ in tunable.moves
        if any(kernel.value(BY_ID[id_], device) is not None for device in devices)
    ]


def _devices(kernel: KernelWriter, change: Change) -> list[Device | None]:
    tunable = BY_ID[change.id]
    if not tunable.device_kind:
        if change.device:
            raise _error("InvalidArgument", change, "belongs to no device")
        return [None]
    if not change.device and tunable.kind == POLICY:
        return list(kernel.devices(tunable.device_kind))
    if not change.device:
        raise _error("InvalidArgument", change, "needs a device")
    device = kernel.device(tunable.device_kind, change.device)
    if device is None:
        raise _error("DeviceGone", change, "there is no such device")
    return [device]


def _check_unique(targets: list[Target]) -> None:
    seen: dict[tuple[str, Device | None], Target] = {}
    for target in targets:
        name = min(target.tunable.id, target.tunable.twin or target.tunable.id)
        other = seen.setdefault((name, target.device), target)
        if other is not target:
            reason = f"contradicts {other.tunable.id} in this set"
            raise entry_error("InvalidArgument", reason, target.tunable, target.device)


def _check_possible(kernel: KernelWriter, target: Target, targets: list[Target]) -> None:
    tunable, device = target.tunable, target.device
    current = kernel.value(tunable, device)
    if tunable.device_kind == "block":
        scheduler = next(
            (
                one.value
                for one in targets
                if one.tunable.id == "block.scheduler" and one.device == device
            ),
            kernel.value(BY_ID["block.scheduler"], device),
        )
        if tunable.scheduler not in {"", scheduler}:
            raise entry_error("Unsupported", kernel.unavailable(tunable, device), tunable, device)
        if tunable.id == "block.wbt_lat_usec" and scheduler == "bfq":
            reason = "bfq switches write-back throttling off by itself"
            raise entry_error("Unsupported", reason, tunable, device)
        if current is None and tunable.scheduler:
            return  # it appears with the scheduler of this set
    if current is None:
        raise entry_error("Unsupported", kernel.unavailable(tunable, device), tunable, device)
    if not is_kernel_value(tunable, current) and not (tunable.twin and current == "0"):
        reason = f"its value of now, {ascii(current)[:40]}, could not be written back"
        raise entry_error("Unsupported", reason, tunable, device)
    kernel.check_writable(tunable, device)


def _error(name: str, change: Change, reason: str) -> HelperError:
    return HelperError(name, reason, id=change.id, device=change.device)
