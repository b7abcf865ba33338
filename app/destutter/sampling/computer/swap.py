# SPDX-License-Identifier: GPL-3.0-or-later
"""Swap areas (/proc/swaps) and compressed memory (/sys/block/zram*/mm_stat)."""

from collections.abc import Sequence
from typing import NamedTuple

from destutter.core.kernel_files import KernelFileError, KernelFiles
from destutter.core.sample import Value
from destutter.core.statement import Statement
from destutter.sampling.files.kept_file import KeptFile
from destutter.sampling.files.measurement import Measurement, text_of, wholes

SWAPS = "/proc/swaps"
BLOCK = "/sys/block"


class SwapArea(NamedTuple):
    """One line of /proc/swaps; sizes in KiB."""

    name: str
    kind: str
    size_kib: int
    used_kib: int
    priority: int


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
        """Give the descriptor back."""
        self._file.close()


def parse_swaps(data: bytes) -> list[SwapArea]:
    """The areas of /proc/swaps, below its heading line."""
    lines = data.split(b"\n")
    if not lines[0].startswith(b"Filename"):
        raise KernelFileError(SWAPS, 1, Statement("sampling.no_heading"))
    areas = []
    for number, line in enumerate(lines[1:], 2):
        tokens = line.split()
        if not tokens:
            continue
        if len(tokens) != 5:
            raise KernelFileError(SWAPS, number, Statement("sampling.not_five_columns"))
        size, used, priority = wholes(SWAPS, number, tokens[2:])
        name = _unescaped(text_of(tokens[0]))
        areas.append(SwapArea(name, text_of(tokens[1]), size, used, priority))
    return areas


def _unescaped(name: str) -> str:
    # mangle_path() writes white space and backslashes in file names as octal numbers.
    for code, character in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        name = name.replace(code, character)
    return name


class ZramSampler:
    """What the zram devices in use hold (Documentation/admin-guide/blockdev/zram.rst)."""

    sources = ("zram",)

    def __init__(self, files: KernelFiles) -> None:
        self._files = files

    def read(self) -> Sequence[Measurement]:
        """Bytes before and after compression, memory used and its limit, per device."""
        names: list[str] = []
        values: list[Value] = []
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


def parse_mm_stat(path: str, data: bytes) -> tuple[Value, ...]:
    """The first four of its columns."""
    tokens = data.split()[:4]
    if len(tokens) < 4:
        raise KernelFileError(path, 1, Statement("sampling.too_few_columns"))
    return wholes(path, 1, tokens)
