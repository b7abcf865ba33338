# SPDX-License-Identifier: GPL-3.0-or-later
"""The devices that have settings of ours, and by what each is recognised.

One rule for both sides: what the window lists is what the helper accepts, and a rule that is
exported finds the same drive as one that the helper wrote.

Kernel names move (sda today is sdb tomorrow), so a device is recognised after a restart by its
wwid and serial number, and within one boot also by the life of its kernel object.
"""

import contextlib
import errno
import re
from dataclasses import dataclass
from typing import Protocol

from destutter_helper.api.tunables import DEVICE_KINDS

_PLAIN_NAME = re.compile(r"[A-Za-z0-9_.:!-]{1,64}")
_IDENTITY_MAX = 128  # what a drive says of itself goes into the journal and over the bus
ABSENT = frozenset(
    {errno.ENOENT, errno.ENOTDIR, errno.ENODEV, errno.ENXIO, errno.ESRCH, errno.EOPNOTSUPP}
)
"""The errors that say that something is not there; any other says nothing of the kind."""
_KSOFTIRQD = re.compile(r"\d+ \(ksoftirqd/(\d+)\) \w (?:-?\d+ ){5}(\d+) ", re.ASCII)
_PF_KTHREAD = 0x00200000  # include/linux/sched.h; cannot be faked, unlike a thread's name
_SATA_PORT = re.compile(r"([0-9a-f:.]+/ata[0-9]+)/host[0-9]+/")


class KernelView(Protocol):
    """What is read of the kernel to find devices; all may raise OSError."""

    def read(self, path: str) -> bytes:
        """The content of a file."""
        ...

    def names(self, path: str) -> list[str]:
        """The names in a directory; empty when there is no such directory."""
        ...

    def inode(self, path: str) -> int:
        """The inode of a directory, which lives as long as the kernel object behind it."""
        ...

    def link(self, path: str) -> str:
        """Where a symbolic link of the kernel points, as it is written there."""
        ...


@dataclass(frozen=True, slots=True)
class Device:
    """One device. ``instance`` is the inode of its kernel object, or a kernel thread's pid.

    ``serial`` has the blanks that some makers fill the field with before the number: udev takes
    only those behind it away before it compares. Which drive it is they do not say.
    """

    kind: str
    name: str
    wwid: str
    serial: str
    instance: str

    @property
    def is_recognisable(self) -> bool:
        """Whether it can be told from others after a restart."""
        return self.kind == "cpu" or bool(self.wwid or self.serial)

    def is_same_hardware(self, other: "Device") -> bool:
        """Whether both are the same piece of hardware, perhaps in different boots."""
        if self.kind == "cpu":
            return (self.kind, self.name) == (other.kind, other.name)
        identity = (self.kind, self.wwid, self.serial.strip())
        return self.is_recognisable and identity == (other.kind, other.wwid, other.serial.strip())


def name_of(device: Device | None) -> str:
    """The kernel's name of a device; empty for a setting that has none."""
    return device.name if device else ""


def directory_of(kind: str, name: str) -> str:
    """The directory whose inode is the ``instance`` of a device."""
    described = DEVICE_KINDS[kind]
    base = f"{described.directory}/{name}"
    return f"{base}/{described.instance}" if described.instance else base


def find_devices(kernel: KernelView, kind: str, wanted: str = "") -> list[Device]:
    """The devices of a kind that are in use, all or the one that the kernel lists by that name."""
    names = kernel.names(DEVICE_KINDS[kind].directory)
    if kind != "cpu":
        names = [name for name in names if wanted in {"", name} and _is_in_use(kernel, kind, name)]
    found = []
    for name in names:
        with contextlib.suppress(OSError):
            device = _read_device(kernel, kind, name)
            if device is not None and wanted in {"", device.name}:
                found.append(device)
    return sorted(found, key=lambda one: (len(one.name), one.name))  # cpu10 after cpu9


def is_present(kernel: KernelView, device: Device) -> bool:
    """Whether the very device is still there: same name, identity and kernel object.

    True also where that cannot be known just now, for want of memory or of descriptors: nothing
    may be forgotten because of that.
    """
    name = device.instance if device.kind == "cpu" else device.name
    try:
        return is_same(_read_device(kernel, device.kind, name), device)
    except OSError:
        return True


def is_same(one: Device | None, other: Device | None) -> bool:
    """Whether both are the same life of the same device, or both none.

    A journal of an older helper has serial numbers without the blanks before them, and what
    cannot be read just now (a file closed to us) speaks against nothing.
    """
    if one is None or other is None:
        return one is other
    pairs = ((one.wwid, other.wwid), (one.serial.strip(), other.serial.strip()))
    return (one.kind, one.name, one.instance) == (other.kind, other.name, other.instance) and all(
        not first or not second or first == second for first, second in pairs
    )


def _read_device(kernel: KernelView, kind: str, name: str) -> Device | None:
    """The device of that name in its directory; None when it is away or has no setting of ours.

    A drive that has lost its medium is still there: its queue keeps the values. A CPU stands in
    its directory under the pid of its ksoftirqd. OSError when the kernel says neither.
    """
    try:
        return _look_at(kernel, kind, name)
    except OSError as error:
        if error.errno in ABSENT:
            return None
        raise


def _look_at(kernel: KernelView, kind: str, name: str) -> Device | None:
    described = DEVICE_KINDS[kind]
    base = f"{described.directory}/{name}"
    if not _PLAIN_NAME.fullmatch(name):
        return None
    if kind == "cpu":
        if not name.isdecimal():
            return None
        thread = _KSOFTIRQD.match(kernel.read(f"{base}/stat").decode("ascii", "backslashreplace"))
        if thread is None or not int(thread[2]) & _PF_KTHREAD:
            return None
        return Device(kind, f"cpu{thread[1]}", "", "", name)
    if described.requires and not _exists(kernel, f"{base}/{described.requires}"):
        return None
    instance = str(kernel.inode(directory_of(kind, name)))
    serial = (
        _port(kernel, base) if kind == "scsi_host" else _serial(kernel, base, described.serial)
    )
    return Device(kind, name, _first(kernel, base, described.wwid), serial, instance)


def _is_in_use(kernel: KernelView, kind: str, name: str) -> bool:
    """False for a drive without medium and for a hidden path of a multipath device."""
    base = f"{DEVICE_KINDS[kind].directory}/{name}"
    if kind != "block":
        return True
    return (
        _text(kernel, f"{base}/size") not in {"", "0"} and _text(kernel, f"{base}/hidden") != "1"
    )


def _exists(kernel: KernelView, path: str) -> bool:
    """Whether there is such a file, also one that cannot be read: its device is not gone."""
    try:
        kernel.read(path)
    except OSError as error:
        return error.errno not in ABSENT
    return True


def _first(kernel: KernelView, base: str, names: tuple[str, ...]) -> str:
    return next((text for name in names if (text := _text(kernel, f"{base}/{name}"))), "")


def _serial(kernel: KernelView, base: str, names: tuple[str, ...]) -> str:
    shown = (_shown(kernel, f"{base}/{name}").rstrip() for name in names)
    return next((text[:_IDENTITY_MAX] for text in shown if text), "")


def _text(kernel: KernelView, path: str) -> str:
    return _shown(kernel, path).strip()[:_IDENTITY_MAX]


def _shown(kernel: KernelView, path: str) -> str:
    try:
        return kernel.read(path).decode("ascii", "backslashreplace")
    except OSError:
        return ""


def _port(kernel: KernelView, base: str) -> str:
    """The port that a SATA host hangs on, such as ``0000:00:17.0/ata1``."""
    try:
        match = _SATA_PORT.search(kernel.link(base) + "/")
    except OSError:
        return ""
    return match[1] if match else ""
