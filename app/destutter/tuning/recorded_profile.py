# SPDX-License-Identifier: GPL-3.0-or-later
"""The profile of the computer of a recording, from its header and its facts.

A recording says less than the computer itself: the zones are taken as one, and limits of unwritten
data are known only where they are set in bytes; a share is one of memory that changes.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from destutter.tuning.defaults import kernel_default
from destutter.tuning.machine_profile import (
    Drive,
    MachineProfile,
    SwapKind,
    drive_kind,
    kind_of_disks,
)

_ON_BATTERY = {"battery": True, "mains": False}


def recorded_profile(
    machine: Mapping[str, Any], facts: Mapping[str, str], values: Mapping[str, str]
) -> MachineProfile:
    """What the header's ``machine``, its settings and the facts of a stream say."""
    memory = machine.get("memory_kib")
    page = machine.get("page_bytes")
    virtual = facts.get("machine.virtual") or machine.get("virtual_machine") or "no"
    is_guest = virtual != "no"
    drives = tuple(_drives(facts, is_guest=is_guest))
    page_kib = page // 1024 if type(page) is int and page >= 1024 else 4
    return MachineProfile(
        memory_kib=memory if type(memory) is int and memory > 0 else None,
        page_kib=page_kib,
        dirty_threshold_pages=_pages(values.get("vm.dirty_bytes"), page_kib),
        dirty_background_pages=_pages(values.get("vm.dirty_background_bytes"), page_kib),
        swap=_swap(facts.get("swap.kind", "").split(), drives),
        drives=drives,
        is_on_battery=_is_on_battery(facts),
        is_guest=is_guest,
        kernel=facts.get("kernel.release") or None,
    )


def recorded_choices(values: Mapping[str, str]) -> frozenset[str]:
    """Settings of a recording that somebody must have set: they are not the kernel's own."""
    return frozenset(
        key
        for key, value in values.items()
        if kernel_default(key.partition("@")[0]) not in (None, value)
    )


def _pages(value: str | None, page_kib: int) -> int | None:
    """Of a limit in bytes; None where it is not in force."""
    if value is None or not (value.isascii() and value.isdecimal() and len(value) < 20):
        return None
    return int(value) // (page_kib * 1024) or None


def _is_on_battery(facts: Mapping[str, str]) -> bool | None:
    """False also where facts were recorded and no power supply is among them."""
    source = facts.get("power.source")
    if source is None:
        return False if "kernel.release" in facts else None
    return _ON_BATTERY.get(source)


def _drives(facts: Mapping[str, str], *, is_guest: bool) -> Iterator[Drive]:
    for fact, turns in facts.items():
        if fact.startswith("disk.") and fact.endswith(".rotational"):
            name = fact.removeprefix("disk.").removesuffix(".rotational")
            kind = drive_kind(name, is_rotational=turns == "1", is_usb=False, is_guest=is_guest)
            listed = facts.get(f"disk.{name}.schedulers", "")
            yield Drive(name, kind, tuple(listed.split()))


def _swap(kinds: list[str], drives: tuple[Drive, ...]) -> SwapKind:
    if kinds == ["none"]:
        return SwapKind.NONE
    if kinds == ["zram"]:
        return SwapKind.ZRAM
    if not kinds or "zram" in kinds:
        return SwapKind.UNKNOWN
    by_drive = {"nvme": SwapKind.SSD, "sata_ssd": SwapKind.SSD, "hdd": SwapKind.HDD}
    return kind_of_disks({by_drive[each.kind] for each in drives if each.kind in by_drive})
