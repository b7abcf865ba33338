# SPDX-License-Identifier: GPL-3.0-or-later
"""Which device a value belongs to, so that it never lands on another one.

Kernel names move (sda today is sdb tomorrow), so a device is recognised after a restart by its
wwid and serial number, and within one boot also by the life of its kernel object.
"""

import re
from dataclasses import dataclass

from destutter_helper.api.tunables import DEVICE_KINDS
from destutter_helper.kernel_tree import KernelTree

_PLAIN_NAME = re.compile(r"[A-Za-z0-9_.:!-]{1,64}")
_IDENTITY_MAX = 128


@dataclass(frozen=True, slots=True)
class Device:
    """One device. ``instance`` is the inode of its kernel object, or a kernel thread's pid."""

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
        identity = (self.kind, self.wwid, self.serial)
        return self.is_recognisable and identity == (other.kind, other.wwid, other.serial)


def read_device(tree: KernelTree, kind: str, name: str) -> Device | None:
    """The device of that name, or None when it is not there or has no settings of ours.

    A drive that has lost its medium is still there: its queue keeps the values.
    """
    described = DEVICE_KINDS[kind]
    base = f"{described.directory}/{name}"
    if not _PLAIN_NAME.fullmatch(name):
        return None
    try:
        if described.requires:
            tree.read(f"{base}/{described.requires}")
        instance = str(tree.inode(f"{base}/{described.instance}" if described.instance else base))
    except OSError:
        return None
    serial = _first(tree, base, described.serial)
    if kind == "scsi_host":
        serial = _port(tree, base)
    return Device(kind, name, _first(tree, base, described.wwid), serial, instance)


def is_in_use(tree: KernelTree, device: Device) -> bool:
    """False for a drive without medium and for a hidden path of a multipath device."""
    base = f"{DEVICE_KINDS[device.kind].directory}/{device.name}"
    if device.kind != "block":
        return True
    return _text(tree, f"{base}/size") not in {"", "0"} and _text(tree, f"{base}/hidden") != "1"


def _first(tree: KernelTree, base: str, names: tuple[str, ...]) -> str:
    return next((text for name in names if (text := _text(tree, f"{base}/{name}"))), "")


def _text(tree: KernelTree, path: str) -> str:
    try:
        return tree.read(path).decode("ascii", "backslashreplace").strip()[:_IDENTITY_MAX]
    except OSError:
        return ""


def _port(tree: KernelTree, base: str) -> str:
    """The port that a SATA host hangs on, such as ``0000:00:17.0/ata1``."""
    try:
        match = re.search(r"([0-9a-f:.]+/ata[0-9]+)/host[0-9]+/", tree.link(base) + "/")
    except OSError:
        return ""
    return match[1] if match else ""
