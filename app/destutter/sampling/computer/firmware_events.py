# SPDX-License-Identifier: GPL-3.0-or-later
"""Events of the firmware: /sys/firmware/acpi/interrupts/gpe*.

Documentation/ABI/testing/sysfs-firmware-acpi: each file begins with the count. A broken line
raises thousands a second, and each is handled by a worker of the kernel.
"""

from collections.abc import Sequence

from destutter.core.kernel_files import KernelFiles
from destutter.core.sample import RawValue
from destutter.core.sandbox import read_sandbox
from destutter.core.statement import Statement
from destutter.sampling.files.measurement import AbsentError, Measurement, whole

FOLDER = "/sys/firmware/acpi/interrupts"
_ABSENT = Statement("sampling.no_firmware_events")


class FirmwareEventSampler:
    """The counts of those events that came at least once since the computer started."""

    sources = ("firmware_event",)

    def __init__(self, files: KernelFiles) -> None:
        self._files = files
        self._instances: tuple[str, ...] = ()

    def read(self) -> Sequence[Measurement]:
        """One instance per event. Raises ``AbsentError`` without such firmware."""
        known = [name for name in self._files.list_names(FOLDER) if _is_event(name)]
        if not known:
            if read_sandbox(self._files) is not None:
                raise AbsentError(Statement("sampling.hides_firmware"))
            raise AbsentError(_ABSENT)
        counts: dict[str, RawValue] = {}
        for name in known:
            path = f"{FOLDER}/{name}"
            data = self._files.read_bytes(path)
            if data is not None and (count := parse_count(path, data)):
                counts[name] = count
        names = tuple(counts)
        if names != self._instances:
            self._instances = names
        return (Measurement("firmware_event", self._instances, tuple(counts.values())),)

    def close(self) -> None:
        """Nothing is kept open."""


def parse_count(path: str, data: bytes) -> int:
    """The count at the beginning of the line; raises ``KernelFileError`` without one."""
    words = data.split()
    return whole(path, 1, words[0] if words else b"")


def _is_event(name: str) -> bool:
    """Whether it is a single event: "gpe6F", not their sum."""
    return name.startswith("gpe") and name != "gpe_all"
