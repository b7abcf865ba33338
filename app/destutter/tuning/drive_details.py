# SPDX-License-Identifier: GPL-3.0-or-later
"""What a drive's files say of its queue and its power saving.

Sources: Documentation/ABI/stable/sysfs-block, Documentation/ABI/testing/sysfs-devices-power,
drivers/ata/libata-sata.c (link_power_management_policy).
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from destutter.core.kernel_files import KernelFileError, KernelFiles
from destutter.tuning.machine_profile import Drive, DriveKind
from destutter_helper.api.choices import active_choice

T = TypeVar("T")

_SECTOR_BYTES = 512
_HOST = re.compile(r"/(host\d+)/")


@dataclass(frozen=True, slots=True)
class DriveDetails:
    """One drive. None: its kernel or driver has no such file, or it cannot be read.

    ``wbt_us`` 0: writes are not held back. ``latency_tolerance`` as the kernel writes it
    (microseconds, "auto" or "any"), of an NVMe controller. ``power_control`` "on": never sleeps.
    """

    name: str
    kind: DriveKind
    model: str | None = None
    size_bytes: int | None = None
    scheduler: str | None = None
    schedulers: tuple[str, ...] = ()
    wbt_us: int | None = None
    read_ahead_kib: int | None = None
    requests: int | None = None
    device_depth: int | None = None
    link_power: str | None = None
    latency_tolerance: str | None = None
    power_control: str | None = None
    link_speed: str | None = None
    link_width: str | None = None


def read_drive(files: KernelFiles, drive: Drive) -> DriveDetails:
    """The details of one drive; a file that cannot be understood costs only itself."""
    base = f"/sys/block/{drive.name}"
    queue = f"{base}/queue"
    sectors = _number(files, f"{base}/size")
    # An NVMe namespace hangs below its controller, and that below the PCI device.
    pci = f"{base}/device/device"
    return DriveDetails(
        drive.name,
        drive.kind,
        model=_text(files, f"{base}/device/model"),
        size_bytes=None if sectors is None else sectors * _SECTOR_BYTES,
        scheduler=active_choice(_text(files, f"{queue}/scheduler") or "") or None,
        schedulers=drive.schedulers,
        wbt_us=_number(files, f"{queue}/wbt_lat_usec"),
        read_ahead_kib=_number(files, f"{queue}/read_ahead_kb"),
        requests=_number(files, f"{queue}/nr_requests"),
        device_depth=_number(files, f"{base}/device/queue_depth"),
        link_power=_link_power(files, base),
        latency_tolerance=_text(files, f"{base}/device/power/pm_qos_latency_tolerance_us"),
        power_control=_text(files, f"{base}/device/power/control"),
        link_speed=_text(files, f"{pci}/current_link_speed"),
        link_width=_text(files, f"{pci}/current_link_width"),
    )


def _link_power(files: KernelFiles, base: str) -> str | None:
    """The link power policy of the SATA host that a drive hangs on."""
    host = _HOST.search(_known(lambda: files.resolve(base)) or "")
    if host is None:
        return None
    return _text(files, f"/sys/class/scsi_host/{host[1]}/link_power_management_policy")


def _text(files: KernelFiles, path: str) -> str | None:
    found = _known(lambda: files.read_text(path))
    return (found or "").strip() or None


def _number(files: KernelFiles, path: str) -> int | None:
    return _known(lambda: files.read_int(path))


def _known(read: Callable[[], T | None]) -> T | None:
    """What a file says; None when it refuses, which the drive's row then shows as unknown."""
    try:
        return read()
    except KernelFileError:
        return None
