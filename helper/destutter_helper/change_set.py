# SPDX-License-Identifier: GPL-3.0-or-later
"""From a client's change set to what may be written: everything is checked before anything is."""

from dataclasses import dataclass

from destutter_helper.api.names import HelperError
from destutter_helper.api.payload import Change, ChangeSet, Plan, PlanStep
from destutter_helper.api.tunables import BY_ID, POLICY, Tunable, safe_range
from destutter_helper.device import Device
from destutter_helper.kernel_writer import KernelWriter, state_of

SCHEDULER = BY_ID["block.scheduler"]
_SUMMARY_MAX = 200


@dataclass(frozen=True, slots=True)
class Target:
    """One checked change: the state that a tunable on a device shall have."""

    tunable: Tunable
    device: Device | None
    state: str

    def error(self, name: str, reason: str) -> HelperError:
        """An error that names this entry."""
        device = self.device.name if self.device else ""
        return HelperError(name, reason, id=self.tunable.id, device=device)


def resolve(kernel: KernelWriter, change_set: ChangeSet) -> list[Target]:
    """The targets of a change set, in the order in which they are written.

    HelperError InvalidArgument, UnknownKey, DeviceGone, OutOfRange or Unsupported. The size of
    the set and the form of its texts are ``payload.check_change_set``'s business.
    """
    memory_kib = kernel.memory_kib()
    targets: list[Target] = []
    for change in change_set.changes:
        tunable = BY_ID.get(change.id)
        if tunable is None:
            raise HelperError("UnknownKey", "is no setting of ours", id=change.id)
        _check_value(tunable, change, memory_kib)
        targets += [
            Target(tunable, device, state_of(tunable, change.value))
            for device in _devices(kernel, tunable, change)
        ]
    _check_unique(targets)
    for target in targets:
        _check_possible(kernel, target, targets)
    return sorted(targets, key=lambda target: target.tunable.rank)


def plan(kernel: KernelWriter, targets: list[Target], rebased: list[str]) -> Plan:
    """What writing the targets means, in words; ``rebased`` are ids that others changed since."""
    steps = tuple(
        PlanStep(
            target.tunable.id,
            target.device.name if target.device else "",
            kernel.read(target.tunable, target.device),
            target.state,
        )
        for target in targets
    )
    tunables = list(dict.fromkeys(target.tunable for target in targets))
    return Plan(
        steps=steps,
        side_effects=tuple(
            f"{tunable.id} also moves {', '.join(_present_moves(kernel, tunable, targets))}; "
            "they are recorded and restored"
            for tunable in tunables
            if _present_moves(kernel, tunable, targets)
        ),
        residue=tuple(tunable.residue for tunable in tunables if tunable.residue),
        notes=tuple(
            f"{tunable.id} is also set in /etc/sysctl.conf, which some tools apply again"
            for tunable in tunables
            if kernel.administrator_sets(tunable)
        )
        + tuple(
            f"somebody else changed {name} since; its value of now counts as the original"
            for name in dict.fromkeys(rebased)
        ),
        summary=_summary(steps),
    )


def _summary(steps: tuple[PlanStep, ...]) -> str:
    """One line from our own words and numbers only; a drive appears by its kernel name."""
    parts = [
        f"{BY_ID[step.id].label}{f' of {step.device}' if step.device else ''} "
        f"{step.current or 'unset'} → {step.value}".replace("=", " ").replace("_", " ")
        for step in steps
    ]
    text = ", ".join(parts)
    return text if len(text) <= _SUMMARY_MAX else f"{len(steps)} kernel settings"


def _present_moves(kernel: KernelWriter, tunable: Tunable, targets: list[Target]) -> list[str]:
    devices = [target.device for target in targets if target.tunable is tunable]
    return [
        moved
        for moved in tunable.moves
        if any(kernel.read(BY_ID[moved], device) is not None for device in devices)
    ]


def _devices(kernel: KernelWriter, tunable: Tunable, change: Change) -> list[Device | None]:
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


def _check_value(tunable: Tunable, change: Change, memory_kib: int) -> None:
    limits = safe_range(tunable, memory_kib)
    if tunable.choices:
        if change.value not in tunable.choices:
            raise _error("OutOfRange", change, f"must be one of {', '.join(tunable.choices)}")
        return
    number = change.value
    if tunable.kind == POLICY:
        if number == "other":
            return
        word, _, number = number.partition(":")
        if word not in {"fifo", "rr"}:
            raise _error("OutOfRange", change, "must be other, fifo:N or rr:N")
    assert limits is not None  # noqa: S101 (the registry says so)
    is_number = number.isdecimal() and str(int(number)) == number
    if not is_number or not limits[0] <= int(number) <= limits[1]:
        raise _error(
            "OutOfRange", change, f"{number} is not a whole number from {limits[0]} to {limits[1]}"
        )


def _check_unique(targets: list[Target]) -> None:
    seen: dict[tuple[str, Device | None], Target] = {}
    for target in targets:
        other = seen.setdefault((target.tunable.cell, target.device), target)
        if other is not target:
            raise target.error("InvalidArgument", f"contradicts {other.tunable.id} in this set")


def _check_possible(kernel: KernelWriter, target: Target, targets: list[Target]) -> None:
    tunable, device = target.tunable, target.device
    if tunable.group:
        scheduler = _scheduler(kernel, device, targets)
        if tunable.scheduler and tunable.scheduler != scheduler:
            raise target.error("Unsupported", kernel.unavailable(tunable, device))
        if tunable.id == "block.wbt_lat_usec" and scheduler == "bfq":
            raise target.error("Unsupported", "bfq switches write-back throttling off by itself")
    current = kernel.read(tunable, device)
    if current is None:
        if tunable.scheduler:
            return  # it appears with the scheduler of this set
        raise target.error("Unsupported", kernel.unavailable(tunable, device))
    try:
        kernel.check(tunable, device, current)
    except HelperError:
        reason = f"its value of now, {ascii(current)[:40]}, could not be written back"
        raise target.error("Unsupported", reason) from None
    kernel.check_writable(tunable, device)


def _scheduler(kernel: KernelWriter, device: Device | None, targets: list[Target]) -> str | None:
    for target in targets:
        if target.tunable is SCHEDULER and target.device == device:
            return target.state
    return kernel.read(SCHEDULER, device)


def _error(name: str, change: Change, reason: str) -> HelperError:
    return HelperError(name, reason, id=change.id, device=change.device)
