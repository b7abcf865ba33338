# SPDX-License-Identifier: GPL-3.0-or-later
"""Which CPUs are switched on, and how per-CPU tables with a heading line are read."""

from destutter.core.kernel_files import KernelFileError, KernelFiles
from destutter.core.statement import Statement
from destutter.sampling.files.kept_file import KeptFile
from destutter.sampling.files.measurement import text_of, whole

ONLINE = "/sys/devices/system/cpu/online"


class OnlineCpus:
    """The CPUs that are switched on, as "cpu0", "cpu1", ..."""

    def __init__(self, files: KernelFiles) -> None:
        self._file = KeptFile(files, ONLINE)
        self._text: bytes | None = None
        self._names: frozenset[str] = frozenset()

    def names(self) -> frozenset[str] | None:
        """Their names; None when the kernel does not say (it cannot switch CPUs off then)."""
        text = self._file.find()
        if text is None:
            return None
        if text != self._text:
            self._names = frozenset(f"cpu{number}" for number in parse_ranges(ONLINE, text))
            self._text = text
        return self._names

    def close(self) -> None:
        self._file.close()


def parse_ranges(path: str, data: bytes) -> list[int]:
    """The numbers in a list of ranges such as "0-3,8"."""
    numbers: list[int] = []
    for part in data.split(b"\n", 1)[0].split(b","):
        if not part.strip():
            continue
        first, dash, last = part.partition(b"-")
        low = whole(path, 1, first)
        high = whole(path, 1, last) if dash else low
        if not 0 <= low <= high < 1 << 16:
            raise KernelFileError(path, 1, Statement("sampling.no_cpu_list"))
        numbers.extend(range(low, high + 1))
    return numbers


def parse_heading(path: str, line: bytes) -> tuple[str, ...]:
    """The CPUs of a table whose first line is "CPU0 CPU1 ..."."""
    names = line.split()
    if not names or any(not name.startswith(b"CPU") for name in names):
        raise KernelFileError(path, 1, Statement("sampling.no_cpu_names"))
    return tuple(text_of(name).lower() for name in names)
