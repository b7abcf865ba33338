# SPDX-License-Identifier: GPL-3.0-or-later
"""Health of drives as UDisks2 knows it: read by D-Bus, without rights and without waking a drive.

UDisks2 asks the drives itself, every few minutes; only what it has is read here. Interfaces:
org.freedesktop.UDisks2.Drive.Ata and org.freedesktop.UDisks2.NVMe.Controller.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

from destutter.core.bus_caller import BUS, BusCaller, BusCallError

_SERVICE, _PATH = "org.freedesktop.UDisks2", "/org/freedesktop/UDisks2"
_BLOCK = _SERVICE + ".Block"
_DRIVE = _SERVICE + ".Drive"
_ATA, _NVME = _SERVICE + ".Drive.Ata", _SERVICE + ".NVMe.Controller"
_ZERO_CELSIUS_K = 273.15
_HOT = "temperature"  # of the NVMe standard's warnings the one that passes

Objects = Mapping[str, Mapping[str, Mapping[str, Any]]]


class Condition(Enum):
    """What the drive says of itself."""

    GOOD = "good"
    FAILING = "failing"
    UNKNOWN = "unknown"


class NoHealth(Enum):
    """Why nothing is known of any drive."""

    NO_BUS = "no_bus"
    NO_UDISKS = "no_udisks"
    FAILED = "failed"
    HIDDEN = "hidden"


@dataclass(frozen=True, slots=True)
class Health:
    """One drive. ``warnings`` are the words of the NVMe standard, such as "spare"; ``model`` is
    what its maker calls it, empty where it does not say."""

    condition: Condition
    celsius: float | None = None
    power_on_hours: int | None = None
    warnings: tuple[str, ...] = ()
    model: str = ""

    @property
    def endangers_data(self) -> bool:
        """Whether what is on it may soon be gone: one that is only too hot keeps its data."""
        return self.condition is Condition.FAILING and set(self.warnings) != {_HOT}


@dataclass(frozen=True, slots=True)
class HealthReport:
    """``drives`` by the kernel's name. ``missing`` None: UDisks2 answered."""

    drives: Mapping[str, Health] = field(default_factory=dict)
    missing: NoHealth | None = None


def read_health(caller: BusCaller, *, is_sandboxed: bool = False) -> HealthReport:
    """The health of every drive that UDisks2 knows; it is not started for this.

    In a Flatpak the bus would only say that there is no UDisks2.
    """
    if is_sandboxed:
        return HealthReport(missing=NoHealth.HIDDEN)
    try:
        member = ("org.freedesktop.DBus", "NameHasOwner")
        if caller.call(*BUS, member, "s", (_SERVICE,)) != [True]:
            return HealthReport(missing=NoHealth.NO_UDISKS)
    except BusCallError:
        return HealthReport(missing=NoHealth.NO_BUS)
    try:
        manager = ("org.freedesktop.DBus.ObjectManager", "GetManagedObjects")
        (objects,) = caller.call(_SERVICE, _PATH, manager)
        return HealthReport(_by_name(objects))
    except (BusCallError, ValueError, TypeError, AttributeError):
        return HealthReport(missing=NoHealth.FAILED)


def _by_name(objects: Objects) -> dict[str, Health]:
    found = {}
    for interfaces in objects.values():
        block = interfaces.get(_BLOCK)
        if block is None or f"{_SERVICE}.Partition" in interfaces:
            continue
        drive = objects.get(str(block.get("Drive", "")))
        health = None if drive is None else _health(drive)
        if drive is not None and health is not None:
            model = str(drive.get(_DRIVE, {}).get("Model", "")).strip()
            found[_device_name(block.get("Device"))] = replace(health, model=model)
    return found


def _device_name(device: Any) -> str:
    """ "sda" of the bytes of "/dev/sda", which end with a zero."""
    return bytes(device or b"").rstrip(b"\0").decode(errors="replace").rpartition("/")[2]


def _health(drive: Mapping[str, Mapping[str, Any]]) -> Health | None:
    ata, nvme = drive.get(_ATA), drive.get(_NVME)
    if nvme is not None and nvme.get("SmartUpdated"):
        warnings = tuple(map(str, nvme.get("SmartCriticalWarning", ())))
        condition = Condition.FAILING if warnings else Condition.GOOD
        kelvin = nvme.get("SmartTemperature") or 0
        celsius = float(kelvin) - _ZERO_CELSIUS_K if kelvin else None
        return Health(condition, celsius, nvme.get("SmartPowerOnHours"), warnings)
    if ata is not None and ata.get("SmartUpdated"):
        condition = Condition.FAILING if ata.get("SmartFailing") else Condition.GOOD
        kelvin = ata.get("SmartTemperature") or 0.0
        celsius = float(kelvin) - _ZERO_CELSIUS_K if kelvin else None
        seconds = ata.get("SmartPowerOnSeconds") or 0
        return Health(condition, celsius, seconds // 3600 if seconds else None)
    return Health(Condition.UNKNOWN) if ata is not None or nvme is not None else None
