# SPDX-License-Identifier: GPL-3.0-or-later
"""What computer this is: the part of a stream's header that never changes while it runs."""

import json
import os
from collections.abc import Callable, Collection, Iterator
from typing import Any, NamedTuple, TypeVar

from destutter.core.kernel_files import KernelFileError, KernelFiles
from destutter.core.kernel_numbers import MEMINFO, read_numbers
from destutter.core.sandbox import LENT, NAME, read_sandbox
from destutter.core.statement import Statement
from destutter.sampling.files.graphics_drivers import DRM_DRIVERS
from destutter.sampling.gpu.gpu import drm_cards
from destutter.sampling.gpu.gpu_nvidia import DRIVER_VERSION

T = TypeVar("T")

CPUINFO = "/proc/cpuinfo"
OS_RELEASE = "/etc/os-release"
HOST_OS_RELEASE = "/run/host/os-release"
"""In a Flatpak, whose own file is that of its runtime."""
DMI = "/sys/class/dmi/id"
MANIFEST = "/capture.json"
"""In a captured tree: what the files below /proc and /sys do not say of the computer."""

_MAKERS = {"0x10de": "NVIDIA", "0x1002": "AMD", "0x8086": "Intel"}
# What the firmware of virtual machines calls itself.
_VIRTUAL_MAKERS = {
    "QEMU": "QEMU",
    "Bochs": "QEMU",
    "VMware, Inc.": "VMware",
    "innotek GmbH": "VirtualBox",
    "Oracle Corporation": "VirtualBox",
    "Microsoft Corporation": "Hyper-V",
    "Parallels Software International Inc.": "Parallels",
    "Parallels International GmbH.": "Parallels",
    "Amazon EC2": "Amazon EC2",
    "Google": "Google Compute Engine",
    "Xen": "Xen",
}


def describe_machine(files: KernelFiles) -> dict[str, Any]:
    """The ``machine`` of a header. What the kernel does not say is missing, never guessed.

    Raises ``KernelFileError`` when a captured tree has a manifest that cannot be read.

    Keys: kernel, distribution, cpu_model, cpus, memory_kib, page_bytes, clock_ticks, gpus (list of
    names), driver (NVIDIA's, with its version), virtual_machine (name of the hypervisor, or "no"),
    sandbox (NAME or LENT of `core.sandbox`, in a Flatpak).
    """
    processor = _known(lambda: read_processor(files)) or Processor(None, None, frozenset())
    found = {
        "kernel": _known(lambda: files.read_text("/proc/sys/kernel/osrelease")),
        "distribution": _known(lambda: distribution(files)),
        "cpu_model": processor.model,
        "cpus": processor.cpus,
        "memory_kib": _known(lambda: read_numbers(files, MEMINFO).get("MemTotal")),
        "page_bytes": page_bytes(files),
        "clock_ticks": clock_ticks(files),
        "gpus": _known(lambda: graphics_cards(files)),
        "driver": _known(lambda: _nvidia_driver(files)),
        "virtual_machine": _known(lambda: virtual_machine(files, processor.flags)),
        "sandbox": None if read_sandbox(files) is None else LENT if files.lends else NAME,
    }
    return {name: value for name, value in found.items() if value is not None}


def _known(read: Callable[[], T]) -> T | None:
    """What a file says; None when it cannot be read, which whoever samples it will tell."""
    try:
        return read()
    except KernelFileError:
        return None


def page_bytes(files: KernelFiles) -> int:
    """Bytes of a page of memory on that computer."""
    return _constant(files, "page_bytes", "SC_PAGE_SIZE", 4096)


def clock_ticks(files: KernelFiles) -> int:
    """Clock ticks per second in which that kernel counts CPU time (USER_HZ)."""
    return _constant(files, "clock_ticks", "SC_CLK_TCK", 100)


def _constant(files: KernelFiles, name: str, setting: str, usual: int) -> int:
    if files.is_live:
        return os.sysconf(setting)
    value = _manifest(files).get(name)
    return value if type(value) is int and 0 < value <= 1 << 20 else usual


def _manifest(files: KernelFiles) -> dict[str, Any]:
    try:
        found = json.loads(files.read_text(MANIFEST) or "{}")
    except ValueError:
        raise KernelFileError(MANIFEST, None, Statement("sampling.no_manifest")) from None
    return found if isinstance(found, dict) else {}


def distribution(files: KernelFiles) -> str | None:
    """The name that the distribution gives itself."""
    names = {}
    path = OS_RELEASE if read_sandbox(files) is None else HOST_OS_RELEASE
    for line in (files.read_text(path) or "").splitlines():
        name, _, value = line.partition("=")
        names[name] = value.strip().strip("\"'")
    return names.get("PRETTY_NAME") or names.get("NAME")


class Processor(NamedTuple):
    """What /proc/cpuinfo says. Reading it makes the kernel ask every CPU: not to be done often."""

    model: str | None
    cpus: int | None
    flags: frozenset[str]


def read_processor(files: KernelFiles) -> Processor:
    found: dict[str, str] = {}
    count = 0
    for line in (files.read_text(CPUINFO) or "").splitlines():
        name, colon, value = line.partition(":")
        if colon:
            found.setdefault(name.strip(), value.strip())
            count += name.strip() == "processor"
    model = found.get("model name") or found.get("Model")
    return Processor(model, count or None, frozenset(found.get("flags", "").split()))


def virtual_machine(files: KernelFiles, flags: Collection[str]) -> str:
    """The hypervisor that this computer runs in, "unknown" when it hides its name, or "no".

    ``flags`` are those of the processor.
    """
    xen = files.read_text("/sys/hypervisor/type")
    if xen:
        return xen
    maker = files.read_text(f"{DMI}/sys_vendor") or ""
    product = files.read_text(f"{DMI}/product_name") or ""
    has_flag = "hypervisor" in flags
    if maker in _VIRTUAL_MAKERS and (has_flag or "Virtual" in product):
        return _VIRTUAL_MAKERS[maker]
    return "unknown" if has_flag else "no"


def graphics_cards(files: KernelFiles) -> list[str]:
    """The graphics cards: the name that NVIDIA's driver tells, else the maker and the driver."""
    return [*_nvidia_names(files), *_drm_names(files)]


def _drm_names(files: KernelFiles) -> Iterator[str]:
    for driver in DRM_DRIVERS:
        for _, device in drm_cards(files, driver):
            maker = _MAKERS.get(files.read_text(f"{device}/vendor") or "", "")
            product = files.read_text(f"{device}/product_name") or ""
            number = files.read_text(f"{device}/device") or ""
            yield " ".join(part for part in (maker, product or number, f"({driver})") if part)


def _nvidia_driver(files: KernelFiles) -> str | None:
    """NVIDIA's driver; those of the others belong to the kernel and to Mesa."""
    line = (files.read_text(DRIVER_VERSION) or "").partition("\n")[0]
    version = next((word for word in line.split() if word[:1].isdigit() and "." in word), None)
    return None if version is None else f"NVIDIA {version}"


def _nvidia_names(files: KernelFiles) -> Iterator[str]:
    if not files.exists(DRIVER_VERSION):
        return
    base = "/proc/driver/nvidia/gpus"
    for address in files.list_names(base):
        for line in (files.read_text(f"{base}/{address}/information") or "").splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "Model":
                yield value.strip()
