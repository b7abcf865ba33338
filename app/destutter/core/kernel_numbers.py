# SPDX-License-Identifier: GPL-3.0-or-later
"""Kernel files of lines with a name and a number, for who looks now and then.

What is read at every tick takes its numbers by their positions (``sampling.files.named_values``).
"""

from destutter.core.kernel_files import KernelFileError, KernelFiles
from destutter.core.statement import Statement

MEMINFO = "/proc/meminfo"
"""Sizes in KiB."""

VMSTAT = "/proc/vmstat"


def read_numbers(files: KernelFiles, path: str) -> dict[str, int]:
    """The numbers by their names; empty where there is no such file.

    Raises ``KernelFileError`` for a line without a number.
    """
    found = {}
    for number, line in enumerate((files.read_text(path) or "").splitlines(), 1):
        words = line.split()
        if not words:
            continue
        try:
            found[words[0].removesuffix(":")] = int(words[1])
        except (IndexError, ValueError):
            raise KernelFileError(path, number, Statement("core.no_number")) from None
    return found
