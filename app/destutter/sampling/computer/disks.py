# SPDX-License-Identifier: GPL-3.0-or-later
"""I/O of whole disks: /proc/diskstats and /sys/block/*/inflight.

Fields: Documentation/admin-guide/iostats.rst. Discards came with Linux 4.18 and flushes with
5.5, so a row has 11, 15 or 17 numbers. Times are milliseconds and include the scheduler's queue.
"""

from collections.abc import Sequence
from typing import NamedTuple

from destutter.core.catalog import SOURCES
from destutter.core.kernel_files import KernelFileError, KernelFiles
from destutter.core.sample import RawValue
from destutter.core.statement import Statement
from destutter.sampling.files.kept_file import KeptFile
from destutter.sampling.files.measurement import Measurement, picker, text_of, wholes

DISKSTATS = "/proc/diskstats"
BLOCK = "/sys/block"
_NAME = 2
_IN_FLIGHT = 11
_ROW_NUMBERS = len(SOURCES["disk"].fields) - 2
# Numbers behind the name before Linux 4.18 told discards and 5.5 flushes (iostats.rst).
_OLDEST_ROW = 11


class _DiskRow(NamedTuple):
    """Where a disk stands in /proc/diskstats, and the file of its requests in flight."""

    line: int
    name: bytes
    inflight: KeptFile | None


class DiskSampler:
    """One instance per whole disk that has done any I/O since the computer started.

    Disks that were never used (loop, ram, network block devices, an empty drive) and partitions
    are left out; the bytes of their lines are kept and compared, so that the first I/O of such a
    disk brings it in.
    """

    sources = ("disk",)

    def __init__(self, files: KernelFiles) -> None:
        self._files = files
        self._file = KeptFile(files, DISKSTATS)
        self._rows: list[_DiskRow] = []
        self._unused: tuple[bytes, ...] = ()
        self._pick_unused = picker(())
        self._line_count = -1
        self._instances: tuple[str, ...] = ()
        self._data = b""
        self._last: tuple[Measurement, ...] = ()

    def read(self) -> Sequence[Measurement]:
        """The row of each disk, then its reads and writes in flight."""
        data = self._file.read()
        if data == self._data and self._last:
            return self._last
        lines = data.split(b"\n")
        if not self._is_known(lines):
            self._learn(lines)
        values: list[RawValue] = []
        is_resting = True
        for index, name, inflight in self._rows:
            tokens = lines[index].split()
            if tokens[_NAME] != name:
                # A disk was exchanged between two ticks: the next one learns it.
                self._line_count = -1
                return ()
            values += row_values(index + 1, tokens)
            if inflight is None:
                values += (None, None)
            elif tokens[_IN_FLIGHT] == b"0":
                # Counts every request that the file splits into reads and writes.
                values += (0, 0)
            else:
                values += parse_inflight(inflight.path, inflight.find())
                is_resting = False
        # Without a request in flight, equal rows are equal disks: most of the time all rest.
        self._data = data if is_resting else b""
        self._last = (Measurement("disk", self._instances, tuple(values)),)
        return self._last

    def close(self) -> None:
        self._file.close()
        self._forget()

    def _forget(self) -> None:
        for row in self._rows:
            if row.inflight is not None:
                row.inflight.close()
        self._rows = []
        self._data = b""
        self._line_count = -1

    def _is_known(self, lines: list[bytes]) -> bool:
        return len(lines) == self._line_count and self._pick_unused(lines) == self._unused

    def _learn(self, lines: list[bytes]) -> None:
        self._forget()
        unused = []
        # A "/" in a device's name is a "!" in sysfs: cciss!c0d0.
        whole_disks = {
            name.replace("!", "/").encode("utf-8", "surrogateescape"): name
            for name in self._files.list_names(BLOCK)
        }
        rows = []
        for index, line in enumerate(lines):
            tokens = line.split()
            if not tokens:
                continue
            if len(tokens) < _NAME + 1 + _OLDEST_ROW:
                raise KernelFileError(DISKSTATS, index + 1, Statement("sampling.too_few_columns"))
            name = tokens[_NAME]
            if name not in whole_disks:
                continue
            if any(row_values(index + 1, tokens)):
                path = f"{BLOCK}/{whole_disks[name]}/inflight"
                kept = KeptFile(self._files, path) if self._files.exists(path) else None
                rows.append(_DiskRow(index, name, kept))
            else:
                unused.append(index)
        self._pick_unused = picker(unused)
        self._unused = self._pick_unused(lines)
        self._rows = rows
        names = tuple(text_of(row.name) for row in rows)
        if names != self._instances:
            self._instances = names
        self._line_count = len(lines)


def row_values(number: int, tokens: list[bytes]) -> tuple[RawValue, ...]:
    """The numbers of one row, padded with None for what an older kernel does not count."""
    found = tokens[_NAME + 1 : _NAME + 1 + _ROW_NUMBERS]
    try:
        values: tuple[RawValue, ...] = tuple(map(int, found))
    except ValueError:
        return wholes(DISKSTATS, number, found)
    missing = _ROW_NUMBERS - len(values)
    return values if not missing else (*values, *(None,) * missing)


def parse_inflight(path: str, data: bytes | None) -> tuple[RawValue, RawValue]:
    """Reads and writes in flight; None when the device has no such file (any more)."""
    if data is None:
        return None, None
    try:
        reads, writes = map(int, data.split())
    except ValueError:
        raise KernelFileError(path, 1, Statement("sampling.not_two_numbers")) from None
    return reads, writes
