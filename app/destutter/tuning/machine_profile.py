# SPDX-License-Identifier: GPL-3.0-or-later
"""What recommendations depend on: memory, swap, drives, power and whether this is a guest.

Everything is read without rights through ``KernelFiles``. What the kernel does not say is None
or ``UNKNOWN``, and then nothing is recommended that would need it.
"""

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeVar

from destutter.core.kernel_files import KernelFileError, KernelFiles
from destutter.core.kernel_numbers import MEMINFO, VMSTAT, read_numbers
from destutter.core.sandbox import hiding_sandbox
from destutter.core.statement import Statement
from destutter.core.swap_areas import SwapArea, read_swaps

T = TypeVar("T")

NO_ZONE = Statement("tuning.file.no_zone")
"""Why /proc/zoneinfo is not understood."""

_BLOCK = "/sys/block"
_SUPPLIES = "/sys/class/power_supply"
_LAYERED = ("loop", "dm-", "md", "zram", "ram", "nbd", "bcache", "sr", "fd")
_GUEST_DISKS = ("vd", "xvd")
_MANIFEST = "/capture.json"
_USUAL_PAGE_KIB = 4
_PAGE_BYTES = (4096, 16_384, 65_536)
_GUEST_MAKERS = frozenset({"QEMU", "Bochs", "VMware, Inc.", "innotek GmbH", "Xen"})


class DriveKind(StrEnum):
    """What a drive is made of, as far as its limits and its scheduler depend on it."""

    NVME = "nvme"
    SATA_SSD = "sata_ssd"
    HDD = "hdd"
    CARD = "card"
    USB = "usb"
    VIRTUAL = "virtual"
    LAYERED = "layered"


class SwapKind(StrEnum):
    """Where pages go that are swapped out."""

    NONE = "none"
    ZRAM = "zram"
    ZRAM_AND_DISK = "zram_and_disk"
    ZSWAP = "zswap"
    SSD = "ssd"
    HDD = "hdd"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Drive:
    """One drive by the kernel's name; ``schedulers`` are those that it can have now."""

    name: str
    kind: DriveKind
    schedulers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MachineProfile:
    """One computer at one moment.

    ``managed`` holds the pages of each zone that the kernel hands out, as in /proc/zoneinfo.
    ``cache_kib`` is the part of the page cache that can be given up. ``is_on_battery`` is False
    also where there is no battery. ``problems`` says what could not be read, and why.
    """

    memory_kib: int | None = None
    managed: Mapping[str, int] = field(default_factory=dict)
    page_kib: int = 4
    cache_kib: int = 0
    swapped_kib: int = 0
    dirty_threshold_pages: int | None = None
    dirty_background_pages: int | None = None
    swap: SwapKind = SwapKind.UNKNOWN
    drives: tuple[Drive, ...] = ()
    is_on_battery: bool | None = None
    is_guest: bool = False
    kernel: str | None = None
    problems: tuple[Statement, ...] = ()

    @property
    def memory_mib(self) -> float | None:
        """All memory that the kernel manages."""
        return None if self.memory_kib is None else self.memory_kib / 1024

    def drive(self, name: str) -> Drive | None:
        return next((each for each in self.drives if each.name == name), None)


class PartReader:
    """Reads one part after the other; a part that cannot be understood costs only itself.

    ``problems`` has why.
    """

    def __init__(self) -> None:
        self.problems: list[Statement] = []

    def get(self, read: Callable[[], T]) -> T | None:
        """What ``read`` gives; None when it cannot."""
        try:
            return read()
        except KernelFileError as error:
            self.problems.append(error.statement)
            return None


def read_profile(files: KernelFiles) -> MachineProfile:
    """The computer below the root of ``files``."""
    parts = PartReader()
    memory = parts.get(lambda: read_numbers(files, MEMINFO)) or {}
    vmstat = parts.get(lambda: read_numbers(files, VMSTAT)) or {}
    managed = parts.get(lambda: parse_managed(files.read_text("/proc/zoneinfo") or "")) or {}
    is_guest = bool(parts.get(lambda: _is_guest(files)))
    drives = parts.get(lambda: _drives(files, is_guest=is_guest)) or ()
    return MachineProfile(
        memory_kib=memory.get("MemTotal"),
        managed=managed,
        page_kib=parts.get(lambda: _page_kib(files)) or _USUAL_PAGE_KIB,
        cache_kib=memory.get("Active(file)", 0) + memory.get("Inactive(file)", 0),
        swapped_kib=max(memory.get("SwapTotal", 0) - memory.get("SwapFree", 0), 0),
        dirty_threshold_pages=vmstat.get("nr_dirty_threshold"),
        dirty_background_pages=vmstat.get("nr_dirty_background_threshold"),
        swap=parts.get(lambda: _swap(files, drives)) or SwapKind.UNKNOWN,
        drives=drives,
        is_on_battery=parts.get(lambda: _is_on_battery(files)),
        is_guest=is_guest,
        kernel=parts.get(lambda: files.read_text("/proc/sys/kernel/osrelease")),
        problems=tuple(parts.problems),
    )


def parse_managed(text: str) -> dict[str, int]:
    """Managed pages by zone ("node0/Normal") of a file /proc/zoneinfo.

    Raises ``KernelFileError`` when a line does not read as the kernel writes it.
    """
    zones: dict[str, int] = {}
    zone = ""
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if words[:1] == ["Node"]:
            if len(words) != 4 or words[2] != "zone":
                raise KernelFileError("/proc/zoneinfo", number, NO_ZONE)
            zone = f"node{words[1].rstrip(',')}/{words[3]}"
        elif words[:1] == ["managed"] and zone:
            zones.setdefault(zone, _number("/proc/zoneinfo", number, words[1:2]))
    return zones


def _number(path: str, line: int, words: Sequence[str]) -> int:
    try:
        return int(words[0])
    except (IndexError, ValueError):
        raise KernelFileError(path, line, Statement("core.no_number")) from None


def _page_kib(files: KernelFiles) -> int:
    """The size of a page; of a captured tree what its manifest says."""
    if files.is_live:
        return os.sysconf("SC_PAGE_SIZE") // 1024
    try:
        manifest = json.loads(files.read_text(_MANIFEST) or "{}")
    except ValueError:
        reason = Statement("tuning.file.no_manifest")
        raise KernelFileError(_MANIFEST, None, reason) from None
    size = manifest.get("page_bytes") if isinstance(manifest, dict) else None
    return size // 1024 if size in _PAGE_BYTES else _USUAL_PAGE_KIB


def _is_guest(files: KernelFiles) -> bool:
    if files.read_text("/sys/hypervisor/type"):
        return True
    if (files.read_text("/sys/class/dmi/id/sys_vendor") or "").strip() in _GUEST_MAKERS:
        return True
    for line in (files.read_text("/proc/cpuinfo") or "").splitlines():
        name, _, flags = line.partition(":")
        if name.strip() == "flags":
            return "hypervisor" in flags.split()
    return False


def _drives(files: KernelFiles, *, is_guest: bool) -> tuple[Drive, ...]:
    found = []
    for name in files.list_names(_BLOCK):
        base = f"{_BLOCK}/{name}"
        is_empty = (files.read_text(f"{base}/size") or "0").strip() == "0"
        if (
            is_empty
            or not files.exists(f"{base}/queue")
            or files.read_text(f"{base}/hidden") == "1"
        ):
            continue
        listed = files.read_text(f"{base}/queue/scheduler") or ""
        schedulers = tuple(listed.replace("[", "").replace("]", "").split())
        found.append(Drive(name, _drive_kind(files, name, is_guest=is_guest), schedulers))
    return tuple(found)


def _drive_kind(files: KernelFiles, name: str, *, is_guest: bool) -> DriveKind:
    base = f"{_BLOCK}/{name}"
    is_usb = "/usb" in (files.resolve(base) or "") or files.read_text(f"{base}/removable") == "1"
    is_rotational = files.read_text(f"{base}/queue/rotational") == "1"
    return drive_kind(name, is_rotational=is_rotational, is_usb=is_usb, is_guest=is_guest)


def drive_kind(name: str, *, is_rotational: bool, is_usb: bool, is_guest: bool) -> DriveKind:
    """The kind by the kernel's name of the drive and what its driver says of it.

    In a guest nothing is known of what is below a disk: its speed is that of the host.
    """
    if name.startswith(_LAYERED):
        return DriveKind.LAYERED
    if is_guest or name.startswith(_GUEST_DISKS):
        return DriveKind.VIRTUAL
    if name.startswith("nvme"):
        return DriveKind.NVME
    if name.startswith("mmcblk"):
        return DriveKind.CARD
    if is_usb:
        return DriveKind.USB
    return DriveKind.HDD if is_rotational else DriveKind.SATA_SSD


def _swap(files: KernelFiles, drives: Sequence[Drive]) -> SwapKind:
    areas = read_swaps(files)
    zram = [area.priority for area in areas if area.is_zram]
    disks = [area for area in areas if not area.is_zram]
    if zram and disks:
        # Only a zram that is filled first decides; otherwise the order itself is the problem.
        is_first = min(zram) > max(area.priority for area in disks)
        return SwapKind.ZRAM_AND_DISK if is_first else SwapKind.UNKNOWN
    if zram:
        return SwapKind.ZRAM
    if not disks:
        return SwapKind.NONE
    zswap = files.read_text("/sys/module/zswap/parameters/enabled")
    if zswap is None and hiding_sandbox(files) is not None:
        return SwapKind.UNKNOWN
    if (zswap or "N")[:1] in "Y1":
        return SwapKind.ZSWAP
    return kind_of_disks({_backing(files, area, drives) for area in disks})


def kind_of_disks(kinds: set[SwapKind]) -> SwapKind:
    """The kind of several swap areas on disks: that of all of them, or unknown."""
    return kinds.pop() if len(kinds) == 1 else SwapKind.UNKNOWN


def _backing(files: KernelFiles, area: SwapArea, drives: Sequence[Drive]) -> SwapKind:
    """Whether a swap area is on a drive that turns.

    A file does not say on which drive it is: it counts when all drives are of one kind.
    """
    if area.kind == "file":
        solid = (DriveKind.NVME, DriveKind.SATA_SSD)
        real = [each for each in drives if each.kind in (*solid, DriveKind.HDD)]
        return kind_of_disks({_by_drive(each) for each in real})
    owners = [each for each in drives if area.device.startswith(each.name)]
    if not owners:
        return SwapKind.UNKNOWN
    owner = max(owners, key=lambda each: len(each.name))
    if owner.name.startswith(("dm-", "md")):
        turns = files.read_text(f"{_BLOCK}/{owner.name}/queue/rotational") == "1"
        return SwapKind.HDD if turns else SwapKind.SSD
    return _by_drive(owner)


def _by_drive(drive: Drive) -> SwapKind:
    if drive.kind in (DriveKind.NVME, DriveKind.SATA_SSD):
        return SwapKind.SSD
    return SwapKind.HDD if drive.kind is DriveKind.HDD else SwapKind.UNKNOWN


def _is_on_battery(files: KernelFiles) -> bool | None:
    """False on mains or without a battery; None when a battery is there and nothing tells."""
    has_battery, plugs = False, []
    for name in files.list_names(_SUPPLIES):
        base = f"{_SUPPLIES}/{name}"
        kind = files.read_text(f"{base}/type")
        if kind == "Battery" and files.read_text(f"{base}/scope") != "Device":
            has_battery = True
        elif kind in ("Mains", "USB"):
            plugs.append(files.read_text(f"{base}/online") == "1")
    if any(plugs) or not has_battery:
        return False
    return True if plugs else None
