# SPDX-License-Identifier: GPL-3.0-or-later
"""The swap areas in use: /proc/swaps (swap_show in mm/swapfile.c)."""

from typing import NamedTuple

from destutter.core.kernel_files import KernelFileError, KernelFiles
from destutter.core.statement import Statement

SWAPS = "/proc/swaps"


class SwapArea(NamedTuple):
    """One line of /proc/swaps; sizes in KiB. ``kind`` is "partition" or "file"."""

    name: str
    kind: str
    size_kib: int
    used_kib: int
    priority: int

    @property
    def device(self) -> str:
        """The kernel's name of the drive or partition, where it is none of a file."""
        return self.name.rpartition("/")[2]

    @property
    def is_zram(self) -> bool:
        """Whether it is compressed memory."""
        return self.device.startswith("zram")


def parse_swaps(data: bytes) -> list[SwapArea]:
    """The areas below the heading line. Raises ``KernelFileError`` with the line."""
    lines = data.split(b"\n")
    if not lines[0].startswith(b"Filename"):
        raise KernelFileError(SWAPS, 1, Statement("sampling.no_heading"))
    areas = []
    for number, line in enumerate(lines[1:], 2):
        tokens = line.decode("utf-8", "replace").split()
        if not tokens:
            continue
        if len(tokens) != 5:
            raise KernelFileError(SWAPS, number, Statement("sampling.not_five_columns"))
        try:
            size, used, priority = map(int, tokens[2:])
        except ValueError:
            raise KernelFileError(SWAPS, number, Statement("core.no_number")) from None
        areas.append(SwapArea(_unescaped(tokens[0]), tokens[1], size, used, priority))
    return areas


def read_swaps(files: KernelFiles) -> list[SwapArea]:
    """The areas of this computer; none where the kernel has no swap."""
    data = files.read_bytes(SWAPS)
    return [] if data is None else parse_swaps(data)


def _unescaped(name: str) -> str:
    # mangle_path() writes white space and backslashes in file names as octal numbers.
    for code, character in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        name = name.replace(code, character)
    return name
