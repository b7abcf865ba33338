# SPDX-License-Identifier: GPL-3.0-or-later
"""Swap areas (/proc/swaps) and compressed memory (/sys/block/zram*/mm_stat)."""

from collections.abc import Sequence

from destutter.core.kernel_files import KernelFileError, KernelFiles
from destutter.core.sample import RawValue
from destutter.core.statement import Statement
from destutter.core.swap_areas import SWAPS, parse_swaps
from destutter.sampling.files.kept_file import KeptFile
from destutter.sampling.files.measurement import Measurement, wholes

BLOCK = "/sys/block"


class SwapSampler:
    """The swap areas in use; none is a reading as well."""

    sources = ("swap",)

    def __init__(self, files: KernelFiles) -> None:
        self._file = KeptFile(files, SWAPS, Statement("sampling.no_swap"))

    def read(self) -> Sequence[Measurement]:
        """Size, use and priority per area."""
        areas = parse_swaps(self._file.read())
        names = tuple(area.name for area in areas)
        values = tuple(value for area in areas for value in area[2:])
        return (Measurement("swap", names, values),)

    def close(self) -> None:
        self._file.close()


class ZramSampler:
    """What the zram devices in use hold (Documentation/admin-guide/blockdev/zram.rst)."""

    sources = ("zram",)

    def __init__(self, files: KernelFiles) -> None:
        self._files = files

    def read(self) -> Sequence[Measurement]:
        """Bytes before and after compression, memory used and its limit, per device."""
        names: list[str] = []
        values: list[RawValue] = []
        for name in self._files.list_names(BLOCK):
            if not name.startswith("zram") or not self._files.read_int(f"{BLOCK}/{name}/disksize"):
                continue
            path = f"{BLOCK}/{name}/mm_stat"
            data = self._files.read_bytes(path)
            if data is not None:
                names.append(name)
                values += parse_mm_stat(path, data)
        return (Measurement("zram", tuple(names), tuple(values)),)

    def close(self) -> None:
        """Nothing is held open."""


def parse_mm_stat(path: str, data: bytes) -> tuple[RawValue, ...]:
    """The first four of its columns."""
    tokens = data.split()[:4]
    if len(tokens) < 4:
        raise KernelFileError(path, 1, Statement("sampling.too_few_columns"))
    return wholes(path, 1, tokens)
