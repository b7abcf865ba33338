# SPDX-License-Identifier: GPL-3.0-or-later
"""Pressure stall information: how long tasks waited for CPU, memory, I/O and interrupts.

Totals are microseconds since boot (Documentation/accounting/psi.rst). "some": at least one task
waited; "full": nobody could go on. For interrupts there is only "full".
"""

from collections.abc import Sequence

from destutter.core.kernel_files import KernelFileError, KernelFiles
from destutter.core.sample import RawValue
from destutter.core.statement import Statement
from destutter.sampling.files.kept_file import KeptFile
from destutter.sampling.files.measurement import AbsentError, Measurement, whole

FOLDER = "/proc/pressure"
RESOURCES = ("cpu", "memory", "io", "irq")
ABSENT = Statement("sampling.no_pressure")
_BOTH = 3  # pieces of a file with a total in each of two lines


class PressureTotals:
    """The latest totals of stall in microseconds by resource, for who needs them in a tick."""

    def __init__(self) -> None:
        self.some_us: dict[str, RawValue] = {}


class PressureSampler:
    """/proc/pressure/{cpu,memory,io,irq}, those that the kernel has."""

    sources = ("pressure",)

    def __init__(self, files: KernelFiles, stalls: PressureTotals) -> None:
        self._stalls = stalls
        self._kept = {name: KeptFile(files, f"{FOLDER}/{name}") for name in RESOURCES}
        self._present = list(self._kept.items())
        self._instances: tuple[str, ...] = ()
        self._data: dict[str, bytes] = {}
        self._totals: dict[str, tuple[RawValue, RawValue]] = {}

    def read(self) -> Sequence[Measurement]:
        """Microseconds of stall since boot, some and full, per resource."""
        names: list[str] = []
        values: list[RawValue] = []
        for name, file in self._present:
            data = file.find()
            if data is not None:
                if data != self._data.get(name):
                    # Where nobody waits, which is mostly, the file is the one of before.
                    self._totals[name] = totals = parse_pressure(file.path, data)
                    self._data[name] = data
                    self._stalls.some_us[name] = totals[0]
                names.append(name)
                values += self._totals[name]
        if not names:
            self._present = list(self._kept.items())
            raise AbsentError(ABSENT)
        if len(names) != len(self._instances) or tuple(names) != self._instances:
            self._instances = tuple(names)
            self._present = [(name, self._kept[name]) for name in names]
        return (Measurement("pressure", self._instances, tuple(values)),)

    def close(self) -> None:
        for file in self._kept.values():
            file.close()
        self._present = list(self._kept.items())
        self._data = {}
        self._stalls.some_us.clear()


def parse_pressure(path: str, data: bytes) -> tuple[RawValue, RawValue]:
    """The totals of the lines "some" and "full"; None for a line that is not there."""
    # All kernels since 5.13 have both lines, and such files are read 30 times a second.
    parts = data.split(b"total=")
    if len(parts) == _BOTH and data.startswith(b"some "):
        some, line_break, full = parts[1].partition(b"\nfull ")
        if line_break and b"\n" not in full:
            try:
                return int(some), int(parts[2])
            except ValueError:
                pass  # said below with its place
    return _parse_odd_pressure(path, data)


def _parse_odd_pressure(path: str, data: bytes) -> tuple[RawValue, RawValue]:
    """The same for a file with one of the lines; raises when it is damaged."""
    if data.startswith(b"some "):
        some = _total(path, data, 0)
        second = data.find(b"\nfull ")
        return some, None if second < 0 else _total(path, data, second)
    if data.startswith(b"full "):
        return None, _total(path, data, 0)
    raise KernelFileError(path, 1, Statement("sampling.no_some_full"))


def _total(path: str, data: bytes, start: int) -> int:
    begin = data.find(b"total=", start + 1)
    end = data.find(b"\n", start + 1)
    if begin < 0 or 0 <= end < begin:
        raise KernelFileError(path, 1 if start == 0 else 2, Statement("sampling.no_total"))
    return whole(path, 1 if start == 0 else 2, data[begin + 6 : end if end >= 0 else None])
