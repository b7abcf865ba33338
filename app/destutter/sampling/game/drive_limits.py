# SPDX-License-Identifier: GPL-3.0-or-later
"""What the game's control group, or one above it, allows of each drive.

What exceeds such a limit waits before there is a request (block/blk-throttle.c), so no drive
seems slow. Version 2 has one file (Documentation/admin-guide/cgroup-v2.rst, io.max), and the
limits of all groups above hold as well; version 1 has a file for each way and unit, and only the
group's own hold (``throtl_pd_init``).
"""

from collections.abc import Iterable, Mapping

from destutter.core.kernel_files import KernelFileError, KernelFiles
from destutter.core.sample import RawValue

IO_MAX = "io.max"
VERSION_1 = tuple(
    f"blkio:blkio.throttle.{way}_{unit}_device"
    for way in ("read", "write")
    for unit in ("bps", "iops")
)
_KEYS = (b"rbps", b"riops", b"wbps", b"wiops")
_OF_VERSION_1 = dict(zip(VERSION_1, _KEYS, strict=True))
_DEVICES = "/sys/dev/block"

Limits = Mapping[str, tuple[RawValue, ...]]
"""By the number of a drive ("8:0"): read bytes, reads, write bytes, writes; None without one."""


def drive_limits(found: Mapping[str, bytes]) -> Limits:
    """The lowest limits of each drive, from the contents of the files by their names.

    Those of groups above are there under the name of the file with more behind it. A line that is
    no limit is left out: what a later kernel adds is none of these.
    """
    limits: dict[str, dict[bytes, int]] = {}
    for name, data in found.items():
        if name.startswith(IO_MAX):
            lines = (line.split() for line in data.split(b"\n"))
            pairs = ((words[0], word.partition(b"=")) for words in lines for word in words[1:])
            told: Iterable[tuple[bytes, bytes, bytes]] = (
                (number, key, value) for number, (key, _, value) in pairs
            )
        elif name in _OF_VERSION_1:
            rows = (line.split() for line in data.split(b"\n"))
            key = _OF_VERSION_1[name]
            told = ((row[0], key, row[1]) for row in rows if len(row) == 2)
        else:
            continue
        for number, key, value in told:
            if key in _KEYS and value.isdigit():
                mine = limits.setdefault(number.decode("ascii", "replace"), {})
                mine[key] = min(int(value), mine.get(key, int(value)))
    return {
        number: tuple(mine.get(key) for key in _KEYS) for number, mine in sorted(limits.items())
    }


class DriveNames:
    """The names of drives by their numbers, each looked up once."""

    def __init__(self, files: KernelFiles) -> None:
        self._files = files
        self._known: dict[str, str] = {}

    def of(self, number: str) -> str:
        """Such as "sda" for "8:0"; the number itself where the drive is gone."""
        if number not in self._known:
            try:
                place = self._files.resolve(f"{_DEVICES}/{number}")
            except KernelFileError:
                place = None
            self._known[number] = place.rpartition("/")[2] if place else number
        return self._known[number]
