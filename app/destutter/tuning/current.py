# SPDX-License-Identifier: GPL-3.0-or-later
"""The value that every tunable has now, read without rights from kernel files.

Values are written as the helper writes them, so that both can be compared: the active one of
several choices without its brackets, a scheduling policy as "other" or "fifo:PRIORITY".
"""

from collections.abc import Sequence
from dataclasses import dataclass

from destutter.core.kernel_files import KernelFileDeniedError, KernelFileError, KernelFiles
from destutter.core.sandbox import hiding_sandbox
from destutter.core.statement import Statement
from destutter.tuning.kernel_view import FilesView
from destutter.tuning.keys import key_of
from destutter_helper.api.devices import Device, find_devices, name_of
from destutter_helper.api.tunables import (
    DEVICE_KINDS,
    HOLD,
    NOT_HELD,
    POLICY,
    TUNABLES,
    Tunable,
    policy_value,
    value_in_file,
)

_NO_LIMIT_US = 2_000_000_000  # PM_QOS_CPU_LATENCY_DEFAULT_VALUE: nobody holds a limit
_HIDDEN = ("/sys/kernel/", "/sys/module/", "/dev/")
"""Where a sandbox shows nothing, whatever the kernel has there."""
_HIDES = Statement("tuning.absent.hidden")
_RT_PRIORITY, _POLICY = 37, 38  # fields of /proc/PID/stat after the name


@dataclass(frozen=True, slots=True)
class CurrentValue:
    """One tunable, on one device where it belongs to one.

    ``value`` is None when it is not there or cannot be read, and then ``why`` says so.
    ``is_active`` is False for the member of a pair that does not count now (dirty_ratio while
    dirty_bytes is set).
    """

    id: str
    device: str
    label: str
    unit: str
    value: str | None
    why: Statement | None = None
    is_active: bool = True


def read_current(
    files: KernelFiles, tunables: Sequence[Tunable] = TUNABLES
) -> tuple[CurrentValue, ...]:
    """Every tunable of the registry in its order, once for each device that can have it.

    A file that cannot be understood costs only its own line.
    """
    devices = {kind: find_devices(FilesView(files), kind) for kind in DEVICE_KINDS}
    is_sandboxed = hiding_sandbox(files) is not None
    found: list[CurrentValue] = []
    for tunable in tunables:
        if tunable.device_kind:
            present = devices[tunable.device_kind]
            found += [_current(files, tunable, device) for device in present]
            if tunable.kind == POLICY and not present and is_sandboxed:
                found.append(
                    CurrentValue(tunable.id, "", tunable.label, tunable.unit, None, _HIDES)
                )
        else:
            found.append(_current(files, tunable, None))
    return _without_passive_twins(found, tunables)


def as_mapping(values: Sequence[CurrentValue]) -> dict[str, str]:
    """The readable values by "ID" or "ID@DEVICE", as in the header of a recording."""
    return {
        key_of(each.id, each.device): each.value
        for each in values
        if each.value is not None and each.is_active
    }


def _current(files: KernelFiles, tunable: Tunable, device: Device | None) -> CurrentValue:
    value: str | None = None
    why: Statement | None = None
    try:
        value = _read(files, tunable, device)
        if value is None:
            why = _absent(files, tunable, name_of(device))
    except KernelFileDeniedError as error:
        why = Statement("tuning.absent.denied", {"path": error.path})
    except KernelFileError as error:
        why = Statement("core.file", {"path": error.path, "reason": error.reason})
    return CurrentValue(tunable.id, name_of(device), tunable.label, tunable.unit, value, why)


def _read(files: KernelFiles, tunable: Tunable, device: Device | None) -> str | None:
    if tunable.kind == POLICY and device is not None:
        return _softirq_policy(files, device.instance)
    if tunable.kind == HOLD:
        return _held(files, tunable)
    path = tunable.path_on(name_of(device))
    text = files.read_text(path)
    if text is None:
        return None
    try:
        return value_in_file(tunable, text)
    except ValueError:
        reason = Statement("core.not_whole", {"text": f"{text[:40]!a}"})
        raise KernelFileError(path, 1, reason) from None


def _held(files: KernelFiles, tunable: Tunable) -> str | None:
    """What is asked for by whoever holds /dev/cpu_dma_latency; None for what is no file."""
    if not tunable.path or not files.is_live:
        return None
    data = files.read_bytes(tunable.path)
    if data is None:
        return None
    if len(data) < 4:
        raise KernelFileError(tunable.path, None, Statement("tuning.file.four_bytes"))
    limit_us = int.from_bytes(data[:4], "little", signed=True)
    return NOT_HELD if limit_us >= _NO_LIMIT_US else str(limit_us)


def _softirq_policy(files: KernelFiles, pid: str) -> str | None:
    path = f"/proc/{pid}/stat"
    fields = (files.read_text(path) or "").rpartition(") ")[2].split()
    if len(fields) <= _POLICY:
        return None
    try:
        return policy_value(int(fields[_POLICY]), int(fields[_RT_PRIORITY]))
    except ValueError:
        reason = Statement("core.not_whole", {"text": f"{fields[_POLICY]!a}"})
        raise KernelFileError(path, 1, reason) from None


def _absent(files: KernelFiles, tunable: Tunable, device: str) -> Statement:
    path = tunable.path_on(device)
    if path.startswith(_HIDDEN) and hiding_sandbox(files) is not None:
        return _HIDES
    if tunable.kind == HOLD:
        return Statement("tuning.absent.device_file" if tunable.path else "tuning.absent.helper")
    if tunable.scheduler:
        return Statement("tuning.absent.scheduler", {"scheduler": tunable.scheduler})
    if tunable.device_kind:
        return Statement("tuning.absent.device")
    if tunable.min_kernel:
        return Statement("tuning.absent.version", {"version": tunable.min_kernel})
    return Statement("tuning.absent.kernel")


def _without_passive_twins(
    values: Sequence[CurrentValue], tunables: Sequence[Tunable]
) -> tuple[CurrentValue, ...]:
    """Mark the member of each pair that is 0 because the other one counts."""
    twins = {tunable.id: tunable.twin for tunable in tunables if tunable.twin}
    known = {each.id: each.value for each in values}
    return tuple(
        CurrentValue(
            each.id, each.device, each.label, each.unit, each.value, each.why, is_active=False
        )
        if each.value == "0" and known.get(twins.get(each.id, ""), "0") not in ("0", None)
        else each
        for each in values
    )
