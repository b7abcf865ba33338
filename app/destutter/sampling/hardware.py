# SPDX-License-Identifier: GPL-3.0-or-later
"""What one tells of a computer in a forum: processor, graphics cards, memory, and its system.

Sources: Documentation/ABI/testing/sysfs-devices-system-cpu, Documentation/ABI/testing/
sysfs-bus-pci (current_link_speed), Documentation/gpu/amdgpu/driver-misc.rst (mem_info_vram_total).
"""

from collections.abc import Iterator
from dataclasses import dataclass

from destutter.core.kernel_files import KernelFileError, KernelFiles
from destutter.sampling.files.graphics_drivers import DRM_DRIVERS
from destutter.sampling.gpu.gpu import drm_cards
from destutter.sampling.machine import describe_machine

_CPUS = "/sys/devices/system/cpu"
_NVIDIA = "nvidia"
_MAKERS = {"0x10de": "NVIDIA", "0x1002": "AMD", "0x8086": "Intel"}
_UNITS = {"K": 1, "M": 1024, "G": 1024 * 1024}


@dataclass(frozen=True, slots=True)
class CacheDie:
    """Cores that share a cache of the last level: how many CPUs, and KiB of it."""

    cpus: int
    cache_kib: int


@dataclass(frozen=True, slots=True)
class GraphicsCard:
    """``instance`` as the measurements call it; None: its driver does not say. ``link`` is its
    fastest PCI Express link, as the kernel writes its speed and its lanes."""

    instance: str
    name: str
    driver: str
    memory_bytes: int | None
    link: tuple[str, str] | None


@dataclass(frozen=True, slots=True)
class Hardware:
    """One computer; None and empty: the kernel does not say. ``most_mhz`` is the highest clock."""

    processor: str | None = None
    cpus: int | None = None
    cores: int | None = None
    most_mhz: int | None = None
    dies: tuple[CacheDie, ...] = ()
    cards: tuple[GraphicsCard, ...] = ()
    memory_kib: int | None = None
    kernel: str | None = None
    distribution: str | None = None
    nvidia_driver: str | None = None
    desktop: str = ""


def read_hardware(files: KernelFiles, desktop: str = "") -> Hardware:
    """What is known of this computer; ``desktop`` as its session calls itself."""
    try:
        machine = describe_machine(files)
    except KernelFileError:
        machine = {}
    cpus = [name for name in _names(files, _CPUS) if name[:3] == "cpu" and name[3:].isdecimal()]
    cores = {_core(files, cpu) for cpu in cpus} - {None}
    clocks = [_number(files, f"{_CPUS}/{cpu}/cpufreq/cpuinfo_max_freq") for cpu in cpus]
    highest_khz = max((each for each in clocks if each is not None), default=None)
    return Hardware(
        machine.get("cpu_model"),
        machine.get("cpus") or len(cpus) or None,
        len(cores) or None,
        None if highest_khz is None else highest_khz // 1000,
        tuple(_dies(files, cpus)),
        tuple(_cards(files)),
        machine.get("memory_kib"),
        machine.get("kernel"),
        machine.get("distribution"),
        machine.get("driver"),
        desktop,
    )


def _core(files: KernelFiles, cpu: str) -> tuple[str, str] | None:
    place = f"{_CPUS}/{cpu}/topology"
    package, core = (
        _text(files, f"{place}/{each}") for each in ("physical_package_id", "core_id")
    )
    return None if package is None or core is None else (package, core)


def _dies(files: KernelFiles, cpus: list[str]) -> Iterator[CacheDie]:
    """Those that share a third-level cache, as the kernel lists its CPUs."""
    seen: dict[str, CacheDie] = {}
    for cpu in cpus:
        cache = f"{_CPUS}/{cpu}/cache/index3"
        shared, size = _text(files, f"{cache}/shared_cpu_list"), _text(files, f"{cache}/size")
        if shared and size and shared not in seen and size[:-1].isdecimal():
            kib = int(size[:-1]) * _UNITS.get(size[-1], 1)
            seen[shared] = CacheDie(_listed(shared), kib)
    yield from seen.values()


def _listed(cpus: str) -> int:
    """How many CPUs a list such as "0-7,16-23" has."""
    count = 0
    for part in cpus.split(","):
        first, _, last = part.partition("-")
        count += int(last or first) - int(first) + 1
    return count


def _cards(files: KernelFiles) -> Iterator[GraphicsCard]:
    for driver in (_NVIDIA, *DRM_DRIVERS):
        try:
            found = list(drm_cards(files, driver))
        except KernelFileError:
            continue
        for card, device in found:
            maker = _MAKERS.get(_text(files, f"{device}/vendor") or "", "")
            product = _text(files, f"{device}/product_name") or _text(files, f"{device}/device")
            name = _nvidia_name(files, device) if driver == _NVIDIA else None
            yield GraphicsCard(
                card,
                name or " ".join(part for part in (maker, product) if part) or card,
                driver,
                _number(files, f"{device}/mem_info_vram_total"),
                _link(files, device),
            )


def _nvidia_name(files: KernelFiles, device: str) -> str | None:
    slot = _value(_text(files, f"{device}/uevent"), "PCI_SLOT_NAME", "=")
    return _value(_text(files, f"/proc/driver/nvidia/gpus/{slot}/information"), "Model", ":")


def _value(text: str | None, key: str, sign: str) -> str | None:
    pairs = (line.partition(sign) for line in (text or "").splitlines())
    return next((value.strip() for name, _, value in pairs if name.strip() == key), None)


def _link(files: KernelFiles, device: str) -> tuple[str, str] | None:
    speed = _text(files, f"{device}/max_link_speed")
    width = _number(files, f"{device}/max_link_width")
    if speed is None or not width or width == 255:  # 255: no link
        return None
    return speed, str(width)


def _names(files: KernelFiles, path: str) -> list[str]:
    try:
        return files.list_names(path)
    except KernelFileError:
        return []


def _text(files: KernelFiles, path: str) -> str | None:
    try:
        return files.read_text(path)
    except KernelFileError:
        return None


def _number(files: KernelFiles, path: str) -> int | None:
    text = _text(files, path) or ""
    return int(text) if text.isdecimal() else None
